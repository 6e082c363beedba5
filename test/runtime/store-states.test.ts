// What a company's own store reports of itself to D1, by its alarm or when the cron wakes it; and what its object
// answers to the operator's restore. What the operator asks for over HTTP is in test/spec/operator.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { markKeysRevoked } from '../../src/base/access/store/directory.ts'
import { randomBase62 } from '../../src/base/base62.ts'
import { lastMigration } from '../../src/base/database/object-migrations.ts'
import type { CompanyStore } from '../../src/control/companies/company-object.ts'
import { requestMove } from '../../src/control/companies/store/move-state.ts'
import { abortMove } from '../../src/control/companies/store/move-steps.ts'
import { findStoresToTend } from '../../src/control/companies/store/states.ts'
import { tendStores } from '../../src/control/companies/tend-stores.ts'
import { driveUntil, moveTo } from '../support/companies/moving.ts'
import { asOperator, companiesPath } from '../support/companies/operator.ts'
import { databaseIn, newStore, offerRestore, stubOf } from '../support/companies/own-company.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { catchLogs } from '../support/run/logs.ts'
import { newPhone } from '../support/world.ts'

type Row = Record<string, unknown>

/** A company with a store of its own, a manage key and a campaign, as the operator and the company create them. */
async function ownCompany() {
  const operator = await asOperator()
  const companyId = await operator.createCompany({ store: 'own' })
  const row = env.DB.prepare('select store from companies where id = ?1').bind(companyId)
  const store = (await row.first<string>('store')) as string
  const { key, keyId } = await operator.createKey(companyId)
  dataOf(await api(key).request('POST', '/api/v1/campaigns', { id: 'spring', name: 'Spring' }), 201)
  const stub = stubOf(store) as unknown as DurableObjectStub<CompanyStore>
  const rows = async (table: string) =>
    (await databaseIn(store).prepare(`select * from ${table} order by 1, 2`).all<Row>()).results
  return { operator, companyId, store, key, keyId, stub, rows, tend: () => stub.tend(companyId) }
}

const reservedNumber = async () =>
  (await env.DB.prepare('select last from campaign_numbers').first<number>('last')) as number

const stateOf = (companyId: string) =>
  env.DB.prepare('select * from store_states where company_id = ?1').bind(companyId).first<Row>()

it('A key of a company with its own store is refused at once where it is not known yet, when the directory has it as revoked', async () => {
  const { operator, companyId, rows } = await ownCompany()
  const { key, keyId } = await operator.createKey(companyId)
  // Equal ids in the store of another company.
  const other = await ownCompany()
  await env.DB.prepare('insert into store_keys (hash, key_id, company_id) values (?1, ?2, ?3)')
    .bind(`of ${keyId}`, keyId, other.companyId)
    .run()
  await markKeysRevoked(env.DB, companyId, [keyId], Date.now())
  const marked = env.DB.prepare('select revoked_at_ms as at from store_keys where hash = ?1')
  expect(await marked.bind(`of ${keyId}`).first('at')).toBeNull()
  expectFailure(await api(key).listLeads({ campaignId: 'spring' }), 401, 'Invalid or inactive API key')
  expect((await rows('api_keys')).find(({ id }) => id === keyId)).toMatchObject({ revoked_at_ms: null })
})

it('A key of a company with its own store stores leads in that store alone', async () => {
  const { companyId, key, rows, store, tend } = await ownCompany()
  const phoneNumber = newPhone()
  dataOf(await api(key).createLead({ campaignId: 'spring', phoneNumber }), 201)
  expect(await rows('leads')).toMatchObject([{ phone_number: phoneNumber }])
  const stored = env.DB.prepare('select count(*) as n from leads where phone_number = ?1').bind(phoneNumber)
  expect(await stored.first('n')).toBe(0)
  await tend()
  expect(await stateOf(companyId)).toMatchObject({ leads: 1, last_migration: lastMigration })

  // Gone without being counted, as the nightly recount would find.
  await databaseIn(store).prepare('update campaign_hours set d_raw = d_raw - 2').run()
  await tend()
  expect(await stateOf(companyId)).toMatchObject({ leads: 0 })
})

it('A key that its own store has revoked is refused by the directory too, and so are those that end with it', async () => {
  const { operator, companyId, key, keyId } = await ownCompany()
  const made = { name: 'finder', scope: 'read' }
  dataOf(await api(key).request('POST', '/api/v1/keys', made), 201)
  dataOf(await operator.revoke(companyId, keyId, '?withCreated=true'), 200)
  const { results } = await env.DB.prepare('select revoked_at_ms from store_keys where company_id = ?1')
    .bind(companyId)
    .all<Row>()
  expect(results).toEqual([{ revoked_at_ms: expect.any(Number) }, { revoked_at_ms: expect.any(Number) }])
})

