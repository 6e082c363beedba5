// Endpoints, create one lead: its answer, and the rule that a phone number is in a campaign once (D2, D7).
import { expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import {
  newPhone,
  newPhones,
  seedCampaign,
  seedWorld,
  setLeadStatus,
  storedPhones,
} from '../../support/world.ts'

it('POST /api/v1/leads answers 201 with the id of the created lead, and nothing else', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({ success: true, data: { leadId: expect.any(String) }, error: null })
  const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  expect(leads.map((lead) => lead._id)).toEqual([answer.body?.data?.leadId])
})

it('POST /api/v1/leads stores the lead before it answers', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const phoneNumber = newPhone()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
  expect(await storedPhones(campaign)).toEqual([phoneNumber])
})

it('POST /api/v1/leads takes a lead without scheduledFor, with one in the future, and with one in the past', async () => {
  const { campaignId, writeKey } = await seedWorld()
  for (const scheduledFor of [undefined, '2099-01-01T00:00:00Z', '2001-01-01T00:00:00Z'])
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), scheduledFor }), 201)
  const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  expect(leads.map((lead) => lead.scheduledFor)).toEqual([
    undefined,
    '2099-01-01T00:00:00Z',
    '2001-01-01T00:00:00Z',
  ])
})

it('POST /api/v1/leads refuses a lead with a misspelt member, alone and in a bulk, and stores nothing', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const misspelt = { phoneNumber: newPhone(), scheduled_for: '2099-01-01T00:00:00Z' }
  const message = 'scheduled_for is not a member: use scheduledFor'
  expectFailure(await api(writeKey).createLead({ campaignId, ...misspelt }), 400, message, 'invalid_field')
  const bulk = { campaignId, leads: [{ phoneNumber: newPhone() }, misspelt] }
  expectFailure(await api(writeKey).importLeads(bulk), 400, `leads[1].${message}`, 'invalid_field')
  const skipping = await api(writeKey).request('POST', '/api/v1/leads/bulk?onInvalid=skip', bulk)
  expect(dataOf(skipping, 200)).toMatchObject({
    created: 1,
    invalid: 1,
    results: [{ status: 'created' }, { index: 1, status: 'invalid', error: message }],
  })
  expect(await storedPhones(campaign)).toEqual([bulk.leads[0]?.phoneNumber])
})

it('POST /api/v1/leads refuses a phone number that is already in the campaign, and changes nothing', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const phoneNumber = newPhone()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber, externalId: 'first' }), 201)
  const again = await api(writeKey).createLead({ campaignId, phoneNumber, externalId: 'second' })
  expectFailure(again, 409, 'Lead already exists', 'lead_exists')
  const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  expect(leads.map((lead) => lead.externalId)).toEqual(['first'])
})

it.each(['attempting', 'exhausted', 'concluded'])(
  'POST /api/v1/leads refuses a phone number whose lead is %s as well',
  async (status) => {
    const { campaignId, writeKey } = await seedWorld()
    const phoneNumber = newPhone()
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
    await setLeadStatus(phoneNumber, status, 3)
    expectFailure(await api(writeKey).createLead({ campaignId, phoneNumber }), 409, 'Lead already exists')
  },
)

it('POST /api/v1/leads takes the same phone number in another campaign', async () => {
  const { companyId, campaignId, writeKey } = await seedWorld()
  const other = await seedCampaign(companyId)
  const phoneNumber = newPhone()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
  dataOf(await api(writeKey).createLead({ campaignId: other.id, phoneNumber }), 201)
})

it('POST /api/v1/leads distinguishes phone numbers by every digit', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const phoneNumber = newPhone()
  for (const number of [phoneNumber, phoneNumber.slice(0, -1), `${phoneNumber}0`])
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: number }), 201)
})

it('POST /api/v1/leads lets exactly one of two requests that race for a phone number create it', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  for (const phoneNumber of newPhones(10)) {
    const lead = { campaignId, phoneNumber }
    const answers = await Promise.all([api(writeKey).createLead(lead), api(writeKey).createLead(lead)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409])
  }
  expect(await storedPhones(campaign)).toHaveLength(10)
})

it('POST /api/v1/leads numbers a campaign’s leads in the order of their answers', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const phones = newPhones(5)
  for (const phoneNumber of phones) await api(writeKey).createLead({ campaignId, phoneNumber })
  expect(await storedPhones(campaign)).toEqual(phones)
})

it('POST /api/v1/leads stores nothing when it refuses', async () => {
  const { campaign, campaignId, writeKey, readKey } = await seedWorld()
  const phoneNumber = newPhone()
  await api(writeKey).createLead({ campaignId, phoneNumber, priority: 101 })
  await api(readKey).createLead({ campaignId, phoneNumber })
  await api('nonsense').createLead({ campaignId, phoneNumber })
  expect(await storedPhones(campaign)).toEqual([])
})
