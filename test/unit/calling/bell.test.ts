// Who a ring wakes, and when the timer of a wait ends.
import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import { mostLooks, waitForLead } from '../../../src/queue/calling/bell/wait.ts'
import {
  chooseLongest,
  type Held,
  isNewRing,
  nextRingCount,
  ringCount,
  tagOf,
  takePlace,
  timerOf,
} from '../../../src/queue/calling/bell/waiters.ts'
import { nextMoment } from '../../../src/queue/calling/store/sql/queue-state.ts'

const nowMs = 1_000_000
const ago = (ms: number) => nowMs - ms
const socket = (name: string, sinceMs: number, untilMs = sinceMs + 25_000) => ({
  name,
  tag: tagOf({ sinceMs, untilMs }, nowMs),
  waiter: { sinceMs, untilMs },
})
type Socket = ReturnType<typeof socket>
/** `read`: the names of sockets of which was read what they are. */
function ringOf(sockets: readonly Socket[], count: number, atMs = nowMs) {
  const read: string[] = []
  const waiterOf = ({ name, waiter }: Socket) => {
    read.push(name)
    return waiter
  }
  const { chosen, left } = chooseLongest(
    (tag) => sockets.filter((one) => one.tag === tag),
    waiterOf,
    count,
    atMs,
  )
  return { names: chosen.map((one) => one.socket.name), left, read }
}

it('A ring wakes those that have waited longest, whatever their order in the list', () => {
  const sockets = [socket('third', ago(500)), socket('first', ago(24_000)), socket('second', ago(1_000))]
  expect(ringOf(sockets, 2)).toMatchObject({ names: ['first', 'second'], left: 1 })
  expect(ringOf(sockets, 3)).toMatchObject({ names: ['first', 'second', 'third'], left: 0 })
})

it('A ring skips those past their deadline, and those that were rung', () => {
  const sockets = [
    socket('late', ago(24_000), nowMs),
    socket('rung', ago(20_000), 0),
    socket('waits', ago(10)),
  ]
  expect(ringOf(sockets, 2)).toMatchObject({ names: ['waits'], left: 0 })
  expect(ringOf(sockets, 0)).toMatchObject({ names: [], left: 1 })
})

it('A ring reads of a thousand waits those that it wakes, and one more', () => {
  const sockets = Array.from({ length: 1_000 }, (_, i) => socket(`${i}`, ago(25 * i)))
  for (const count of [2, 4, 64]) expect(ringOf(sockets, count).read).toHaveLength(count + 1)
})

it('A ring finds a wait by whatever clock it began, until its time is over', () => {
  const sockets = [socket('ahead', nowMs + 60_000), socket('behind', ago(90_000), nowMs + 25_000)]
  expect(ringOf(sockets, 2).names).toEqual(['behind', 'ahead'])
  expect(ringOf(sockets, 2, nowMs + 24_999).names).toEqual(['behind', 'ahead'])
})

it('A ring wakes two, and each further ring for the same lead twice as many, up to 64', () => {
  const counts: number[] = []
  for (let count: number | null = ringCount; count !== null; count = nextRingCount(count)) counts.push(count)
  expect(counts).toEqual([2, 4, 8, 16, 32, 64])
})

