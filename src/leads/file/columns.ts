// The meanings of a CSV file's columns: guessed from their headers, for a person to check. Unknown columns become metadata
// under their header.
import { columnNames } from './column-names.ts'

/** A row without `consentGivenAt` has no consent. */
export type FileField = keyof typeof columnNames
export type ConsentField = Extract<FileField, `consent${string}`>
export type LeadField = Exclude<FileField, ConsentField>

/** What a lead can do without; of a consent, all. */
export type LeadPart = LeadField | 'consent'

export const isOfConsent = (meaning: Meaning): meaning is ConsentField => meaning.startsWith('consent')

export const fileFields = Object.keys(columnNames) as readonly FileField[]
export const consentFields = fileFields.filter(isOfConsent)

/** `keep`: into the metadata, under the column's header. `metadata`: a JSON object that is the metadata. */
export type Meaning = FileField | 'keep' | 'ignore'

/** A column of a file, with its own header. `name`: what it is in the metadata, if it is kept there. */
export type Column = { readonly header: string; readonly name: string; readonly meaning: Meaning }

/** Columns that a report adds. Always ignored, so that a corrected report can be imported. */
export const reportColumns = ['importRow', 'importStatus', 'importReason', 'importLeadId'] as const
/** Columns that the service adds. Ignored only in a CSV file that it wrote: CRMs have a `status` too. */
export const generatedColumns = [
  '_id',
  'campaignId',
  'status',
  'attempts',
  '_creationTime',
  'lastOutcome',
  'dueAt',
] as const

/** A header as people see it: exporters write no-break and zero-width spaces. */
export const plainHeader = (header: string) =>
  header.replace(/[\u00A0\u2007\u202F\u200B\u2060\uFEFF]/g, ' ').trim()

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

/** The best first. */
const namesOf = (field: FileField) =>
  columnNames[field].split(',').map((name) => name.trim().replace(/\s+/g, ' '))

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

export function guessMeanings(headers: readonly string[]): readonly Meaning[] {
  const ofExport = isExport(headers)
  const normalized = headers.map((header) => (isIgnored(header, ofExport) ? '' : normalize(header)))
  const meanings = normalized.map((name): Meaning => (name === '' ? 'ignore' : 'keep'))
  for (const field of fileFields) {
    // Of no consent: they stay metadata.
    if (lacksConsentTime([...meanings, field])) continue
    const best = namesOf(field).find((name) => normalized.includes(name)) ?? ''
    // A header that is the field's own name is no guess.
    const own = headers.findIndex((header) => isSameName(header, field))
    const place = own === -1 && best !== '' ? normalized.indexOf(best) : own
    if (place !== -1) meanings[place] = field
  }
  return meanings
}

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

/** Null: the columns can be used. */
export function problemOfMeanings(headers: readonly string[], meanings: readonly Meaning[]): string | null {
  const repeatedField = fileFields.find((field) => meanings.filter((one) => one === field).length > 1)
  if (repeatedField !== undefined) return `Two columns are ${fieldName(repeatedField)}. Choose one.`
  if (!meanings.includes('phoneNumber')) return 'Choose the column with the phone number.'
  if (lacksConsentTime(meanings)) return 'Choose the column with the time of the consent.'
  const kept = headers.filter((_, index) => meanings[index] === 'keep').map(plainHeader)
  if (kept.includes('')) return 'A column without a header must be ignored.'
  const repeated = kept.find((header, index) => kept.indexOf(header) !== index)
  if (repeated !== undefined) return `Two columns have the header ${repeated}. Ignore one.`
  return null
}

/** Those that are not the words of the field: "External id". */
const names: Readonly<Partial<Record<Meaning, string>>> = {
  metadata: 'Metadata (JSON)',
  consentTextSha256: 'Consent text SHA-256',
  consentUrl: 'Consent URL',
  consentIp: 'Consent IP address',
  consentCertificateUrl: 'Consent certificate URL',
  keep: 'Keep as metadata',
}

export function fieldName(meaning: Meaning | 'consent'): string {
  const words = meaning.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (meaning !== 'consent' && names[meaning]) || words.charAt(0).toUpperCase() + words.slice(1)
}
export const allMeanings: readonly Meaning[] = [...fileFields, 'keep', 'ignore']
