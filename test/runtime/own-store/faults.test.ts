// When a company's own store fails: what its clients get, that nothing is acknowledged, what is tried again, and that
// other companies do not notice. How long others take meanwhile is measured elsewhere.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bundledMigrations } from '../../../src/base/database/bundled-migrations.ts'
import { sendTo } from '../../../src/base/database/company-env.ts'
import { databaseOf, storeStub } from '../../../src/base/database/company-store.ts'
import { runBatch } from '../../../src/base/database/database.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { freezeOwn } from '../../support/companies/moving.ts'
import {
  databaseIn,
  newStore,
  type OwnCompany,
  seedCompanyIn,
  storeFailing,
  storesThat,
  stubOf,
} from '../../support/companies/own-company.ts'
import type { Answer } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { catchLogs } from '../../support/run/logs.ts'
import { withTimeLimits } from '../../support/run/patience.ts'

afterEach(() => void vi.restoreAllMocks())

const expectUnavailable = (answer: Answer) => {
  expectFailure(answer, 503, 'Service temporarily unavailable', 'service_unavailable')
  expect(answer.headers.get('retry-after')).toBe('5')
}

/** One whose store will fail, one with a store that does not, and one in D1; all of them known. */
async function seedThree() {
  const companies = [
    await seedCompanyIn('own'),
    await seedCompanyIn('own'),
    await seedCompanyIn('shared'),
  ] as const
  for (const company of companies) expect((await company.create()).status).toBe(201)
  return companies
}

type Stores = { readonly COMPANY_STORES: object }
const withStores = ({ COMPANY_STORES }: Stores) => ({ bindings: { DB: env.DB, COMPANY_STORES } })

const leadsIn = async ({ db, campaign }: OwnCompany) =>
  db
    .prepare('select count(*) as n from leads where campaign_number = ?1')
    .bind(campaign.number)
    .first<number>('n')

const failures = [
  [
    'is overloaded',
    'Durable Object is overloaded. Too many requests queued.',
    { overloaded: true },
    'overloaded',
  ],
  [
    'is overloaded, and says that it may be tried again',
    'Durable Object is overloaded.',
    { overloaded: true, retryable: true },
    'overloaded',
  ],
  ['is full', 'database or disk is full: SQLITE_FULL', { remote: true }, 'database or disk is full'],
  [
    'exceeds its memory',
    "Durable Object's isolate exceeded its memory limit and was reset.",
    {},
    'exceeded its memory limit',
  ],
  ['fails inside', 'internal error; reference = 0123456789', {}, 'internal error'],
  [
    'is somewhere else by now',
    'Cannot access storage because object has moved to a different machine',
    {},
    'object has moved to a different machine',
  ],
  ['says what nobody knows', 'flux capacitor +4915112345678', {}, 'unknown'],
] as const

describe.each(failures)('A store that %s', (_, message, marks, reason) => {
  it('A store that fails is asked once, and its clients get 503; other companies work as before', async () => {
    const [ill, well, shared] = await seedThree()
    const stores = storeFailing(ill.store, message, marks)
    const logs = catchLogs()
    expectUnavailable(await ill.create(undefined, withStores(stores)))
    expect(logs.records.at(-1)).toMatchObject({ status: 503, problems: [`database ${reason}`] })
    expect(logs.text()).not.toContain('+4915112345678')
    expect(stores.calls).toHaveLength(1)
    for (const company of [well, shared]) dataOf(await company.create(undefined, withStores(stores)), 201)
    expect(await leadsIn(ill)).toBe(1)
    dataOf(await ill.create(), 201)
  })
})

describe('A store whose error the platform marks as safe to try again', () => {
  const message = 'Cannot resolve Durable Object due to transient issue on remote node.'

  it('A store whose error is marked as safe to try again is asked again by a new stub, and stores the lead once', async () => {
    const [ill] = await seedThree()
    let fails = 2
    const stores = storesThat((run) =>
      fails-- > 0 ? Promise.reject(Object.assign(new Error(message), { retryable: true })) : run(),
    )
    dataOf(await ill.create(undefined, withStores(stores)), 201)
    expect(stores.calls).toHaveLength(3)
    expect(await leadsIn(ill)).toBe(2)
  })

  it('A store whose error is marked as safe to try again stores nothing twice when only the answer was lost', async () => {
    const [ill] = await seedThree()
    let lost = 1
    const stores = storesThat(async (run) => {
      const answer = await run()
      if (lost-- > 0) throw Object.assign(new Error('Network connection lost.'), { retryable: true })
      return answer
    })
    dataOf(await ill.create(undefined, withStores(stores)), 201)
    expect(await leadsIn(ill)).toBe(2)
  })

  it('A store whose error is marked as safe to try again is given up after three tries', async () => {
    const [ill, well] = await seedThree()
    const stores = storeFailing(ill.store, message, { retryable: true })
    expectUnavailable(await ill.create(undefined, withStores(stores)))
    expect(stores.calls).toHaveLength(3)
    dataOf(await well.create(undefined, withStores(stores)), 201)
  })

  it('A store whose error has no mark is not asked again', async () => {
    const [ill] = await seedThree()
    const stores = storeFailing(ill.store, message)
    expectUnavailable(await ill.create(undefined, withStores(stores)))
    expect(stores.calls).toHaveLength(1)
  })
})

