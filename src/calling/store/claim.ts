// Claiming: the next leads of a campaign are leased to an agent, in one transaction. What is done in it is in claim-steps.ts;
// here is how it is tried, and what is told of it.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  accessVerdict,
  type PepperLost,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../access/store/rights.ts'
import { randomBase62 } from '../../base62.ts'
import { runBatch, statement } from '../../database/database.ts'
import { leadTokenChars } from '../../leads/lead.ts'
import { leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { isPepperLost } from '../../suppression/store/hashed-numbers.ts'
import { isSuppressed } from '../../suppression/store/numbers.ts'
import { type CallKey, callIdOf } from '../call.ts'
import { campaignOpen, claimSteps, granted } from './claim-steps.ts'
import {
  askAgainSoon,
  type ComeBack,
  comeBack,
  isLongLook,
  type QueueState,
  queueStateOf,
} from './come-back.ts'
import { dialBeforeMs } from './dial-before.ts'
import { isUsedUp } from './lead-after-call.ts'
import { lanesPerWriting, leastAheadMs, type StaleLanes, writeOpenings } from './openings.ts'
import { lanes } from './queue-order.ts'
import { restLanes } from './resting-lanes.ts'
import { callingSettings, calls, claims } from './tables.ts'

/** Whose claim this is: the same in every try, and in a request that is sent again with its Idempotency-Key. */
export type ClaimOrigin = Access & {
  /** Follows from the Idempotency-Key and the body, or is random. */
  readonly requestToken: string
  /** Names the Idempotency-Key of the request for its API key, if it has one. */
  readonly requestKey: string | null
  /** Of the company's numbers (suppression/store/number-hash.ts). */
  readonly pepperCheck: string
}

export type ClaimRequest = {
  readonly maxCalls: number
  /** Null: as the campaign has it. */
  readonly leaseSeconds: number | null
  readonly agent: string | null
}

export type ClaimedCall = {
  readonly callId: string
  readonly attempt: number
  readonly isLastAttempt: boolean
  readonly leaseExpiresAtMs: number
  /** The end of the lease, or of the opening hours when that is earlier. */
  readonly dialBeforeMs: number
  readonly timeZone: string
  /** JSON text, as the API has it. */
  readonly lead: string
}

export type ClaimOutcome =
  | Refusal
  | PepperLost
  /** The request's Idempotency-Key belongs to another request. */
  | { readonly kind: 'reused' }
  | ({
      readonly kind: 'claimed'
      readonly calls: readonly ClaimedCall[]
      readonly isReplay: boolean
    } & (QueueState | { readonly reason: null; readonly retryAfterSeconds: null }))

const param = sql.placeholder

/**
 * The calls of the claim that are still open and may be made, in queue order: of this request's own, or of the one
 * that carried its Idempotency-Key before.
 */
const claimedCalls = (which: SQL) =>
  statement(sql`select k.claimed_at_ms as "claimedAtMs", k.seq, k.token, k.attempt,
    ${isUsedUp} as "isLastAttempt",
    ${leads.leaseExpiresAtMs} as "leaseExpiresAtMs",
    ${dialBeforeMs(sql`granted.number`, sql`c.claimed_at_ms`)} as "dialBeforeMs",
    coalesce(nullif(${leads.lane}, ''), s.time_zone) as "timeZone", ${leadJson(sql`granted.id`)}
  from ${granted} as granted cross join ${callingSettings} as s on s.campaign_number = granted.number
  cross join ${claims} as c on ${which} and c.campaign_number = granted.number
    and c.request_token = ${param('requestToken')}
  cross join json_each(c.picks) as pick on pick.value ->> 1 = 'leased'
  cross join ${leads} on ${leads.seq} = pick.value ->> 0 and ${leads.claimToken} = c.token
    and ${leads.leaseExpiresAtMs} > ${param('nowMs')}
  cross join ${calls} as k on k.company_id = granted.company_id and k.phone_number = ${leads.phoneNumber}
    and k.seq = ${leads.seq} and k.token = c.token and k.outcome is null
  where not ${isSuppressed(sql`granted.company_id`, sql`${leads.phoneNumber}`, sql`granted.number`)}
  order by pick.key`)
const ownCalls = claimedCalls(sql`c.claimed_at_ms = ${param('nowMs')} and c.token = ${param('token')}`)
const repeatedCalls = claimedCalls(sql`c.request_key = ${param('requestKey')}`)

/** True when the request's Idempotency-Key has claimed something for another request. */
export const isKeyReused = sql`exists (select 1 from ${claims} as c
  where c.request_key = ${param('requestKey')} and c.request_token <> ${param('requestToken')})`

const claimState = statement(sql`select verdict.number, ${isKeyReused} as "isReused",
    ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost",
    (select c.token <> ${param('token')} from ${claims} as c
      where c.request_key = ${param('requestKey')}) as "isReplay",
    exists (select 1 from ${claims} as c
      where c.claimed_at_ms = ${param('nowMs')} and c.token = ${param('token')}) as "hasPicked"
  from ${accessVerdict('agent')} as verdict`)

/** Lanes whose openings end soon or have ended, with what they follow from. No row: none has. */
const staleLanes = statement(sql`with recursive ${campaignOpen}, ${lanes}
  select s.campaign_number as "campaignNumber", s.version, s.time_zone as "timeZone", s.calling_hours as "callingHours",
    s.appointment_hours as "appointmentHours", s.closed_dates as "closedDates", json_group_array(stale.lane) as lanes,
    min(stale.covered_until_ms) <= ${param('nowMs')} as "hasRunOut"
  from campaign cross join ${callingSettings} as s on s.campaign_number = campaign.number
  cross join (select lane, covered_until_ms from lanes where covered_until_ms < ${param('nowMs')} + ${sql.raw(`${leastAheadMs}`)}
    order by covered_until_ms limit ${sql.raw(`${lanesPerWriting}`)}) as stale
  group by s.campaign_number`)

const whenToComeBack = statement(
  comeBack(
    granted,
    sql`not exists (select 1 from ${claims} as c cross join json_each(c.picks) as pick on pick.value ->> 1 = 'leased'
      where c.claimed_at_ms = ${param('nowMs')} and c.token = ${param('token')})`,
  ),
)

/** Leases the next leads of the campaign to an agent. Throws DatabaseUnavailable. */
export async function claimCalls(
  db: D1Database,
  origin: ClaimOrigin,
  request: ClaimRequest,
): Promise<ClaimOutcome> {
  return (await claimAfter(db, [], origin, request)).outcome
}

/** The same, in one transaction with statements that come before it, whose rows are returned. */
export async function claimAfter(
  db: D1Database,
  before: readonly D1PreparedStatement[],
  origin: ClaimOrigin,
  request: ClaimRequest,
): Promise<{ readonly rowsBefore: readonly (readonly unknown[])[]; readonly outcome: ClaimOutcome }> {
  const values = { ...origin, ...request, token: randomBase62(leadTokenChars) }
  const first = await tryToClaim(db, before, { ...values, canWait: 1 })
  const rowsBefore = first.rows.slice(0, before.length)
  if (first.stale !== null) await writeOpenings(db, first.stale, origin.nowMs)
  if (first.stale?.hasRunOut !== 1) return { rowsBefore, outcome: first.outcome }
  const second = await tryToClaim(db, [], { ...values, canWait: 0 })
  return { rowsBefore, outcome: second.outcome }
}

type TryValues = ClaimOrigin & ClaimRequest & { readonly token: string; readonly canWait: 0 | 1 }

async function tryToClaim(db: D1Database, before: readonly D1PreparedStatement[], values: TryValues) {
  const answers = [
    values.requestKey === null ? ownCalls : repeatedCalls,
    claimState,
    staleLanes,
    whenToComeBack,
  ]
  const { rows } = await runBatch(db, [
    ...before,
    ...[...claimSteps, ...answers].map((step) => step(db, values)),
  ])
  const [calls, state, staleRows, back] = rows.slice(-answers.length)
  const stale = readStaleLanes(staleRows?.[0] as StaleRow | undefined)
  const comesAgain = values.canWait === 1 && stale?.hasRunOut === 1
  if (!comesAgain && isLongLook(back?.[0] as ComeBack | undefined)) await restLanes(db, values)
  const empty =
    stale?.hasRunOut === 1 ? askAgainSoon : queueStateOf(back?.[0] as ComeBack | undefined, values.nowMs)
  return {
    rows,
    stale,
    outcome: readOutcome(calls as readonly CallRow[], state?.[0] as StateRow | undefined, empty),
  }
}

type CallRow = CallKey &
  Omit<ClaimedCall, 'callId' | 'isLastAttempt' | 'lead'> & { isLastAttempt: number; json: string }

type StateRow = Verdict & {
  isReused: number
  isPepperLost: number
  isReplay: number | null
  hasPicked: number
}

/** `empty`: what is told when nothing is claimed. */
function readOutcome(rows: readonly CallRow[], state: StateRow | undefined, empty: QueueState): ClaimOutcome {
  const refusal = refusalOf(state)
  if (refusal !== null || state === undefined) return refusal ?? { kind: 'key_refused' }
  if (state.isPepperLost === 1) return { kind: 'pepper_lost' }
  if (state.isReused === 1) return { kind: 'reused' }
  const calls = rows.map(
    ({ attempt, isLastAttempt, leaseExpiresAtMs, dialBeforeMs, timeZone, json, ...key }): ClaimedCall => ({
      callId: callIdOf(key),
      attempt,
      isLastAttempt: isLastAttempt === 1,
      leaseExpiresAtMs,
      dialBeforeMs,
      timeZone,
      lead: json,
    }),
  )
  const isReplay = state.isReplay === 1
  if (calls.length > 0) return { kind: 'claimed', calls, isReplay, reason: null, retryAfterSeconds: null }
  // All candidates were blocked and are out of the way: whoever asks again finds those behind them.
  if (state.hasPicked === 1)
    return { kind: 'claimed', calls, isReplay, reason: 'waiting', retryAfterSeconds: 1 }
  return { kind: 'claimed', calls, isReplay, ...empty }
}

type StaleRow = {
  campaignNumber: number
  version: number
  timeZone: string
  callingHours: string
  appointmentHours: string
  closedDates: string
  lanes: string
  hasRunOut: number
}

function readStaleLanes(row: StaleRow | undefined): (StaleLanes & { readonly hasRunOut: number }) | null {
  if (row === undefined) return null
  return {
    ...row,
    callingHours: JSON.parse(row.callingHours),
    appointmentHours: JSON.parse(row.appointmentHours),
    closedDates: JSON.parse(row.closedDates),
    lanes: JSON.parse(row.lanes),
  }
}
