// What the end of a call does to its lead (D40 to D42, D54): the rules for reports, expired leases and releases. What
// changes a status without a call is in queue/leads/store/lead-status.ts. All expressions need these aliases: `k` the
// call, `s` the campaign's settings, and the lead's row under the name of its table.
import { type SQL, sql } from 'drizzle-orm'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { isSuppressed } from '../../../../base/ledger/suppression/numbers.ts'
import { limits } from '../../../../base/limits.ts'
import { defaultOutcomes, type OutcomeRule } from '../../../campaigns/outcomes.ts'
import { isFinalStatus } from '../../../leads/store/lead-status.ts'
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

/** The person rang (../inbound/inbound-steps.ts). */
export const isInbound = sql`(k.inbound is not null)`

/**
 * How the lead was before such a call, and whether it is an attempt: 1 or 0; `returned`: that it was one until its
 * lease ended. Null: the lead was claimed.
 */
const before = (member: 'status' | 'dueAtMs' | 'counts' | 'returned') =>
  sql.raw(`(k.inbound ->> '${member}')`)
export const wasFinal = sql`(${isInbound} and ${isFinalStatus(before('status'))})`

/**
 * Another call since the last requeue. `k` is the latest one, so that a first attempt has none before it. A call of the
 * person has the number of the attempt before it, unless it is one itself.
 */
const hasEarlierCall = (
  condition: SQL,
) => sql`(${leads.attempts} - ${leads.attemptsForgiven} + ${isInbound} > 1
  and exists (
  select 1 from ${calls} as earlier
  where earlier.company_id = k.company_id
    and earlier.phone_number = ${leads.phoneNumber}
    and earlier.seq = ${leads.seq}
    and ${condition}
    and earlier.attempt + (earlier.inbound is not null) > ${leads.attemptsForgiven}
    and earlier.claimed_at_ms <> k.claimed_at_ms))`

/** A call that has reached the person was reported after a newer claim (D47). */
export const hasReached = hasEarlierCall(sql`earlier.is_done = 1`)

/** So was one that said that nobody should call, such as one to a wrong number. */
export const isKnownDead = hasEarlierCall(
  sql`earlier.is_late = 1 and ${outcomeClass(sql`earlier.outcome`)} = 'dead'`,
)

/** The lead was not claimed, nor requeued, since the call (D47). */
export const isLatestCall = sql`${leads.claimToken} = k.token`

/**
 * A lead that was final when the person rang is called again at an agreed time alone. One that was never called, and
 * that is still not called with this call, is new again.
 */
export const statusAfterCall = (outcome: SQL, byDefault?: Default) => sql`case
    when ${wasFinal} and ${outcomeClass(outcome, byDefault)} not in ('done', 'dead')
      then iif(${outcomeClass(outcome, byDefault)} = 'appointment' and not (${isUsedUp()} or ${isLeadSuppressed}),
        'attempting', ${before('status')})
    when ${outcomeClass(outcome, byDefault)} = 'done' or ${hasReached} then 'concluded'
    when ${outcomeClass(outcome, byDefault)} = 'dead' or ${isUsedUp()} or ${isLeadSuppressed} or ${isKnownDead}
      then 'exhausted'
    else iif(${leads.attempts} = 0, 'raw', 'attempting') end`

/** Where its lease ends without a report, it is over as if it had been released. */
const statusReturned = sql`case
    when ${hasReached} then 'concluded'
    when ${before('status')} = 'attempting' and (${isLeadSuppressed} or ${isKnownDead}) then 'exhausted'
    else ${before('status')} end`

/** A lead that was to be called is due when it was. One that was not, since its number was suppressed, at once. */
const dueReturnedMs = (atMs: SQL) => sql`coalesce(${before('dueAtMs')}, ${atMs})`

export const attemptsAfterRelease = sql`(${leads.attempts} - iif(${isInbound}, ${before('counts')}, 1))`

/** The lead of a call that is not reported before its lease ends. With the attempts that count. */
export const outcomeUnreported = sql`iif(${isInbound}, 'released', 'unknown')`
export const attemptsUnreported = sql`(${leads.attempts}
  - iif(${isInbound}, coalesce(${before('returned')}, ${before('counts')}), 0))`
export const statusUnreported = sql`iif(${isInbound}, ${statusReturned},
  ${statusAfterCall(sql`'unknown'`, defaultOfUnknown)})`

/** After a release with a delay that ends at `atMs`. */
export const dueAfterRelease = (atMs: SQL) =>
  sql`iif(${isInbound}, max(${dueReturnedMs(atMs)}, ${atMs}), ${atMs})`

/** Nobody dialled: a lead that was never called is new again (D55). */
export const statusAfterRelease = sql`case
    when ${isInbound} then ${statusReturned}
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

const endOfLease = sql`${leads.leaseExpiresAtMs}`
const unreported = placeAfterCall({
  outcome: sql`'unknown'`,
  byDefault: defaultOfUnknown,
  endedAtMs: endOfLease,
  callbackAtMs: sql`null`,
})

/** Of a lead whose lease has run out: its place in the queue once that is settled. */
export const placeUnreported = {
  rank: sql`iif(${isInbound} and ${scheduledLaterThan(endOfLease)} is null, ${leads.queueRank}, ${unreported.rank})`,
  dueAtMs: sql`iif(${isInbound}, coalesce(${scheduledLaterThan(endOfLease)}, ${dueReturnedMs(endOfLease)}),
    ${unreported.dueAtMs})`,
}

/** Its call leaves a lead in the queue that is not reported before its lease ends. */
export const isCalledAgain = sql`(not ${isFinalStatus(statusUnreported)}
  and not (${isInbound} and ${isLeadSuppressed}))`
