// A database that was restored to an earlier time: the log goes back, and its numbers are used again. Senders continue
// without leaving out an event, and no id names two events.
import { beforeEach, expect, it, vi } from 'vitest'
import { beginEpoch } from '../../../src/base/ledger/log/begin-epoch.ts'
import { companyDb } from '../../support/database/store.ts'
import { runCron } from '../../support/run/cron.ts'
import { catchLogs } from '../../support/run/logs.ts'
import { seedWebhook, startMs, useFutureClock, type WebhookWorld } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

/**
 * To after the epochs of all companies. An epoch is named by its second, or by the next number where another test has
 * begun a later one: then a second restore would begin the epoch of the first again, as no clock of the platform lets
 * it.
 */
async function passAllEpochs(): Promise<void> {
  const last = `select coalesce(max(item.value ->> 0), 0) as epoch
    from companies as c cross join json_each(c.log_epochs) as item`
  const seconds = (await companyDb.prepare(last).first<number>('epoch')) ?? 0
  vi.setSystemTime(Math.max(Date.now(), (seconds + 1) * 1000))
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const minuteMs = 60_000

type Saved = {
  webhook: WebhookWorld
  passed: number
  epochs: string
  entries: Record<string, unknown>[]
  atMs: number
}

/** What Time Travel would bring back. */
async function save(webhook: WebhookWorld): Promise<Saved> {
  const { companyId, webhookId } = webhook
  const one = <Value>(query: string, id: string) => companyDb.prepare(query).bind(id).first<Value>('value')
  const entries = companyDb.prepare('select * from events where company_id = ?1').bind(companyId)
  const saved = {
    webhook,
    passed: (await one<number>('select passed_number as value from webhooks where id = ?1', webhookId)) ?? 0,
    epochs: (await one<string>('select log_epochs as value from companies where id = ?1', companyId)) ?? '',
    entries: (await entries.all<Record<string, unknown>>()).results,
    atMs: Date.now(),
  }
  vi.setSystemTime(Date.now() + minuteMs)
  return saved
}

async function restore({ webhook, passed, epochs, entries }: Saved): Promise<void> {
  const { companyId, webhookId } = webhook
  vi.setSystemTime(Date.now() + minuteMs)
  await companyDb.batch([
    companyDb.prepare('delete from events where company_id = ?1').bind(companyId),
    companyDb
      .prepare(
        `insert into events select value ->> 'company_id', value ->> 'number', value ->> 'at_ms', value ->> 'type',
         value ->> 'actor', value ->> 'request_id', value ->> 'campaign_number', value ->> 'lead_seq', value ->> 'data'
       from json_each(?1)`,
      )
      .bind(JSON.stringify(entries)),
    companyDb.prepare('update webhooks set passed_number = ?2 where id = ?1').bind(webhookId, passed),
    companyDb.prepare('update companies set log_epochs = ?2 where id = ?1').bind(companyId, epochs),
  ])
}

const begin = ({ webhook, atMs }: Saved) => beginEpoch(companyDb, webhook.companyId, atMs, Date.now())

/** What was sent, in its order: the markers of the entries. */
const sentTo = (webhook: WebhookWorld) =>
  webhook.receiver.received.map(({ body }) => `${body.data.of}${body.data.n}`)

/** Each id stands for one event. */
function expectIdsOfOne(webhook: WebhookWorld): void {
  const texts = new Map<string, string>()
  for (const { id, text } of webhook.receiver.received) {
    expect(texts.get(id) ?? text).toBe(text)
    texts.set(id, text)
  }
}

const silence = () => void vi.spyOn(console, 'error').mockReturnValue()

it('After a restore a sender that was ahead sends all that is logged since, with ids of its own', async () => {
  const webhook = await seedWebhook()
  await webhook.log(3, { of: 'a' })
  await webhook.run()
  const saved = await save(webhook)
  await webhook.log(5, { of: 'gone' })
  await webhook.run()
  await restore(saved)
  // Logged between the restore and the step that follows it.
  await webhook.log(2, { of: 'b' })
  expect(await begin(saved)).toMatchObject({ companies: 1, before: 0 })
  await webhook.log(7, { of: 'c' })
  await webhook.run()
  expect(sentTo(webhook).slice(8)).toEqual([
    ...range(1, 2).map((n) => `b${n}`),
    ...range(1, 7).map((n) => `c${n}`),
  ])
  expectIdsOfOne(webhook)
  expect(await webhook.ask('GET')).toMatchObject({ lag: 0 })
  await runCron()
  expect(await webhook.runNext()).toBe(false)
})

it('After a restore a sender that was behind sends what it had not sent, with the ids that it always had', async () => {
  let isDown = true
  const webhook = await seedWebhook({}, () => (isDown ? 500 : 204))
  await webhook.log(8, { of: 'a' })
  await webhook.run()
  const saved = await save(webhook)
  await webhook.log(2, { of: 'gone' })
  await restore(saved)
  await begin(saved)
  await webhook.log(2, { of: 'b' })
  isDown = false
  await webhook.runNext()
  expect(sentTo(webhook).slice(5)).toEqual([...range(1, 8).map((n) => `a${n}`), 'b1', 'b2'])
  const ids = webhook.receiver.received.map(({ id }) => id)
  expect(ids.slice(5, 10)).toEqual(ids.slice(0, 5))
  expect(ids.slice(5).map((id) => id.length)).toEqual([...Array(8).fill(21), 29, 29])
  expectIdsOfOne(webhook)
})

it('After a restore parked events that no longer exist are not sent as those that have their numbers now', async () => {
  const webhook = await seedWebhook({}, ({ body }) => (body.data.of === 'gone' ? 404 : 204))
  await webhook.log(1, { of: 'a' })
  await webhook.run()
  const saved = await save(webhook)
  await webhook.log(3, { of: 'gone' })
  await webhook.run()
  await restore(saved)
  await begin(saved)
  await webhook.log(3, { of: 'b' })
  while (await webhook.runNext());
  await webhook.run()
  expect(sentTo(webhook).slice(4)).toEqual(['b1', 'b2', 'b3'])
  expectIdsOfOne(webhook)
})

it('After a restore a sender that is ahead waits for the step, also when the log has grown beyond it', async () => {
  const logs = catchLogs()
  const webhook = await seedWebhook()
  await webhook.log(1, { of: 'a' })
  await webhook.run()
  const saved = await save(webhook)
  await webhook.log(3, { of: 'gone' })
  await webhook.run()
  await restore(saved)
  await runCron()
  await webhook.run()
  await webhook.log(1, { of: 'b' })
  await webhook.run()
  await webhook.log(9, { of: 'c' })
  for (let i = 0; i < 3; i++) await webhook.runNext()
  expect(sentTo(webhook)).toHaveLength(4)
  expect(logs.records).toContainEqual({
    event: 'webhook_sender_failed',
    webhookId: webhook.webhookId,
    problem: 'LogRestored',
  })
  await begin(saved)
  await webhook.runNext()
  expect(sentTo(webhook).slice(4)).toEqual(['b1', ...range(1, 9).map((n) => `c${n}`)])
  expectIdsOfOne(webhook)
})

it('After a restore the cron wakes a sender that does not know of it, though it has passed more', async () => {
  const webhook = await seedWebhook()
  const saved = await save(webhook)
  await webhook.log(5, { of: 'gone' })
  await webhook.run()
  await runCron()
  await restore(saved)
  await begin(saved)
  await webhook.log(2, { of: 'b' })
  expect(await webhook.ask('GET')).toMatchObject({ lag: 2 })
  await runCron()
  await webhook.runNext()
  expect(sentTo(webhook).slice(5)).toEqual(['b1', 'b2'])
})

it('After a restore a second restore, behind the first epoch or back to before the first restore, leaves out nothing', async () => {
  silence()
  await passAllEpochs()
  const webhook = await seedWebhook()
  await webhook.log(2, { of: 'a' })
  await webhook.run()
  const early = await save(webhook)
  await webhook.log(2, { of: 'b' })
  await webhook.run()
  const late = await save(webhook)
  await webhook.log(4, { of: 'c' })
  await webhook.run()
  const undone = await save(webhook)

  await restore(late)
  await begin(late)
  await webhook.log(3, { of: 'd' })
  await webhook.run()
  await restore(early)
  await begin(early)
  await webhook.log(3, { of: 'e' })
  await webhook.run()
  expect(sentTo(webhook).slice(8)).toEqual(['d1', 'd2', 'd3', 'e1', 'e2', 'e3'])
  await restore(undone)
  await begin(undone)
  await webhook.log(1, { of: 'f' })
  await webhook.run()
  expect(sentTo(webhook).slice(14)).toEqual(['b1', 'b2', 'c1', 'c2', 'c3', 'c4', 'f1'])
  expectIdsOfOne(webhook)
})

it('After a restore the step that is taken twice, or whose answer was lost, is one', async () => {
  const webhook = await seedWebhook()
  await webhook.log(1, { of: 'a' })
  const saved = await save(webhook)
  await restore(saved)
  const { epoch } = await begin(saved)
  await webhook.log(1, { of: 'b' })
  await webhook.run()
  vi.setSystemTime(startMs + 60 * minuteMs)
  const again = await begin(saved)
  expect(again).toMatchObject({ companies: 0, before: 1 })
  expect(again.epoch).toBeGreaterThan(epoch)
  await webhook.log(1, { of: 'c' })
  await webhook.run()
  expect(sentTo(webhook)).toEqual(['a1', 'b1', 'c1'])
})
