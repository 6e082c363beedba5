// Authentication: which keys are refused, when, and that a refusal reveals nothing (D4-D6, D29). What the scope and the
// campaign of an active key allow is in access.test.ts, the window of refused keys in address-limits.test.ts (D26).
import { expect, it, vi } from 'vitest'
import { keyedEndpoints } from '../../support/catalogue/catalogue.ts'
import type { Endpoint, Scene } from '../../support/catalogue/endpoint.ts'
import { makeKey, send } from '../../support/catalogue/sending.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { mistyped } from '../../support/database/seed.ts'
import { type Answer, api, randomAddress } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { sideBySide } from '../../support/http/side-by-side.ts'
import {
  newPhone,
  revokeKey,
  seedCampaign,
  seedKey,
  seedWorld,
  storedPhones,
  unknownKey,
} from '../../support/world.ts'

const endpoints = keyedEndpoints.map((endpoint) => [endpoint.name, endpoint] as const)

/** A right request. */
async function ask(endpoint: Endpoint, key: string | null, place: Scene) {
  return send(endpoint, key, await endpoint.request(place))
}

/**
 * All that a client sees, but the request's id, the counters of its own window, and what follows from the key's form
 * alone.
 */
function visible({ status, headers, text }: Answer) {
  const counters = /^(x-request-id|x-ratelimit-.*|ratelimit|x-error-hint)$/
  const seen = [...headers].filter(([name]) => !counters.test(name))
  return { status, text, headers: seen }
}

/** Every kind of key that is no good. */
async function badKeys(companyId: string): Promise<Record<string, string | null>> {
  const good = (await seedKey({ companyId })).key
  return {
    missing: null,
    empty: '',
    nonsense: 'nonsense',
    'without its prefix': good.slice(3),
    'too short': good.slice(0, -1),
    'too long': `${good}A`,
    mistyped: mistyped(good),
    'in other case': good.toUpperCase(),
    'very long': 'x'.repeat(4000),
    unknown: unknownKey(),
    revoked: (await seedKey({ companyId, revokedAtMs: 1 })).key,
    expired: (await seedKey({ companyId, expiresAtMs: Date.now() - 1 })).key,
    'two at once': `${good}, ${good}`,
  }
}

it.each(endpoints)(
  'Authentication answers every kind of bad key in the same bytes, which name the header: %s',
  async (_, endpoint) => {
    const world = await seedWorld()
    const keys = Object.entries(await badKeys(world.companyId))
    const sent = await endpoint.request(world)
    const answers = await sideBySide(keys, ([, key]) => send(endpoint, key, sent))
    for (const [i, answer] of answers.entries()) {
      const [kind] = keys[i] ?? []
      expectFailure(answer, 401, 'Invalid or inactive API key', 'invalid_api_key')
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="lead-intake", header="x-api-key"')
      expect({ kind, ...visible(answer) }).toEqual({ kind, ...visible(answers[0] as Answer) })
      const isFormed = ['unknown', 'revoked', 'expired'].includes(kind as string)
      expect([kind, answer.headers.has('x-error-hint')]).toEqual([kind, !isFormed])
    }
  },
)

it('Authentication takes the key from the header alone', async () => {
  const { campaignId, readKey } = await seedWorld()
  const inQuery = await api(null).listLeads({ campaignId, 'x-api-key': readKey })
  const asBearer = await api(null).listLeads({ campaignId }, { authorization: `Bearer ${readKey}` })
  for (const answer of [inQuery, asBearer]) expectFailure(answer, 401, 'Invalid or inactive API key')
})

