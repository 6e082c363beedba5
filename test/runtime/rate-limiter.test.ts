// The real Durable Object: that its count is exact under concurrency and outlives eviction and deploys, what it
// writes, and how it erases itself. Its arithmetic is proved in test/unit/rate-limits/sliding-window*.test.ts.
import {
  abortAllDurableObjects,
  evictAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Decision, Window } from '../../src/base/rate-limits/sliding-window.ts'
import { api } from '../support/http/api.ts'
import { rateLimitOf } from '../support/http/expectations.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { seedWorld } from '../support/world.ts'
import { createOracle } from '../unit/rate-limits/sliding-window-oracle.ts'
import { traffic } from '../unit/rate-limits/sliding-window-traffic.ts'

withRealLimiters()

const hour: Window = { name: 'hour', limit: 1000, windowMs: 3_600_000 }
const bulk: Window = { name: 'bulk', limit: 10, windowMs: 60_000 }

/** Alarms run by the real clock: from here they stay pending until a test runs them. */
const startMs = Date.parse('2100-01-01T00:00:00Z')
const at = (ms: number) => vi.setSystemTime(startMs + ms)

// A test that is cut off on a busy machine would go on setting the clock of the next.
vi.setConfig({ testTimeout: 60_000 })

beforeEach(() => {
  at(0)
})

let subjects = 0
const newSubject = () => `key:${++subjects}`
const limiter = (subject: string) => env.RATE_LIMITER.getByName(subject)

/** Sends requests one after another. A stub does not outlive its object, so each gets its own. */
async function admit(subject: string, windows: readonly Window[], times = 1): Promise<Decision[]> {
  const decisions: Decision[] = []
  for (let i = 0; i < times; i++) decisions.push(await limiter(subject).admit(windows))
  return decisions
}

/** The same inside the object: for thousands. */
function admitInside(subject: string, windows: readonly Window[], times: number): Promise<Decision[]> {
  return runInDurableObject(limiter(subject), (object) =>
    Array.from({ length: times }, () => object.admit(windows)),
  )
}

const admitted = (decisions: readonly Decision[]) => decisions.filter((decision) => decision.admitted).length

/** All that the object has stored, its alarm, and how many rows it has ever written (alarms aside). */
function inspect(subject: string) {
  return runInDurableObject(limiter(subject), async (_, { storage }) => ({
    stored: Object.fromEntries(storage.kv.list()),
    alarmAtMs: await storage.getAlarm(),
    bytes: storage.sql.databaseSize,
    rowsWritten: storage.sql.exec<{ rows: number }>('select total_changes() as rows').one().rows,
  }))
}

