// Who is limited by which window, and the headers of each decision. limiter-client.ts gets the decision.
import { ApiError, type Problem } from '../http/errors.ts'
import { timed } from '../http/request-record.ts'
import type { Exchange } from '../http/respond.ts'
import { limits } from '../limits.ts'
import { clientAddress } from './client-address.ts'
import { decide, type Question } from './limiter-client.ts'
import { remember } from './memory-windows.ts'
import {
  type Decision,
  isStillRefused,
  keyOf,
  secondsUntil,
  type Window,
  type WindowReading,
} from './sliding-window.ts'

const inAnHour = (name: string, limit: number): Window => ({ name, limit, windowMs: limits.hourMs })
const inAMinute = (name: string, limit: number): Window => ({ name, limit, windowMs: limits.minuteMs })

export const hourlyPerKey = inAnHour('hour', limits.requestsPerHourPerKey)
export const bulkPerKey = inAMinute('bulk', limits.bulkRequestsPerMinutePerKey)
export const healthPerAddress = inAMinute('health', limits.healthRequestsPerMinutePerAddress)
/** Counted by the database, which has the keys (base/access/store/key-row.ts). */
export const newKeysPerCompany = inAnHour('keys', limits.newKeysPerHourPerCompany)
/** Requests under /api without a valid key, or for a path that has none (D26). */
export const unknownPerAddress = inAMinute('unknown', limits.refusedKeysPerMinutePerAddress)
/** What a provider says of calls, each URL on its own (channels/dialers/nudge.ts). */
const nudgesPerToken = inAMinute('nudges', limits.dialerNudgesPerMinute)

const postsPerSource = [
  inAMinute('posts', limits.sourcePostsPerMinute),
  inAnHour('hour', limits.sourcePostsPerHour),
]
/** Posts that end refused or dropped, of an address: one visitor cannot close a form for the others. */
const refusedPerAddress = [
  inAMinute('refused', limits.refusedPostsPerMinute),
  inAnHour('refused-hour', limits.refusedPostsPerHour),
]
const testsPerCampaign = inAnHour('tests', limits.testCallsPerHourPerCampaign)
const testsPerCompany = inAnHour('company-tests', limits.testCallsPerHourPerCompany)

type RateLimited = Extract<Problem, { kind: 'rate_limited' }>

/** Charges in every window, or in none (D22), and sets the headers. Throws ApiError where there is no room. */
async function charge(x: Exchange, subject: string, windows: readonly Window[]): Promise<void> {
  const rateLimited = await ask(x, 'admit', subject, windows)
  if (rateLimited !== null) throw new ApiError(rateLimited)
}

export const chargeKey = (x: Exchange, keyId: string, windows: readonly Window[]) =>
  charge(x, `key:${keyId}`, windows)
/** The URL of a nudge. */
export const chargeNudge = (x: Exchange, token: string) => charge(x, `nudge:${token}`, [nudgesPerToken])

/** Windows of a source that are full, its own and those of addresses: known before the store is asked. */
const fullWindows = new Map<string, WindowReading>()
const maxFullWindows = 10_000

/** Those of a post: of its source, and of its address there. */
const windowsOfPost = (x: Exchange): readonly Window[] => [
  ...postsPerSource,
  ...refusedPerAddress.map((window) => ({ ...window, of: addressOf(x) })),
]
const subjectOf = (sourceId: string) => `source:${sourceId}`
const nameOfFull = (subject: string, window: Window) => `${subject} ${keyOf(window)}`

/** Charges and asks nothing. Throws ApiError where a post of this address is known to have no room. */
export function refuseFullSource(x: Exchange, sourceId: string): void {
  const nowMs = Date.now()
  for (const window of windowsOfPost(x)) {
    const full = fullWindows.get(nameOfFull(subjectOf(sourceId), window))
    const refusal = full && { admitted: false, limit: window.limit, ...full, readings: [full] }
    if (refusal === undefined || !isStillRefused(refusal, [window], nowMs)) continue
    Object.assign(x.headers, headersOf(refusal, nowMs))
    throw new ApiError(rateLimitedUntil(refusal.resetAtMs, nowMs))
  }
}

/**
 * Charges a post to its source, and one that is refused or dropped to its address there too. Neither is charged where
 * one of both has no room: then it throws ApiError.
 */
