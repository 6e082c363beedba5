// What follows from a delivery attempt, as a state machine. A receiver is `well`, `held` or `at_fault`. An attempt
// moves it from one condition to the next, and decides what happens to the event. Pure.
//
//   before    attempt    after
//   any       delivered  well; after `held` and `at_fault`, parked events go first, in order
//   any       gone       the webhook is disabled
//   well      refused    well: the event is parked on its own schedule, and given up after its last attempt
//   well      failed     well, as when refused; `held` after five failures in a row
//   held      refused    well: the receiver answers again, so the other events continue
//   held      failed     held: only the oldest event is tried, ever more rarely, and nothing is given up
//   at_fault  either     at_fault: the same, and nothing new is tried
//
// 20 different events in a row that fail or are refused lead to `at_fault` from any condition. A webhook that is
// `held` or `at_fault` is disabled five days after its first failure.
import type { LogPlace } from '../events/event.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** After the first attempt, the second, and so on. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const

/** The first attempt, and one for each delay. */
export const maxAttempts = retryDelaysMs.length + 1
const failuresThatHold = 5
const eventsThatProveFault = 20
/** After being held: an event that fails alone is then given up before it holds its receiver again. */
const attemptsLeftAfterHold = failuresThatHold - 1
const probeMaxMs = 10 * hourMs
const deadAfterMs = 5 * dayMs
const retryAfterMaxMs = dayMs
/** At most this part of a delay is added, so that events that failed together are not all sent again at once. */
const jitter = 0.2

export const healthy = {
  /** Since the last success. Refusals do not count. */
  failuresInARow: 0,
  /** The different events that failed or were refused since the last success; at most eventsThatProveFault. */
  failedEvents: [] as readonly LogPlace[],
  /** The first failure after the last success, or the refusal that led to `at_fault`. Null: neither happened. */
  failingSinceMs: null as number | null,
  /** Failed attempts since it was held or at fault. */
  probes: 0,
  /** From the receiver's `Retry-After`. */
  pausedUntilMs: 0,
  /** Parked events go first, in order, before anything new. */
  isCatchingUp: false,
}

export type Health = Readonly<typeof healthy>

type Condition = 'well' | 'held' | 'at_fault'

export function conditionOf({ failuresInARow, failedEvents }: Health): Condition {
  if (failedEvents.length >= eventsThatProveFault) return 'at_fault'
  return failuresInARow >= failuresThatHold ? 'held' : 'well'
}

/**
 * Whether a new event may be sent. A receiver held because of a few events gets new ones until five different ones have
 * failed: otherwise one event that it can never accept would block all that follow.
 */
export function takesNew(health: Health): boolean {
  const condition = conditionOf(health)
  return condition === 'well' || (condition === 'held' && health.failedEvents.length < failuresThatHold)
}

/** Null: the receiver is well. */
export const failingSince = (health: Health) =>
  conditionOf(health) === 'well' ? null : health.failingSinceMs

export type Reply = {
  /** Null: no answer. */
  readonly status: number | null
  readonly retryAfterMs: number | null
}

export const isDelivered = ({ status }: Reply) => status !== null && status >= 200 && status < 300

/** The receiver is busy or not ready: a later attempt with the same event may succeed. */
const temporary: readonly number[] = [408, 409, 425, 429]

/** The receiver works, and rejects this event. */
export const isRefused = ({ status }: Reply) =>
  status !== null && status >= 400 && status < 500 && !temporary.includes(status)

export type Consequence =
  | { readonly kind: 'delivered' }
  /** `attempts` may be fewer than were made. */
  | { readonly kind: 'parked'; readonly dueAtMs: number; readonly attempts: number }
  | { readonly kind: 'given_up' }
  | { readonly kind: 'disabled'; readonly reason: 'gone' | 'dead' }

type Attempt = {
  readonly event: LogPlace
  readonly reply: Reply
  /** For this event, this one included. */
  readonly attempts: number
  /** Nothing else is parked. */
  readonly isAlone: boolean
  /** The receiver was held or at fault when it was sent. */
  readonly isProbe: boolean
  readonly nowMs: number
  /** Random, 0 to 1. */
  readonly chance: number
}

