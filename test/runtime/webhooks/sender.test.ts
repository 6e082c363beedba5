// A webhook's sender, with a scripted receiver and clock: order, retries, holding, pausing, disabling and replaying.
// Real sockets and killed processes are in test/hard.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { databaseFailing } from '../../support/database/database.ts'
import { bindingsOf, companyDb } from '../../support/database/store.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { catchLogs } from '../../support/run/logs.ts'
import { logEntries, seedWebhook, startMs, useFutureClock, verify } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const minuteMs = 60_000
const hourMs = 3_600_000

it('A sender sends what is logged in order, signed, and never twice while the receiver is well', async () => {
  const webhook = await seedWebhook()
  await webhook.log(250)
  await webhook.run()
  await webhook.run()
  expect(webhook.received()).toEqual(range(1, 250))
  const [first] = webhook.receiver.received
  if (first === undefined) throw new Error('nothing came')
  expect(Object.keys(JSON.parse(first.text))).toEqual(['type', 'timestamp', 'data'])
  expect(first.body).toEqual({
    type: 'campaign.changed',
    timestamp: new Date(startMs).toISOString(),
    data: { campaignId: null, n: 1 },
  })
  expect(first.headers['content-type']).toBe('application/json')
  expect(verify(webhook.secret, first)).toEqual(first.body)
  const deliveries = await webhook.deliveries()
  expect(deliveries).toHaveLength(250)
  expect(deliveries[0]).toEqual({
    eventId: webhook.receiver.received.at(-1)?.id,
    type: 'campaign.changed',
    attempt: 1,
    status: 204,
    time: new Date(startMs).toISOString(),
    milliseconds: 0,
    error: null,
  })
  expect((await webhook.ask('GET', '/deliveries?limit=2')).deliveries).toEqual(deliveries.slice(0, 2))
  expect(await webhook.ask('GET')).toMatchObject({ lag: 0 })
  expect(await webhook.runNext()).toBe(false)
})

it('A sender tries a failed event again, at growing intervals, while others pass, and gives it up at last', async () => {
  const webhook = await seedWebhook({}, ({ body }) => (body.data.n === 2 ? 500 : 204))
  await webhook.log(3)
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2, 3])
  const waitedMs: number[] = []
  for (let tries = 1; tries < 8; tries++) {
    const beforeMs = Date.now()
    // Others succeed between, so that it alone is at fault.
    await webhook.log(1, { isOther: true })
    await webhook.run()
    expect(await webhook.runNext()).toBe(true)
    waitedMs.push(Date.now() - beforeMs)
  }
  const asToldMs = [5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs]
  for (const [i, ms] of waitedMs.entries()) {
    expect(ms).toBeGreaterThanOrEqual(asToldMs[i] as number)
    expect(ms).toBeLessThanOrEqual((asToldMs[i] as number) * 1.2)
  }
  expect(await webhook.runNext()).toBe(false)
  const failing = webhook.receiver.received.filter(({ body }) => body.data.n === 2)
  expect(failing).toHaveLength(8)
  expect(new Set(failing.map(({ id }) => id)).size).toBe(1)
  expect(new Set(failing.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8)
  for (const [i, { attempt }] of (await webhook.deliveries()).filter(({ error }) => error).entries())
    expect(attempt).toBe(8 - i)
  expect((await webhook.deliveries()).find(({ error }) => error)?.error).toBe('answered 500, given up')
})

it('A sender is held after five failures in a row, tries only the oldest, and then sends all in order', async () => {
  let isDown = true
  const webhook = await seedWebhook({}, () => (isDown ? 'closed' : 204))
  await webhook.log(20)
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2, 3, 4, 5])
  for (let i = 0; i < 3; i++) await webhook.runNext()
  expect(webhook.received().slice(5)).toEqual([1, 1, 1])
  expect((await webhook.deliveries())[0]).toMatchObject({
    attempt: 4,
    status: null,
    error: 'no connection',
  })
  expect(await webhook.ask('GET')).toMatchObject({ lag: 15 })
  isDown = false
  const beforeMs = Date.now()
  // Enabling it does not wait for the next attempt.
  await webhook.ask('PATCH', '', { disabled: false })
  await webhook.run()
  expect(Date.now()).toBe(beforeMs)
  expect(webhook.received().slice(8)).toEqual(range(1, 20))
  expect(await webhook.ask('GET')).toMatchObject({ lag: 0, disabledAt: null })
})

