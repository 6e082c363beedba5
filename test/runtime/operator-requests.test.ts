// What the operator requests of companies with a store of their own: each request is carried out by the store, in order and
// once, also after a crash; and the cron wakes stores that have not migrated.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeKey } from '../../src/access/api-key.ts'
import { createCampaign, createCompany } from '../../src/access/store/administration.ts'
import { enterKey, findOwnerOfKey, markKeysRevoked } from '../../src/access/store/directory.ts'
import { randomBase62 } from '../../src/base62.ts'
import { carryOut } from '../../src/companies/carry-out.ts'
import type { CompanyStore } from '../../src/companies/company-object.ts'
import type { OperatorRequest } from '../../src/companies/request.ts'
import {
  addRequests,
  type CompanyRequest,
  findPending,
  findResult,
} from '../../src/companies/store/requests.ts'
import { findCompaniesToTend } from '../../src/companies/store/states.ts'
import { tendStores } from '../../src/companies/tend-stores.ts'
import { newStoreName, storeStub } from '../../src/database/company-store.ts'
import { lastMigration } from '../../src/database/object-migrations.ts'
import { api } from '../support/api.ts'
import { dataOf, expectFailure } from '../support/expectations.ts'
import { catchLogs } from '../support/logs.ts'
import { databaseWithShortcuts } from '../support/own-store.ts'
import { newPhone } from '../support/world.ts'

afterEach(() => void vi.restoreAllMocks())

const nowhere = { location: null, jurisdiction: null }

type Row = Record<string, unknown>

/** A company with a store of its own, as `company create --store own` leaves it. */
async function ownCompany() {
  const companyId = `own-${randomBase62(12)}`
  const store = newStoreName(companyId, nowhere)
  await createCompany(env.DB, { id: companyId, name: 'Acme', createdAtMs: Date.now() }, store)
  const own = databaseWithShortcuts((statements) => storeStub(env, store).batch(statements))
  const tend = () => storeStub(env, store).tend(companyId)
  const request = async (request: OperatorRequest): Promise<string> => {
    const id = randomBase62(16)
    await addRequests(env.DB, [{ id, request: request as CompanyRequest, createdAtMs: Date.now() }])
    return id
  }
  const have = async (wanted: OperatorRequest) => {
    const id = await request(wanted)
    await tend()
    return findResult(env.DB, id)
  }
  const rows = async (table: string, db = own) =>
    (await db.prepare(`select * from ${table} order by 1, 2`).all<Row>()).results
  /** All that requests write. */
  const dump = async () => {
    const { results: keys } = await env.DB.prepare(
      'select * from store_keys where company_id = ?1 order by hash',
    )
      .bind(companyId)
      .all<Row>()
    const tables = await Promise.all(
      ['companies', 'campaigns', 'api_keys', 'webhooks', 'events'].map((t) => rows(t)),
    )
    return { tables, keys }
  }
  const campaign = (id = 'spring'): OperatorRequest<'campaign.create'> => ({
    kind: 'campaign.create',
    companyId,
    id,
    name: 'Spring',
    createdAtMs: Date.now(),
  })
  const key = (more: Partial<OperatorRequest<'key.create'>> = {}) => {
    const { key, material } = makeKey()
    const rights = {
      companyId,
      campaignId: 'spring',
      scope: 'write',
      name: 'crm',
      expiresAtMs: null,
    } as const
    return {
      key,
      request: { kind: 'key.create', ...material, ...rights, nowMs: Date.now(), ...more } as const,
    }
  }
  const rotation = (oldId: string, graceMs = 0) => {
    const { key, material } = makeKey()
    const request = { kind: 'key.rotate', ...material, companyId, oldId, graceMs } as const
    return { key, request: { ...request, expiresAtMs: null, keepWebhooks: false } as const }
  }
  const revocation = (id: string, more = {}): OperatorRequest<'key.revoke'> => ({
    ...{ kind: 'key.revoke', companyId, id, nowMs: Date.now(), keepWebhooks: false, withCreated: false },
    ...more,
  })
  const addWebhook = (createdBy: string) =>
    own
      .prepare(
        `insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms, created_by)
         values ('wh_' || ?2, ?1, 'https://example.com/?token=secret', '[]', '[]', 0, 0, ?2)`,
      )
      .bind(companyId, createdBy)
      .run()
  return {
    companyId,
    store,
    own,
    tend,
    request,
    have,
    rows,
    dump,
    campaign,
    key,
    rotation,
    revocation,
    addWebhook,
  }
}

