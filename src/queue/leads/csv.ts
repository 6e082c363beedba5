// A lead as a CSV row (RFC 4180). New columns come last, because programs read columns by position.
import { csvCell } from '../../base/csv-cell.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { type LeadFieldName, leadFieldTable, withOtherFields } from './field-table.ts'
import { type CallingOfLead, leadIdOf } from './lead.ts'
import type { LeadRow } from './store/field-columns.ts'

/** A cell of one of a lead's own columns, or of a field. What can hold neither a comma nor a formula is not escaped. */
const others: Readonly<Record<string, (row: LeadRow) => string | number>> = {
  _id: leadIdOf,
  campaignId: (row) => csvCell(row.campaignId),
  status: (row) => row.status,
  attempts: (row) => row.attempts,
  _creationTime: (row) => row.createdAtMs,
}
const cellOf = (name: LeadFieldName) =>
  ['text', 'json'].includes(leadFieldTable[name].kind)
    ? (row: LeadRow) => csvCell(`${row[name] ?? ''}`)
    : (row: LeadRow) => row[name] ?? ''

const names = withOtherFields([
  ...['_id', 'campaignId', 'phoneNumber', 'externalId', 'metadata', 'status', 'scheduledFor', 'priority'],
  ...['attempts', '_creationTime'],
])
const cells = names.map((name) => others[name] ?? cellOf(name as LeadFieldName))

const textOf = (cells: readonly (string | number)[]) => `${cells.join()}\r\n`
const cellsOf = (row: LeadRow) => cells.map((cellOf) => cellOf(row))

export const leadCsvHeader = textOf(names)
export const leadCsv = (row: LeadRow): string => textOf(cellsOf(row))

/** What `include` adds, in this order. `origin` is JSON text. */
export type RowWithMore = LeadRow & CallingOfLead & { readonly origin: string | null }
export type Included = { readonly withCalling: boolean; readonly withOrigin: boolean }

const callingNames = ['lastOutcome', 'dueAt']
const callingCells = ({ lastOutcome, dueAtMs }: CallingOfLead) => [
  lastOutcome ?? '',
  formatTimestamp(dueAtMs) ?? '',
]

export const originNames = ['originKind', 'originId', 'originName', 'originImport']
/** Of the JSON text of an origin: its kind, the id of the source, key or member, and the names. */
export function originCells(json: string | null): string[] {
  const origin = JSON.parse(json ?? '{}') as Partial<Record<string, string>>
  const id = origin.sourceId ?? origin.keyId ?? origin.memberId
  return [origin.kind, id, origin.name, origin.import].map((cell) => csvCell(cell ?? ''))
}

export const csvHeaderWith = ({ withCalling, withOrigin }: Included) =>
  textOf([...names, ...(withCalling ? callingNames : []), ...(withOrigin ? originNames : [])])
export const csvWith =
  ({ withCalling, withOrigin }: Included) =>
  (row: RowWithMore): string =>
    textOf([
      ...cellsOf(row),
      ...(withCalling ? callingCells(row) : []),
      ...(withOrigin ? originCells(row.origin) : []),
    ])
