// A round that follows the calls of a dialer: writes what is known of them, asks for those that are due, reports those that
// are over, and keeps the leases of the others.
import { listCallsOfKey, noteStarted, readStops } from '../../calling/store/dialled-calls.ts'
import { extendCalls } from '../../calling/store/extend.ts'
import { releaseCalls } from '../../calling/store/release.ts'
import { reportCalls } from '../../calling/store/report.ts'
import type { CallReport } from '../../calling/store/sql/report-steps.ts'
import { limits } from '../../limits.ts'
import type { DialerCall } from '../dialer-memory.ts'
import { afterAnswer, afterLoss, afterReport, type Ended, noteFact } from './call-steps.ts'
import {
  isForgotten,
  isLost,
  leaseSeconds,
  maxCallSecondsOf,
  needsExtension,
  nextAskAtMs,
} from './follow-call.ts'
import { accessOf, type Run, requestsAtOnce } from './round.ts'

const asksPerRound = 10

/** Throws DatabaseUnavailable. */
export async function followCalls(run: Run): Promise<void> {
  const { memory, dialer, now } = run
  if (run.mustTidy) await returnUnknownCalls(run)
  for (const call of memory.calls) if (isForgotten(call, now())) memory.forgetCall(call.callId)
  await noteStarts(run)
  await returnCalls(run)

  const maxSeconds = maxCallSecondsOf(dialer.variables)
  const due = memory.calls.filter((call) => (nextAskAtMs(call) ?? Number.POSITIVE_INFINITY) <= now())
  const ended: Ended[] = []
  await inTurns(due.slice(0, asksPerRound), requestsAtOnce, async (call) => {
    const sentMs = now()
    const timeZone = call.timeZone ?? dialer.timeZone ?? 'UTC'
    const ofCall = { timeZone, overAtMs: call.overAtMs ?? sentMs }
    const { standing, problem } = await run.provider.ask(call.providerId as string, sentMs, ofCall)
    if (problem !== null) memory.change({ problem })
    const found = afterAnswer(memory, call, { standing, sentMs }, now())
    if (found !== null) ended.push(found)
    const after = memory.call(call.callId)
    if (after === null || !isLost(after, maxSeconds, now())) return
    await run.provider.hangUp(call.providerId as string)
    afterLoss(memory, call.callId, now())
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
      unknown.slice(0, limits.callsPerRequest).map((callId) => ({ callId, delaySeconds: 0 })),
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
  for (const { callId } of unnoted) run.memory.changeCall(callId, { isNoted: true })
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
    // Nobody can report them any more: their leases end as `unknown`.
    noteFact(memory, { kind: 'key_revoked' }, now())
    for (const { call } of ended) memory.forgetCall(call.callId)
    return
  }
  answer.results.forEach(({ result }, index) => {
    afterReport(memory, ended[index] as Ended, result, now())
  })
  memory.change({ wantsStart: true })
}

/** The end of a lease that is lost, or that a revoked key cannot extend: it is not tried again. */
const notExtended = Number.MAX_SAFE_INTEGER

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
      for (const { callId } of followed) memory.changeCall(callId, { leaseEndsAtMs: notExtended })
      return
    }
    for (const { callId, leaseExpiresAtMs, stop } of result.calls) {
      stops.set(callId, stop)
      // The call is followed to its end, which corrects the `unknown` of a lost lease.
      memory.changeCall(callId, { leaseEndsAtMs: leaseExpiresAtMs ?? notExtended })
    }
  } else
    for (const [callId, stop] of (await readStops(db, accessOf(run), callIds)) ?? []) stops.set(callId, stop)
  const forbidden = followed.filter(
    (call) =>
      ['erased', 'suppressed', 'consent_withdrawn'].includes(stops.get(call.callId) ?? '') && !call.isHungUp,
  )
  await inTurns(forbidden.slice(0, asksPerRound), requestsAtOnce, async ({ callId, providerId }) => {
    const isDone = await run.provider.hangUp(providerId as string)
    if (!isDone) return
    if (stops.get(callId) === 'erased') memory.forgetCall(callId)
    else memory.changeCall(callId, { isHungUp: true })
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
