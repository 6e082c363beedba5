// How fast to go on, by what an answer says of the rate limits: `RateLimit: "hour";r=999;t=3600` is what is left of each,
// `RateLimit-Policy: "hour";q=1000;w=3600` what it is. Pure.

/** Until the next request would not be refused: 0 when some is left of every window. */
export function untilAllowedMs(headers: Headers): number {
  const spent = (headers.get('ratelimit') ?? '').matchAll(/"\w+";r=0;t=(\d+)/g)
  return Math.max(0, ...Array.from(spent, ([, seconds]) => Number(seconds) * 1000))
}

/**
 * When the next request may be sent, so that none is ever refused: a few at once, then evenly, in any window less than
 * it allows and some to spare. `beforeMs` is what this said of the request before, or 0.
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