it('The cron wakes a store that was never woken, and one that has not applied the last migration; each notes its state', async () => {
  const { companyId, rows } = await ownCompany()
  const isNoted = async () => {
    await tendStores(env)
    return (await stateOf(companyId))?.last_migration === lastMigration
  }
  while (!(await isNoted()));
  expect(await stateOf(companyId)).toMatchObject({ leads: 0, size_bytes: expect.any(Number) })
  expect(await rows('companies')).toMatchObject([{ id: companyId, name: 'Acme', store: null }])

  // As a deploy with a new migration leaves it.
  const set = (name: string) =>
    env.DB.prepare('update store_states set last_migration = ?2, noted_at_ms = 1 where company_id = ?1')
      .bind(companyId, name)
      .run()
  await set('2000_before.sql')
  while (!(await isNoted()));
  // As an older version of the Worker finds it after a rollback.
  await set('9999_later.sql')
  await tendStores(env)
  expect(await stateOf(companyId)).toMatchObject({ last_migration: '9999_later.sql', noted_at_ms: 1 })
})

it('The cron enters a company in its store, where a crash came between D1 and that', async () => {
  const companyId = `own-${randomBase62(12)}`
  const store = newStore(companyId)
  await env.DB.prepare(`insert into companies (id, name, created_at_ms, store) values (?1, 'Acme', 0, ?2)`)
    .bind(companyId, store)
    .run()
  const entered = async () => (await databaseIn(store).prepare('select id from companies').all<Row>()).results
  // A company that is not there is entered nowhere.
  await stubOf(store).tend('nobody')
  expect(await entered()).toEqual([])
  await stubOf(store).tend(companyId)
  expect(await entered()).toEqual([{ id: companyId }])
})

it('The cron leaves the numbers of a store to it, where a restored D1 does not know them', async () => {
  const { companyId, rows } = await ownCompany()
  await env.DB.exec('update campaign_numbers set last = last - 1')
  const last = (await reservedNumber()) + 1
  expect(await rows('campaigns')).toMatchObject([{ number: last }])
  await env.DB.prepare('delete from store_states where company_id = ?1').bind(companyId).run()
  while ((await reservedNumber()) < last) await tendStores(env)
  const operator = await asOperator()
  const { key } = await operator.createKey(await operator.createCompany())
  dataOf(await api(key).request('POST', '/api/v1/campaigns', { id: 'first', name: 'First' }), 201)
  const newest = env.DB.prepare('select max(number) as number from campaigns')
  expect(await newest.first('number')).toBeGreaterThan(last)
})

it('The cron logs a store that fails, which holds up no other', async () => {
  const [failing, own] = [await ownCompany(), await ownCompany()]
  const stores = env.COMPANY_STORES
  const getByName = (name: string) => {
    if (name !== failing.store) return stores.getByName(name)
    return { tend: () => Promise.reject(new Error(`store not migrated: ${newPhone()}`)) }
  }
  const logs = catchLogs()
  const isTended = async () => {
    await tendStores({ ...env, COMPANY_STORES: { getByName } } as unknown as Env)
    return (await stateOf(own.companyId)) !== null
  }
  while (!(await isTended()));
  // Some of the stores, at random, are tended each minute.
  const ofOne = () => logs.records.filter(({ companyId }) => companyId === failing.companyId)
  while (ofOne().length === 0) await isTended()
  expect(ofOne()[0]).toEqual({
    event: 'company_not_tended',
    companyId: failing.companyId,
    problem: 'store not migrated',
  })
  expect(logs.records.filter(({ companyId }) => companyId === own.companyId)).toEqual([])
  await failing.tend()
})

it('The cron reads an index that is empty where no company has a store of its own', async () => {
  let text = ''
  const prepare = (sql: string) => {
    text = sql
    return env.DB.prepare(sql)
  }
  const batch = (statements: D1PreparedStatement[]) => env.DB.batch(statements)
  await findStoresToTend({ prepare, batch } as unknown as D1Database, lastMigration, Date.now())
  const plan = await env.DB.prepare(`explain query plan ${text}`).bind('', 0, 1).all<{ detail: string }>()
  const reads = plan.results
    .map(({ detail }) => detail)
    .filter((detail) => /^(SCAN|SEARCH) companies/.test(detail))
  expect(reads).toEqual(['SEARCH companies USING INDEX companies_store (store>?)'])
})

it('The cron throws nothing when D1 does not answer, and says so', async () => {
  const logs = catchLogs()
  const batch = () => Promise.reject(new Error('D1 DB is overloaded'))
  const DB = { prepare: (text: string) => env.DB.prepare(text), batch } as unknown as D1Database
  await tendStores({ ...env, DB })
  expect(logs.records).toEqual([{ event: 'tending_failed', problem: 'database overloaded' }])
})

