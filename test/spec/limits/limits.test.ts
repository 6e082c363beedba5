// Limits, the rates of a key: how many requests, in which window, and what counts (D21, D22). The rates of an address
// are in address-limits.test.ts, their headers in rate-limit-headers.test.ts, sizes in errors.test.ts.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, api } from '../../support/http/api.ts'
import { dataOf, isLimited, rateLimitOf, retryAfterOf, times } from '../../support/http/expectations.ts'
import { withRealLimiters } from '../../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../../support/run/clock.ts'
import { newPhone, seedKey, seedWorld, spendBulks, spendHour, storedPhones } from '../../support/world.ts'

withRealLimiters()

const t0 = 1_800_000_000_000
const secondMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000

beforeEach(stopClock)

it('API request rate is 1000 requests an hour for each key', async () => {
  vi.setSystemTime(t0)
  const { campaignId, readKey, readKeyId, writeKey } = await seedWorld()
  const list = () => api(readKey).listLeads({ campaignId })
  await list()
  await spendHour(readKeyId, 949)
  const answers = await Promise.all(Array.from({ length: 51 }, list))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50)
  const [refused] = answers.filter((answer) => answer.status !== 200)
  isLimited(refused as Answer)
  expect(retryAfterOf(refused as Answer)).toBe(3600)
  dataOf(await api(writeKey).listLeads({ campaignId }), 200)
})

it('API request rate is one window for all endpoints and addresses of a key', async () => {
  vi.setSystemTime(t0)
  const { campaignId, writeKey, writeKeyId } = await seedWorld()
  await spendHour(writeKeyId, 997)
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
  dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  dataOf(await api(writeKey).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] }), 200)
  isLimited(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }))
  isLimited(await api(writeKey).listLeads({ campaignId }))
  isLimited(await api(writeKey).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] }))
})

it('API request rate gives each unit back exactly an hour after it was spent', async () => {
  const { campaignId, readKey, readKeyId } = await seedWorld()
  const list = () => api(readKey).listLeads({ campaignId })
  vi.setSystemTime(t0)
  await spendHour(readKeyId, 2)
  vi.setSystemTime(t0 + 20 * minuteMs)
  await spendHour(readKeyId, 998)
  isLimited(await list())
  vi.setSystemTime(t0 + hourMs - 1)
  isLimited(await list())
  vi.setSystemTime(t0 + hourMs)
  expect((await times(2, list)).map((answer) => answer.status)).toEqual([200, 200])
  const next = await list()
  isLimited(next)
  expect(retryAfterOf(next)).toBe(20 * 60)
})

it('API request rate admits no second thousand around the full hour, as counters that restart would', async () => {
  const { campaignId, readKey, readKeyId } = await seedWorld()
  const boundary = Math.ceil(t0 / hourMs) * hourMs
  vi.setSystemTime(boundary - 1)
  await spendHour(readKeyId, 1000)
  vi.setSystemTime(boundary + 1)
  isLimited(await api(readKey).listLeads({ campaignId }))
  vi.setSystemTime(boundary + hourMs / 2)
  isLimited(await api(readKey).listLeads({ campaignId }))
})

