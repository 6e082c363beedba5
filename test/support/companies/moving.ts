// A company that a test moves between D1 and a store of its own: with rows in every table that a move copies, its keys,
// its webhook, and what it takes to drive a move. Always begins in D1, whatever TEST_STORE says.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { scheduler } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { generateApiKey } from '../../../src/base/access/api-key.ts'
import type { Scope } from '../../../src/base/access/scope.ts'
import { randomBase62 } from '../../../src/base/base62.ts'
import { envOfStore } from '../../../src/base/database/company-env.ts'
import { databaseOf, newStoreName } from '../../../src/base/database/company-store.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { wakeMove } from '../../../src/control/companies/move/drive-moves.ts'
import { type Move, readMove, requestMove } from '../../../src/control/companies/store/move-state.ts'
import { freezeRows } from '../../../src/control/companies/store/move-steps.ts'
import { insertCampaigns, insertCompanies, insertKeys, newPhone } from '../database/seed.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { readIndex } from '../leads/search-index.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { rowsOfCompany, rowsOfEveryTable } from './rows-of-company.ts'

export type MovingWorld = Awaited<ReturnType<typeof seedMoving>>

export const shared: D1Database = env.DB
/** The object of a store, and its tables, whatever state it is in. */
export const objectOf = (storeName: string) =>
  env.COMPANY_STORES.getByName(storeName) as unknown as DurableObjectStub<CompanyStore>
export const tablesOf = (storeName: string | null): D1Database =>
  storeName === null
    ? shared
    : databaseOf((statements) =>
        runInDurableObject(objectOf(storeName), (_, { storage }) =>
          storage.transactionSync(() =>
            statements.map(([text, values]) => ({
              results: storage.sql.exec(text, ...values).toArray(),
              meta: { changes: 0, rows_read: 0, rows_written: 0 },
            })),
          ),
        ),
      )

const { wait } = scheduler
/** Between its ranges a move lets others in. Nobody else is here. */
export const skipPauses = () =>
  void vi
    .spyOn(scheduler, 'wait')
    .mockImplementation((ms, options) => (ms === 1 ? Promise.resolve() : wait.call(scheduler, ms, options)))

const open = [['00:00', '24:00']]
const always = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, open]))

/** A company in D1 with a campaign that may call at all hours, a key of each scope, and a webhook. */
export async function seedMoving() {
  const companyId = `moving-${randomBase62(8)}`
  const campaignId = `campaign-${randomBase62(8)}`
  const keyOf = (scope: Scope) => ({ id: `key-${randomBase62(8)}`, key: generateApiKey(), companyId, scope })
  const keys = { manage: keyOf('manage'), write: keyOf('write'), agent: keyOf('agent'), read: keyOf('read') }
  await shared.batch([
    insertCompanies(shared, [companyId]),
    insertCampaigns(shared, companyId, [campaignId]),
    insertKeys(shared, Object.values(keys)),
  ])
  const manager = api(keys.manage.key)
  const writer = api(keys.write.key)
  const agent = api(keys.agent.key)
  const reader = api(keys.read.key)
  const settings = { timeZone: 'UTC', callingHours: always, appointmentHours: always }
  dataOf(await manager.request('PATCH', `/api/v1/campaigns/${campaignId}`, settings), 200)
  const receiver = openReceiver()
  const made = dataOf(
    await manager.request('POST', '/api/v1/webhooks', {
      url: receiver.url,
      types: ['leads.created', 'call.reported', 'campaign.changed', 'suppression.added'],
    }),
    201,
  )
  const { webhookId } = made as { webhookId: string }
  // It sends by its alarm alone, so it notes nothing while a test compares rows.
  await env.WEBHOOK_SENDERS.getByName(webhookId).resetBackoff(webhookId)
  return { companyId, campaignId, keys, manager, writer, agent, reader, receiver, webhookId }
}

/** Leads with external ids and metadata. */
export async function addLeads({ writer, campaignId }: MovingWorld, count: number) {
  const leads = Array.from({ length: count }, (_, index) => ({
    phoneNumber: newPhone(),
    externalId: `crm-${index} "é"`,
    metadata: { name: `Zoë ${index} \\ "quoted" \u0001 🙂`, index, half: 0.5 },
  }))
  const { createdIds } = dataOf(await writer.importLeads({ campaignId, leads }), 200)
  return createdIds.map((leadId, index) => ({ leadId, phoneNumber: leads[index]?.phoneNumber as string }))
}

export async function claim({ agent, campaignId }: MovingWorld, maxCalls: number): Promise<string[]> {
  const { calls } = dataOf(
    await agent.request('POST', '/api/v1/calls/claim', { campaignId, limit: maxCalls, leaseSeconds: 7200 }),
    200,
  ) as { calls: { callId: string }[] }
  return calls.map(({ callId }) => callId)
}

export const report = ({ agent }: MovingWorld, callId: string, outcome: string) =>
  agent.request('POST', '/api/v1/calls/report', { calls: [{ callId, outcome, details: { note: 'é' } }] })

