// Endpoints, create many leads: duplicates skipped, all or nothing on validation, both lists in input order
// (D2, D12-D14).
import { expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedCampaign, seedWorld, storedPhones } from '../../support/world.ts'

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))

it('POST /api/v1/leads/bulk answers 200 with created, skipped, createdIds and skippedPhones, and nothing else', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).importLeads({ campaignId, leads: toLeads(newPhones(2)) })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    success: true,
    data: {
      created: 2,
      skipped: 0,
      createdIds: [expect.any(String), expect.any(String)],
      skippedPhones: [],
    },
    error: null,
  })
})

it.each([1, 999, 1000])(
  'POST /api/v1/leads/bulk takes %d leads, with their ids in input order',
  async (count) => {
    const { campaignId, writeKey } = await seedWorld()
    const phones = newPhones(count).toReversed()
    const { created, createdIds } = dataOf(
      await api(writeKey).importLeads({ campaignId, leads: toLeads(phones) }),
      200,
    )
    const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    expect(created).toBe(count)
    expect(leads.map((lead) => lead.phoneNumber)).toEqual(phones)
    expect(leads.map((lead) => lead._id)).toEqual(createdIds)
  },
)

it('POST /api/v1/leads/bulk keeps every field of every item', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const sent = [
    { phoneNumber: newPhone(), externalId: 'a', metadata: { n: 1 }, priority: 3 },
    { phoneNumber: newPhone(), scheduledFor: '2030-01-01T00:00:00Z' },
    { phoneNumber: newPhone(), externalId: null, metadata: null, scheduledFor: null, priority: null },
  ]
  dataOf(await api(writeKey).importLeads({ campaignId, leads: sent }), 200)
  const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  const generated = { _id: expect.any(String), _creationTime: expect.any(Number), campaignId, attempts: 0 }
  expect(leads).toEqual([
    { ...generated, ...sent[0], status: 'raw' },
    { ...generated, ...sent[1], status: 'raw', priority: 0 },
    { ...generated, phoneNumber: sent[2]?.phoneNumber, status: 'raw', priority: 0 },
  ])
})

it('POST /api/v1/leads/bulk skips what is already in the campaign, and does not fail', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const [a, b, c, d] = newPhones(4) as [string, string, string, string]
  await api(writeKey).createLead({ campaignId, phoneNumber: d })
  await api(writeKey).createLead({ campaignId, phoneNumber: b })
  const answer = await api(writeKey).importLeads({ campaignId, leads: toLeads([a, b, c, d]) })
  expect(dataOf(answer, 200)).toEqual({
    created: 2,
    skipped: 2,
    createdIds: [expect.any(String), expect.any(String)],
    skippedPhones: [b, d],
  })
  expect(await storedPhones(campaign)).toEqual([d, b, a, c])
})

it('POST /api/v1/leads/bulk does not skip what is in another campaign', async () => {
  const { companyId, campaignId, writeKey } = await seedWorld()
  const other = await seedCampaign(companyId)
  const leads = toLeads(newPhones(3))
  dataOf(await api(writeKey).importLeads({ campaignId, leads }), 200)
  expect(dataOf(await api(writeKey).importLeads({ campaignId: other.id, leads }), 200).created).toBe(3)
})

it('POST /api/v1/leads/bulk creates nothing when it is repeated, and leaves what is stored as it was', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const phones = newPhones(20)
  const leads = phones.map((phoneNumber, i) => ({ phoneNumber, externalId: `first ${i}` }))
  dataOf(await api(writeKey).importLeads({ campaignId, leads }), 200)
  const before = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  const changed = leads.map((lead) => ({ ...lead, externalId: 'second' }))
  const again = dataOf(await api(writeKey).importLeads({ campaignId, leads: changed }), 200)
  expect(again).toEqual({ created: 0, skipped: 20, createdIds: [], skippedPhones: phones })
  expect(dataOf(await api(writeKey).listLeads({ campaignId }), 200)).toEqual(before)
})

it('POST /api/v1/leads/bulk creates the first of what repeats within the request, and skips the later ones', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [a, b, c] = newPhones(3) as [string, string, string]
  const phones = [a, b, a, c, b, a]
  const leads = phones.map((phoneNumber, i) => ({ phoneNumber, externalId: `item ${i}` }))
  const { created, skipped, createdIds, skippedPhones } = dataOf(
    await api(writeKey).importLeads({ campaignId, leads }),
    200,
  )
  const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
  expect([created, skipped, skippedPhones]).toEqual([3, 3, [a, b, a]])
  expect(stored.map((lead) => lead.externalId)).toEqual(['item 0', 'item 1', 'item 3'])
  expect(stored.map((lead) => lead._id)).toEqual(createdIds)
})

it('POST /api/v1/leads/bulk counts every item once, created or skipped, when duplicates of both kinds mix', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [a, b, c] = newPhones(3) as [string, string, string]
  await api(writeKey).createLead({ campaignId, phoneNumber: b })
  const phones = [c, b, a, c, b, b]
  const result = dataOf(await api(writeKey).importLeads({ campaignId, leads: toLeads(phones) }), 200)
  expect(result).toMatchObject({ created: 2, skipped: 4, skippedPhones: [b, c, b, b] })
  expect(result.createdIds).toHaveLength(2)
})

it.each<[string, object, string]>([
  ['a missing phone number', {}, 'leads[2].phoneNumber is required'],
  ['a bad phone number', { phoneNumber: '123' }, 'leads[2].phoneNumber must be in E.164 format'],
  [
    'a phone number that is no text',
    { phoneNumber: 4915112345678 },
    'leads[2].phoneNumber must be a string in E.164 format',
  ],
  [
    'a bad priority',
    { phoneNumber: '+4915112345678', priority: 101 },
    'leads[2].priority must be an integer between 0 and 100',
  ],
])(
  'POST /api/v1/leads/bulk stores nothing when one item is invalid, and names it: %s',
  async (_, bad, message) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const leads = [...toLeads(newPhones(2)), bad, ...toLeads(newPhones(2)), {}]
    expectFailure(await api(writeKey).importLeads({ campaignId, leads }), 400, message)
    expect(await storedPhones(campaign)).toEqual([])
  },
)

it('POST /api/v1/leads/bulk takes 8 MiB of leads, whole and in order', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const phones = newPhones(600)
  const leads = phones.map((phoneNumber, i) => ({
    phoneNumber,
    metadata: { [`note ${i}`]: 'ä'.repeat(6000) },
  }))
  const body = JSON.stringify({ campaignId, leads })
  const padded = body + ' '.repeat(8 * 1024 * 1024 - Buffer.byteLength(body))
  expect(dataOf(await api(writeKey).importLeads(padded), 200)).toMatchObject({ created: 600, skipped: 0 })
  const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
  expect(stored.map(({ phoneNumber, metadata }) => ({ phoneNumber, metadata }))).toEqual(leads)
})
