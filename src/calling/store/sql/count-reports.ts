// What a report adds to the activity of its campaigns (ledger/hours/counts.ts): the outcomes of calls, and the
// statuses that leads leave and reach. It runs before leads are moved or calls recorded, so it foresees what the
// statements of report-steps.ts do one after the other; the model of calling compares the two after every step.
import { type SQL, sql } from 'drizzle-orm'
import { isFinalStatus } from '../../../leads/store/lead-status.ts'
import { dequeuedCounts } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { addCounts, countColumns, hourOf, hourOfUnknown } from '../../../ledger/hours/counts.ts'
import { isUnreported } from './call-of-key.ts'
import { calledLeads } from './forbidden-leads.ts'
import { concludesLate, isLatestCall, statusAfterCall } from './lead-after-call.ts'

/**
 * Subtracts each `unknown` that a report or release corrects, in the hour in which it was counted. `corrected` is a
 * table with `campaign_number`, `outcome_before` and `ended_at_ms` of calls.
 */
export const correctedUnknowns = (corrected: SQL) => sql`select ${countColumns({
  campaignNumber: sql`corrected.campaign_number`,
  hour: hourOf(sql`corrected.ended_at_ms`),
  counter: sql`'unknown'`,
  n: sql`-1`,
})} from ${corrected} as corrected
  ${hourOfUnknown(sql`corrected.campaign_number`, sql`corrected.ended_at_ms`)}
  where corrected.outcome_before = 'unknown'`

type Reports = {
  /** A join like callsNamed. */
  readonly named: SQL
  readonly outcome: SQL
  readonly suppressesNumber: SQL
}

/** Runs after the numbers were suppressed, and before leads are moved. */
export function countReports({ named, outcome, suppressesNumber }: Reports): SQL {
  const isLatest = sql`((${isLatestCall}) is true)`
  // Of several calls of one lead in a request, one is the latest; any of the others may conclude it after that.
  const afterLatest = sql`coalesce(max(called.after_latest) over of_lead, called.status_before)`
  return addCounts(sql`with called as materialized (
      select ${leads.seq}, ${leads.campaignNumber} as campaign_number, ${leads.status} as status_before,
        k.company_id, k.phone_number, ${isUnreported} as is_accepted, ${suppressesNumber} as suppresses_number,
        item.key as place, ${outcome} as outcome, k.outcome as outcome_before, k.ended_at_ms,
        iif(${isLatest}, ${statusAfterCall(outcome)}, null) as after_latest,
        ${concludesLate(outcome)} as concludes_late,
        ${isLatest} or ${leads.leaseExpiresAtMs} is null as is_free
      from ${named}
      where ${isUnreported} or ${suppressesNumber}),
    moved as materialized (
      select called.*, row_number() over of_lead = 1 as is_first,
        max(called.after_latest) over of_lead is not null as is_moved,
        iif(max(called.concludes_late) over of_lead and max(called.is_free) over of_lead
          and not ${isFinalStatus(afterLatest)}, 'concluded', ${afterLatest}) as status_after
      from called
      where called.is_accepted
      window of_lead as (partition by called.seq order by called.place
        rows between unbounded preceding and unbounded following))
    select ${countColumns({
      campaignNumber: sql`moved.campaign_number`,
      counter: sql`moved.outcome`,
      statusBefore: sql`iif(moved.is_first, moved.status_before, null)`,
      statusAfter: sql`iif(moved.is_first, moved.status_after, null)`,
    })} from moved
    union all ${correctedUnknowns(sql`moved`)}
    union all ${dequeuedCounts(
      calledLeads(
        sql`select called.company_id, called.phone_number from called
        where called.suppresses_number`,
      ),
    )} and dequeued.seq not in (
      select moved.seq from moved
      where moved.is_moved or moved.status_after <> moved.status_before)`)
}
