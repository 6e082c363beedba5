// States and transitions: the four states of a lead, and how the list shows and filters them. The interface has
// no transitions: they follow from calls (calling-report.test.ts).
import { expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedLeads, seedWorld, setLeadStatus } from '../../support/world.ts'

const states = ['raw', 'attempting', 'exhausted', 'concluded']

it('A new lead is raw, without attempts', async () => {
  const { campaignId, writeKey } = await seedWorld()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
  dataOf(await api(writeKey).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] }), 200)
  const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
  expect(leads).toMatchObject([
    { status: 'raw', attempts: 0 },
    { status: 'raw', attempts: 0 },
  ])
})

it.each(states)(
  'A list shows a lead that is %s, with its attempts, and finds it by that status alone',
  async (status) => {
    const { campaign, campaignId, readKey } = await seedWorld()
    const phones = newPhones(states.length)
    const leads = states.map((state, i) => ({
      phoneNumber: phones[i] as string,
      status: state,
      attempts: i,
    }))
    await seedLeads(campaign, leads)
    const expected = leads.find((lead) => lead.status === status)
    const all = dataOf(await api(readKey).listLeads({ campaignId }), 200)
    expect(all.leads).toMatchObject(leads)
    const found = dataOf(await api(readKey).listLeads({ campaignId, status }), 200)
    expect(found).toMatchObject({ count: 1, leads: [expected] })
  },
)

it('A change of state shows on the next list', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const phoneNumber = newPhone()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
  await setLeadStatus(phoneNumber, 'concluded', 2)
  const raw = dataOf(await api(writeKey).listLeads({ campaignId, status: 'raw' }), 200)
  const concluded = dataOf(await api(writeKey).listLeads({ campaignId, status: 'concluded' }), 200)
  expect(raw).toEqual({ leads: [], count: 0 })
  expect(concluded.leads).toMatchObject([{ phoneNumber, status: 'concluded', attempts: 2 }])
})

it.each(['RAW', 'called', 'raw,attempting', ' raw'])('A list knows no other state: %j', async (status) => {
  const { campaignId, readKey } = await seedWorld()
  const answer = await api(readKey).listLeads({ campaignId, status })
  expectFailure(answer, 400, 'status must be one of raw, attempting, exhausted, concluded')
})
