// How a dialer is, in the words of the API, and as alerts are told.

import type { DialerCall, DialerMemory, DialerState, Problem } from './dialer-memory.ts'
import { isResting } from './rounds/dialer-health.ts'
import { holdsSeat } from './rounds/follow-call.ts'
import type { DialerNote } from './store/run-dialer.ts'

export const dialerStatuses = {
  running: 'calls are being made',
  idle: 'no lead is to be called now',
  waiting: 'leads may not be called now: hours, cap or pace; `reason` as in a claim',
  resting: 'the provider fails or is busy; it goes on by itself',
  stopped: 'it goes on only when it is changed or enabled',
  off: 'it is not enabled',
} as const

type DialerStatus = keyof typeof dialerStatuses

export type ShownState = {
  readonly status: DialerStatus
  /** Of `waiting` that of a claim; of `resting` and `stopped` that of dialer-health.ts. Null: there is none. */
  readonly reason: string | null
}

const problemShownMs = 3_600_000

function statusOf(
  { health, waiting }: DialerState,
  isEnabled: boolean,
  live: number,
  nowMs: number,
): ShownState {
  if (!isEnabled) return { status: 'off', reason: null }
  if (health.stopped !== null) return { status: 'stopped', reason: health.stopped }
  if (isResting(health, nowMs)) return { status: 'resting', reason: health.rest?.reason ?? null }
  if (live > 0) return { status: 'running', reason: null }
  if (waiting === null || waiting.reason === 'empty' || waiting.reason === 'waiting')
    return { status: 'idle', reason: null }
  return { status: 'waiting', reason: waiting.reason }
}

/** How it is, and since when: that is noted when it changes. */
export function showIn(
  memory: DialerMemory,
  isEnabled: boolean,
  nowMs: number,
): ShownState & { readonly sinceMs: number } {
  const { state, calls } = memory
  const shown = statusOf(state, isEnabled, countLive(calls, nowMs), nowMs)
  const before = state.shown
  const isSame = before?.status === shown.status && before.reason === shown.reason
  const changed = { ...shown, sinceMs: isSame ? before.sinceMs : nowMs }
  if (!isSame) memory.change({ shown: changed })
  return changed
}

export const countLive = (calls: readonly DialerCall[], nowMs: number) =>
  calls.filter((call) => holdsSeat(call, nowMs)).length

export const shownProblem = ({ problem }: DialerState, nowMs: number): Problem | null =>
  problem !== null && problem.atMs > nowMs - problemShownMs ? problem : null

/** A reason that a template does not have is told so long, and kept no longer. */
export const unmappedShownMs = 86_400_000

/** A shorter one is no alert. */
const longRestMs = 60_000

/** What alerts are raised for. */
export function noteOf({ health, healthSinceMs, unmapped }: DialerState, nowMs: number): DialerNote {
  const { rest, rests, stopped } = health
  const isUnwell = rest !== null && (rests > 0 || rest.untilMs > nowMs + longRestMs)
  return {
    stoppedReason: stopped,
    stoppedAtMs: stopped === null ? null : healthSinceMs,
    restingReason: isUnwell ? rest.reason : null,
    restingSinceMs: isUnwell ? healthSinceMs : null,
    unmappedReason: unmapped?.reason ?? null,
    unmappedAtMs: unmapped?.atMs ?? null,
  }
}
