// What the columns of a CSV file mean: a guess by their headers, for a person to check. Columns that are nothing known
// become metadata under their header.
import { columnNames } from './column-names.ts'

const leadFields = ['phoneNumber', 'externalId', 'scheduledFor', 'timeZone', 'priority', 'metadata'] as const
export type LeadField = (typeof leadFields)[number]

/** `keep`: into the metadata, under the column's header. `metadata`: a JSON object that is the metadata. */
export type Meaning = LeadField | 'keep' | 'ignore'

/** What a report of an import adds to a row, and what the service adds to a lead that it lists. */
const added = ['importrow', 'importstatus', 'importreason', 'importleadid']
const generated = ['id', 'campaignid', 'status', 'attempts', 'creationtime']

/** The better first. */
const namesOf = (field: LeadField) =>
  columnNames[field].split(',').map((name) => name.trim().replace(/\s+/g, ' '))

/** "Phone_Number", "phoneNumber" and "PHONE NUMBER" are alike, and so are "Priorität" and "prioritat". */
function plain(header: string): string {
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
  const plainOnes = headers.map((header) => {
    const name = plain(header)
    const bare = name.replaceAll(' ', '')
    return bare === '' || added.includes(bare) || (isExport && generated.includes(bare)) ? null : name
  })
  const meanings = plainOnes.map((name): Meaning => (name === null ? 'ignore' : 'keep'))
  for (const field of leadFields) {
    const best = namesOf(field).find((name) => plainOnes.includes(name))
    if (best !== undefined) meanings[plainOnes.indexOf(best)] = field
  }
  return meanings
}

/** Null: the columns can be used as they are. */
export function faultOfMeanings(headers: readonly string[], meanings: readonly Meaning[]): string | null {
  const isTwice = leadFields.find((field) => meanings.filter((one) => one === field).length > 1)
  if (isTwice !== undefined) return `Two columns are ${fieldName(isTwice)}: choose one.`
  if (!meanings.includes('phoneNumber')) return 'Choose the column that holds the phone number.'
  const kept = headers.filter((_, index) => meanings[index] === 'keep').map((header) => header.trim())
  if (kept.includes('')) return 'A column without a header cannot be kept: ignore it.'
  const repeated = kept.find((header, index) => kept.indexOf(header) !== index)
  if (repeated !== undefined) return `Two columns that are kept are headed ${repeated}: ignore one.`
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
