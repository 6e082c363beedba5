// The database commits and its answer is lost, comes late, or comes when the key has gone: with Idempotency-Key and
// without, and with every time limit used up. The plain cases are in test/runtime/retries.test.ts.
import { describe, expect, it, vi } from 'vitest'
import { databaseLosingAnswers, databaseThat } from '../support/database/database.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { hangingLimiter } from '../support/rate-limits/limiter.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { withTimeLimits } from '../support/run/patience.ts'
import { newPhones, revokeKey, seedCampaign, seedKey, seedWorld, storedPhones } from '../support/world.ts'

withRealLimiters()

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))
const headers = { 'idempotency-key': 'order-1' }

/** Commits, and then the connection is gone for good: the client hears 503, or nothing at all. */
function databaseCommittingUnheard() {
  let isCut = false
  return databaseThat(async (run, trip) => {
    const isWrite = trip.statements.some(({ sql }) => /^\s*insert/i.test(sql))
    if (isWrite && !isCut) await run()
    if (isWrite) isCut = true
    if (isCut) throw new Error('D1_ERROR: Network connection lost.')
    return run()
  })
}

it('A commit whose answer is lost is created once and confirmed with an Idempotency-Key, lost twice', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const [phoneNumber] = newPhones(1) as [string]
  const bindings = { DB: databaseLosingAnswers(2).DB }
  const answer = await api(writeKey, { bindings, headers }).createLead({ campaignId, phoneNumber })
  const { leadId } = dataOf(answer, 201)
  // It was this request that created it.
  expect(answer.headers.has('idempotent-replayed')).toBe(false)
  const again = await api(writeKey, { headers }).createLead({ campaignId, phoneNumber })
  expect(dataOf(again, 201)).toEqual({ leadId })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await storedPhones(campaign)).toEqual([phoneNumber])
})

it('A commit whose answer is lost is found again by a create that comes again after every try was lost', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const [phoneNumber] = newPhones(1) as [string]
  const bindings = { DB: databaseCommittingUnheard().DB }
  const lost = await api(writeKey, { bindings, headers }).createLead({ campaignId, phoneNumber })
  expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '5'])
  const again = await api(writeKey, { headers }).createLead({ campaignId, phoneNumber })
  const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  expect(leads.map((lead) => lead._id)).toEqual([dataOf(again, 201).leadId])
  expect(await storedPhones(campaign)).toEqual([phoneNumber])
})

it('A commit whose answer is lost is found again by a repeated bulk, which returns what the first one did', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const [a, b, c] = newPhones(3) as [string, string, string]
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: b }), 201)
  const leads = toLeads([c, b, a, c])
  const bindings = { DB: databaseCommittingUnheard().DB }
  expect((await api(writeKey, { bindings, headers }).importLeads({ campaignId, leads })).status).toBe(503)
  const again = await api(writeKey, { headers }).importLeads({ campaignId, leads })
  const listed = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
  expect(dataOf(again, 200)).toEqual({
    created: 2,
    skipped: 2,
    createdIds: listed.slice(1).map((lead) => lead._id),
    skippedPhones: [b, c],
  })
  expect(await storedPhones(campaign)).toEqual([b, c, a])
})

it('A commit whose answer is lost is a duplicate to a create without Idempotency-Key that comes again, and stored once', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const [phoneNumber] = newPhones(1) as [string]
  const bindings = { DB: databaseCommittingUnheard().DB }
  expect((await api(writeKey, { bindings }).createLead({ campaignId, phoneNumber })).status).toBe(503)
  const again = await api(writeKey).createLead({ campaignId, phoneNumber })
  expectFailure(again, 409, 'Lead already exists')
  expect(again.headers.get('location')).toMatch(/^\/api\/v1\/leads\/[0-9A-Za-z]{36}$/)
  expect(await storedPhones(campaign)).toEqual([phoneNumber])
})

// Side by side, since what takes time here is waiting.
describe.concurrent('An answer that is late', () => {
  withTimeLimits()

  it('An answer that is late is still answered within 6 seconds when every part takes its time', async () => {
    const { campaignId, writeKey, writeKeyId } = await seedWorld()
    const [phoneNumber] = newPhones(1) as [string]
    // The look-up takes some of its time, the limiter hangs, the statement takes some of its time too and finds the key
    // revoked, and the limiter hangs again. On a busy machine more would be too late; that all of their times are
    // within six seconds is in unit/limits.test.ts.
    const { DB, trips } = databaseThat(async (run, { statements }) => {
      const isLookup = statements.length === 1
      await new Promise((resolve) => setTimeout(resolve, isLookup ? 300 : 600))
      if (!isLookup) await revokeKey(writeKeyId)
      return run()
    })
    const { RATE_LIMITER, calls } = hangingLimiter()
    const answer = await api(writeKey, { bindings: { DB, RATE_LIMITER } }).createLead({
      campaignId,
      phoneNumber,
    })
    expectFailure(answer, 401, 'Invalid or inactive API key')
    expect([trips.length, calls.length]).toEqual([2, 2])
  })

  it('An answer that is late that comes after the client got 503 leaves the lead stored once', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const [phoneNumber] = newPhones(1) as [string]
    const { DB } = databaseThat(async (run, { statements }) => {
      if (statements.length > 1) await new Promise((resolve) => setTimeout(resolve, 3_200))
      return run()
    })
    const client = api(writeKey, { bindings: { DB } })
    expect((await client.createLead({ campaignId, phoneNumber })).status).toBe(503)
    const again = await api(writeKey).createLead({ campaignId, phoneNumber })
    await vi.waitFor(async () => expect(await storedPhones(campaign)).toEqual([phoneNumber]), 60_000)
    expect([201, 409]).toContain(again.status)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await storedPhones(campaign)).toEqual([phoneNumber])
  })
})

it.each(['create', 'bulk', 'list'] as const)(
  'Revoking a key in the middle of a stream of requests lets none succeed that began afterwards: %s',
  async (operation) => {
    const { companyId, campaignId } = await seedWorld()
    const { id, key } = await seedKey({ companyId })
    const client = api(key)
    let isRevoked = false
    const lateSuccesses: number[] = []
    const statuses = new Set<number>()
    const sender = async () => {
      for (let sent = 0; sent < 8; sent++) {
        const beganRevoked = isRevoked
        const [phoneNumber] = newPhones(1) as [string]
        const { status } = await (operation === 'create'
          ? client.createLead({ campaignId, phoneNumber })
          : operation === 'bulk'
            ? client.importLeads({ campaignId, leads: [{ phoneNumber }] })
            : client.listLeads({ campaignId, limit: '1' }))
        statuses.add(status)
        if (beganRevoked && status < 300) lateSuccesses.push(status)
      }
    }
    const sending = Promise.all(Array.from({ length: 8 }, sender))
    await client.listLeads({ campaignId, limit: '1' })
    await revokeKey(id)
    isRevoked = true
    await sending
    expect(lateSuccesses).toEqual([])
    expect(statuses).toContain(operation === 'bulk' && !statuses.has(401) ? 429 : 401)
  },
)

it('Revoking a key in the middle of a stream of requests keeps a campaign’s key out of other campaigns throughout', async () => {
  const { companyId, campaign } = await seedWorld()
  const other = await seedCampaign(companyId)
  const { id, key } = await seedKey({ companyId, campaign })
  const asking = Array.from({ length: 20 }, () => api(key).listLeads({ campaignId: other.id }))
  await revokeKey(id)
  for (const { status } of await Promise.all(asking)) expect([401, 403]).toContain(status)
})
