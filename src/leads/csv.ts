// A lead as a CSV row (RFC 4180). New columns come last, because programs read columns by position.
import { csvCell } from '../csv-cell.ts'
import { formatTimestamp } from '../timestamp.ts'
import { leadIdOf } from './lead.ts'
import type { CallingOfLead } from './lead-with-calling.ts'
import type { LeadRow } from './store/field-columns.ts'

/** Columns in order: header, and a lead's cell. Values that cannot hold a comma or a formula are not escaped. */
const columns: readonly (readonly [string, (row: LeadRow) => string | number])[] = [
  ['_id', leadIdOf],
  ['campaignId', (row) => csvCell(row.campaignId)],
  ['phoneNumber', (row) => row.phoneNumber],
  ['externalId', (row) => csvCell(row.externalId ?? '')],
  ['metadata', (row) => csvCell(row.metadata ?? '')],
  ['status', (row) => row.status],
  ['scheduledFor', (row) => row.scheduledFor ?? ''],
  ['priority', (row) => row.priority],
  ['attempts', (row) => row.attempts],
  ['_creationTime', (row) => row.createdAtMs],
  ['timeZone', (row) => row.timeZone ?? ''],
]

const textOf = (cells: readonly (string | number)[]) => `${cells.join()}\r\n`
const names = columns.map(([name]) => name)
const cellsOf = (row: LeadRow) => columns.map(([, cellOf]) => cellOf(row))

export const leadCsvHeader = textOf(names)
export const leadCsv = (row: LeadRow): string => textOf(cellsOf(row))

/** With `include=calling`. */
export const callingCsvHeader = textOf([...names, 'lastOutcome', 'dueAt'])
export const callingCsv = (row: LeadRow & CallingOfLead): string =>
  textOf([...cellsOf(row), row.lastOutcome ?? '', formatTimestamp(row.dueAtMs) ?? ''])
