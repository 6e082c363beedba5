// The counts of hours as a series of hours or days, without a gap: which buckets a question asks for, and what each holds.
// Pure; the counts themselves are read in src/statistics/store/funnel.ts.
//
// An hour is of UTC. A local day is the UTC hours that begin in it by the clock of the campaign's zone: judged hour by
// hour, so that days of 23 or 25 hours, and zones of half an hour, need no rule.
import { offsetMsAt } from '../time-zone.ts'

export const buckets = ['hour', 'day'] as const
export type Bucket = (typeof buckets)[number]

const hourMs = 3_600_000
const hoursPerDay = 24

/** The longest question of each kind, in days. */
export const longestDays: Readonly<Record<Bucket, number>> = { hour: 31, day: 366 }

/** How many buckets are told to who asks for no beginning. */
export const usualBuckets: Readonly<Record<Bucket, number>> = { hour: 24, day: 7 }

export type Question = {
  readonly bucket: Bucket
  /** Null: as many buckets as are usual. */
  readonly fromMs: number | null
  /** Not in it any more. Null: up to now. */
  readonly toMs: number | null
}

/** Whole hours, from the first to before the last, and for days those around them whose day is not known yet. */
export type Hours = { readonly fromHour: number; readonly untilHour: number }

/** More than a day can have. */
const aroundDay = 26

export const notEarlier = 'from must be earlier than to'
export const beforeCounting = 'from and to must not be before 1970'
/** Further than any bucket that begins now, or any calendar that shows one. */
export const farthestDays = 366
export const tooFar = `to must be at most ${farthestDays} days ahead`
export const tooLong = (bucket: Bucket) =>
  `from and to must be at most ${longestDays[bucket]} days apart when bucket is ${bucket}`

/** What is wrong with a question, or null. */
export function findQuestionProblem({ fromMs, toMs, bucket }: Question, nowMs: number): string | null {
  const untilMs = toMs ?? nowMs
  if (Math.min(fromMs ?? 0, untilMs) < 0) return beforeCounting
  if (untilMs - nowMs > farthestDays * hoursPerDay * hourMs) return tooFar
  if (fromMs === null) return null
  if (fromMs >= untilMs) return notEarlier
  return untilMs - fromMs > longestDays[bucket] * hoursPerDay * hourMs ? tooLong(bucket) : null
}

/** The hours that the question is about. */
function hoursAsked({ bucket, fromMs, toMs }: Question, nowMs: number): Hours {
  const untilHour = toMs === null ? Math.floor(nowMs / hourMs) + 1 : Math.ceil(toMs / hourMs)
  const usual = usualBuckets[bucket] * (bucket === 'day' ? hoursPerDay : 1)
  return { fromHour: fromMs === null ? untilHour - usual : Math.floor(fromMs / hourMs), untilHour }
}

/** The hours that have to be read to answer it, whatever the campaign's zone. */
export function hoursToRead(question: Question, nowMs: number): Hours {
  const { fromHour, untilHour } = hoursAsked(question, nowMs)
  if (question.bucket === 'hour') return { fromHour, untilHour }
  return { fromHour: fromHour - 2 * aroundDay, untilHour: untilHour + aroundDay }
}

/** What was counted in an hour: the hour, and each counter in order. */
export type HourCounts = readonly [hour: number, ...counts: number[]]

/** Counts in the order of the counters, from the moment on at which the bucket begins. */
export type BucketCounts = { readonly startMs: number; readonly counts: readonly number[] }

/** One entry for each bucket that is asked for, oldest first; where nothing was counted, of zeros. */
export function toSeries(
  question: Question,
  nowMs: number,
  timeZone: string,
  counted: readonly HourCounts[],
  countersPerHour: number,
): BucketCounts[] {
  const ofHour = new Map(counted.map(([hour, ...counts]) => [hour, counts]))
  const { fromHour, untilHour } = hoursAsked(question, nowMs)
  const bucketOf = question.bucket === 'hour' ? (hour: number) => hour : dayReader(timeZone)
  const last = bucketOf(untilHour - 1)
  const isUsualDays = question.bucket === 'day' && question.fromMs === null
  const first = isUsualDays ? last - usualBuckets.day + 1 : bucketOf(fromHour)

  const series = new Map<number, { startMs: number; counts: number[] }>()
  const read = hoursToRead(question, nowMs)
  for (let hour = read.fromHour; hour < read.untilHour; hour++) {
    const bucket = bucketOf(hour)
    if (bucket < first || bucket > last) continue
    const entry = series.get(bucket) ?? {
      startMs: hour * hourMs,
      counts: Array<number>(countersPerHour).fill(0),
    }
    series.set(bucket, entry)
    ofHour.get(hour)?.forEach((n, index) => {
      entry.counts[index] = (entry.counts[index] ?? 0) + n
    })
  }
  return [...series.values()]
}

/** No zone has set its clock twice within so few hours, or set it back to what it was. */
const stepHours = 6

/** The number of the day in which an hour begins by the zone's clock. */
function dayReader(timeZone: string): (hour: number) => number {
  const offsets = new Map<number, number>()
  const offsetAt = (hour: number) => {
    const known = offsets.get(hour) ?? offsetMsAt(timeZone, hour * hourMs)
    offsets.set(hour, known)
    return known
  }
  return (hour) => {
    const step = Math.floor(hour / stepHours) * stepHours
    const isSteady = offsetAt(step) === offsetAt(step + stepHours)
    const offsetMs = isSteady ? offsetAt(step) : offsetAt(hour)
    return Math.floor((hour * hourMs + offsetMs) / (hoursPerDay * hourMs))
  }
}
