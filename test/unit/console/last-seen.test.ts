// When a campaign was last called, as far as its overview tells, and how long ago that is in words.
import { describe, expect, it } from 'vitest'
import { describeSeen, type LastSeen, lastCallOf, timeAgo } from '../../../src/console/overview/last-seen.ts'

describe('The last call', () => {
  const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)
  const bucket = (time: string, called: number) => ({ start: `2026-11-21T${time}:00.000Z`, called })
  const round = (
    time: string,
    series: { start: string; called: number }[],
    calls: object[] | null = null,
  ) => ({
    stats: { series },
    statsSpan: '24h' as const,
    liveCalls: calls,
    atMs: at(time),
  })
  const timesOf = (call: LastSeen | null) =>
    call && [call.fromMs, call.untilMs].map((ms) => new Date(ms).toISOString().slice(11, 19))
  const hour = (time: string, ...called: number[]) =>
    round(time, [bucket('09:00', called[0] ?? 0), bucket('10:00', called[1] ?? 0)])

  it('The last call is within an hour at first, and within a round while the page is open', () => {
    const first = hour('10:20:00', 4)
    const known = lastCallOf(first, null, null)
    expect(timesOf(known)).toEqual(['09:00:00', '10:00:00'])
    expect(lastCallOf(hour('10:20:30', 4), first, known)).toEqual(known)
    const rose = lastCallOf(hour('10:20:30', 5), first, known)
    expect(timesOf(rose)).toEqual(['10:20:00', '10:20:30'])
    expect(lastCallOf(hour('10:21:00', 5), hour('10:20:30', 5), rose)).toEqual(rose)
    expect(timesOf(lastCallOf(hour('10:21:30', 5, 1), hour('10:21:00', 5), known))).toEqual([
      '10:21:00',
      '10:21:30',
    ])
  })

  it('The last call is now during a live call, and is not replaced by a coarser count', () => {
    const calling = round('10:20:00', [bucket('10:00', 1)], [{}])
    const known = lastCallOf(calling, null, null)
    expect(timesOf(known)).toEqual(['10:20:00', '10:20:00'])
    const byDay = { ...round('10:20:30', [bucket('00:00', 9)], []), statsSpan: '7d' as const }
    expect(lastCallOf(byDay, calling, known)).toEqual(known)
    expect(timesOf(lastCallOf(byDay, null, null))?.[0]).toBe('00:00:00')
    expect(lastCallOf(hour('10:20:00'), null, null)).toBeNull()
  })
})

describe('A time that has passed', () => {
  const now = Date.parse('2026-11-21T10:40:00Z')
  const seen = (from: string, until: string) =>
    describeSeen({ fromMs: Date.parse(from), untilMs: Date.parse(until) }, 'UTC', now)

  it('A time that has passed is minutes within an hour, and a time before that', () => {
    expect([30_000, 60_000, 8 * 60_000].map((ms) => timeAgo(now - ms, 'UTC', now))).toEqual([
      'Just now',
      '1 minute ago',
      '8 minutes ago',
    ])
    expect(timeAgo(now - 3_600_000, 'UTC', now)).toMatch(/^0?9:40/)
  })

  it('A time that has passed is no more than what is known of it', () => {
    expect(seen('2026-11-21T10:31:00Z', '2026-11-21T10:32:00Z')).toBe('8 minutes ago')
    expect(seen('2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z')).toMatch(/^Between 10:00.* and now$/)
    expect(seen('2026-11-21T08:00:00Z', '2026-11-21T09:00:00Z')).toMatch(/^Between 0?8:00.* and 0?9:00/)
  })
})
