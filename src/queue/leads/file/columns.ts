// The meanings of a CSV file's columns. Unknown columns become metadata under their header. How they are guessed is in
// guess-columns.ts.
import { type LeadFieldName, leadFieldNames, leadFieldTable } from '../field-table.ts'

/** The time of a consent comes first of it. */
export const consentFields = [
  'consentGivenAt',
  'consentPurpose',
  'consentExpiresAt',
  'consentText',
  'consentTextSha256',
  'consentUrl',
  'consentIp',
  'consentUserAgent',
  'consentCertificateUrl',
  'consentReference',
] as const

/** A row without `consentGivenAt` has no consent. */
export type ConsentField = (typeof consentFields)[number]
export type FileField = LeadFieldName | ConsentField | 'doNotCall'

/** In the order in which they are guessed and offered. */
export const fileFields: readonly FileField[] = [...leadFieldNames, ...consentFields, 'doNotCall']

/**
 * Metadata that also says who must not be called: by a no, where the column asks whether one may be called, or by what
 * a cell says for itself, such as a status.
 */
export const heardMeanings = ['doNotCallIfNo', 'doNotCallIfSaid'] as const
export type HeardMeaning = (typeof heardMeanings)[number]

/** What a lead can do without; of a consent, all. */
export type LeadPart = LeadFieldName | 'consent'

export const isOfConsent = (meaning: Meaning): meaning is ConsentField => meaning.startsWith('consent')

const isHeard = (name: string): name is HeardMeaning => heardMeanings.some((one) => one === name)
/** Whether cells of a column say who must not be called. */
export const saysNo = (name: string): name is 'doNotCall' | HeardMeaning =>
  name === 'doNotCall' || isHeard(name)
/** Whether the cells of a column go into the metadata under its header. */
export const isKept = (meaning: Meaning): meaning is 'keep' | HeardMeaning =>
  meaning === 'keep' || isHeard(meaning)

/**
 * `keep`: into the metadata, under the column's header. `metadata`: a JSON object that is the metadata. `ask`: it may
 * say who must not be called, and a person has not said yet whether it does.
 */
export type Meaning = FileField | HeardMeaning | 'keep' | 'ignore' | 'ask'

/**
 * A column of a file, with its own header. `name`: what it is in the metadata, if it is kept there. `isInstead`: it has
 * the phone number where that of the column phoneNumber is empty.
 */
export type Column = {
  readonly header: string
  readonly name: string
  readonly meaning: Meaning
  readonly isInstead?: boolean
}

/** Columns that a report adds. Always ignored, so that a corrected report can be imported. */
export const reportColumns = ['importRow', 'importStatus', 'importReason', 'importLeadId'] as const
/** Columns that the service adds. Ignored only in a CSV file that it wrote: CRMs have a `status` too. */
export const generatedColumns = [
  ...['_id', 'campaignId', 'status', 'attempts', '_creationTime'],
  ...['lastOutcome', 'dueAt'],
  ...['originKind', 'originId', 'originName', 'originImport'],
]

/** A header as people see it: exporters write no-break and zero-width spaces. */
export const plainHeader = (header: string) =>
  header.replace(/[\u00A0\u2007\u202F\u200B\u2060\uFEFF]/g, ' ').trim()

/** "Phone_Number", "phoneNumber" and "PHONE NUMBER" are the same, and so are "Priorität" and "prioritat". */
export function normalize(header: string): string {
  return header
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export const isSameName = (one: string, other: string) =>
  plainHeader(one).toLowerCase() === plainHeader(other).toLowerCase()
export const isAdded = (header: string) => reportColumns.some((name) => isSameName(header, name))
const isGenerated = (header: string) => generatedColumns.some((name) => isSameName(header, name))

/** Whether the service wrote the file. */
export const isExport = (headers: readonly string[]) =>
  headers.includes('_id') && headers.includes('_creationTime')

/** Whether a column is neither the lead's nor the file's: an earlier report or the service added it. */
export const isIgnored = (header: string, ofExport: boolean) =>
  isAdded(header) || (ofExport && isGenerated(header))

/** Whether there are columns of a consent, but none for its time. */
export const lacksConsentTime = (meanings: readonly Meaning[]) =>
  meanings.some(isOfConsent) && !meanings.includes('consentGivenAt')

export function columnsOf(headers: readonly string[], meanings: readonly Meaning[]): readonly Column[] {
  return headers.map((header, index) => ({
    header,
    name: plainHeader(header),
    meaning: meanings[index] ?? 'ignore',
  }))
}

/** `place`: of the column that is used instead; -1: none. */
export const withInstead = (columns: readonly Column[], place = -1): readonly Column[] =>
  columns.map((column, at) => (at === place ? { ...column, isInstead: true } : column))

/** The cells of a row, with the number that is used instead of an empty one. */
export function filled(columns: readonly Column[], cells: readonly string[]): readonly string[] {
  const place = columns.findIndex(({ meaning }) => meaning === 'phoneNumber')
  const instead = columns.findIndex(({ isInstead }) => isInstead)
  const isFilled = (at: number) => /[\p{L}\p{N}]/u.test(cells[at] ?? '')
  const isUsed = place !== -1 && place < cells.length && !isFilled(place) && isFilled(instead)
  return isUsed ? cells.with(place, cells[instead] ?? '') : cells
}

/** Null: the columns can be used. */
export function problemOfMeanings(headers: readonly string[], meanings: readonly Meaning[]): string | null {
  const repeatedField = fileFields.find(
    (field) => field !== 'doNotCall' && meanings.filter((one) => one === field).length > 1,
  )
  if (repeatedField !== undefined) return `Two columns are ${fieldName(repeatedField)}. Choose one.`
  if (!meanings.includes('phoneNumber')) return 'Choose the column with the phone number.'
  const asked = headers[meanings.indexOf('ask')]
  if (asked !== undefined) return `Say whether the column ${asked} is about calls.`
  if (lacksConsentTime(meanings)) return 'Choose the column with the time of the consent.'
  const kept = headers.filter((_, index) => isKept(meanings[index] ?? 'ignore')).map(plainHeader)
  if (kept.includes('')) return 'A column without a header must be ignored.'
  const repeated = kept.find((header, index) => kept.indexOf(header) !== index)
  if (repeated !== undefined) return `Two columns have the header ${repeated}. Ignore one.`
  return null
}

/** Those that are not the words of the meaning: "Consent text". */
const names: Readonly<Partial<Record<Meaning, string>>> = {
  ...Object.fromEntries(leadFieldNames.map((name) => [name, leadFieldTable[name].label])),
  metadata: 'Metadata (JSON)',
  doNotCallIfNo: 'Do not call if it says no',
  doNotCallIfSaid: 'Do not call if it says so',
  consentTextSha256: 'Consent text SHA-256',
  consentUrl: 'Consent URL',
  consentIp: 'Consent IP address',
  consentCertificateUrl: 'Consent certificate URL',
  keep: 'Keep as metadata',
  ask: 'Choose',
}

export function fieldName(meaning: Meaning | 'consent'): string {
  const words = meaning.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (meaning !== 'consent' && names[meaning]) || words.charAt(0).toUpperCase() + words.slice(1)
}
export const allMeanings: readonly Meaning[] = [...fileFields, ...heardMeanings, 'keep', 'ignore']