describe('The alarm of a store', () => {
  /** A store that has just noted its state, which D1 has lost. */
  async function notedStore() {
    const own = await ownCompany()
    await own.tend()
    await env.DB.prepare('delete from store_states where company_id = ?1').bind(own.companyId).run()
    return own
  }

  it('The alarm of a store notes its state when an hour has passed, or when it has migrated', async () => {
    const { stub, companyId } = await notedStore()
    await runDurableObjectAlarm(stub)
    expect(await stateOf(companyId)).toBeNull()
    await runInDurableObject(stub, (_, { storage }) => {
      storage.kv.put('noted', { atMs: Date.now(), lastMigration: '2000_before.sql' })
    })
    await runDurableObjectAlarm(stub)
    expect(await stateOf(companyId)).toMatchObject({ last_migration: lastMigration })

    const hourLater = Date.now() + 3_600_000
    vi.spyOn(Date, 'now').mockReturnValue(hourLater)
    await runDurableObjectAlarm(stub)
    expect(await stateOf(companyId)).toMatchObject({ noted_at_ms: hourLater })
  })

  it('The alarm of a store does its work and is set again when D1 does not answer', async () => {
    const { stub } = await notedStore()
    const batch = () => Promise.reject(new Error('D1 DB is overloaded'))
    const DB = { prepare: (text: string) => env.DB.prepare(text), batch }
    await runInDurableObject(stub, (store, { storage }) => {
      Object.assign(store, { env: { ...env, DB } })
      storage.kv.delete('noted')
    })
    const logs = catchLogs()
    await runDurableObjectAlarm(stub)
    expect(logs.records).toEqual([{ event: 'noting_failed', problem: 'database overloaded' }])
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).not.toBeNull()
    await runInDurableObject(stub, (store) => void Object.assign(store, { env }))
  })
})

describe('A restore', () => {
  const requestOf = (companyId: string, toMs: number) => ({ id: randomBase62(16), companyId, toMs })

  it('A restore is refused in plain words where the platform has none', async () => {
    const { stub, companyId } = await ownCompany()
    expect(await stub.restore(requestOf(companyId, Date.now() - 60_000))).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/\w+/),
    })
  })

  it('A restore ends the object, and is answered by the one request of the operator', async () => {
    const { operator, companyId, stub, rows } = await ownCompany()
    await offerRestore(stub)
    const to = new Date(Date.now() - 120_000).toISOString()
    const path = `${companiesPath}/${companyId}/restore`
    const answer = await operator.ask('POST', path, { confirm: companyId, to })
    expect(dataOf(answer, 200)).toEqual({ restoredTo: to, undoBookmark: 'before' })
    const [company] = await rows('companies')
    expect(JSON.parse(String(company?.log_epochs))).toHaveLength(1)
  })

  it('A restore is refused to a time before a move has filled the store', async () => {
    const { stub, companyId } = await ownCompany()
    const openSinceMs = Date.now() - 180_000
    await runInDurableObject(stub, (_, { storage }) => storage.kv.put('openSince', openSinceMs))
    expect(await stub.restore(requestOf(companyId, openSinceMs + 59_999))).toEqual({
      kind: 'refused',
      reason: `the company came to it later, at ${new Date(openSinceMs).toISOString()}`,
    })
    const later = await stub.restore(requestOf(companyId, openSinceMs + 60_000))
    expect(later).toMatchObject({ kind: 'refused', reason: expect.not.stringContaining('came') })
  })

  it('A time before a move out of a store that was aborted can be restored, one before a move into a store cannot', async () => {
    const { operator, companyId, stub } = await ownCompany()
    await requestMove(env.DB, companyId, null, Date.now())
    await abortMove(env.DB, companyId, null, Date.now())
    await driveUntil(companyId, 'aborted')
    const cameLater = await operator.createCompany({ store: 'shared' })
    const moved = stubOf((await moveTo(cameLater, 'own')) as string)
    const to = new Date(Date.now() - 120_000).toISOString()
    const ask = (id: string) => operator.ask('POST', `${companiesPath}/${id}/restore`, { confirm: id, to })
    for (const one of [stub, moved]) await offerRestore(one as typeof stub)
    expect(dataOf(await ask(companyId), 200)).toMatchObject({ restoredTo: to })
    expectFailure(await ask(cameLater), 409, 'Store cannot be restored to that time')
  })

  it('A restore waits for the end of a move that copies the store', async () => {
    const { stub, companyId } = await ownCompany()
    await runInDurableObject(stub, async (_, state) => {
      state.storage.kv.put('state', 'frozen')
      await state.storage.sync()
      state.abort()
    }).catch(() => {})
    const request = requestOf(companyId, Date.now() - 60_000)
    const restore = async () => await stubAgain(stub).restore(request)
    await expect(restore()).rejects.toThrow('store frozen')
  })

  /** One that has failed stays broken. */
  const stubAgain = (stub: DurableObjectStub<CompanyStore>) =>
    env.COMPANY_STORES.get(stub.id) as unknown as DurableObjectStub<CompanyStore>
})