it('A sender resumes by itself, in order, when the receiver is well again', async () => {
  let isDown = true
  const webhook = await seedWebhook({}, () => (isDown ? 500 : 204))
  await webhook.log(8)
  await webhook.run()
  isDown = false
  await webhook.runNext()
  expect(webhook.received().slice(5)).toEqual(range(1, 8))
})

it('A sender waits as long as a busy receiver asks, and then resumes where it was', async () => {
  let isBusy = true
  const busy = () => new Response('wait', { status: 429, headers: { 'retry-after': '900' } })
  const webhook = await seedWebhook({}, ({ body }) => (body.data.n === 2 && isBusy ? busy() : 204))
  await webhook.log(5)
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2])
  // Waking it does not shorten the wait.
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2])
  isBusy = false
  await webhook.runNext()
  await webhook.runNext()
  expect(Date.now() - startMs).toBe(900_000)
  expect(webhook.received()).toEqual([1, 2, 2, 3, 4, 5])
})

it('A sender is disabled by 410, which is sent to another webhook, and resumes once it is enabled', async () => {
  let isGone = true
  const webhook = await seedWebhook({}, () => (isGone ? 410 : 204))
  const other = await seedWebhook({ types: ['webhook.disabled', 'webhook.changed'] }, undefined, webhook)
  await webhook.log(3)
  await webhook.run()
  await webhook.run()
  expect(webhook.received()).toEqual([1])
  expect(await webhook.ask('GET')).toMatchObject({
    disabledAt: new Date(startMs).toISOString(),
    disabledReason: 'gone',
  })
  await other.run()
  expect(other.receiver.received.map(({ body }) => [body.type, body.data])).toEqual([
    ['webhook.disabled', { campaignId: null, webhookId: webhook.webhookId, reason: 'gone' }],
  ])
  isGone = false
  expect(await webhook.ask('PATCH', '', { disabled: false })).toMatchObject({ disabledAt: null })
  await webhook.run()
  expect(webhook.received()).toEqual([1, 1, 2, 3])
  await other.run()
  expect(other.receiver.received.at(-1)?.body.data).toEqual({
    campaignId: null,
    webhookId: webhook.webhookId,
    change: 'enabled',
  })
})

it('A sender is disabled after five days without one success', async () => {
  const webhook = await seedWebhook({}, () => 'late')
  await webhook.log(1)
  await webhook.run()
  while (await webhook.runNext()) if (Date.now() > startMs + 30 * 24 * hourMs) break
  expect(await webhook.ask('GET')).toMatchObject({ disabledReason: 'dead', lag: 1 })
  const days = (Date.now() - startMs) / (24 * hourMs)
  expect(days).toBeGreaterThanOrEqual(5)
  expect(days).toBeLessThan(5.6)
  expect((await webhook.deliveries())[0]).toMatchObject({ status: null, error: 'no answer within 10 s' })
})

it('A sender replays all events since a time with the same ids, and drops those of them that were parked', async () => {
  let isDown = false
  const webhook = await seedWebhook({}, ({ body }) => (isDown && body.data.n === 2 ? 503 : 204))
  await webhook.log(3)
  await webhook.run()
  vi.setSystemTime(startMs + hourMs)
  isDown = true
  await webhook.log(3, { isLater: true })
  await webhook.run()
  isDown = false
  const since = new Date(startMs + 1).toISOString()
  expect(await webhook.ask('POST', '/replay', { since })).toEqual({ webhookId: webhook.webhookId, since })
  await webhook.run()
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
  const ids = webhook.receiver.received.map(({ id }) => id)
  expect(ids.slice(6)).toEqual(ids.slice(3, 6))
  expect(await webhook.runNext()).toBe(false)
})

