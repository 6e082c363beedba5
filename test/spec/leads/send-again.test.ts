// Opt-in: sending a create or a bulk again with an Idempotency-Key, and Location. Nothing here shows without the
// header; attacks on it are in test/attack.
import { expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedWorld, storedPhones } from '../../support/world.ts'

const again = { 'Idempotency-Key': 'order-1' }
const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotent-replayed')
const reused = 'Idempotency-Key was used for a different request'

it('Idempotency-Key answers a create that comes again as the first time, and says so', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const body = { campaignId, phoneNumber: newPhone() }
  const first = await api(writeKey).createLead(body, again)
  const second = await api(writeKey).createLead(body, again)
  expect(dataOf(second, 201)).toEqual(dataOf(first, 201))
  expect([replayed(first), replayed(second)]).toEqual([null, 'true'])
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect(await storedPhones(campaign)).toEqual([body.phoneNumber])
})

it('Idempotency-Key answers a bulk that comes again as the first time, though its leads are duplicates by now', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const [before, one, two] = newPhones(3) as [string, string, string]
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: before }), 201)
  const body = { campaignId, leads: [one, before, two, one].map((phoneNumber) => ({ phoneNumber })) }
  const first = await api(writeKey).importLeads(body, again)
  const second = await api(writeKey).importLeads(body, again)
  expect(dataOf(first, 200)).toMatchObject({ created: 2, skipped: 2, skippedPhones: [before, one] })
  expect(dataOf(second, 200)).toEqual(dataOf(first, 200))
  expect([replayed(first), replayed(second)]).toEqual([null, 'true'])
  expect(await storedPhones(campaign)).toEqual([before, one, two])
})

it('Idempotency-Key is refused for another request, and stores nothing of it', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const body = { campaignId, phoneNumber: newPhone() }
  dataOf(await api(writeKey).createLead(body, again), 201)
  for (const other of [
    { ...body, priority: 1 },
    { ...body, phoneNumber: newPhone() },
  ])
    expectFailure(await api(writeKey).createLead(other, again), 409, reused, 'idempotency_key_reused')
  const bulk = await api(writeKey).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] }, again)
  expectFailure(bulk, 409, reused)
  expect(await storedPhones(campaign)).toEqual([body.phoneNumber])
})

it('Idempotency-Key is refused for the same JSON with other spaces: bodies are compared byte for byte (D37)', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const body = JSON.stringify({ campaignId, phoneNumber: newPhone() })
  dataOf(await api(writeKey).createLead(body, again), 201)
  expectFailure(await api(writeKey).createLead(body.replace(',', ', '), again), 409, reused)
  expect(await storedPhones(campaign)).toHaveLength(1)
})

it('Idempotency-Key takes part in the path and the query: they are the request too', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const body = { campaignId, leads: [{ phoneNumber: newPhone() }] }
  dataOf(await api(writeKey).importLeads(body, again), 200)
  const other = await api(writeKey).request('POST', '/api/v1/leads/bulk?results=true', body, again)
  expectFailure(other, 409, reused)
})

it.each([
  ['1 character', 'k', 201],
  ['255 characters', 'k'.repeat(255), 201],
  ['256 characters', 'k'.repeat(256), 400],
  ['none', '', 400],
  ['a space', 'a b', 400],
])('Idempotency-Key may be 1 to 255 visible ASCII characters: %s', async (_, key, status) => {
  const { campaignId, writeKey } = await seedWorld()
  const body = { campaignId, phoneNumber: newPhone() }
  const answer = await api(writeKey).createLead(body, { 'Idempotency-Key': key })
  if (status === 201) dataOf(answer, status)
  else expectFailure(answer, status, 'Idempotency-Key must be 1 to 255 visible ASCII characters')
})

it('Location leads to the lead created, and to the one that exists', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const body = { campaignId, phoneNumber: newPhone() }
  const created = await api(writeKey).createLead(body)
  const { leadId } = dataOf(created, 201)
  const duplicate = await api(writeKey).createLead(body)
  expectFailure(duplicate, 409, 'Lead already exists')
  for (const answer of [created, duplicate])
    expect(answer.headers.get('location')).toBe(`/api/v1/leads/${leadId}`)
  const read = await api(writeKey).request('GET', created.headers.get('location') as string)
  expect(dataOf(read, 200)).toMatchObject({ lead: { _id: leadId, phoneNumber: body.phoneNumber } })
})
