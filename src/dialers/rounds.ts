// What a dialer does when it is woken, one round at a time. A state machine: what stands in the memory decides what is done,
// and is written before anything is sent.
//
//   state      what moves it there                    what is done in it, and where it goes
//   starting   claimed; written before the request    the start is sent, once: following, doubtful or returning.
//                                                     Found in a new life of the object: doubtful
//   following  started, with the provider's id        asked every 15 s; its lease is extended; hung up when the person
//                                                     must not be called. Over: reported, and forgotten or `reported`.
//                                                     Over, and not dialled: returning. Cannot be asked: doubtful
//   doubtful   it may have rung, and cannot be asked  nothing: its lease ends as `unknown`. Its seat is free after 120 s
//   returning  not dialled                            released, or reported when it was refused twice; forgotten
//   reported   reported without all that its end has  asked for an hour, since it may be a do-not-call; forgotten
//
// A round follows or starts, and another one comes at once while there is more, so that none sends more than 40 statements
// and requests. What happened to a call is written without an await in between (call-steps.ts). A round that throws is
// repeated: reports, releases and notes that were recorded before change nothing.

import { randomBase62 } from '../base62.ts'
import { timerOf } from '../calling/bell/moments.ts'
import { readOutlook } from '../calling/bell/store/outlook.ts'
import { beginClaim, type ClaimedCall } from '../calling/store/claim.ts'
import { listCallsOfKey, noteStarted, readStops } from '../calling/store/dialled-calls.ts'
import { extendCalls } from '../calling/store/extend.ts'
import { releaseCalls } from '../calling/store/release.ts'
import { reportCalls } from '../calling/store/report.ts'
import type { CallReport } from '../calling/store/sql/report-steps.ts'
import type { WaitedCampaign } from '../campaigns/waited-campaign.ts'
import { leadTokenChars } from '../leads/lead.ts'
import type { NumberHashes } from '../ledger/suppression/number-hash.ts'
import {
  afterAnswer,
  afterLoss,
  afterReport,
  afterStart,
  type Ended,
  noteFact,
  startingCall,
} from './call-steps.ts'
import { startsAllowed } from './dialer-health.ts'
import type { DialerCall, DialerMemory } from './dialer-memory.ts'
import {
  holdsSeat,
  isForgotten,
  isFresh,
  isLost,
  leaseSeconds,
  maxCallSecondsOf,
  needsExtension,
  nextAskAtMs,
  nextStepAtMs,
} from './follow-call.ts'
import type { Provider } from './provider.ts'
import type { DialerToRun } from './store/rounds.ts'
import { leadValues } from './template/placeholders.ts'

export const agentName = 'dialer'
const requestsAtOnce = 5
const asksPerRound = 10
/** Of a campaign without a pace of its own. */
const startsPerMinute = 60
const minuteMs = 60_000

export type Run = {
  readonly db: D1Database
  readonly memory: DialerMemory
  readonly campaign: WaitedCampaign
  readonly dialer: DialerToRun
  readonly provider: Provider
  readonly hashes: NumberHashes
  readonly now: () => number
  /** The URL for nudges of one call. */
  readonly endUrl: (callId: string) => string | undefined
  /** The first round since the object was made. */
  readonly isFirst: boolean
}

/** Returns when the next round is due; null: when it is woken. Throws DatabaseUnavailable. */
export async function takeRound(run: Run): Promise<number | null> {
  const { memory, now } = run
  const { waiting } = memory.state
  if (waiting !== null && timerOf(waiting.nextMs, waiting.atMs) <= now())
    memory.change({ wantsStart: true, waiting: null })
  if (memory.state.wantsStart && roomOf(run) > 0) await startCalls(run)
  else await followCalls(run)
  return nextRoundAtMs(run)
}

function accessOf({ dialer, campaign, now }: Run) {
  const { keyId } = dialer
  return { keyId, companyId: campaign.companyId, actor: keyId, requestId: null, nowMs: now() }
}

/** How many calls it may start in one round. */
function roomOf({ memory, dialer, now }: Run): number {
  if (!dialer.isEnabled || dialer.isRemoved) return 0
  const nowMs = now()
  const { health, startsMs } = memory.state
  const live = memory.calls.filter((call) => holdsSeat(call, nowMs))
  const trying = live.filter(({ startedAtMs }) => startedAtMs >= (health.rest?.untilMs ?? 0))
  const recent = startsMs.filter((ms) => ms > nowMs - minuteMs).length
  return Math.min(
    requestsAtOnce,
    dialer.maxLive - live.length,
    startsAllowed(health, trying.length, nowMs),
    dialer.callsPerMinute === null ? startsPerMinute - recent : requestsAtOnce,
  )
}

