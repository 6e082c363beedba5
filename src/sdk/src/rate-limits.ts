// How fast to go on, by what an answer says is left of the rate limits. Pure.

type Window = { readonly name: string; readonly limit: number; readonly windowMs: number }
type Left = { readonly remaining: number; readonly moreInMs: number }

/** Until the next request would not be refused: 0 when some is left of every window. */
export function untilAllowedMs(headers: Headers): number {
  return Math.max(0, ...readingsOf(headers).map(({ remaining, moreInMs }) => (remaining > 0 ? 0 : moreInMs)))
}

/**
 * When the next request may be sent, so that none is ever refused: a few at once, then evenly, in any window less than
 * it allows and some to spare. `beforeMs` is what this said of the request before, or 0.
 */
export function paceRequest(beforeMs: number, nowMs: number, headers: Headers): number {
  const each = readingsOf(headers).map(({ limit, windowMs }) => {
    const atOnce = limit / 50
    const gapMs = windowMs / (limit - 2.5 * atOnce)
    return Math.max(beforeMs, nowMs - atOnce * gapMs) + gapMs
  })
  return Math.max(0, ...each)
}

/** Of `RateLimit: "hour";r=999;t=3600` and `RateLimit-Policy: "hour";q=1000;w=3600`. */
function readingsOf(headers: Headers): readonly (Window & Left)[] {
  const numbers = (field: string, one: string, other: string) =>
    [...(headers.get(field) ?? '').matchAll(new RegExp(`"(\\w+)";${one}=(\\d+);${other}=(\\d+)`, 'g'))].map(
      ([, name = '', first, second]) => [name, Number(first), Number(second)] as const,
    )
  const policies = new Map(numbers('ratelimit-policy', 'q', 'w').map((policy) => [policy[0], policy]))
  return numbers('ratelimit', 'r', 't').flatMap(([name, remaining, seconds]) => {
    const [, limit, windowSeconds] = policies.get(name) ?? []
    if (limit === undefined || windowSeconds === undefined) return []
    return { name, remaining, moreInMs: seconds * 1000, limit, windowMs: windowSeconds * 1000 }
  })
}
