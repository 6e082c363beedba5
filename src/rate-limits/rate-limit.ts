// Who is limited by what, and the headers that tell it. How a decision is come by, also when the Durable Object
// does not answer, is in limiter-client.ts.
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ApiError } from '../http/errors.ts'
import { type RecordVariables, timed } from '../http/request-log.ts'
import { limits } from '../limits.ts'
import { clientAddress } from './client-address.ts'
import { decide } from './limiter-client.ts'
import { type Decision, secondsUntil, type Window, type WindowReading } from './sliding-window.ts'

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

/** What a function here needs of a request's context, whatever else the context holds. */
export type Needed<Variables extends object> = Pick<
  Context<{ Bindings: Env; Variables: Variables }>,
  'env' | 'get' | 'req' | 'header'
>

/** What it takes to charge a request and to answer for it. */
export type LimitedContext = Needed<RecordVariables>

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
  return spend(c, addressSubject(c), [window])
}

export function addressSubject(c: LimitedContext): string {
  return `ip:${clientAddress(c.req.header('cf-connecting-ip'))}`
}

/** Charges the subject, and sets the headers. Every window has room and is charged, or none is (D22). */
export async function spend(c: LimitedContext, subject: string, windows: readonly Window[]): Promise<void> {
  const { decision, fault } = await timed(
    c.get('record'),
    'limiterMs',
    decide(c.env.RATE_LIMITER, subject, windows),
  )
  if (fault !== undefined) c.get('record').faults.push(`limiter ${fault}`)
  c.header('X-RateLimit-Limit', String(decision.limit))
  c.header('X-RateLimit-Remaining', String(decision.remaining))
  c.header('X-RateLimit-Reset', String(Math.ceil(decision.resetAtMs / 1000)))
  const nowMs = Date.now()
  // The IETF draft's fields, which can tell every window apart (draft-ietf-httpapi-ratelimit-headers-10).
  c.header(
    'RateLimit-Policy',
    list(decision, ({ window }) => `q=${window.limit};w=${window.windowMs / 1000}`),
  )
  c.header(
    'RateLimit',
    list(decision, (reading) => `r=${reading.remaining};t=${secondsUntil(reading.resetAtMs, nowMs)}`),
  )
  if (!decision.admitted) {
    throw new ApiError({ kind: 'rate_limited', retryAfterSeconds: secondsUntil(decision.resetAtMs, nowMs) })
  }
}

function list(decision: Decision, parameters: (reading: WindowReading) => string): string {
  return decision.readings.map((reading) => `"${reading.window.name}";${parameters(reading)}`).join(', ')
}
