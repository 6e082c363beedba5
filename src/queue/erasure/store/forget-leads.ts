// The statements that erasing and retention share: emptying leads and their calls. Of a call, its time and outcome
// stay.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { countColumns } from '../../../base/ledger/hours/counts.ts'
import { entryColumns } from '../../../base/ledger/log/append.ts'
import { callKeyColumns, deleteDetails, updateCalls } from '../../calling/store/sql/call-end.ts'
import { emptyLeads, numberOfErased } from '../../leads/store/emptied.ts'
import { leads } from '../../leads/store/tables.ts'

/** For so long after its lease expired a call may still be reported, with do-not-call. */
const reportableMs = sql.raw(`${24 * 3_600_000}`)
/** A call that has ended as `unknown` may still be reported. Placeholder `nowMs`. */
export const isReportable = (outcome: SQL, endedAtMs: SQL) =>
  sql`(${outcome} = 'unknown' and ${endedAtMs} > ${param('nowMs')} - ${reportableMs})`

/** Which outcome a call has that ends with its lead. */
export const outcomeOfOpen = (inbound: SQL) => sql`iif(${inbound} is null, 'unknown', 'released')`

/** What the log has of it, for an append before forgetLeads: `found` is as there, with `campaign_number`. */
export const erasedEntries = (found: SQL) => sql`select ${entryColumns({
  type: 'lead.erased',
  companyId: sql`lost.company_id`,
  campaignNumber: sql`lost.campaign_number`,
  leadSeq: sql`lost.seq`,
})} from (${found}) as lost
  order by lost.seq`

/** What forgetLeads changes in the hours; goes before it. Each lead leaves its status, and a call in progress ends. */
export const forgottenCounts = (found: SQL) => sql`select ${countColumns({
  campaignNumber: sql`forgotten.campaign_number`,
  counter: sql`iif(k.seq is null or k.inbound is not null, null, 'unknown')`,
  statusBefore: sql`forgotten.status`,
})} from (${found}) as lost
  cross join ${leads} as forgotten on forgotten.seq = lost.seq
  left join ${calls} as k on k.company_id = lost.company_id and k.phone_number = lost.phone_number
    and k.seq = lost.seq and k.outcome is null`

/**
 * In one batch, in this order. `found` is a select of `seq`, `company_id` and `phone_number` of leads, which finds
 * none of them afterwards. A call in progress ends as `unknown`, one that the person made as
 * `released`, since no outcome of it is recorded any more.
 * Placeholder `nowMs`.
 */
export const forgetLeads = (found: SQL, isSuppressed: SQL): readonly [SQL, SQL, SQL] => [
  deleteDetails(sql`select found.seq from (${found}) as found`),
  updateCalls(
    sql`phone_number = ${numberOfErased(sql`${calls.seq}`)}, provider_call_id = null,
      outcome = coalesce(${calls.outcome}, ${outcomeOfOpen(sql`${calls.inbound}`)}),
      ended_at_ms = coalesce(${calls.endedAtMs}, ${param('nowMs')})`,
    sql`select ${callKeyColumns} from (${found}) as lost
      cross join ${calls} as k on k.company_id = lost.company_id
      and k.phone_number = lost.phone_number and k.seq = lost.seq`,
  ),
  emptyLeads(sql`select found.seq from (${found}) as found`, isSuppressed),
]
