// The list of a company's keys, and how they are used. Who may see it is in the access table.
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { addUses } from '../../src/base/access/store/key-hours.ts'
import { waits } from '../../src/base/limits.ts'
import { databaseThat, rowsOf, watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { catchLogs } from '../support/run/logs.ts'
import { newPhone, revokeKey, seedCampaign, seedKey, seedKeys, seedWorld } from '../support/world.ts'

type Key = {
  keyId: string
  name: string
  scope: string
  campaignId: string | null
  lastUsedAt: string | null
  requests: number
  refused: Record<string, number>
} & Record<string, unknown>

const { keyUseMs } = waits
beforeAll(async () => {
  Object.assign(waits, { keyUseMs: 200 })
  // What the tests of other files have left to be written is, before anything is counted here: no more is gathered of
  // keys than so much.
  const { campaignId, writeKey, writeKeyId, find } = await seedManaged()
  await vi.waitFor(async () => {
    await api(writeKey).listLeads({ campaignId })
    expect((await find(writeKeyId)).requests).toBeGreaterThan(0)
  }, 60_000)
})
afterAll(() => void Object.assign(waits, { keyUseMs }))

async function seedManaged() {
  const world = await seedWorld()
  const manage = await seedKey({ companyId: world.companyId, scope: 'manage' })
  const list = async (key = manage.key) =>
    dataOf(await api(key).request('GET', '/api/v1/keys'), 200) as unknown as { keys: Key[]; since: string }
  const find = async (keyId: string) => (await list()).keys.find((key) => key.keyId === keyId) as Key
  return { ...world, manage, list, find }
}

const hourMs = 3_600_000

it('The list of keys has all keys of the company and no other, with what they may, and never the key', async () => {
  const { companyId, campaign, writeKeyId, readKeyId, manage, list } = await seedManaged()
  await seedWorld()
  const ended = await seedKey({ companyId, campaign, scope: 'agent', expiresAtMs: 7_200_000 })
  await revokeKey(ended.id, 3_600_000)
  const { keys } = await list()
  expect(keys.map(({ keyId }) => keyId).sort()).toEqual([writeKeyId, readKeyId, manage.id, ended.id].sort())
  expect(keys.find(({ keyId }) => keyId === ended.id)).toEqual({
    keyId: ended.id,
    name: ended.id,
    scope: 'agent',
    campaignId: campaign.id,
    hint: `${ended.key.slice(0, 7)}…`,
    createdAt: '1970-01-01T00:00:00.000Z',
    createdBy: null,
    actorName: null,
    successorOf: null,
    isDialer: false,
    sourceId: null,
    expiresAt: '1970-01-01T02:00:00.000Z',
    revokedAt: '1970-01-01T01:00:00.000Z',
    lastUsedAt: null,
    requests: 0,
    refused: {},
  })
  expect(keys.find(({ keyId }) => keyId === writeKeyId)).toMatchObject({
    campaignId: null,
    revokedAt: null,
  })
})

it('The list of keys reads three rows for each key that was not used, newest first, and none of other companies', async () => {
  const [one, other] = [await seedManaged(), await seedManaged()]
  const kinds = Array.from({ length: 200 }, () => ({ companyId: one.companyId }))
  await seedKeys(kinds)
  await seedKeys(kinds.map(() => ({ companyId: other.companyId })))
  const newest = await seedKey({ companyId: one.companyId })
  const setCreated = companyDb.prepare('update api_keys set created_at_ms = 5 where id = ?1')
  await setCreated.bind(newest.id).run()
  const { DB, trips } = watchedDatabase()
  const { keys } = dataOf(
    await api(one.manage.key, { bindings: { DB } }).request('GET', '/api/v1/keys'),
    200,
  ) as unknown as { keys: Key[] }
  expect(keys).toHaveLength(kinds.length + 4)
  expect(rowsOf(trips, 'rows_read')).toBeLessThan(3 * keys.length + 20)
  const ids = keys.map(({ keyId }) => keyId)
  expect(ids).toEqual([newest.id, ...ids.slice(1).toSorted()])
})

it('The list of keys, to a key of one campaign, has the keys of that campaign alone', async () => {
  const { companyId, campaign, list } = await seedManaged()
  const manage = await seedKey({ companyId, campaign, scope: 'manage' })
  const own = await seedKey({ companyId, campaign, scope: 'read' })
  await seedKey({ companyId, campaign: await seedCampaign(companyId) })
  const { keys } = await list(manage.key)
  expect(keys.map(({ keyId }) => keyId).sort()).toEqual([manage.id, own.id].sort())
})

it('How a key is used is counted some seconds later: its requests, the refused of them by code, and when it was last used', async () => {
  const { campaignId, writeKey, writeKeyId, readKeyId, find } = await seedManaged()
  const before = Date.now()
  const lead = { campaignId, phoneNumber: newPhone() }
  const client = api(writeKey)
  for (const body of [lead, lead, lead, { ...lead, campaignId: 'none' }, {}]) await client.createLead(body)
  await client.request('GET', '/api/v1/nothing')
  await vi.waitFor(async () => expect((await find(writeKeyId)).requests).toBe(6), 60_000)
  const key = await find(writeKeyId)
  expect(key.refused).toEqual({ lead_exists: 2, campaign_denied: 1, invalid_field: 1, not_found: 1 })
  const lastUsedAtMs = Date.parse(key.lastUsedAt ?? '')
  expect(lastUsedAtMs).toBeGreaterThanOrEqual(before)
  expect(lastUsedAtMs).toBeLessThanOrEqual(Date.now())
  expect(await find(readKeyId)).toMatchObject({ requests: 0, lastUsedAt: null, refused: {} })
})

it('How a key is used is written for all requests and keys of some seconds at once', async () => {
  const { campaignId, writeKey, readKey, writeKeyId, readKeyId, find } = await seedManaged()
  const { DB, trips } = watchedDatabase()
  const list = (key: string) => api(key, { bindings: { DB } }).listLeads({ campaignId })
  await Promise.all([writeKey, readKey, writeKey, readKey, writeKey].map(list))
  await vi.waitFor(async () => expect((await find(writeKeyId)).requests).toBe(3), 60_000)
  expect((await find(readKeyId)).requests).toBe(2)
  const written = trips.filter(({ statements }) => statements.some(({ sql }) => sql.includes('key_hours')))
  expect(written.length).toBeLessThanOrEqual(1)
})

it('How a key is used is lost and logged when its write fails; later uses are counted', async () => {
  const { campaignId, writeKey, writeKeyId, find } = await seedManaged()
  const logs = catchLogs()
  onTestFinished(() => void vi.restoreAllMocks())
  const { DB } = databaseThat((run, { statements }) =>
    statements.some(({ sql }) => sql.includes('key_hours'))
      ? Promise.reject(new Error('D1_ERROR: overloaded'))
      : run(),
  )
  const isLost = () =>
    logs.records.some(({ event, reason }) => event === 'key_uses_lost' && reason === 'overloaded')
  await vi.waitFor(async () => {
    await api(writeKey, { bindings: { DB } }).listLeads({ campaignId })
    expect(isLost()).toBe(true)
  }, 60_000)
  const { requests } = await find(writeKeyId)
  // The first may be gathered for a write that fails yet.
  await vi.waitFor(async () => {
    await api(writeKey).listLeads({ campaignId })
    expect((await find(writeKeyId)).requests).toBeGreaterThan(requests)
  }, 60_000)
})

it('How a key is used is that of the last seven days, in whole hours; what is older is forgotten', async () => {
  // The hour must not end in the middle of it.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { readKeyId, find, list } = await seedManaged()
  const sinceMs = Date.parse((await list()).since)
  expect(sinceMs % hourMs).toBe(0)
  expect(Date.now() - sinceMs).toBeGreaterThan(7 * 24 * hourMs - hourMs)
  expect(Date.now() - sinceMs).toBeLessThanOrEqual(7 * 24 * hourMs)
  const use = (code: string, requests: number, lastUsedAtMs: number) => ({
    keyId: readKeyId,
    code,
    requests,
    lastUsedAtMs,
  })
  const early = [use('', 5, sinceMs - 1), use('', 2, sinceMs), use('rate_limited', 3, sinceMs + 5)]
  // Written when the first was not too old.
  await addUses(companyDb, early, sinceMs)
  expect(await find(readKeyId)).toMatchObject({
    requests: 5,
    refused: { rate_limited: 3 },
    lastUsedAt: new Date(sinceMs + 5).toISOString(),
  })
  const kept = () =>
    companyDb.prepare('select sum(requests) as n from key_hours where key_id = ?1').bind(readKeyId).first('n')
  expect(await kept()).toBe(10)
  await addUses(companyDb, [use('', 1, Date.now())], Date.now())
  expect(await kept()).toBe(6)
})

it('How a key is used adds up what several isolates write of one hour', async () => {
  const { readKeyId, find } = await seedManaged()
  const nowMs = Date.now()
  const use = { keyId: readKeyId, code: 'lead_not_found', requests: 2, lastUsedAtMs: nowMs }
  await Promise.all([
    addUses(companyDb, [use], nowMs),
    addUses(companyDb, [{ ...use, requests: 3, lastUsedAtMs: nowMs - 1 }], nowMs),
  ])
  expect(await find(readKeyId)).toMatchObject({
    requests: 5,
    refused: { lead_not_found: 5 },
    lastUsedAt: new Date(nowMs).toISOString(),
  })
})

it('A write of key uses reads no key of companies that do not move, and counts none of one that does', async () => {
  const nowMs = Date.now()
  const others = await Promise.all([seedManaged(), seedManaged()])
  const [{ companyId: moving }] = others
  const uses = others.map(({ readKeyId: keyId }) => ({ keyId, code: '', requests: 1, lastUsedAtMs: nowMs }))
  const write = async () => {
    const { DB, trips } = watchedDatabase()
    await addUses(DB, uses, nowMs)
    return rowsOf(trips, 'rows_read')
  }
  const requestsOf = () =>
    Promise.all(others.map(async ({ find, readKeyId }) => (await find(readKeyId)).requests))
  const freeze = (atMs: number | null) =>
    companyDb.prepare('update companies set frozen_at_ms = ?2 where id = ?1').bind(moving, atMs).run()
  // Other tests leave companies that move: what counts is what these keys add.
  const before = await write()
  for (const { companyId } of others)
    await companyDb
      .prepare(
        `insert into api_keys (id, hash, name, scope, company_id, hint, created_at_ms)
         select 'many-' || ?1 || value, 'many-' || ?1 || value, 'many', 'read', ?1, 'many', 1
         from json_each(?2)`,
      )
      .bind(companyId, JSON.stringify(Array.from({ length: 400 }, (_, place) => place)))
      .run()
  const rows = await write()
  expect(await requestsOf()).toEqual([2, 2])
  await freeze(nowMs)
  onTestFinished(() => void freeze(null))
  await write()
  expect(await requestsOf()).toEqual([2, 3])
  expect(rows - before).toBeLessThan(60)
})
