// What an attacker could learn from how keys are refused: nothing from the answer, nothing from the work done, and no
// key from any name or statement.
import { expect, it } from 'vitest'
import { hashApiKey } from '../../src/base/access/api-key.ts'
import { watchedDatabase } from '../support/database/database.ts'
import { isOfD1 } from '../support/database/store.ts'
import { type Answer, api } from '../support/http/api.ts'
import { watchedLimiter } from '../support/rate-limits/limiter.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { seedKey, seedWorld, unknownKey } from '../support/world.ts'

withRealLimiters()

async function work(key: string, campaignId: string) {
  const { DB, trips } = watchedDatabase()
  const { RATE_LIMITER, calls } = watchedLimiter()
  const answer: Answer = await api(key, { bindings: { DB, RATE_LIMITER } }).listLeads({ campaignId })
  const statements = trips.map((trip) => trip.statements.map(({ sql }) => sql))
  return {
    answer,
    statements,
    windows: calls.map((call) => call.windows),
    names: calls.map((call) => call.subject),
    trips,
  }
}

it.skipIf(isOfD1('lookUps'))(
  'A refused key costs the same work whether it is unknown, revoked or expired',
  async () => {
    const { companyId, campaignId } = await seedWorld()
    const unknown = await work(unknownKey(), campaignId)
    const revoked = await work((await seedKey({ companyId, revokedAtMs: 1 })).key, campaignId)
    const expired = await work((await seedKey({ companyId, expiresAtMs: 1 })).key, campaignId)
    expect(unknown.statements).toHaveLength(1)
    for (const other of [revoked, expired]) {
      expect(other.statements).toEqual(unknown.statements)
      expect(other.windows).toEqual(unknown.windows)
      expect(other.answer.text).toBe(unknown.answer.text)
    }
  },
)

it('A refused key costs one call to the limiter and no look-up when it is malformed, and looks the same', async () => {
  const { campaignId } = await seedWorld()
  const unknown = await work(unknownKey(), campaignId)
  const malformed = await work('lk_nonsense', campaignId)
  expect(malformed.statements).toEqual([])
  expect(malformed.windows).toEqual(unknown.windows)
  expect(malformed.answer.text).toBe(unknown.answer.text)
  expect(malformed.answer.status).toBe(unknown.answer.status)
})

it('A key is in no name of a Durable Object, no statement, no answer; its hash only in the look-up', async () => {
  const { writeKey, writeKeyId, campaignId } = await seedWorld()
  const { answer, names, trips } = await work(writeKey, campaignId)
  expect(names).toEqual([`key:${writeKeyId}`])
  const sent = JSON.stringify(trips.map((trip) => trip.statements))
  expect(sent).not.toContain(writeKey)
  expect(JSON.stringify([...answer.headers]) + answer.text).not.toContain(writeKey)
  const holding = trips.filter((trip) => JSON.stringify(trip.statements).includes(hashApiKey(writeKey)))
  expect(holding).toHaveLength(1)
})
