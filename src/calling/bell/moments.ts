// The moment of a waiting claim's timer: when a lead may become callable without a commit that rings. Pure.
import { settleGraceMs } from '../../campaigns/outcomes.ts'

/** Why a claim got less than was there; null: nothing but the queue did. */
export type Stop = { readonly by: 'cap' } | { readonly by: 'pace'; readonly untilMs: number } | null

/** What a claim, or a look at the queue, knows of the time ahead. Null: nothing of that kind is ahead. */
export type Moments = {
  /** The first lead that is due and open. */
  readonly readyAtMs: number | null
  /** The first lease that ends, for which nothing rings. */
  readonly leaseEndsAtMs: number | null
}

/** The first of them; null: there is none. What a cap or a pace holds back is not ready when it is due. */
export function nextMoment({ readyAtMs, leaseEndsAtMs }: Moments, stop: Stop = null): number | null {
  const settledAtMs = leaseEndsAtMs === null ? null : leaseEndsAtMs + settleGraceMs
  if (stop?.by === 'pace') return stop.untilMs
  if (stop?.by === 'cap') return settledAtMs
  if (readyAtMs === null || settledAtMs === null) return readyAtMs ?? settledAtMs
  return Math.min(readyAtMs, settledAtMs)
}

/** Sooner, answers and claims would chase each other. */
const leastMs = 1_000

/** When the timer of a moment ends. `foundNothingAtMs`: the time of the claim, or look, that knew of it. */
export function timerOf(momentMs: number | null, foundNothingAtMs: number): number {
  return momentMs === null ? Number.POSITIVE_INFINITY : Math.max(momentMs, foundNothingAtMs + leastMs)
}
