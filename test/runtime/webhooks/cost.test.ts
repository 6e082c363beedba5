// What a sender costs: round trips to the database, rows read there and in its own memory, and how much of a page it
// holds at once. And what others see of it while it works.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { openMemory } from '../../../src/channels/webhooks/store/sender-memory.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { insertLeadSeries } from '../../support/database/seed.ts'
import { bindingsOf, companyDb } from '../../support/database/store.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { seedWebhook, useFutureClock, type WebhookWorld } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** What the sender asks of the database from now on. */
async function watch(webhook: WebhookWorld) {
  const { DB, trips } = watchedDatabase()
  await runInDurableObject(
    webhook.sender(),
    (sender) => void Object.assign(sender, { env: { ...env, ...bindingsOf({ DB }) } }),
  )
  return trips
}
type Trip = Awaited<ReturnType<typeof watch>>[number]

const aLead = (seq: number) => ({ topic: 'lead', first: seq, last: seq })
const rowsRead = ({ results }: Trip) => results.reduce((sum, { meta }) => sum + meta.rows_read, 0)
const rowsWritten = ({ results }: Trip) => results.reduce((sum, { meta }) => sum + meta.rows_written, 0)
const bytes = ({ results }: Trip) => JSON.stringify(results.map((result) => result.results)).length

/** Entries that say that so many bulks of a thousand leads came in. */
async function logBulks({ companyId, campaign }: WebhookWorld, bulks: number): Promise<void> {
  const first = campaign.number * 2 ** 32 + 1
  await companyDb.batch([
    insertLeadSeries(companyDb, campaign.number, 1, bulks * 1000),
    companyDb
      .prepare(
        `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?4)
       insert into events (company_id, number, at_ms, type, actor, campaign_number, lead_seq, data)
       select ?1, i + 1 + coalesce((select max(number) from events where company_id = ?1), 0), ?5, 'leads.created',
         'operator', ?2, ?3 + i * 1000,
         json_object('last', ?3 + i * 1000 + 999, 'count', 1000, 'token', 'seededlead0') from n`,
      )
      .bind(companyId, campaign.number, first, bulks, Date.now()),
  ])
}

it('A sender asks the database once for a page of events, reads little, and writes nothing', async () => {
  const webhook = await seedWebhook()
  await webhook.log(1)
  await webhook.run()
  const trips = await watch(webhook)
  await webhook.log(1)
  await webhook.run()
  expect(webhook.received()).toEqual([1, 1])
  expect(trips).toHaveLength(1)
  expect(rowsRead(trips[0] as Trip)).toBeLessThanOrEqual(16)
  await webhook.log(250)
  await webhook.run()
  expect(trips).toHaveLength(1 + 3)
  expect(trips.map(rowsWritten)).toEqual([0, 0, 0, 0])
})

it('A lone delivery writes two rows of its sender and sets no alarm, also where a thousand deliveries are kept', async () => {
  const state = (webhook: WebhookWorld) =>
    runInDurableObject(webhook.sender(), async (_, { storage }) => ({
      rows: storage.sql.exec<{ rows: number }>('select total_changes() as rows').one().rows,
      alarmAtMs: await storage.getAlarm(),
    }))
  const alarms: unknown[] = []
  const webhook = await seedWebhook({}, async () => {
    alarms.push((await state(webhook)).alarmAtMs)
    return 204
  })
  const other = await seedWebhook()
  for (const one of [other, webhook]) {
    await one.log(1)
    await one.wake()
  }
  for (const isFull of [false, true]) {
    if (isFull)
      await runInDurableObject(webhook.sender(), (_, { storage }) => {
        storage.sql.exec(`with recursive n(i) as (select 2 union all select i + 1 from n where i < 1000)
          insert into deliveries select i + 1, 'evt', 'campaign.changed', 1, 204, 1, 1, null from n`)
      })
    const before = [await state(webhook), await state(other)] as const
    await webhook.log(1)
    await webhook.wake()
    const after = [await state(webhook), await state(other)] as const
    expect(after[0].rows - before[0].rows).toBe(2)
    expect(after[1]).toEqual(before[1])
  }
  expect(webhook.received()).toEqual([1, 1, 1])
  expect(alarms).toEqual([null, null, null])
  expect((await state(webhook)).alarmAtMs).toBeNull()
  const deliveries = await webhook.deliveries()
  expect(deliveries).toHaveLength(1000)
  expect(deliveries[0]?.eventId).toBe(webhook.receiver.received[2]?.id)
})

it('A sender asks once for its first event too', async () => {
  const webhook = await seedWebhook()
  const trips = await watch(webhook)
  await webhook.log(1)
  await webhook.run()
  expect(webhook.received()).toEqual([1])
  expect(trips).toHaveLength(1)
})