it.each(endpoints)(
  'Authentication refuses a revoked key on its very next request: %s',
  async (_, endpoint) => {
    const world = await seedWorld()
    const { id, key } = await makeKey(endpoint, world)
    expect((await ask(endpoint, key, world)).status).toBe(endpoint.success)
    await revokeKey(id)
    const sent = await endpoint.request(world)
    const { DB, trips } = watchedDatabase()
    const refused = await send(endpoint, key, sent, { bindings: { DB } })
    expectFailure(refused, 401, 'Invalid or inactive API key', 'invalid_api_key')
    expect(visible(refused)).toEqual(visible(await send(endpoint, unknownKey(), sent)))
    for (const { meta } of trips.flatMap(({ results }) => results)) expect(meta.changes).toBe(0)
  },
)

it.each<[string, string, string, string | undefined]>([
  ['a wrong path', 'GET', '/api/v1/nothing', undefined],
  ['a wrong method', 'DELETE', '/api/v1/leads', undefined],
  ['a wrong method on bulk', 'GET', '/api/v1/leads/bulk', undefined],
  ['an invalid body', 'POST', '/api/v1/leads', '{'],
  ['a missing field', 'POST', '/api/v1/leads/bulk', '{}'],
  ['a missing query', 'GET', '/api/v1/leads', undefined],
])(
  'Authentication refuses a revoked key before it says what else is wrong: %s',
  async (_, method, path, body) => {
    const { companyId, campaignId } = await seedWorld()
    const { id, key } = await seedKey({ companyId })
    dataOf(await api(key).listLeads({ campaignId }), 200)
    await revokeKey(id)
    const answer = await api(key).request(method, path, body)
    expectFailure(answer, 401, 'Invalid or inactive API key', 'invalid_api_key')
    expect(visible(answer)).toEqual(visible(await api(null).request(method, path, body)))
  },
)

it('Authentication refuses a revoked read key that writes as revoked, not for its scope', async () => {
  const { campaignId, readKey, readKeyId } = await seedWorld()
  dataOf(await api(readKey).listLeads({ campaignId }), 200)
  expectFailure(await api(readKey).createLead({}), 403, 'Insufficient permissions')
  await revokeKey(readKeyId)
  expectFailure(await api(readKey).createLead({}), 401, 'Invalid or inactive API key')
})

it.each(endpoints)(
  'Authentication refuses a key from the millisecond in which it expires: %s',
  async (_, endpoint) => {
    const world = await seedWorld()
    const expiresAtMs = Date.now() + 3_600_000
    const { key } = await makeKey(endpoint, world, { expiresAtMs })
    vi.setSystemTime(expiresAtMs - 1)
    expect((await ask(endpoint, key, world)).status).toBe(endpoint.success)
    vi.setSystemTime(expiresAtMs)
    expectFailure(await ask(endpoint, key, world), 401, 'Invalid or inactive API key')
  },
)

it('Authentication continues with a company’s other keys when one is revoked', async () => {
  const { companyId, campaignId, writeKey } = await seedWorld()
  const { id } = await seedKey({ companyId })
  await revokeKey(id)
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
})

it('Authentication finds its own company’s campaign where another has one of the same id (D39)', async () => {
  const one = await seedWorld()
  const other = await seedWorld()
  const namesake = await seedCampaign(other.companyId, one.campaignId)
  const phoneNumber = newPhone()
  for (const { writeKey } of [one, other])
    dataOf(await api(writeKey).createLead({ campaignId: one.campaignId, phoneNumber }), 201)
  expect(await storedPhones(one.campaign)).toEqual([phoneNumber])
  expect(await storedPhones(namesake)).toEqual([phoneNumber])
  for (const { readKey } of [one, other])
    expect(dataOf(await api(readKey).listLeads({ campaignId: one.campaignId }), 200).count).toBe(1)
})

it('Authentication spends a refused key’s unit on the address, whose headers it carries', async () => {
  const { campaignId } = await seedWorld()
  const address = randomAddress()
  for (const remaining of [59, 58]) {
    const { headers } = await api(unknownKey(), { address }).listLeads({ campaignId })
    expect(headers.get('x-ratelimit-limit')).toBe('60')
    expect(headers.get('x-ratelimit-remaining')).toBe(String(remaining))
  }
})