/** A row in each table that has none yet. */
export async function fillTables(
  { companyId, keys, campaignId, manager }: MovingWorld,
  db = shared,
): Promise<void> {
  const erasure = { phoneNumber: newPhone() }
  dataOf(await manager.request('POST', '/api/v1/erasures', erasure), 200)
  const keyIds = { readKeyId: keys.read.id, agentKeyId: keys.agent.id }
  await db.batch(rowsOfEveryTable({ companyId, campaignId, ...keyIds }).map((text) => db.prepare(text)))
}

/** Rows of the company in each table, without what each side has of its own. */
export async function dump(
  storeName: string | null,
  companyId: string,
): Promise<Record<string, readonly string[]>> {
  const db = tablesOf(storeName)
  return { ...(await rowsOfCompany(db, companyId)), lead_search: await readIndex(db, companyId) }
}

/** Returns the name of its new store; null: D1. */
export async function wish(companyId: string, to: 'own' | 'shared'): Promise<string | null> {
  const toStore = to === 'own' ? newStoreName(companyId, { location: null, jurisdiction: null }) : null
  const move = await requestMove(shared, companyId, toStore, Date.now())
  if (move?.toStore !== toStore) throw new Error(`not requested: ${JSON.stringify(move)}`)
  return toStore
}

export const moveOf = async (companyId: string) => (await readMove(shared, companyId)) as Move

/** As the cron and the alarms do for this company, until its move is in one of the phases. */
export async function driveUntil(companyId: string, ...phases: Move['phase'][]): Promise<Move> {
  for (let rounds = 0; rounds < 500; rounds++) {
    const move = await moveOf(companyId)
    if (phases.includes(move.phase)) return move
    await wakeMove(env, move)
    const name = move.toStore ?? move.fromStore
    if (name !== null) await runDurableObjectAlarm(objectOf(name)).catch(() => false)
  }
  throw new Error(`still ${(await moveOf(companyId)).phase}: ${JSON.stringify(await moveOf(companyId))}`)
}

/**
 * What is left is deleted five minutes after the switch, when no isolate remembers any more where the company was.
 * Needs a clock of the test.
 */
export async function driveToEnd(companyId: string): Promise<Move> {
  const move = await driveUntil(companyId, 'switched', 'done', 'aborted')
  if (move.phase !== 'switched') return move
  vi.setSystemTime(Date.now() + 300_000)
  return driveUntil(companyId, 'done')
}

export async function moveTo(companyId: string, to: 'own' | 'shared'): Promise<string | null> {
  const name = await wish(companyId, to)
  const { phase, progress } = await driveUntil(companyId, 'switched', 'aborted')
  if (phase !== 'switched') throw new Error(progress.problem)
  return name
}

export type Way = readonly ('own' | 'shared')[]

/** Moves it that way, each move to its end. Returns the name of its store. */
export async function moveAlong(companyId: string, way: Way): Promise<string | null> {
  let name: string | null = null
  for (const to of way) {
    name = await moveTo(companyId, to)
    await driveToEnd(companyId)
  }
  return name
}

/** The company is where it was, and takes writes. */
export async function expectUntouched(world: MovingWorld, storeName: string | null, before: object) {
  expect(await dump(storeName, world.companyId)).toEqual(before)
  await addLeads(world, 1)
}

/** What runs there without a request takes it so. */
export const storeEnv = (storeName: string | null) => envOfStore(env, storeName)

/** As a move to D1 freezes a store of its own. */
export async function freezeOwn(storeName: string, companyId: string): Promise<void> {
  await freezeRows(tablesOf(storeName), companyId, Date.now())
  // It remembers its state, so it begins anew.
  await runInDurableObject(objectOf(storeName), async (_, state) => {
    state.storage.kv.put('state', 'frozen')
    await state.storage.sync()
    state.abort()
  }).catch(() => {})
}

/**
 * One alarm of the object on a D1 that fails at its call number `failAt`, from 1: before it has done anything, or
 * after, so that the answer is lost. Returns whether it came so far.
 */
export async function runOnce(companyId: string, failAt: number, isLost = false): Promise<boolean> {
  let calls = 0
  const batch = async (statements: D1PreparedStatement[]) => {
    calls++
    if (calls > failAt || (calls === failAt && !isLost)) throw new Error('D1_ERROR: overloaded')
    const results = await shared.batch(statements)
    if (calls === failAt) throw new Error('D1_ERROR: overloaded')
    return results
  }
  await runWith(companyId, { prepare: (text: string) => shared.prepare(text), batch })
  return calls >= failAt
}

/** One alarm of the object, with this in place of D1, and no other by itself afterwards. */
export async function runWith(companyId: string, DB: object): Promise<void> {
  const { toStore, fromStore } = await moveOf(companyId)
  await runInDurableObject(
    objectOf(toStore ?? fromStore ?? ''),
    async (object: CompanyStore, { storage }) => {
      const own = object as unknown as { env: object }
      const { env: real } = own
      own.env = { ...real, DB }
      try {
        await object.move(companyId)
        await object.alarm()
      } finally {
        await storage.deleteAlarm()
        own.env = real
      }
    },
  )
}

/** A few calls of D1 at a time, until it has begun to compare. */
export async function runUntilComparing(companyId: string): Promise<void> {
  for (let runs = 0; (await moveOf(companyId)).progress.head === undefined; runs++)
    await runOnce(companyId, 1 + (runs % 24))
}
