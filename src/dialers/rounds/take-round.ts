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
// A round follows what is due, or else starts, and another one comes at once while there is more, so that none sends more
// than 40 statements and requests. What happened to a call is written without an await in between (call-steps.ts). A round that throws is
// repeated: reports, releases and notes that were recorded before change nothing.

import { timerOf } from '../../calling/bell/moments.ts'
import { limits } from '../../limits.ts'
import type { DialerCall } from '../dialer-memory.ts'
import { unmappedShownMs } from '../dialer-status.ts'
import type { DialerToRun } from '../store/run-dialer.ts'
import { startsAllowed } from './dialer-health.ts'
import { holdsSeat, nextStepAtMs } from './follow-call.ts'
import { followCalls } from './follow-calls.ts'
import { type Run, requestsAtOnce } from './round.ts'
import { startCalls } from './start-calls.ts'

/** Of a campaign without a pace of its own. */
const startsPerMinute = limits.dialerStartsPerMinute
const startsAtOnce = requestsAtOnce
const minuteMs = 60_000

/** Returns when the next round is due; null: when it is woken. Throws DatabaseUnavailable. */
export async function takeRound(run: Run): Promise<number | null> {
  const { memory, now } = run
  const { waiting, unmapped } = memory.state
  if (unmapped !== null && unmapped.atMs + unmappedShownMs <= now()) memory.change({ unmapped: null })
  if (waiting !== null && timerOf(waiting.nextMs, waiting.atMs) <= now())
    memory.change({ wantsStart: true, waiting: null })
  const mayStart = !run.mustTidy && memory.state.wantsStart && !isFollowDue(run)
  if (mayStart && roomOf(run) > 0) await startCalls(run, roomOf(run))
  else await followCalls(run)
  return nextRoundAtMs(run)
}

/** A start may be answered late: calls that are live come first. */
const isFollowDue = ({ memory, now }: Run) =>
  memory.calls.some((call) => !isStarting(call) && nextStepAtMs(call, isDue(call), now()) <= now())

/** How many calls it may start in one round. */
function roomOf({ memory, dialer, now }: Run): number {
  if (!dialer.isEnabled || dialer.isRemoved) return 0
  const nowMs = now()
  const { health, startsMs, heldUntilMs } = memory.state
  if (nowMs < heldUntilMs) return 0
  const live = memory.calls.filter((call) => holdsSeat(call, nowMs))
  const trying = live.filter(({ startedAtMs }) => startedAtMs >= (health.rest?.untilMs ?? 0))
  const recent = startsMs.filter((ms) => ms > nowMs - minuteMs).length
  return Math.min(
    startsAtOnce - memory.calls.filter(isStarting).length,
    dialer.maxLive - live.length,
    startsAllowed(health, trying.length, nowMs),
    dialer.callsPerMinute === null ? startsPerMinute - recent : startsAtOnce,
  )
}

function nextRoundAtMs(run: Run): number | null {
  const { memory, dialer, now } = run
  const nowMs = now()
  const { wantsStart, waiting, health, startsMs, heldUntilMs, unmapped } = memory.state
  // The answer to a start is followed by a round of its own.
  const steps = memory.calls
    .filter((call) => !isStarting(call))
    .map((call) => nextStepAtMs(call, isDue(call), nowMs))
  const room = roomOf(run)
  const mayStart = dialer.isEnabled && !dialer.isRemoved && health.stopped === null
  const start = wantsStart
    ? room > 0
      ? nowMs
      : Math.min(
          ...[health.rest?.untilMs ?? 0, heldUntilMs].filter((ms) => ms > nowMs),
          paceFreeAtMs(startsMs, dialer, nowMs),
        )
    : waiting === null
      ? Number.POSITIVE_INFINITY
      : timerOf(waiting.nextMs, waiting.atMs)
  const forgetMs = unmapped === null ? Number.POSITIVE_INFINITY : unmapped.atMs + unmappedShownMs
  const nextMs = Math.min(...steps, forgetMs, mayStart ? start : Number.POSITIVE_INFINITY)
  return Number.isFinite(nextMs) ? nextMs : null
}

/** In this life of the object its request is under way. */
const isStarting = ({ state }: DialerCall) => state === 'starting'

/** Something is to be written for it. */
const isDue = ({ state, providerId, isNoted }: DialerCall) =>
  state === 'returning' || (providerId !== null && !isNoted)

/** When the pace of the dialer itself has room again. */
function paceFreeAtMs(startsMs: readonly number[], { callsPerMinute }: DialerToRun, nowMs: number): number {
  const recent = startsMs.filter((ms) => ms > nowMs - minuteMs)
  const isFull = callsPerMinute === null && recent.length >= startsPerMinute
  return isFull ? (recent[0] as number) + minuteMs : Number.POSITIVE_INFINITY
}
