// A webhook ends with a key that ends: nothing is sent afterwards, unless a key that lasts longer changes it before.
import { beforeEach, expect, it, vi } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { entriesOf } from '../../support/ledger/log.ts'
import { runCron } from '../../support/run/cron.ts'
import { seedWebhook, useFutureClock } from '../../support/webhooks/webhook.ts'
import { seedKey, seedWorld } from '../../support/world.ts'

beforeEach(useFutureClock)

const hourMs = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** A webhook of a key that ends in an hour, and a key that does not. */
async function seedEnding(body: object = {}, reply?: Parameters<typeof seedWebhook>[1]) {
  const world = await seedWorld()
  const { companyId } = world
  const keyWith = async (endsInMs?: number) => {
    const end = endsInMs === undefined ? {} : { expiresAtMs: Date.now() + endsInMs }
    return api((await seedKey({ companyId, scope: 'manage', ...end })).key)
  }
  const ending = await seedKey({ companyId, scope: 'manage', expiresAtMs: Date.now() + hourMs })
  const webhook = await seedWebhook(body, reply, world, ending.key)
  const path = `/api/v1/webhooks/${webhook.webhookId}`
  const change = async (client: ReturnType<typeof api>, fields: object) =>
    dataOf(await client.request('PATCH', path, fields), 200) as Record<string, unknown>
  const lasting = await keyWith()
  const shown = async () => dataOf(await lasting.request('GET', path), 200) as Record<string, unknown>
  return { ...webhook, ending: api(ending.key), lasting, keyWith, change, shown, path }
}

it('A webhook of a key that ends ends with it: it shows when, sends nothing afterwards, and is disabled from then on', async () => {
  const webhook = await seedEnding()
  const end = inMs(hourMs)
  expect(await webhook.shown()).toMatchObject({ expiresAt: end, disabledAt: null, disabledReason: null })
  await webhook.log(2)
  await webhook.run()
  vi.setSystemTime(Date.now() + hourMs)
  await webhook.log(2)
  await webhook.run()
  await runCron()
  expect(webhook.received()).toEqual([1, 2])
  vi.setSystemTime(Date.now() + hourMs)
  expect(await webhook.shown()).toMatchObject({
    expiresAt: end,
    disabledAt: end,
    disabledReason: 'key_expired',
    lag: 2,
  })
  expectFailure(await webhook.ending.request('GET', webhook.path), 401, 'Invalid or inactive API key')
})

it('A webhook of a key that ends is cut off in the middle of what it sends', async () => {
  const webhook = await seedEnding({}, ({ body }) => {
    if (body.data.n === 3) vi.setSystemTime(Date.now() + 5_000)
    return 204
  })
  await webhook.log(5)
  vi.setSystemTime(Date.now() + hourMs - 5_000)
  await webhook.run()
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2, 3])
  expect(await webhook.shown()).toMatchObject({ lag: 2, disabledReason: 'key_expired' })
})

it('A webhook of a key that ends does not send what failed before', async () => {
  const webhook = await seedEnding({}, () => 500)
  await webhook.log(1)
  await webhook.run()
  vi.setSystemTime(Date.now() + hourMs)
  await webhook.runNext()
  expect(webhook.received()).toEqual([1])
})

it('A webhook of a key that ends lasts as long as a key that changes it, if that is longer', async () => {
  const webhook = await seedEnding()
  const end = inMs(hourMs)
  const types = ['campaign.changed', 'key.created']
  expect(await webhook.change(webhook.ending, { types })).toMatchObject({ expiresAt: end })
  expect(await webhook.change(await webhook.keyWith(60_000), { types })).toMatchObject({ expiresAt: end })
  const longer = inMs(2 * hourMs)
  expect(await webhook.change(await webhook.keyWith(2 * hourMs), { types })).toMatchObject({
    expiresAt: longer,
  })
  expect(await webhook.change(webhook.lasting, { types })).toMatchObject({ expiresAt: null })
  vi.setSystemTime(Date.now() + 3 * hourMs)
  await webhook.log(1)
  await webhook.run()
  expect(webhook.received()).toEqual([1])
  // Who kept it is in the log, once for each end.
  const changes = (await entriesOf(webhook.companyId)).filter(({ type }) => type === 'webhook.changed')
  expect(changes.map(({ data }) => data.change)).toEqual(['created', 'changed', 'changed', 'changed'])
})

it('A webhook of a key that ends continues where it stopped once an active key enables it', async () => {
  const webhook = await seedEnding()
  const end = inMs(hourMs)
  vi.setSystemTime(Date.now() + 2 * hourMs)
  await webhook.log(2)
  await webhook.run()
  // Any other change leaves it disabled.
  expect(await webhook.change(webhook.lasting, { include: ['details'] })).toMatchObject({
    disabledAt: end,
    disabledReason: 'key_expired',
  })
  const enabled = { expiresAt: null, disabledAt: null, disabledReason: null }
  expect(await webhook.change(webhook.lasting, { disabled: false })).toMatchObject(enabled)
  await webhook.run()
  expect(webhook.received()).toEqual([1, 2])
})

it('A webhook of a key without an end ends with a key that sets another URL, also while it is disabled', async () => {
  for (const disabled of [false, true]) {
    const webhook = await seedEnding()
    await webhook.change(webhook.lasting, { disabled })
    expect(await webhook.shown()).toMatchObject({ expiresAt: disabled ? inMs(hourMs) : null })
    const url = 'https://elsewhere.test/'
    const end = inMs(hourMs)
    expect(await webhook.change(webhook.ending, { url })).toMatchObject({ expiresAt: end })
    expect(await webhook.change(webhook.ending, { disabled: false })).toMatchObject({ expiresAt: end })
  }
})

it('A webhook of a key without an end does not end with a key that changes anything else', async () => {
  const webhook = await seedEnding()
  await webhook.change(webhook.lasting, { disabled: false })
  const include = ['details']
  expect(await webhook.change(webhook.ending, { include })).toMatchObject({ expiresAt: null })
  expect(await webhook.change(webhook.ending, { disabled: true })).toMatchObject({ expiresAt: null })
  expect(await webhook.change(webhook.ending, { disabled: false })).toMatchObject({ expiresAt: null })
})
