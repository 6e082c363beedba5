// How fast to send, by the rate limit headers of an answer: `RateLimit: "hour";r=999;t=3600` has what is left of each
// window, `RateLimit-Policy: "hour";q=1000;w=3600` its limit. Pure.

/** The wait before the next request is allowed: 0 while no window is used up. */
export function untilAllowedMs(headers: Headers): number {
  const spent = (headers.get('ratelimit') ?? '').matchAll(/"\w+";r=0;t=(\d+)/g)
  return Math.max(0, ...Array.from(spent, ([, seconds]) => Number(seconds) * 1000))
}

/**
 * When to send the next request, so that none is ever refused: a few at once, then evenly spaced, with some of the limit
 * to spare in any window. `beforeMs` is the result for the previous request, or 0.
 */
export function paceRequest(beforeMs: number, nowMs: number, headers: Headers): number {
  const windows = (headers.get('ratelimit-policy') ?? '').matchAll(/"\w+";q=(\d+);w=(\d+)/g)
  const each = Array.from(windows, ([, limit, seconds]) => {
    const atOnce = Number(limit) / 50
    const gapMs = (Number(seconds) * 1000) / (Number(limit) - 2.5 * atOnce)
    return Math.max(beforeMs, nowMs - atOnce * gapMs) + gapMs
  })
  return Math.max(0, ...each)
}
