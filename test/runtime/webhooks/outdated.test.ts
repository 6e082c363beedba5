// What was erased or changed after a sender read its page is not sent from that page.
import { beforeEach, expect, it, vi } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { openReceiver } from '../../support/webhooks/receiver.ts'
import { seedWebhook, useFutureClock, verify, type WebhookWorld } from '../../support/webhooks/webhook.ts'
import { newPhone, seedKey, seedWorld } from '../../support/world.ts'

beforeEach(useFutureClock)

const range = (to: number) => Array.from({ length: to }, (_, i) => i + 1)

/** A webhook that gets six events at once, and what happens while its receiver answers the second. */
async function sendSix(
  act: (webhook: WebhookWorld) => Promise<unknown>,
  creator?: string,
  world?: WebhookWorld,
) {
  const webhook: WebhookWorld = await seedWebhook(
    {},
    async ({ body }) => {
      if (body.data.n === 2) {
        await act(webhook)
        // What the request left to do reaches the sender before this.
        await webhook.sender().dueSince()
      }
      return 204
    },
    world,
    creator,
  )
  await webhook.log(6)
  await webhook.wake()
  return webhook
}

/** Its page holds an event of each of two leads. */
async function seedPage(more: Parameters<typeof seedWebhook>[1]) {
  const webhook = await seedWebhook({ types: ['lead.changed'], include: ['phoneNumber', 'metadata'] }, more)
  const phones = [newPhone(), newPhone()] as const
  for (const phoneNumber of phones) {
    const lead = { campaignId: webhook.campaignId, phoneNumber, metadata: { name: `of ${phoneNumber}` } }
    dataOf(await webhook.client.request('POST', '/api/v1/leads', lead), 201)
  }
  await companyDb
    .prepare(
      `insert into events (company_id, number, at_ms, type, actor, campaign_number, lead_seq, data)
       select ?1, row_number() over (order by l.seq)
         + (select max(number) from events where company_id = ?1), ?2, 'lead.changed', 'operator',
         l.campaign_number, l.seq, '{}'
       from leads as l where l.campaign_number = ?3`,
    )
    .bind(webhook.companyId, Date.now(), webhook.campaign.number)
    .run()
  return { ...webhook, phones, sent: () => JSON.stringify(webhook.receiver.received) }
}

it('A person who is erased while a page is sent does not leave with the rest of it, and another company’s do', async () => {
  for (const how of ['erasure', 'lead'] as const) {
    let act = async () => {}
    const page = await seedPage(async () => {
      await act()
      return 204
    })
    const other = await seedPage(() => 204)
    act = async () => {
      act = async () => {}
      const { leads } = dataOf(
        await page.client.request('GET', `/api/v1/leads?campaignId=${page.campaignId}`),
        200,
      ) as { leads: { _id: string; phoneNumber: string }[] }
      const leadId = leads.find(({ phoneNumber }) => phoneNumber === page.phones[1])?._id
      if (how === 'lead') dataOf(await page.client.request('DELETE', `/api/v1/leads/${leadId}`), 200)
      else dataOf(await page.client.request('POST', '/api/v1/erasures', { leadId }), 200)
      await page.sender().dueSince()
    }
    await page.wake()
    await other.wake()
    expect(page.receiver.received).toHaveLength(2)
    expect(page.sent()).toContain(page.phones[0])
    expect(page.sent()).not.toContain(page.phones[1])
    for (const phone of other.phones) expect(other.sent()).toContain(`of ${phone}`)
  }
})

it('A webhook that is disabled while a page is sent sends no more of it, and another of its company does', async () => {
  let other: WebhookWorld | null = null
  const webhook = await sendSix(async (one) => {
    other = await seedWebhook({}, undefined, one)
    await one.log(6)
    await one.ask('PATCH', '', { disabled: true })
  })
  await (other as WebhookWorld | null)?.wake()
  expect(webhook.received()).toEqual([1, 2])
  expect((other as WebhookWorld | null)?.received()).toEqual(range(6))
})

it('A webhook that gets another URL, or another secret, while a page is sent uses it from the next event on', async () => {
  const to = openReceiver()
  const moved = await sendSix((webhook) => webhook.ask('PATCH', '', { url: to.url }))
  expect(moved.received()).toEqual([1, 2])
  await moved.run()
  expect(to.received.map(({ body }) => body.data.n)).toEqual([3, 4, 5, 6])

  let secret = ''
  const rotated = await sendSix(async (webhook) => {
    const sent = { previousExpiresAt: new Date(Date.now()).toISOString() }
    ;({ secret } = (await webhook.ask('POST', '/rotate', sent)) as { secret: string })
  })
  expect(rotated.received()).toEqual(range(6))
  for (const [i, received] of rotated.receiver.received.entries())
    expect(verify(i < 2 ? rotated.secret : secret, received)).toEqual(received.body)
})

it('A webhook that ends with a revoked key in the middle of a page sends no more of it, and that of another key does', async () => {
  const world = await seedWorld()
  const [stolen, kept] = [
    await seedKey({ companyId: world.companyId, scope: 'manage' }),
    await seedKey({ companyId: world.companyId, scope: 'manage' }),
  ]
  const owner = api(kept.key)
  const ended = await sendSix(
    async () => dataOf(await owner.request('DELETE', `/api/v1/keys/${stolen.id}?withCreated=true`), 200),
    stolen.key,
    world as WebhookWorld,
  )
  const other = await seedWebhook({}, undefined, world, kept.key)
  await other.log(2)
  await other.wake()
  expect(ended.received()).toEqual([1, 2])
  expect(other.received()).toEqual([1, 2])
})

it('A sender reads its page again after a second, so that what the operator changes in the database counts, too', async () => {
  const sql = 'update webhooks set disabled_at_ms = 1 where id = ?1'
  const disable = (waitMs: number) => async (webhook: WebhookWorld) => {
    await companyDb.prepare(sql).bind(webhook.webhookId).run()
    vi.setSystemTime(Date.now() + waitMs)
  }
  expect((await sendSix(disable(1_000))).received()).toEqual([1, 2])
  const slow = await sendSix(async () => vi.setSystemTime(Date.now() + 1_000))
  expect(slow.received()).toEqual(range(6))
  expect(await slow.ask('GET')).toMatchObject({ lag: 0, disabledAt: null })
})
