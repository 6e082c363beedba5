// Keys of companies with a store of their own: what the directory in D1 says of them, what is remembered, and what the
// store alone decides. A key that was not used before is one that this isolate has not met.
import { env } from 'cloudflare:workers'
import { scheduler } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { generateApiKey, hashApiKey } from '../../../src/base/access/api-key.ts'
import {
  type OwnCompany,
  seedCompanyIn,
  storesThat,
  watchedStores,
} from '../../support/companies/own-company.ts'
import { databaseFailing, watchedDatabase } from '../../support/database/database.ts'
import { insertKeys, newPhone } from '../../support/database/seed.ts'
import { type Answer, api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { unknownKey } from '../../support/world.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))

const minuteMs = 60_000
const later = (ms: number) => void vi.setSystemTime(Date.now() + ms)
const { COMPANY_STORES } = env
const d1Down = () => ({ DB: databaseFailing('D1_ERROR: Network connection lost.').DB, COMPANY_STORES })

const expectUnavailable = (answer: Answer) =>
  expectFailure(answer, 503, 'Service temporarily unavailable', 'service_unavailable')
const expectRefused = (answer: Answer) =>
  expectFailure(answer, 401, 'Invalid or inactive API key', 'invalid_api_key')

/** A key that is in the store, and by default in the directory. */
async function addKey({ store, companyId, db }: OwnCompany, more: object = {}, isEntered = true) {
  const row = { id: `key-${crypto.randomUUID()}`, key: generateApiKey(), companyId, ...more }
  if (isEntered)
    await env.DB.prepare('insert into store_keys (hash, key_id, company_id) values (?1, ?2, ?3)')
      .bind(hashApiKey(row.key), row.id, companyId)
      .run()
  await insertKeys(db, [row]).run()
  return { ...row, store }
}

const markedIn = async (keyId: string) =>
  (await env.DB.prepare('select revoked_at_ms as at from store_keys where key_id = ?1')
    .bind(keyId)
    .first<{ at: number | null }>()) ?? { at: null }

/** Counted in both databases, by a client of the company. */
async function costOf(ask: (bindings: object) => Promise<{ status: number }>) {
  const { DB, trips } = watchedDatabase(env.DB)
  const { COMPANY_STORES: stores, calls } = watchedStores()
  const { status } = await ask({ DB, COMPANY_STORES: stores })
  return { status, d1: trips.length, store: calls.length }
}

it('A company with its own store creates a key once for one Idempotency-Key', async () => {
  const { keyOf } = await seedCompanyIn('own')
  const create = async () =>
    dataOf(
      await api(keyOf('manage').key).request(
        'POST',
        '/api/v1/keys',
        { name: 'crm', scope: 'write' },
        { 'Idempotency-Key': 'crm-1' },
      ),
      201,
    ) as { readonly keyId: string; readonly key: string | null }
  const [made, again] = [await create(), await create()]
  expect(made.key).not.toBeNull()
  expect(again).toMatchObject({ keyId: made.keyId, key: null })
})

it('While D1 does not answer, a company with its own store works for an hour with known keys, and others get 503', async () => {
  const company = await seedCompanyIn('own')
  const key = company.keyOf('write').key
  expect((await company.create(key)).status).toBe(201)
  for (const waitMs of [0, minuteMs, 58 * minuteMs]) {
    later(waitMs)
    expect((await company.create(key, { bindings: d1Down() })).status).toBe(201)
  }
  expectUnavailable(await company.create(unknownKey(), { bindings: d1Down() }))
  expectUnavailable(await company.list(company.keyOf('read').key, { bindings: d1Down() }))
  later(minuteMs)
  expectUnavailable(await company.create(key, { bindings: d1Down() }))
  expect((await company.create(key)).status).toBe(201)
})

it('While D1 does not answer, a company in D1 gets 503', async () => {
  const company = await seedCompanyIn('shared')
  expect((await company.create()).status).toBe(201)
  expectUnavailable(await company.create(undefined, { bindings: d1Down() }))
})

it('While D1 does not answer, a company with its own store creates no key and no campaign, and its other requests work', async () => {
  const { keyOf, ...company } = await seedCompanyIn('own')
  const client = api(keyOf('manage').key, { bindings: d1Down() })
  expectUnavailable(await client.request('POST', '/api/v1/keys', { name: 'new', scope: 'read' }))
  expectUnavailable(await client.request('POST', '/api/v1/campaigns', { id: 'new', name: 'new' }))
  expect((await client.createLead({ campaignId: company.campaignId, phoneNumber: newPhone() })).status).toBe(
    201,
  )
})

it('A key that is created works at once, wherever it is used', async () => {
  const company = await seedCompanyIn('own')
  const { key } = await company.ask('POST', '/api/v1/keys', { name: 'new', scope: 'read' }, 201)
  dataOf(await company.list(key as string), 200)
})

it('A key that is created works at once when it takes the place of another', async () => {
  const company = await seedCompanyIn('own')
  const { id } = company.keyOf('read')
  const { key } = await company.ask('POST', `/api/v1/keys/${id}/rotate`, { graceSeconds: 3600 }, 201)
  dataOf(await company.list(key as string), 200)
})

it('A key that is created is in the directory before the store has it, so that a crash leaves none that is not found', async () => {
  const company = await seedCompanyIn('own')
  const manage = company.keyOf('manage').key
  await company.list(manage)
  const entered = async () =>
    (await env.DB.prepare('select count(*) as n from store_keys where company_id = ?1')
      .bind(company.companyId)
      .first<number>('n')) as number
  const before = await entered()
  let enteredThen = 0
  const crashing = storesThat(async (run, { statements }) => {
    if (!statements.some(([text]) => text.startsWith('insert into api_keys'))) return run()
    enteredThen = await entered()
    throw new Error('the isolate has ended')
  })
  const body = { name: 'new', scope: 'read' }
  const bindings = { DB: env.DB, COMPANY_STORES: crashing.COMPANY_STORES }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  expectUnavailable(await api(manage, { bindings }).request('POST', '/api/v1/keys', body, headers))
  expect(enteredThen).toBeGreaterThan(before)
  const again = await api(manage).request('POST', '/api/v1/keys', body, headers)
  const { key } = dataOf(again, 201) as { key: string }
  dataOf(await company.list(key), 200)
})

it('A key that is created is refused while only the directory has it', async () => {
  const company = await seedCompanyIn('own')
  const key = generateApiKey()
  await env.DB.prepare('insert into store_keys (hash, key_id, company_id) values (?1, ?2, ?3)')
    .bind(hashApiKey(key), 'key-nowhere', company.companyId)
    .run()
  expectRefused(await company.list(key))
})

it('A key that is created is refused while only the store has it', async () => {
  const company = await seedCompanyIn('own')
  expectRefused(await company.list((await addKey(company, {}, false)).key))
})

it('A key that is revoked is refused by its store at once, also where it is remembered, and marked in the directory', async () => {
  const company = await seedCompanyIn('own')
  const { id, key } = company.keyOf('write')
  expect((await company.create(key)).status).toBe(201)
  await company.ask('DELETE', `/api/v1/keys/${id}`)
  expectRefused(await company.create(key))
  for (let looks = 0; (await markedIn(id)).at === null; looks++) {
    expect(looks).toBeLessThan(500)
    await scheduler.wait(10)
  }
})

it('A key that is revoked is refused by its store alone, when the mark in the directory was lost', async () => {
  const company = await seedCompanyIn('own')
  const { id, key } = await addKey(company, { scope: 'read', revokedAtMs: 1 })
  expect(await markedIn(id)).toEqual({ at: null })
  expectRefused(await company.list(key))
})

it('A key that is revoked is refused by every look-up in the directory, before the store knows', async () => {
  const company = await seedCompanyIn('own')
  const { id, key } = company.keyOf('read')
  await env.DB.prepare('update store_keys set revoked_at_ms = 1 where key_id = ?1').bind(id).run()
  const refused = await costOf((bindings) => company.list(key, { bindings }))
  expect(refused).toEqual({ status: 401, d1: 1, store: 0 })
})

it('A key that expires is refused from that millisecond by its store, which alone knows', async () => {
  const company = await seedCompanyIn('own')
  const { key } = await addKey(company, { scope: 'read', expiresAtMs: Date.now() + minuteMs })
  dataOf(await company.list(key), 200)
  later(minuteMs)
  expectRefused(await company.list(key))
})

it('The trips of a request are one to the store with a key that is remembered, and none to D1', async () => {
  const company = await seedCompanyIn('own')
  const key = company.keyOf('read').key
  const first = await costOf((bindings) => company.list(key, { bindings }))
  const second = await costOf((bindings) => company.list(key, { bindings }))
  later(minuteMs)
  const third = await costOf((bindings) => company.list(key, { bindings }))
  expect([first, second, third]).toEqual([
    { status: 200, d1: 1, store: 2 },
    { status: 200, d1: 0, store: 1 },
    { status: 200, d1: 0, store: 2 },
  ])
})

it('The trips of a request are one to D1 for a key that nobody has, and none for ten seconds after', async () => {
  const company = await seedCompanyIn('own')
  const key = unknownKey()
  for (const d1 of [1, 0])
    expect(await costOf((bindings) => company.list(key, { bindings }))).toEqual({
      status: 401,
      d1,
      store: 0,
    })
})

it('The trips of a request are one to the store for a key that was revoked while it was remembered', async () => {
  const company = await seedCompanyIn('own')
  const { id, key } = company.keyOf('write')
  await company.create(key)
  await company.db.prepare('update api_keys set revoked_at_ms = 1 where id = ?1').bind(id).run()
  expect(await costOf((bindings) => company.create(key, { bindings }))).toEqual({
    status: 401,
    d1: 0,
    store: 1,
  })
})

it('The trips of a request are one in D1 for a company there, and none to a store', async () => {
  const company = await seedCompanyIn('shared')
  await company.create()
  expect(await costOf((bindings) => company.create(undefined, { bindings }))).toEqual({
    status: 201,
    d1: 1,
    store: 0,
  })
})