it('A sender signs with both secrets while the one before lives, and with the new one alone after', async () => {
  const webhook = await seedWebhook()
  const previousExpiresAt = new Date(startMs + hourMs).toISOString()
  const rotated = await webhook.ask('POST', '/rotate', { previousExpiresAt })
  expect(rotated).toMatchObject({ webhookId: webhook.webhookId, previousExpiresAt })
  const secret = rotated.secret as string
  expect(secret).not.toBe(webhook.secret)
  expect(await webhook.ask('POST', '/rotate', { previousExpiresAt })).toEqual(rotated)
  await webhook.log(1)
  await webhook.run()
  vi.setSystemTime(startMs + hourMs)
  await webhook.log(1)
  await webhook.run()
  const [both, one] = webhook.receiver.received
  if (both === undefined || one === undefined) throw new Error('nothing came')
  vi.setSystemTime(startMs + 1000)
  expect(verify(webhook.secret, both)).toEqual(verify(secret, both))
  vi.setSystemTime(startMs + hourMs)
  expect(verify(secret, one)).toEqual(one.body)
  expect(() => verify(webhook.secret, one)).toThrow('No matching signature found')
})

it('A sender is found by the cron when its wake-up was lost', async () => {
  const webhook = await seedWebhook()
  await webhook.log(2)
  await runCron()
  await vi.waitFor(() => expect(webhook.received()).toEqual([1, 2]), 60_000)
  await runCron()
  expect(await webhook.runNext()).toBe(false)
})

it('A sender loses nothing when it dies while it sends, and repeats only with the same id', async () => {
  let isToDie = true
  const webhook = await seedWebhook({}, ({ body }) => {
    if (body.data.n !== 3 || !isToDie) return 204
    isToDie = false
    // What was answered is not noted any more.
    void runInDurableObject(webhook.sender(), (_, ctx) => ctx.abort('died')).catch(() => {})
    return new Promise((settle) => void setTimeout(settle, 50, 204))
  })
  await webhook.log(6)
  await webhook.run().catch(() => {})
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2, 3, 3, 4, 5, 6])
  expect(webhook.receiver.received[2]?.id).toBe(webhook.receiver.received[3]?.id)
})

it('A sender that dies while it sends for the first time is found by the cron, and another one is not disturbed', async () => {
  let isToDie = true
  const other = await seedWebhook()
  const webhook = await seedWebhook({}, () => {
    if (!isToDie) return 204
    isToDie = false
    void runInDurableObject(webhook.sender(), (_, ctx) => ctx.abort('died')).catch(() => {})
    return new Promise((settle) => void setTimeout(settle, 50, 204))
  })
  for (const one of [other, webhook]) await one.log(1)
  await other.run()
  await webhook.wake().catch(() => {})
  expect(await runInDurableObject(webhook.sender(), (_, { storage }) => storage.getAlarm())).toBeNull()
  await runCron()
  await vi.waitFor(() => expect(webhook.received()).toEqual([1, 1]), 60_000)
  expect(new Set(webhook.receiver.received.map(({ id }) => id)).size).toBe(1)
  expect(other.received()).toEqual([1])
})

it('A sender that dies after an event failed sends that one again by its alarm, though nothing else wakes it', async () => {
  let isToDie = true
  const webhook = await seedWebhook({}, ({ body }) => {
    if (body.data.n === 1) return isToDie ? 500 : 204
    if (!isToDie) return 204
    void runInDurableObject(webhook.sender(), (_, ctx) => ctx.abort('died')).catch(() => {})
    return new Promise((settle) => void setTimeout(settle, 50, 204))
  })
  await webhook.log(2)
  await webhook.wake().catch(() => {})
  isToDie = false
  expect(await webhook.runNext()).toBe(true)
  expect(webhook.received().sort()).toEqual([1, 1, 2, 2])
})

