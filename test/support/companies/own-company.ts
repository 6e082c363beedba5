// Companies of which each is in D1 or in a store that no other has, wherever those of all other tests are. And the
// stores themselves, watched or failing.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { generateApiKey, hashApiKey } from '../../../src/base/access/api-key.ts'
import { keyScopes, type Scope } from '../../../src/base/access/scope.ts'
import { randomBase62 } from '../../../src/base/base62.ts'
import {
  newStoreName,
  type SentStatement,
  type StatementResult,
  storeStub,
} from '../../../src/base/database/company-store.ts'
import { openAtAllHours } from '../calling/agent.ts'
import { insertCompanies, insertKeys, newPhone } from '../database/seed.ts'
import { api, type Options } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { databaseWithShortcuts, enterInDirectory } from './own-store.ts'

export type Kind = 'shared' | 'own'

/** The database of a store, as tests seed and read it; null: D1. */
export const databaseIn = (store: string | null): D1Database =>
  store === null
    ? env.DB
    : databaseWithShortcuts((statements) => storeStub(env, store).batch(statements) as never)

export const newStore = (companyId: string) => newStoreName(companyId, { location: null, jurisdiction: null })

export type OwnCompany = Awaited<ReturnType<typeof seedCompanyIn>>

/** With a key of each scope, and a campaign that was created over HTTP. */
export async function seedCompanyIn(kind: Kind, campaignId = `campaign-${randomBase62(10)}`) {
  const companyId = `company-${randomBase62(10)}`
  const store = kind === 'own' ? newStore(companyId) : null
  const db = databaseIn(store)
  const keys = keyScopes.map((scope) => ({
    id: `key-${randomBase62(10)}`,
    key: generateApiKey(),
    companyId,
    scope,
  }))
  if (store !== null) await enterKeys(store, companyId, keys)
  await db.batch([insertCompanies(db, [companyId]), insertKeys(db, keys)])
  const keyOf = (scope: Scope) => keys.find((key) => key.scope === scope) as (typeof keys)[number]
  const ask = async (method: string, path: string, body?: object, status = 200) =>
    dataOf(await api(keyOf('manage').key).request(method, path, body), status) as Record<string, unknown>
  await ask('POST', '/api/v1/campaigns', { id: campaignId, name: campaignId, ...openAtAllHours }, 201)
  const row = await db
    .prepare('select number from campaigns where company_id = ?1 and id = ?2')
    .bind(companyId, campaignId)
    .first<{ number: number }>()
  const campaign = { id: campaignId, companyId, number: row?.number as number }
  return {
    kind,
    companyId,
    store,
    db,
    campaign,
    campaignId,
    keyOf,
    keys,
    /** As its manager. */
    ask,
    list: (key = keyOf('read').key, options: Options = {}) => api(key, options).listLeads({ campaignId }),
    create: (key = keyOf('write').key, options: Options = {}) =>
      api(key, options).createLead({ campaignId, phoneNumber: newPhone() }),
  }
}

type Keys = Parameters<typeof insertKeys>[1]

/** A company and its keys, in the directory. */
export const enterKeys = (store: string, companyId: string, keys: Keys) =>
  enterInDirectory(
    env.DB,
    store,
    [companyId],
    keys.map(({ id, key }) => ({ id, companyId, hash: hashApiKey(key) })),
  )

/** The object of a store. */
export const stubOf = (store: string | null) => storeStub(env, store as string)

export type StoreCall = { readonly store: string; readonly statements: readonly SentStatement[] }

type Behaviour = (
  run: () => Promise<readonly StatementResult[]>,
  call: StoreCall,
) => Promise<readonly StatementResult[]>

/** The stores behind a function that decides what becomes of each batch. */
export function storesThat(behave: Behaviour) {
  const calls: StoreCall[] = []
  const getByName = (store: string) => ({
    batch(statements: readonly SentStatement[]) {
      const call = { store, statements }
      calls.push(call)
      return behave(() => storeStub(env, store).batch(statements) as never, call)
    },
  })
  return { COMPANY_STORES: { getByName }, calls }
}

/** Runs everything, and notes it. */
export const watchedStores = () => storesThat((run) => run())

/** One store fails with this message, and runs nothing. `marks` are what the platform sets on such errors. */
export const storeFailing = (store: string | null, message: string, marks: object = {}) =>
  storesThat((run, call) =>
    call.store === store ? Promise.reject(Object.assign(new Error(message), marks)) : run(),
  )

/** The local platform has no history; the object that starts after this one has its own methods again. */
export const offerRestore = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, { storage }) => {
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
