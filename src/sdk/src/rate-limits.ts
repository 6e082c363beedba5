// How long to wait, by the rate limit headers of an answer: `RateLimit: "hour";r=999;t=3600` has what is left of each
// window. How an agent spends what is left, agent-pace.ts decides. Pure.

/** The wait before the next request is allowed: 0 while no window is used up. */
export function untilAllowedMs(headers: Headers): number {
  const spent = (headers.get('ratelimit') ?? '').matchAll(/"\w+";r=0;t=(\d+)/g)
  return Math.max(0, ...Array.from(spent, ([, seconds]) => Number(seconds) * 1000))
}
