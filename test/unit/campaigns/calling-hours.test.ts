// Opening hours: judged point by point by an independent implementation, in all zones and across every change of
// their clocks; and by tables of named cases.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  defaultAppointmentHours,
  defaultCallingHours,
  findNextOpening,
  findOpenings,
  findWindowsProblem,
  type Interval,
  isDate,
  isOpenAt,
  openSinceMs,
  type Schedule,
  type WeeklyHours,
  weekdays,
} from '../../../src/queue/campaigns/calling-hours.ts'
import { isOpenByTheClock } from './calling-hours-judge.ts'

const dayMs = 86_400_000
const zones = Intl.supportedValuesOf('timeZone')

/** Windows that begin, end and touch where clocks are set. */
const nightHours: WeeklyHours = {
  sun: [['00:00', '02:30']],
  mon: [
    ['00:30', '01:40'],
    ['01:50', '24:00'],
  ],
  tue: [['00:00', '24:00']],
  wed: [],
  thu: [['00:00', '00:01']],
  fri: [['01:59', '02:01']],
  sat: [
    ['01:00', '02:00'],
    ['02:00', '03:00'],
  ],
}

const isIn = (openings: readonly Interval[], atMs: number) =>
  openings.some(({ opensAtMs, closesAtMs }) => atMs >= opensAtMs && atMs < closesAtMs)

/** Where an interval could be wrong by a little. */
const edgesOf = (openings: readonly Interval[]) =>
  openings.flatMap(({ opensAtMs, closesAtMs }) => [opensAtMs, closesAtMs].flatMap((t) => [t - 1, t, t + 1]))

