// Events that receivers refuse: one refused event blocks no other, a receiver that accepts nothing gets nothing new,
// and events that are given up are counted and logged.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { databaseFailing, databaseLosingAnswers } from '../../support/database/database.ts'
import { bindingsOf, companyDb } from '../../support/database/store.ts'
import { entriesOf } from '../../support/ledger/log.ts'
import { seedWebhook, startMs, useFutureClock, type WebhookWorld } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const dayMs = 86_400_000
const busy = (seconds: number) =>
  new Response('wait', { status: 429, headers: { 'retry-after': `${seconds}` } })

/** Until it has nothing left to do, or for so many days. */
async function runFor(webhook: WebhookWorld, days: number): Promise<void> {
  const endsAtMs = Date.now() + days * dayMs
  while (Date.now() < endsAtMs && (await webhook.runNext()));
}

const withDatabase = (webhook: WebhookWorld, DB: D1Database) =>
  runInDurableObject(
    webhook.sender(),
    (sender) => void Object.assign(sender, { env: { ...env, ...bindingsOf({ DB }) } }),
  )

const gaveUp = async ({ companyId }: WebhookWorld) =>
  (await entriesOf(companyId)).filter(({ type }) => type === 'webhook.gave_up').map(({ data }) => data)

it('An event that is refused each time blocks none of those after it, and is given up after eight attempts', async () => {
  const webhook = await seedWebhook({}, ({ body }) => (body.data.isBad ? 422 : 204))
  const other = await seedWebhook({ types: ['webhook.gave_up'] }, undefined, webhook)
  await webhook.log(1, { isBad: true })
  await webhook.run()
  // Nothing else is logged while it is tried six times.
  for (let i = 0; i < 5; i++) await webhook.runNext()
  await webhook.log(100)
  await webhook.run()
  expect(webhook.received()).toEqual([...Array(6).fill(1), ...range(1, 100)])
  await runFor(webhook, 6)
  const { received } = webhook.receiver
  expect(received.filter(({ body }) => body.data.isBad)).toHaveLength(8)
  expect(await webhook.ask('GET')).toMatchObject({
    disabledAt: null,
    failingSince: null,
    givenUp: 1,
  })
  const event = { eventId: received[0]?.id, type: 'campaign.changed', status: 422 }
  expect(await gaveUp(webhook)).toEqual([{ webhookId: webhook.webhookId, ...event }])
  await other.run()
  expect(other.receiver.received.map(({ body }) => [body.type, body.data])).toEqual([
    ['webhook.gave_up', { campaignId: null, webhookId: webhook.webhookId, ...event }],
  ])
})

it.each([400, 404, 422])(
  'An event that is refused with %d, five times in a row, holds nothing',
  async (status) => {
    const webhook = await seedWebhook({}, ({ body }) => ((body.data.n as number) <= 5 ? status : 204))
    await webhook.log(12)
    await webhook.run()
    expect(webhook.received()).toEqual(range(1, 12))
    expect(await webhook.ask('GET')).toMatchObject({ lag: 0, failingSince: null })
  },
)

it.each([408, 409, 425, 429, 500])(
  'An event that is refused with %d, five times in a row, holds the webhook',
  async (status) => {
    const webhook = await seedWebhook({}, () => status)
    await webhook.log(12)
    await webhook.run()
    expect(webhook.received()).toEqual(range(1, 5))
    expect(await webhook.ask('GET')).toMatchObject({ failingSince: new Date(startMs).toISOString() })
  },
)

it('An event that is refused by a receiver that was down lets the events after it continue', async () => {
  let isDown = true
  const webhook = await seedWebhook({}, ({ body }) => (isDown ? 503 : body.data.n === 1 ? 400 : 204))
  await webhook.log(8)
  await webhook.run()
  isDown = false
  await webhook.runNext()
  await webhook.run()
  expect(webhook.received().slice(5)).toEqual(range(1, 8))
})

it('An event that is refused is not sent to the webhook that gave it up, and one about giving up is only counted', async () => {
  const types = ['campaign.changed', 'webhook.gave_up']
  const one = await seedWebhook({ types }, ({ body }) => (body.data.isGood ? 204 : 400))
  const other = await seedWebhook({ types }, ({ body }) => (body.data.isGood ? 204 : 400), one)
  await one.log(1)
  await one.log(1, { isGood: true })
  for (const webhook of [one, other, one, other]) {
    await webhook.run()
    await runFor(webhook, 3)
  }
  expect(await gaveUp(one)).toHaveLength(2)
  for (const webhook of [one, other]) {
    expect(await webhook.ask('GET')).toMatchObject({ givenUp: 2 })
    const aboutItself = webhook.receiver.received.filter(
      ({ body }) => body.data.webhookId === webhook.webhookId,
    )
    expect(aboutItself).toEqual([])
  }
})

