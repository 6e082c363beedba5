// The arithmetic of the funnel and of the bars: shares that fill a line exactly, and one bucket for each hour or day,
// also for those in which nothing happened.
import type { LeadStatus, Stats, StatsBucket } from './wire.ts'

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

const hourMs = 3_600_000

/** From when to ask for a span that ends with this hour. `dayStartMs` is the local midnight before now. */
export function spanStart(span: Span, nowMs: number, dayStartMs: number): number {
  return span === '24h'
    ? Math.floor(nowMs / hourMs) * hourMs - 23 * hourMs
    : dayStartMs - (6 * 24 + 1) * hourMs
}

const numberOf = (bucket: StatsBucket, name: string) => Number(bucket[name] ?? 0) || 0

/** The start of a bucket is told as a time or as Unix milliseconds. */
const startOf = ({ start }: { readonly start: string | number }) =>
  typeof start === 'number' ? start : Date.parse(start)

/** `starts`: of every bar that is drawn, rising. Each bucket goes to the last that is not later. */
export function barsOf(series: readonly StatsBucket[], starts: readonly number[]): readonly Bar[] {
  const bars = starts.map((startMs) => ({ startMs, created: 0, called: 0, answered: 0 }))
  for (const bucket of series) {
    const bar = bars.findLast(({ startMs }) => startMs <= startOf(bucket))
    if (bar === undefined) continue
    bar.created += numberOf(bucket, 'created')
    bar.called += numberOf(bucket, 'claimed')
    bar.answered += numberOf(bucket, 'answered')
  }
  return bars
}

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
