// Calls the subject's Durable Object for a decision under a time limit, and decides without it when it does not answer
// or need not be called. rate-limit.ts says who is charged for what.
import { waits } from '../limits.ts'
import { withTimeLimit } from '../time-limit.ts'
import { createMemoryWindows, remember } from './memory-windows.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type Decision, isStillRefused, type Window } from './sliding-window.ts'

type Limiters = DurableObjectNamespace<RateLimiter>

/** `admit` charges all the windows or none; `look` charges nothing. */
export type Question = 'admit' | 'look'

/** `problem`: why the object did not decide, for the log. */
type Decided = { readonly decision: Decision; readonly problem?: 'timeout' | 'error' | 'crowded' }

/** Admissions of this isolate while the object did not answer (D34). */
const inMemory = createMemoryWindows()

/** Never throws. */
export async function decide(
  limiters: Limiters,
  question: Question,
  subject: string,
  windows: readonly Window[],
): Promise<Decided> {
  const refusal = recallRefusal(subject, windows)
  if (refusal !== null) return { decision: refusal }
  if (!mayAsk(subject)) return { decision: inMemory[question](subject, windows), problem: 'crowded' }
  try {
    const answer = ask(limiters, question, subject, windows)
    const decision = await withTimeLimit(answer, waits.limiterMs, () => new LimiterTimeout())
    if (question === 'admit' && isWhole(windows)) noteDecision(subject, windows, decision)
    return { decision }
  } catch (error) {
    const problem = error instanceof LimiterTimeout ? 'timeout' : 'error'
    return { decision: inMemory[question](subject, windows), problem }
  }
}

// Refusals are repeated without calling the object (isStillRefused), so that a flood does not reach it. They are kept
// by subject and requested windows, with the time until which each may be repeated.
type Refusal = { readonly decision: Decision; readonly untilMs: number }

const refusals = new Map<string, ReadonlyMap<string, Refusal>>()
const maxSubjects = 10_000

/** There may be as many parts of a subject as there are addresses. */
const isWhole = (windows: readonly Window[]) => windows.every(({ of }) => of === undefined)

const nameOf = (windows: readonly Window[]) => windows.map((window) => window.name).join('+')

function recallRefusal(subject: string, windows: readonly Window[]): Decision | null {
  const refusal = refusals.get(subject)?.get(nameOf(windows))
  if (refusal === undefined) return null
  const nowMs = Date.now()
  return nowMs < refusal.untilMs && isStillRefused(refusal.decision, windows, nowMs) ? refusal.decision : null
}

/** Forgets refusals with a limited time: this decision may have filled the window that they rely on. */
function noteDecision(subject: string, windows: readonly Window[], decision: Decision): void {
  const kept = [...(refusals.get(subject) ?? [])].filter(([, { untilMs }]) => untilMs === Infinity)
  const noted = decision.admitted
    ? kept
    : [...kept, [nameOf(windows), { decision, untilMs: repeatableUntilMs(decision) }] as const]
  if (noted.length > 0) remember(refusals, subject, new Map(noted), maxSubjects)
  else refusals.delete(subject)
}

/** Four times as fast as an object's soft limit of a thousand requests a second. */
const fastestAdmissionMs = 0.25

/**
 * Until when its Retry-After stays right (D25). Unlimited, unless another window of the request could fill meanwhile
 * and refuse for longer: then the shortest time in which that one can fill.
 */
function repeatableUntilMs({ readings, resetAtMs }: Decision): number {
  const slower = readings.filter((reading) => reading.resetAtMs > resetAtMs)
  if (slower.length === 0) return Infinity
  return Date.now() + fastestAdmissionMs * Math.min(...slower.map((reading) => reading.remaining))
}

// Clients can choose addresses, and each has its own object. A flood from many addresses creates at most so many
// objects per isolate; the others are limited in memory.
const newAddresses: Window = { name: 'addresses', limit: 1_000, windowMs: 60_000 }
const knownAddresses = new Map<string, true>()
const maxKnownAddresses = 10_000
const addressesMet = createMemoryWindows()

function mayAsk(subject: string): boolean {
  if (!subject.startsWith('ip:')) return true
  if (!knownAddresses.has(subject) && !addressesMet.admit('new', [newAddresses]).admitted) return false
  remember(knownAddresses, subject, true, maxKnownAddresses)
  return true
}

async function ask(
  limiters: Limiters,
  question: Question,
  subject: string,
  windows: readonly Window[],
): Promise<Decision> {
  try {
    return await limiters.getByName(subject)[question](windows)
  } catch (error) {
    const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean }
    if (retryable !== true || overloaded === true) throw error
    // A failed stub stays broken, so this gets a new one. If the first try was counted, this costs a second unit: the
    // error is on the strict side.
    return limiters.getByName(subject)[question](windows)
  }
}

/** A lead is worth more than an exact count: after the time limit, memory decides. */
class LimiterTimeout extends Error {}
