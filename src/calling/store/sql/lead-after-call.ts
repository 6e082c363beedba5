// What the end of a call does to its lead (D40 to D42, D54): the rules for reports, expired leases and releases. What
// changes a status without a call is in leads/store/lead-status.ts. All expressions need these aliases: `k` the call,
// `s` the campaign's settings, and the lead's row under the name of its table.
import { type SQL, sql } from 'drizzle-orm'
import { defaultOutcomes, type OutcomeRule } from '../../../campaigns/outcomes.ts'
import { rankOfAppointments, scheduledLaterThan } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { isSuppressed } from '../../../ledger/suppression/numbers.ts'
import { calls } from '../tables.ts'

/** The default of every outcome, as a JSON text in the statement. */
const defaults = sql.raw(`'${JSON.stringify(defaultOutcomes)}'`)

/** Settings that were stored before an outcome existed lack it: then its default counts, as in readSettings. */
const ruleMember = (outcome: SQL, member: keyof OutcomeRule) => {
  const name = sql.raw(`'${member}'`)
  return sql`coalesce(s.outcomes -> ${outcome} ->> ${name}, ${defaults} -> ${outcome} ->> ${name})`
}

/** The class, or the minutes, that an outcome has in the campaign. */
export const outcomeClass = (outcome: SQL) => ruleMember(outcome, 'class')
export const outcomeMinutes = (outcome: SQL) => ruleMember(outcome, 'minutes')

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

/** Another call since the last requeue has reached the person: its report came after a newer claim (D47). */
export const hasReached = sql`exists (select 1 from ${calls} as reached
  where reached.company_id = k.company_id
    and reached.phone_number = ${leads.phoneNumber}
    and reached.seq = ${leads.seq}
    and reached.is_done = 1
    and reached.attempt > ${leads.attemptsForgiven}
    and reached.claimed_at_ms <> k.claimed_at_ms)`

/** The lead was not claimed, nor requeued, since the call (D47). */
export const isLatestCall = sql`${leads.claimToken} = k.token`

export const statusAfterCall = (outcome: SQL) => sql`case
    when ${outcomeClass(outcome)} = 'done' or ${hasReached} then 'concluded'
    when ${outcomeClass(outcome)} = 'dead' or ${isUsedUp()} or ${isLeadSuppressed} then 'exhausted'
    else 'attempting' end`

/**
 * The lead has been claimed since the call, and the call had reached the person: it is still concluded (D47).
 */
export const concludesLate = (outcome: SQL) => sql`((${isLatestCall}) is not true
  and ${outcomeClass(outcome)} = 'done' and k.attempt > ${leads.attemptsForgiven})`

export const attemptsAfterRelease = sql`(${leads.attempts} - 1)`

/** Nobody dialled: a lead that was never called is new again (D55). */
export const statusAfterRelease = sql`case
    when ${hasReached} then 'concluded'
    when ${attemptsAfterRelease} = 0 then 'raw'
    when ${isLeadSuppressed} then 'exhausted'
    else 'attempting' end`

/**
 * The columns `status`, `queue_rank` and `due_at_ms` of the lead after a call with this outcome. An agreed time is an
 * appointment; without one, the class is like `retry`. A retry is not earlier than the time for which the lead is
 * scheduled now.
 */
export function leadAfterCall(call: { outcome: SQL; endedAtMs: SQL; callbackAtMs: SQL }): SQL {
  const { outcome, endedAtMs, callbackAtMs } = call
  const isAppointment = sql`${outcomeClass(outcome)} = 'appointment' and ${callbackAtMs} is not null`
  const laterMs = scheduledLaterThan(endedAtMs)
  const status = statusAfterCall(outcome)
  return sql`${status} as status,
    iif(${isAppointment} or ${laterMs} is not null, ${rankOfAppointments}, ${leads.priority}) as queue_rank,
    iif(${status} = 'attempting',
      iif(${isAppointment},
        max(${callbackAtMs}, ${endedAtMs}),
        coalesce(${laterMs}, ${endedAtMs} + ${outcomeMinutes(outcome)} * 60000)),
      null) as due_at_ms`
}
