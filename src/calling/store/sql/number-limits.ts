// Until when a phone number must not be called again, by the calls of the whole company to it (D46): one expression
// for the claim, which postpones blocked leads, and each limit on its own for the blockers of a lead (explain.ts).
import { type SQL, sql } from 'drizzle-orm'
import { settleGraceMs } from '../../../campaigns/outcomes.ts'
import { rankOfAppointments } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { calls } from '../../../ledger/calls/tables.ts'
import { numberCalls } from '../../../ledger/suppression/tables.ts'

const grace = sql.raw(`${settleGraceMs}`)
const dayMs = sql.raw(`${86_400_000}`)
const weekMs = sql.raw(`${7 * 86_400_000}`)

const ofNumber = sql`${calls} as k
  where k.company_id = campaign.company_id and k.phone_number = l.phone_number`

/** The calls of leads of the number that were erased (number-memory.ts). */
const remembered = sql`${numberCalls} as kept
  where kept.company_id = campaign.company_id and kept.number_hash = l.number_hash`

/** The end of the lease of a call that may be ringing: a live one blocks the number for all others. */
const liveUntilMs = sql`(select max(o.lease_expires_at_ms) + ${grace} from ${calls} as k
  cross join ${leads} as o on o.seq = k.seq and o.claim_token = k.token
  where k.company_id = campaign.company_id and k.phone_number = l.phone_number and k.outcome is null)`

/**
 * A value of the number's calls of a week, each with `claimed_at_ms` and `n`, 1 for the last one. A released call
 * does not count: nobody dialled. No gap is longer than the week.
 */
const ofLastCalls = (value: SQL) => sql`(select max(${value}) from (
  select called.claimed_at_ms, row_number() over (order by called.claimed_at_ms desc) as n from (
    select k.claimed_at_ms from ${ofNumber}
      and k.claimed_at_ms > campaign.now_ms - ${weekMs}
      and k.outcome is not 'released'
    union all
    select kept.called_at_ms from ${remembered}
      and kept.called_at_ms > campaign.now_ms - ${weekMs}) as called
  ) as recent)`

/** Appointments are exempt from the gap, not from the day and the week. */
const gapUntilMs = sql`iif(recent.n = 1 and l.queue_rank is not ${rankOfAppointments}
  and s.min_gap_minutes is not null, recent.claimed_at_ms + s.min_gap_minutes * 60000, 0)`
const dayUntilMs = sql`iif(recent.n = s.per_24_hours, recent.claimed_at_ms + ${dayMs}, 0)`
const weekUntilMs = sql`iif(recent.n = s.per_7_days, recent.claimed_at_ms + ${weekMs}, 0)`

/** Each limit of the number; null or 0: none. They need `campaign`, `s` the settings, and `l` the lead. */
export const numberLimits = {
  liveUntilMs,
  gapUntilMs: ofLastCalls(gapUntilMs),
  dayUntilMs: ofLastCalls(dayUntilMs),
  weekUntilMs: ofLastCalls(weekUntilMs),
}

/** The latest of them. Most numbers have no call at all: one seek shows that. */
export const numberFreeAtMs = sql`iif(l.number_hash is not null or exists (select 1 from ${ofNumber}),
  max(coalesce(${liveUntilMs}, 0),
    coalesce(${ofLastCalls(sql`max(${gapUntilMs}, ${dayUntilMs}, ${weekUntilMs})`)}, 0)),
  0)`
