// What the console says and draws, from what the API tells: hours that are painted, shares of a bar, times in a zone,
// numbers in a language, and why nobody is called.
import { afterEach, describe, expect, it } from 'vitest'
import { barsOf, funnelOf, spanStart, topOfScale, totalOf } from '../../src/console/funnel.ts'
import { clock, counted, countedUpTo, setLanguage, share } from '../../src/console/number-words.ts'
import { readNumbers } from '../../src/console/numbers-in-text.ts'
import { closingAt, isSlotOpen, paint, readWindows, tellWindows } from '../../src/console/week.ts'
import { explainCampaign } from '../../src/console/why-not.ts'
import type { Campaign, Queue, WeekHours, Window } from '../../src/console/wire.ts'
import { localMoment, shortTime, startOfDayMs, zoneName } from '../../src/console/zone-time.ts'

afterEach(() => setLanguage(undefined))

describe('A day of hours', () => {
  const nineToFive: readonly Window[] = [['09:00', '17:00']]

  it('is painted open and closed in half hours, and keeps minutes that nobody paints over', () => {
    expect(paint([], 18, 19, true)).toEqual([['09:00', '10:00']])
    expect(paint(nineToFive, 24, 25, false)).toEqual([
      ['09:00', '12:00'],
      ['13:00', '17:00'],
    ])
    expect(paint([['09:10', '11:50']], 22, 20, true)).toEqual([['09:10', '11:50']])
    expect(paint([['09:10', '11:50']], 46, 47, true)).toEqual([
      ['09:10', '11:50'],
      ['23:00', '24:00'],
    ])
    expect(paint(nineToFive, 0, 47, false)).toEqual([])
    expect([17, 18, 33, 34].map((slot) => isSlotOpen(nineToFive, slot))).toEqual([false, true, true, false])
  })

  it.each<[text: string, windows: readonly Window[] | null]>([
    [
      '09:00-12:30, 13:30-18:00',
      [
        ['09:00', '12:30'],
        ['13:30', '18:00'],
      ],
    ],
    ['9 - 17', [['09:00', '17:00']]],
    ['13-18, 9-14', [['09:00', '18:00']]],
    ['', []],
    ['closed', []],
    ['18-9', null],
    ['9-25', null],
    ['nine to five', null],
  ])('is typed as %j', (text, windows) => {
    expect(readWindows(text)).toEqual(windows)
    if (windows !== null) expect(readWindows(tellWindows(windows))).toEqual(windows)
  })

  it('ends when it closes, across midnight too, and never where nothing closes', () => {
    const week = (windows: readonly Window[]) =>
      Object.fromEntries(
        ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, windows]),
      ) as unknown as WeekHours
    expect(closingAt(week(nineToFive), 'mon', 600)).toEqual({ day: 'mon', time: '17:00' })
    expect(closingAt(week(nineToFive), 'mon', 1020)).toBeNull()
    expect(
      closingAt(
        week([
          ['00:00', '02:00'],
          ['20:00', '24:00'],
        ]),
        'sun',
        1300,
      ),
    ).toEqual({ day: 'mon', time: '02:00' })
    expect(closingAt(week([['00:00', '24:00']]), 'mon', 0)).toBeNull()
  })
})

describe('Drawings', () => {
  it('The funnel fills its line, and shows a part with one lead in it', () => {
    const parts = funnelOf({ raw: 999_999, attempting: 1, concluded: 0, exhausted: 0 })
    expect(parts.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100)
    expect(parts[1]?.percent).toBeGreaterThan(0.5)
    expect(parts[2]?.percent).toBe(0)
    expect(
      funnelOf({ raw: 0, attempting: 0, concluded: 0, exhausted: 0 }).every(({ percent }) => percent === 0),
    ).toBe(true)
  })

  it('Bars hold every hour once, hours in which nothing happened too, and hours of a day together', () => {
    const hour = (time: string, created: number) => ({
      start: `2026-11-02T${time}:00.000Z`,
      created,
      claimed: 2,
      answered: 1,
    })
    const starts = ['00:00', '01:00', '02:00'].map((time) => Date.parse(`2026-11-02T${time}:00Z`))
    const bars = barsOf([hour('00:00', 5), hour('02:00', 7)], starts)
    expect(bars.map(({ created }) => created)).toEqual([5, 0, 7])
    expect(totalOf(bars)).toEqual({ created: 12, called: 4, answered: 2 })
    expect(barsOf([hour('00:00', 5), hour('02:00', 7)], starts.slice(0, 1))[0]?.created).toBe(12)
    expect(barsOf([hour('00:00', 5)], starts.slice(1))[0]?.created).toBe(0)
  })

  it('The scale rests on round numbers, and is not empty', () => {
    expect([0, 1, 3, 47, 51, 1001].map(topOfScale)).toEqual([1, 1, 5, 50, 100, 2000])
  })
})