export async function chargeSource(x: Exchange, sourceId: string, isRefused: boolean): Promise<void> {
  const windows = windowsOfPost(x).map((window) =>
    window.of === undefined || isRefused ? window : { ...window, isLookedAt: true },
  )
  const subject = subjectOf(sourceId)
  const decision = await decided(x, 'admit', subject, windows)
  for (const reading of decision.readings)
    if (reading.remaining === 0)
      remember(fullWindows, nameOfFull(subject, reading.window), reading, maxFullWindows)
  const refusal = answered(x, decision)
  if (refusal !== null) throw new ApiError(refusal)
}

/** Charges the client's address, and sets the headers. Null: there was room. */
export function chargeAddress(x: Exchange, window: Window): Promise<RateLimited | null> {
  return ask(x, 'admit', `ip:${addressOf(x)}`, [window])
}

/**
 * Charges a test call to the campaign and the company, whatever becomes of their dialers. The headers stay those of the
 * key, unless it is refused. Throws ApiError where there is no room.
 */
export async function chargeTest(x: Exchange, companyId: string, campaignNumber: number): Promise<void> {
  for (const [subject, window] of [
    [`tests:${companyId}/${campaignNumber}`, testsPerCampaign],
    [`tests:${companyId}`, testsPerCompany],
  ] as const) {
    const { admitted, resetAtMs } = await decided(x, 'admit', subject, [window])
    if (!admitted) throw new ApiError(refuseUntil(x, window, resetAtMs))
  }
}

/** Sets the headers of the client's address without charging it. */
export async function setAddressHeaders(x: Exchange, window: Window): Promise<void> {
  await ask(x, 'look', `ip:${addressOf(x)}`, [window])
}

/** Sets the headers of a window that the database has found full until then. */
export function refuseUntil(x: Exchange, window: Window, resetAtMs: number): RateLimited {
  const nowMs = Date.now()
  const reading = { window, remaining: 0, resetAtMs }
  const own = headersOf(
    { admitted: false, limit: window.limit, remaining: 0, resetAtMs, readings: [reading] },
    nowMs,
  )
  for (const name of ['RateLimit-Policy', 'RateLimit']) own[name] = `${x.headers[name]}, ${own[name]}`
  Object.assign(x.headers, own)
  return rateLimitedUntil(resetAtMs, nowMs)
}

const addressOf = (x: Exchange) => clientAddress(x.c.req.header('cf-connecting-ip'))

/** Whether the rate limit headers are set. */
export const hasLimitHeaders = (x: Exchange) => x.headers['X-RateLimit-Limit'] !== undefined

async function decided(
  x: Exchange,
  question: Question,
  subject: string,
  windows: readonly Window[],
): Promise<Decision> {
  const work = decide(x.env.RATE_LIMITER, question, subject, windows)
  const { decision, problem } = await timed(x.record, 'limiterMs', work)
  if (problem !== undefined) x.record.problems.push(`limiter ${problem}`)
  return decision
}

async function ask(x: Exchange, ...of: [Question, subject: string, windows: readonly Window[]]) {
  return answered(x, await decided(x, ...of))
}

/** Sets the headers. Null: there was room. */
function answered(x: Exchange, decision: Decision): RateLimited | null {
  const nowMs = Date.now()
  Object.assign(x.headers, headersOf(decision, nowMs))
  return decision.admitted ? null : rateLimitedUntil(decision.resetAtMs, nowMs)
}

const rateLimitedUntil = (resetAtMs: number, nowMs: number): RateLimited => ({
  kind: 'rate_limited',
  retryAfterSeconds: secondsUntil(resetAtMs, nowMs),
})

function headersOf(decision: Decision, nowMs: number): Record<string, string> {
  const list = (parameters: (reading: WindowReading) => string) =>
    decision.readings.map((reading) => `"${reading.window.name}";${parameters(reading)}`).join(', ')
  return {
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(Math.ceil(decision.resetAtMs / 1000)),
    // The IETF draft's headers, with all windows (draft-ietf-httpapi-ratelimit-headers-10).
    'RateLimit-Policy': list(({ window }) => `q=${window.limit};w=${window.windowMs / 1000}`),
    RateLimit: list((reading) => `r=${reading.remaining};t=${secondsUntil(reading.resetAtMs, nowMs)}`),
  }
}
