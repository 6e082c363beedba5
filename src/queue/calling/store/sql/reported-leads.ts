// What the reports of a request make of their leads: the status of each, for the statement that moves leads, and what
// it all adds to the activity of their campaigns (base/ledger/hours/counts.ts). The counts foresee what the statements
// of report-steps.ts do; the model of calling compares the two after every step. What one call does to its lead is in
// lead-after-call.ts.
import { type SQL, sql } from 'drizzle-orm'
import { type AccessNames, grantedCampaign, recordingKey } from '../../../../base/access/store/rights.ts'
import { param } from '../../../../base/database/database.ts'
import { addCounts, countColumns, hourOf, hourOfUnknown } from '../../../../base/ledger/hours/counts.ts'
import { outcomes } from '../../../campaigns/outcomes.ts'
import { isFinal, isFinalStatus } from '../../../leads/store/lead-status.ts'
import { dequeuedCounts } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { callsNamed, isUnreported } from './call-of-key.ts'
import { isKeyReused } from './claim-steps.ts'
import { calledLeads } from './forbidden-leads.ts'
import { isInbound, isLatestCall, outcomeClass, placeAfterCall, statusAfterCall } from './lead-after-call.ts'

/**
 * When the claim in the same request is refused, or its Idempotency-Key is, nothing is recorded (D53). A lost pepper
 * refuses only the claim: outcomes and do-not-calls are recorded without any hash.
 */
export const keyWithClaim = sql`(select granted_key.* from ${recordingKey} as granted_key
  where ${param('campaignId')} is null
    or exists (select 1 from ${grantedCampaign('agent')} as granted where not ${isKeyReused}))`

/** The placeholders of `reported`, without `items`. */
export type KeyWithClaimNames = AccessNames | 'actor' | 'requestKey' | 'requestToken'

/**
 * The calls that the request reports. An item is [seq, claimed at, token, outcome, callback at, do not call, seconds,
 * provider's id, class, minutes]: the last two are the outcome's default.
 */
export const reported = callsNamed(keyWithClaim)
export const outcome = sql`(item.value ->> 3)`
export const callbackAtMs = sql`(item.value ->> 4)`
export const doNotCall = sql`(item.value ->> 5)`
const byDefault = { class: sql`item.value ->> 8`, minutes: sql`item.value ->> 9` }

/** Of a lead whose latest call is reported. */
export const place = placeAfterCall({ outcome, byDefault, endedAtMs: sql`${param('nowMs')}`, callbackAtMs })

export const isDone = sql`${outcomeClass(outcome, byDefault)} = 'done'`

/** The status in which a call leaves its lead even when it is not the latest; null: it does not. */
export const finalStatusOf = sql`case ${outcomeClass(outcome, byDefault)}
  when 'done' then 'concluded' when 'dead' then 'exhausted' end`

/**
 * Something else than the `unknown` of the latest call has ended the lead: a report that is neither done nor dead
 * changes nothing.
 */
const staysFinal = sql`(${isFinal} and k.ended_lead is not 1 and ${finalStatusOf} is null)`

/**
 * The calls whose report is accepted. `status` is that in which the lead is left: by its latest call, or by one before
 * that whose outcome is done or dead (D47); null: the call changes nothing. `limit -1` computes it once.
 */
export const acceptedCalls = sql`select ${leads.seq}, ${leads.campaignNumber} as campaign_number,
    ${leads.status} as status_before, ${leads.leaseExpiresAtMs} is not null as is_leased,
    ${outcome} as outcome, k.outcome as outcome_before, k.ended_at_ms, (${isLatestCall}) is true as is_latest,
    ${isInbound} as is_inbound,
    case when ${isLatestCall} then iif(${staysFinal}, null, ${statusAfterCall(outcome, byDefault)})
      when k.attempt + ${isInbound} > ${leads.attemptsForgiven} then ${finalStatusOf} end as status,
    iif(${isLatestCall}, ${place.rank}, ${leads.queueRank}) as queue_rank
  from ${reported}
  where ${isUnreported}
  limit -1`

/**
 * Of `accepted`, a table expression of these calls, one row for each lead that they move. Of several calls of a lead,
 * the latest counts, unless it leaves the lead to be called again: then one before it that is done, else one that is
 * dead. Without the latest, the lead becomes final unless it is so, or another call of it is open. `is_reopened`: the
 * latest would have left it to be called again. The bare columns are those of the row with the maximum, as long as
 * there is no other one.
 */
export const movedLeads = (
  accepted: SQL,
) => sql`select called.seq, called.campaign_number, called.status_before,
    called.status, called.queue_rank, sum(called.is_latest and not ${isFinalStatus(sql`called.status`)}) as is_reopened,
    max(iif(called.is_latest, 3 * (${isFinalStatus(sql`called.status`)}), 1 + (called.status = 'concluded')))
  from ${accepted} as called
  where called.status is not null
  group by called.seq
  having sum(called.is_latest) or not (called.is_leased or ${isFinalStatus(sql`called.status_before`)})`

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

/**
 * Runs after the numbers were suppressed, and before leads are moved. `forbidden` is a select of `company_id` and
 * `phone_number` of the numbers that the request suppresses.
 */
export const countReports = (forbidden?: SQL) =>
  addCounts(
    sql`with called as materialized (${acceptedCalls}),
    moved as (${movedLeads(sql`called`)})
    select ${countColumns({
      campaignNumber: sql`called.campaign_number`,
      counter: sql`iif(called.is_inbound, null, called.outcome)`,
    })} from called
    union all select ${countColumns({
      campaignNumber: sql`moved.campaign_number`,
      statusBefore: sql`moved.status_before`,
      statusAfter: sql`moved.status`,
    })} from moved
    union all ${correctedUnknowns(sql`called`)}
    ${
      forbidden &&
      sql`union all ${dequeuedCounts(calledLeads(forbidden))}
      and dequeued.seq not in (select moved.seq from moved)`
    }`,
    outcomes,
  )