it('Requests at the same time are admitted as long as units are left, and exactly as many', async () => {
  const subject = newSubject()
  await admit(subject, [bulk], 3)
  const decisions = await Promise.all(Array.from({ length: 40 }, () => limiter(subject).admit([bulk])))
  expect(admitted(decisions)).toBe(7)
  const remaining = decisions.filter((decision) => decision.admitted).map((decision) => decision.remaining)
  expect(remaining.sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('Requests at the same time are charged to both windows or to neither', async () => {
  const subject = newSubject()
  const bulks = Array.from({ length: 30 }, () => limiter(subject).admit([hour, bulk]))
  const singles = Array.from({ length: 30 }, () => limiter(subject).admit([hour]))
  expect(admitted(await Promise.all(bulks))).toBe(10)
  expect(admitted(await Promise.all(singles))).toBe(30)
  const [next] = await admit(subject, [hour])
  expect(next?.remaining).toBe(1000 - 10 - 30 - 1)
})

it('Concurrent requests of two subjects do not share a window', async () => {
  const [one, other] = [newSubject(), newSubject()]
  const both = await Promise.all(
    Array.from({ length: 40 }, (_, i) => limiter(i % 2 === 0 ? one : other).admit([bulk])),
  )
  expect(admitted(both.filter((_, i) => i % 2 === 0))).toBe(10)
  expect(admitted(both.filter((_, i) => i % 2 === 1))).toBe(10)
})

describe('The count outlives', () => {
  const ends = [
    { name: 'the eviction of the object', end: (subject: string) => evictDurableObject(limiter(subject)) },
    { name: 'the eviction of all objects', end: () => evictAllDurableObjects() },
    { name: 'the abort of all objects, as by a deploy', end: () => abortAllDurableObjects() },
  ]

  it.each(ends)('$name between any two requests', async ({ end }) => {
    const subject = newSubject()
    const decisions: Decision[] = []
    for (let i = 0; i < 12; i++) {
      at(i * 1000)
      decisions.push(...(await admit(subject, [hour, bulk])))
      await end(subject)
    }
    expect(decisions.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0])
    expect(admitted(decisions)).toBe(10)
    at(59_999)
    expect(admitted(await admit(subject, [hour, bulk]))).toBe(0)
    await end(subject)
    at(60_000)
    expect(admitted(await admit(subject, [hour, bulk]))).toBe(1)
    const [next] = await admit(subject, [hour])
    expect(next?.remaining).toBe(1000 - 12)
  })

  it('The count outlives evictions at random in random traffic, as the oracle counts it', async () => {
    const property = fc.asyncProperty(
      traffic,
      fc.array(fc.boolean(), { minLength: 3 }),
      async (traffic, ends) => {
        const subject = newSubject()
        const oracle = createOracle()
        const arrivals = traffic.arrivals.slice(0, 25)
        const firstMs = arrivals[0]?.nowMs ?? 0
        for (const [i, { windows, nowMs }] of arrivals.entries()) {
          const sinceMs = nowMs - firstMs
          at(sinceMs)
          const [decision] = await admit(subject, windows)
          expect(decision).toEqual(oracle.decide(windows, startMs + sinceMs))
          if (ends[i % ends.length]) await evictDurableObject(limiter(subject))
        }
      },
    )
    await fc.assert(property, { numRuns: 10 })
  })
})

// In the middle of many requests, as clients see it.
describe.each([
  ['evicted', evictAllDurableObjects],
  ['reset by a deploy', abortAllDurableObjects],
])('A limiter that is %s', (_, restart) => {
  it('A restart in the middle of requests loses no admission', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const client = api(writeKey, { bindings: {} })
    const statuses: number[] = []
    const sender = async () => {
      for (let sent = 0; sent < 10; sent++) {
        statuses.push((await client.listLeads({ campaignId, limit: '1' })).status)
      }
    }
    const sending = Promise.all([sender(), sender(), sender(), sender()])
    await restart()
    await restart()
    await sending
    expect(new Set(statuses)).toEqual(new Set([200]))
    // One more is spent by asking. A request that met the reset may have been counted twice, but none is forgotten.
    const { remaining } = rateLimitOf(await client.listLeads({ campaignId, limit: '1' }))
    expect(remaining).toBeLessThanOrEqual(1000 - 41)
    expect(remaining).toBeGreaterThanOrEqual(1000 - 41 - 8)
  })
})

it('What is written is one row by an admission, both windows included', async () => {
  const subject = newSubject()
  await admit(subject, [hour, bulk])
  const before = await inspect(subject)
  await admit(subject, [hour, bulk])
  const after = await inspect(subject)
  expect(after.rowsWritten - before.rowsWritten).toBe(1)
  expect(Object.keys(after.stored)).toHaveLength(1)
  expect(after.alarmAtMs).toBe(before.alarmAtMs)
})

it('An alarm that was dropped is set again in the next life of its subject, and another subject keeps its own', async () => {
  const [subject, other] = [newSubject(), newSubject()]
  await admit(subject, [hour])
  at(hour.windowMs + 60_000)
  await admit(other, [hour])
  await evictDurableObject(limiter(subject))
  await admit(subject, [hour])
  expect((await inspect(subject)).alarmAtMs).toBe(startMs + hour.windowMs + 60_001)
  expect((await inspect(other)).alarmAtMs).toBe(startMs + 2 * hour.windowMs + 60_000)
})

it('What is written is nothing by a refusal', async () => {
  const subject = newSubject()
  await admit(subject, [hour, bulk], 10)
  const before = await inspect(subject)
  expect(admitted(await admit(subject, [hour, bulk], 20))).toBe(0)
  expect(await inspect(subject)).toEqual(before)
})

it('What is written is nothing by a refusal after an eviction', async () => {
  const subject = newSubject()
  await admit(subject, [bulk], 10)
  await evictDurableObject(limiter(subject))
  const before = await inspect(subject)
  expect(admitted(await admit(subject, [bulk], 20))).toBe(0)
  expect(await inspect(subject)).toEqual(before)
})

it('What is written does not grow with the number of requests, only with the limit', async () => {
  const subject = newSubject()
  const small: Window = { name: 'small', limit: 20, windowMs: 1_000 }
  const sizes: number[] = []
  for (let round = 0; round < 100; round++) {
    at(round * 1_000)
    expect(admitted(await admitInside(subject, [small], 30))).toBe(20)
    sizes.push((await inspect(subject)).bytes)
  }
  expect(sizes.at(-1)).toBe(sizes[0])
})

it('What is written is less than 64 KiB for an hour that is full', async () => {
  const subject = newSubject()
  expect(admitted(await admitInside(subject, [hour], 1010))).toBe(1000)
  expect((await inspect(subject)).bytes).toBeLessThan(64 * 1024)
})

it('The alarm is set by the first unit for when the longest window is empty again, and left there by the next', async () => {
  const subject = newSubject()
  expect((await inspect(subject)).alarmAtMs).toBeNull()
  await admit(subject, [hour, bulk])
  expect((await inspect(subject)).alarmAtMs).toBe(startMs + hour.windowMs)
  at(1_000)
  await admit(subject, [hour, bulk])
  await evictDurableObject(limiter(subject))
  await admit(subject, [bulk])
  expect((await inspect(subject)).alarmAtMs).toBe(startMs + hour.windowMs)
})

it('The alarm that finds units counted erases nothing and comes again when the newest is gone', async () => {
  const subject = newSubject()
  await admit(subject, [bulk], 10)
  at(30_000)
  await admit(subject, [hour])
  at(60_000)
  const { stored } = await inspect(subject)
  expect(await runDurableObjectAlarm(limiter(subject))).toBe(true)
  expect(await inspect(subject)).toMatchObject({ stored, alarmAtMs: startMs + 30_000 + hour.windowMs })
  at(30_000 + hour.windowMs - 1)
  expect(await runDurableObjectAlarm(limiter(subject))).toBe(true)
  expect(await inspect(subject)).toMatchObject({ stored, alarmAtMs: startMs + 30_000 + hour.windowMs })
})

it.each([
  { name: 'in memory', end: async () => {} },
  { name: 'evicted', end: (subject: string) => evictDurableObject(limiter(subject)) },
])(
  'The alarm that finds nothing counted erases the storage of an object $name, which works on',
  async ({ end }) => {
    const subject = newSubject()
    await admit(subject, [bulk], 10)
    await end(subject)
    at(bulk.windowMs)
    expect(await runDurableObjectAlarm(limiter(subject))).toBe(true)
    const erased = await inspect(subject)
    expect([erased.stored, erased.alarmAtMs]).toEqual([{}, null])
    expect(await runDurableObjectAlarm(limiter(subject))).toBe(false)

    expect(admitted(await admit(subject, [bulk], 12))).toBe(10)
    expect((await inspect(subject)).alarmAtMs).toBe(startMs + 2 * bulk.windowMs)
    await evictDurableObject(limiter(subject))
    expect(admitted(await admit(subject, [bulk]))).toBe(0)
  },
)

it('The alarm waits for the longest window, though the newest unit is of a shorter one', async () => {
  const subject = newSubject()
  await admit(subject, [hour])
  at(1_000)
  await admit(subject, [bulk])
  at(1_000 + bulk.windowMs)
  await runDurableObjectAlarm(limiter(subject))
  expect((await inspect(subject)).alarmAtMs).toBe(startMs + hour.windowMs)
  const [next] = await admit(subject, [hour])
  expect(next?.remaining).toBe(998)
})

it('The alarm waits for the newest unit of the longest window, however the clock steps', async () => {
  const subject = newSubject()
  at(10_000)
  await admit(subject, [bulk])
  at(6_000)
  await admit(subject, [hour])
  at(6_000 + hour.windowMs)
  await runDurableObjectAlarm(limiter(subject))
  expect((await inspect(subject)).stored).not.toEqual({})
  const [next] = await admit(subject, [hour])
  expect(next?.remaining).toBe(998)
})

it('A clock that steps back by more than 5 s is stored by the first refusal that meets it, and by no other', async () => {
  const subject = newSubject()
  at(600_000)
  await admit(subject, [bulk], 10)
  at(0)
  const before = await inspect(subject)
  expect(admitted(await admit(subject, [bulk]))).toBe(0)
  const after = await inspect(subject)
  expect(after.rowsWritten - before.rowsWritten).toBe(1)
  at(1_000)
  expect(admitted(await admit(subject, [bulk]))).toBe(0)
  expect(await inspect(subject)).toEqual(after)
  await evictDurableObject(limiter(subject))
  at(60_000)
  expect(admitted(await admit(subject, [bulk]))).toBe(1)
})
