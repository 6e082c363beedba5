// What the operator does with companies and their keys over HTTP, in the shared database and in a store of their own.
// Which texts refuse what is in the catalogue.
import { describe, expect, it, vi } from 'vitest'
import { works } from '../../support/access/keys.ts'
import { asOperator, companiesPath, readEvents } from '../../support/companies/operator.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { catchLogs } from '../../support/run/logs.ts'
import { seedOperatorKey } from '../../support/world.ts'

const stores = ['shared', 'own'] as const
const hour = 3_600_000

describe.each(stores)('A company in its store: %s', (store) => {
  it('A company and its first key are two requests, and the key works at once', async () => {
    const operator = await asOperator()
    const companyId = await operator.createCompany({ store })
    const { key } = await operator.createKey(companyId)
    expect(dataOf(await api(key).request('GET', '/api/v1/keys/self'), 200)).toMatchObject({
      key: { scope: 'manage', campaignId: null, expiresAt: null },
      company: { id: companyId, name: 'Acme', consentYears: 5 },
    })
    const campaign = { id: 'spring', name: 'Spring', timeZone: 'UTC' }
    dataOf(await api(key).request('POST', '/api/v1/campaigns', campaign), 201)
  })

  it('A company is shown with its store, and a change of name and limit is seen by it and by the operator', async () => {
    const operator = await asOperator()
    const place = store === 'own' ? { location: 'weur', jurisdiction: 'eu' } : {}
    const companyId = await operator.createCompany({ store, ...(store === 'own' && { location: 'weur' }) })
    const { key } = await operator.createKey(companyId)
    const path = `${companiesPath}/${companyId}`
    expect(await operator.get(path)).toMatchObject({
      companyId,
      store,
      location: place.location ?? null,
      maxCampaigns: 10_000,
    })
    const changed = dataOf(await operator.ask('PATCH', path, { name: 'Acme Ltd', maxCampaigns: 1 }), 200)
    expect(changed).toMatchObject({ name: 'Acme Ltd', maxCampaigns: 1, store })
    expect(await operator.get(path)).toEqual(changed)
    const create = (id: string) => api(key).request('POST', '/api/v1/campaigns', { id, name: id })
    dataOf(await create('first'), 201)
    expectFailure(await create('second'), 409, 'Too many campaigns')
    dataOf(await operator.ask('PATCH', path, { maxCampaigns: null }), 200)
    dataOf(await create('second'), 201)
    expect(dataOf(await api(key).request('GET', '/api/v1/keys/self'), 200)).toMatchObject({
      company: { name: 'Acme Ltd' },
    })
  })

  it('A key that the operator makes is in the log of the company, under the id of the operator’s key', async () => {
    const operator = await asOperator()
    const companyId = await operator.createCompany({ store })
    const first = await operator.createKey(companyId)
    const logs = catchLogs()
    const { keyId } = await operator.createKey(companyId, { scope: 'read' })
    const path = `${companiesPath}/${companyId}/keys/${keyId}`
    dataOf(await operator.ask('POST', `${path}/rotate`, { graceSeconds: 0 }), 201)
    dataOf(await operator.revoke(companyId, keyId), 200)
    expect(logs.records).toContainEqual(
      expect.objectContaining({ keyId: operator.id, companyId, status: 200 }),
    )
    const events = await readEvents(first.key, 'key.created,key.created_by_operator,key.rotated,key.revoked')
    expect(events.slice(1)).toEqual([
      {
        type: 'key.created_by_operator',
        actor: operator.id,
        data: { campaignId: null, keyId, scope: 'read' },
      },
      {
        type: 'key.rotated',
        actor: operator.id,
        data: { campaignId: null, keyId, newKeyId: expect.any(String) },
      },
      { type: 'key.revoked', actor: operator.id, data: { campaignId: null, keyId } },
    ])
    const { keys } = (await operator.get(`${companiesPath}/${companyId}/keys`)) as { keys: object[] }
    expect(keys).toContainEqual(expect.objectContaining({ keyId, createdBy: operator.id }))
  })

  it('A key that the operator makes does not end with the operator’s', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const operator = await asOperator(await seedOperatorKey({ expiresAtMs: Date.now() + hour }))
    const companyId = await operator.createCompany({ store })
    const { key, expiresAt } = await operator.createKey(companyId)
    expect(expiresAt).toBeNull()
    vi.setSystemTime(Date.now() + 2 * hour)
    expect((await operator.ask('GET', companiesPath)).status).toBe(401)
    expect(await works(key)).toBe(true)
  })

  it('A revocation with what the key created ends its keys too, for the next request', async () => {
    const operator = await asOperator()
    const companyId = await operator.createCompany({ store })
    const leaked = await operator.createKey(companyId)
    const found = dataOf(
      await api(leaked.key).request('POST', '/api/v1/keys', { name: 'finder', scope: 'read' }),
      201,
    ) as { keyId: string; key: string }
    expect([await works(leaked.key), await works(found.key)]).toEqual([true, true])
    const named = dataOf(await operator.revoke(companyId, leaked.keyId), 200)
    expect(named).toMatchObject({ created: { keys: [{ keyId: found.keyId, revokedAt: null }] } })
    expect([await works(leaked.key), await works(found.key)]).toEqual([false, true])
    dataOf(await operator.revoke(companyId, leaked.keyId, '?withCreated=true'), 200)
    expect(await works(found.key)).toBe(false)
  })

  it('An Idempotency-Key makes one key in each company, which is shown once', async () => {
    const operator = await asOperator()
    const headers = { 'idempotency-key': 'first-key' }
    const made = await Promise.all(
      [await operator.createCompany({ store }), await operator.createCompany({ store })].map(
        async (companyId) => [
          await operator.createKey(companyId, {}, headers),
          await operator.createKey(companyId, {}, headers),
        ],
      ),
    )
    for (const [one, again] of made)
      expect(again).toMatchObject({ keyId: one?.keyId, key: null, keyNote: 'shown once' })
    expect(new Set(made.map(([one]) => one?.keyId)).size).toBe(2)
  })

  it('The operator makes more keys in an hour than the company may itself', async () => {
    const operator = await asOperator()
    const companyId = await operator.createCompany({ store })
    for (let keys = 0; keys < 61; keys++) await operator.createKey(companyId)
    const { key } = await operator.createKey(companyId)
    dataOf(await api(key).request('POST', '/api/v1/keys', { name: 'own', scope: 'read' }), 201)
  })
})

