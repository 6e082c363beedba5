// What the id of a lead gives away: nothing, to keys that may not see the lead. Which keys those are is in
// test/spec/access/access.test.ts.
import { expect, it } from 'vitest'
import { type Answer, api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { newPhone, seedWorld } from '../support/world.ts'

it('The id of a lead of another company cannot be distinguished from one that never existed', async () => {
  const { writeKey } = await seedWorld()
  const foreign = await seedWorld()
  const lead = { campaignId: foreign.campaignId, phoneNumber: newPhone() }
  const { leadId } = dataOf(await api(foreign.writeKey).createLead(lead), 201)
  const forged = [
    leadId,
    `${leadId.slice(0, 25)}AAAAAAAAAAA`,
    `${'0'.repeat(25)}AAAAAAAAAAA`,
    `${'f'.repeat(25)}zzzzzzzzzzz`,
  ]
  const answers = await Promise.all(forged.map((id) => api(writeKey).request('GET', `/api/v1/leads/${id}`)))
  const looks = answers.map(({ status, text, headers }) => [status, text, headers.get('x-error-code')].join())
  expect(new Set(looks)).toEqual(new Set([looks[0]]))
  expectFailure(answers[0] as Answer, 404, 'Lead not found')
  // Its owner finds it by the whole id only.
  expect((await api(foreign.writeKey).request('GET', `/api/v1/leads/${leadId}`)).status).toBe(200)
  const guessed = forged.slice(1).map((id) => api(foreign.writeKey).request('GET', `/api/v1/leads/${id}`))
  for (const { status } of await Promise.all(guessed)) expect(status).toBe(404)
})
