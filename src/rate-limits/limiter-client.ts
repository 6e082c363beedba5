// How the Worker comes by a decision: it asks the subject's Durable Object, once, under a time limit, and knows what
// to do when there is no answer or no need to ask. Who is charged for what is in middleware/rate-limit.ts.

import { withTimeLimit } from '../time-limit.ts'
import { createMemoryWindows, remember } from './memory-windows.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type Decision, isStillRefused, type Window } from './sliding-window.ts'

type Limiters = DurableObjectNamespace<RateLimiter>

/** `fault`: why the object did not decide, for the log. */
export type Decided = { readonly decision: Decision; readonly fault?: 'timeout' | 'error' | 'crowded' }

// Repeated without asking (see isStillRefused), so that a flood does not reach the object.
const refusals = new Map<string, Decision>()
const maxRefusals = 10_000

/** What this isolate admitted while the object did not answer (D34). */
const decideInMemory = createMemoryWindows()

/** Decides a request and charges it to all the windows, or to none. Never throws. */
export async function decide(
  limiters: Limiters,
  subject: string,
  windows: readonly Window[],
): Promise<Decided> {
  const name = `${subject} ${windows.map((window) => window.name).join('+')}`
  const refusal = refusals.get(name)
  if (refusal !== undefined) {
    if (isStillRefused(refusal, windows, Date.now())) return { decision: refusal }
    refusals.delete(name)
  }
  if (!mayAsk(subject)) return { decision: decideInMemory(subject, windows), fault: 'crowded' }
  try {
    const decision = await withTimeLimit(
      ask(limiters, subject, windows),
      limiterTimeoutMs,
      () => new LimiterTimeout(),
    )
    if (!decision.admitted && isLasting(decision)) remember(refusals, name, decision, maxRefusals)
    return { decision }
  } catch (error) {
    const fault = error instanceof LimiterTimeout ? 'timeout' : 'error'
    return { decision: decideInMemory(subject, windows), fault }
  }
}

/** Whether no other window of the request, if it filled meanwhile, would refuse for longer than this one (D25). */
function isLasting({ readings, resetAtMs }: Decision): boolean {
  return readings.every((reading) => reading.resetAtMs <= resetAtMs)
}

// Addresses are the client's to choose, and each is an object of its own. A flood from many of them creates no
// more than this per isolate; the rest are held to the same windows in memory.
const newAddresses: Window = { name: 'addresses', limit: 1_000, windowMs: 60_000 }
const knownAddresses = new Map<string, true>()
const maxKnownAddresses = 10_000
const admitAddress = createMemoryWindows()

function mayAsk(subject: string): boolean {
  if (!subject.startsWith('ip:')) return true
  if (!knownAddresses.has(subject) && !admitAddress('new', [newAddresses]).admitted) return false
  remember(knownAddresses, subject, true, maxKnownAddresses)
  return true
}

async function ask(limiters: Limiters, subject: string, windows: readonly Window[]): Promise<Decision> {
  try {
    return await limiters.getByName(subject).admit(windows)
  } catch (error) {
    const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean }
    if (retryable !== true || overloaded === true) throw error
    // A stub that has failed stays broken. If the first try was counted after all, this one costs a second unit:
    // the window errs on the strict side.
    return limiters.getByName(subject).admit(windows)
  }
}

class LimiterTimeout extends Error {}

/** A lead is worth more than a count: past this the request goes on without the object. */
const limiterTimeoutMs = 1_000
