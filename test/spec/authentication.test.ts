// Authentication: which keys are let in, what their scope and campaign allow, and that a refusal tells nothing
// (D4-D6, D29). The window of refused keys is in limits.test.ts (D26).
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answer, api, randomAddress } from '../support/api.ts'
import { dataOf, expectFailure } from '../support/expectations.ts'
import {
  newPhone,
  revokeKey,
  seedCampaign,
  seedCompany,
  seedKey,
  seedWorld,
  storedPhones,
  unknownKey,
} from '../support/world.ts'

afterEach(() => void vi.useRealTimers())

type Endpoint = 'create' | 'bulk' | 'list'
const endpoints: Endpoint[] = ['create', 'bulk', 'list']

function ask(endpoint: Endpoint, key: string | null, campaignId: string, address?: string): Promise<Answer> {
  const client = api(key, address === undefined ? {} : { address })
  const phoneNumber = newPhone()
  if (endpoint === 'create') return client.createLead({ campaignId, phoneNumber })
  if (endpoint === 'bulk') return client.importLeads({ campaignId, leads: [{ phoneNumber }] })
  return client.listLeads({ campaignId })
}

const successOf = { create: 201, bulk: 200, list: 200 }

/** All that a client sees, but the request's id and the counters of its own window. */
function visible({ status, headers, text }: Answer) {
  const counters = /^(x-request-id|x-ratelimit-.*|ratelimit)$/
  const seen = [...headers].filter(([name]) => !counters.test(name))
  return { status, text, headers: seen }
}

/** Every kind of key that is no good. */
async function badKeys(companyId: string): Promise<Record<string, string | null>> {
  const good = (await seedKey({ companyId })).key
  const lastChar = good.endsWith('A') ? 'B' : 'A'
  return {
    missing: null,
    empty: '',
    nonsense: 'nonsense',
    'without its prefix': good.slice(3),
    'too short': good.slice(0, -1),
    'too long': `${good}A`,
    mistyped: good.slice(0, -1) + lastChar,
    'in other case': good.toUpperCase(),
    'very long': 'x'.repeat(4000),
    unknown: unknownKey(),
    revoked: (await seedKey({ companyId, revokedAtMs: 1 })).key,
    expired: (await seedKey({ companyId, expiresAtMs: Date.now() - 1 })).key,
    'two at once': `${good}, ${good}`,
  }
}

