// The meanings of a CSV file's columns, guessed from their headers for a person to check. Large, by the names: the
// console loads it when a file is opened.

import { nameSays } from '../no/judge.ts'
import {
  type FileField,
  fileFields,
  isAdded,
  isExport,
  isIgnored,
  isSameName,
  lacksConsentTime,
  type Meaning,
  normalize,
  plainHeader,
} from './columns.ts'
import { columnNames } from './names/column-names.ts'
import { isOtherPersons, isPlainPhoneName } from './names/phone-names.ts'

type NamedField = Exclude<FileField, 'doNotCall'>
const namedFields = fileFields.filter((field) => field !== 'doNotCall')
/** Kept, because each post of a source is looked through for a number. */
const named = new Map<NamedField, readonly string[]>()

/** The best first. */
function namesOf(field: NamedField): readonly string[] {
  const names = named.get(field) ?? columnNames[field].split(',').map(normalize)
  named.set(field, names)
  return names
}

/** What a column is by its header if it says who must not be called, or may; null: it is about something else. */
export function guessDoNotCall(header: string): 'doNotCall' | 'ask' | null {
  const said = nameSays(plainHeader(header))
  return said === 'no' ? 'doNotCall' : said === 'maybe' ? 'ask' : null
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
  const name = withoutNumber(normalize(header))
  if (guessDoNotCall(header) === 'doNotCall') return false
  const field = namedFields.find((field) => namesOf(field).includes(name))
  if (field !== undefined || isAdded(header)) return field === 'phoneNumber'
  return phoneHeader.test(name) || null
}

/** One of several: "Phone 2". */
const withoutNumber = (name: string) => name.replace(/ ?\d{1,2}$/, '')

/** -1: none of the headers names the field. */
function placeOf(field: NamedField, headers: readonly string[], normalized: readonly string[]): number {
  // A header that is the field's own name is no guess.
  const own = headers.findIndex((header) => isSameName(header, field))
  if (own !== -1) return own
  const placeIn = (names: readonly string[]) =>
    names.indexOf(namesOf(field).find((name) => names.includes(name)) ?? ' ')
  const place = placeIn(normalized)
  // "Phone 1", where there is no plain one.
  return place === -1 && field === 'phoneNumber' ? placeIn(normalized.map(withoutNumber)) : place
}

export const guessPlace = (field: NamedField, headers: readonly string[]) =>
  placeOf(field, headers, headers.map(normalize))

export function guessMeanings(headers: readonly string[]): readonly Meaning[] {
  const ofExport = isExport(headers)
  const said = headers.map((header) => (isIgnored(header, ofExport) ? null : guessDoNotCall(header)))
  const isOpen = (at: number) => said[at] !== 'doNotCall' && !isIgnored(headers[at] ?? '', ofExport)
  const normalized = headers.map((header, at) => (isOpen(at) ? normalize(header) : ''))
  const meanings = normalized.map((name): Meaning => (name === '' ? 'ignore' : 'keep'))
  for (const field of namedFields) {
    // They belong to no consent, and stay metadata.
    if (lacksConsentTime([...meanings, field])) continue
    const place = placeOf(field, headers, normalized)
    if (place !== -1) meanings[place] = field
  }
  return meanings.map((meaning, at) =>
    meaning === 'keep' || said[at] === 'doNotCall' ? (said[at] ?? meaning) : meaning,
  )
}

/**
 * The column of another phone of the same person, whose number is used where that of the phone number is empty; -1:
 * none.
 */
export function guessInstead(headers: readonly string[], meanings: readonly Meaning[]): number {
  const rankOf = (at: number) => {
    const rank = namesOf('phoneNumber').indexOf(withoutNumber(normalize(headers[at] ?? '')))
    return rank === -1 ? Number.MAX_SAFE_INTEGER : rank
  }
  const places = headers.flatMap((header, at) =>
    meanings[at] === 'keep' &&
    isPlainPhoneName(header) &&
    !isOtherPersons(header) &&
    nameSays(header) === null
      ? [at]
      : [],
  )
  return places.sort((one, other) => rankOf(one) - rankOf(other) || one - other)[0] ?? -1
}
