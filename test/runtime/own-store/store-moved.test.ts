// A company that has gone to another store while isolates remember the one before: the request is repeated there once,
// whole. And one that a move copies: it may only read.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { hashApiKey } from '../../../src/base/access/api-key.ts'
import { storeMoved } from '../../../src/base/database/database.ts'
import {
  databaseIn,
  newStore,
  type OwnCompany,
  seedCompanyIn,
  storesThat,
} from '../../support/companies/own-company.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { insertCompanies, insertKeys, newPhone, newPhones } from '../../support/database/seed.ts'
import { type Answer, api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'

const expectUnavailable = (answer: Answer) => {
  expectFailure(answer, 503, 'Service temporarily unavailable', 'service_unavailable')
  expect(answer.headers.get('retry-after')).toBe('5')
}

/** The company is in another store by now, and the one before answers only that. */
async function moveAway(company: OwnCompany) {
  const store = newStore(company.companyId)
  const db = databaseIn(store)
  const { number } = company.campaign
  await db.batch([
    insertCompanies(db, [company.companyId]),
    db
      .prepare(
        'insert into campaigns (number, id, company_id, name, created_at_ms) values (?1, ?2, ?3, ?2, 0)',
      )
      .bind(number, company.campaignId, company.companyId),
    insertKeys(db, company.keys),
  ])
  await env.DB.prepare('update companies set store = ?2 where id = ?1').bind(company.companyId, store).run()
  const moved = storesThat((run, call) =>
    call.store === company.store ? Promise.reject(new Error(storeMoved)) : run(),
  )
  const asked = () => moved.calls.map((call) => (call.store === company.store ? 'before' : 'after'))
  const phones = async () => {
    const { results } = await db.prepare('select phone_number as phone from leads order by seq').all()
    return results.map((row) => row.phone)
  }
  return { store, db, bindings: { DB: env.DB, COMPANY_STORES: moved.COMPANY_STORES }, asked, phones }
}

const chunked = (text: string) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < text.length; at += 1000)
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + 1000)))
      controller.close()
    },
  })

it('A store that the company has left answers that once, and the request is repeated in the new one, as are all that follow', async () => {
  const company = await seedCompanyIn('own')
  const { key } = company.keyOf('write')
  await company.create(key)
  const moved = await moveAway(company)
  const phoneNumber = newPhone()
  const client = api(key, { bindings: moved.bindings })
  const body = { campaignId: company.campaignId, phoneNumber }
  const answer = await client.createLead(body)
  dataOf(answer, 201)
  // Two creates of this key: the one that was repeated counts once.
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('998')
  // The statement, the look-up there, and the statement again.
  expect(moved.asked()).toEqual(['before', 'after', 'after'])
  expect(await moved.phones()).toEqual([phoneNumber])
  expect((await client.createLead(body)).status).toBe(409)
  expect(moved.asked()).toHaveLength(4)
})

it.each([
  ['with its length', (text: string) => text],
  ['in chunks, without a length', chunked],
])('A store that the company has left has a bulk repeated with its whole body: %s', async (_, bodyOf) => {
  const company = await seedCompanyIn('own')
  const { key } = company.keyOf('write')
  await company.create(key)
  const moved = await moveAway(company)
  const phones = newPhones(1000)
  const leads = phones.map((phoneNumber) => ({ phoneNumber, metadata: { note: 'x'.repeat(100) } }))
  const body = bodyOf(JSON.stringify({ campaignId: company.campaignId, leads }))
  const answer = await api(key, { bindings: moved.bindings }).importLeads(body)
  expect(dataOf(answer, 200)).toMatchObject({ created: 1000 })
  expect(await moved.phones()).toEqual(phones)
})

it('A store that the company has left is found out by the look-up of a key too, when the minute of the key is over', async () => {
  const company = await seedCompanyIn('own')
  const [known, other] = [company.keyOf('read'), company.keyOf('manage')]
  await company.list(known.key)
  const moved = await moveAway(company)
  for (const { key } of [known, other]) dataOf(await company.list(key, { bindings: moved.bindings }), 200)
})

