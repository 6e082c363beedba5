// What a report adds to the hours of its campaigns (src/ledger/hours/counts.ts): what became of calls, and what follows
// for leads. It is found before anything is moved or recorded, so it says once more what the statements of report.ts do one
// after the other; the model of calling holds the two together after every step.
import { type SQL, sql } from 'drizzle-orm'
import { isFinalStatus } from '../../../leads/store/lead-status.ts'
import { dequeuedCounts } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { addCounts, countColumns, hourOf, hourOfUnknown } from '../../../ledger/hours/counts.ts'
import { calledLeads } from './forbidden-leads.ts'
import { concludesLate, isLatestCall, statusAfterCall } from './lead-after-call.ts'

/**
 * Calls whose `unknown` is taken back, because somebody has told after all what became of them: in the hour in which it was
 * counted. `told` has the campaign's number, and what the call was before.
 */
export const takenBack = (told: SQL) => sql`select ${countColumns({
  campaignNumber: sql`told.campaign_number`,
  hour: hourOf(sql`told.ended_at_ms`),
  counter: sql`'unknown'`,
  n: sql`-1`,
})} from ${told} as told ${hourOfUnknown(sql`told.campaign_number`, sql`told.ended_at_ms`)}
  where told.outcome_before = 'unknown'`

type Reports = {
  /** A join like callsNamed. */
  readonly named: SQL
  readonly outcome: SQL
  readonly isAccepted: SQL
  /** Says that the number must not be called any more. */
  readonly isHeard: SQL
}

/** After the numbers were suppressed, and before leads are moved. */
export function countReports({ named, outcome, isAccepted, isHeard }: Reports): SQL {
  const isLatest = sql`((${isLatestCall}) is true)`
  // Of several calls of one lead in a request, one is the latest; any of the others may conclude it after that.
  const afterLatest = sql`coalesce(max(called.after_latest) over of_lead, called.status_before)`
  return addCounts(sql`with called as materialized (
      select ${leads.seq}, ${leads.campaignNumber} as campaign_number, ${leads.status} as status_before,
        k.company_id, k.phone_number, ${isAccepted} as is_accepted, ${isHeard} as is_heard, item.key as place,
        ${outcome} as outcome, k.outcome as outcome_before, k.ended_at_ms,
        iif(${isLatest}, ${statusAfterCall(outcome)}, null) as after_latest,
        ${concludesLate(outcome)} as is_late_end,
        ${isLatest} or ${leads.leaseExpiresAtMs} is null as is_free
      from ${named} where ${isAccepted} or ${isHeard}),
    moved as materialized (
      select called.*, row_number() over of_lead = 1 as is_first, max(called.after_latest) over of_lead is not null as is_moved,
        iif(max(called.is_late_end) over of_lead and max(called.is_free) over of_lead and not ${isFinalStatus(afterLatest)},
          'concluded', ${afterLatest}) as status_after
      from called where called.is_accepted window of_lead as (partition by called.seq order by called.place
        rows between unbounded preceding and unbounded following))
    select ${countColumns({
      campaignNumber: sql`moved.campaign_number`,
      counter: sql`moved.outcome`,
      statusBefore: sql`iif(moved.is_first, moved.status_before, null)`,
      statusAfter: sql`iif(moved.is_first, moved.status_after, null)`,
    })} from moved
    union all ${takenBack(sql`moved`)}
    union all ${dequeuedCounts(
      calledLeads(sql`select called.company_id, called.phone_number from called where called.is_heard`),
    )} and dequeued.seq not in (select moved.seq from moved
      where moved.is_moved or moved.status_after <> moved.status_before)`)
}
