// Resources, Lead: which fields a listed lead has, and that they are returned as they were sent (D11, D15-D19).
// Metadata has a file of its own; value by value, what is refused is in ../unit/lead-input.test.ts.
import { expect, it, vi } from 'vitest'
import { api, type Lead } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { setFields } from '../../support/leads/new-lead.ts'
import { newPhone, newPhones, seedWorld } from '../../support/world.ts'

/** Creates a lead out of JSON source for its fields, and returns the list's answer. */
async function createdFrom(fields: string) {
  const { campaignId, writeKey } = await seedWorld()
  const created = await api(writeKey).createLead(
    `{"campaignId":"${campaignId}","phoneNumber":"${newPhone()}",${fields}}`,
  )
  dataOf(created, 201)
  return api(writeKey).listLeads({ campaignId })
}

async function createAndList(fields: object): Promise<Lead> {
  const answer = await createdFrom(JSON.stringify(fields).slice(1, -1))
  return dataOf(answer, 200).leads[0] as Lead
}

it('A lead has every field when all are given', async () => {
  const { campaignId, writeKey } = await seedWorld()
  vi.setSystemTime(1_800_000_000_123)
  const sent = {
    campaignId,
    ...setFields,
    phoneNumber: newPhone(),
    metadata: { name: 'Ada', tags: ['a', 1, null, true] },
  }
  const { leadId } = dataOf(await api(writeKey).createLead(sent), 201)
  expect(dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads).toEqual([
    { _id: leadId, ...sent, status: 'raw', attempts: 0, _creationTime: 1_800_000_000_123 },
  ])
})

it('A lead has no optional field that was not given, but always a priority', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const phoneNumber = newPhone()
  const { leadId } = dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
  const [lead] = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
  expect(lead).toEqual({
    _id: leadId,
    campaignId,
    phoneNumber,
    status: 'raw',
    priority: 0,
    attempts: 0,
    _creationTime: expect.any(Number),
  })
})

it('A lead takes null, and an empty text, for not given', async () => {
  const nulls = await createAndList({
    externalId: null,
    metadata: null,
    scheduledFor: null,
    priority: null,
  })
  const empties = await createAndList({ externalId: '', metadata: '', scheduledFor: '', priority: '' })
  for (const lead of [nulls, empties])
    expect(Object.keys(lead).sort()).toEqual(
      ['_creationTime', '_id', 'attempts', 'campaignId', 'phoneNumber', 'priority', 'status'].sort(),
    )
  expect(nulls.priority).toBe(0)
})

it('A lead ignores fields that are not its own, and those that the service generates', async () => {
  const lead = await createAndList({
    _id: 'mine',
    status: 'concluded',
    attempts: 9,
    _creationTime: 1,
    x: 2,
  })
  expect(lead).toMatchObject({ status: 'raw', attempts: 0 })
  expect(lead._id).not.toBe('mine')
  expect(lead._creationTime).toBeGreaterThan(1)
  expect(lead).not.toHaveProperty('x')
})

it('A lead has an id of at most 36 characters, different each time, that sorts by time of creation', async () => {
  const { campaignId, writeKey } = await seedWorld()
  for (let second = 0; second < 5; second++) {
    vi.setSystemTime(1_800_000_000_000 + second * 1000)
    const leads = newPhones(3).map((phoneNumber) => ({ phoneNumber }))
    dataOf(await api(writeKey).importLeads({ campaignId, leads }), 200)
  }
  const ids = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads.map((lead) => lead._id)
  for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{1,36}$/)
  expect(new Set(ids).size).toBe(15)
  expect(ids).toEqual(ids.toSorted())
})

it.each([
  ['7 digits', '+1234567'],
  ['15 digits', '+123456789012345'],
])('A lead takes a phone number in E.164 format and keeps it as sent: %s', async (_, phoneNumber) => {
  const { campaignId, writeKey } = await seedWorld()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
  expect(dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads[0]?.phoneNumber).toBe(phoneNumber)
})

it.each([
  ['no plus', '4915112345678'],
  ['16 digits', '+1234567890123456'],
  ['spaces', '+49 151 12345678'],
  ['a line feed after', '+4915112345678\n'],
  ['digits of another script', '+٤٩١٥١١٢٣٤٥٦'],
])('A lead refuses a phone number that is not E.164, and repairs none: %s', async (_, phoneNumber) => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead({ campaignId, phoneNumber })
  expectFailure(answer, 400, 'phoneNumber must be in E.164 format')
})

it.each([0, 1, 99, 100])('A lead takes a priority of %d', async (priority) => {
  expect((await createAndList({ priority })).priority).toBe(priority)
})

it.each([-1, 101, 1.5, '5'])('A lead refuses a priority of %j instead of clamping it', async (priority) => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), priority })
  expectFailure(answer, 400, 'priority must be an integer between 0 and 100')
})

it.each(['1e400', '-1e400', 'NaN'])('A lead refuses a priority written as %s', async (priority) => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead(
    `{"campaignId":"${campaignId}","phoneNumber":"${newPhone()}","priority":${priority}}`,
  )
  expect(answer.status).toBe(400)
})

it.each([
  ['characters beyond the basic plane', '𝕏'.repeat(255)],
  ['quotes, slashes and control characters', 'a"b\\c/d\n\u0001\u2028'],
  ['right-to-left marks', '\u200fשלום'],
  ['spaces around', '  x  '],
])('A lead keeps an externalId as sent: %s', async (_, externalId) => {
  expect((await createAndList({ externalId })).externalId).toBe(externalId)
})

it.each(['2027-03-01T09:30:00Z', '2027-03-01T09:30Z', '2027-03-01T09:30:00+05:30', '1999-12-31T23:59:59Z'])(
  'A scheduledFor is returned as sent: %s',
  async (scheduledFor) => {
    expect((await createAndList({ scheduledFor })).scheduledFor).toBe(scheduledFor)
  },
)

it.each([
  ['no offset', '2027-03-01T09:30:00'],
  ['a date only', '2027-03-01'],
  ['a day that is not', '2027-02-29T09:30:00Z'],
  ['words', 'tomorrow'],
  ['a number', 1_800_000_000_000],
])('A scheduledFor is refused unless it is ISO 8601 with a UTC offset: %s', async (_, scheduledFor) => {
  const { campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), scheduledFor })
  expectFailure(answer, 400, 'scheduledFor must be an ISO 8601 timestamp with a UTC offset')
})
