// What a dialer does when it is woken, one round at a time. A state machine: what is in the memory decides what is
// done, and is written before anything is sent.
//
//   state      what moves it there                    what is done in it, and where it goes
//   starting   claimed; written before the request    the start is sent, once: following, doubtful or returning.
//                                                     Found in a new life of the object: doubtful
//   following  started, with the provider's id        asked every 15 s; its lease is extended; hung up when the
//                                                     person must not be called, or it lasts too long. Over: its
//                                                     end is kept, reported when it is complete or 180 s later, and
//                                                     forgotten or `reported`. Without any reason or talk, its lease
//                                                     ends as `unknown` in place of that. Not dialled: returning in
//                                                     place of reported. Cannot be asked: doubtful
//   doubtful   it may have rung, and cannot be asked  nothing: its lease ends as `unknown`. Its seat is free after
//              any more; or an error was thrown       120 s. After an error it counts in `state`
//   returning  not dialled                            released, or reported when it was refused twice; forgotten
//   reported   reported, and may still be found to    without all that was said: asked for an hour. With it, once
//              be a do-not-call                       more, 300 s after the end. Forgotten. Hung up as one that is
//                                                     followed while it is live again
//
// Each call is asked for and hung up with the settings by which it was started (dialer-memory.ts). A round follows what
// is due, or starts calls, by turns while there is both; another one comes at once while there is more, so that none
// sends more than 40 statements and requests, or takes longer than its starts. What happened to a call is written
// without an await in between (call-starting.ts, call-following.ts, call-over.ts). A round that throws is repeated:
// reports, releases and notes that were recorded before change nothing.

import { limits } from '../../../base/limits.ts'
import { timerOf } from '../../../queue/calling/bell/waiters.ts'
import type { DialerCall } from '../dialer-call.ts'
import type { DialerMemory } from '../dialer-memory.ts'
import { callShownMs, deafFrom, heardOf, problemShownMs, shownProblem } from '../dialer-status.ts'
import { keepOwner } from '../lost-dialer.ts'
import { templateOf } from '../provider.ts'
import { mayCall } from '../store/run-dialer.ts'
import { hears } from '../template/template.ts'
import { hangUpAtMs } from './call-following.ts'
import { startsAllowed } from './dialer-health.ts'
import { holdsSeat, isReportDue, nextStepAtMs } from './follow-call.ts'
import { followCalls } from './follow-calls.ts'
import { countStatements, type Run, requestsAtOnce } from './round.ts'
import { startCalls } from './start-calls.ts'
import { followTests } from './test-calls.ts'

/** For a campaign without a pace of its own. */
const startsPerMinute = limits.dialerStartsPerMinute
const minuteMs = 60_000

/** Returns when the next round is due; null: when it is woken. Throws DatabaseUnavailable. */
export async function takeRound(unlimited: Run): Promise<number | null> {
  const { memory, dialer, now } = unlimited
  const { db, budget } = countStatements(unlimited.db, memory.write)
  const run = { ...unlimited, db, providerOf: writingFirst(unlimited) }
  memory.adoptSettings(dialer)
  if (!dialer.isLost) keepOwner(memory, dialer)
  const { waiting, unmapped, failing } = memory.state
  if (unmapped !== null && unmapped.atMs + callShownMs <= now()) memory.change({ unmapped: null })
  if (failing !== null && failing.atMs + callShownMs <= now()) memory.change({ failing: null })
  for (const one of [memory, run.tests.memory])
    if (one.state.problem !== null && shownProblem(one.state, now()) === null) one.change({ problem: null })
  memory.trace.forgetOld(now())
  if (waiting !== null && timerOf(waiting.nextMs, waiting.atMs) <= now())
    memory.change({ wantsStart: true, waiting: null })
  const mayStart = !run.mustRecover && memory.state.wantsStart && roomOf(run) > 0
  const starts = mayStart && !(memory.startedLast && nextFollowAtMs(memory, now()) <= now())
  memory.startedLast = starts
  // What a test call throws spoils no other call.
  const testing = followTests(run, budget).catch(() => {})
  try {
    if (starts) await startCalls(run, roomOf(run), budget)
    else await followCalls(run, budget)
  } finally {
    await testing
  }
  waitForPace(run)
  noteDeaf(run)
  return nextRoundAtMs(run)
}

