// The arithmetic of the funnel and of the bars: shares that fill a line exactly, and one bar for each hour or day of
// the statistics.
import type { LeadStatus, Statistics } from '../../sdk/src/models.ts'
import { statuses } from '../ui/words/status-names.ts'
import { isoDay, momentOf } from '../ui/words/zone-time.ts'

export type FunnelPart = {
  readonly status: LeadStatus
  readonly count: number
  /** How much of the line it takes; all parts together are 100, or 0 where there is no lead. */
  readonly percent: number
}

/** A part with a lead in it is visible, however small it is. */
const leastPercent = 0.8

export function funnelOf(status: Statistics['status']): readonly FunnelPart[] {
  const counts = statuses.map((name) => Math.max(0, status[name]))
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return statuses.map((name) => ({ status: name, count: 0, percent: 0 }))
  const raised = counts.map((count) => (count === 0 ? 0 : Math.max(leastPercent, (count / total) * 100)))
  const sum = raised.reduce((all, one) => all + one, 0)
  return statuses.map((name, index) => ({
    status: name,
    count: counts[index] ?? 0,
    percent: ((raised[index] ?? 0) / sum) * 100,
  }))
}

export type Span = '24h' | '7d' | '14d'

export const bucketOf: Readonly<Record<Span, 'hour' | 'day'>> = { '24h': 'hour', '7d': 'day', '14d': 'day' }

export const spanWords: Readonly<Record<Span, string>> = { '24h': '24 h', '7d': '7 days', '14d': '14 days' }

const daysOf: Readonly<Record<Span, number>> = { '24h': 1, '7d': 7, '14d': 14 }

/** From when: 24 hours ago, or the first of so many days, of which today is the last. */
export function fromOf(span: Span, zone: string, nowMs: number): string {
  const beforeMs = nowMs - (span === '24h' ? 1 : daysOf[span] - 1) * 86_400_000
  const firstMs = span === '24h' ? null : momentOf(`${isoDay(beforeMs, zone)}T00:00`, zone)
  return new Date(firstMs ?? beforeMs).toISOString()
}

/** The counts of an hour or a day, which is a bar. */
export type Bucket = Statistics['series'][number]

export type Count = 'created' | 'called' | 'answered'

/** `suppressed`: leads whose number was suppressed when they arrived. Those suppressed later are not counted. */
export const totalOf = (
  series: readonly Pick<Bucket, Count | 'suppressed'>[],
  count: Count | 'suppressed',
): number => series.reduce((sum, bucket) => sum + bucket[count], 0)

/** Null: no lead was picked up. */
export function describePickUp(pickUp: Statistics['pickUp']): string | null {
  if (pickUp.count === 0) return null
  const [half, most] = [within(pickUp.medianSeconds), within(pickUp.p95Seconds)]
  if (half === null) return 'half take over 1 h'
  if (most === null) return `half within ${half}, some over 1 h`
  return half === most ? `95 % within ${most}` : `half within ${half}, 95 % within ${most}`
}

/**
 * Rounded up, so that it stays true; a class of an hour is too wide to say where in it a time is. Null: longer than
 * that.
 */
function within(seconds: number | null): string | null {
  if (seconds === null) return null
  if (seconds > 300) return '1 h'
  const [size, unit] = seconds > 59 ? [60, 'min'] : [1, 's']
  return `${Math.ceil(seconds / size)} ${unit}`
}

/** The next of 1, 2, 3, 4, 5, 6, 8, 10, 15, 20 …: the highest bar takes at least two thirds of the room. */
export function topOfScale(highest: number): number {
  if (highest <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= highest) ?? highest
}