describe('A store that never answers', () => {
  it('A store that never answers keeps nobody else waiting', async () => {
    const [ill, well, shared] = await seedThree()
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
    const stores = storesThat(async (run, { store }) => {
      if (store === ill.store) await goesOn
      return run()
    })
    let isAnswered = false
    const waiting = ill.create(undefined, withStores(stores)).then((answer) => {
      isAnswered = true
      return answer
    })
    for (const company of [well, shared]) dataOf(await company.create(undefined, withStores(stores)), 201)
    expect(isAnswered).toBe(false)
    goOn()
    dataOf(await waiting, 201)
  })

  describe('within the time limit', () => {
    withTimeLimits()

    it('A store that never answers within the time limit is given up with 503', async () => {
      const [ill] = await seedThree()
      const stores = storesThat(() => new Promise(() => {}))
      expectUnavailable(await ill.create(undefined, withStores(stores)))
    })
  })
})

it('A store that is full reads as always, and says 503 to what writes', async () => {
  const [ill] = await seedThree()
  const stores = storesThat(async (run, { statements }) => {
    if (!statements.some(([text]) => /^\s*(insert|update)/i.test(text))) return run()
    throw new Error('database or disk is full: SQLITE_FULL')
  })
  expectUnavailable(await ill.create(undefined, withStores(stores)))
  dataOf(await ill.list(undefined, withStores(stores)), 200)
})

describe('A store whose migration fails', () => {
  /** An object that has a table in the way of a migration. */
  async function seedBroken() {
    const company = await seedCompanyIn('own')
    const store = newStore(company.companyId)
    const object = stubOf(store) as unknown as DurableObjectStub<CompanyStore>
    const sql = (text: string) =>
      runInDurableObject(object, (_: CompanyStore, { storage }) => storage.sql.exec(text).toArray())
    await sql('create table alerts (in_the_way integer)')
    const setStore = (name: string | null) =>
      env.DB.prepare('update companies set store = ?2 where id = ?1').bind(company.companyId, name).run()
    await setStore(store)
    // Else the cron of other tests would find it, and log it.
    onTestFinished(async () => void (await setStore(null)))
    return { company, store, sql }
  }

  it('A store whose migration fails answers 503 and is logged with its reason; others work, and it does once repaired', async () => {
    const [, well, shared] = await seedThree()
    const { company, store, sql } = await seedBroken()
    const logs = catchLogs()
    for (let times = 0; times < 2; times++) expectUnavailable(await company.list())
    expect(logs.records).toContainEqual({
      event: 'company_not_migrated',
      store,
      problem: expect.stringContaining('alerts'),
    })
    expect(logs.records.at(-1)).toMatchObject({ status: 503, problems: ['database store not migrated'] })
    for (const one of [well, shared]) dataOf(await one.create(), 201)

    await sql('drop table alerts')
    const db = databaseIn(store)
    const { results } = await db.prepare('select count(*) as n from leads').all()
    expect(results).toEqual([{ n: 0 }])
    expectFailure(await company.list(company.keyOf('agent').key), 401, 'Invalid or inactive API key')
  })
})

it.each(['0000_init.sql', '0019_key_ends.sql'])(
  'A store of a version before 2.0 that has applied %s is 503, and left as it is',
  async (name) => {
    const store = newStore('old')
    const object = stubOf(store) as unknown as DurableObjectStub<CompanyStore>
    const tables = () =>
      runInDurableObject(object, (_: CompanyStore, { storage }) =>
        storage.sql.exec("select name from sqlite_schema where name not like '\\_cf%' escape '\\'").toArray(),
      )
    await runInDurableObject(object, (_: CompanyStore, { storage }) => {
      storage.sql.exec('create table applied_migrations (name text primary key) without rowid')
      storage.sql.exec('insert into applied_migrations values (?)', name)
    })
    const before = await tables()
    const logs = catchLogs()
    await expect(databaseIn(store).prepare('select 1').all()).rejects.toThrow('store not migrated')
    const problem = 'the store is of a version before 2.0, which cannot be upgraded'
    expect(logs.records).toEqual([{ event: 'company_not_migrated', store, problem }])
    expect(await tables()).toEqual(before)
  },
)

describe('A migration', () => {
  const added = ['9999_of_the_test.sql', 'create table of_the_test (n integer)'] as const

  it('A migration comes with the Worker that needs it to an object that still runs the version before', async () => {
    const [own] = await seedThree()
    const db = databaseOf(sendTo(() => storeStub(env, own.store ?? ''), [...bundledMigrations, added]))
    const { rows } = await runBatch(db, [db.prepare('select count(*) as n from of_the_test')])
    expect(rows).toEqual([[{ n: 0 }]])
    // Once, and the version before goes on.
    await runBatch(db, [db.prepare('insert into of_the_test values (1)')])
    dataOf(await own.create(), 201)
  })

  it('A migration that one cannot apply is 503, keeps those before it, and none of it in part', async () => {
    const [own] = await seedThree()
    const broken = [
      '9999_of_the_test_too.sql',
      'create table half (n integer); create table leads (n integer)',
    ] as const
    const db = databaseOf(
      sendTo(() => storeStub(env, own.store ?? ''), [...bundledMigrations, added, broken]),
    )
    catchLogs()
    await expect(runBatch(db, [db.prepare('select 1')])).rejects.toMatchObject({
      reason: 'store not migrated',
    })
    dataOf(await own.create(), 201)
    const named = "select name from sqlite_schema where name in ('of_the_test', 'half')"
    const { results } = await databaseIn(own.store ?? '')
      .prepare(named)
      .all()
    expect(results).toEqual([{ name: 'of_the_test' }])
  })

  it('A migration stays applied in a store that is frozen, whose first request is a write', async () => {
    const [own] = await seedThree()
    await freezeOwn(own.store ?? '', own.companyId)
    const known = bundledMigrations as unknown as (typeof added)[]
    known.push(added)
    try {
      expectUnavailable(await own.create())
      const db = databaseIn(own.store)
      const { results } = await db.prepare('select count(*) as n from of_the_test').all()
      expect(results).toEqual([{ n: 0 }])
    } finally {
      known.pop()
    }
  })
})
