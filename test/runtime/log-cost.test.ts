// What the log costs the requests that it notes, and those that read it.
import { expect, it } from 'vitest'
import { seedAgent } from '../support/calling/agent.ts'
import { rowsOf, watchedDatabase } from '../support/database/database.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { entriesOf, listenTo, seedEntries } from '../support/ledger/log.ts'
import { seedSource } from '../support/sources/source-world.ts'
import { seedKey, seedWorld } from '../support/world.ts'

it('The log costs one row for each call that is reported, and one more by which its lead finds it', async () => {
  const world = await seedAgent()
  const written = async () => {
    const { callId } = await world.call()
    const { DB, trips } = watchedDatabase()
    const calls = [{ callId, outcome: 'busy' }]
    const client = api(world.agentKey, { bindings: { DB } })
    dataOf(await client.request('POST', '/api/v1/calls/report', { calls }), 200)
    return rowsOf(trips, 'rows_written')
  }
  const unheard = await written()
  await listenTo(world.companyId)
  expect(await written()).toBe(unheard + 2)
})

it('The log is read for a lead in as many rows as it has entries, however long it is', async () => {
  const world = await seedAgent()
  await listenTo(world.companyId)
  const { callId, lead } = await world.call()
  await world.report([{ callId, outcome: 'busy' }])
  const read = async () => {
    const { DB, trips } = watchedDatabase()
    const path = `/api/v1/events?leadId=${lead._id}`
    const data = dataOf(await api(world.readKey, { bindings: { DB } }).request('GET', path), 200)
    expect((data as { events: unknown[] }).events).toHaveLength(1)
    return trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
  }
  // The first question is what makes a key used.
  await read()
  const short = await read()
  const { length } = await entriesOf(world.companyId)
  await seedEntries(
    world.companyId,
    Array.from({ length: 20_000 }, () => Date.now()),
    length,
  )
  expect(await read()).toBe(short)
  expect(short).toBeLessThanOrEqual(120)
})

it('The log costs nothing to read, except the first time', async () => {
  const { readKey } = await seedWorld()
  const ask = async () => {
    const { DB, trips } = watchedDatabase()
    dataOf(await api(readKey, { bindings: { DB } }).request('GET', '/api/v1/events'), 200)
    return rowsOf(trips, 'rows_written')
  }
  expect([await ask(), await ask()]).toEqual([1, 0])
})

it('The log is read for a change of a source in as many rows, however long it and those of other companies are', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const read = async (method: string, path: string, body?: object) => {
    const { DB, trips } = watchedDatabase()
    const answer = await api(own.manageKey, { bindings: { DB } }).request(method, path, body)
    expect(answer.status).toBeLessThan(300)
    return rowsOf(trips, 'rows_read')
  }
  const changes = async () => [
    await read('POST', own.path, { name: 'Another', countries: ['DE'] }),
    await read('PATCH', own.one, { name: 'Changed' }),
    await read('POST', `${own.one}/rotate`),
  ]
  const lengthen = async ({ companyId }: { companyId: string }) => {
    const { length } = await entriesOf(companyId)
    const longAgo = Array.from({ length: 5000 }, () => Date.now())
    await seedEntries(companyId, longAgo, length)
  }
  // So that each read begins behind more entries than a repeated request searches.
  await seedEntries(own.companyId, new Array(200).fill(1), (await entriesOf(own.companyId)).length)
  await changes()
  const short = await changes()
  for (const source of [own, other]) await lengthen(source)
  const long = await changes()
  expect(long.map((rows, i) => rows - (short[i] ?? 0)).filter((more) => more > 5)).toEqual([])
  expect(await read('DELETE', own.one)).toBeLessThan(200)
})

type Activity = { activity: unknown[]; nextCursor: string | null }

it('However long the log is, a page reads as many rows as it shows, and a few for somebody who did nothing', async () => {
  const [{ companyId, manageKey }, other] = [await seedSource(), await seedSource()]
  for (const id of [companyId, other.companyId]) await seedEntries(id, new Array(12_000).fill(1), 1000)
  const read = async (query: string) => {
    const { DB, trips } = watchedDatabase()
    const path = `/api/v1/activity${query}`
    const data = dataOf(await api(manageKey, { bindings: { DB } }).request('GET', path), 200) as Activity
    return { ...data, rowsRead: rowsOf(trips, 'rows_read') }
  }
  await read('')
  expect(await read('?actor=mem_00000000000000000000')).toMatchObject({ activity: [], nextCursor: null })
  expect((await read('?actor=mem_00000000000000000000')).rowsRead).toBeLessThan(20)
  for (const query of ['', '?actor=operator']) {
    const page = await read(query)
    expect(page.activity).toHaveLength(100)
    expect(page.nextCursor).not.toBeNull()
    expect(page.rowsRead).toBeLessThan(4 * 100)
  }
})

it('The activity that a key of a campaign may see is looked for in 10,000 entries of all campaigns at most, page by page', async () => {
  const { companyId, campaign } = await seedWorld()
  const { key } = await seedKey({ companyId, campaign, scope: 'manage' })
  const campaignPath = `/api/v1/campaigns/${campaign.id}`
  dataOf(await api(key).request('PATCH', campaignPath, { maxAttempts: 7 }), 200)
  await seedEntries(companyId, new Array(10_500).fill(1), 1000)
  const read = async (cursor: string | null) => {
    const { DB, trips } = watchedDatabase()
    const path = `/api/v1/activity${cursor === null ? '' : `?cursor=${cursor}`}`
    const data = dataOf(await api(key, { bindings: { DB } }).request('GET', path), 200) as Activity
    expect(rowsOf(trips, 'rows_read')).toBeLessThan(3 * 10_000 + 100)
    return data
  }
  const first = await read(null)
  expect(first.activity).toEqual([])
  const second = await read(first.nextCursor)
  expect(second).toMatchObject({ activity: [{ type: 'campaign.changed' }], nextCursor: null })
})
