// What a look-up of a key costs others (D22, D27): keys that are refused in a loop, guesses by the hundred, and those
// who share an address with either.
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { admit, look, type Window } from '../../src/base/rate-limits/sliding-window.ts'
import { databaseFailing, databaseThat, watchedDatabase } from '../support/database/database.ts'
import { companyDb, isOfD1 } from '../support/database/store.ts'
import { api, randomAddress } from '../support/http/api.ts'
import { dataOf, expectFailure, rateLimitOf, times } from '../support/http/expectations.ts'
import { watchedLimiter } from '../support/rate-limits/limiter.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../support/run/clock.ts'
import { revokeKey, seedKey, seedWorld, unknownKey } from '../support/world.ts'

withRealLimiters()

beforeEach(stopClock)

const bindings = {}
const list = (
  key: string,
  address: string,
  DB: D1Database = companyDb,
  RATE_LIMITER: unknown = env.RATE_LIMITER,
) => api(key, { address, bindings: { DB, RATE_LIMITER } }).listLeads({ campaignId: 'any' })

/** Limiters that admit everything, at no cost: an object for each address takes its time. */
const idleLimiter = {
  getByName: () => ({
    admit: async (windows: readonly Window[]) => admit({}, windows, Date.now()).decision,
    look: async (windows: readonly Window[]) => look({}, windows, Date.now()),
  }),
}

/** A database that knows no key, at no cost. */
const emptyDatabase = () =>
  databaseThat(async (_, trip) =>
    trip.statements.map(() => ({ results: [], success: true, meta: { changes: 0 } })),
  )

it.skipIf(isOfD1('lookUps'))('A refused key in a loop costs one look-up in ten seconds', async () => {
  const { DB, trips } = watchedDatabase()
  const [key, address] = [unknownKey(), randomAddress()]
  await times(50, () => list(key, address, DB))
  expect(trips).toHaveLength(1)
  vi.setSystemTime(Date.now() + 10_000)
  await list(key, address, DB)
  expect(trips).toHaveLength(2)
})

it('A refused key in a loop leaves a valid key of the same address alone that the isolate has not met', async () => {
  const { campaignId, companyId, writeKey, writeKeyId } = await seedWorld()
  await revokeKey(writeKeyId)
  const address = randomAddress()
  for (let i = 0; i < 700; i++) await list(writeKey, address)
  const { key } = await seedKey({ companyId })
  const answer = await api(key, { address, bindings }).listLeads({ campaignId })
  dataOf(answer, 200)
  expect(rateLimitOf(answer)).toMatchObject({ limit: 1000, remaining: 999 })
})

describe('A key that was not looked up', () => {
  async function spendLookUps(addressOf: (index: number) => string) {
    const { DB } = emptyDatabase()
    for (let i = 0; i < 600; i++) await list(unknownKey(), addressOf(i), DB, idleLimiter)
  }

  it('A key that was not looked up is 503 and never 429, and charges nothing', async () => {
    const address = randomAddress()
    await spendLookUps(() => address)
    const { companyId, campaignId } = await seedWorld()
    const { key } = await seedKey({ companyId })
    const answers = await times(3, () => api(key, { address, bindings }).listLeads({ campaignId }))
    for (const answer of answers) {
      expectFailure(answer, 503, 'Service temporarily unavailable', 'service_unavailable')
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    vi.setSystemTime(Date.now() + 60_000)
    const answer = await api(key, { address, bindings }).listLeads({ campaignId })
    expect(rateLimitOf(answer).remaining).toBe(999)
  })

  it.skipIf(isOfD1('lookUps'))(
    'A key that was not looked up charges its address nothing when the database is down',
    async () => {
      const { DB } = databaseFailing('D1_ERROR: refused')
      const address = randomAddress()
      const answers = await times(70, () => list(unknownKey(), address, DB))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      expect(rateLimitOf(answers.at(-1) as (typeof answers)[0])).toMatchObject({ limit: 60, remaining: 60 })
      const { RATE_LIMITER, calls } = watchedLimiter()
      await api(unknownKey(), { address, bindings: { DB, RATE_LIMITER } }).listLeads({ campaignId: 'any' })
      expect(calls).toHaveLength(1)
    },
  )

  it('A key that was not looked up is counted by /48, so that one household does not spend what everyone has', async () => {
    await spendLookUps((index) => `2001:db8:77:${index.toString(16)}::1`)
    const { campaignId, companyId } = await seedWorld()
    const [one, other] = [await seedKey({ companyId }), await seedKey({ companyId })]
    const near = await api(one.key, { address: '2001:db8:77:ffff::1', bindings }).listLeads({ campaignId })
    expect(near.status).toBe(503)
    const far = await api(other.key, { address: '2001:db8:78:1::1', bindings }).listLeads({ campaignId })
    expect(far.status).toBe(200)
  })
})
