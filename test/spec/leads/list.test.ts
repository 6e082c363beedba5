// Endpoints, list the leads of a campaign: order, filter, completeness (D2, D20).
import { expect, it } from 'vitest'
import { watchedDatabase } from '../../support/database/database.ts'
import { type Answer, api, type Listed } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedCampaign, seedLeads, seedWorld } from '../../support/world.ts'

const phonesOf = (answer: Answer<Listed>) => dataOf(answer, 200).leads.map((lead) => lead.phoneNumber)

it('GET /api/v1/leads answers 200 with the leads and their count, and nothing else', async () => {
  const { campaignId, writeKey, readKey } = await seedWorld()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
  const answer = await api(readKey).listLeads({ campaignId })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    success: true,
    data: { leads: [expect.any(Object)], count: 1 },
    error: null,
  })
})

it('GET /api/v1/leads answers an empty list for a campaign without leads', async () => {
  const { campaignId, readKey } = await seedWorld()
  expect(dataOf(await api(readKey).listLeads({ campaignId }), 200)).toEqual({ leads: [], count: 0 })
})

it('GET /api/v1/leads shows a lead as soon as it was created', async () => {
  const { campaignId, writeKey } = await seedWorld()
  for (const phoneNumber of newPhones(5)) {
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
    expect(phonesOf(await api(writeKey).listLeads({ campaignId })).at(-1)).toBe(phoneNumber)
  }
})

it('GET /api/v1/leads lists in creation order, oldest first, whatever the priority, schedule or way of creation', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [a, b, c, d] = newPhones(4).toReversed() as [string, string, string, string]
  await api(writeKey).createLead({ campaignId, phoneNumber: a, priority: 1 })
  await api(writeKey).importLeads({
    campaignId,
    leads: [
      { phoneNumber: b, scheduledFor: '2001-01-01T00:00:00Z' },
      { phoneNumber: c, priority: 100 },
    ],
  })
  await api(writeKey).createLead({ campaignId, phoneNumber: d, priority: 50 })
  expect(phonesOf(await api(writeKey).listLeads({ campaignId }))).toEqual([a, b, c, d])
})

it('GET /api/v1/leads lists the campaign that was asked for, and no other', async () => {
  const { companyId, campaign, campaignId, readKey } = await seedWorld()
  const neighbours = [await seedCampaign(companyId), await seedCampaign(companyId)]
  const phones = newPhones(3)
  await seedLeads(campaign, [{ phoneNumber: phones[0] as string }])
  for (const [i, neighbour] of neighbours.entries())
    await seedLeads(neighbour, [{ phoneNumber: phones[i + 1] as string }])
  expect(phonesOf(await api(readKey).listLeads({ campaignId }))).toEqual([phones[0]])
  expect(phonesOf(await api(readKey).listLeads({ campaignId: neighbours[0]?.id ?? '' }))).toEqual([phones[1]])
})

it.each([999, 1000, 1001, 2500, 3000])(
  'GET /api/v1/leads lists all of a campaign of %d leads, in order',
  async (size) => {
    const { campaign, campaignId, readKey } = await seedWorld()
    const phones = newPhones(size)
    await seedLeads(
      campaign,
      phones.map((phoneNumber) => ({ phoneNumber })),
    )
    const answer = await api(readKey).listLeads({ campaignId })
    expect(phonesOf(answer)).toEqual(phones)
    expect(answer.body?.data?.count).toBe(size)
  },
)

it.each([
  ['every third', (i: number) => i % 3 === 0],
  ['every hundredth', (i: number) => i % 100 === 99],
  ['the first only', (i: number) => i === 0],
  ['the last only', (i: number) => i === 2599],
  ['none of the first 1500', (i: number) => i >= 1500],
  ['all but the first 1000', (i: number) => i >= 1000],
  ['exactly the first 1000', (i: number) => i < 1000],
  ['none', () => false],
  ['all', () => true],
])(
  'GET /api/v1/leads lists all leads of a status, in order, however they lie among 2600: %s',
  async (_, isChosen) => {
    const { campaign, campaignId, readKey } = await seedWorld()
    const phones = newPhones(2600)
    await seedLeads(
      campaign,
      phones.map((phoneNumber, i) => ({ phoneNumber, status: isChosen(i) ? 'exhausted' : 'raw' })),
    )
    const answer = await api(readKey).listLeads({ campaignId, status: 'exhausted' })
    const expected = phones.filter((_phone, i) => isChosen(i))
    expect(phonesOf(answer)).toEqual(expected)
    expect(answer.body?.data?.count).toBe(expected.length)
  },
)

it('GET /api/v1/leads sends a long list piece by piece, reading no more than 1000 leads at a time', async () => {
  const { campaign, campaignId, readKey } = await seedWorld()
  await seedLeads(
    campaign,
    newPhones(2500).map((phoneNumber) => ({ phoneNumber })),
  )
  const { DB, trips } = watchedDatabase()
  dataOf(await api(readKey, { bindings: { DB } }).listLeads({ campaignId }), 200)
  const rowsPerTrip = trips.map((trip) => Math.max(...trip.results.map((result) => result.results.length)))
  expect(Math.max(...rowsPerTrip)).toBe(1000)
})

it('GET /api/v1/leads writes count after leads', async () => {
  const { campaign, campaignId, readKey } = await seedWorld()
  await seedLeads(campaign, [{ phoneNumber: newPhone() }])
  const { text } = await api(readKey).listLeads({ campaignId })
  expect(text.indexOf('"count":')).toBeGreaterThan(text.indexOf('"leads":'))
})

it('GET /api/v1/leads knows no paging parameters: what it does not know changes nothing', async () => {
  const { campaign, campaignId, readKey } = await seedWorld()
  const phones = newPhones(3)
  await seedLeads(
    campaign,
    phones.map((phoneNumber) => ({ phoneNumber })),
  )
  const answer = await api(readKey).listLeads({ campaignId, page: '2', offset: '1' })
  expect(phonesOf(answer)).toEqual(phones)
})

it('GET /api/v1/leads takes an empty status for none', async () => {
  const { campaign, campaignId, readKey } = await seedWorld()
  await seedLeads(campaign, [{ phoneNumber: newPhone() }])
  expect(dataOf(await api(readKey).listLeads({ campaignId, status: '' }), 200).count).toBe(1)
})

it.each(['', 'status=raw', 'campaignId=', 'CampaignId=x'])(
  'GET /api/v1/leads needs campaignId in the query: ?%s',
  async (query) => {
    const { readKey } = await seedWorld()
    const answer = await api(readKey).listLeads(query)
    expectFailure(answer, 400, 'campaignId query parameter is required')
  },
)

it('GET /api/v1/leads answers HEAD as it answers GET, without a body', async () => {
  const { campaign, campaignId, readKey } = await seedWorld()
  await seedLeads(
    campaign,
    newPhones(1500).map((phoneNumber) => ({ phoneNumber })),
  )
  const answer = await api(readKey).request('HEAD', `/api/v1/leads?campaignId=${campaignId}`)
  expect([answer.status, answer.text]).toEqual([200, ''])
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const denied = await api(readKey).request('HEAD', '/api/v1/leads?campaignId=none')
  expect([denied.status, denied.text, denied.headers.get('x-error-code')]).toEqual([
    403,
    '',
    'campaign_denied',
  ])
})