it('An event that is refused is logged once as given up, though the database was away and then lost its answer', async () => {
  const webhook = await seedWebhook({}, ({ body }) => (body.data.isBad ? 404 : 204))
  await webhook.log(1, { isBad: true })
  await webhook.run()
  for (let i = 0; i < 6; i++) await webhook.runNext()
  let isLast = false
  webhook.receiver.reply = () => {
    isLast = true
    return 404
  }
  const { DB } = databaseFailing('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
  const failing = { ...companyDb, prepare: companyDb.prepare.bind(companyDb) } as D1Database
  failing.batch = ((statements: D1PreparedStatement[]) =>
    isLast ? DB.batch(statements) : companyDb.batch(statements)) as D1Database['batch']
  vi.spyOn(console, 'error').mockReturnValue()
  await withDatabase(webhook, failing)
  await webhook.runNext()
  expect(await gaveUp(webhook)).toEqual([])
  const losing = databaseLosingAnswers(1)
  await withDatabase(webhook, losing.DB)
  await webhook.runNext()
  await webhook.run()
  expect(losing.trips.length).toBeGreaterThan(1)
  expect(await gaveUp(webhook)).toHaveLength(1)
  expect(await webhook.ask('GET')).toMatchObject({ givenUp: 1 })
})

it('A receiver that accepts nothing is at fault after 20 different events: only the oldest is tried, and nothing is given up', async () => {
  const webhook = await seedWebhook({}, ({ body }) => ((body.data.n as number) % 2 ? 404 : 500))
  let statuses = 0
  webhook.receiver.reply = () => (++statuses % 5 ? 404 : 500)
  await webhook.log(30)
  await webhook.run()
  expect(webhook.received()).toEqual(range(1, 20))
  expect(await webhook.ask('GET')).toMatchObject({ lag: 10, failingSince: new Date(startMs).toISOString() })
  for (let i = 0; i < 7; i++) await webhook.runNext()
  expect(webhook.received().slice(20)).toEqual(Array(7).fill(1))
  expect(await webhook.ask('GET')).toMatchObject({ givenUp: 0, disabledAt: null })
  expect(await gaveUp(webhook)).toEqual([])
})

it('A receiver that accepts nothing gets all events in order once it accepts the oldest', async () => {
  let isWrong = true
  const webhook = await seedWebhook({}, () => (isWrong ? 404 : 204))
  await webhook.log(30)
  await webhook.run()
  isWrong = false
  await webhook.runNext()
  expect(webhook.received().slice(20)).toEqual(range(1, 30))
  expect(await webhook.ask('GET')).toMatchObject({ lag: 0, failingSince: null, givenUp: 0 })
})

it('A receiver that accepts nothing gets the next oldest after all attempts with one that it never accepts', async () => {
  let isWrong = true
  const webhook = await seedWebhook({}, ({ body }) => (isWrong || body.data.n === 1 ? 404 : 204))
  await webhook.log(30)
  await webhook.run()
  isWrong = false
  await runFor(webhook, 5)
  const after = webhook.received().slice(20)
  expect(after.slice(0, 8)).toEqual([...Array(7).fill(1), 2])
  expect(after.filter((n) => n !== 1)).toEqual(range(2, 30))
  expect(await webhook.ask('GET')).toMatchObject({ disabledAt: null, failingSince: null, givenUp: 1 })
})

it('A receiver that accepts nothing is disabled after five days without one success', async () => {
  const webhook = await seedWebhook({}, () => 404)
  await webhook.log(25)
  await webhook.run()
  await runFor(webhook, 30)
  expect(await webhook.ask('GET')).toMatchObject({ disabledReason: 'dead', failingSince: null, givenUp: 0 })
  const days = (Date.now() - startMs) / dayMs
  expect(days).toBeGreaterThanOrEqual(5)
  expect(days).toBeLessThan(5.6)
})

it('A receiver that accepts nothing is not at fault while 19 events are refused, however long', async () => {
  const webhook = await seedWebhook({}, () => 404)
  await webhook.log(19)
  await webhook.run()
  await runFor(webhook, 30)
  expect(await webhook.ask('GET')).toMatchObject({ disabledAt: null, failingSince: null, givenUp: 19 })
})

it('An event that fails alone does not block those after it before five different ones have failed', async () => {
  const webhook = await seedWebhook({}, ({ body }) => (body.data.isBad ? 500 : 204))
  await webhook.log(1, { isBad: true })
  await webhook.run()
  for (let i = 0; i < 5; i++) await webhook.runNext()
  await webhook.log(3)
  await webhook.run()
  // The first of them is taken, so what is parked goes before the rest.
  expect(webhook.received().slice(6)).toEqual([1, 1, 2, 3])
  await runFor(webhook, 6)
  expect(await webhook.ask('GET')).toMatchObject({ disabledAt: null, givenUp: 1 })
})

it.each([0, -5])('A Retry-After of %d seconds causes no loop: the schedule holds', async (seconds) => {
  const date = new Date(startMs + seconds * 1000).toUTCString()
  const webhook = await seedWebhook({}, () =>
    seconds === 0 ? busy(0) : new Response(null, { status: 503, headers: { 'retry-after': date } }),
  )
  await webhook.log(1)
  for (let i = 0; i < 10; i++) await webhook.run()
  expect(webhook.received()).toEqual([1])
  const waitedMs: number[] = []
  for (let i = 0; i < 4; i++) {
    const beforeMs = Date.now()
    const tries = webhook.received().length
    while (webhook.received().length === tries) await webhook.runNext()
    waitedMs.push(Date.now() - beforeMs)
  }
  for (const [i, ms] of [5_000, 300_000, 1_800_000, 7_200_000].entries())
    expect(waitedMs[i]).toBeGreaterThanOrEqual(ms)
})
