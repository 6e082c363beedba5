// Half of the leads were picked up within so many seconds, 95 % within so many: from the counts of each class, without
// the times themselves. Pure.
import { pickUpTimes } from '../../base/ledger/hours/pick-up.ts'

type PickUp = {
  readonly count: number
  /** Null: longer than the classes measure, or nothing was counted. */
  readonly medianSeconds: number | null
  readonly p95Seconds: number | null
}

/** `counts` is in the order of pickUpTimes. */
export function summarizePickUp(counts: readonly number[]): PickUp {
  const count = counts.reduce((sum, n) => sum + n, 0)
  const secondsOf = (percent: number) => (count === 0 ? null : findSeconds(counts, (count * percent) / 100))
  return { count, medianSeconds: secondsOf(50), p95Seconds: secondsOf(95) }
}

/** Within how many seconds the first `rank` were picked up, as if the times of a class were spread evenly. */
function findSeconds(counts: readonly number[], rank: number): number | null {
  let before = 0
  let leastMs = 0
  for (const [index, { mostMs }] of pickUpTimes.entries()) {
    const n = counts[index] ?? 0
    if (mostMs === null) return null
    if (n > 0 && before + n >= rank)
      return Math.round(leastMs + ((rank - before) / n) * (mostMs - leastMs)) / 1000
    before += n
    leastMs = mostMs
  }
  return null
}
