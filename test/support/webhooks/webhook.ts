// A company with a webhook whose receiver the test plays, a log to write to, and a sender whose clock and alarm it
// controls. The clock is years ahead, so that no alarm goes off but those that a test runs.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook as Verifier } from 'standardwebhooks'
import { vi } from 'vitest'
import type { WebhookSender } from '../../../src/channels/webhooks/sender.ts'
import { companyDb, storeName } from '../database/store.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { seedKey, seedWorld } from '../world.ts'
import { openReceiver, type Received, type Receiver } from './receiver.ts'

export const startMs = Date.UTC(2035, 0, 15, 12)

/** Of 2035. Timers stay real. */
export function useFutureClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
}

export type WebhookWorld = Awaited<ReturnType<typeof seedWebhook>>

/** Gets `campaign.changed` by default. */
export async function seedWebhook(
  body: object = {},
  reply?: Receiver['reply'],
  world?: Awaited<ReturnType<typeof seedWorld>>,
  creator?: string,
) {
  const home = world ?? (await seedWorld())
  const key = creator ?? (await seedKey({ companyId: home.companyId, scope: 'manage' })).key
  const client = api(key)
  const receiver = openReceiver(reply)
  const wanted = { url: receiver.url, types: ['campaign.changed'], ...body }
  const made = dataOf(await client.request('POST', '/api/v1/webhooks', wanted), 201)
  const { webhookId, secret } = made as { webhookId: string; secret: string }
  const path = `/api/v1/webhooks/${webhookId}`
  const sender = () => env.WEBHOOK_SENDERS.getByName(webhookId)
  const ask = async (method: string, what = '', sent?: object) =>
    dataOf(await client.request(method, path + what, sent), 200) as Record<string, unknown>

  return {
    ...home,
    client,
    receiver,
    webhookId,
    secret,
    sender,
    ask,
    /** Writes entries, each with its place among these. */
    log: (count: number, data: object = {}) => logEntries(home.companyId, count, data),
    /** Until it has sent what it sends at once. */
    wake: () => wakeToTheEnd(sender(), webhookId),
    /** Moves the clock to the alarm and runs it; false when there is none. */
    async runNext(): Promise<boolean> {
      const atMs = await runInDurableObject(sender(), (_: WebhookSender, { storage }) => storage.getAlarm())
      if (atMs === null) return false
      vi.setSystemTime(Math.max(atMs, Date.now()))
      return runDurableObjectAlarm(sender())
    },
    /** Wakes it and runs what is due now. */
    async run(): Promise<void> {
      await wakeToTheEnd(sender(), webhookId)
      await runDurableObjectAlarm(sender())
    },
    deliveries: async () =>
      (await ask('GET', '/deliveries')).deliveries as {
        eventId: string
        type: string
        attempt: number
        status: number | null
        time: string
        milliseconds: number
        error: string | null
      }[],
    /** What came of these entries, in the order in which it came. */
    received: () => receiver.received.map(({ body }) => body.data.n),
  }
}

/** Nobody else waits for what a sender does when it is woken. */
function wakeToTheEnd(sender: DurableObjectStub<WebhookSender>, webhookId: string): Promise<void> {
  return runInDurableObject(sender, async (object: WebhookSender, ctx) => {
    const work: Promise<unknown>[] = []
    const waitUntil = vi.spyOn(ctx, 'waitUntil').mockImplementation((one) => void work.push(one))
    await object.wake(webhookId, null, storeName)
    waitUntil.mockRestore()
    await Promise.all(work)
  })
}

export async function logEntries(companyId: string, count: number, data: object = {}): Promise<void> {
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
     insert into events (company_id, number, at_ms, type, actor, lead_seq, data)
     select ?1, i + coalesce((select max(number) from events where company_id = ?1), 0), ?3, 'campaign.changed',
       'operator', i + coalesce((select max(number) from events
         where company_id = ?1), 0), json_set(?4, '$.n', i) from n`,
    )
    .bind(companyId, count, Date.now(), JSON.stringify(data))
    .run()
}

/** The official package's word. Throws when it does not hold. */
export function verify(secret: string, { text, headers }: Received): unknown {
  return new Verifier(secret).verify(text, { ...headers })
}
