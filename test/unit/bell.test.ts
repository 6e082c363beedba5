// Who a ring wakes, and when the timer of a wait ends.
import { describe, expect, it } from 'vitest'
import { nextMoment, timerOf } from '../../src/calling/bell/moments.ts'
import { chooseLongest, isNewRing, nextRingCount, ringCount } from '../../src/calling/bell/waiters.ts'

const socket = (name: string, sinceMs: number, untilMs = 25_000) => ({ name, waiter: { sinceMs, untilMs } })
const namesOf = ({ chosen }: { chosen: readonly { name: string }[] }) => chosen.map(({ name }) => name)

describe('A ring', () => {
  it('Wakes those that have waited longest, in whichever order they are listed', () => {
    const sockets = [socket('third', 3), socket('first', 1), socket('second', 2)]
    const ring = chooseLongest(sockets, 2, 10)
    expect(namesOf(ring)).toEqual(['first', 'second'])
    expect(ring.left).toBe(1)
  })

  it('Skips those past their deadline, and those that were rung', () => {
    const sockets = [socket('late', 1, 10), socket('rung', 2, 0), socket('waits', 3)]
    expect(namesOf(chooseLongest(sockets, 2, 10))).toEqual(['waits'])
    expect(chooseLongest(sockets, 2, 10).left).toBe(0)
  })

  it('Wakes two, and each further ring for the same lead twice as many, up to 64', () => {
    const counts: number[] = []
    for (let count: number | null = ringCount; count !== null; count = nextRingCount(count))
      counts.push(count)
    expect(counts).toEqual([2, 4, 8, 16, 32, 64])
  })

  it('For a moment is new once for each larger count', () => {
    const rung = new Map<number, number>()
    const isNew = (momentMs: number, count: number) => isNewRing(rung, momentMs, count)
    expect([isNew(5, 2), isNew(5, 2), isNew(6, 2), isNew(5, 4), isNew(5, 2)]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ])
  })

  it('Remembers a hundred moments, the latest', () => {
    const rung = new Map<number, number>()
    for (let momentMs = 1; momentMs <= 101; momentMs++) isNewRing(rung, momentMs, 2)
    expect(rung.size).toBe(100)
    expect(isNewRing(rung, 101, 2)).toBe(false)
    expect(isNewRing(rung, 1, 2)).toBe(true)
  })
})

describe('The moment of a wait', () => {
  const ready = { readyAtMs: 9_000, leaseEndsAtMs: null }
  const leased = { readyAtMs: null, leaseEndsAtMs: 5_000 }
  const both = { readyAtMs: 9_000, leaseEndsAtMs: 5_000 }
  const none = { readyAtMs: null, leaseEndsAtMs: null }

  it.each([
    ['a lead becomes due', ready, null, 9_000],
    ['a lease can be settled, two seconds after its end', leased, null, 7_000],
    ['the earlier of both', both, null, 7_000],
    ['the earlier of both, which is the lead', { ...both, readyAtMs: 6_999 }, null, 6_999],
    ['none is known', none, null, null],
    [
      'the cap was reached: a lease ends, however many leads are due',
      { ...both, readyAtMs: 1 },
      { by: 'cap' },
      7_000,
    ],
    [
      'the pace was reached: its next place',
      { ...both, readyAtMs: 1 },
      { by: 'pace', untilMs: 4_000 },
      4_000,
    ],
  ] as const)('Is when %s', (_, moments, stop, expected) => {
    expect(nextMoment(moments, stop)).toBe(expected)
  })

  it('Ends its timer a second after the claim that found nothing, at the earliest', () => {
    expect(timerOf(1_000, 5_000)).toBe(6_000)
    expect(timerOf(9_000, 5_000)).toBe(9_000)
    expect(timerOf(null, 5_000)).toBe(Number.POSITIVE_INFINITY)
  })
})
