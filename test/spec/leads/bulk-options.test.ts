// Opt-in: what the query parameters of a bulk add, alone and together. Without them nothing changes: bulk.test.ts.
import { expect, it } from 'vitest'
import { api, type Imported } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhones, seedWorld, storedPhones } from '../../support/world.ts'

type Result = {
  index: number
  status: string
  leadId?: string | null
  suppressed?: boolean
  error?: string
}
type Reported = Imported & { invalid?: number; results?: Result[] }

/** One lead of each kind: new, there before, repeated, invalid, new. */
async function seedMixed() {
  const world = await seedWorld()
  const { campaignId, writeKey } = world
  const [before, one, two] = newPhones(3) as [string, string, string]
  const { leadId } = dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: before }), 201)
  const invalid = { phoneNumber: one, priority: 101 }
  const leads = [
    { phoneNumber: one },
    { phoneNumber: before },
    { phoneNumber: one },
    invalid,
    { phoneNumber: two },
  ]
  const send = async (query: string) =>
    dataOf(
      await api(writeKey).request('POST', `/api/v1/leads/bulk?${query}`, { campaignId, leads }),
      200,
    ) as Reported
  return { ...world, before, one, two, leadId, leads, send }
}

const invalidPriority = 'priority must be an integer between 0 and 100'

it('A bulk with results=true returns the result of each lead, in the order of the input', async () => {
  const { one, two, before, leadId, send } = await seedMixed()
  const data = await send('results=true&onInvalid=skip')
  const [first, last] = data.createdIds
  expect(data).toEqual({
    created: 2,
    skipped: 2,
    invalid: 1,
    createdIds: [expect.any(String), expect.any(String)],
    skippedPhones: [before, one],
    results: [
      { index: 0, status: 'created', leadId: first },
      { index: 1, status: 'skipped', leadId },
      { index: 2, status: 'skipped', leadId: first },
      { index: 3, status: 'invalid', error: invalidPriority },
      { index: 4, status: 'created', leadId: last },
    ],
  })
  expect(two).not.toBe(one)
})

it.each(['onInvalid=skip', 'onInvalid=skip&results=false'])(
  'A bulk with onInvalid=skip stores the valid leads, and leaves none without a word (D35): %s',
  async (query) => {
    const { campaign, leads, one, two, before, send } = await seedMixed()
    const { created, skipped, invalid, results } = await send(query)
    expect([created, skipped, invalid]).toEqual([2, 2, 1])
    expect(results?.map(({ index }) => index)).toEqual(leads.map((_, index) => index))
    expect(await storedPhones(campaign)).toEqual([before, one, two])
  },
)

it('A bulk with onInvalid=skip returns no invalid lead when there is none', async () => {
  const { campaignId, writeKey, before } = await seedMixed()
  const body = { campaignId, leads: [{ phoneNumber: before }] }
  const answer = await api(writeKey).request('POST', '/api/v1/leads/bulk?onInvalid=skip', body)
  expect(dataOf(answer, 200)).toMatchObject({ created: 0, skipped: 1, invalid: 0 })
})

it.each(['', 'onInvalid=fail', 'results=true', 'results=true&onInvalid='])(
  'A bulk with one invalid lead fails as a whole: "%s"',
  async (query) => {
    const { campaign, campaignId, writeKey, before, leads } = await seedMixed()
    const answer = await api(writeKey).request('POST', `/api/v1/leads/bulk?${query}`, { campaignId, leads })
    expectFailure(answer, 400, `leads[3].${invalidPriority}`)
    expect(await storedPhones(campaign)).toEqual([before])
  },
)

it('A bulk with dryRun checks and returns everything, and stores nothing', async () => {
  const { campaign, before, one, leadId, send } = await seedMixed()
  const data = await send('dryRun=true&results=true&onInvalid=skip')
  expect(data).toMatchObject({ created: 2, skipped: 2, createdIds: [], skippedPhones: [before, one] })
  expect(data.results?.map(({ status, leadId: id }) => [status, id])).toEqual([
    ['created', null],
    ['skipped', leadId],
    ['skipped', null],
    ['invalid', undefined],
    ['created', null],
  ])
  expect(await storedPhones(campaign)).toEqual([before])
})

it('A bulk with dryRun refuses what the real request would refuse', async () => {
  const { campaignId, leads, readKey, writeKey } = await seedMixed()
  const path = '/api/v1/leads/bulk?dryRun=true'
  expectFailure(
    await api(readKey).request('POST', path, { campaignId, leads }),
    403,
    'Insufficient permissions',
  )
  const denied = await api(writeKey).request('POST', path, { campaignId: 'none', leads: leads.slice(0, 1) })
  expectFailure(denied, 403, 'Campaign not found or access denied')
})

it.each([
  ['results=yes', 'results must be true or false'],
  ['dryRun=1', 'dryRun must be true or false'],
  ['onInvalid=ignore', 'onInvalid must be fail or skip'],
  ['results=true&results=false', 'results must be given once'],
])('A bulk refuses a parameter whose value is none: %s', async (query, error) => {
  const { campaignId, leads, writeKey } = await seedMixed()
  const answer = await api(writeKey).request('POST', `/api/v1/leads/bulk?${query}`, { campaignId, leads })
  expectFailure(answer, 400, error)
})