describe('Times', () => {
  const now = Date.parse('2026-11-21T22:30:00Z')

  it('are told by the clock of the zone, as short as can be', () => {
    expect(shortTime(now, 'Europe/Berlin', now, 'en-GB')).toBe('23:30')
    expect(shortTime(Date.parse('2026-11-23T08:00:00Z'), 'Europe/Berlin', now, 'en-GB')).toBe('Monday 09:00')
    expect(shortTime(Date.parse('2026-12-24T08:00:00Z'), 'Europe/Berlin', now, 'en-GB')).toBe(
      '24 Dec 2026, 09:00',
    )
    expect(zoneName('America/New_York')).toBe('New York')
    expect(localMoment(now, 'Asia/Tokyo')).toEqual({ day: 'sun', minute: 450 })
  })

  it('begin a day where the zone does, also when its clock changes', () => {
    expect(new Date(startOfDayMs(now, 'Europe/Berlin')).toISOString()).toBe('2026-11-20T23:00:00.000Z')
    const changed = Date.parse('2026-10-25T12:00:00Z')
    expect(new Date(startOfDayMs(changed, 'Europe/Berlin')).toISOString()).toBe('2026-10-24T22:00:00.000Z')
    expect(spanStart('24h', now, 0)).toBe(Date.parse('2026-11-20T23:00:00Z'))
  })
})

describe('Numbers', () => {
  it('have the separators of the reader’s language', () => {
    setLanguage('de-DE')
    expect([counted(1234567), countedUpTo(10_000, true), share(1, 3)]).toEqual([
      '1.234.567',
      '10.000+',
      '33\u00A0%',
    ])
    setLanguage('en-US')
    expect([counted(1234567), countedUpTo(10_000, true), countedUpTo(12, true)]).toEqual([
      '1,234,567',
      '10,000+',
      '12',
    ])
    expect([share(1, 0), clock(-5), clock(545_000)]).toEqual(['', '0:00', '9:05'])
  })

  it('to suppress are read out of any text, each once, and never repaired', () => {
    const text = 'phone;reason\n"+14155550100";asked\n+14155550100 (415) 555-0101 0049301234567'
    expect(readNumbers(text)).toEqual({ numbers: ['+14155550100'], wrong: 2 })
  })
})

describe('Why nobody is called', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  const explain = (queue: Partial<Queue>, timeZone: string | null = 'Europe/Berlin') => {
    const known = { queued: 1, leased: 0, isCapped: false, reason: null, nextOpening: null, ...queue }
    return explainCampaign({ timeZone, queue: known } as unknown as Campaign, now).title
  }

  it('is a sentence for every reason', () => {
    const monday = '2026-11-23T08:00:00Z'
    expect(explain({ reason: 'outside_hours', nextOpening: monday })).toMatch(
      /^Closed until Monday 09:00.* in Berlin$/,
    )
    expect(explain({ reason: 'outside_hours' })).toMatch(/no hours/)
    expect(explain({ reason: 'paused' })).toBe('Paused')
    expect(explain({ reason: 'not_configured' }, null)).toMatch(/no time zone/)
    expect(explain({ reason: 'waiting' })).toMatch(/waits for its time/)
    expect(explain({ reason: 'waiting', leased: 2 })).toMatch(/being called/)
    expect(explain({ reason: 'empty' })).toMatch(/nobody is left/)
    expect(explain({})).toMatch(/no agent is calling/)
  })

  it('is told as closed while the hours are over, whatever the queue holds', () => {
    const nextOpening = '2026-11-23T08:00:00Z'
    for (const reason of ['empty', 'waiting', null] as const) {
      expect(explain({ reason, nextOpening })).toMatch(/^Closed until Monday/)
    }
    expect(explain({ reason: 'paused', nextOpening })).toBe('Paused')
  })

  it('is told as open while they last', () => {
    expect(explain({ leased: 1 })).toMatch(/leads are being called/)
  })
})
