// What follows from a try: the schedule, being held, patience that is asked for, and when a webhook is given up.
import { describe, expect, it } from 'vitest'
import {
  type Health,
  healthy,
  isHeld,
  judgeTry,
  readRetryAfterMs,
  retryDelaysMs,
  troubleDelayMs,
} from '../../src/events/retry-schedule.ts'

const nowMs = Date.UTC(2026, 10, 20)
const dayMs = 86_400_000
const failed = { status: 500, retryAfterMs: null }
const first = { outcome: failed, tries: 1, isAlone: true, nowMs, chance: 0 }
const failingFor = (days: number): Health => ({
  ...healthy,
  failuresInARow: 1,
  failingSinceMs: nowMs - days * dayMs,
})
const held: Health = { ...failingFor(1), failuresInARow: 5 }

describe('A try', () => {
  it.each([200, 201, 204, 299])('that is answered %d is a delivery, and mends what was', (status) => {
    const { health, consequence } = judgeTry(failingFor(4), { ...first, outcome: { ...failed, status } })
    expect({ health, consequence }).toEqual({ health: healthy, consequence: { kind: 'delivered' } })
  })

  it.each([null, 199, 302, 304, 400, 404, 429, 500])('that is answered %s is a failure', (status) => {
    const { health, consequence } = judgeTry(healthy, { ...first, outcome: { ...failed, status } })
    expect(health).toEqual({ ...healthy, failuresInARow: 1, failingSinceMs: nowMs })
    expect(consequence).toEqual({ kind: 'parked', dueAtMs: nowMs + 5_000 })
  })

  it('is followed by another after the delay of its number, or a fifth more', () => {
    const seconds = retryDelaysMs.map((ms) => ms / 1000)
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    for (const [i, ms] of retryDelaysMs.entries())
      for (const chance of [0, 0.5, 1]) {
        const { consequence } = judgeTry(healthy, { ...first, tries: i + 1, chance })
        expect(consequence).toEqual({ kind: 'parked', dueAtMs: nowMs + ms + ms * 0.2 * chance })
      }
  })

  it('is the eighth and last of an event, while others pass', () => {
    const last = { ...first, tries: 8 }
    expect(judgeTry(failingFor(1), last)).toEqual({
      health: { ...failingFor(1), failuresInARow: 2, failingSinceMs: null },
      consequence: { kind: 'given_up' },
    })
    // Something else is still failing.
    expect(judgeTry(failingFor(1), { ...last, isAlone: false }).health.failingSinceMs).toBe(nowMs - dayMs)
  })

  it('is never the last of a receiver that is down as a whole', () => {
    const { consequence } = judgeTry(held, { ...first, tries: 30 })
    expect(consequence).toEqual({ kind: 'parked', dueAtMs: nowMs + 36_000_000 })
  })

  it('holds the webhook when it is the fifth in a row to fail', () => {
    let health = healthy
    for (let i = 1; i <= 5; i++) {
      expect(isHeld(health)).toBe(false)
      health = judgeTry(health, first).health
    }
    expect(isHeld(health)).toBe(true)
    const mended = judgeTry(health, { ...first, outcome: { ...failed, status: 204 } }).health
    expect(mended).toEqual({ ...healthy, isCatchingUp: true })
  })

  it('disables the webhook when it is answered 410, or fails after five days of failures', () => {
    const gone = judgeTry(healthy, { ...first, outcome: { ...failed, status: 410 } })
    expect(gone.consequence).toEqual({ kind: 'disabled', reason: 'gone' })
    expect(judgeTry(failingFor(4.99), first).consequence.kind).toBe('parked')
    expect(judgeTry(failingFor(5), first).consequence).toEqual({ kind: 'disabled', reason: 'dead' })
  })

  it('has all of the webhook wait when patience is asked for, and then goes first', () => {
    const busy = { ...first, outcome: { status: 503, retryAfterMs: 90_000 }, chance: 1 }
    expect(judgeTry(healthy, busy)).toEqual({
      health: {
        failuresInARow: 1,
        failingSinceMs: nowMs,
        pausedUntilMs: nowMs + 90_000,
        isCatchingUp: true,
      },
      consequence: { kind: 'parked', dueAtMs: nowMs + 90_000 },
    })
  })
})

describe('Retry-After', () => {
  it.each([
    [429, '0', 0],
    [503, '120', 120_000],
    [429, ' 7 ', 7_000],
    [429, '86401', dayMs],
    [429, '999999999', dayMs],
    [503, new Date(nowMs + 60_000).toUTCString(), 60_000],
    [503, new Date(nowMs - 60_000).toUTCString(), 0],
    [503, new Date(nowMs + 9 * dayMs).toUTCString(), dayMs],
    [429, 'soon', null],
    [429, '', null],
    [429, null, null],
    [500, '120', null],
    [200, '120', null],
  ])('of a %d, %j, means %s ms', (status, header, ms) => {
    expect(readRetryAfterMs(status, header, nowMs)).toBe(ms)
  })
})

it('Troubles of our own are waited out ever longer, a minute at most', () => {
  expect([0, 1, 2, 5, 6, 20].map((troubles) => troubleDelayMs(troubles, 0))).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
  ])
  expect(troubleDelayMs(0, 1)).toBe(1_200)
})
