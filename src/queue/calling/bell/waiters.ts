// Who is rung, who may wait, how many, and when the timer of a wait ends. Pure.
import { limits } from '../../../base/limits.ts'

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

const waitMs = limits.waitMaxSeconds * 1000
/** Waits that began within the same time have the same tag: which of them is rung first does not matter. */
const slotMs = 250
const slotOf = (ms: number) => Math.floor(ms / slotMs)

/**
 * A wait's socket is found by this, so that a ring reads those alone that it wakes. By the bell's clock: a wait that
 * began elsewhere is as old as its time is long, and not of the future.
 */
export const tagOf = ({ sinceMs }: Waiter, nowMs: number) =>
  `${slotOf(Math.min(Math.max(sinceMs, nowMs - waitMs), nowMs))}`

/** Those that have waited longest. `left`: 0 when no other waits. */
export function chooseLongest<Socket>(
  socketsOf: (tag: string) => readonly Socket[],
  waiterOf: (socket: Socket) => Waiter,
  count: number,
  nowMs: number,
): {
  readonly chosen: readonly { readonly socket: Socket; readonly waiter: Waiter }[]
  readonly left: number
} {
  const chosen: { readonly socket: Socket; readonly waiter: Waiter }[] = []
  for (let slot = slotOf(nowMs - 2 * waitMs); slot <= slotOf(nowMs); slot++)
    for (const socket of socketsOf(`${slot}`)) {
      const waiter = waiterOf(socket)
      if (!canBeRung(waiter, nowMs)) continue
      if (chosen.length === count) return { chosen, left: 1 }
      chosen.push({ socket, waiter })
    }
  return { chosen, left: 0 }
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
 * Whether the isolate may hold one more. Each counts until its time is over: the runtime may drop the request of a
 * client that has left, and then nothing gives its place back.
 */
export function takePlace(held: Set<Held>, one: Held, nowMs: number): boolean {
  for (const other of held) if (other.untilMs <= nowMs) held.delete(other)
  if (held.size >= limits.waitsPerIsolate) return false
  held.add(one)
  return true
}
