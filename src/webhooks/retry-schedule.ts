// What follows from a try to send an event, as a state machine. A receiver is `well`, `held` or `at_fault`. A try takes it
// from one condition to the next, and decides what happens to the event. Pure.
//
//   before    try        after
//   any       delivered  well; after `held` and `at_fault`, what is parked goes first, in order
//   any       gone       the webhook is disabled
//   well      refused    well: the event is parked on its own schedule, and given up after its last try
//   well      failed     well, as when refused; `held` after five failures in a row
//   held      refused    well: the receiver answers again, so others get their turn
//   held      failed     held: only the head is tried, and nothing is given up
//   at_fault  either     at_fault: the same, and nothing new is tried
//
// 20 different events that fail in a row, refused or not, lead to `at_fault` from anywhere. A webhook that is held or at
// fault is disabled five days after it began to fail.
import type { LogPlace } from '../events/event.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** After the first try, the second, and so on. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const

/** The first one, and one for each delay. */
export const maxAttempts = retryDelaysMs.length + 1
const failuresThatHold = 5
const eventsThatProveFault = 20
const deadAfterMs = 5 * dayMs
const retryAfterMaxMs = dayMs
/** What is added at most, as a part of the delay: receivers that failed together are not all asked again at once. */
const jitter = 0.2

/** How a receiver has been doing. */
export type Health = {
  /** Since the last success. Refusals do not count. */
  readonly failuresInARow: number
  /** The different events that failed or were refused since the last success, as many as prove a fault at most. */
  readonly failedEvents: readonly LogPlace[]
  /** Of the first failure after the last success, or of the refusal that proved a fault. Null: neither has happened. */
  readonly failingSinceMs: number | null
  /** The receiver has asked for patience until then. */
  readonly pausedUntilMs: number
  /** What is parked goes first, in order, before anything new. */
  readonly isCatchingUp: boolean
}

export const healthy: Health = {
  failuresInARow: 0,
  failedEvents: [],
  failingSinceMs: null,
  pausedUntilMs: 0,
  isCatchingUp: false,
}

export type Condition = 'well' | 'held' | 'at_fault'

export function conditionOf({ failuresInARow, failedEvents }: Health): Condition {
  if (failedEvents.length >= eventsThatProveFault) return 'at_fault'
  return failuresInARow >= failuresThatHold ? 'held' : 'well'
}

/**
 * Whether an event that was never tried may be sent. A receiver that is held because of a few events gets new ones until
 * five different ones have failed: else one event that it can never take would hold all that follow.
 */
export function takesNew(health: Health): boolean {
  const condition = conditionOf(health)
  return condition === 'well' || (condition === 'held' && health.failedEvents.length < failuresThatHold)
}

/** Since when the receiver is held or at fault; null: it is well. */
export const failingSince = (health: Health) =>
  conditionOf(health) === 'well' ? null : health.failingSinceMs

/** What came of a try. */
export type Reply = {
  /** Null: no answer. */
  readonly status: number | null
  readonly retryAfterMs: number | null
}

export const isDelivered = ({ status }: Reply) => status !== null && status >= 200 && status < 300

/** The receiver is busy or not ready: a later try of the same event may succeed. */
const passing: readonly number[] = [408, 409, 425, 429]

/** The receiver works, and does not want this event. */
const isRefused = ({ status }: Reply) =>
  status !== null && status >= 400 && status < 500 && !passing.includes(status)

export type Consequence =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'parked'; readonly dueAtMs: number }
  | { readonly kind: 'given_up' }
  | { readonly kind: 'disabled'; readonly reason: 'gone' | 'dead' }

export type Attempt = {
  readonly event: LogPlace
  readonly outcome: Reply
  /** Of this event, this one included. */
  readonly tries: number
  /** Whether nothing else is parked. */
  readonly isAlone: boolean
  readonly nowMs: number
  /** 0 to 1: by chance. */
  readonly chance: number
}

type Judged = { readonly health: Health; readonly consequence: Consequence }

export function judgeAttempt(before: Health, tried: Attempt): Judged {
  const { outcome, tries, isAlone, nowMs, chance } = tried
  if (isDelivered(outcome)) {
    const health = { ...healthy, isCatchingUp: before.isCatchingUp || conditionOf(before) !== 'well' }
    return { health, consequence: { kind: 'delivered' } }
  }
  const health = afterFailure(before, tried)
  const isWell = conditionOf(health) === 'well'
  const { status, retryAfterMs } = outcome
  if (status === 410) return { health, consequence: { kind: 'disabled', reason: 'gone' } }
  if (!isWell && nowMs - (health.failingSinceMs ?? nowMs) >= deadAfterMs)
    return { health, consequence: { kind: 'disabled', reason: 'dead' } }
  if (isWell && tries >= maxAttempts) {
    // Nothing is failing any more, so a failure of next week begins five days of its own.
    const rested = isAlone ? { ...health, failingSinceMs: null } : health
    return { health: rested, consequence: { kind: 'given_up' } }
  }
  const dueAtMs = nowMs + Math.max(retryAfterMs ?? 0, retryDelayMs(tries, chance))
  return { health, consequence: { kind: 'parked', dueAtMs } }
}

function afterFailure(before: Health, { event, outcome, nowMs, chance }: Attempt): Health {
  const failedEvents = withEvent(before.failedEvents, event)
  const isProven = failedEvents.length >= eventsThatProveFault
  const isAnsweringAgain = isRefused(outcome) && conditionOf(before) === 'held'
  const { retryAfterMs } = outcome
  return {
    failuresInARow: isAnsweringAgain ? 0 : before.failuresInARow + (isRefused(outcome) ? 0 : 1),
    failedEvents,
    failingSinceMs: before.failingSinceMs ?? (isRefused(outcome) && !isProven ? null : nowMs),
    // `Retry-After: 0` would be a loop without a pause.
    pausedUntilMs:
      retryAfterMs === null ? before.pausedUntilMs : nowMs + Math.max(retryAfterMs, retryDelayMs(1, chance)),
    isCatchingUp: before.isCatchingUp || isAnsweringAgain || retryAfterMs !== null,
  }
}

function withEvent(events: readonly LogPlace[], { number, part }: LogPlace): readonly LogPlace[] {
  const isKnown = events.some((one) => one.number === number && one.part === part)
  return isKnown || events.length >= eventsThatProveFault ? events : [...events, { number, part }]
}

function retryDelayMs(tries: number, chance: number): number {
  const delayMs = retryDelaysMs[Math.min(tries, retryDelaysMs.length) - 1] as number
  return Math.round(delayMs * (1 + jitter * chance))
}

/** How long a receiver asks to be left alone: `Retry-After` of a 429 or 503, in seconds or as a date, a day at most. */
export function readRetryAfterMs(status: number, header: string | null, nowMs: number): number | null {
  if ((status !== 429 && status !== 503) || header === null) return null
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * secondMs : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), retryAfterMaxMs)
}

/** How long to wait after so many troubles in a row that are not the receiver's. */
export const troubleDelayMs = (troubles: number, chance: number) =>
  Math.round(Math.min(secondMs * 2 ** troubles, minuteMs) * (1 + jitter * chance))