describe('Bulk request rate', () => {
  const bulkOf = (campaignId: string, key: string) => () =>
    api(key).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] })

  it('The bulk limit is 10 requests a minute for each key, and touches no other request', async () => {
    vi.setSystemTime(t0)
    const { companyId, campaign, campaignId, writeKey } = await seedWorld()
    for (const answer of await times(10, bulkOf(campaignId, writeKey))) dataOf(answer, 200)
    isLimited(await bulkOf(campaignId, writeKey)())
    expect(await storedPhones(campaign)).toHaveLength(10)
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
    dataOf(await bulkOf(campaignId, (await seedKey({ companyId })).key)(), 200)
  })

  it('The bulk limit gives each unit back exactly a minute after it was spent', async () => {
    const { campaignId, writeKey, writeKeyId } = await seedWorld()
    const bulk = bulkOf(campaignId, writeKey)
    vi.setSystemTime(t0)
    await spendBulks(writeKeyId, 1)
    vi.setSystemTime(t0 + 59 * secondMs)
    await spendBulks(writeKeyId, 9)
    isLimited(await bulk())
    vi.setSystemTime(t0 + minuteMs)
    dataOf(await bulk(), 200)
    isLimited(await bulk())
  })

  it('The bulk limit counts a bulk once in the minute and once in the hour', async () => {
    vi.setSystemTime(t0)
    const { campaignId, writeKey } = await seedWorld()
    const bulk = await bulkOf(campaignId, writeKey)()
    expect(rateLimitOf(bulk)).toMatchObject({ limit: 10, remaining: 9 })
    const list = await api(writeKey).listLeads({ campaignId })
    expect(rateLimitOf(list)).toMatchObject({ limit: 1000, remaining: 998 })
  })

  it('A refused bulk spends neither window when either refuses', async () => {
    vi.setSystemTime(t0)
    const { campaignId, writeKey, writeKeyId } = await seedWorld()
    await spendBulks(writeKeyId, 10)
    for (const answer of await times(5, bulkOf(campaignId, writeKey))) isLimited(answer)
    const list = await api(writeKey).listLeads({ campaignId })
    expect(rateLimitOf(list).remaining).toBe(989)

    const other = await seedWorld()
    await spendHour(other.writeKeyId, 1000)
    for (const answer of await times(5, bulkOf(other.campaignId, other.writeKey))) isLimited(answer)
    vi.setSystemTime(t0 + hourMs)
    const bulk = await bulkOf(other.campaignId, other.writeKey)()
    expect(rateLimitOf(bulk)).toMatchObject({ limit: 10, remaining: 9 })
  })

  it('The bulk limit counts bulks that fail', async () => {
    vi.setSystemTime(t0)
    const { campaignId, writeKey } = await seedWorld()
    for (const answer of await times(10, () => api(writeKey).importLeads({}))) expect(answer.status).toBe(400)
    isLimited(await bulkOf(campaignId, writeKey)())
  })
})

it('What counts is every request with a valid key, whatever its outcome', async () => {
  vi.setSystemTime(t0)
  const { campaign, campaignId, readKey, writeKey } = await seedWorld()
  const lead = { campaignId, phoneNumber: newPhone() }
  const client = api(writeKey)
  const answers = [
    await client.createLead(lead),
    await client.createLead(lead),
    await client.createLead({}),
    await client.createLead('{'),
    await client.createLead(lead, { 'content-type': 'text/plain' }),
    await client.createLead(' '.repeat(70_000)),
    await client.listLeads({ campaignId: 'none' }),
    await client.request('DELETE', '/api/v1/leads'),
    await client.request('GET', '/api/v1/nothing'),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([201, 409, 400, 400, 415, 413, 403, 405, 404])
  expect(answers.map((answer) => rateLimitOf(answer).remaining)).toEqual(answers.map((_, i) => 999 - i))
  const { key } = await seedKey({ companyId: campaign.companyId, scope: 'read' })
  const forbidden = await api(key).createLead(lead)
  expect([forbidden.status, rateLimitOf(forbidden).remaining]).toEqual([403, 999])
  expect(rateLimitOf(await api(readKey).listLeads({ campaignId })).remaining).toBe(999)
})

it('What counts is no request that was refused with 429', async () => {
  const { campaignId, readKey, readKeyId } = await seedWorld()
  const list = () => api(readKey).listLeads({ campaignId })
  vi.setSystemTime(t0)
  await spendHour(readKeyId, 1000)
  for (let minute = 0; minute < 60; minute += 10) {
    vi.setSystemTime(t0 + minute * minuteMs)
    isLimited(await list())
  }
  vi.setSystemTime(t0 + hourMs)
  expect(rateLimitOf(await list()).remaining).toBe(999)
})

it('What counts is no request with an invalid key: it never touches the key’s window', async () => {
  vi.setSystemTime(t0)
  const { companyId, campaignId } = await seedWorld()
  const { id, key } = await seedKey({ companyId, expiresAtMs: t0 - 1 })
  await spendHour(id, 500)
  for (const answer of await times(3, () => api(key).listLeads({ campaignId })))
    expect([answer.status, rateLimitOf(answer).limit]).toEqual([401, 60])
  vi.setSystemTime(t0 - secondMs)
  expect(rateLimitOf(await api(key).listLeads({ campaignId })).remaining).toBe(499)
})
