// Keys that nobody was given, in thousands: what they cost is bounded, and those who hold keys do not notice. With real
// connections and a hundred thousand of them: test/hard/flood.ts.
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { lookUpsPerIsolate } from '../../src/base/access/key-memory.ts'
import { admit, look, type Window } from '../../src/base/rate-limits/sliding-window.ts'
import { databaseThat, watchedDatabase } from '../support/database/database.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../support/run/clock.ts'
import { seedKey, seedWorld, unknownKey } from '../support/world.ts'

withRealLimiters()

// Other tests have no such limit (setup.ts).
Object.assign(lookUpsPerIsolate, { limit: 6_000 })

const isLookup = (trip: { statements: readonly { sql: string }[] }) => trip.statements.length === 1

/** A database that knows no key, at no cost. */
function emptyDatabase() {
  return databaseThat(async (_, trip) =>
    trip.statements.map(() => ({ results: [], success: true, meta: { changes: 0 } })),
  )
}

/** Limiters that admit everything, at no cost, and whose names are noted. */
function countedLimiters() {
  const names = new Set<string>()
  const getByName = (name: string) => {
    names.add(name)
    return {
      admit: async (windows: readonly Window[]) => admit({}, windows, Date.now()).decision,
      look: async (windows: readonly Window[]) => look({}, windows, Date.now()),
    }
  }
  return { RATE_LIMITER: { getByName }, names }
}

// With bindings, even none, all requests meet the same instance of the Worker, and what it remembers.
const bindings = {}

let guesses = 0
/** Each in a network of its own: look-ups are counted by /48. */
const address = (index: number) => `2001:db8:${index.toString(16)}::1`

/** Sends guesses until the isolate makes no more look-ups for them. Returns their statuses. */
async function flood(count: number, DB: D1Database, from: () => string, RATE_LIMITER: unknown) {
  const tally = new Map<number, number>()
  for (let sent = 0; sent < count; sent += 100) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        api(unknownKey(), { address: from(), bindings: { DB, RATE_LIMITER } }).listLeads({ campaignId: 'x' }),
      ),
    )
    for (const { status } of answers) tally.set(status, (tally.get(status) ?? 0) + 1)
  }
  return tally
}

it('A flood of guessed keys from one address costs no more than 600 look-ups, and harms no other address', async () => {
  stopClock()
  const { campaignId, writeKey } = await seedWorld()
  const { DB, trips } = emptyDatabase()
  const { RATE_LIMITER } = env
  const tally = await flood(1_000, DB, () => '203.0.113.1', RATE_LIMITER)
  // Those that were not looked up are not called wrong, and not counted.
  expect([...tally.keys()].toSorted()).toEqual([401, 429, 503])
  expect(tally.get(401)).toBe(60)
  expect(trips.filter(isLookup).length).toBeLessThanOrEqual(600)
  dataOf(await api(writeKey, { bindings }).listLeads({ campaignId }), 200)
})

it('A flood of guessed keys from many addresses costs a bounded number of look-ups and objects, and leaves keys in use alone', async () => {
  stopClock()
  const startMs = Date.now() + 3_600_000
  vi.setSystemTime(startMs)
  const { companyId, campaignId, writeKey } = await seedWorld()
  dataOf(await api(writeKey, { address: '192.0.2.7', bindings }).listLeads({ campaignId }), 200)

  vi.setSystemTime(startMs + 30_000)
  const { DB, trips } = emptyDatabase()
  const { RATE_LIMITER, names } = countedLimiters()
  const tally = await flood(6_300, DB, () => address(++guesses), RATE_LIMITER)
  expect(trips.length).toBeLessThanOrEqual(6_000)
  expect(names.size).toBeLessThanOrEqual(1_000)
  expect([...tally.keys()].toSorted()).toEqual([401, 503])

  // The isolate remembers the key no longer, and the flood's minute is not over.
  vi.setSystemTime(startMs + 65_000)
  await flood(100, DB, () => address(++guesses), RATE_LIMITER)
  const watched = watchedDatabase()
  const client = api(writeKey, { address: '192.0.2.7', bindings: { DB: watched.DB } })
  dataOf(await client.listLeads({ campaignId }), 200)
  expect(watched.trips.filter(isLookup)).toHaveLength(1)

  // A key's first request in that minute cannot be distinguished from a guess: not called wrong, and served later.
  const { key } = await seedKey({ companyId })
  const first = await api(key, { address: '192.0.2.8', bindings }).listLeads({ campaignId })
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '5'])
  vi.setSystemTime(startMs + 95_000)
  dataOf(await api(key, { address: '192.0.2.8', bindings }).listLeads({ campaignId }), 200)
})

it('A revoked key is looked up no more freely than a guess once it was refused', async () => {
  stopClock()
  const { companyId, campaignId } = await seedWorld()
  const { key } = await seedKey({ companyId, revokedAtMs: 1 })
  const { DB, trips } = watchedDatabase()
  const client = api(key, { address: '203.0.113.2', bindings: { DB } })
  for (let sent = 0; sent < 700; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => client.listLeads({ campaignId })))
  }
  expect(trips.filter(isLookup).length).toBeLessThanOrEqual(600)
})
