// What the end of a call does to its lead (D40 to D42, D54): the rules for reports, expired leases and releases. What
// changes a status without a call is in queue/leads/store/lead-status.ts. All expressions need these aliases: `k` the
// call, `s` the campaign's settings, and the lead's row under the name of its table.
import { type SQL, sql } from 'drizzle-orm'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { isSuppressed } from '../../../../base/ledger/suppression/numbers.ts'
import { limits } from '../../../../base/limits.ts'
import { defaultOutcomes, type OutcomeRule } from '../../../campaigns/outcomes.ts'
import { rankOfAppointments, scheduledLaterThan } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'

/** The default of every outcome, as a JSON text in the statement. */
const defaults = sql.raw(`'${JSON.stringify(defaultOutcomes)}'`)

type Default = Readonly<Record<keyof OutcomeRule, SQL>>

const inStatement = (rule: OutcomeRule): Default => ({
  class: sql.raw(`'${rule.class}'`),
  minutes: sql.raw(`${rule.minutes}`),
})
export const defaultOfUnknown = inStatement(defaultOutcomes.unknown)
const noAnswer = inStatement(defaultOutcomes.no_answer)

const defaultOf = (outcome: SQL): Default => ({
  class: sql`${defaults} -> ${outcome} ->> 'class'`,
  minutes: sql`${defaults} -> ${outcome} ->> 'minutes'`,
})

/**
 * The class, or the minutes, that an outcome has in the campaign. Settings that were stored before an outcome existed
 * lack it: then its default counts, as in readSettings. A caller that has the default spares the statement all of them.
 */
export const outcomeClass = (outcome: SQL, byDefault = defaultOf(outcome)) =>
  sql`coalesce(s.outcomes ->> ('$.' || ${outcome} || '.class'), ${byDefault.class})`
export const outcomeMinutes = (outcome: SQL, byDefault = defaultOf(outcome)) =>
  sql`coalesce(s.outcomes ->> ('$.' || ${outcome} || '.minutes'), ${byDefault.minutes})`

/**
 * No attempt is left of those since the last requeue. The maximum may have been lowered since. With the attempt of a
 * call instead of the lead's attempts: it was the last one.
 */
export const isUsedUp = (attempts = sql`${leads.attempts}`, forgiven = sql`${leads.attemptsForgiven}`) =>
  sql`(${attempts} - ${forgiven} >= s.max_attempts)`

export const isLeadSuppressed = isSuppressed(
  sql`k.company_id`,
  sql`${leads.phoneNumber}`,
  sql`${leads.campaignNumber}`,
)

/** Another call since the last requeue. `k` is the latest one, so that a first attempt has none before it. */
const hasEarlierCall = (condition: SQL) => sql`(${leads.attempts} - ${leads.attemptsForgiven} > 1 and exists (
  select 1 from ${calls} as earlier
  where earlier.company_id = k.company_id
    and earlier.phone_number = ${leads.phoneNumber}
    and earlier.seq = ${leads.seq}
    and ${condition}
    and earlier.attempt > ${leads.attemptsForgiven}
    and earlier.claimed_at_ms <> k.claimed_at_ms))`

/** A call that has reached the person was reported after a newer claim (D47). */
export const hasReached = hasEarlierCall(sql`earlier.is_done = 1`)

/** So was one that said that nobody should call, such as one to a wrong number. */
export const isKnownDead = hasEarlierCall(
  sql`earlier.is_late = 1 and ${outcomeClass(sql`earlier.outcome`)} = 'dead'`,
)

/** The lead was not claimed, nor requeued, since the call (D47). */
export const isLatestCall = sql`${leads.claimToken} = k.token`

export const statusAfterCall = (outcome: SQL, byDefault?: Default) => sql`case
    when ${outcomeClass(outcome, byDefault)} = 'done' or ${hasReached} then 'concluded'
    when ${outcomeClass(outcome, byDefault)} = 'dead' or ${isUsedUp()} or ${isLeadSuppressed} or ${isKnownDead}
      then 'exhausted'
    else 'attempting' end`

export const attemptsAfterRelease = sql`(${leads.attempts} - 1)`

/** Nobody dialled: a lead that was never called is new again (D55). */
export const statusAfterRelease = sql`case
    when ${hasReached} then 'concluded'
    when ${attemptsAfterRelease} = 0 then 'raw'
    when ${isLeadSuppressed} or ${isKnownDead} then 'exhausted'
    else 'attempting' end`

type EndOfCall = {
  readonly outcome: SQL
  readonly byDefault?: Default
  readonly endedAtMs: SQL
  readonly callbackAtMs: SQL
}

const callbackMaxAgeMs = sql.raw(`${limits.callbackMaxAgeMs}`)

/**
 * The place in the queue of a lead that is called again. An agreed time is an appointment; without one, the class is
 * like `retry`. One that had passed long before the report counts as none, and the lead is called as after `no_answer`
 * (D73): it would be called at once, again and again. A retry is not earlier than the time for which the lead is
 * scheduled now.
 */
export function placeAfterCall({
  outcome,
  byDefault = defaultOf(outcome),
  endedAtMs,
  callbackAtMs,
}: EndOfCall) {
  const isAgreed = sql`${callbackAtMs} is not null and ${outcomeClass(outcome, byDefault)} = 'appointment'`
  const isPast = sql`${callbackAtMs} < ${endedAtMs} - ${callbackMaxAgeMs}`
  const isAppointment = sql`${isAgreed} and not (${isPast})`
  const laterMs = scheduledLaterThan(endedAtMs)
  const minutes = sql`iif(${isAgreed} and ${isPast}, ${outcomeMinutes(sql`'no_answer'`, noAnswer)},
    ${outcomeMinutes(outcome, byDefault)})`
  return {
    rank: sql`iif(${laterMs} is not null or ${isAppointment}, ${rankOfAppointments}, ${leads.priority})`,
    dueAtMs: sql`iif(${isAppointment},
      max(${callbackAtMs}, ${endedAtMs}),
      coalesce(${laterMs}, ${endedAtMs} + ${minutes} * 60000))`,
  }
}

/** The columns `status`, `queue_rank` and `due_at_ms` of the lead after a call with this outcome. */
export function leadAfterCall(call: EndOfCall): SQL {
  const { rank, dueAtMs } = placeAfterCall(call)
  const status = statusAfterCall(call.outcome, call.byDefault)
  return sql`${status} as status, ${rank} as queue_rank, iif(${status} = 'attempting', ${dueAtMs}, null) as due_at_ms`
}
