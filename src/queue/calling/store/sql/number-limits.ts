// Until when a phone must not be called again, by the calls of the whole company to it (D46), in whatever spelling
// (D76): one expression for the claim, which postpones blocked leads, and each limit on its own for the blockers of a
// lead (explain.ts).
import { type SQL, sql } from 'drizzle-orm'
import { unionAll } from '../../../../base/database/database.ts'
import { calls, testCalls } from '../../../../base/ledger/calls/tables.ts'
import { eachSpelling, withSpellings } from '../../../../base/ledger/suppression/spellings-sql.ts'
import { numberCalls } from '../../../../base/ledger/suppression/tables.ts'
import { settleGraceMs } from '../../../campaigns/outcomes.ts'
import { rankOfAppointments } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'

const grace = sql.raw(`${settleGraceMs}`)
const dayMs = sql.raw(`${86_400_000}`)
const weekMs = sql.raw(`${7 * 86_400_000}`)

/**
 * The lead and the campaign for whose phone the limits are. Values, except `lead` and `settings`, which are names of
 * rows.
 */
type Limited = {
  readonly lead: SQL
  readonly settings: SQL
  readonly companyId: SQL
  readonly nowMs: SQL
}

/** Each limit of the phone; null or 0: none. */
export const limitsOf = ({ lead, settings, companyId, nowMs }: Limited) => {
  const ofPhone = (value: SQL) => withSpellings(sql`${lead}.phone_number`, value)
  const ofNumber = (number: SQL) => sql`${calls} as k
  where k.company_id = ${companyId} and k.phone_number = ${number}`

  /** The calls of leads of the phone that were erased (number-memory.ts). */
  const remembered = sql`${numberCalls} as kept
  where kept.company_id = ${companyId} and kept.number_hash = ${lead}.number_hash`

  /** A dialer rings it for a test, in whichever spelling. Null: none does, which one seek shows. */
  const testedUntilMs = sql`(select t.ends_at_ms from ${testCalls} as t
  where t.company_id = ${companyId} and t.phone_number = ${lead}.phone_number and t.ends_at_ms > ${nowMs})`

  /** The end of the lease of a call that may be ringing: a live one blocks the phone for all others. */
  const liveUntilMs = sql`max(coalesce(${testedUntilMs}, 0), coalesce((
  select max(live.lease_expires_at_ms) + ${grace} from (${unionAll([
    ...eachSpelling(
      (number) => sql`select o.lease_expires_at_ms from ${calls} as k
    cross join ${leads} as o on o.seq = k.seq and o.claim_token = k.token
    where k.company_id = ${companyId} and k.phone_number = ${number} and k.outcome is null`,
    ),
    sql`select kept.live_until_ms from ${remembered}`,
  ])}) as live), 0))`

  /**
   * A value of the phone's calls of a week, each with `claimed_at_ms`, `nth`, 1 for the last one, and `n`, the same
   * among those that were dialled, null where the person rang. A released call does not count: nobody dialled. No gap
   * is longer than the week.
   */
  const ofLastCalls = (value: SQL) => sql`(select max(${value}) from (
  select called.claimed_at_ms, row_number() over latest as nth,
    iif(called.is_inbound, null, sum(not called.is_inbound) over latest) as n from (${unionAll([
      ...eachSpelling(
        (number) => sql`select k.claimed_at_ms, k.inbound is not null as is_inbound from ${ofNumber(number)}
      and k.claimed_at_ms > ${nowMs} - ${weekMs}
      and (k.outcome is not 'released' or k.inbound is not null)`,
      ),
      sql`select kept.called_at_ms, coalesce(kept.is_inbound, 0) from ${remembered}
      and kept.called_at_ms > ${nowMs} - ${weekMs}`,
    ])}) as called
  window latest as (order by called.claimed_at_ms desc rows unbounded preceding)) as recent)`

  /** By a call with these. Appointments are exempt from the gap, not from the day and the week. */
  const until = (claimedAtMs: SQL, nth: SQL, n: SQL) => ({
    gapUntilMs: sql`iif(${nth} = 1 and ${lead}.queue_rank is not ${rankOfAppointments}
  and ${settings}.min_gap_minutes is not null, ${claimedAtMs} + ${settings}.min_gap_minutes * 60000, 0)`,
    dayUntilMs: sql`iif(${n} = ${settings}.per_24_hours, ${claimedAtMs} + ${dayMs}, 0)`,
    weekUntilMs: sql`iif(${n} = ${settings}.per_7_days, ${claimedAtMs} + ${weekMs}, 0)`,
  })
  const latestOf = ({ gapUntilMs, dayUntilMs, weekUntilMs }: ReturnType<typeof until>) =>
    sql`max(${gapUntilMs}, ${dayUntilMs}, ${weekUntilMs})`
  const ofRecent = until(sql`recent.claimed_at_ms`, sql`recent.nth`, sql`recent.n`)

  const hasCall = (condition: SQL) =>
    sql`(${lead}.number_hash is not null or ${sql.join(
      eachSpelling(
        (number) => sql`exists (select 1 from ${calls} as other
      where other.company_id = ${companyId} and other.phone_number = ${number} ${condition})`,
      ),
      sql` or `,
    )})`
  const latestMs = sql`max(${liveUntilMs}, coalesce(${ofLastCalls(latestOf(ofRecent))}, 0))`
  return {
    liveUntilMs: ofPhone(liveUntilMs),
    gapUntilMs: ofPhone(ofLastCalls(ofRecent.gapUntilMs)),
    dayUntilMs: ofPhone(ofLastCalls(ofRecent.dayUntilMs)),
    weekUntilMs: ofPhone(ofLastCalls(ofRecent.weekUntilMs)),
    /** The latest of them. Most phones have no call at all: one seek for each spelling shows that. */
    freeAtMs: ofPhone(sql`iif(${hasCall(sql``)}, ${latestMs}, coalesce(${testedUntilMs}, 0))`),
    /** The same after `call`, of the phone, has ended. Most have no other call: then none is read but that one. */
    freeAfter: (call: SQL) =>
      ofPhone(sql`iif(${hasCall(sql`and (other.claimed_at_ms, other.seq) <> (${call}.claimed_at_ms,
        ${call}.seq)`)}, ${latestMs},
    max(coalesce(${testedUntilMs}, 0),
      iif(${call}.outcome = 'released' and ${call}.inbound is null, 0,
        ${latestOf(until(sql`${call}.claimed_at_ms`, sql`1`, sql`iif(${call}.inbound is null, 1, null)`))})))`),
  }
}

/** Of the lead `l`, with `campaign` and its settings `s`. */
export const numberLimits = limitsOf({
  lead: sql`l`,
  settings: sql`s`,
  companyId: sql`campaign.company_id`,
  nowMs: sql`campaign.now_ms`,
})