it('A ring for a moment is new once for each larger count', () => {
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

it('A ring remembers a hundred moments, the latest', () => {
  const rung = new Map<number, number>()
  for (let momentMs = 1; momentMs <= 101; momentMs++) isNewRing(rung, momentMs, 2)
  expect(rung.size).toBe(100)
  expect(isNewRing(rung, 101, 2)).toBe(false)
  expect(isNewRing(rung, 1, 2)).toBe(true)
})

it('The places of an isolate are taken until they are given back, or until the time of their wait is over', () => {
  const held = new Set<Held>()
  const waits = Array.from({ length: limits.waitsPerIsolate }, (_, index) => ({ untilMs: 1_000 + index }))
  for (const wait of waits) expect(takePlace(held, wait, 0)).toBe(true)
  const late = { untilMs: 9_000 }
  expect(takePlace(held, late, 999)).toBe(false)
  held.delete(waits[0] as Held)
  expect(takePlace(held, late, 999)).toBe(true)
  expect(takePlace(held, { untilMs: 9_000 }, 999)).toBe(false)
  // A client that has left gives nothing back.
  expect(takePlace(held, { untilMs: 9_000 }, 1_001)).toBe(true)
})

describe('The moment of a wait', () => {
  const queue = {
    isConfigured: 1,
    isPaused: 0,
    readyAtMs: 1,
    headsRead: 1,
    furtherSteps: 0,
    firstDueAtMs: 1,
    hasUnqueued: 0,
    leasedUntilMs: 5_000,
    pacedUntilMs: null,
    placeFreeAtMs: null,
  }

  it.each([
    ['at once when a lead is due', queue, 1],
    ['when a lead becomes due', { ...queue, readyAtMs: 9_000, leasedUntilMs: null }, 9_000],
    ['two seconds after a lease has ended', { ...queue, readyAtMs: null }, 7_000],
    ['at the earlier of both, which is the lease', { ...queue, readyAtMs: 9_000 }, 7_000],
    ['at the earlier of both, which is the lead', { ...queue, readyAtMs: 6_999 }, 6_999],
    ['never when nothing is ahead', { ...queue, readyAtMs: null, leasedUntilMs: null }, null],
    [
      'when a lease ends, once the cap was reached, however many leads are due',
      { ...queue, placeFreeAtMs: 9_000 },
      7_000,
    ],
    ['when the pace has room, once it was reached', { ...queue, pacedUntilMs: 4_000 }, 4_000],
    [
      'when the lead is due, if that is later than the pace',
      { ...queue, readyAtMs: 6_000, pacedUntilMs: 4_000 },
      6_000,
    ],
    ['never while the campaign is paused', { ...queue, isPaused: 1 }, null],
  ] as const)('The next look of a wait is %s', (_, row, expected) => {
    expect(nextMoment(row, 2_000)).toBe(expected)
  })

  it('A wait ends its timer a second after the claim that found nothing, at the earliest', () => {
    expect(timerOf(1_000, 5_000)).toBe(6_000)
    expect(timerOf(9_000, 5_000)).toBe(9_000)
    expect(timerOf(null, 5_000)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('A wait', () => {
  /** Each look finds a lead that is due a millisecond later, which another agent has leased by then. */
  const busyDatabase = () => {
    let looks = 0
    const row = () => ({
      isConfigured: 1,
      isPaused: 0,
      readyAtMs: Date.now() + 1,
      headsRead: 1,
      furtherSteps: 0,
      firstDueAtMs: Date.now() + 1,
      hasUnqueued: 0,
      leasedUntilMs: null,
      pacedUntilMs: null,
      placeFreeAtMs: null,
      dueInUnknownHours: '[]',
    })
    const batch = async () => {
      looks++
      return [{ results: [row()], meta: { changes: 0 } }]
    }
    const db = { prepare: () => ({ bind: () => ({}) }), batch } as unknown as D1Database
    return { db, looks: () => looks }
  }

  it('Looks a bounded number of times, and then lets its client claim', async () => {
    vi.useFakeTimers()
    const { db, looks } = busyDatabase()
    const bell = { ring: async () => ({ rung: 0, left: 1 }) }
    const wait = {
      env: { CAMPAIGN_BELLS: { getByName: () => bell } } as unknown as Env,
      db,
      campaign: { companyId: 'acme', number: 1 },
      sinceMs: Date.now(),
      untilMs: Date.now() + 25_000,
      signal: new AbortController().signal,
    }
    const waiting = waitForLead(wait, { ended: new Promise(() => {}), leave: () => {} }, Date.now() + 1)
    await vi.advanceTimersByTimeAsync(25_000)
    expect(await waiting).toBe('ready')
    expect(looks()).toBe(mostLooks)
  })
})