describe('Openings', () => {
  // The weeks in which the clocks of the northern and of the southern half change, and one without a change.
  it.each(['2026-03-05', '2026-03-26', '2026-10-20', '2027-04-01', '2026-06-30'])(
    'Openings agree with the clock on the wall in all zones, from %s on',
    (date) => {
      const fromMs = Date.parse(`${date}T00:00:00Z`)
      const untilMs = fromMs + 14 * dayMs
      const closedDates = [new Date(fromMs + 4 * dayMs).toISOString().slice(0, 10)]
      for (const [index, timeZone] of zones.entries()) {
        const hours = index % 2 === 0 ? nightHours : defaultAppointmentHours
        const openings = findOpenings({ timeZone, hours, closedDates }, fromMs, untilMs)
        const moments = Array.from(
          { length: 40 },
          (_, i) => fromMs + (((i * 7_919 + index) % 2_000) / 2_000) * 14 * dayMs,
        )
        for (const atMs of [...moments, ...edgesOf(openings)]) {
          if (atMs < fromMs || atMs >= untilMs) continue
          const isOpen = isOpenByTheClock(timeZone, hours, closedDates, atMs)
          if (isIn(openings, atMs) !== isOpen)
            expect([timeZone, new Date(atMs).toISOString(), !isOpen]).toBe(isOpen)
        }
      }
    },
  )

  const anyTime = fc.integer({ min: 0, max: 1439 })
  const clockTime = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const anyDay = fc.uniqueArray(anyTime, { maxLength: 6 }).map((minutes) => {
    const sorted = minutes.toSorted((a, b) => a - b)
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_, i): [string, string] => [
      clockTime(sorted[2 * i] as number),
      clockTime(sorted[2 * i + 1] as number),
    ])
  })
  const anyHours = fc
    .tuple(anyDay, anyDay, anyDay, anyDay, anyDay, anyDay, anyDay)
    .map(
      (days) => Object.fromEntries(weekdays.map((day, i) => [day, days[i] ?? []])) as unknown as WeeklyHours,
    )
  const anyMoment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) })

  it('Openings agree with the clock on the wall for any hours, zone and time', () => {
    fc.assert(
      fc.property(anyHours, fc.constantFrom(...zones), anyMoment, (hours, timeZone, fromMs) => {
        const schedule = { timeZone, hours, closedDates: [] }
        const untilMs = fromMs + 10 * dayMs
        const openings = findOpenings(schedule, fromMs, untilMs)
        const moments = Array.from({ length: 50 }, (_, i) => fromMs + Math.floor((i / 50) * 10 * dayMs))
        for (const atMs of [...moments, ...edgesOf(openings)]) {
          if (atMs < fromMs || atMs >= untilMs) continue
          const isOpen = isOpenByTheClock(timeZone, hours, [], atMs)
          expect([atMs, isIn(openings, atMs), isOpenAt(schedule, atMs)]).toEqual([atMs, isOpen, isOpen])
        }
      }),
      { numRuns: 150 },
    )
  })

  it('Openings neither overlap nor touch, and stay within what was asked for', () => {
    fc.assert(
      fc.property(anyHours, fc.constantFrom(...zones), anyMoment, (hours, timeZone, fromMs) => {
        const openings = findOpenings({ timeZone, hours, closedDates: [] }, fromMs, fromMs + 10 * dayMs)
        const times = openings.flatMap(({ opensAtMs, closesAtMs }) => [opensAtMs, closesAtMs])
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
        expect(times.every((t) => t >= fromMs && t <= fromMs + 10 * dayMs)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

const berlin = (hours: WeeklyHours, closedDates: string[] = []): Schedule => ({
  timeZone: 'Europe/Berlin',
  hours,
  closedDates,
})
const only = (day: keyof WeeklyHours, ...windows: [string, string][]): WeeklyHours => ({
  ...(Object.fromEntries(weekdays.map((each) => [each, []])) as unknown as WeeklyHours),
  [day]: windows,
})
const iso = (atMs: number) => new Date(atMs).toISOString().slice(0, 16)
const openingsOf = (schedule: Schedule, from: string, days: number) =>
  findOpenings(schedule, Date.parse(`${from}Z`), Date.parse(`${from}Z`) + days * dayMs).map(
    ({ opensAtMs, closesAtMs }) => [iso(opensAtMs), iso(closesAtMs)],
  )

it.each<[string, Schedule, string, number, string[][]]>([
  [
    'follows the zone through the end of summer time',
    berlin(defaultCallingHours),
    '2026-10-23T00:00',
    4,
    [
      ['2026-10-23T07:00', '2026-10-23T15:00'],
      ['2026-10-26T08:00', '2026-10-26T16:00'],
    ],
  ],
  [
    'in an hour that is skipped does not open',
    berlin(only('sun', ['02:00', '03:00'])),
    '2026-03-28T12:00',
    2,
    [],
  ],
  [
    'over an hour that is skipped is an hour shorter',
    berlin(only('sun', ['01:30', '03:30'])),
    '2026-03-28T12:00',
    2,
    [['2026-03-29T00:30', '2026-03-29T01:30']],
  ],
  [
    'in an hour that comes twice opens twice',
    berlin(only('sun', ['02:00', '02:30'])),
    '2026-10-24T12:00',
    2,
    [
      ['2026-10-25T00:00', '2026-10-25T00:30'],
      ['2026-10-25T01:00', '2026-10-25T01:30'],
    ],
  ],
  [
    'until midnight goes on into one from midnight',
    berlin({ ...only('mon', ['22:00', '24:00']), tue: [['00:00', '02:00']] }),
    '2026-06-01T00:00',
    3,
    [['2026-06-01T20:00', '2026-06-02T00:00']],
  ],
  [
    'stays closed on a closed date, as the zone has it',
    berlin({ ...only('thu', ['00:00', '24:00']), fri: [['00:00', '24:00']] }, ['2026-12-25']),
    '2026-12-23T00:00',
    4,
    [['2026-12-23T23:00', '2026-12-24T23:00']],
  ],
])('A window %s', (_, schedule, from, days, expected) => {
  expect(openingsOf(schedule, from, days)).toEqual(expected)
})

describe('The next opening', () => {
  const next = (schedule: Schedule, from: string) => {
    const opening = findNextOpening(schedule, Date.parse(`${from}Z`))
    return opening === null ? null : iso(opening.opensAtMs)
  }

  it('The next opening is now while it is open, else the beginning of the next window', () => {
    expect(next(berlin(defaultCallingHours), '2026-11-20T10:00')).toBe('2026-11-20T10:00')
    expect(next(berlin(defaultCallingHours), '2026-11-20T16:00')).toBe('2026-11-23T08:00')
  })

  it('The next opening is found behind many closed dates', () => {
    const days = Array.from({ length: 200 }, (_, i) => new Date(Date.UTC(2026, 0, 1) + i * dayMs))
    const closed = days.map((day) => day.toISOString().slice(0, 10))
    expect(next(berlin(defaultAppointmentHours, closed), '2026-01-01T10:00')).toBe('2026-07-20T06:00')
  })

  it('The next opening is none where no day has a window', () => {
    expect(next(berlin(only('mon')), '2026-01-01T10:00')).toBeNull()
  })
})

describe('What a schedule of 48 windows a day and 1,000 closed dates costs', () => {
  const windows = Array.from({ length: 48 }, (_, i): [string, string] => {
    const hour = String(Math.floor(i / 2)).padStart(2, '0')
    return i % 2 === 0 ? [`${hour}:00`, `${hour}:25`] : [`${hour}:30`, `${hour}:55`]
  })
  const nowMs = Date.UTC(2026, 10, 18, 12, 10)
  const closedDates = Array.from({ length: 1_000 }, (_, i) =>
    new Date(nowMs + (i - 3) * dayMs).toISOString().slice(0, 10),
  )

  it('A campaign reads it once for all its lanes', () => {
    let reads = 0
    const everyDay = Object.fromEntries(weekdays.map((day) => [day, windows]))
    const hours = new Proxy(everyDay, {
      get(days, day: string) {
        reads++
        return days[day]
      },
    }) as unknown as WeeklyHours
    for (const timeZone of zones.slice(0, 40))
      expect(openSinceMs({ timeZone, hours, closedDates: [] }, nowMs, nowMs - 2 * dayMs)).toBe(
        Date.UTC(2026, 10, 18, 12),
      )
    expect(reads).toBe(7)
  })

  it('Closed days and known days ask no clock', () => {
    const clock = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
    const hours = Object.fromEntries(weekdays.map((day) => [day, windows])) as unknown as WeeklyHours
    const schedule = { timeZone: 'Europe/Berlin', hours, closedDates }
    expect(findNextOpening(schedule, nowMs)).toBeNull()
    expect(clock).not.toHaveBeenCalled()
    openSinceMs({ ...schedule, closedDates: [] }, nowMs, nowMs - 2 * dayMs)
    const asked = clock.mock.calls.length
    openSinceMs({ ...schedule, closedDates: [] }, nowMs + 1, nowMs - 2 * dayMs)
    expect(clock.mock.calls.length).toBe(asked)
    clock.mockRestore()
  })
})

it.each([
  [[]],
  [[['09:00', '17:00']]],
  [[['00:00', '24:00']]],
  [
    [
      ['13:00', '17:00'],
      ['09:00', '13:00'],
    ],
  ],
])("A day's windows may be %j", (windows) => {
  expect(findWindowsProblem(windows)).toBeNull()
})

it.each([
  ['09:00-17:00'],
  [[['09:00']]],
  [[['9:00', '17:00']]],
  [[['09:00', '24:01']]],
  [[['24:00', '24:00']]],
  [[['17:00', '09:00']]],
  [[['09:00', '09:00']]],
  [[[900, 1700]]],
  [
    [
      ['09:00', '13:00'],
      ['12:59', '17:00'],
    ],
  ],
  [Array.from({ length: 49 }, () => ['00:00', '00:01'])],
])("A day's windows must not be %j", (windows) => {
  expect(findWindowsProblem(windows)).toMatch(/^must /)
})

it.each([
  ['2026-12-25', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['25.12.2026', false],
])('A closed date %s is one: %s', (text, expected) => {
  expect(isDate(text)).toBe(expected)
})
