// The meanings of a CSV file's columns, guessed from their headers for a person to check. Large, by the names: the console
// loads it when a file is opened.

import {
  type FileField,
  fileFields,
  isAdded,
  isExport,
  isIgnored,
  isSameName,
  lacksConsentTime,
  type Meaning,
} from './columns.ts'
import { columnNames, maybeDoNotCall } from './names/column-names.ts'

const namesIn = (names: string) => names.split(',').map(normalize)
/** Kept, because each post of a source is looked through for a number. */
const named = new Map<FileField, readonly string[]>()

/** The best first. */
function namesOf(field: FileField): readonly string[] {
  const names = named.get(field) ?? namesIn(columnNames[field])
  named.set(field, names)
  return names
}

const saysNo: ReadonlySet<string> = new Set(namesOf('doNotCall'))
const maySayNo: ReadonlySet<string> = new Set(namesIn(maybeDoNotCall))

/** What a column is by its header if it says who must not be called; null: it is about something else. */
function guessDoNotCall(header: string): 'doNotCall' | 'ask' | null {
  const name = normalize(header)
  if (saysNo.has(name)) return 'doNotCall'
  return maySayNo.has(name) ? 'ask' : null
}

/** The headers of columns that say who must not be called, though a person has said that they are something else. */
export const overruledDoNotCall = (headers: readonly string[], meanings: readonly Meaning[]) =>
  headers.filter(
    (header, at) =>
      meanings[at] !== 'doNotCall' && !isAdded(header) && guessDoNotCall(header) === 'doNotCall',
  )

/** More than the names: also words with one in them. Those of "number" alone are many others, such as of an order. */
const phoneHeader =
  /phone|tele(f|ph|mov)|tele?\b|mobi|movil|handy|rufnummer|cell|gsm|^num[bm]?er[iosy]*$|numero de contact/

/** Whether a column has phone numbers by its header; null: the header does not say. */
export function namesPhone(header: string): boolean | null {
  const name = normalize(header).replace(/ ?\d+$/, '')
  const field = fileFields.find((field) => namesOf(field).includes(name))
  if (field !== undefined || isAdded(header)) return field === 'phoneNumber'
  return phoneHeader.test(name) || null
}

/** "Phone_Number", "phoneNumber" and "PHONE NUMBER" are the same, and so are "Priorität" and "prioritat". */
function normalize(header: string): string {
  return header
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** -1: none of the headers names the field. */
function placeOf(field: FileField, headers: readonly string[], normalized: readonly string[]): number {
  // A header that is the field's own name is no guess.
  const own = headers.findIndex((header) => isSameName(header, field))
  const best = namesOf(field).find((name) => normalized.includes(name)) ?? ''
  return own === -1 && best !== '' ? normalized.indexOf(best) : own
}

export const guessPlace = (field: FileField, headers: readonly string[]) =>
  placeOf(field, headers, headers.map(normalize))

export function guessMeanings(headers: readonly string[]): readonly Meaning[] {
  const ofExport = isExport(headers)
  const normalized = headers.map((header) => (isIgnored(header, ofExport) ? '' : normalize(header)))
  const meanings = normalized.map((name): Meaning => (name === '' ? 'ignore' : 'keep'))
  for (const field of fileFields) {
    // Of no consent: they stay metadata.
    if (lacksConsentTime([...meanings, field])) continue
    const place = placeOf(field, headers, normalized)
    if (place !== -1) meanings[place] = field
  }
  return meanings.map((meaning, at) => (meaning === 'keep' && guessDoNotCall(headers[at] ?? '')) || meaning)
}