type Own = Awaited<ReturnType<typeof ownCompany>>

const reservedNumber = async () =>
  (await env.DB.prepare('select last from campaign_numbers').first<number>('last')) as number

const stateOf = (companyId: string) =>
  env.DB.prepare('select * from store_states where company_id = ?1').bind(companyId).first<Row>()

/** Each kind with what it needs, and the kind of its result. */
const kinds: Readonly<
  Record<
    string,
    readonly [
      kind: string,
      make: (own: Own) => Promise<Exclude<OperatorRequest, { kind: 'company.restore' }>>,
    ]
  >
> = {
  'campaign.create': ['created', async (own) => own.campaign('autumn')],
  'key.create': ['created', async (own) => own.key().request],
  'key.rotate': [
    'rotated',
    async (own) => {
      const { request } = own.key()
      await own.have(request)
      await own.addWebhook(request.id)
      return own.rotation(request.id).request
    },
  ],
  'key.revoke': [
    'revoked',
    async (own) => {
      const [root, child] = [own.key().request, own.key().request]
      await own.have(root)
      await own.have(child)
      await own.own.prepare('update api_keys set created_by = ?1 where id = ?2').bind(root.id, child.id).run()
      await own.addWebhook(root.id)
      await own.addWebhook(child.id)
      return own.revocation(root.id, { withCreated: true })
    },
  ],
  'event.restored': [
    'begun',
    async ({ companyId }) => ({
      ...{ kind: 'event.restored', companyId, restoredToMs: Date.now() - 60_000, nowMs: Date.now() },
    }),
  ],
}

