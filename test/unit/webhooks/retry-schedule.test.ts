// What follows from a delivery attempt: the schedule, refusals, being held or at fault, `Retry-After`, and when an
// event is given up or a webhook disabled.
import { describe, expect, it } from 'vitest'
import {
  conditionOf,
  failingSince,
  type Health,
  healthy,
  judgeAttempt,
  readRetryAfterMs,
  retryDelaysMs,
  takesNew,
  troubleDelayMs,
} from '../../../src/channels/webhooks/retry-schedule.ts'

const nowMs = Date.UTC(2026, 10, 20)
const dayMs = 86_400_000

const eventNumber = (number: number) => ({ number, part: 0 })
const someEvents = (count: number) => Array.from({ length: count }, (_, i) => eventNumber(i + 1))
const answered = (status: number | null, retryAfterMs: number | null = null) => ({ status, retryAfterMs })
const first = {
  event: eventNumber(100),
  reply: answered(500),
  attempts: 1,
  isAlone: true,
  isProbe: false,
  nowMs,
  chance: 0,
}
const last = { ...first, attempts: 8 }
const refused = { ...first, reply: answered(404) }

/** What a receiver is after failures of so many events, the last of them in a row. */
const behind = (failuresInARow: number, events: number, failingDays: number | null): Health => ({
  ...healthy,
  failuresInARow,
  failedEvents: someEvents(events),
  failingSinceMs: failingDays === null ? null : nowMs - failingDays * dayMs,
})
const held = behind(5, 5, 1)
const atFault = behind(0, 20, 1)

const refusals = [400, 401, 403, 404, 405, 413, 422, 451, 499]
const failures = [null, 199, 302, 304, 408, 409, 425, 429, 500, 502, 503]

it.each([200, 201, 204, 299])(
  'A delivery attempt that is answered %d is a delivery, and the receiver is well',
  (status) => {
    const { health, consequence } = judgeAttempt(behind(4, 19, 4), { ...first, reply: answered(status) })
    expect({ health, consequence }).toEqual({ health: healthy, consequence: { kind: 'delivered' } })
  },
)

it.each(failures)(
  'A delivery attempt that is answered %s is a failure that can hold the webhook',
  (status) => {
    const { health, consequence } = judgeAttempt(behind(4, 4, 1), { ...first, reply: answered(status) })
    expect(health).toEqual({ ...behind(5, 4, 1), failedEvents: [...someEvents(4), first.event] })
    expect(conditionOf(health)).toBe('held')
    expect(consequence).toEqual({ kind: 'parked', dueAtMs: nowMs + 1_000, attempts: 1 })
  },
)

it.each(refusals)(
  'A delivery attempt that is answered %d is a refusal, which never holds the webhook',
  (status) => {
    const { health, consequence } = judgeAttempt(behind(4, 4, 1), { ...first, reply: answered(status) })
    expect(health).toEqual({ ...behind(4, 4, 1), failedEvents: [...someEvents(4), first.event] })
    expect(conditionOf(health)).toBe('well')
    expect(consequence).toEqual({ kind: 'parked', dueAtMs: nowMs + 5_000, attempts: 1 })
  },
)

it.each([500, 404])(
  'A delivery attempt that is answered %d is followed by another after the delay of its number, or a fifth more',
  (status) => {
    const seconds = retryDelaysMs.map((ms) => ms / 1000)
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    for (const [i, ms] of retryDelaysMs.entries())
      for (const chance of [0, 0.5, 1]) {
        const tried = { ...first, reply: answered(status), attempts: i + 1, chance }
        const { consequence } = judgeAttempt(healthy, tried)
        const dueAtMs = nowMs + ms + ms * 0.2 * chance
        expect(consequence).toEqual({ kind: 'parked', dueAtMs, attempts: i + 1 })
      }
  },
)