describe('Authentication', () => {
  it.each(endpoints)('lets an active write key %s', async (endpoint) => {
    const { campaignId, writeKey } = await seedWorld()
    dataOf(await ask(endpoint, writeKey, campaignId), successOf[endpoint])
  })

  it.each(endpoints)('answers every kind of bad key in the same bytes: %s', async (endpoint) => {
    const { companyId, campaign, campaignId } = await seedWorld()
    const answers = []
    for (const [kind, key] of Object.entries(await badKeys(companyId)))
      answers.push({ kind, answer: await ask(endpoint, key, campaignId) })
    for (const { kind, answer } of answers) {
      expectFailure(answer, 401, 'Invalid or inactive API key', 'invalid_api_key')
      expect({ kind, ...visible(answer) }).toEqual({ kind, ...visible(answers[0]?.answer as Answer) })
      expect([...answer.headers.keys()]).toEqual([...(answers[0]?.answer.headers.keys() ?? [])])
    }
    expect(await storedPhones(campaign)).toEqual([])
  })

  it('takes the key from the header alone', async () => {
    const { campaignId, readKey } = await seedWorld()
    const inQuery = await api(null).listLeads({ campaignId, 'x-api-key': readKey })
    const asBearer = await api(null).listLeads({ campaignId }, { authorization: `Bearer ${readKey}` })
    for (const answer of [inQuery, asBearer]) expectFailure(answer, 401, 'Invalid or inactive API key')
  })

  it('lets a read key list, and neither create nor bulk create', async () => {
    const { campaign, campaignId, readKey } = await seedWorld()
    dataOf(await ask('list', readKey, campaignId), 200)
    for (const endpoint of ['create', 'bulk'] as const)
      expectFailure(
        await ask(endpoint, readKey, campaignId),
        403,
        'Insufficient permissions',
        'insufficient_permissions',
      )
    expect(await storedPhones(campaign)).toEqual([])
  })

  it.each(endpoints)('lets a company-wide key %s in every campaign of its company', async (endpoint) => {
    const { companyId, campaignId, writeKey } = await seedWorld()
    const second = await seedCampaign(companyId)
    for (const id of [campaignId, second.id]) dataOf(await ask(endpoint, writeKey, id), successOf[endpoint])
  })

  it.each(endpoints)('lets a campaign’s key %s in its campaign', async (endpoint) => {
    const { companyId, campaign, campaignId } = await seedWorld()
    const { key } = await seedKey({ companyId, campaign })
    dataOf(await ask(endpoint, key, campaignId), successOf[endpoint])
  })

  it.each(endpoints)(
    'answers in the same bytes whether a campaign does not exist or is not the key’s: %s',
    async (endpoint) => {
      const { companyId, campaign, writeKey } = await seedWorld()
      const sister = await seedCampaign(companyId)
      const stranger = await seedCampaign(await seedCompany())
      const { key: campaignKey } = await seedKey({ companyId, campaign })
      const denied = [
        await ask(endpoint, writeKey, 'no-such-campaign'),
        await ask(endpoint, writeKey, 'x'.repeat(128)),
        await ask(endpoint, writeKey, stranger.id),
        await ask(endpoint, campaignKey, sister.id),
        await ask(endpoint, campaignKey, stranger.id),
        await ask(endpoint, campaignKey, 'no-such-campaign'),
      ]
      for (const answer of denied) {
        expectFailure(answer, 403, 'Campaign not found or access denied', 'campaign_denied')
        expect(visible(answer)).toEqual(visible(denied[0] as Answer))
      }
      expect([await storedPhones(sister), await storedPhones(stranger)]).toEqual([[], []])
    },
  )

  it('tells campaigns apart by case', async () => {
    const { campaignId, readKey } = await seedWorld()
    const answer = await ask('list', readKey, campaignId.toUpperCase())
    expectFailure(answer, 403, 'Campaign not found or access denied')
  })

  it.each(endpoints)('refuses a revoked key on its very next request: %s', async (endpoint) => {
    const { companyId, campaign, campaignId } = await seedWorld()
    const { id, key } = await seedKey({ companyId })
    for (const each of endpoints) dataOf(await ask(each, key, campaignId), successOf[each])
    await revokeKey(id)
    const refused = await ask(endpoint, key, campaignId)
    expectFailure(refused, 401, 'Invalid or inactive API key', 'invalid_api_key')
    const unknown = await ask(endpoint, unknownKey(), campaignId)
    expect(visible(refused)).toEqual(visible(unknown))
    expect(await storedPhones(campaign)).toHaveLength(2)
  })

  it.each<[string, string, string, string | undefined]>([
    ['a wrong path', 'GET', '/api/v1/nothing', undefined],
    ['a wrong method', 'DELETE', '/api/v1/leads', undefined],
    ['a wrong method on bulk', 'GET', '/api/v1/leads/bulk', undefined],
    ['an invalid body', 'POST', '/api/v1/leads', '{'],
    ['a missing field', 'POST', '/api/v1/leads/bulk', '{}'],
    ['a missing query', 'GET', '/api/v1/leads', undefined],
  ])('refuses a revoked key before it says what else is wrong: %s', async (_, method, path, body) => {
    const { companyId, campaignId } = await seedWorld()
    const { id, key } = await seedKey({ companyId })
    dataOf(await ask('list', key, campaignId), 200)
    await revokeKey(id)
    const answer = await api(key).request(method, path, body)
    expectFailure(answer, 401, 'Invalid or inactive API key', 'invalid_api_key')
    expect(visible(answer)).toEqual(visible(await api(null).request(method, path, body)))
  })

  it('refuses a revoked read key that writes as revoked, not for its scope', async () => {
    const { campaignId, readKey, readKeyId } = await seedWorld()
    dataOf(await ask('list', readKey, campaignId), 200)
    expectFailure(await ask('create', readKey, campaignId), 403, 'Insufficient permissions')
    await revokeKey(readKeyId)
    expectFailure(await ask('create', readKey, campaignId), 401, 'Invalid or inactive API key')
  })

  it.each(endpoints)('refuses a key from the millisecond in which it expires: %s', async (endpoint) => {
    const { companyId, campaignId } = await seedWorld()
    const expiresAtMs = Date.now() + 3_600_000
    const { key } = await seedKey({ companyId, expiresAtMs })
    vi.setSystemTime(expiresAtMs - 1)
    dataOf(await ask(endpoint, key, campaignId), successOf[endpoint])
    vi.setSystemTime(expiresAtMs)
    expectFailure(await ask(endpoint, key, campaignId), 401, 'Invalid or inactive API key')
  })

  it('goes on with a company’s other keys when one is revoked', async () => {
    const { companyId, campaignId, writeKey } = await seedWorld()
    const { id } = await seedKey({ companyId })
    await revokeKey(id)
    dataOf(await ask('create', writeKey, campaignId), 201)
  })

  it('spends a refused key’s unit on the address, whose headers it carries', async () => {
    const { campaignId } = await seedWorld()
    const address = randomAddress()
    for (const remaining of [59, 58]) {
      const { headers } = await ask('list', unknownKey(), campaignId, address)
      expect(headers.get('x-ratelimit-limit')).toBe('60')
      expect(headers.get('x-ratelimit-remaining')).toBe(String(remaining))
    }
  })
})
