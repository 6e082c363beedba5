// The status of a lead in SQL (D40): which statuses are final, and which one follows from a claim, a requeue or
// leaving the queue. What a call does to it is in queue/calling/store/sql/lead-after-call.ts. Statements that change
// the status, and the counts of statistics, all use these expressions.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../base/database/database.ts'
import { finalStatuses } from '../lead.ts'
import { leads } from './tables.ts'

const finalList = sql.raw(finalStatuses.map((status) => `'${status}'`).join(', '))

/** Only a requeue gets a lead out of a final status. */
export const isFinalStatus = (status: SQL) => sql`${status} in (${finalList})`
export const isFinal = isFinalStatus(sql`${leads.status}`)

export const statusAfterClaim = sql`'attempting'`

/** A lead leaves the queue without a call, because its number is suppressed or no attempt is left. */
export const statusAfterDequeue = (lead: SQL = sql`${leads}`) =>
  sql`iif(${lead}.attempts = 0, ${lead}.status, 'exhausted')`

export const statusAfterRequeue = sql`iif(${leads.attempts} = 0, 'raw', 'attempting')`

/**
 * Every new status sets it: `finished_at_ms` is when the lead became final, and stays while it is. `isReopened`: it was
 * not final in between. Placeholder `nowMs`.
 */
export const finishedAt = (
  status: SQL,
  isReopened = sql`0`,
) => sql`finished_at_ms = iif(${isFinalStatus(status)},
  iif(${isFinal} and not ${isReopened}, ${leads.finishedAtMs}, ${param('nowMs')}), null)`
