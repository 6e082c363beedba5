// Errors, which one comes first: a request that is wrong in several ways gets the earliest error (D8), and the
// first wrong field in the order of the contract (D9).
import { describe, expect, it } from 'vitest'
import { type Answer, api, health, randomAddress } from '../support/api.ts'
import { expectFailure } from '../support/expectations.ts'
import {
  newPhone,
  seedCampaign,
  seedCompany,
  seedKey,
  seedLeads,
  seedWorld,
  spendHour,
} from '../support/world.ts'

// In the order of the checks.
const flaws = {
  key: [401, 'Invalid or inactive API key'],
  rate: [429, 'Rate limit exceeded'],
  path: [404, 'Not found'],
  method: [405, 'Method not allowed'],
  scope: [403, 'Insufficient permissions'],
  type: [415, 'Content-Type must be application/json'],
  size: [413, 'Request body too large'],
  json: [400, 'Request body must be valid JSON'],
  field: [400, 'priority must be an integer between 0 and 100'],
  campaign: [403, 'Campaign not found or access denied'],
  duplicate: [409, 'Lead already exists'],
} as const
type Flaw = keyof typeof flaws
const inOrder = Object.keys(flaws) as Flaw[]
const problemOf = (flaw: Flaw): readonly [status: number, error: string] => flaws[flaw]

/** A create, or a bulk of one, with all of these flaws at once. */
async function askWith(wrong: readonly Flaw[], endpoint: 'create' | 'bulk' = 'create'): Promise<Answer> {
  const has = (flaw: Flaw) => wrong.includes(flaw)
  const { companyId, campaign } = await seedWorld()
  const chosen = has('campaign') ? await seedCampaign(await seedCompany()) : campaign
  const phoneNumber = newPhone()
  if (has('duplicate')) await seedLeads(chosen, [{ phoneNumber }])
  const { id, key } = await seedKey({
    companyId,
    scope: has('scope') ? 'read' : 'write',
    ...(has('key') ? { revokedAtMs: 1 } : {}),
  })
  if (has('rate')) await spendHour(id, 1000)

  const lead = { phoneNumber, ...(has('field') ? { priority: 101 } : {}) }
  const fields = endpoint === 'create' ? lead : { leads: [lead] }
  const json = JSON.stringify({ campaignId: chosen.id, ...fields })
  const maxBytes = endpoint === 'create' ? 64 * 1024 : 8 * 1024 * 1024
  const path = endpoint === 'create' ? '/api/v1/leads' : '/api/v1/leads/bulk'
  return api(key).request(
    has('method') ? 'DELETE' : 'POST',
    has('path') ? '/api/v1/nothing' : path,
    (has('json') ? json.slice(0, -1) : json) + (has('size') ? ' '.repeat(maxBytes) : ''),
    { 'content-type': has('type') ? 'text/plain' : 'application/json' },
  )
}

