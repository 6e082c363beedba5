// Forgetting leads with all that their calls have told: the statements that erasing and retention have in common. What is
// kept of a call is when it was, and how it ended.
import { type SQL, sql } from 'drizzle-orm'
import { deleteDetails } from '../../calling/store/sql/call-details.ts'
import { callKeyColumns, updateCalls } from '../../calling/store/sql/call-of-key.ts'
import { calls } from '../../calling/store/tables.ts'
import { emptyLeads, numberOfErased } from '../../leads/store/emptied.ts'
import { leads } from '../../leads/store/tables.ts'
import { countColumns } from '../../ledger/hours/counts.ts'

/** What the same adds to the hours, found before it is done: each lead leaves its status, and a call that goes on has ended. */
export const forgottenCounts = (found: SQL) => sql`select ${countColumns({
  campaignNumber: sql`forgotten.campaign_number`,
  counter: sql`iif(k.seq is null, null, 'unknown')`,
  statusBefore: sql`forgotten.status`,
})} from (${found}) as lost cross join ${leads} as forgotten on forgotten.seq = lost.seq
  left join ${calls} as k on k.company_id = lost.company_id and k.phone_number = lost.phone_number
    and k.seq = lost.seq and k.outcome is null`

/**
 * In one batch, in this order. `found` is a select of `seq`, `company_id` and `phone_number` of leads, which finds none of
 * them afterwards. A call that goes on has ended: nobody will hear more of it. Placeholder `nowMs`.
 */
export const forgetLeads = (found: SQL, isSuppressed: SQL): readonly [SQL, SQL, SQL] => [
  deleteDetails(sql`select found.seq from (${found}) as found`),
  updateCalls(
    sql`phone_number = ${numberOfErased(sql`${calls.seq}`)}, provider_call_id = null,
      outcome = coalesce(${calls.outcome}, 'unknown'), ended_at_ms = coalesce(${calls.endedAtMs}, ${sql.placeholder('nowMs')})`,
    sql`select ${callKeyColumns} from (${found}) as lost cross join ${calls} as k on k.company_id = lost.company_id
      and k.phone_number = lost.phone_number and k.seq = lost.seq`,
  ),
  emptyLeads(sql`select found.seq from (${found}) as found`, isSuppressed),
]
