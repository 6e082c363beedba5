// Asks the subject's Durable Object for a decision, once, under a time limit, and knows what to do when there is no
// answer or no need to ask. Who is charged for what is in rate-limit.ts.
import { waits } from '../limits.ts'
import { withTimeLimit } from '../time-limit.ts'
import { createMemoryWindows, remember } from './memory-windows.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type Decision, isStillRefused, type Window } from './sliding-window.ts'

type Limiters = DurableObjectNamespace<RateLimiter>

/** `admit` charges all the windows or none; `look` charges nothing. */
export type Question = 'admit' | 'look'

/** `fault`: why the object did not decide, for the log. */
export type Decided = { readonly decision: Decision; readonly fault?: 'timeout' | 'error' | 'crowded' }

/** What this isolate admitted while the object did not answer (D34). */
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
  if (!mayAsk(subject)) return { decision: inMemory[question](subject, windows), fault: 'crowded' }
  try {
    const asked = ask(limiters, question, subject, windows)
    const decision = await withTimeLimit(asked, waits.limiterMs, () => new LimiterTimeout())
    if (question === 'admit') noteDecision(subject, windows, decision)
    return { decision }
  } catch (error) {
    const fault = error instanceof LimiterTimeout ? 'timeout' : 'error'
    return { decision: inMemory[question](subject, windows), fault }
  }
}

// Refusals are repeated without asking (see isStillRefused), so that a flood does not reach the object. Each subject
// has its own by the windows that were asked for, and how long each may be repeated.
type Refusal = { readonly decision: Decision; readonly untilMs: number }

const refusals = new Map<string, ReadonlyMap<string, Refusal>>()
const maxSubjects = 10_000

const nameOf = (windows: readonly Window[]) => windows.map((window) => window.name).join('+')

function recallRefusal(subject: string, windows: readonly Window[]): Decision | null {
  const refusal = refusals.get(subject)?.get(nameOf(windows))
  if (refusal === undefined) return null
  const nowMs = Date.now()
  return nowMs < refusal.untilMs && isStillRefused(refusal.decision, windows, nowMs) ? refusal.decision : null
}

/** Any other decision may have filled a window that a remembered refusal has counted on: that one is forgotten. */
function noteDecision(subject: string, windows: readonly Window[], decision: Decision): void {
  const kept = [...(refusals.get(subject) ?? [])].filter(([, { untilMs }]) => untilMs === Infinity)
  const noted = decision.admitted
    ? kept
    : [...kept, [nameOf(windows), { decision, untilMs: repeatableUntilMs(decision) }] as const]
  if (noted.length > 0) remember(refusals, subject, new Map(noted), maxSubjects)
  else refusals.delete(subject)
}

/** Four times what an object can do: its soft limit is a thousand requests a second. */
const fastestAdmissionMs = 0.25

/**
 * Until when its Retry-After stays right (D25). For ever, unless another window of the request could fill meanwhile
 * and refuse for longer than this one: then for as long as filling that one takes at the very least.
 */
function repeatableUntilMs({ readings, resetAtMs }: Decision): number {
  const slower = readings.filter((reading) => reading.resetAtMs > resetAtMs)
  if (slower.length === 0) return Infinity
  return Date.now() + fastestAdmissionMs * Math.min(...slower.map((reading) => reading.remaining))
}

// Addresses are the client's to choose, and each is an object of its own. A flood from many of them creates no
// more than this per isolate; the rest are held to the same windows in memory.
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
    // A stub that has failed stays broken. If the first try was counted after all, this one costs a second unit:
    // the window errs on the strict side.
    return limiters.getByName(subject)[question](windows)
  }
}

/** A lead is worth more than a count: past its time the request goes on without the object. */
class LimiterTimeout extends Error {}
