// When the campaign's last call was claimed, as closely as its statistics show: within an hour or a day, and within one
// round of the watch while the page is open.

import { countOf } from '../ui/words/number-words.ts'
import { bucketName, clockTime, shortTime } from '../ui/words/zone-time.ts'
import type { Bucket, Span } from './funnel.ts'

export type LastSeen = { readonly fromMs: number; readonly untilMs: number }

/** A round of the watch. */
type Round = {
  readonly stats: { readonly series: readonly Pick<Bucket, 'start' | 'called'>[] }
  readonly statsSpan: Span
  /** Those that are live. Null: the key may not read them. */
  readonly liveCalls: readonly unknown[] | null
  readonly atMs: number
}

const minuteMs = 60_000
const hourMs = 3_600_000
const bucketMs: Readonly<Record<Span, number>> = {
  '24h': hourMs,
  '7d': 24 * hourMs,
  '14d': 24 * hourMs,
}

/** `known`: the result of the round before. */
export function lastCallOf(now: Round, before: Round | null, known: LastSeen | null): LastSeen | null {
  const { stats, statsSpan, liveCalls, atMs } = now
  if (liveCalls !== null && liveCalls.length > 0) return { fromMs: atMs, untilMs: atMs }
  const last = stats.series.findLast(({ called }) => called > 0)
  if (last === undefined) return known
  const isSameSpan = before !== null && before.statsSpan === statsSpan
  const earlier = isSameSpan ? before.stats.series.find(({ start }) => start === last.start) : undefined
  if (isSameSpan && earlier !== undefined && earlier.called < last.called)
    return { fromMs: before.atMs, untilMs: atMs }
  const fromMs = Date.parse(last.start)
  if (known !== null && known.fromMs >= fromMs) return known
  return { fromMs, untilMs: fromMs + bucketMs[statsSpan] }
}

export function describeSeen({ fromMs, untilMs }: LastSeen, zone: string, nowMs: number): string {
  if (untilMs - fromMs > hourMs) return bucketName(fromMs, zone, 'day')
  if (untilMs - fromMs < hourMs) return timeAgo(untilMs, zone, nowMs)
  const until = untilMs <= nowMs ? clockTime(untilMs, zone) : 'now'
  return `Between ${shortTime(fromMs, zone, nowMs)} and ${until}`
}

/** Within an hour how long ago, else the time. */
export function timeAgo(timeMs: number, zone: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - timeMs) / minuteMs)
  if (minutes >= 60) return shortTime(timeMs, zone, nowMs)
  return minutes < 1 ? 'Just now' : `${countOf(minutes, 'minute')} ago`
}
