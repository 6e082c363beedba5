// Webhooks that people read: alerts arrive at fakes of four makers as these want them, one a second, and a pager's key
// is kept as a secret. What is in a message is in unit/webhooks/messages.test.ts.

import { env } from 'cloudflare:workers'
import { validate } from '@cfworker/json-schema'
import { expect, it } from 'vitest'
import type { Format } from '../../../src/channels/webhooks/format.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { makerSchemas } from '../../support/webhooks/maker-schemas.ts'
import { openReceiver } from '../../support/webhooks/receiver.ts'
import { seedWebhook } from '../../support/webhooks/webhook.ts'
import { newPhone, seedKey, seedWorld } from '../../support/world.ts'

const routingKey = 'R0123456789abcdefghijklmnopqrstu'
const pager = { format: 'pagerduty', secrets: { routingKey } }
const alerts = ['alert.raised', 'alert.cleared']

type World = Awaited<ReturnType<typeof seedWorld>>

/** As control/alerts/store/failures.ts logs them. */
async function logAlert(
  { companyId, campaign }: World,
  type: string,
  kind: string,
  subject = '',
): Promise<void> {
  await companyDb
    .prepare(
      `insert into events (company_id, number, at_ms, type, actor, campaign_number, data)
       select ?1, coalesce(max(number), 0) + 1, ?2, ?3, 'system', ?4, ?5 from events where company_id = ?1`,
    )
    .bind(
      companyId,
      Date.now(),
      type,
      campaign.number,
      JSON.stringify({ kind, subject, since: '2026-11-29T09:10:00.000Z' }),
    )
    .run()
}

const formatted = async (format: Format) =>
  seedWebhook({ types: null, ...(format === 'pagerduty' ? pager : { format }) }, () =>
    format === 'pagerduty' ? 202 : format === 'discord' ? 204 : 200,
  )

it.each<Format>(['slack', 'teams', 'discord', 'pagerduty'])(
  'An alert that is raised and cleared arrives as %s wants it, and is delivered',
  async (format) => {
    const webhook = await formatted(format)
    await companyDb
      .prepare('update campaigns set name = ?2 where number = ?1')
      .bind(webhook.campaign.number, '@everyone <!channel>')
      .run()
    await logAlert(webhook, 'alert.raised', 'no_agent')
    await logAlert(webhook, 'alert.cleared', 'no_agent')
    await webhook.run()
    await expect.poll(() => webhook.receiver.received.length).toBe(2)
    const bodies = webhook.receiver.received.map(({ text }) => JSON.parse(text))
    for (const body of bodies)
      expect({ body, ...validate(body, makerSchemas[format], '2020-12') }).toMatchObject({ valid: true })
    const [raised, cleared] = bodies.map((body) => JSON.stringify(body))
    if (format === 'slack') expect(raised).toContain('@everyone &lt;!channel&gt;')
    if (format === 'pagerduty') {
      expect(bodies.map(({ event_action }) => event_action)).toEqual(['trigger', 'resolve'])
      expect(new Set(bodies.map(({ dedup_key }) => dedup_key)).size).toBe(1)
      expect(bodies[0].routing_key).toBe(routingKey)
    } else
      expect([raised, cleared]).toEqual([
        expect.stringContaining('nobody calls'),
        expect.stringContaining('Over: '),
      ])
    const deliveries = await webhook.deliveries()
    expect(deliveries.map(({ type, error }) => [type, error])).toEqual([
      ['alert.cleared', null],
      ['alert.raised', null],
    ])
  },
)

it('Messages are sent one a second at most, also those that are sent again, and events as they are without a pause', async () => {
  const at: number[] = []
  let isDown = true
  const webhook = await seedWebhook({ format: 'slack', types: alerts }, () => {
    at.push(Date.now())
    return isDown ? 500 : 200
  })
  for (let i = 0; i < 2; i++) await logAlert(webhook, 'alert.raised', 'agent_failing', `a${i}`)
  await webhook.run()
  await expect.poll(() => at.length).toBeGreaterThanOrEqual(2)
  isDown = false
  await logAlert(webhook, 'alert.raised', 'agent_failing', 'a2')
  await webhook.run()
  await expect.poll(() => at.length).toBeGreaterThanOrEqual(4)
  const pauses = at.slice(1).map((ms, i) => ms - (at[i] as number))
  expect(pauses.filter((ms) => ms < 950)).toEqual([])
})

it('A chat gets no event of a lead or a call, whatever is logged', async () => {
  const webhook = await formatted('slack')
  const { campaignId, writeKey } = webhook
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
  await logAlert(webhook, 'alert.raised', 'no_agent')
  await webhook.run()
  await expect.poll(() => webhook.receiver.received.length).toBe(1)
  expect(await webhook.ask('GET')).toMatchObject({ format: 'slack', types: alerts, lag: 0 })
})

