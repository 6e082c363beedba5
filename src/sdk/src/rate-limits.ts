// How fast to go on, by what an answer says is left of the rate limits. Pure.

type Window = { readonly name: string; readonly limit: number; readonly windowMs: number }
type Left = { readonly remaining: number; readonly moreInMs: number }

/** Until the next request would not be refused: 0 when some is left of every window. */
export function untilAllowedMs(headers: Headers): number {
  return Math.max(0, ...readingsOf(headers).map(({ remaining, moreInMs }) => (remaining > 0 ? 0 : moreInMs)))
}

/**
 * How long to rest between requests so that no window is ever spent: nothing while half of it is left, then as long as
 * it takes until as much has come back, and a little more.
 */
export function steadyGapMs(headers: Headers): number {
  return Math.max(
    0,
    ...readingsOf(headers).map(({ remaining, limit, windowMs }) =>
      remaining > limit / 2 ? 0 : (1.05 * windowMs) / limit,
    ),
  )
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
