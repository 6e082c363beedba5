// A round that follows the calls of a dialer: writes what is known of them, keeps the leases of those that are live,
// asks and hangs up, and reports those that are over. What one call throws sets that call aside.

import { DatabaseUnavailable, isOfValues } from '../../../base/database/database.ts'
import { limits } from '../../../base/limits.ts'
import {
  endLeases,
  listUndialledOfKey,
  noteStarted,
  readStops,
} from '../../../queue/calling/store/dialled-calls.ts'
import { extendCalls } from '../../../queue/calling/store/extend.ts'
import { releaseCalls } from '../../../queue/calling/store/release.ts'
import { reportCalls } from '../../../queue/calling/store/report.ts'
import type { CallReport } from '../../../queue/calling/store/sql/report-steps.ts'
import type { DialerCall } from '../dialer-call.ts'
import { keepLostKey } from '../store/run-dialer.ts'
import { afterLoss, setAside } from './call-doubtful.ts'
import { afterAnswer, hangUpAtMs } from './call-following.ts'
import { afterFailedReport, afterReport, afterUnknown, reportOf, returnUndialled } from './call-over.ts'
import { noteExchange, noteFact, noteFactOf, noteFailing, noteProblem, standingOf } from './dialer-notes.ts'
import {
  isForgotten,
  isLost,
  isOverdue,
  isReportDue,
  leaseSeconds,
  mayBeLive,
  mayExtend,
  needsExtension,
  nextAskAtMs,
} from './follow-call.ts'
import { accessOf, type Budget, inTurns, maxSecondsOf, providerOfCall, type Run } from './round.ts'

/** So many take six at a time no longer than the longest start. */
const requestsPerRound = 18
/** A hang-up may have to ask first. */
const requestsPerHangUp = 2
const hangUpsPerRound = 6
/** Starts that are noted one by one. */
const notesAlone = 4
/** Leases that end, and a report with a do-not-call, and details in two parts. */
const reportCost = 14
const reportsPerRound = 50

/** What fails before calls are asked for and reported is thrown after that. Throws DatabaseUnavailable. */
export async function followCalls(run: Run, budget: Budget): Promise<void> {
  const { memory, now } = run
  for (const call of memory.calls)
    if (isForgotten(call, maxSecondsOf(run, call), now())) memory.forgetCall(call.callId)
  const failures: unknown[] = []
  for (const step of [
    meetRow,
    ...(run.mustRecover ? [returnUnknownCalls] : []),
    noteStarts,
    releaseRefused,
    keepLeases,
  ])
    await step(run).catch((error: unknown) => failures.push(error))
  const most = Math.min(requestsPerRound, budget.left() - reportCost)
  const hangUps = hangUpTasks(run, Math.min(hangUpsPerRound, Math.floor(most / requestsPerHangUp)))
  await inTurns([...hangUps, ...askTasks(run, most - hangUps.length * requestsPerHangUp)])
  await report(run)
  if (failures.length > 0) throw failures[0]
}

/**
 * When its row is lost, and when it is there again: then leases are extended again, where they have not ended
 * meanwhile.
 */
async function meetRow({ db, memory, campaign, dialer, now }: Run): Promise<void> {
  const { isLost, keyId } = dialer
  if (isLost) await keepLostKey(db, campaign, keyId, now())
  if (memory.state.isLost === isLost) return
  memory.change({ isLost })
  if (isLost) return
  for (const { callId, leaseEndsAtMs } of memory.calls.filter(mayBeLive))
    if (leaseEndsAtMs === notExtended) memory.changeCall(callId, { leaseEndsAtMs: now() })
}

/**
 * Calls of its own key that the memory does not have were never started, unless they are known to be dialled: a memory
 * may be lost. Those that it was starting may have been.
 */
async function returnUnknownCalls(run: Run): Promise<void> {
  const { db, memory, campaign, dialer, now } = run
  for (const call of memory.calls)
    if (call.state === 'starting') {
      memory.setCall({ ...call, state: 'doubtful' })
      noteFactOf(memory, call, { kind: 'may_have_rung' }, now())
    }
  const open = await listUndialledOfKey(db, { ...campaign, keyId: dialer.keyId, nowMs: now() })
  const unknown = open.filter((callId) => memory.call(callId) === null)
  if (unknown.length > 0)
    await releaseCalls(
      db,
      accessOf(run),
      unknown.slice(0, limits.callsPerRequest).map((callId) => ({ callId, delaySeconds: 0 })),
    )
}

/** In one transaction; where the database refuses what it holds, some alone, and what it refuses then is not noted. */
async function noteStarts(run: Run): Promise<void> {
  const unnoted = run.memory.calls.filter((call) => call.providerId !== null && !call.isNoted)
  if (unnoted.length === 0) return
  try {
    await noteTogether(run, unnoted)
  } catch (error) {
    if (!isOfCalls(error)) throw error
    for (const call of unnoted.slice(0, notesAlone)) await noteAlone(run, call)
  }
}

