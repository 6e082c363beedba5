// When an agent may send with a key. What is left of its window is spent freely. Requests are spaced only when what is
// left would not last until the window returns, at the rate of the window so far. Pure.

/** A window of a rate limit, as far as the requests of this agent do not tell. */
export type Window = {
  readonly limit: number
  readonly windowMs: number
  /** Requests that count and were not sent by this agent: nobody knows when they were. */
  readonly others: number
  /** When the first request that counts no longer does. */
  readonly returnsAtMs: number
}

/** Kept for requests that cannot wait, such as extensions, and for other users of the key. */
const reserveOf = (limit: number) => Math.ceil(limit / 20)
/** Spaced requests that may be sent at once after a pause. */
const atOnceOf = (limit: number) => limit / 50

const countedIn = (windowMs: number, sentAtMs: readonly number[], nowMs: number) =>
  sentAtMs.filter((ms) => ms > nowMs - windowMs && ms <= nowMs)

/**
 * By the headers of an answer: `RateLimit: "hour";r=999;t=3600` has what is left of each window and when the first
 * request leaves it, `RateLimit-Policy: "hour";q=1000;w=3600` its limit. `sentAtMs` are the agent's requests, `nowMs`
 * the time of the one that was answered.
 */
export function windowsOf(headers: Headers, sentAtMs: readonly number[], nowMs: number): readonly Window[] {
  const policies = (headers.get('ratelimit-policy') ?? '').matchAll(/("\w+");q=(\d+);w=(\d+)/g)
  return Array.from(policies, ([, name, limit, seconds]) => {
    const state = new RegExp(`${name};r=(\\d+);t=(\\d+)`).exec(headers.get('ratelimit') ?? '')
    const windowMs = Number(seconds) * 1000
    const used = Number(limit) - Number(state?.[1] ?? limit)
    return {
      limit: Number(limit),
      windowMs,
      others: Math.max(0, used - countedIn(windowMs, sentAtMs, nowMs).length),
      returnsAtMs: nowMs + Number(state?.[2] ?? 0) * 1000,
    }
  })
}

/** How many requests are left. Infinity: no window is known. */
export const leftOf = (windows: readonly Window[], sentAtMs: readonly number[], nowMs: number) =>
  Math.min(
    ...windows.map(
      ({ limit, windowMs, others }) => limit - others - countedIn(windowMs, sentAtMs, nowMs).length,
    ),
  )

/**
 * When to send the next request, so that none is ever refused. The last of `sentAtMs`, oldest first, is sent now;
 * `beforeMs` is the result for the one before, or 0.
 */
export function paceRequest(
  beforeMs: number,
  sentAtMs: readonly number[],
  nowMs: number,
  windows: readonly Window[],
): number {
  const each = windows.map((window) => {
    const { limit, windowMs } = window
    const gapMs = gapOf(window, sentAtMs, nowMs)
    const used = limit - leftOf([window], sentAtMs, nowMs)
    if (used * gapMs < windowMs) return Math.min(beforeMs, nowMs)
    return Math.max(beforeMs, nowMs - atOnceOf(limit) * gapMs) + gapMs
  })
  return Math.max(0, ...each)
}

/** The shortest time between requests that lasts for a whole window. */
function gapOf(window: Window, sentAtMs: readonly number[], nowMs: number): number {
  const { limit, windowMs, others, returnsAtMs } = window
  const own = countedIn(windowMs, sentAtMs, nowMs).map((ms) => ms + windowMs - nowMs)
  const firstMs = Math.max(0, returnsAtMs - nowMs)
  const spread = Array.from({ length: others }, (_, index) => {
    return firstMs + ((windowMs - firstMs) * index) / others
  })
  const spare = leftOf([window], sentAtMs, nowMs) - reserveOf(limit)
  const gapsMs = [...own, ...spread]
    .sort((a, b) => a - b)
    .map((returnsInMs, index) => ({ returnsInMs, room: spare + index + 1 }))
    .filter(({ room }) => room >= 1)
    .map(({ returnsInMs, room }) => returnsInMs / room)
  return Math.max(windowMs / (limit - reserveOf(limit)), ...gapsMs)
}
