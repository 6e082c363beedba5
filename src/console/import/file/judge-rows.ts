// Turns rows of a CSV file into leads of a bulk request, validated by the API's own JSON schema of a lead. What the schema
// cannot express is checked by the service when the row is sent.
import { type Schema, Validator } from '@cfworker/json-schema'
import { csvText } from '../../../csv-cell.ts'
import { counted, countOf } from '../../ui/number-words.ts'
import type { LeadField, Meaning } from './columns.ts'
import type { NumberedRow } from './csv-rows.ts'

export type Judged = { readonly row: number } & (
  | { readonly itemJson: string; readonly phoneNumber: string }
  | { readonly problem: string }
)

export type JudgeRow = (row: NumberedRow) => Judged

/** The most that one lead may have, so that a bulk request holds many. */
const maxItemChars = 64 * 1024

export function openJudge(
  schema: object,
  headers: readonly string[],
  meanings: readonly Meaning[],
): JudgeRow {
  const validator = new Validator(schema as Schema, '2020-12', false)
  const names = headers.map((header) => csvText(header).trim())
  return ({ row, cells }) => {
    if (cells.length !== headers.length) {
      return {
        row,
        problem: `The row has ${countOf(cells.length, 'cell')}, the header ${counted(headers.length)}.`,
      }
    }
    const chars = cells.reduce(
      (sum, cell, index) => sum + (meanings[index] === 'ignore' ? 0 : cell.length),
      0,
    )
    if (chars > maxItemChars) return { row, problem: 'The row is larger than 64 KiB.' }
    const { lead, metadataJson } = leadOf(names, meanings, cells)
    const { valid, errors } = validator.validate(lead)
    if (!valid) return { row, problem: describe(errors, lead) }
    const { metadata: _, ...rest } = lead
    const json = JSON.stringify(rest)
    const itemJson = metadataJson === null ? json : `${json.slice(0, -1)},"metadata":${metadataJson}}`
    return { row, itemJson, phoneNumber: lead.phoneNumber as string }
  }
}

type Draft = { [field in LeadField]?: unknown }

function leadOf(
  names: readonly string[],
  meanings: readonly Meaning[],
  cells: readonly string[],
): { readonly lead: Draft; readonly metadataJson: string | null } {
  const lead: Draft = {}
  const kept: [string, string][] = []
  let own: string | null = null
  for (const [index, meaning] of meanings.entries()) {
    const cell = meaning === 'ignore' ? '' : csvText(cells[index] ?? '')
    if (cell === '') continue
    if (meaning === 'keep') kept.push([names[index] ?? '', cell])
    else if (meaning === 'priority') lead.priority = /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell
    else if (meaning === 'metadata') own = cell
    else if (meaning !== 'ignore') lead[meaning] = cell
  }
  const ownMembers = own === null ? {} : objectOf(own)
  if (own !== null && ownMembers === null) return { lead: { ...lead, metadata: own }, metadataJson: null }
  const others = Object.fromEntries(kept.filter(([name]) => !Object.hasOwn(ownMembers ?? {}, name)))
  if (own === null && kept.length === 0) return { lead, metadataJson: null }
  return { lead: { ...lead, metadata: { ...others, ...ownMembers } }, metadataJson: join(own, others) }
}

/** The text of the column unchanged, so that numbers keep all their digits, with the other columns added. */
function join(own: string | null, others: object): string {
  const [first, second] = [own?.trim() ?? '{}', JSON.stringify(others)]
  if (second === '{}') return first
  return /^\{\s*\}$/.test(first) ? second : `${first.slice(0, -1)},${second.slice(1)}`
}

function objectOf(cell: string): object | null {
  try {
    const value: unknown = JSON.parse(cell)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const advice: Readonly<Record<LeadField, string>> = {
  phoneNumber: 'Phone number must be E.164: + and digits only, such as +14155550123.',
  externalId: 'External id must be text of at most 255 characters.',
  scheduledFor: 'Scheduled for must be ISO 8601 with an offset, such as 2027-01-15T09:30:00+01:00.',
  timeZone: 'Time zone must be an IANA name, such as Europe/Berlin.',
  priority: 'Priority must be a whole number from 0 to 100.',
  metadata: 'Metadata must be a JSON object.',
}

function describe(errors: readonly { readonly instanceLocation: string }[], lead: Draft): string {
  if (lead.phoneNumber === undefined) return 'Phone number is missing.'
  const fields = errors.map(({ instanceLocation }) => instanceLocation.split('/')[1] as LeadField | undefined)
  const sentences = [...new Set(fields)].flatMap((field) => (field && advice[field] ? [advice[field]] : []))
  const rounded = /^['+]?\d([.,]\d+)?E\+?\d+$/i.test(String(lead.phoneNumber))
  if (rounded)
    sentences.push('A spreadsheet has rounded it: format the column as text and enter the number again.')
  return sentences.join(' ') || 'Invalid lead.'
}