describe('The order of checks', () => {
  const pairs = inOrder.flatMap((first, i) => inOrder.slice(i + 1).map((second) => [first, second] as const))
  it.each(pairs)('answers for the earlier of two flaws: %s before %s', async (first, second) => {
    expectFailure(await askWith([second, first]), ...problemOf(first))
  })

  it('answers for the earliest of all flaws, whichever is left', async () => {
    for (const [i, first] of inOrder.entries())
      expectFailure(await askWith(inOrder.slice(i)), ...problemOf(first))
    expect((await askWith([])).status).toBe(201)
  })

  it('is the same on bulk', async () => {
    const ofBulk = inOrder.filter((flaw) => flaw !== 'duplicate')
    for (const [i, first] of ofBulk.entries()) {
      const answer = await askWith(ofBulk.slice(i), 'bulk')
      const [status, error] = problemOf(first)
      expectFailure(answer, status, first === 'field' ? `leads[0].${error}` : error)
    }
    expect((await askWith([], 'bulk')).status).toBe(200)
  })

  it('is the same on the list: key, rate, fields, campaign', async () => {
    const { companyId } = await seedWorld()
    const stranger = await seedCampaign(await seedCompany())
    const bad = { campaignId: stranger.id, status: 'nonsense' }
    const revoked = await seedKey({ companyId, revokedAtMs: 1 })
    const spent = await seedKey({ companyId, scope: 'read' })
    const { key } = await seedKey({ companyId, scope: 'read' })
    for (const { id } of [revoked, spent]) await spendHour(id, 1000)
    expectFailure(await api(revoked.key).listLeads(bad), ...flaws.key)
    expectFailure(await api(spent.key).listLeads(bad), ...flaws.rate)
    const message = 'status must be one of raw, attempting, exhausted, concluded'
    expectFailure(await api(key).listLeads(bad), 400, message)
    expectFailure(await api(key).listLeads({ campaignId: stranger.id }), ...flaws.campaign)
  })

  it('limits health before it looks at the method, for every method', async () => {
    const address = randomAddress()
    for (let i = 0; i < 60; i++) await health({ address, method: i % 2 ? 'GET' : 'POST' })
    for (const method of ['POST', 'DELETE', 'GET'])
      expectFailure(await health({ address, method }), ...flaws.rate)
  })

  it('asks for the key before it says that a path is not there', async () => {
    expectFailure(await api(null).request('GET', '/api/v1/nothing'), ...flaws.key)
    expectFailure(await api(null).request('GET', '/api/v1'), ...flaws.key)
  })
})

describe('The order of field errors', () => {
  // Each value is wrong; in the order in which they are named.
  const wrong: [name: string, value: unknown, message: string][] = [
    ['phoneNumber', '123', 'phoneNumber must be in E.164 format'],
    ['externalId', 7, 'externalId must be a string of at most 255 characters'],
    ['metadata', [], 'metadata must be an object'],
    ['scheduledFor', 'soon', 'scheduledFor must be an ISO 8601 timestamp with a UTC offset'],
    ['priority', -1, 'priority must be an integer between 0 and 100'],
  ]
  /** The fields from this one on are wrong, and written in the opposite order. */
  const wrongFrom = (i: number) => ({
    phoneNumber: newPhone(),
    ...Object.fromEntries(
      wrong
        .slice(i)
        .map(([name, value]) => [name, value])
        .toReversed(),
    ),
  })

  it('is campaignId, phoneNumber, externalId, metadata, scheduledFor, priority', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const first = await api(writeKey).createLead({ ...wrongFrom(0), campaignId: 5 })
    expectFailure(first, 400, 'campaignId must be a string of at most 128 characters')
    for (const [i, [, , message]] of wrong.entries())
      expectFailure(await api(writeKey).createLead({ ...wrongFrom(i), campaignId }), 400, message)
  })

  it('is campaignId, leads, then each item by index, and within an item as for one lead', async () => {
    const { companyId, campaignId } = await seedWorld()
    // Of a key with its own minute, for more than ten bulks.
    const send = async (body: object) => api((await seedKey({ companyId })).key).importLeads(body)
    expectFailure(await send({ leads: 'x', campaignId: '' }), 400, 'campaignId is required')
    expectFailure(await send({ leads: [wrongFrom(0)] }), 400, 'campaignId is required')
    expectFailure(await send({ campaignId, leads: 'x' }), 400, 'leads array is required')
    for (const [i, [, , message]] of wrong.entries()) {
      const leads = [wrongFrom(wrong.length), wrongFrom(i), {}]
      expectFailure(await send({ campaignId, leads }), 400, `leads[1].${message}`)
    }
  })

  it('names campaignId before status on the list', async () => {
    const { readKey } = await seedWorld()
    const answer = await api(readKey).listLeads({ status: 'nonsense' })
    expectFailure(answer, 400, 'campaignId query parameter is required')
  })
})