// Its condition, a try, its condition after that, and what becomes of the event.
it.each([
  ['that is well stays well at a refusal', healthy, refused, 'well', 'parked'],
  [
    'that is well gives an event up at its eighth refusal',
    healthy,
    { ...refused, attempts: 8 },
    'well',
    'given_up',
  ],
  ['that is well gives an event up at its eighth failure', behind(1, 1, 1), last, 'well', 'given_up'],
  ['that is well stays well at a fourth failure in a row', behind(3, 3, 1), first, 'well', 'parked'],
  ['that is well is held at a fifth failure in a row', behind(4, 4, 1), first, 'held', 'parked'],
  [
    'that is well is held at a fifth failure of one event',
    behind(4, 1, 1),
    { ...first, event: eventNumber(1) },
    'held',
    'parked',
  ],
  [
    'that is well is at fault at a refusal of a 20th event',
    behind(0, 19, null),
    refused,
    'at_fault',
    'parked',
  ],
  ['that is well is at fault at a failure of a 20th event', behind(0, 19, null), first, 'at_fault', 'parked'],
  [
    'that is well stays well when one of 19 is refused again',
    behind(0, 19, null),
    { ...refused, event: eventNumber(3) },
    'well',
    'parked',
  ],
  ['that is held gives nothing up', held, { ...last, attempts: 30 }, 'held', 'parked'],
  ['that is held is well when it refuses one event: it answers again', held, refused, 'well', 'parked'],
  [
    'that is held gives nothing up when it answers again',
    held,
    { ...refused, attempts: 8 },
    'well',
    'parked',
  ],
  ['that is held is at fault at a 20th event', behind(5, 19, 1), first, 'at_fault', 'parked'],
  ['that is held for five days is disabled', behind(5, 5, 5), first, 'held', 'disabled'],
  ['that is held for less is not', behind(5, 5, 4.99), first, 'held', 'parked'],
  [
    'that is at fault gives nothing up that it refuses',
    atFault,
    { ...refused, attempts: 30 },
    'at_fault',
    'parked',
  ],
  ['that is at fault gives nothing up that fails', atFault, { ...last, attempts: 30 }, 'at_fault', 'parked'],
  [
    'that is at fault for five days is disabled by a refusal',
    behind(0, 20, 5),
    refused,
    'at_fault',
    'disabled',
  ],
  [
    'that refuses now and then for longer is not disabled',
    behind(0, 19, 30),
    { ...refused, event: eventNumber(1) },
    'well',
    'parked',
  ],
  [
    'that is gone is disabled whatever it was',
    healthy,
    { ...first, reply: answered(410) },
    'well',
    'disabled',
  ],
  ['that is held is well after a delivery', held, { ...first, reply: answered(204) }, 'well', 'delivered'],
  [
    'that is at fault is well after a delivery',
    atFault,
    { ...first, reply: answered(204) },
    'well',
    'delivered',
  ],
] as const)('%s', (_, before, tried, condition, kind) => {
  const { health, consequence } = judgeAttempt(before, tried)
  expect([conditionOf(health), consequence.kind]).toEqual([condition, kind])
})

it('A receiver that was held or at fault gets the parked events first, in order', () => {
  for (const before of [held, atFault])
    expect(judgeAttempt(before, { ...first, reply: answered(204) }).health).toEqual({
      ...healthy,
      isCatchingUp: true,
    })
  expect(judgeAttempt(held, refused).health).toMatchObject({ isCatchingUp: true, failuresInARow: 0 })
})

it('A receiver that is held or at fault is tried after a second, then each time after twice as long, up to ten hours', () => {
  const waitedSeconds: number[] = []
  for (let health = held; waitedSeconds.length < 18; ) {
    const judged = judgeAttempt(health, { ...last, isProbe: waitedSeconds.length > 0 })
    if (judged.consequence.kind !== 'parked') throw new Error(judged.consequence.kind)
    waitedSeconds.push((judged.consequence.dueAtMs - nowMs) / 1000)
    health = judged.health
  }
  expect(waitedSeconds.slice(0, 5)).toEqual([1, 2, 4, 8, 16])
  expect(waitedSeconds.slice(15)).toEqual([32_768, 36_000, 36_000])
  expect(judgeAttempt({ ...held, probes: 9 }, { ...first, reply: answered(204) }).health.probes).toBe(0)
})

