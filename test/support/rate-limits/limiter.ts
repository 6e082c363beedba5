// Rate limiter namespaces that watch, fail or hang, around the real one.
import { env } from 'cloudflare:workers'
import type { RateLimiter } from '../../../src/base/rate-limits/rate-limiter.ts'
import type { Decision, Window } from '../../../src/base/rate-limits/sliding-window.ts'

export type LimiterCall = { readonly subject: string; readonly windows: readonly Window[] }

export type WatchedLimiter = {
  readonly RATE_LIMITER: DurableObjectNamespace<RateLimiter>
  readonly calls: LimiterCall[]
}

/** Asks the real objects, and notes each call. */
export function watchedLimiter(): WatchedLimiter {
  return limiterThat((ask) => ask())
}

/** Fails every call. `marks` are what the platform sets on such errors: retryable, overloaded. */
export function limiterFailing(marks: { retryable?: boolean; overloaded?: boolean } = {}): WatchedLimiter {
  return limiterThat(() => Promise.reject(Object.assign(new Error('Durable Object unreachable'), marks)))
}

/** Never answers. */
export function hangingLimiter(): WatchedLimiter {
  return limiterThat(() => new Promise(() => {}))
}

/** Fails the first calls in a way that the platform marks as safe to retry, then works. */
export function limiterFailingTimes(times: number): WatchedLimiter {
  let failures = 0
  return limiterThat((ask) =>
    ++failures <= times
      ? Promise.reject(Object.assign(new Error('Durable Object reset'), { retryable: true }))
      : ask(),
  )
}

function limiterThat(behave: (ask: () => Promise<Decision>) => Promise<Decision>): WatchedLimiter {
  const calls: LimiterCall[] = []
  const getByName = (subject: string) => ({
    admit(windows: readonly Window[]) {
      calls.push({ subject, windows })
      return behave(async () => env.RATE_LIMITER.getByName(subject).admit(windows))
    },
    look(windows: readonly Window[]) {
      calls.push({ subject, windows })
      return behave(async () => env.RATE_LIMITER.getByName(subject).look(windows))
    },
  })
  return { RATE_LIMITER: { getByName } as unknown as DurableObjectNamespace<RateLimiter>, calls }
}
