// When the campaign's last call was handed out, as closely as its statistics tell it: within an hour or a day, and within
// one round of the watch for what happens while somebody looks.

import type { Stats, StatsBucket } from '../service/wire.ts'
import type { Span } from './funnel.ts'

export type LastCall = { readonly fromMs: number; readonly untilMs: number }

/** A round of the watch. */
type Round = {
  readonly stats: Pick<Stats, 'series'> | null
  readonly statsSpan: Span
  /** That go on. Null: the key does not see them. */
  readonly calls: readonly unknown[] | null
  readonly atMs: number
}

const hourMs = 3_600_000
const bucketMs: Readonly<Record<Span, number>> = { '24h': hourMs, '7d': 24 * hourMs }
const claimedIn = (bucket: StatsBucket) => Number(bucket.claimed ?? 0)

/** `known`: what was told of the round before. */
export function lastCallOf(now: Round, before: Round | null, known: LastCall | null): LastCall | null {
  const { stats, statsSpan, calls, atMs } = now
  if (calls !== null && calls.length > 0) return { fromMs: atMs, untilMs: atMs }
  const last = stats?.series.findLast((bucket) => claimedIn(bucket) > 0)
  if (last === undefined) return known
  const isAlike = before !== null && before.statsSpan === statsSpan
  const earlier = isAlike ? before.stats?.series.find(({ start }) => start === last.start) : undefined
  if (isAlike && earlier !== undefined && claimedIn(earlier) < claimedIn(last)) {
    return { fromMs: before.atMs, untilMs: atMs }
  }
  const fromMs = Date.parse(last.start)
  if (known !== null && known.fromMs >= fromMs) return known
  return { fromMs, untilMs: fromMs + bucketMs[statsSpan] }
}
