// What follows from a try to send an event: when it is tried again, when its webhook waits, is held, or is given up. One
// failing event is parked while others pass; after five failures in a row nothing passes but the oldest that is parked,
// and once that is delivered all others follow in order. Pure.

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

const maxTries = retryDelaysMs.length + 1
const failuresThatHold = 5
const deadAfterMs = 5 * dayMs
const retryAfterMaxMs = dayMs
/** What is added at most, as a part of the delay: receivers that failed together are not all asked again at once. */
const jitter = 0.2

/** How a webhook has been doing. */
export type Health = {
  readonly failuresInARow: number
  /** Of the first failure after the last success. Null: nothing has failed since. */
  readonly failingSinceMs: number | null
  /** The receiver has asked for patience until then. */
  readonly pausedUntilMs: number
  /** What is parked goes first, in order, before anything new. */
  readonly isCatchingUp: boolean
}

export const healthy: Health = {
  failuresInARow: 0,
  failingSinceMs: null,
  pausedUntilMs: 0,
  isCatchingUp: false,
}

export const isHeld = ({ failuresInARow }: Health) => failuresInARow >= failuresThatHold

/** What came of a try. */
export type Outcome = {
  /** Null: no answer. */
  readonly status: number | null
  readonly retryAfterMs: number | null
}

export const isDelivered = ({ status }: Outcome) => status !== null && status >= 200 && status < 300

export type Consequence =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'parked'; readonly dueAtMs: number }
  | { readonly kind: 'given_up' }
  | { readonly kind: 'disabled'; readonly reason: 'gone' | 'dead' }

export type Try = {
  readonly outcome: Outcome
  /** Of this event, this one included. */
  readonly tries: number
  /** Whether nothing else is parked. */
  readonly isAlone: boolean
  readonly nowMs: number
  /** 0 to 1: by chance. */
  readonly chance: number
}

export function judgeTry(
  before: Health,
  { outcome, tries, isAlone, nowMs, chance }: Try,
): { readonly health: Health; readonly consequence: Consequence } {
  if (isDelivered(outcome)) {
    const health = { ...healthy, isCatchingUp: before.isCatchingUp || isHeld(before) }
    return { health, consequence: { kind: 'delivered' } }
  }
  const failingSinceMs = before.failingSinceMs ?? nowMs
  const { status, retryAfterMs } = outcome
  const health: Health = {
    failuresInARow: before.failuresInARow + 1,
    failingSinceMs,
    pausedUntilMs: retryAfterMs === null ? before.pausedUntilMs : nowMs + retryAfterMs,
    isCatchingUp: before.isCatchingUp || retryAfterMs !== null,
  }
  if (status === 410) return { health, consequence: { kind: 'disabled', reason: 'gone' } }
  if (nowMs - failingSinceMs >= deadAfterMs)
    return { health, consequence: { kind: 'disabled', reason: 'dead' } }
  // A receiver that is down as a whole loses nothing: the five days are its limit.
  if (tries >= maxTries && !isHeld(health)) {
    const rested = isAlone ? { ...health, failingSinceMs: null } : health
    return { health: rested, consequence: { kind: 'given_up' } }
  }
  const dueAtMs = nowMs + (retryAfterMs ?? retryDelayMs(tries, chance))
  return { health, consequence: { kind: 'parked', dueAtMs } }
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