async function startCalls(run: Run): Promise<void> {
  const { db, memory, dialer, hashes, now } = run
  const room = roomOf(run)
  const access = { ...accessOf(run), campaignId: dialer.campaignId }
  const origin = { ...access, requestToken: randomBase62(leadTokenChars), requestKey: null, hashes }
  const wanted = { maxCalls: room, leaseSeconds, agent: agentName }
  const first = await beginClaim(db, origin, wanted, { mayWait: false })
  const { result, nextMs } = first.mustTryAgain ? await first.tryAgain(access.nowMs) : first
  if (result.kind !== 'claimed') {
    memory.change({ wantsStart: false, waiting: null })
    if (result.kind !== 'pepper_lost') noteFact(memory, { kind: 'key_revoked' }, now())
    return
  }
  const { calls } = result
  const nowMs = now()
  // Before anything is awaited: so a call that stands in no memory was never started.
  for (const call of calls) memory.setCall(startingCall(call, memory.state.health, nowMs))
  const startsMs = memory.state.startsMs.filter((ms) => ms > nowMs - minuteMs)
  memory.change({
    wantsStart: calls.length > 0,
    waiting: calls.length > 0 ? null : { reason: result.reason ?? 'empty', nextMs, atMs: access.nowMs },
    startsMs: [...startsMs, ...calls.map(() => nowMs)],
  })
  if (calls.length === 0) return
  const stops = isFresh(access.nowMs, nowMs)
    ? null
    : await readStops(
        db,
        access,
        calls.map(({ callId }) => callId),
      )
  await Promise.all(calls.map((call) => startCall(run, call, (stops?.get(call.callId) ?? null) !== null)))
  if (calls.length === room) return
  const outlook = await readOutlook(db, run.campaign, now())
  if (!outlook.canLease)
    memory.change({ wantsStart: false, waiting: { reason: 'empty', nextMs: outlook.nextMs, atMs: now() } })
}

async function startCall(run: Run, claimed: ClaimedCall, mustStop: boolean): Promise<void> {
  const { memory, provider, now, endUrl } = run
  const { callId, attempt, dialBeforeMs } = claimed
  const call = memory.call(callId)
  if (call === null) return
  if (mustStop || now() >= dialBeforeMs) {
    memory.setCall({ ...call, state: 'returning' })
    return
  }
  const { _id, ...lead } = JSON.parse(claimed.lead)
  const values = {
    lead: leadValues({ ...lead, leadId: _id, attempt }),
    call: { callId, endUrl: endUrl(callId) },
  }
  const started = await provider.start(values, now())
  afterStart(memory, call, started, now())
}

async function followCalls(run: Run): Promise<void> {
  const { memory, dialer, now } = run
  if (run.isFirst) await returnUnknownCalls(run)
  for (const call of memory.calls) if (isForgotten(call, now())) memory.forgetCall(call.callId)
  await noteStarts(run)
  await returnCalls(run)

  const maxSeconds = maxCallSecondsOf(dialer.variables)
  const due = memory.calls.filter((call) => (nextAskAtMs(call) ?? Number.POSITIVE_INFINITY) <= now())
  const ended: Ended[] = []
  await inTurns(due.slice(0, asksPerRound), requestsAtOnce, async (call) => {
    const standing = await run.provider.ask(call.providerId as string, now())
    const found = afterAnswer(memory, call, standing, now())
    if (found !== null) ended.push(found)
    const after = memory.call(call.callId)
    if (after === null || !isLost(after, maxSeconds, now())) return
    await run.provider.hangUp(call.providerId as string)
    afterLoss(memory, call.callId)
  })
  await report(run, ended)
  await keepLeases(run)
}

/** Calls of its own key that the memory does not have were never started. Those that it was starting may have been. */
async function returnUnknownCalls(run: Run): Promise<void> {
  const { db, memory, campaign, dialer, now } = run
  for (const call of memory.calls)
    if (call.state === 'starting') {
      memory.setCall({ ...call, state: 'doubtful' })
      noteFact(memory, { kind: 'may_have_rung' }, now())
    }
  const open = await listCallsOfKey(db, { ...campaign, keyId: dialer.keyId, nowMs: now() })
  const unknown = open.filter((callId) => memory.call(callId) === null)
  if (unknown.length > 0)
    await releaseCalls(
      db,
      accessOf(run),
      unknown.slice(0, 100).map((callId) => ({ callId, delaySeconds: 0 })),
    )
}

async function noteStarts(run: Run): Promise<void> {
  const unnoted = run.memory.calls.filter((call) => call.providerId !== null && !call.isNoted)
  if (unnoted.length === 0) return
  const started = unnoted.map(({ callId, providerId, startedAtMs }) => ({
    callId,
    providerCallId: providerId as string,
    startedAtMs,
  }))
  await noteStarted(run.db, accessOf(run), started)
  for (const { callId } of unnoted) {
    const call = run.memory.call(callId)
    if (call !== null) run.memory.setCall({ ...call, isNoted: true })
  }
}

