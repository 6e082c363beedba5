// When the campaign's last call was claimed, as closely as its statistics show: within an hour or a day, and within one
// round of the watch while the page is open.

import type { Bucket, Span } from './funnel.ts'

export type LastCall = { readonly fromMs: number; readonly untilMs: number }

type Claims = Pick<Bucket, 'start' | 'claimed'>

/** A round of the watch. */
type Round = {
  readonly stats: { readonly series: readonly Claims[] } | null
  readonly statsSpan: Span
  /** Those that are live. Null: the key may not read them. */
  readonly calls: readonly unknown[] | null
  readonly atMs: number
}

const hourMs = 3_600_000
const bucketMs: Readonly<Record<Span, number>> = { '24h': hourMs, '7d': 24 * hourMs }

/** `known`: the result of the round before. */
export function lastCallOf(now: Round, before: Round | null, known: LastCall | null): LastCall | null {
  const { stats, statsSpan, calls, atMs } = now
  if (calls !== null && calls.length > 0) return { fromMs: atMs, untilMs: atMs }
  const last = stats?.series.findLast(({ claimed }) => claimed > 0)
  if (last === undefined) return known
  const isSameSpan = before !== null && before.statsSpan === statsSpan
  const earlier = isSameSpan ? before.stats?.series.find(({ start }) => start === last.start) : undefined
  if (isSameSpan && earlier !== undefined && earlier.claimed < last.claimed) {
    return { fromMs: before.atMs, untilMs: atMs }
  }
  const fromMs = Date.parse(last.start)
  if (known !== null && known.fromMs >= fromMs) return known
  return { fromMs, untilMs: fromMs + bucketMs[statsSpan] }
}
