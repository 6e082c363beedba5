// The arithmetic of the funnel and of the bars: shares that fill a line exactly, and one bar for each hour or day that
// the service tells, which leaves none out.
import type { LeadStatus, Stats, StatsBucket } from '../service/wire.ts'

export type FunnelPart = {
  readonly status: LeadStatus
  readonly count: number
  /** Of the line, 0 to 100; all together 100, or 0 where there is no lead. */
  readonly percent: number
}

const order: readonly LeadStatus[] = ['raw', 'attempting', 'concluded', 'exhausted']
/** A part with a lead in it can be seen, however small it is. */
const leastPercent = 0.8

export function funnelOf(status: Stats['status']): readonly FunnelPart[] {
  const counts = order.map((name) => Math.max(0, status[name] ?? 0))
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return order.map((name) => ({ status: name, count: 0, percent: 0 }))
  const raised = counts.map((count) => (count === 0 ? 0 : Math.max(leastPercent, (count / total) * 100)))
  const sum = raised.reduce((all, one) => all + one, 0)
  return order.map((name, index) => ({
    status: name,
    count: counts[index] ?? 0,
    percent: ((raised[index] ?? 0) / sum) * 100,
  }))
}

export type Bar = {
  readonly startMs: number
  readonly created: number
  readonly called: number
  readonly answered: number
}

export type Span = '24h' | '7d'

/** What a span is asked for by: without a beginning, the service tells the last 24 hours, or 7 days by the zone's clock. */
export const bucketOf: Readonly<Record<Span, 'hour' | 'day'>> = { '24h': 'hour', '7d': 'day' }

export const spanWords: Readonly<Record<Span, string>> = { '24h': '24 hours', '7d': '7 days' }

const numberOf = (bucket: StatsBucket, name: string) => Number(bucket[name] ?? 0) || 0

export function barsOf(series: readonly StatsBucket[]): readonly Bar[] {
  return series.map((bucket) => ({
    startMs: Date.parse(bucket.start),
    created: numberOf(bucket, 'created'),
    called: numberOf(bucket, 'claimed'),
    answered: numberOf(bucket, 'answered'),
  }))
}

/** Leads whose number was suppressed already when they came in. Of those suppressed later nobody keeps count. */
export const suppressedIn = ({ series }: Pick<Stats, 'series'>): number =>
  series.reduce((sum, bucket) => sum + numberOf(bucket, 'suppressed'), 0)

export function totalOf(bars: readonly Bar[]): Omit<Bar, 'startMs'> {
  const sum = (name: 'created' | 'called' | 'answered') => bars.reduce((all, bar) => all + bar[name], 0)
  return { created: sum('created'), called: sum('called'), answered: sum('answered') }
}

/** The next of 1, 2, 5, 10, 20, 50 …, so that the scale rests while numbers move. */
export function topOfScale(highest: number): number {
  if (highest <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= highest) ?? highest
}