describe('A request', () => {
  it.each(Object.entries(kinds))(
    '%s is carried out once, also after a crash before it is marked done',
    async (_, [kind, make]) => {
      const own = await ownCompany()
      await own.have(own.campaign())
      const request = await make(own)
      const before = await own.dump()

      const first = await carryOut({ own: own.own, directory: env.DB }, request)
      const after = await own.dump()
      expect(first.kind).toBe(kind)
      expect(after).not.toEqual(before)
      const reserved = await reservedNumber()

      // Later, as the minute after a crash is.
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 90_000)
      expect(await own.have(request)).toEqual(first)
      await own.tend()
      expect(await own.dump()).toEqual(after)
      expect(await reservedNumber()).toBe(reserved)
      expect(await findPending(env.DB, own.companyId)).toEqual([])
    },
  )

  it('comes after those that were made before it', async () => {
    const own = await ownCompany()
    const { key, request } = own.key()
    const { key: successor, request: rotate } = own.rotation(request.id)
    const { key: revoked, request: other } = own.key()
    const requests = [own.campaign(), request, other, rotate, own.revocation(other.id)]
    const ids: string[] = []
    for (const one of requests) ids.push(await own.request(one))
    await Promise.all([own.tend(), own.tend()])
    const results = await Promise.all(ids.map((id) => findResult(env.DB, id)))
    expect(results.map((result) => result?.kind)).toEqual([
      'created',
      'created',
      'created',
      'rotated',
      'revoked',
    ])
    const statuses = await Promise.all(
      [key, successor, revoked].map(
        async (one) => (await api(one).listLeads({ campaignId: 'spring' })).status,
      ),
    )
    expect(statuses).toEqual([401, 200, 401])
  })

  it('is refused as in D1: unknown campaign or key, and a campaign that exists', async () => {
    const own = await ownCompany()
    await own.have(own.campaign())
    const reserved = await reservedNumber()
    expect(await own.have({ ...own.campaign(), createdAtMs: 1 })).toEqual({ kind: 'id_taken' })
    expect(await reservedNumber()).toBe(reserved)
    const { key, request } = own.key({ campaignId: 'none' })
    expect(await own.have(request)).toEqual({ kind: 'campaign_unknown' })
    expectFailure(await api(key).listLeads({ campaignId: 'spring' }), 401, 'Invalid or inactive API key')
    expect(await own.have(own.revocation('key_none'))).toEqual({ kind: 'key_unknown' })
    expect(await own.have(own.rotation('key_none').request)).toEqual({ kind: 'key_unknown' })
    const { request: known } = own.key()
    await own.have(known)
    await own.have(own.revocation(known.id))
    expect(await own.have(own.rotation(known.id).request)).toEqual({ kind: 'key_inactive' })
    // A company that is not there is entered nowhere.
    await storeStub(env, own.store).tend('nobody')
    expect((await own.rows('companies')).map(({ id }) => id)).toEqual([own.companyId])
  })

  it('gives a campaign a number that no campaign of any store has, and the demo its settings', async () => {
    const [one, other] = [await ownCompany(), await ownCompany()]
    await one.have({ ...one.campaign(), settings: { timeZone: 'UTC' } })
    await other.have(other.campaign())
    const [mine] = await one.rows('campaigns')
    const [theirs] = await other.rows('campaigns')
    expect(theirs?.number).toBeGreaterThan(mine?.number as number)
    expect(await one.rows('calling_settings')).toMatchObject([{ time_zone: 'UTC' }])
    expect(await other.rows('calling_settings')).toEqual([])
  })

  it('counts the grace period of a key from when the new one works', async () => {
    const own = await ownCompany()
    await own.have(own.campaign())
    const { key, request } = own.key()
    await own.have(request)
    const rotate = own.rotation(request.id, 60_000)
    await own.request(rotate.request)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    await own.tend()
    for (const each of [key, rotate.key])
      expect((await api(each).listLeads({ campaignId: 'spring' })).status).toBe(200)
  })

  it('waits while a move copies the company, also when the company has left', async () => {
    const own = await ownCompany()
    const id = await own.request(own.campaign())
    const set = (column: string, value: unknown, db = env.DB) =>
      db.prepare(`update companies set ${column} = ?2 where id = ?1`).bind(own.companyId, value).run()
    await own.own
      .prepare('insert into companies (id, name, created_at_ms) values (?1, ?1, 0)')
      .bind(own.companyId)
      .run()
    await set('frozen_at_ms', 1, own.own)
    await own.tend()
    expect(await findResult(env.DB, id)).toBeNull()
    await set('frozen_at_ms', null, own.own)
    await set('store', newStoreName(own.companyId, nowhere))
    await own.tend()
    expect(await findResult(env.DB, id)).toBeNull()
    // In D1 by now: the cron carries it out there, once the copy is complete.
    await set('store', null)
    await set('frozen_at_ms', 1)
    await tendStores(env)
    expect(await findResult(env.DB, id)).toBeNull()
    await set('frozen_at_ms', null)
    await tendStores(env)
    expect(await findResult(env.DB, id)).toEqual({ kind: 'created' })
    expect(await own.rows('campaigns')).toEqual([])
    expect(
      (await own.rows('campaigns', env.DB)).filter((row) => row.company_id === own.companyId),
    ).toHaveLength(1)
  })

  it('is carried out in a store where the company has arrived, while D1 still deletes its rows', async () => {
    const own = await ownCompany()
    await env.DB.prepare('update companies set frozen_at_ms = 1 where id = ?1').bind(own.companyId).run()
    expect(await own.have(own.campaign())).toEqual({ kind: 'created' })
    await env.DB.prepare('update companies set frozen_at_ms = null where id = ?1').bind(own.companyId).run()
  })

  it('that was done is deleted after a week', async () => {
    const own = await ownCompany()
    await own.have(own.campaign())
    const count = async () =>
      (await own.rows('operator_requests', env.DB)).filter((row) => row.company_id === own.companyId).length
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 7 * 86_400_000 + 1)
    await own.have(own.campaign('autumn'))
    expect(await count()).toBe(1)
  })
})

describe('A key of a company with its own store', () => {
  it('is refused at once where it is not known yet, when the directory has it as revoked', async () => {
    const own = await ownCompany()
    await own.have(own.campaign())
    const { key, request } = own.key()
    await own.have(request)
    await markKeysRevoked(env.DB, [request.id], Date.now())
    expectFailure(await api(key).listLeads({ campaignId: 'spring' }), 401, 'Invalid or inactive API key')
    expect(await own.rows('api_keys')).toMatchObject([{ revoked_at_ms: null }])
  })

  it('stores leads in that store alone', async () => {
    const own = await ownCompany()
    await own.have(own.campaign())
    const { key, request } = own.key()
    await own.have(request)
    const phoneNumber = newPhone()
    dataOf(await api(key).createLead({ campaignId: 'spring', phoneNumber }), 201)
    expect(await own.rows('leads')).toMatchObject([{ phone_number: phoneNumber }])
    const stored = env.DB.prepare('select count(*) as n from leads where phone_number = ?1').bind(phoneNumber)
    expect(await stored.first('n')).toBe(0)
    await own.tend()
    expect(await stateOf(own.companyId)).toMatchObject({ leads: 1, last_migration: lastMigration })
  })

  it('is refused by the directory too once its store has revoked it, and so are those that end with it', async () => {
    const own = await ownCompany()
    const [root, child] = [own.key({ campaignId: null }), own.key({ campaignId: null })]
    await own.have(root.request)
    await own.have(child.request)
    await own.own
      .prepare('update api_keys set created_by = ?1 where id = ?2')
      .bind(root.request.id, child.request.id)
      .run()
    const nowMs = Date.now()
    await own.have(own.revocation(root.request.id, { withCreated: true, nowMs }))
    const { keys } = await own.dump()
    expect(keys.map((key) => key.revoked_at_ms)).toEqual([nowMs, nowMs])
  })

  it('names its company while it has that store', async () => {
    const own = await ownCompany()
    const { request } = own.key()
    await enterKey(env.DB, request)
    expect(await findOwnerOfKey(env.DB, request.id)).toBe(own.companyId)
    await env.DB.prepare('update companies set store = null where id = ?1').bind(own.companyId).run()
    expect(await findOwnerOfKey(env.DB, request.id)).toBeNull()
  })
})

