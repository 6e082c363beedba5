// The meanings of a CSV file's columns: guessed from their headers, for a person to check. Unknown columns become metadata
// under their header.
import { columnNames } from './column-names.ts'

const leadFields = ['phoneNumber', 'externalId', 'scheduledFor', 'timeZone', 'priority', 'metadata'] as const
export type LeadField = (typeof leadFields)[number]

/** `keep`: into the metadata, under the column's header. `metadata`: a JSON object that is the metadata. */
export type Meaning = LeadField | 'keep' | 'ignore'

/** Columns that a report of an import adds, and members that the service adds to a lead. */
const added = ['importrow', 'importstatus', 'importreason', 'importleadid']
const generated = ['id', 'campaignid', 'status', 'attempts', 'creationtime']

/** The best first. */
const namesOf = (field: LeadField) =>
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
  const isExport = headers.includes('_id') && headers.includes('_creationTime')
  const normalized = headers.map((header) => {
    const name = normalize(header)
    const bare = name.replaceAll(' ', '')
    return bare === '' || added.includes(bare) || (isExport && generated.includes(bare)) ? null : name
  })
  const meanings = normalized.map((name): Meaning => (name === null ? 'ignore' : 'keep'))
  for (const field of leadFields) {
    const best = namesOf(field).find((name) => normalized.includes(name))
    if (best !== undefined) meanings[normalized.indexOf(best)] = field
  }
  return meanings
}

/** Null: the columns can be used. */
export function problemOfMeanings(headers: readonly string[], meanings: readonly Meaning[]): string | null {
  const repeatedField = leadFields.find((field) => meanings.filter((one) => one === field).length > 1)
  if (repeatedField !== undefined) return `Two columns are ${fieldName(repeatedField)}. Choose one.`
  if (!meanings.includes('phoneNumber')) return 'Choose the column with the phone number.'
  const kept = headers.filter((_, index) => meanings[index] === 'keep').map((header) => header.trim())
  if (kept.includes('')) return 'A column without a header must be ignored.'
  const repeated = kept.find((header, index) => kept.indexOf(header) !== index)
  if (repeated !== undefined) return `Two columns have the header ${repeated}. Ignore one.`
  return null
}

const names: Readonly<Record<Meaning, string>> = {
  phoneNumber: 'Phone number',
  externalId: 'External id',
  scheduledFor: 'Scheduled for',
  timeZone: 'Time zone',
  priority: 'Priority',
  metadata: 'Metadata (JSON)',
  keep: 'Keep as metadata',
  ignore: 'Ignore',
}
export const fieldName = (meaning: Meaning) => names[meaning]
export const allMeanings: readonly Meaning[] = [...leadFields, 'keep', 'ignore']