describe('Companies', () => {
  it('A company that is created again with its Idempotency-Key is the same, and another one is refused', async () => {
    const operator = await asOperator()
    const id = `company-${crypto.randomUUID()}`
    const headers = { 'idempotency-key': 'order-1' }
    const create = (body: object) => operator.ask('POST', companiesPath, { name: 'Acme', ...body }, headers)
    const [first, again] = [await create({ id, store: 'own' }), await create({ id, store: 'own' })]
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    const reused = 'Idempotency-Key was used for a different request'
    expectFailure(await create({ id: `${id}2`, store: 'own' }), 409, reused)
    expectFailure(await create({ id, store: 'shared' }), 409, reused)
    const taken = await operator.ask('POST', companiesPath, { id, name: 'Other' })
    expectFailure(taken, 409, 'Company already exists')
    expect(taken.headers.get('x-error-code')).toBe('company_exists')
    expect(await operator.get(`${companiesPath}/${id}`)).toMatchObject({ name: 'Acme', store: 'own' })
  })

  it('Pages list each company once, by id', async () => {
    const operator = await asOperator()
    const prefix = `list-${crypto.randomUUID()}-`
    const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => prefix + letter)
    for (const id of ids.toReversed()) await operator.createCompany({ id })
    const found: string[] = []
    let cursor: string | null = prefix
    for (let pages = 0; pages < 3 && cursor !== null; pages++) {
      const path: string = `${companiesPath}?limit=2&cursor=${cursor}`
      const page = (await operator.get(path)) as {
        companies: { companyId: string }[]
        nextCursor: string | null
      }
      found.push(...page.companies.map(({ companyId }) => companyId))
      cursor = page.nextCursor
    }
    expect(found.filter((id) => id.startsWith(prefix))).toEqual(ids)
  })
})