it('Creation refuses what a format cannot send, and secrets of others', async () => {
  const { companyId } = await seedWorld()
  const { key } = await seedKey({ companyId, scope: 'manage' })
  const { url } = openReceiver()
  const create = (body: object) => api(key).request('POST', '/api/v1/webhooks', body)
  const chat =
    'campaign.changed, campaign.created, campaign.archived, dialer.test_started, alert.raised, alert.cleared'
  for (const [message, body] of [
    ['format must be one of slack, teams, discord, pagerduty', { url, format: 'irc' }],
    ['url is required', { format: 'slack' }],
    ['url is required', { secrets: { routingKey } }],
    [
      `types must be some of ${chat} with the format slack`,
      { url, format: 'slack', types: ['call.reported'] },
    ],
    [
      `types must be some of ${chat} with the format teams`,
      { url, format: 'teams', types: [...alerts, 'key.created'] },
    ],
    [
      'types must be some of alert.raised, alert.cleared with the format pagerduty',
      { ...pager, types: ['campaign.changed'] },
    ],
    [
      'include is not supported with the format discord',
      { url, format: 'discord', include: ['phoneNumber'] },
    ],
    ['secrets.routingKey is required with the format pagerduty', { format: 'pagerduty' }],
    ['secrets.routingKey is required', { format: 'pagerduty', secrets: {} }],
    [
      'secrets.routingKey must be 32 letters and digits',
      { format: 'pagerduty', secrets: { routingKey: 'short' } },
    ],
    ['secrets.key is not a member', { format: 'pagerduty', secrets: { routingKey, key: 'x' } }],
    ['secrets are only for the format pagerduty', { url, format: 'slack', secrets: { routingKey } }],
    ['secrets are only for the format pagerduty', { url, secrets: { routingKey } }],
  ] as const)
    expectFailure(await create(body), 400, message, 'invalid_field')
  const { webhookId } = dataOf(await create(pager), 201) as { webhookId: string }
  const made = dataOf(await api(key).request('GET', `/api/v1/webhooks/${webhookId}`), 200)
  expect(made).toMatchObject({
    url: 'https://events.pagerduty.com/v2/enqueue',
    format: 'pagerduty',
    types: alerts,
  })
  expect(JSON.stringify(made)).not.toContain(routingKey)
  const stored = await companyDb.prepare('select * from webhooks where id = ?1').bind(webhookId).first()
  expect(JSON.stringify(stored)).not.toContain(routingKey)
})

it('A change keeps to the format, and another URL gets the key of a pager only from somebody who knows it', async () => {
  const webhook = await formatted('pagerduty')
  const patch = (body: object) =>
    webhook.client.request('PATCH', `/api/v1/webhooks/${webhook.webhookId}`, body)
  const other = openReceiver(() => 202)
  expectFailure(await patch({ format: null }), 400, 'format is not a member')
  expectFailure(await patch({ url: other.url }), 400, 'secrets.routingKey is required with a new url')
  const wrongTypes = 'types must be some of alert.raised, alert.cleared with the format pagerduty'
  expectFailure(await patch({ types: ['call.reported'] }), 400, wrongTypes)
  expect(dataOf(await patch({ types: null }), 200)).toMatchObject({ types: alerts })
  // Somebody who can write to the database has no use of it elsewhere.
  await companyDb
    .prepare('update webhooks set url = ?2 where id = ?1')
    .bind(webhook.webhookId, other.url)
    .run()
  await logAlert(webhook, 'alert.raised', 'no_agent')
  await webhook.run()
  await expect
    .poll(async () => (await webhook.deliveries()).map(({ error }) => error))
    .toContain('the secrets cannot be read: set them again')
  expect(other.received).toEqual([])
  const newKey = 'N'.repeat(32)
  dataOf(await patch({ url: other.url, secrets: { routingKey: newKey } }), 200)
  await webhook.run()
  await expect.poll(() => other.received.length).toBeGreaterThanOrEqual(1)
  expect(JSON.parse(other.received[0]?.text ?? '').routing_key).toBe(newKey)
  const slack = await formatted('slack')
  const answer = await slack.client.request('PATCH', `/api/v1/webhooks/${slack.webhookId}`, {
    secrets: { routingKey },
  })
  expectFailure(answer, 400, 'secrets are only for the format pagerduty')
})

it('A test message is one that a person reads, with a link where PUBLIC_URL is set', async () => {
  const webhook = await formatted('slack')
  await webhook.ask('POST', '/test')
  const linked = api((await seedKey({ companyId: webhook.companyId, scope: 'manage' })).key, {
    bindings: { PUBLIC_URL: 'https://leads.example.com', WEBHOOK_ROOT: env.WEBHOOK_ROOT },
  })
  dataOf(await linked.request('POST', `/api/v1/webhooks/${webhook.webhookId}/test`), 200)
  expect(webhook.receiver.received.map(({ text }) => JSON.parse(text).text)).toEqual([
    'This is a test: alerts of the lead intake arrive here.',
    'This is a test: alerts of the lead intake arrive here. <https://leads.example.com/console|Open the console>',
  ])
})