/** What is known of a call is written before anything is sent for it. */
function writingFirst({ providerOf, memory }: Run): Run['providerOf'] {
  return (settings) => {
    const { start, ask, hangUp, ...others } = providerOf(settings)
    const first =
      <Of extends unknown[], Result>(send: (...of: Of) => Result) =>
      (...of: Of): Result => {
        memory.write()
        return send(...of)
      }
    return { ...others, start: first(start), ask: first(ask), hangUp: first(hangUp) }
  }
}

/** A pointer of its template may lead nowhere, or the assistant fills nothing in. */
function noteDeaf({ memory, dialer, now }: Run): void {
  const { talked, understood } = heardOf(memory.state)
  const isDeaf = talked >= deafFrom && understood === 0 && hears(templateOf(dialer).status)
  const sinceMs = isDeaf ? (memory.state.deafSinceMs ?? now()) : null
  if (sinceMs !== memory.state.deafSinceMs) memory.change({ deafSinceMs: sinceMs })
}

/** How many calls it may start in one round. */
function roomOf({ memory, dialer, now }: Run): number {
  if (!mayCall(dialer)) return 0
  const nowMs = now()
  const { health } = memory.state
  const live = memory.calls.filter((call) => holdsSeat(call, nowMs))
  const trying = live.filter(({ startedAtMs }) => startedAtMs >= (health.rest?.untilMs ?? 0))
  return Math.min(
    requestsAtOnce,
    dialer.maxLive - live.length,
    startsAllowed(health, trying.length, nowMs),
    dialer.callsPerMinute === null ? startsPerMinute - recentStarts(memory, nowMs).length : requestsAtOnce,
  )
}

const recentStarts = ({ state }: DialerMemory, nowMs: number) =>
  state.startsMs.filter((ms) => ms > nowMs - minuteMs)

/** Leads may be ready, and it holds its own pace. */
function waitForPace({ memory, dialer, now }: Run): void {
  const [atMs, { wantsStart }] = [now(), memory.state]
  const [first, ...others] = recentStarts(memory, atMs)
  if (!wantsStart || !mayCall(dialer) || dialer.callsPerMinute !== null || first === undefined) return
  if (others.length + 1 < startsPerMinute) return
  memory.change({ wantsStart: false, waiting: { reason: 'pace', nextMs: first + minuteMs, atMs } })
}

function nextRoundAtMs(run: Run): number | null {
  const { memory, tests, dialer, now } = run
  const nowMs = now()
  const { unmapped, failing } = memory.state
  const never = Number.POSITIVE_INFINITY
  const forgetMs = [
    ...[unmapped, failing].map((one) => (one?.atMs ?? never) + callShownMs),
    ...[memory, tests.memory].map(({ state }) => (state.problem?.atMs ?? never) + problemShownMs),
  ]
  const startMs = mayCall(dialer) ? nextStartAtMs(run) : never
  const nextMs = Math.min(
    nextFollowAtMs(memory, nowMs),
    nextFollowAtMs(tests.memory, nowMs),
    ...forgetMs,
    ...[memory.trace, tests].map(({ forgetsAtMs }) => forgetsAtMs),
    startMs,
  )
  return Number.isFinite(nextMs) ? nextMs : null
}

function nextStartAtMs(run: Run): number {
  const { memory, now } = run
  const { wantsStart, waiting, health } = memory.state
  if (health.stopped !== null) return Number.POSITIVE_INFINITY
  if (!wantsStart) return waiting === null ? Number.POSITIVE_INFINITY : timerOf(waiting.nextMs, waiting.atMs)
  if (roomOf(run) > 0) return now()
  const untilMs = health.rest?.untilMs ?? 0
  return untilMs > now() ? untilMs : Number.POSITIVE_INFINITY
}

/** When a call needs something. */
const nextFollowAtMs = ({ calls }: DialerMemory, nowMs: number): number =>
  Math.min(...calls.map((call) => nextOfCallAtMs(call, nowMs)))

function nextOfCallAtMs(call: DialerCall, nowMs: number): number {
  const { state, providerId, isNoted } = call
  const isDue = state === 'returning' || (providerId !== null && !isNoted) || isReportDue(call, nowMs)
  return Math.min(nextStepAtMs(call, isDue, nowMs), hangUpAtMs(call))
}
