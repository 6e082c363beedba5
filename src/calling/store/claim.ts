// Claiming: the next leads of a campaign are leased to an agent, in one transaction that also settles what ran out,
// queues what came in without a place, and moves away what is blocked. Which lead is next is in queue-order.ts.
//
// The pick is written to a row of `claims` first. The later statements act only for that row, once, and take their
// time from it: so a try that comes again leases nothing, and a claim can be repeated after a lost answer.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  accessVerdict,
  grantedCampaign,
  type PepperLost,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../access/store/rights.ts'
import { randomBase62 } from '../../base62.ts'
import { runBatch, statement } from '../../database/database.ts'
import { leadTokenChars } from '../../leads/lead.ts'
import { moveLeads, queueNewLeads } from '../../leads/store/queue.ts'
import { leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { addCounts, countColumns, hourOf } from '../../statistics/store/counts.ts'
import { isPepperLost } from '../../suppression/store/hashed-numbers.ts'
import { isSuppressed } from '../../suppression/store/numbers.ts'
import { type CallKey, callIdOf } from '../call.ts'
import { askAgainSoon, type ComeBack, comeBack, type QueueState, queueStateOf } from './come-back.ts'
import { dialBeforeMs } from './dial-before.ts'
import { isUsedUp } from './lead-after-call.ts'
import { numberFreeAtMs } from './number-limits.ts'
import { lanesPerWriting, leastAheadMs, type StaleLanes, writeOpenings } from './openings.ts'
import { lanes, queueOrder } from './queue-order.ts'
import { settleStatements } from './settle.ts'
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

/** How many blocked leads a claim moves out of the way, beyond those it was asked for (the proof's bound). */
const slack = 50

/** A limit of the work that one claim does for others. */
const leasesPerClaim = 200

const granted = grantedCampaign('agent')

/** This try's own row in `claims`, while what it does to leads is not done. */
const own = sql`${claims} as c on c.claimed_at_ms = ${param('nowMs')} and c.token = ${param('token')} and c.is_done = 0`

/** One row when the campaign may hand leads out: `number`, `company_id`, `now_ms`. */
const campaignOpen = sql`campaign(number, company_id, now_ms, can_wait) as materialized (
    select granted.number, granted.company_id, ${param('nowMs')}, ${param('canWait')} from ${granted} as granted
    cross join ${callingSettings} as s on s.campaign_number = granted.number
    where s.paused = 0 and s.time_zone is not null and not ${isPepperLost(sql`granted.company_id`)})`

/**
 * The pick: candidates in queue order, what blocks each, and which are leased. Nothing when a lane's openings have run
 * out: then they are written first, and the claim comes again (`can_wait`).
 */
const insertClaim = statement(sql`insert into ${claims}
    (claimed_at_ms, token, campaign_number, request_key, request_token, picks)
  with recursive ${campaignOpen}, ${lanes}, ${queueOrder},
  candidate(seq, rank, due_at_ms) as (
    select place.seq, place.rank, place.due_at_ms from place cross join campaign
    where place.seq is not null and place.due_at_ms <= campaign.now_ms limit ${param('maxCalls')} + ${sql.raw(`${slack}`)}),
  judged(seq, rank, due_at_ms, blocked, free_at_ms) as (
    select candidate.seq, candidate.rank, candidate.due_at_ms,
      case when ${isSuppressed(sql`campaign.company_id`, sql`l.phone_number`, sql`campaign.number`)} then 'suppressed'
        when l.attempts - l.attempts_forgiven >= s.max_attempts then 'used_up' end,
      ${numberFreeAtMs}
    from candidate cross join campaign cross join ${callingSettings} as s on s.campaign_number = campaign.number
    cross join ${leads} as l on l.seq = candidate.seq),
  verdict(seq, rank, due_at_ms, free_at_ms, word) as (
    select seq, rank, due_at_ms, free_at_ms, coalesce(blocked, iif(free_at_ms > now_ms, 'moved', null),
        iif(sum(blocked is null and free_at_ms <= now_ms)
          over (order by rank desc, judged.due_at_ms, seq rows unbounded preceding) <= ${param('maxCalls')}, 'leased', null))
    from judged cross join campaign)
  select ${param('nowMs')}, ${param('token')}, campaign.number, ${param('requestKey')}, ${param('requestToken')}, found.picks
  from campaign cross join (
    select json_group_array(json_array(seq, word, free_at_ms) order by rank desc, due_at_ms, seq) as picks
    from verdict where word is not null) as found
  where found.picks <> '[]'
    and not (campaign.can_wait and exists (select 1 from lanes where covered_until_ms <= campaign.now_ms))
  on conflict do nothing`)

const picks = (word: SQL) => sql`${own} cross join json_each(c.picks) as pick on pick.value ->> 1 ${word}`

/** What blocks a lead for good: its number is suppressed, or no attempt is left (D40). */
const statusAfterBlock = sql`iif(pick.value ->> 1 = 'moved' or ${leads.attempts} = 0, ${leads.status}, 'exhausted')`

const countClaim = statement(
  addCounts(sql`select ${countColumns({
    campaignNumber: sql`granted.number`,
    hour: hourOf(sql`c.claimed_at_ms`),
    counter: sql`iif(pick.value ->> 1 = 'leased', 'claimed', null)`,
    statusBefore: sql`${leads.status}`,
    statusAfter: sql`iif(pick.value ->> 1 = 'leased', 'attempting', ${statusAfterBlock})`,
  })} from ${granted} as granted cross join ${picks(sql`in ('leased', 'suppressed', 'used_up')`)}
    cross join ${leads} on ${leads.seq} = pick.value ->> 0`),
)

const leaseLeads = statement(
  moveLeads(
    ['status', 'attempts', 'due_at_ms', 'lease_expires_at_ms', 'claim_token'],
    sql`select ${leads.seq}, 'attempting' as status, ${leads.attempts} + 1 as attempts, null as due_at_ms,
      c.claimed_at_ms + coalesce(${param('leaseSeconds')}, s.lease_seconds) * 1000 as lease_expires_at_ms,
      c.token as claim_token
    from ${granted} as granted cross join ${callingSettings} as s on s.campaign_number = granted.number
    cross join ${picks(sql`= 'leased'`)} cross join ${leads} on ${leads.seq} = pick.value ->> 0`,
  ),
)

/** What blocks a lead moves it away: it is due when its number is free, or leaves the queue. */
const moveBlocked = statement(
  moveLeads(
    ['status', 'due_at_ms'],
    sql`select ${leads.seq}, ${statusAfterBlock} as status,
      iif(pick.value ->> 1 = 'moved', pick.value ->> 2, null) as due_at_ms
    from ${granted} as granted cross join ${picks(sql`<> 'leased'`)} cross join ${leads} on ${leads.seq} = pick.value ->> 0`,
  ),
)

const insertCalls = statement(sql`insert into ${calls}
    (company_id, phone_number, claimed_at_ms, seq, token, attempt, agent)
  select granted.company_id, ${leads.phoneNumber}, max(c.claimed_at_ms, coalesce((select last.claimed_at_ms + 1
      from ${calls} as last where last.company_id = granted.company_id and last.phone_number = ${leads.phoneNumber}
      order by last.claimed_at_ms desc limit 1), 0)), ${leads.seq}, c.token, ${leads.attempts}, ${param('agent')}
  from ${granted} as granted cross join ${picks(sql`= 'leased'`)} cross join ${leads} on ${leads.seq} = pick.value ->> 0
  where true on conflict do nothing`)

const endClaim = statement(sql`update ${claims} set is_done = 1
  where ${claims.claimedAtMs} = ${param('nowMs')} and ${claims.token} = ${param('token')}
    and ${claims.campaignNumber} = (select granted.number from ${granted} as granted)`)

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

/** In this order: each acts on what those before it did. */
const claimSteps = [
  statement(queueNewLeads(granted)),
  ...settleStatements(granted, leasesPerClaim, { isOne: true }).map(statement),
  insertClaim,
  countClaim,
  leaseLeads,
  moveBlocked,
  insertCalls,
  endClaim,
]

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
