// Buckets of days: the UTC hours that begin in a local day, held against the clock on the wall in many zones.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  callsOf,
  findQuestionProblem,
  hoursToRead,
  type Question,
  toSeries,
} from '../../../src/control/statistics/series.ts'

const hourMs = 3_600_000
const counters = 1

/** The date that the zone's calendar shows at a moment. */
const dateIn = (timeZone: string, ms: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms)

/** One for each hour that is read. */
function ask(question: Question, nowMs: number, timeZone: string) {
  const { fromHour, untilHour } = hoursToRead(question, nowMs)
  const counted = Array.from({ length: untilHour - fromHour }, (_, index) => [fromHour + index, 1] as const)
  return toSeries(question, nowMs, timeZone, counted, counters)
}

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Cairo',
]

it('A series of days holds every hour that begins in its days, once, and no day more', () => {
  const minMs = Date.UTC(2026, 0, 1)
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: minMs, max: minMs + 366 * 24 * hourMs }),
      fc.integer({ min: 1, max: 20 * 24 * hourMs }),
      (timeZone, fromMs, lengthMs) => {
        const toMs = fromMs + lengthMs
        const series = ask({ bucket: 'day', fromMs, toMs }, toMs, timeZone)
        const firstHour = Math.floor(fromMs / hourMs) * hourMs
        const lastHour = (Math.ceil(toMs / hourMs) - 1) * hourMs
        const dates = series.map(({ startMs }) => dateIn(timeZone, startMs))
        expect([dates[0], dates.at(-1)]).toEqual([dateIn(timeZone, firstHour), dateIn(timeZone, lastHour)])
        expect(new Set(dates).size).toBe(dates.length)
        series.forEach(({ startMs, counts: [hours = 0] }, index) => {
          expect(dateIn(timeZone, startMs - hourMs)).not.toBe(dates[index])
          expect(dateIn(timeZone, startMs + (hours - 1) * hourMs)).toBe(dates[index])
          const next = series[index + 1]
          if (next !== undefined) expect(startMs + hours * hourMs).toBe(next.startMs)
          else expect(dateIn(timeZone, startMs + hours * hourMs)).not.toBe(dates[index])
        })
      },
    ),
  )
})

it('A series of days has days of 23 and of 25 hours where the clock is set', () => {
  const daysOf = (from: string, days: number) => {
    const fromMs = Date.parse(from)
    const toMs = fromMs + days * 24 * hourMs
    return ask({ bucket: 'day', fromMs, toMs }, toMs, 'Europe/Berlin').map(({ counts }) => counts[0])
  }
  expect(daysOf('2026-03-28T12:00:00Z', 2)).toEqual([24, 23, 24])
  expect(daysOf('2026-10-24T12:00:00Z', 2)).toEqual([24, 25, 24])
})

it('A series of days is the seven days up to today when nobody says from when, also beside a day of 25 hours', () => {
  const nowMs = Date.parse('2026-10-31T22:30:00Z')
  const series = ask({ bucket: 'day', fromMs: null, toMs: null }, nowMs, 'Europe/Berlin')
  expect(series.map(({ startMs }) => dateIn('Europe/Berlin', startMs))).toEqual(
    ['25', '26', '27', '28', '29', '30', '31'].map((day) => `2026-10-${day}`),
  )
  expect(series.map(({ counts }) => counts[0])).toEqual([25, 24, 24, 24, 24, 24, 24])
})

describe('A question of statistics', () => {
  const nowMs = Date.parse('2026-11-21T10:20:00Z')
  const dayMs = 24 * hourMs
  const problemOf = (question: Partial<Question>) =>
    findQuestionProblem({ bucket: 'day', fromMs: null, toMs: null, ...question }, nowMs)

  it('A question of statistics may end ahead of now, and not further than any calendar shows', () => {
    expect(problemOf({ toMs: nowMs + 366 * dayMs })).toBeNull()
    for (const fromMs of [null, nowMs]) {
      expect(problemOf({ fromMs, toMs: nowMs + 366 * dayMs + 1 })).toBe('to must be at most 366 days ahead')
    }
  })

  it('A question of statistics is about no time before anything could be counted', () => {
    expect(problemOf({ fromMs: 0, toMs: 1 })).toBeNull()
    for (const question of [{ fromMs: -1, toMs: 1 }, { toMs: -1 }, { fromMs: -1 }]) {
      expect(problemOf(question)).toBe('from and to must not be before 1970')
    }
  })

  it('A question of statistics of the longest time has one bucket more where it begins within one, and not otherwise', () => {
    const daysFrom = (fromMs: number) => {
      const question: Question = { bucket: 'day', fromMs, toMs: fromMs + 366 * dayMs }
      expect(findQuestionProblem(question, nowMs)).toBeNull()
      return ask(question, nowMs, 'UTC').length
    }
    expect([daysFrom(Date.UTC(2025, 10, 1)), daysFrom(Date.UTC(2025, 10, 1, 12))]).toEqual([366, 367])
  })
})

it.each<[string, counts: [claimed: number, released: number][], calls: number[]]>([
  ['less those released in it', [[5, 2]], [3]],
  [
    'less those released later, in the bucket of their claim',
    [
      [4, 0],
      [0, 3],
      [2, 1],
    ],
    [1, 0, 1],
  ],
  [
    'less those released much later',
    [
      [3, 0],
      [1, 0],
      [0, 2],
    ],
    [2, 0, 0],
  ],
  [
    'none, where the claims were before the first',
    [
      [0, 2],
      [1, 0],
    ],
    [0, 1],
  ],
])('The calls of a bucket are its claims, %s', (_, counts, calls) => {
  expect(callsOf(counts.map(([claimed, released]) => ({ claimed, released })))).toEqual(calls)
})
