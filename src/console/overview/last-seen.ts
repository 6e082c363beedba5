// When the campaign's last call was claimed and its last lead created, as closely as its statistics show: within an hour
// or a day, and within one round of the watch while the page is open.

import type { Bucket, Span } from './funnel.ts'

export type LastSeen = { readonly fromMs: number; readonly untilMs: number }

type Counted = 'claimed' | 'created'

/** A round of the watch. */
type Round<Name extends Counted> = {
  readonly stats: { readonly series: readonly Pick<Bucket, 'start' | Name>[] }
  readonly statsSpan: Span
  /** Those that are live. Null: the key may not read them. */
  readonly liveCalls: readonly unknown[] | null
  readonly atMs: number
}

const hourMs = 3_600_000
const bucketMs: Readonly<Record<Span, number>> = { '24h': hourMs, '7d': 24 * hourMs }

/** `known`: the result of the round before. */
export function lastSeenOf<Name extends Counted>(
  name: Name,
  now: Round<Name>,
  before: Round<Name> | null,
  known: LastSeen | null,
): LastSeen | null {
  const { stats, statsSpan, liveCalls, atMs } = now
  if (name === 'claimed' && liveCalls !== null && liveCalls.length > 0) return { fromMs: atMs, untilMs: atMs }
  const count = (bucket: Pick<Bucket, Name>): number => bucket[name]
  const last = stats.series.findLast((bucket) => count(bucket) > 0)
  if (last === undefined) return known
  const isSameSpan = before !== null && before.statsSpan === statsSpan
  const earlier = isSameSpan ? before.stats.series.find(({ start }) => start === last.start) : undefined
  if (isSameSpan && earlier !== undefined && count(earlier) < count(last)) {
    return { fromMs: before.atMs, untilMs: atMs }
  }
  const fromMs = Date.parse(last.start)
  if (known !== null && known.fromMs >= fromMs) return known
  return { fromMs, untilMs: fromMs + bucketMs[statsSpan] }
}
