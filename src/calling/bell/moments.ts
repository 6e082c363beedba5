// The moment of a waiting claim's timer: when a lead may become callable without a commit that rings. Pure.
import { settleGraceMs } from '../../campaigns/outcomes.ts'

/** When the next lead or lease matters. Null: nothing of that kind is ahead. */
export type Moments = {
  /** The first lead that is due and open, and has room under cap and pace. */
  readonly readyAtMs: number | null
  /** The first lease that ends, for which nothing rings. */
  readonly leaseEndsAtMs: number | null
}

/** The first of them; null: there is none. */
export function nextMoment({ readyAtMs, leaseEndsAtMs }: Moments): number | null {
  const settledAtMs = leaseEndsAtMs === null ? null : leaseEndsAtMs + settleGraceMs
  if (readyAtMs === null || settledAtMs === null) return readyAtMs ?? settledAtMs
  return Math.min(readyAtMs, settledAtMs)
}

/** Sooner, answers and claims would chase each other. */
const leastMs = 1_000

/** When the timer of a moment ends. `foundNothingAtMs`: the time of the claim, or look, that knew of it. */
export function timerOf(momentMs: number | null, foundNothingAtMs: number): number {
  return momentMs === null ? Number.POSITIVE_INFINITY : Math.max(momentMs, foundNothingAtMs + leastMs)
}