it('A sender reads no more leads for a page than one bulk more than a thousand, nor more bytes', async () => {
  const webhook = await seedWebhook({ types: ['leads.created'] })
  await logBulks(webhook, 12)
  const trips = await watch(webhook)
  await webhook.run()
  const sent = webhook.receiver.received.map(({ body }) => body.data.leadIds as string[])
  expect(sent.map((ids) => ids.length)).toEqual(Array(12).fill(1000))
  expect(new Set(sent.flat()).size).toBe(12_000)
  expect(trips.length).toBeGreaterThanOrEqual(6)
  for (const trip of trips) {
    expect(rowsRead(trip)).toBeLessThanOrEqual(2_200)
    expect(bytes(trip)).toBeLessThanOrEqual(150_000)
  }
})

it('A sender reads no more when it catches up with what was parked', async () => {
  let isDown = true
  const webhook = await seedWebhook({ types: ['leads.created'] }, () => (isDown ? 404 : 204))
  await logBulks(webhook, 12)
  await webhook.run()
  isDown = false
  await webhook.ask('PATCH', '', { disabled: true })
  await webhook.ask('PATCH', '', { disabled: false })
  const trips = await watch(webhook)
  await webhook.run()
  expect(webhook.receiver.received).toHaveLength(24)
  const ids = webhook.receiver.received.map(({ id }) => id)
  expect(ids.slice(12)).toEqual(ids.slice(0, 12))
  for (const trip of trips) {
    expect(rowsRead(trip)).toBeLessThanOrEqual(2_300)
    expect(bytes(trip)).toBeLessThanOrEqual(150_000)
  }
})

it('A sender finds what is parked by an index, however much it is', async () => {
  const webhook = await seedWebhook()
  const read = await runInDurableObject(webhook.sender(), (_, { storage }) => {
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
    const exec = (query: string, ...values: unknown[]) => {
      const cursor = storage.sql.exec(query, ...(values as SqlStorageValue[]))
      cursors.push(cursor)
      return cursor
    }
    const memory = openMemory({ sql: { exec }, kv: storage.kv } as unknown as DurableObjectStorage, {})
    for (const number of range(1, 5_000))
      memory.park({ number, part: 0, attempts: 1, dueAtMs: 5_000 - number }, aLead(number))
    const rowsOf = (look: () => unknown) => {
      cursors.length = 0
      look()
      return cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0)
    }
    return {
      due: [rowsOf(() => memory.listDue(3, 5)), memory.listDue(3, 5).map(({ number }) => number)],
      after: rowsOf(() => memory.listDueAfter({ number: 2_500, part: 0 }, 5_000, 100)),
      next: [rowsOf(() => memory.nextDueAtMs()), memory.nextDueAtMs()],
      has: rowsOf(() => memory.hasParked()),
      other: rowsOf(() => memory.hasOtherParked({ number: 1, part: 0 })),
      head: rowsOf(() => memory.head(8)),
      blocked: rowsOf(() => memory.mustWait({ number: 6_000, part: 0 }, aLead(6_000))),
      released: rowsOf(() => memory.unpark({ number: 1, part: 0 })),
    }
  })
  expect(read.due).toEqual([expect.any(Number), [5_000, 4_999, 4_998, 4_997]])
  expect(read.next).toEqual([expect.any(Number), 0])
  const { due, after, next, has, other, head, blocked, released } = read
  expect(
    Math.max(due[0] as number, next[0] as number, has, other, head, blocked, released),
  ).toBeLessThanOrEqual(10)
  expect(after).toBeLessThanOrEqual(101)
})

it('The lag of a webhook is right at each moment while its sender works', async () => {
  const lags: unknown[] = []
  const webhook = await seedWebhook({}, async ({ body }) => {
    if ([1, 100, 101, 150].includes(body.data.n as number)) lags.push((await webhook.ask('GET')).lag)
    return 204
  })
  await webhook.log(150)
  expect(await webhook.ask('GET')).toMatchObject({ lag: 150 })
  await webhook.run()
  expect(lags).toEqual([150, 51, 50, 1])
  const listed = await webhook.client.request('GET', '/api/v1/webhooks')
  const { webhooks } = dataOf(listed, 200) as { webhooks: object[] }
  expect(webhooks).toMatchObject([{ lag: 0 }])
})

it('The lag of a webhook is right again after it went back', async () => {
  const lags: unknown[] = []
  const webhook = await seedWebhook({}, async () => {
    lags.push((await webhook.ask('GET')).lag)
    return 204
  })
  await webhook.log(2)
  await webhook.run()
  await runCron()
  await webhook.ask('POST', '/replay', { since: new Date(Date.now()).toISOString() })
  await webhook.run()
  // All of this moment, from the entry of its making to that of going back.
  expect(lags).toEqual([2, 1, 4, 2])
})

it('The lag of a webhook is noted for all senders together by the cron, which wakes none that has passed all', async () => {
  const [one, other] = [await seedWebhook(), await seedWebhook()]
  for (const webhook of [one, other]) {
    await webhook.log(3)
    await webhook.run()
  }
  await runCron()
  const passed = companyDb
    .prepare(
      `select w.passed_number = (select max(number) from events as e where e.company_id = w.company_id) as isAll
       from webhooks as w where id in (?1, ?2)`,
    )
    .bind(one.webhookId, other.webhookId)
  expect((await passed.all()).results).toEqual([{ isAll: 1 }, { isAll: 1 }])
  expect(await one.runNext()).toBe(false)
})