it('A sender waits when the database does not answer, and its alarm never throws', async () => {
  const logs = catchLogs()
  const webhook = await seedWebhook()
  await webhook.log(1)
  const { DB } = databaseFailing('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
  await runInDurableObject(webhook.sender(), (sender) => {
    Object.assign(sender, { env: { ...env, ...bindingsOf({ DB }) } })
  })
  await webhook.run()
  for (let i = 0; i < 9; i++) expect(await webhook.runNext()).toBe(true)
  expect(webhook.received()).toEqual([])
  const waitedMs = Date.now() - startMs
  expect(waitedMs).toBeGreaterThan(4 * minuteMs)
  expect(waitedMs).toBeLessThan(8 * minuteMs)
  expect(logs.records).toContainEqual({
    event: 'webhook_sender_failed',
    webhookId: webhook.webhookId,
    problem: 'database overloaded',
  })
  await runInDurableObject(webhook.sender(), (sender) => void Object.assign(sender, { env }))
  await webhook.runNext()
  expect(webhook.received()).toEqual([1])
})

it('A sender forgets everything once its webhook is deleted', async () => {
  const webhook = await seedWebhook({}, () => 500)
  await webhook.log(1)
  await webhook.run()
  dataOf(await webhook.client.request('DELETE', `/api/v1/webhooks/${webhook.webhookId}`), 200)
  const left = () =>
    runInDurableObject(webhook.sender(), async (_, { storage }) => [
      [...storage.sql.exec(`select name from sqlite_master where name not like '\\_cf\\_%' escape '\\'`)],
      [...storage.kv.list()],
      await storage.getAlarm(),
    ])
  await vi.waitFor(async () => expect(await left()).toEqual([[], [], null]), 60_000)
})

it('A sender keeps what it has to repeat while its webhook is not found, and repeats it once it is again', async () => {
  let status = 500
  const webhook = await seedWebhook({}, ({ body }) => (body.data.n === 1 ? status : 204))
  await webhook.log(2)
  await webhook.run()
  // The cron has noted that it has passed both.
  await companyDb.prepare('update webhooks set passed_number = 2 where id = ?1').bind(webhook.webhookId).run()
  const row = companyDb.prepare('select * from webhooks where id = ?1').bind(webhook.webhookId)
  const columns = (await row.first<Record<string, string>>()) ?? {}
  await companyDb.prepare('delete from webhooks where id = ?1').bind(webhook.webhookId).run()
  await webhook.runNext()
  await companyDb
    .prepare(
      `insert into webhooks (${Object.keys(columns)}) values (${Object.keys(columns).map((_, i) => `?${i + 1}`)})`,
    )
    .bind(...Object.values(columns))
    .run()
  status = 204
  await webhook.run()
  await webhook.runNext()
  expect(webhook.received()).toEqual([1, 2, 1])
})

it('A sender logs the result of each attempt, and neither URL, body nor secret', async () => {
  const webhook = await seedWebhook({}, () => new Response('body-of-the-answer', { status: 500 }))
  const logs = catchLogs()
  await webhook.log(1, { marker: 'body-of-the-event' })
  await webhook.run()
  expect(logs.records).toContainEqual({
    event: 'webhook_delivery',
    webhookId: webhook.webhookId,
    eventId: webhook.receiver.received[0]?.id,
    type: 'campaign.changed',
    status: 500,
    durationMs: 0,
    error: 'answered 500',
  })
  for (const word of ['receiver.test', 'secret-of-the-url', 'body-of', webhook.secret.slice(6)])
    expect(logs.text()).not.toContain(word)
})

it('A sender of one company gets no events of another', async () => {
  const [mine, other] = [await seedWebhook(), await seedWebhook()]
  await logEntries(other.companyId, 1)
  await mine.run()
  expect(mine.received()).toEqual([])
})