it('A receiver that was held has four attempts with an event at least, which gives it up before it is held again', () => {
  const refusedWhenHeld = judgeAttempt(held, { ...refused, attempts: 30 })
  expect(refusedWhenHeld.consequence).toMatchObject({ kind: 'parked', attempts: 4 })
  let health = judgeAttempt(held, { ...first, reply: answered(204) }).health
  const kinds = [5, 6, 7, 8].map((attempts) => {
    const judged = judgeAttempt(health, { ...first, attempts })
    health = judged.health
    return judged.consequence.kind
  })
  expect(kinds).toEqual(['parked', 'parked', 'parked', 'given_up'])
})

it('A receiver takes new events until five different ones fail, and none once it is at fault', () => {
  expect([healthy, behind(4, 19, 1), behind(9, 4, 1)].map(takesNew)).toEqual([true, true, true])
  expect([held, behind(9, 5, 1), atFault].map(takesNew)).toEqual([false, false, false])
})

it('A receiver is failing since its first failure, or since the refusal that proved it at fault', () => {
  expect([healthy, behind(4, 19, 2)].map(failingSince)).toEqual([null, null])
  expect([held, atFault].map(failingSince)).toEqual([nowMs - dayMs, nowMs - dayMs])
  expect(failingSince(judgeAttempt(behind(0, 19, null), refused).health)).toBe(nowMs)
})

it('A receiver is disabled for the reason that it gives, or because it seems dead', () => {
  const gone = judgeAttempt(healthy, { ...first, reply: answered(410) })
  expect(gone.consequence).toEqual({ kind: 'disabled', reason: 'gone' })
  expect(judgeAttempt(behind(5, 5, 5), first).consequence).toEqual({ kind: 'disabled', reason: 'dead' })
})

it('A receiver without parked events begins another five days with its next failure', () => {
  expect(judgeAttempt(behind(1, 1, 4), last).health.failingSinceMs).toBeNull()
  expect(judgeAttempt(behind(1, 1, 4), { ...last, isAlone: false }).health.failingSinceMs).toBe(
    nowMs - 4 * dayMs,
  )
})

describe('A receiver that sends Retry-After', () => {
  const busy = (retryAfterMs: number) => ({ ...first, reply: answered(503, retryAfterMs) })

  it('A receiver that sends Retry-After makes the whole webhook wait, and then the event goes first', () => {
    expect(judgeAttempt(healthy, { ...busy(90_000), chance: 1 })).toEqual({
      health: {
        failuresInARow: 1,
        failedEvents: [first.event],
        failingSinceMs: nowMs,
        probes: 0,
        pausedUntilMs: nowMs + 90_000,
        isCatchingUp: true,
      },
      consequence: { kind: 'parked', dueAtMs: nowMs + 90_000, attempts: 1 },
    })
  })

  it('A receiver that sends Retry-After is never sent to sooner than the schedule says', () => {
    for (const [i, ms] of retryDelaysMs.entries()) {
      const { health, consequence } = judgeAttempt(healthy, { ...busy(0), attempts: i + 1 })
      expect(consequence).toEqual({ kind: 'parked', dueAtMs: nowMs + ms, attempts: i + 1 })
      expect(health.pausedUntilMs).toBe(nowMs + 5_000)
    }
  })
})

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
])('Retry-After of a %d, %j, means %s ms', (status, header, ms) => {
  expect(readRetryAfterMs(status, header, nowMs)).toBe(ms)
})

it('Problems of ours make a sender wait ever longer, a minute at most', () => {
  expect([0, 1, 2, 5, 6, 20].map((troubles) => troubleDelayMs(troubles, 0))).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
  ])
  expect(troubleDelayMs(0, 1)).toBe(1_200)
})