it('A store that the company has left is 503 when the new one says the same, after one repetition', async () => {
  const company = await seedCompanyIn('own')
  const { key } = company.keyOf('write')
  await company.create(key)
  await moveAway(company)
  const everywhere = storesThat((run, { statements }) =>
    statements[0]?.[0].includes('union all select store_keys')
      ? run()
      : Promise.reject(new Error(storeMoved)),
  )
  const bindings = { DB: env.DB, COMPANY_STORES: everywhere.COMPANY_STORES }
  expectUnavailable(await company.create(key, { bindings }))
  expect(everywhere.calls).toHaveLength(3)
})

it('A company that leaves D1 has its requests repeated in its store, by isolates that remember it in D1', async () => {
  const company = await seedCompanyIn('shared')
  const { key } = company.keyOf('write')
  await company.create(key)
  const moved = await moveAway(company)
  await env.DB.batch([
    env.DB.prepare('update api_keys set frozen = 2 where company_id = ?1').bind(company.companyId),
    ...company.keys.map(({ id, key: text }) => entered(id, text, company.companyId)),
  ])
  const { DB, trips } = watchedDatabase(env.DB)
  const phoneNumber = newPhone()
  const client = api(key, { bindings: { ...moved.bindings, DB } })
  dataOf(await client.createLead({ campaignId: company.campaignId, phoneNumber }), 201)
  expect(await moved.phones()).toEqual([phoneNumber])
  // The statement and the look-up.
  expect(trips).toHaveLength(2)
  const read = company.keyOf('read').key
  dataOf(await company.list(read, { bindings: moved.bindings }), 200)
})

const entered = (id: string, key: string, companyId: string) =>
  env.DB.prepare('insert into store_keys (hash, key_id, company_id) values (?1, ?2, ?3)').bind(
    hashApiKey(key),
    id,
    companyId,
  )

describe.each(['shared', 'own'] as const)('A company that a move copies (%s)', (kind) => {
  it('A company that a move copies reads as always, and what writes gets 503 in one trip, whatever it is', async () => {
    const company = await seedCompanyIn(kind)
    const lead = dataOf(await company.create(), 201)
    for (const { key } of company.keys) await company.list(key)
    await company.db
      .prepare('update api_keys set frozen = 1 where company_id = ?1')
      .bind(company.companyId)
      .run()
    const before = await rowsOf(company)
    const { DB, trips } = watchedDatabase(env.DB)
    const { COMPANY_STORES, calls } = storesThat((run) => run())
    const manage = api(company.keyOf('manage').key, { bindings: { DB, COMPANY_STORES } })
    const { campaignId } = company
    const writes = [
      () => manage.createLead({ campaignId, phoneNumber: newPhone() }),
      () => manage.importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] }),
      () => manage.request('PATCH', `/api/v1/leads/${lead.leadId}`, { priority: 5 }),
      () => manage.request('DELETE', `/api/v1/leads/${lead.leadId}`),
      () => manage.request('POST', '/api/v1/calls/claim', { campaignId }),
      () => manage.request('POST', '/api/v1/suppressions', { phoneNumbers: [newPhone()] }),
      () => manage.request('PATCH', `/api/v1/campaigns/${campaignId}`, { name: 'other' }),
      () => manage.request('POST', '/api/v1/erasures', { phoneNumber: newPhone() }),
      () => manage.request('DELETE', `/api/v1/keys/${company.keyOf('agent').id}`),
    ]
    for (const write of writes) {
      const tripsBefore = trips.length + calls.length
      expectUnavailable(await write())
      expect(trips.length + calls.length - tripsBefore).toBe(1)
    }
    const reads = [
      `/api/v1/leads?campaignId=${campaignId}`,
      `/api/v1/leads/${lead.leadId}`,
      '/api/v1/keys/self',
    ]
    for (const path of reads) dataOf(await manage.request('GET', path), 200)
    expect(await rowsOf(company)).toEqual(before)
    await company.db
      .prepare('update api_keys set frozen = 0 where company_id = ?1')
      .bind(company.companyId)
      .run()
    dataOf(await company.create(), 201)
  })
})

async function rowsOf({ db, companyId }: OwnCompany) {
  const tables = ['leads', 'suppressions', 'events', 'campaigns', 'api_keys']
  const counts = tables.map((table) =>
    db
      .prepare(
        table === 'leads'
          ? 'select count(*) as n from leads where campaign_number in (select number from ' +
              'campaigns where company_id = ?1)'
          : `select count(*) as n from ${table} where company_id = ?1`,
      )
      .bind(companyId),
  )
  return (await db.batch<{ n: number }>(counts)).map(({ results }) => results[0]?.n)
}
