// The exact sliding window: at most `limit` admissions in any half-open span of `windowMs`, each unit returning exactly
// `windowMs` after it was spent (D21). Pure functions: the caller passes state and time, and stores the new state.

/** One limit. */
export type Window = {
  readonly name: string
  readonly limit: number
  readonly windowMs: number
  /** Whose part of the subject it counts; absent: all of it. */
  readonly of?: string
  /** It must have room, and is not charged. */
  readonly isLookedAt?: boolean
}

/** The key of its history in the state. */
export const keyOf = ({ name, of }: Window): string => (of === undefined ? name : `${name}${ofPart}${of}`)
const ofPart = ' of '

/** The times of each window's admissions in Unix ms, ascending; at most `limit`. */
export type WindowState = { readonly [window: string]: readonly number[] }

export type Decision = {
  readonly admitted: boolean
  /** The window reported to the client: fewest remaining, or the refusing one with the longest wait (D23). */
  readonly limit: number
  readonly remaining: number
  /** When its oldest counted unit leaves it, in Unix ms. */
  readonly resetAtMs: number
  /** All windows of the request, in the given order. */
  readonly readings: readonly WindowReading[]
}

export type WindowReading = {
  readonly window: Window
  readonly remaining: number
  readonly resetAtMs: number
}

/** A smaller step back of the clock counts as jitter. */
const maxClockStepBackMs = 5_000

/**
 * Decides one request against all its windows: all have room and are charged, or none is. Returns the same state object
 * when nothing changed. `windows` must not be empty.
 */
export function admit(
  state: WindowState,
  windows: readonly Window[],
  nowMs: number,
): { decision: Decision; state: WindowState } {
  const { history, atMs } = alignWithClock(state, nowMs)
  const readings = windows.map((window) => readWindow(window, history[keyOf(window)] ?? [], atMs))
  const full = readings.filter((reading) => reading.remaining === 0)
  if (full.length > 0) {
    const slowest = full.reduce((a, b) => (b.resetAtMs > a.resetAtMs ? b : a))
    return { decision: report(slowest, readings, false), state: history }
  }
  const spent = readings
    .filter(({ window }) => window.isLookedAt !== true)
    .map(({ window, counted }) => readWindow(window, [...counted, atMs], atMs))
  const scarcest = spent.reduce((a, b) => (b.remaining < a.remaining ? b : a))
  return {
    decision: report(scarcest, spent, true),
    state: {
      ...withoutOldParts(history, windows, atMs),
      ...Object.fromEntries(spent.map(({ window, counted }) => [keyOf(window), counted])),
    },
  }
}

/** There may be many parts, and nobody asks for one that has gone: none of the windows is long enough to count it. */
function withoutOldParts(history: WindowState, windows: readonly Window[], atMs: number): WindowState {
  const fromMs = atMs - Math.max(...windows.map(({ windowMs }) => windowMs))
  return Object.fromEntries(
    Object.entries(history).filter(
      ([key, admissions]) => !key.includes(ofPart) || (admissions.at(-1) ?? 0) > fromMs,
    ),
  )
}

/** The decision without charging. */
export function look(state: WindowState, windows: readonly Window[], nowMs: number): Decision {
  const { history, atMs } = alignWithClock(state, nowMs)
  const readings = windows.map((window) => readWindow(window, history[keyOf(window)] ?? [], atMs))
  const scarcest = readings.reduce((a, b) => (b.remaining < a.remaining ? b : a))
  return report(scarcest, readings, scarcest.remaining > 0)
}

/** Whole seconds until a reset, at least 1. For a refused request exact: a second earlier is refused again (D25). */
export function secondsUntil(resetAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000))
}

/** Another machine's clock may be this far ahead of this one's. */
const maxClockSkewMs = 1_000

/**
 * Whether a refusal can be repeated without deciding again: nothing is admitted before its reset. Not in the last
 * second before it, and not when the reset is further ahead than possible, because this clock has stepped back.
 */
export function isStillRefused(refusal: Decision, windows: readonly Window[], nowMs: number): boolean {
  const waitMs = refusal.resetAtMs - nowMs
  const longestWaitMs = Math.max(...windows.map((window) => window.windowMs)) + maxClockStepBackMs
  return waitMs > maxClockSkewMs && waitMs <= longestWaitMs
}

type Reading = WindowReading & { readonly counted: readonly number[] }

function readWindow(window: Window, admissions: readonly number[], atMs: number): Reading {
  // Half-open: a unit spent at s returns at exactly s + windowMs.
  const counted = admissions.slice(firstAfter(admissions, atMs - window.windowMs))
  // After a deploy that lowered the limit there may be more units than it: then the reset is that of the unit whose
  // return makes room, not of the oldest.
  const next = counted[Math.max(0, counted.length - window.limit)]
  return {
    window,
    counted,
    remaining: Math.max(0, window.limit - counted.length),
    resetAtMs: (next ?? atMs) + window.windowMs,
  }
}

function report(reported: Reading, all: readonly Reading[], admitted: boolean): Decision {
  const readings = all.map(({ window, remaining, resetAtMs }) => ({ window, remaining, resetAtMs }))
  return {
    admitted,
    limit: reported.window.limit,
    remaining: reported.remaining,
    resetAtMs: reported.resetAtMs,
    readings,
  }
}

/**
 * A clock that steps back never admits more: time stands still until the clock has caught up with the last admission.
 * After a larger step the clock was wrong before: units with a later time count as spent now, so that nothing is
 * admitted twice and no key is locked for longer than its window.
 */
function alignWithClock(state: WindowState, nowMs: number): { history: WindowState; atMs: number } {
  const lastMs = Math.max(
    -Infinity,
    ...Object.values(state).map((admissions) => admissions.at(-1) ?? -Infinity),
  )
  if (lastMs - nowMs <= maxClockStepBackMs) return { history: state, atMs: Math.max(nowMs, lastMs) }
  const restamped = Object.entries(state).map(([name, admissions]) => [
    name,
    admissions.map((admittedAtMs) => Math.min(admittedAtMs, nowMs)),
  ])
  return { history: Object.fromEntries(restamped), atMs: nowMs }
}

/** Index of the first element greater than `bound`. */
function firstAfter(ascending: readonly number[], bound: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) > bound) high = middle
    else low = middle + 1
  }
  return low
}
