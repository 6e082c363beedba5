// A company's own store that a test restores to a time. The local platform has no history, so the test plays its part:
// it puts back all that the object had.
import { runInDurableObject } from 'cloudflare:test'
import { expect } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import type { RestoreRequest } from '../../../src/control/companies/restore-store.ts'
import { newPhone } from '../database/seed.ts'
import { api } from '../http/api.ts'
import { type OwnCompany, stubOf } from './own-company.ts'

export const objectOf = (store: string | null) => stubOf(store) as unknown as DurableObjectStub<CompanyStore>

export type Saved = ReturnType<typeof save>

const tablesIn = ({ sql }: DurableObjectStorage, type: string) =>
  sql
    .exec<{ name: string; sql: string }>(
      `select name, sql from sqlite_schema where type = ?1 and name not glob '_cf_*' and name not glob 'sqlite_*'
         and name not glob 'lead_search*'`,
      type,
    )
    .toArray()

function save(storage: DurableObjectStorage) {
  const tables = tablesIn(storage, 'table').map(({ name }) => ({
    name,
    rows: storage.sql.exec(`select * from ${name}`).toArray(),
  }))
  return { tables, values: [...storage.kv.list()] }
}

function putBack(storage: DurableObjectStorage, { tables, values }: Saved) {
  const { sql, kv } = storage
  storage.transactionSync(() => {
    sql.exec('pragma defer_foreign_keys = on')
    const triggers = tablesIn(storage, 'trigger')
    for (const { name } of triggers) sql.exec(`drop trigger ${name}`)
    for (const { name } of tables) sql.exec(`delete from ${name}`)
    for (const { name, rows } of tables)
      for (const { scheduled_at_ms: _, ...row } of rows)
        sql.exec(
          `insert into ${name} (${Object.keys(row).join()}) values (${Object.keys(row)
            .map(() => '?')
            .join()})`,
          ...Object.values(row),
        )
    for (const trigger of triggers) sql.exec(trigger.sql)
    sql.exec(`insert into lead_search (lead_search) values ('rebuild')`)
  })
  for (const [key] of [...kv.list()]) kv.delete(key)
  for (const [key, value] of values) kv.put(key, value)
}

/** What the platform offers, to the present life of the object. */
export async function giveHistory({ store }: OwnCompany, saved: Saved, restored: string[] = []) {
  await runInDurableObject(objectOf(store), (_: CompanyStore, { storage }) => {
    Object.assign(storage, {
      getBookmarkForTime: async (time: number) => `of ${time}`,
      getCurrentBookmark: async () => 'before',
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        restored.push(bookmark)
        putBack(storage, saved)
        await storage.sync()
        return 'before'
      },
    })
  })
}

/** A history that keeps its states as the platform does, for one restore or several. */
export function openHistory(company: OwnCompany) {
  const states: { readonly atMs: number; readonly saved: Saved }[] = []
  const keep = (saved: Saved) => String(states.push({ atMs: Date.now(), saved }) - 1)
  const offer = ({ storage }: DurableObjectState) =>
    Object.assign(storage, {
      getBookmarkForTime: async (time: number) => String(states.findLastIndex(({ atMs }) => atMs <= time)),
      getCurrentBookmark: async () => keep(save(storage)),
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        putBack(storage, states[Number(bookmark)]?.saved as Saved)
        await storage.sync()
        return 'before'
      },
    })
  return {
    /** The times at which its state was kept, of restores themselves too: to these the store can be restored. */
    times: () => states.map(({ atMs }) => atMs),
    keep: async () => void keep(await saveStore(company)),
    /** As the operator's request does it. Refused when an earlier restore has taken that time back. */
    async restore(toMs: number) {
      const request = requestOf(company, toMs)
      await runInDurableObject(objectOf(company.store), (_: CompanyStore, state) => offer(state))
      const ends = await askToRestore(company, request).catch((error: Error) => error.message)
      return ends === 'store restored' ? askToRestore(company, request) : ends
    },
  }
}

export const saveStore = ({ store }: OwnCompany) =>
  runInDurableObject(objectOf(store), (_: CompanyStore, { storage }) => save(storage))

export const requestOf = ({ companyId }: OwnCompany, toMs: number): RestoreRequest => ({
  id: randomBase62(16),
  companyId,
  toMs,
})

/** As the operator's request asks, once. */
export const askToRestore = async ({ store }: OwnCompany, request: RestoreRequest) =>
  await objectOf(store).restore(request)

/** As the operator's request does it: the object ends on the way, and is asked again. */
export async function restore(company: OwnCompany, saved: Saved, toMs: number) {
  const request = requestOf(company, toMs)
  await giveHistory(company, saved)
  await expect(askToRestore(company, request)).rejects.toThrow('store restored')
  return askToRestore(company, request)
}

export async function addLead({ ask, campaignId }: OwnCompany, more: object = {}) {
  const phoneNumber = newPhone()
  const { leadId } = await ask('POST', '/api/v1/leads', { campaignId, phoneNumber, ...more }, 201)
  return { leadId: leadId as string, phoneNumber }
}

export async function claim({ ask, campaignId }: OwnCompany, limit = 100) {
  const { calls } = await ask('POST', '/api/v1/calls/claim', { campaignId, limit })
  return (calls as { callId: string; lead: { _id: string } }[]).map(({ callId, lead }) => ({
    callId,
    leadId: lead._id,
  }))
}

export const report = ({ ask }: OwnCompany, callId: string | undefined, more: object) =>
  ask('POST', '/api/v1/calls/report', { calls: [{ callId, ...more }] })

export const resume = ({ ask, campaignId }: OwnCompany) =>
  ask('PATCH', `/api/v1/campaigns/${campaignId}`, { paused: false })

export const leadAt = ({ keyOf }: OwnCompany, leadId: string) =>
  api(keyOf('read').key).request('GET', `/api/v1/leads/${leadId}`)