async function noteTogether(run: Run, calls: readonly DialerCall[]): Promise<void> {
  const started = calls.map(({ callId, providerId, startedAtMs }) => ({
    callId,
    providerCallId: providerId as string,
    startedAtMs,
  }))
  await noteStarted(run.db, accessOf(run), started)
  // Noting it again changes nothing.
  for (const { callId } of calls) {
    const call = run.memory.call(callId)
    if (call !== null) run.memory.setCallLater({ ...call, isNoted: true })
  }
}

async function noteAlone(run: Run, call: DialerCall): Promise<void> {
  try {
    await noteTogether(run, [call])
  } catch (error) {
    if (!isOfCalls(error)) throw error
    run.memory.changeCall(call.callId, { isNoted: true })
    noteFailing(run.memory, error, run.now())
  }
}

/** Calls that were not dialled. Those that were refused twice are reported. */
async function releaseRefused(run: Run): Promise<void> {
  const { db, memory } = run
  const released = memory.calls.filter(({ state, outcome }) => state === 'returning' && outcome === null)
  if (released.length === 0) return
  const { kind } = await releaseCalls(db, accessOf(run), released)
  if (isRefusedFirst(run, kind)) return
  for (const { callId } of released) memory.forgetCall(callId)
  memory.change({ wantsStart: true })
}