type Judged = { readonly health: Health; readonly consequence: Consequence }

export function judgeAttempt(before: Health, attempt: Attempt): Judged {
  const { reply, attempts, isAlone, nowMs, chance } = attempt
  if (isDelivered(reply)) {
    const health = { ...healthy, isCatchingUp: before.isCatchingUp || conditionOf(before) !== 'well' }
    return { health, consequence: { kind: 'delivered' } }
  }
  const health = afterFailure(before, attempt)
  const isWell = conditionOf(health) === 'well'
  const { status, retryAfterMs } = reply
  if (status === 410) return { health, consequence: { kind: 'disabled', reason: 'gone' } }
  if (!isWell && nowMs - (health.failingSinceMs ?? nowMs) >= deadAfterMs)
    return { health, consequence: { kind: 'disabled', reason: 'dead' } }
  const wasWell = conditionOf(before) === 'well'
  if (isWell && wasWell && attempts >= maxAttempts) {
    // Nothing is failing any more, so the next failure begins its own five days.
    const rested = isAlone ? { ...health, failingSinceMs: null } : health
    return { health: rested, consequence: { kind: 'given_up' } }
  }
  const delayMs = isWell ? retryDelayMs(attempts, chance) : probeDelayMs(health.probes, chance)
  const dueAtMs = nowMs + Math.max(retryAfterMs ?? 0, delayMs)
  const counted = isWell && !wasWell ? attemptsAfterHold(attempts) : attempts
  return { health, consequence: { kind: 'parked', dueAtMs, attempts: counted } }
}

export const attemptsAfterHold = (attempts: number) => Math.min(attempts, maxAttempts - attemptsLeftAfterHold)

function afterFailure(before: Health, { event, reply, isProbe, nowMs, chance }: Attempt): Health {
  const failedEvents = withEvent(before.failedEvents, event)
  const isProven = failedEvents.length >= eventsThatProveFault
  const isAnsweringAgain = isRefused(reply) && conditionOf(before) === 'held'
  const { retryAfterMs } = reply
  return {
    failuresInARow: isAnsweringAgain ? 0 : before.failuresInARow + (isRefused(reply) ? 0 : 1),
    failedEvents,
    failingSinceMs: before.failingSinceMs ?? (isRefused(reply) && !isProven ? null : nowMs),
    probes: isAnsweringAgain ? 0 : before.probes + Number(isProbe),
    // `Retry-After: 0` must not become a loop without a pause.
    pausedUntilMs:
      retryAfterMs === null ? before.pausedUntilMs : nowMs + Math.max(retryAfterMs, retryDelayMs(1, chance)),
    isCatchingUp: before.isCatchingUp || isAnsweringAgain || retryAfterMs !== null,
  }
}

function withEvent(events: readonly LogPlace[], { number, part }: LogPlace): readonly LogPlace[] {
  const isKnown = events.some((one) => one.number === number && one.part === part)
  return isKnown || events.length >= eventsThatProveFault ? events : [...events, { number, part }]
}

function retryDelayMs(attempts: number, chance: number): number {
  const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] as number
  return Math.round(delayMs * (1 + jitter * chance))
}

/** A receiver that is back soon gets its events soon; one that is dead, few. */
const probeDelayMs = (probes: number, chance: number) =>
  Math.round(Math.min(secondMs * 2 ** probes, probeMaxMs) * (1 + jitter * chance))

/** `Retry-After` of a 429 or 503, in seconds or as a date; at most a day. */
export function readRetryAfterMs(status: number, header: string | null, nowMs: number): number | null {
  if ((status !== 429 && status !== 503) || header === null) return null
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * secondMs : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), retryAfterMaxMs)
}

/** How long to wait after so many problems of ours in a row. */
export const troubleDelayMs = (troubles: number, chance: number) =>
  Math.round(Math.min(secondMs * 2 ** troubles, minuteMs) * (1 + jitter * chance))
