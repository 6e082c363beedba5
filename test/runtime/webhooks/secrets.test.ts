// Replacing a webhook's secret, also more than once: a receiver that was promised an end can verify until then.
import { beforeEach, expect, it, vi } from 'vitest'
import { databaseLosingAnswers } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { expectFailure } from '../../support/http/expectations.ts'
import {
  seedWebhook,
  startMs,
  useFutureClock,
  verify,
  type WebhookWorld,
} from '../../support/webhooks/webhook.ts'
import { seedKey } from '../../support/world.ts'

beforeEach(useFutureClock)

const hourMs = 3_600_000
const at = (hours: number) => new Date(startMs + hours * hourMs).toISOString()
const rotate = async (webhook: WebhookWorld, hours: number) =>
  (await webhook.ask('POST', '/rotate', { previousExpiresAt: at(hours) })).secret as string

/** Which of the secrets verify what is sent after so many hours. */
async function verifying(webhook: WebhookWorld, secrets: readonly string[], hours: number) {
  vi.setSystemTime(startMs + hours * hourMs)
  await webhook.log(1)
  await webhook.run()
  const event = webhook.receiver.received.at(-1)
  if (event === undefined) throw new Error('nothing came')
  return secrets.map((secret) => {
    try {
      return verify(secret, event) !== undefined
    } catch {
      return false
    }
  })
}

it('A secret that is rotated signs until the end that was promised, though another rotation followed', async () => {
  const webhook = await seedWebhook()
  const secrets = [webhook.secret, await rotate(webhook, 24), await rotate(webhook, 1)]
  secrets.push(await rotate(webhook, 2))
  expect(new Set(secrets).size).toBe(4)
  expect(await verifying(webhook, secrets, 0)).toEqual([true, true, true, true])
  expect(await verifying(webhook, secrets, 1)).toEqual([true, false, true, true])
  expect(await verifying(webhook, secrets, 2)).toEqual([true, false, false, true])
  expect(await verifying(webhook, secrets, 24)).toEqual([false, false, false, true])
  expect(webhook.receiver.received[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(4)
})

it('A secret that is rotated ends now when that is requested, and those before it keep their ends', async () => {
  const webhook = await seedWebhook()
  const secrets = [webhook.secret, await rotate(webhook, 24), await rotate(webhook, 0)]
  expect(await verifying(webhook, secrets, 0)).toEqual([true, false, true])
  expect(await webhook.ask('POST', '/test')).toMatchObject({ status: 204 })
  const tested = webhook.receiver.received.at(-1)
  expect(tested?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
})

it('A secret that is rotated is rotated once by a request whose answer was lost', async () => {
  const webhook = await seedWebhook()
  const { key } = await seedKey({ companyId: webhook.companyId, scope: 'manage' })
  const { DB } = databaseLosingAnswers(1)
  const client = api(key, { bindings: { DB } })
  const path = `/api/v1/webhooks/${webhook.webhookId}/rotate`
  expect((await client.request('POST', path, { previousExpiresAt: at(24) })).status).toBe(200)
  const row = await companyDb
    .prepare('select secret_version as version, older_secrets as older from webhooks where id = ?1')
    .bind(webhook.webhookId)
    .first()
  expect(row).toEqual({ version: 2, older: '[]' })
})

it('A secret that is rotated keeps nothing of those that have ended, and has at most ten that have not beside it', async () => {
  const webhook = await seedWebhook()
  for (let i = 0; i < 10; i++) await rotate(webhook, 24 + i)
  const answer = await webhook.client.request('POST', `/api/v1/webhooks/${webhook.webhookId}/rotate`, {
    previousExpiresAt: at(50),
  })
  expectFailure(answer, 409, 'Too many secrets sign at once')
  // One that ends now is always possible.
  await rotate(webhook, 0)
  vi.setSystemTime(startMs + 100 * hourMs)
  await rotate(webhook, 101)
  const older = await companyDb
    .prepare('select older_secrets as older from webhooks where id = ?1')
    .bind(webhook.webhookId)
    .first('older')
  expect(older).toBe('[]')
})
