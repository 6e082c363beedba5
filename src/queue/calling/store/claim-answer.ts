// The answer of a claim: the leased calls, or why there is none, and what the next try has to prepare. One statement
// for the calls and one for everything else, because a request may send only so many (claim.ts).
import { type SQL, sql } from 'drizzle-orm'
import {
  type AccessNames,
  accessVerdict,
  isArchived,
  isRefused,
  type PepperLost,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { param, statement } from '../../../base/database/database.ts'
import { notify } from '../../../base/database/notices.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { isConsentLost } from '../../../base/ledger/consent/valid-consent.ts'
import { isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { lanesPerWriting, leastAheadMs, type StaleLanes } from '../../campaigns/store/openings.ts'
import { pacedUntilMs } from '../../campaigns/store/pace.ts'
import { hoursJson } from '../../campaigns/store/settings-row.ts'
import { callingSettings, openings } from '../../campaigns/store/tables.ts'
import { isWaitedFor, setWaitedFor, waitedNotice } from '../../campaigns/store/waiting.ts'
import { rankOfAppointments } from '../../leads/store/queue.ts'
import { leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { type CallKey, callIdOf } from '../call.ts'
import { type AgentState, agentOf, agentState, blockOf } from './agents.ts'
import { leasedPicks, ofPick } from './claim-picks.ts'
import { hasExpired } from './settling/settle.ts'
import { placeFreeAtMs } from './sql/capacity.ts'
import { campaignOpen, granted, isKeyReused, isRepeated } from './sql/claim-steps.ts'
import { isUsedUp } from './sql/lead-after-call.ts'
import { lanes } from './sql/queue-order.ts'
import {
  claimAgainSoon,
  isLongRead,
  type NoCalls,
  nextMoment,
  type QueueStateRow,
  queueStateOf,
  selectQueueState,
} from './sql/queue-state.ts'
import { claims } from './tables.ts'

export type ClaimedCall = {
  readonly callId: string
  readonly attempt: number
  readonly isLastAttempt: boolean
  readonly leaseExpiresAtMs: number
  /** The end of the lease, or of the opening hours when that is earlier. */
  readonly dialBeforeMs: number
  /** When the agent said that it dials. Null: it has not said so. */
  readonly dialledAtMs: number | null
  readonly timeZone: string
  /** JSON text, as the API has it. */
  readonly lead: string
}

export type ClaimResult =
  | Refusal
  | PepperLost
  /** The request's Idempotency-Key belongs to another request. */
  | { readonly kind: 'reused' }
  | ({
      readonly kind: 'claimed'
      readonly calls: readonly ClaimedCall[]
      readonly isReplay: boolean
    } & (NoCalls | { readonly reason: null; readonly retryAfterSeconds: null }))

/**
 * Until when a claimed lead may be dialled: the end of its lease, or of the hours in which it was claimed. `atMs` is a
 * moment of those hours. When the campaign is closed then, `atMs` itself.
 */
const dialBeforeMs = (atMs: SQL) => sql`coalesce(
  (select max(${atMs}, min(o.closes_at_ms, ${leads.leaseExpiresAtMs})) from ${openings} as o
    where o.campaign_number = granted.number
      and o.lane = ${leads.lane}
      and o.is_for_appointments = (${leads.queueRank} = ${rankOfAppointments})
      and o.opens_at_ms <= ${atMs}
    order by o.opens_at_ms desc
    limit 1),
  ${atMs})`

/** The columns of a CallRow, of the call `k`, its lead and campaign. `atMs`: a moment of the hours in which to dial. */
export const callColumns = (
  atMs: SQL,
  until = dialBeforeMs(atMs),
) => sql`k.claimed_at_ms as "claimedAtMs", k.seq, k.token, k.attempt,
    ${isUsedUp()} as "isLastAttempt",
    ${leads.leaseExpiresAtMs} as "leaseExpiresAtMs",
    ${until} as "dialBeforeMs", k.dialled_at_ms as "dialledAtMs",
    coalesce(nullif(${leads.lane}, ''), s.time_zone, 'UTC') as "timeZone",
    ${leadJson(sql`granted.id`)}`

/**
 * The calls of the claim that are still open and may be made, in queue order: of this request's own claim, or of the
 * one that had its Idempotency-Key before. None while the campaign is paused.
 */
const claimedCalls = (which: SQL) =>
  statement<AccessNames | 'token' | 'requestToken' | 'requestKey'>(sql`
    select ${callColumns(sql`c.claimed_at_ms`)}
  from ${granted} as granted
  cross join ${callingSettings} as s on s.campaign_number = granted.number
  cross join ${claims} as c on ${which} and c.campaign_number = granted.number
    and c.request_token = ${param('requestToken')}
  ${leasedPicks}
  cross join ${leads} on ${leads.seq} = ${ofPick('seq')} and ${leads.claimToken} = c.token
    and ${leads.leaseExpiresAtMs} > ${param('nowMs')}
  cross join ${calls} as k on k.company_id = granted.company_id and k.phone_number = ${leads.phoneNumber}
    and k.seq = ${leads.seq} and k.token = c.token and k.outcome is null
  where s.paused = 0
    and not ${isArchived(sql`granted.number`)}
    and not ${isSuppressed(sql`granted.company_id`, sql`${leads.phoneNumber}`, sql`granted.number`)}
    and not ${isConsentLost}
  order by pick.key`)

const isOwn = sql`c.claimed_at_ms = ${param('nowMs')} and c.token = ${param('token')}`
const ownCalls = claimedCalls(isOwn)
const repeatedCalls = claimedCalls(sql`c.request_key = ${param('requestKey')}`)

/**
 * A notice of `waiting`: more could be called than this claim got, by its own limit at once, by the
 * pace later, by the cap not before a place is free.
 */
const waitingForMore = sql`(select json_array(${waitedNotice(
  sql`s`,
  sql`verdict.company_id`,
  sql`s.campaign_number`,
  pacedUntilMs,
)})
    from ${callingSettings} as s
    where s.campaign_number = verdict.number
      and ${isWaitedFor(sql`s`)}
      and coalesce(${placeFreeAtMs(sql`(select own.number from ${granted} as own)`)}, 0) <= ${param('nowMs')})`

/** With leases, more may be called; without, the gate may have to be asked. */
const claimState = sql`select verdict.number, ${isKeyReused} as "isReused",
    ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost",
    (select other.token <> ${param('token')} from ${claims} as other
      where other.request_key = ${param('requestKey')}) as "isReplay",
    json_array_length(c.picks) as picked,
    ${hasExpired(sql`verdict.number`)} as "mustSettle", ${agentState},
    iif(c.is_done = 2, ${waitingForMore}, null) as "moreNotice"
  from ${accessVerdict('agent')} as verdict ${agentOf(sql`verdict`)}
  left join ${claims} as c on ${isOwn}`

/** Lanes whose openings end soon or have ended, with the settings to compute them from. No row: none. */
const staleLanes = sql`with recursive ${campaignOpen}, ${lanes}
  select json_object('companyId', campaign.company_id, 'campaignNumber', s.campaign_number, 'version', s.version,
      'hours', ${hoursJson}, 'lanes', json_group_array(stale.lane)) as stale,
    min(stale.covered_until_ms) <= ${param('nowMs')} as "hasRunOut"
  from campaign
  cross join ${callingSettings} as s on s.campaign_number = campaign.number
  cross join (select lane, covered_until_ms from lanes
    where covered_until_ms < ${param('nowMs')} + ${sql.raw(`${leastAheadMs}`)}
    order by covered_until_ms
    limit ${sql.raw(`${lanesPerWriting}`)}) as stale
  group by s.campaign_number`

/** After settlingSteps: a settled lead may be the only one of its lane. */
export const selectStaleLanes = statement<AccessNames | 'pepperCheck'>(staleLanes)

const hasLeased = sql`exists (select 1 from ${claims} as c
  ${leasedPicks}
  where ${isOwn})`

/** No row: the claim has leased calls. */
const queueState = selectQueueState(granted, sql`not ${hasLeased}`)

/** A claim that may wait and found nothing runs it: the campaign is waited for. A repetition never waits. */
export const noteWaiting = statement<AccessNames | 'token' | 'requestKey'>(
  setWaitedFor(granted, sql`not ${hasLeased} and not ${isRepeated}`),
)

const answerState = statement<
  AccessNames | 'requestKey' | 'requestToken' | 'pepperCheck' | 'token' | 'agentName'
>(sql`
  select *, ${notify('waiting', sql`coalesce(state."moreNotice", back."gateNotice")`)}
  from (${claimState}) as state
  left join (${staleLanes}) as stale
  left join (${queueState}) as back`)

/** The last statements of a claim. */
export const answersTo = ({ requestKey }: { readonly requestKey: string | null }) => [
  requestKey === null ? ownCalls : repeatedCalls,
  answerState,
]

export type CallRow = CallKey &
  Omit<ClaimedCall, 'callId' | 'isLastAttempt' | 'lead'> & { isLastAttempt: number; json: string }

export const readCall = ({
  claimedAtMs,
  seq,
  token,
  isLastAttempt,
  json,
  ...call
}: CallRow): ClaimedCall => ({
  ...call,
  callId: callIdOf({ claimedAtMs, seq, token }),
  isLastAttempt: isLastAttempt === 1,
  lead: json,
})

/** `stale`: JSON of StaleLanes. Null: no lane is stale. */
export type StaleLanesRow = { readonly stale: string | null }

type StateRow = Verdict &
  AgentState & {
    readonly isReused: number
    readonly isPepperLost: number
    readonly isReplay: number | null
    /** Candidates that were leased or postponed; null: none. */
    readonly picked: number | null
    readonly mustSettle: number
  } & StaleLanesRow & { readonly hasRunOut: number | null } & {
    readonly [Name in keyof QueueStateRow]: number | null
  }

export type ClaimAnswer = {
  readonly result: ClaimResult
  /** Null: access is denied. */
  readonly campaignNumber: number | null
  /** When another claim may find something; null: nothing is known. */
  readonly nextMs: number | null
  /** Candidates that were leased or postponed. */
  readonly picked: number
  readonly stale: StaleLanes | null
  /** Nothing was picked: the openings have to be written first. */
  readonly hasRunOut: boolean
  /** settlingSteps have something to do. */
  readonly mustSettle: boolean
  /** The claim read so many heads that the lanes in which nothing is due should be noted as resting. */
  readonly isLongRead: boolean
}

/** `rows` are those of answersTo. */
export function readAnswer(rows: readonly (readonly unknown[])[], nowMs: number): ClaimAnswer {
  const [calls, states] = rows
  const row = states?.[0] as StateRow | undefined
  const hasRunOut = row?.hasRunOut === 1
  return {
    result: readResult(calls as readonly CallRow[], row, whyEmpty(row, nowMs)),
    campaignNumber: row?.number ?? null,
    nextMs: row === undefined ? null : nextMsOf(row, nowMs),
    picked: row?.picked ?? 0,
    stale: readStaleLanes(row),
    hasRunOut,
    mustSettle: row?.mustSettle === 1,
    isLongRead: isLongRead(queueRowOf(row)),
  }
}

/** Undefined: the claim has leased calls. */
const queueRowOf = (row: StateRow | undefined) =>
  row?.isConfigured == null ? undefined : (row as QueueStateRow)

function whyEmpty(row: StateRow | undefined, nowMs: number): NoCalls {
  const ofQueue = queueStateOf(queueRowOf(row), nowMs)
  // Then no agent gets calls, failing or not.
  if (ofQueue.reason === 'paused' || ofQueue.reason === 'not_configured') return ofQueue
  return (row && blockOf(row, nowMs)) ?? (row?.hasRunOut === 1 ? claimAgainSoon : ofQueue)
}

/** A blocked agent gets nothing before its block ends, and nobody while lanes have no openings written. */
function nextMsOf(row: StateRow, nowMs: number): number | null {
  const block = blockOf(row, nowMs)
  if (block !== null) return nowMs + block.retryAfterSeconds * 1000
  return row.hasRunOut === 1 ? nowMs : nextMoment(queueRowOf(row), nowMs)
}

/** `empty`: why nothing is claimed. */
function readResult(rows: readonly CallRow[], state: StateRow | undefined, empty: NoCalls): ClaimResult {
  if (isRefused(state)) return refusalOf(state)
  if (state.isPepperLost === 1) return { kind: 'pepper_lost' }
  if (state.isReused === 1) return { kind: 'reused' }
  const calls = rows.map(readCall)
  const isReplay = state.isReplay === 1
  if (calls.length > 0) return { kind: 'claimed', calls, isReplay, reason: null, retryAfterSeconds: null }
  // All candidates were blocked and are postponed: the next claim finds those behind them.
  if (state.picked !== null)
    return { kind: 'claimed', calls, isReplay, reason: 'waiting', retryAfterSeconds: 1 }
  return { kind: 'claimed', calls, isReplay, ...empty }
}

export const readStaleLanes = (row: StaleLanesRow | undefined): StaleLanes | null =>
  JSON.parse(row?.stale ?? 'null')
