// Turns the counts of hours into a series of hours or days without gaps. Pure; the counts are read in
// src/control/statistics/store/funnel.ts.
//
// Hours are UTC. A local day is the UTC hours that begin in it by the clock of the campaign's zone. Each hour is judged
// alone, so that days of 23 or 25 hours and zones of half an hour need no rule.
import { offsetMsAt } from '../../base/time-zone.ts'

export const buckets = ['hour', 'day'] as const
type Bucket = (typeof buckets)[number]

const hourMs = 3_600_000
const hoursPerDay = 24

/** How far apart `from` and `to` may be. */
export const longestDays: Readonly<Record<Bucket, number>> = { hour: 31, day: 366 }

/** How many buckets there are without `from`. */
export const defaultBuckets: Readonly<Record<Bucket, number>> = { hour: 24, day: 7 }

export type Question = {
  readonly bucket: Bucket
  /** Null: the default number of buckets. */
  readonly fromMs: number | null
  /** Exclusive. Null: up to now. */
  readonly toMs: number | null
}

/** `untilHour` is exclusive. */
type Hours = { readonly fromHour: number; readonly untilHour: number }

/**
 * How many calls each bucket had: claims that were released again do not count. A release is counted when it happens,
 * so what a bucket has more of them than of claims belongs to the claims before it.
 */
export function callsOf(
  series: readonly { readonly claimed: number; readonly released: number }[],
): number[] {
  let debt = 0
  return series
    .toReversed()
    .map(({ claimed, released }) => {
      const calls = claimed - released - debt
      debt = Math.max(0, -calls)
      return Math.max(0, calls)
    })
    .toReversed()
}

/** More hours than a day can have. */
const maxDayHours = 26

const notEarlier = 'from must be earlier than to'
const beforeCounting = 'from and to must not be before 1970'
export const farthestDays = 366
const tooFar = `to must be at most ${farthestDays} days ahead`
const tooLong = (bucket: Bucket) =>
  `from and to must be at most ${longestDays[bucket]} days apart when bucket is ${bucket}`

/** The message for an invalid question, or null. */
export function findQuestionProblem({ fromMs, toMs, bucket }: Question, nowMs: number): string | null {
  const untilMs = toMs ?? nowMs
  if (Math.min(fromMs ?? 0, untilMs) < 0) return beforeCounting
  if (untilMs - nowMs > farthestDays * hoursPerDay * hourMs) return tooFar
  if (fromMs === null) return null
  if (fromMs >= untilMs) return notEarlier
  return untilMs - fromMs > longestDays[bucket] * hoursPerDay * hourMs ? tooLong(bucket) : null
}

function hoursAsked({ bucket, fromMs, toMs }: Question, nowMs: number): Hours {
  const untilHour = toMs === null ? Math.floor(nowMs / hourMs) + 1 : Math.ceil(toMs / hourMs)
  const defaultHours = defaultBuckets[bucket] * (bucket === 'day' ? hoursPerDay : 1)
  return { fromHour: fromMs === null ? untilHour - defaultHours : Math.floor(fromMs / hourMs), untilHour }
}

/** The hours to read: for days also those around them, since the campaign's zone is not known yet. */
export function hoursToRead(question: Question, nowMs: number): Hours {
  const { fromHour, untilHour } = hoursAsked(question, nowMs)
  if (question.bucket === 'hour') return { fromHour, untilHour }
  return { fromHour: fromHour - 2 * maxDayHours, untilHour: untilHour + maxDayHours }
}

/** An hour and its counts, always in the same order. */
type HourCounts = readonly [hour: number, ...counts: number[]]

/** `counts` is in the order of those of the hours. */
type BucketCounts = { readonly startMs: number; readonly counts: readonly number[] }

/** One entry for each requested bucket, the oldest first; zeros where nothing was counted. */
export function toSeries(
  question: Question,
  nowMs: number,
  timeZone: string,
  counted: readonly HourCounts[],
  countsPerHour: number,
): BucketCounts[] {
  const ofHour = new Map(counted.map(([hour, ...counts]) => [hour, counts]))
  const { fromHour, untilHour } = hoursAsked(question, nowMs)
  const bucketOf = question.bucket === 'hour' ? (hour: number) => hour : dayReader(timeZone)
  const last = bucketOf(untilHour - 1)
  const isDefaultDays = question.bucket === 'day' && question.fromMs === null
  const first = isDefaultDays ? last - defaultBuckets.day + 1 : bucketOf(fromHour)

  const series = new Map<number, { startMs: number; counts: number[] }>()
  const read = hoursToRead(question, nowMs)
  for (let hour = read.fromHour; hour < read.untilHour; hour++) {
    const bucket = bucketOf(hour)
    if (bucket < first || bucket > last) continue
    const entry = series.get(bucket) ?? {
      startMs: hour * hourMs,
      counts: Array<number>(countsPerHour).fill(0),
    }
    series.set(bucket, entry)
    ofHour.get(hour)?.forEach((n, index) => {
      entry.counts[index] = (entry.counts[index] ?? 0) + n
    })
  }
  return [...series.values()]
}

/** No zone has changed its offset twice within so few hours. */
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
