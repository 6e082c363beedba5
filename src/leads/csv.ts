// A lead as a row of CSV (RFC 4180). A column that is new comes last: programs read the others by their place.
import { csvCell } from '../csv-cell.ts'
import { leadIdOf } from './lead.ts'
import type { LeadRow } from './store/row.ts'

/** The columns of leadCsv. */
export const leadCsvHeader =
  '_id,campaignId,phoneNumber,externalId,metadata,status,scheduledFor,priority,attempts,_creationTime,timeZone\r\n'

export function leadCsv(row: LeadRow): string {
  return `${[
    leadIdOf(row),
    csvCell(row.campaignId),
    row.phoneNumber,
    csvCell(row.externalId ?? ''),
    csvCell(row.metadata ?? ''),
    row.status,
    row.scheduledFor ?? '',
    row.priority,
    row.attempts,
    row.createdAtMs,
    row.timeZone ?? '',
  ].join()}\r\n`
}