/** The key is revoked: the service itself records the same in the next round. */
function isRefusedFirst({ memory, dialer, now }: Run, kind: string): boolean {
  if (kind !== 'key_refused' || dialer.isLost || memory.state.health.stopped === 'key_revoked') return false
  noteFact(memory, { kind: 'key_revoked' }, now())
  return true
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

const isRefusedTwice = ({ state, outcome }: DialerCall) => state === 'returning' && outcome !== null

/** Ends that are due, in one transaction; after one that failed, each of them alone. */
async function report(run: Run): Promise<void> {
  const { memory, now } = run
  returnUndialled(memory, now())
  await endUnknown(run)
  const due = memory.calls.filter((call) => isRefusedTwice(call) || isReportDue(call, now()))
  const fresh = due.filter(({ failedReports }) => failedReports === 0)
  const [alone] = due.toSorted((one, other) => one.failedReports - other.failedReports)
  const calls = fresh.length > 0 ? fresh.slice(0, reportsPerRound) : alone === undefined ? [] : [alone]
  if (calls.length === 0) return
  try {
    await reportTogether(run, calls)
  } catch (error) {
    if (!isOfCalls(error)) throw error
    for (const { callId } of calls) afterFailedReport(memory, callId, error, now())
  }
}

/** Ends of which nothing is known, and that nobody reports: the leases end now. */
async function endUnknown(run: Run): Promise<void> {
  const { db, memory, now } = run
  const unknown = memory.calls.filter((call) => call.end?.isUnknown && isReportDue(call, now()))
  if (unknown.length === 0) return
  await endLeases(
    db,
    accessOf(run),
    unknown.map(({ callId }) => callId),
  )
  for (const call of unknown) afterUnknown(memory, call, now())
  memory.change({ wantsStart: true })
}

/** An error of any other text is one of the database: the round is repeated. */
const isOfCalls = (error: unknown) => !(error instanceof DatabaseUnavailable) || isOfValues(error)

async function reportTogether(run: Run, calls: readonly DialerCall[]): Promise<void> {
  const { db, memory, now } = run
  const reports = calls.map((call) => (isRefusedTwice(call) ? refusalReport(call) : reportOf(memory, call)))
  const { kind, ...answer } = await reportCalls(db, accessOf(run), reports)
  if (isRefusedFirst(run, kind)) return
  calls.forEach((call, index) => {
    const result = 'results' in answer ? answer.results[index]?.result : undefined
    // Not even the service itself may: the campaign is gone.
    if (result === undefined || isRefusedTwice(call)) memory.forgetCall(call.callId)
    else afterReport(memory, call, result, now())
  })
  memory.change({ wantsStart: true })
}

/** The end of a lease that is lost, or must not be extended: it is not tried again. */
const notExtended = Number.MAX_SAFE_INTEGER
const forbidding = ['erased', 'suppressed', 'consent_withdrawn']

/** Extends all leases when one of them ends soon, and notes which calls must end. */
async function keepLeases(run: Run): Promise<void> {
  const { db, memory, now } = run
  const followed = memory.calls.filter(mayBeLive)
  if (followed.length === 0) return
  if (run.dialer.isLost || memory.state.health.stopped === 'key_revoked') return hangUpAll(run, followed)
  const [extended, others] = [new Set<string>(), new Set<string>()]
  const isEnding = followed.some((call) => needsExtension(call, now()))
  for (const call of followed) {
    const isEnded = call.isOverdue && call.isHungUp
    const isOpen = !isEnded && call.reportedAtMs === null
    const may = isEnding && isOpen && mayExtend(call, maxSecondsOf(run, call), now())
    if (isEnding && !may && needsExtension(call, now()))
      memory.changeCall(call.callId, { leaseEndsAtMs: notExtended })
    ;(may ? extended : others).add(call.callId)
  }
  const stops = new Map<string, string | null>()
  if (extended.size > 0) {
    const callIds = [...extended]
    const result = await extendCalls(db, accessOf(run), { callIds, leaseSeconds, dialledAtMs: null })
    if (result.kind === 'key_refused') return hangUpAll(run, followed)
    for (const { callId, leaseExpiresAtMs, stop } of result.calls) {
      stops.set(callId, stop)
      // The call is followed to its end, which corrects the `unknown` of a lost lease.
      memory.changeCall(callId, { leaseEndsAtMs: leaseExpiresAtMs ?? notExtended })
    }
  }
  if (others.size > 0) {
    const found = await readStops(db, accessOf(run), [...others])
    if (found === null) return hangUpAll(run, followed)
    for (const [callId, stop] of found) stops.set(callId, stop)
  }
  for (const { callId, mustHangUp } of followed) {
    const stop = stops.get(callId) ?? ''
    const isErased = stop === 'erased'
    if ((!mustHangUp || isErased) && forbidding.includes(stop))
      memory.changeCall(callId, { mustHangUp: true, isErased })
  }
}

/** Nobody keeps the leases of these calls any more. */
function hangUpAll({ memory, dialer, now }: Run, followed: readonly DialerCall[]): void {
  if (!dialer.isLost && memory.state.health.stopped !== 'key_revoked')
    noteFact(memory, { kind: 'key_revoked' }, now())
  for (const { callId, mustHangUp, leaseEndsAtMs } of followed)
    if (!mustHangUp || leaseEndsAtMs !== notExtended)
      memory.changeCall(callId, { leaseEndsAtMs: notExtended, mustHangUp: true })
}

const askDueAtMs = (call: DialerCall) => nextAskAtMs(call) ?? Number.POSITIVE_INFINITY

/** Those never tried first. One that rings, and is to be asked by now, is not hung up before that. */
export function hangUpTasks(run: Run, most: number): readonly (() => Promise<void>)[] {
  const { memory, now } = run
  const mustAsk = (call: DialerCall) => !call.mustHangUp && askDueAtMs(call) <= now()
  return memory.calls
    .filter((call) => hangUpAtMs(call) <= now() && !mustAsk(call))
    .toSorted((one, other) => hangUpAtMs(one) - hangUpAtMs(other))
    .slice(0, Math.max(most, 0))
    .map((call) => async () => {
      const { callId } = call
      memory.changeCall(callId, { hangUpTriedAtMs: now() })
      try {
        if (await hangUp(run, call)) memory.changeCall(callId, { isHungUp: true })
      } catch (error) {
        noteThrown(run, callId, error)
      }
    })
}

/** Returns whether the provider took it, or there is nothing to send. */
async function hangUp(run: Run, call: DialerCall): Promise<boolean> {
  const { isTaken, seen, show } = await providerOfCall(run, call).hangUp(call.providerId as string)
  noteExchange(run.memory, 'hangUp', call, { seen, show, verdict: isTaken ? 'taken' : 'refused' }, run.now())
  return isTaken
}

/** Those that have waited longest first. A call that is lost may have to be hung up. */
export function askTasks(run: Run, most: number): readonly (() => Promise<void>)[] {
  const { memory, now } = run
  let left = most
  return memory.calls
    .filter((call) => askDueAtMs(call) <= now())
    .toSorted((one, other) => askDueAtMs(one) - askDueAtMs(other))
    .filter((call) => {
      left -= isLost(call, now()) ? 1 + requestsPerHangUp : 1
      return left >= 0
    })
    .map((call) => async () => {
      try {
        await ask(run, call)
      } catch (error) {
        noteThrown(run, call.callId, error)
      }
    })
}

async function ask(run: Run, call: DialerCall): Promise<void> {
  const { memory, now } = run
  const { callId } = call
  const provider = providerOfCall(run, call)
  const sentMs = now()
  const timeZone = call.timeZone ?? run.dialer.timeZone ?? 'UTC'
  const { hasRungOut, hasTalked, saidNo } = call
  const ofCall = { timeZone, overAtMs: call.overAtMs ?? sentMs, hasRungOut, hasTalked, saidNo }
  const { problem, seen, show, ...asked } = await provider.ask(call.providerId as string, sentMs, ofCall)
  noteProblem(memory, call, problem)
  noteExchange(memory, 'status', call, { seen, show, verdict: standingOf(asked) }, now())
  afterAnswer(memory, call, { ...asked, sentMs }, now())
  const after = memory.call(callId)
  if (after?.providerId == null) return
  if (isLost(after, now())) {
    await hangUp(run, call)
    afterLoss(memory, callId, now())
  } else if (!after.isOverdue && isOverdue(after, maxSecondsOf(run, call), now()))
    memory.changeCall(callId, { isOverdue: true, mustHangUp: true })
}

/** A call whose end was seen is reported all the same. */
function noteThrown({ memory, now }: Run, callId: string, error: unknown): void {
  if (memory.call(callId)?.end === null) setAside(memory, callId, error, now())
  else memory.changeCall(callId, { askedAtMs: now() })
}