describe('The cron', () => {
  it('wakes a store that was never woken, and one that has not applied the last migration; each notes its state', async () => {
    const own = await ownCompany()
    const isNoted = async () => {
      await tendStores(env)
      return (await stateOf(own.companyId))?.last_migration === lastMigration
    }
    while (!(await isNoted()));
    expect(await stateOf(own.companyId)).toMatchObject({ leads: 0, size_bytes: expect.any(Number) })
    expect(await own.rows('companies')).toMatchObject([{ id: own.companyId, name: 'Acme', store: null }])

    // As a deploy with a new migration leaves it.
    const set = (name: string) =>
      env.DB.prepare('update store_states set last_migration = ?2, noted_at_ms = 1 where company_id = ?1')
        .bind(own.companyId, name)
        .run()
    await set('2000_before.sql')
    while (!(await isNoted()));
    // As an older version of the Worker finds it after a rollback.
    await set('9999_later.sql')
    await tendStores(env)
    expect(await stateOf(own.companyId)).toMatchObject({ last_migration: '9999_later.sql', noted_at_ms: 1 })
  })

  it('leaves the numbers of a store to it, where a restored D1 does not know them', async () => {
    const own = await ownCompany()
    await own.have(own.campaign())
    await env.DB.exec('update campaign_numbers set last = last - 1')
    const last = (await reservedNumber()) + 1
    expect(await own.rows('campaigns')).toMatchObject([{ number: last }])
    await env.DB.prepare(`update store_states set last_migration = '' where company_id = ?1`)
      .bind(own.companyId)
      .run()
    while ((await reservedNumber()) < last) await tendStores(env)
    const shared = { id: `shared-${randomBase62(8)}`, name: 'S', createdAtMs: Date.now() }
    await createCompany(env.DB, shared)
    await createCampaign(env.DB, { ...shared, companyId: shared.id })
    const row = env.DB.prepare('select number from campaigns where company_id = ?1').bind(shared.id)
    expect(await row.first('number')).toBeGreaterThan(last)
  })

  it('has a store carry out what is requested, and one that fails holds up no other and is logged', async () => {
    const [failing, own] = [await ownCompany(), await ownCompany()]
    await storeStub(env, failing.store).tend(failing.companyId)
    await storeStub(env, own.store).tend(own.companyId)
    const ids = [await failing.request(failing.campaign()), await own.request(own.campaign())]
    const stores = env.COMPANY_STORES
    const getByName = (name: string) => {
      if (name !== failing.store) return stores.getByName(name)
      return { tend: () => Promise.reject(new Error(`store not migrated: ${newPhone()}`)) }
    }
    const logs = catchLogs()
    await tendStores({ ...env, COMPANY_STORES: { getByName } } as unknown as Env)
    expect(await Promise.all(ids.map((id) => findResult(env.DB, id)))).toEqual([null, { kind: 'created' }])
    // Other tests may have left stores that fail, too.
    const companies = [failing.companyId, own.companyId] as unknown[]
    expect(logs.records.filter(({ companyId }) => companies.includes(companyId))).toEqual([
      { event: 'company_not_tended', companyId: failing.companyId, problem: 'store not migrated' },
    ])
    await failing.tend()
  })

  it('reads an index that is empty where no company has a store of its own', async () => {
    let text = ''
    const prepare = (sql: string) => {
      text = sql
      return env.DB.prepare(sql)
    }
    const batch = (statements: D1PreparedStatement[]) => env.DB.batch(statements)
    await findCompaniesToTend({ prepare, batch } as unknown as D1Database, lastMigration)
    const plan = await env.DB.prepare(`explain query plan ${text}`).bind('').all<{ detail: string }>()
    const reads = plan.results
      .map(({ detail }) => detail)
      .filter((detail) => /^(SCAN|SEARCH) (companies|operator)/.test(detail))
    expect(reads).toEqual([
      expect.stringMatching(/^SEARCH companies USING INDEX \S+ \(id=\?\)$/),
      'SCAN operator_requests USING INDEX operator_requests_pending',
      'SEARCH companies USING INDEX companies_store (store>?)',
    ])
  })

  it('throws nothing when D1 does not answer, and says so', async () => {
    const logs = catchLogs()
    const batch = () => Promise.reject(new Error('D1 DB is overloaded'))
    const DB = { prepare: (text: string) => env.DB.prepare(text), batch } as unknown as D1Database
    await tendStores({ ...env, DB })
    expect(logs.records).toEqual([{ event: 'tending_failed', problem: 'database overloaded' }])
  })
})

