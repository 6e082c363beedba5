// How a dialer is, in the words of the API. Pure.

import type { DialerCall, DialerState, Problem } from './dialer-memory.ts'
import { isResting } from './rounds/dialer-health.ts'
import { holdsSeat } from './rounds/follow-call.ts'

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

export function statusOf(
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

export const countLive = (calls: readonly DialerCall[], nowMs: number) =>
  calls.filter((call) => holdsSeat(call, nowMs)).length

export const shownProblem = ({ problem }: DialerState, nowMs: number): Problem | null =>
  problem !== null && problem.atMs > nowMs - problemShownMs ? problem : null
