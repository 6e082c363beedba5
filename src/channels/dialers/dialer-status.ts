// How a dialer is, in the words of the API, and what alerts are raised for.
import type { DialerCall } from './dialer-call.ts'
import type { DialerMemory, DialerState, Problem } from './dialer-memory.ts'
import { isResting } from './rounds/dialer-health.ts'
import { holdsSeat } from './rounds/follow-call.ts'
import type { DialerNote } from './store/run-dialer.ts'

export const dialerStatuses = {
  running: 'calls are being made',
  idle: 'there is nothing to call right now',
  waiting: 'leads may not be called now: hours, cap or pace; `reason` as in a claim',
  resting: 'the provider fails or is busy; it continues by itself',
  stopped: 'it continues only when it is changed or enabled',
  failing: 'rounds of the dialer have failed three times in a row: an error of the service; it tries again',
  off: 'it is not enabled',
} as const

type DialerStatus = keyof typeof dialerStatuses

export type ShownState = {
  readonly status: DialerStatus
  /** With `waiting` that of a claim; with `resting` and `stopped` that of dialer-health.ts. Null: there is none. */
  readonly reason: string | null
}

/** What a provider has said is shown so long, and kept no longer. */
export const problemShownMs = 3_600_000
const troublesShown = 3

function statusOf(
  { health, waiting, troubles }: DialerState,
  isEnabled: boolean,
  live: number,
  nowMs: number,
): ShownState {
  if (troubles >= troublesShown) return { status: 'failing', reason: null }
  if (!isEnabled) return { status: 'off', reason: null }
  if (health.stopped !== null) return { status: 'stopped', reason: health.stopped }
  if (isResting(health, nowMs)) return { status: 'resting', reason: health.rest?.reason ?? null }
  if (live > 0) return { status: 'running', reason: null }
  if (waiting === null || waiting.reason === 'empty' || waiting.reason === 'waiting')
    return { status: 'idle', reason: null }
  return { status: 'waiting', reason: waiting.reason }
}

/** How it is, and since when: that is noted when it changes. `state`: with what no round has taken over yet. */
export function showIn(
  memory: DialerMemory,
  isEnabled: boolean,
  nowMs: number,
  state: DialerState = memory.state,
): ShownState & { readonly sinceMs: number } {
  const shown = statusOf(state, isEnabled, countLive(memory.calls, nowMs), nowMs)
  const before = state.shown
  const isSame = before?.status === shown.status && before.reason === shown.reason
  const changed = { ...shown, sinceMs: isSame ? before.sinceMs : nowMs }
  if (!isSame) memory.changeLater({ shown: changed })
  return changed
}

export const countLive = (calls: readonly DialerCall[], nowMs: number) =>
  calls.filter((call) => holdsSeat(call, nowMs)).length

/** Calls that were set aside after an error. */
export const countAside = (calls: readonly DialerCall[]) =>
  calls.filter(({ errorName }) => errorName !== null).length

export const shownProblem = ({ problem }: DialerState, nowMs: number): Problem | null =>
  problem !== null && problem.atMs > nowMs - problemShownMs ? problem : null

/** In how many of the last hundred calls in which somebody has talked an outcome, or a flag, was understood. */
export type Heard = { readonly talked: number; readonly understood: number }

export const heardOf = ({ understood }: Pick<DialerState, 'understood'>): Heard => ({
  talked: understood.length,
  understood: understood.replaceAll('0', '').length,
})

/** So many calls with talk, of which none was understood, are no chance. */
export const deafFrom = 20

/** What a call came to, a reason that its template does not have or an error, is shown so long, and kept no longer. */
export const callShownMs = 86_400_000

/** A shorter one is no alert. */
const longRestMs = 60_000

/** What alerts are raised for. */
export function noteOf(
  { health, healthSinceMs, unmapped, failing, deafSinceMs }: DialerState,
  nowMs: number,
): DialerNote {
  const { rest, rests, stopped } = health
  const isLong = rest !== null && rest.untilMs > nowMs + longRestMs
  const isUnwell = rest !== null && (isLong || (rests > 0 && rest.reason !== 'busy'))
  return {
    stoppedReason: stopped,
    stoppedAtMs: stopped === null ? null : healthSinceMs,
    restingReason: isUnwell ? rest.reason : null,
    restingSinceMs: isUnwell ? healthSinceMs : null,
    unmappedReason: unmapped?.reason ?? null,
    unmappedAtMs: unmapped?.atMs ?? null,
    failingReason: failing?.reason ?? null,
    failingAtMs: failing?.atMs ?? null,
    deafSinceMs,
  }
}
