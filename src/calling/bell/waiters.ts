// Who is rung, who may wait, how many, and when the timer of a wait ends. Pure.
import { limits } from '../../limits.ts'

/** A wait, as its socket carries it. Past `untilMs` it cannot be rung. */
export type Waiter = { readonly sinceMs: number; readonly untilMs: number }

/** The code with which a ring closes a socket. */
export const rungCode = 4000

/** A ring wakes so many: one may have left, or take longer. */
export const ringCount = 2

/** Disconnected clients consume rings, so each further ring for the same lead wakes twice as many. Null: enough. */
export function nextRingCount(count: number): number | null {
  return count < 64 ? count * 2 : null
}

/** Sooner, answers and claims would chase each other. */
const leastMs = 1_000

/** When the timer of a moment ends. `foundNothingAtMs`: the time of the claim, or look, that knew of it. */
export function timerOf(momentMs: number | null, foundNothingAtMs: number): number {
  return momentMs === null ? Number.POSITIVE_INFINITY : Math.max(momentMs, foundNothingAtMs + leastMs)
}

export const canBeRung = ({ untilMs }: Waiter, nowMs: number) => untilMs > nowMs

/** Those that have waited longest, and how many others wait. */
export function chooseLongest<Socket extends { readonly waiter: Waiter }>(
  sockets: readonly Socket[],
  count: number,
  nowMs: number,
): { readonly chosen: readonly Socket[]; readonly left: number } {
  const waiting = sockets.filter(({ waiter }) => canBeRung(waiter, nowMs))
  const chosen = waiting.sort((a, b) => a.waiter.sinceMs - b.waiter.sinceMs).slice(0, count)
  return { chosen, left: waiting.length - chosen.length }
}

const mostMoments = 100

/**
 * Many timers have the same moment: whether a ring of so many is new for it. `rung` holds the largest ring of each
 * moment, the latest last.
 */
export function isNewRing(rung: Map<number, number>, momentMs: number, count: number): boolean {
  if ((rung.get(momentMs) ?? 0) >= count) return false
  rung.delete(momentMs)
  rung.set(momentMs, count)
  for (const oldest of rung.keys()) {
    if (rung.size <= mostMoments) break
    rung.delete(oldest)
  }
  return true
}

/** A request that waits, as the isolate that holds it counts it. */
export type Held = { readonly untilMs: number }

/**
 * Whether the isolate may hold one more. Each counts until its time is over: the runtime may drop the request of a client that
 * has left, and then nothing gives its place back.
 */
export function takePlace(held: Set<Held>, one: Held, nowMs: number): boolean {
  for (const other of held) if (other.untilMs <= nowMs) held.delete(other)
  if (held.size >= limits.waitsPerIsolate) return false
  held.add(one)
  return true
}
