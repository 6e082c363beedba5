// A lead that says by a member or in its metadata that its number must not be called is refused, on create, bulk and
// change; leads beside it are not. Which names say it: test/unit/leads/posted-names.test.ts.
import { expect, it } from 'vitest'
import { api, type Imported } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhones, seedWorld, storedPhones } from '../../support/world.ts'

const refusal = (sent: string) => `${sent} is not a member: suppress the number at /api/v1/suppressions`

/** How a lead says it, by which name it is refused. */
const nos: readonly (readonly [object, string])[] = [
  [{ doNotCall: 'Ja' }, 'doNotCall'],
  [{ phone_blacklisted: true }, 'phone_blacklisted'],
  [{ donotphone: 'perhaps' }, 'donotphone'],
  [{ opt_out: 'yes' }, 'opt_out'],
  [{ metadata: { dnd: true } }, 'dnd'],
  [{ metadata: { crm: { contact: { 'Bitte nicht anrufen': 'x' } } } }, 'Bitte nicht anrufen'],
]
const taken = {
  doNotCall: false,
  opt_out: 'no',
  call_consent: 'no',
  metadata: { dnd: false, opt_out: true, call_consent: 'no', dnc: 'perhaps', status: 'Do not call' },
}

it.each(nos)(
  'A create with %j is refused and stores nothing, and one that says no to it is stored',
  async (no, name) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const [phoneNumber = '', other = ''] = newPhones(2)
    const send = api(writeKey)
    expectFailure(await send.createLead({ campaignId, phoneNumber, ...no } as never), 400, refusal(name))
    dataOf(await send.createLead({ campaignId, phoneNumber: other, ...taken } as never), 201)
    expect(await storedPhones(campaign)).toEqual([other])
  },
)

it('A bulk with such a lead is refused whole, by its place; with onInvalid=skip, its neighbours are stored', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const others = newPhones(nos.length + 1)
  const phones = newPhones(nos.length)
  const leads = nos.flatMap(([no], at) => [
    { phoneNumber: others[at], metadata: { name: 'Ada' } },
    { phoneNumber: phones[at], ...no },
  ])
  leads.push({ phoneNumber: others[nos.length], ...taken } as never)
  const send = (query: string) =>
    api(writeKey).request('POST', `/api/v1/leads/bulk${query}`, { campaignId, leads })
  expectFailure(await send(''), 400, `leads[1].${refusal('doNotCall')}`)
  expect(await storedPhones(campaign)).toEqual([])
  const { created, invalid, results } = dataOf(await send('?onInvalid=skip'), 200) as Imported & {
    invalid: number
    results: { status: string; error?: string }[]
  }
  expect([created, invalid]).toEqual([others.length, nos.length])
  expect(results.filter(({ status }) => status === 'invalid').map(({ error }) => error)).toEqual(
    nos.map(([, name]) => refusal(name)),
  )
  expect(await storedPhones(campaign)).toEqual(others)
})

it.each(nos)('A change with %j is refused, and changes neither its lead nor another', async (no, name) => {
  const { campaignId, writeKey } = await seedWorld()
  const send = api(writeKey)
  const leads = []
  for (const phoneNumber of newPhones(2)) {
    const { leadId } = dataOf(await send.createLead({ campaignId, phoneNumber, metadata: { a: 1 } }), 201)
    const path = `/api/v1/leads/${leadId}`
    leads.push({ path, before: (await send.request('GET', path)).text })
  }
  const [lead, other] = leads as [(typeof leads)[0], (typeof leads)[0]]
  expectFailure(await send.request('PATCH', lead.path, { priority: 7, ...no }), 400, refusal(name))
  for (const { path, before } of [lead, other]) expect((await send.request('GET', path)).text).toBe(before)
  dataOf(await send.request('PATCH', lead.path, { priority: 7, metadata: taken.metadata }), 200)
  expect((await send.request('GET', other.path)).text).toBe(other.before)
})
