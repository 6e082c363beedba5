// Who is limited by what: one call to the subject's Durable Object per request, the headers that tell its
// decision, and what happens when the object does not answer (D34). The windows' arithmetic is in
// sliding-window.ts, their storage in rate-limiter.ts.
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { clientAddress } from '../client-address.ts'
import { ApiError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { RateLimiter } from '../rate-limiter.ts'
import { type RecordVariables, timed } from '../request-log.ts'
import { admit, type Decision, retryAfterSeconds, type Window, type WindowState } from '../sliding-window.ts'
import type { KeyVariables } from './authenticate.ts'

export const hourlyPerKey: Window = {
  name: 'hour',
  limit: limits.requestsPerHourPerKey,
  windowMs: limits.hourMs,
}
export const bulkPerKey: Window = {
  name: 'bulk',
  limit: limits.bulkRequestsPerMinutePerKey,
  windowMs: limits.minuteMs,
}
export const healthPerAddress: Window = {
  name: 'health',
  limit: limits.healthRequestsPerMinutePerAddress,
  windowMs: limits.minuteMs,
}
/** Requests under /api without a valid key, or for a path that has none (D26). */
export const unknownPerAddress: Window = {
  name: 'unknown',
  limit: limits.refusedKeysPerMinutePerAddress,
  windowMs: limits.minuteMs,
}

/** What of a request's context it takes to charge and to answer for it, whatever else the context holds. */
export type LimitedContext = Pick<
  Context<{ Bindings: Env; Variables: RecordVariables }>,
  'env' | 'var' | 'req' | 'header'
>

/** Charges the key that authenticate let through. Every window has room and is charged, or none is (D22). */
export function limitKey(...windows: Window[]) {
  return createMiddleware<{ Bindings: Env; Variables: RecordVariables & KeyVariables }>(
    async function limitKey(c, next) {
      await spend(c, `key:${c.var.apiKey.id}`, windows)
      await next()
    },
  )
}

export function limitAddress(window: Window) {
  return createMiddleware<{ Bindings: Env; Variables: RecordVariables }>(
    async function limitAddress(c, next) {
      await spendAddress(c, window)
      await next()
    },
  )
}

/** Charges the client's address, and sets the headers. Throws ApiError `rate_limited`. */
export function spendAddress(c: LimitedContext, window: Window): Promise<void> {
  return spend(c, `ip:${clientAddress(c.req.header('cf-connecting-ip'))}`, [window])
}

async function spend(c: LimitedContext, subject: string, windows: readonly Window[]): Promise<void> {
  const decision = await timed(c.var.record, 'limiterMs', decide(c, subject, windows))
  c.header('X-RateLimit-Limit', String(decision.limit))
  c.header('X-RateLimit-Remaining', String(decision.remaining))
  c.header('X-RateLimit-Reset', String(Math.ceil(decision.resetAtMs / 1000)))
  if (!decision.admitted) {
    throw new ApiError({ kind: 'rate_limited', retryAfterSeconds: retryAfterSeconds(decision, Date.now()) })
  }
}

// Nothing can be admitted before a refusal's reset, so the isolate may repeat it without asking, and a flood
// does not reach the object. The last second is asked again: another machine's clock may be ahead of this one's.
const refusals = new Map<string, Decision>()
const clockSkewMs = 1_000

// What this isolate admitted while the limiter did not answer.
const fallback = new Map<string, WindowState>()

const maxRememberedSubjects = 10_000

async function decide(c: LimitedContext, subject: string, windows: readonly Window[]): Promise<Decision> {
  const name = `${subject} ${windows.map((window) => window.name).join('+')}`
  const remembered = refusals.get(name)
  if (remembered !== undefined) {
    if (Date.now() < remembered.resetAtMs - clockSkewMs) return remembered
    refusals.delete(name)
  }
  try {
    const decision = await askLimiter(c.env.RATE_LIMITER, subject, windows)
    if (!decision.admitted) remember(refusals, name, decision)
    return decision
  } catch (error) {
    c.var.record.faults.push(`limiter ${error instanceof LimiterTimeout ? 'timeout' : 'error'}`)
    const { decision, state } = admit(fallback.get(subject) ?? {}, windows, Date.now())
    remember(fallback, subject, state)
    return decision
  }
}

class LimiterTimeout extends Error {}

/** A lead is worth more than a count: past this the request goes on without the object. */
const limiterTimeoutMs = 500

async function askLimiter(
  namespace: DurableObjectNamespace<RateLimiter>,
  subject: string,
  windows: readonly Window[],
): Promise<Decision> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LimiterTimeout()), limiterTimeoutMs)
  })
  try {
    return await Promise.race([askWithRetry(namespace, subject, windows), timeout])
  } finally {
    clearTimeout(timer)
  }
}

async function askWithRetry(
  namespace: DurableObjectNamespace<RateLimiter>,
  subject: string,
  windows: readonly Window[],
): Promise<Decision> {
  try {
    return await namespace.getByName(subject).admit(windows)
  } catch (error) {
    const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean }
    if (retryable !== true || overloaded === true) throw error
    // A stub that has failed stays broken. If the first try was counted after all, this one costs a second
    // unit: the window errs on the strict side.
    return namespace.getByName(subject).admit(windows)
  }
}

/** Keeps the map bounded by forgetting what was added first. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > maxRememberedSubjects) map.delete(map.keys().next().value as string)
}