describe('The alarm of a store', () => {
  /** A store that has just noted its state, which D1 has lost. */
  async function notedStore() {
    const own = await ownCompany()
    await own.have(own.campaign())
    await env.DB.prepare('delete from store_states where company_id = ?1').bind(own.companyId).run()
    return { ...own, stub: storeStub(env, own.store) as unknown as DurableObjectStub<CompanyStore> }
  }

  it('notes its state when an hour has passed, or when it has migrated', async () => {
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

  it('does its work and is set again when D1 does not answer', async () => {
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
  const restoreOf = (companyId: string, toMs: number): OperatorRequest<'company.restore'> => ({
    ...{ kind: 'company.restore', companyId, toMs, nowMs: Date.now() },
  })

  it('is refused in plain words where the platform has none', async () => {
    const own = await ownCompany()
    expect(await own.have(restoreOf(own.companyId, Date.now() - 60_000))).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/\w+/),
    })
  })

  it('ends the object, which the cron tends again at once, and comes before what was requested after it', async () => {
    const own = await ownCompany()
    await own.tend()
    const id = await own.request(restoreOf(own.companyId, Date.now() - 60_000))
    const campaignId = await own.request(own.campaign())
    const stub = storeStub(env, own.store) as unknown as DurableObjectStub<CompanyStore>
    await runInDurableObject(stub, (_, { storage }) => {
      // The local platform has no history; the object that starts after this one has its own methods again.
      Object.assign(storage, {
        getBookmarkForTime: async () => 'then',
        getCurrentBookmark: async () => 'before',
        onNextSessionRestoreBookmark: async () => {
          storage.kv.delete('restoring')
          await storage.sync()
          return 'before'
        },
      })
    })
    const logs = catchLogs()
    await tendStores(env)
    expect(logs.records.filter(({ companyId }) => companyId === own.companyId)).toEqual([])
    expect(await findResult(env.DB, id)).toEqual({ kind: 'restored', undoBookmark: 'before' })
    const [company] = await own.rows('companies')
    expect(JSON.parse(String(company?.log_epochs))).toHaveLength(1)
    expect(await findResult(env.DB, campaignId)).toEqual({ kind: 'created' })
    expect(await own.rows('campaigns')).toHaveLength(1)
    expect(await findPending(env.DB, own.companyId)).toEqual([])
  })

  it('is refused to a time before a move has filled the store', async () => {
    const own = await ownCompany()
    await own.tend()
    const stub = storeStub(env, own.store) as unknown as DurableObjectStub<CompanyStore>
    const openSinceMs = Date.now() - 120_000
    await runInDurableObject(stub, (_, { storage }) => storage.kv.put('openSince', openSinceMs))
    const came = `the company came to it later, at ${new Date(openSinceMs).toISOString()}`
    expect(await own.have(restoreOf(own.companyId, openSinceMs + 59_999))).toEqual({
      kind: 'refused',
      reason: came,
    })
    const later = await own.have(restoreOf(own.companyId, openSinceMs + 60_000))
    expect(later).toMatchObject({ kind: 'refused', reason: expect.not.stringContaining('came') })
  })

  it('is not carried out by a request that has waited for more than an hour', async () => {
    const own = await ownCompany()
    const id = await own.request(restoreOf(own.companyId, Date.now() - 60_000))
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001)
    await own.tend()
    expect(await findResult(env.DB, id)).toEqual({ kind: 'too_late' })
  })
})
