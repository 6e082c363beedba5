// Members of a lead that the service does not know: create and bulk ignore them, and name them in a header. A dry run
// of one lead.
import { expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedWorld, storedPhones } from '../../support/world.ts'

const ignoredOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-ignored-members')

it('A create names the members that it ignored, and a lead with none has no such header', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [one, other] = newPhones(2)
  const named = await api(writeKey).createLead({ campaignId, phoneNumber: one, name: 'Ada', email: null })
  dataOf(named, 201)
  expect(ignoredOf(named)).toBe('name, email')
  const plain = { campaignId, phoneNumber: other, externalId: '7', metadata: { name: 'Ada' }, priority: 1 }
  const answer = await api(writeKey).createLead(plain)
  dataOf(answer, 201)
  expect(ignoredOf(answer)).toBeNull()
})

it('A bulk names those of all its leads once, and its own', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [one, other] = newPhones(2)
  const leads = [
    { phoneNumber: one, name: 'Ada' },
    { phoneNumber: other, name: 'Bob', city: 'Bonn' },
  ]
  const answer = await api(writeKey).importLeads({ campaignId, leads, source: 'crm' })
  dataOf(answer, 200)
  expect(ignoredOf(answer)).toBe('source, name, city')
})

it('At most ten names are listed, and only those of plain letters', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`field_${i}`, i]))
  const odd = { 'two words': 1, Straße: 1, 'a,b': 1, 'x\r\ny': 1, ['x'.repeat(41)]: 1, '': 1 }
  const create = (fields: object) =>
    api(writeKey).createLead(JSON.stringify({ campaignId, phoneNumber: newPhone(), ...fields }))
  expect(ignoredOf(await create({ ...odd, ...many }))).toBe(
    `${Array.from({ length: 10 }, (_, i) => `field_${i}`).join(', ')}, +3`,
  )
  expect(ignoredOf(await create(odd))).toBeNull()
  const prototype = `{"campaignId":"${campaignId}","phoneNumber":"${newPhone()}","__proto__":{"a":1}}`
  expect(ignoredOf(await api(writeKey).createLead(prototype))).toBe('__proto__')
})

it('A dry run of one lead says that it would be created, and stores nothing', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const lead = { campaignId, phoneNumber: newPhone(), name: 'Ada' }
  const send = (query: string, body: object = lead) =>
    api(writeKey).request('POST', `/api/v1/leads${query}`, body)
  for (let i = 0; i < 2; i++) {
    const answer = await send('?dryRun=true')
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, data: { leadId: null }, error: null },
    ])
    expect([ignoredOf(answer), answer.headers.get('location')]).toEqual(['name', null])
  }
  expect(await storedPhones(campaign)).toEqual([])
  const { leadId } = dataOf(await send('?dryRun=false'), 201) as { leadId: string }
  const again = await send('?dryRun=true')
  expectFailure(again, 409, 'Lead already exists', 'lead_exists')
  expect(again.headers.get('location')).toBe(`/api/v1/leads/${leadId}`)
  expectFailure(
    await send('?dryRun=true', { ...lead, campaignId: 'none' }),
    403,
    'Campaign not found or access denied',
  )
  expectFailure(await send('?dryRun=true', { campaignId }), 400, 'phoneNumber is required')
  expect(await storedPhones(campaign)).toEqual([lead.phoneNumber])
})