async function returnCalls(run: Run): Promise<void> {
  const { db, memory } = run
  const returning = memory.calls.filter(({ state }) => state === 'returning')
  const released = returning.filter(({ outcome }) => outcome === null)
  const refused = returning.flatMap((call) => (call.outcome === null ? [] : [refusalReport(call)]))
  if (released.length > 0) await releaseCalls(db, accessOf(run), released)
  if (refused.length > 0) await reportCalls(db, accessOf(run), refused)
  for (const { callId } of returning) memory.forgetCall(callId)
  if (returning.length > 0) memory.change({ wantsStart: true })
}

const refusalReport = ({ callId, outcome, providerId }: DialerCall): CallReport => ({
  callId,
  outcome: outcome ?? 'failed',
  callbackAtMs: null,
  doNotCall: false,
  durationSeconds: null,
  providerCallId: providerId,
  details: JSON.stringify({ dialer: 'the provider refused this lead twice' }),
})

async function report(run: Run, ended: readonly Ended[]): Promise<void> {
  if (ended.length === 0) return
  const { db, memory, now } = run
  const { kind, ...answer } = await reportCalls(
    db,
    accessOf(run),
    ended.map(({ report }) => report),
  )
  if (kind === 'key_refused' || !('results' in answer)) {
    noteFact(memory, { kind: 'key_revoked' }, now())
    return
  }
  answer.results.forEach(({ result }, index) => {
    afterReport(memory, ended[index] as Ended, result, now())
  })
  memory.change({ wantsStart: true })
}

/** Extends all leases when one of them ends soon, and hangs up where the person must not be called. */
async function keepLeases(run: Run): Promise<void> {
  const { db, memory, now } = run
  const followed = memory.calls.filter(({ state }) => state === 'following')
  if (followed.length === 0) return
  const callIds = followed.map(({ callId }) => callId)
  const stops = new Map<string, string | null>()
  if (followed.some((call) => needsExtension(call, now()))) {
    const result = await extendCalls(db, accessOf(run), { callIds, leaseSeconds, dialledAtMs: null })
    if (result.kind === 'key_refused') {
      noteFact(memory, { kind: 'key_revoked' }, now())
      return
    }
    for (const { callId, leaseExpiresAtMs, stop } of result.calls) {
      stops.set(callId, stop)
      const call = memory.call(callId)
      // A lost lease is not extended again; the call is followed to its end, which corrects the `unknown`.
      const leaseEndsAtMs = leaseExpiresAtMs ?? Number.MAX_SAFE_INTEGER
      if (call !== null) memory.setCall({ ...call, leaseEndsAtMs })
    }
  } else for (const [callId, stop] of await readStops(db, accessOf(run), callIds)) stops.set(callId, stop)
  const forbidden = followed.filter(
    (call) => ['erased', 'suppressed'].includes(stops.get(call.callId) ?? '') && !call.isHungUp,
  )
  await inTurns(forbidden.slice(0, asksPerRound), requestsAtOnce, async ({ callId, providerId }) => {
    await run.provider.hangUp(providerId as string)
    const call = memory.call(callId)
    if (stops.get(callId) === 'erased') memory.forgetCall(callId)
    else if (call !== null) memory.setCall({ ...call, isHungUp: true })
  })
}

async function inTurns<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const left = [...items]
  const takeNext = async (): Promise<void> => {
    const next = left.shift()
    if (next === undefined) return
    await work(next)
    await takeNext()
  }
  await Promise.all(Array.from({ length: atOnce }, takeNext))
}

function nextRoundAtMs(run: Run): number | null {
  const { memory, dialer, now } = run
  const nowMs = now()
  const { wantsStart, waiting, health, startsMs } = memory.state
  const steps = memory.calls.map((call) => nextStepAtMs(call, isDue(call), nowMs))
  const room = roomOf(run)
  const mayStart = dialer.isEnabled && !dialer.isRemoved && health.stopped === null
  const start = wantsStart
    ? room > 0
      ? nowMs
      : Math.min(
          health.rest !== null && health.rest.untilMs > nowMs
            ? health.rest.untilMs
            : Number.POSITIVE_INFINITY,
          paceFreeAtMs(startsMs, dialer, nowMs),
        )
    : waiting === null
      ? Number.POSITIVE_INFINITY
      : timerOf(waiting.nextMs, waiting.atMs)
  const nextMs = Math.min(...steps, mayStart ? start : Number.POSITIVE_INFINITY)
  return Number.isFinite(nextMs) ? nextMs : null
}

/** Something is to be written for it. */
const isDue = ({ state, providerId, isNoted }: DialerCall) =>
  state === 'starting' || state === 'returning' || (providerId !== null && !isNoted)

/** When the pace of the dialer itself has room again. */
function paceFreeAtMs(startsMs: readonly number[], { callsPerMinute }: DialerToRun, nowMs: number): number {
  const recent = startsMs.filter((ms) => ms > nowMs - minuteMs)
  const isFull = callsPerMinute === null && recent.length >= startsPerMinute
  return isFull ? (recent[0] as number) + minuteMs : Number.POSITIVE_INFINITY
}
