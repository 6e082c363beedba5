// Webhooks as their owners see them: which events they get, how little of each, and what of a webhook can be seen and
// changed. Failures are in ../../runtime/webhooks, allowed URLs in ../../unit/webhook-url.test.ts.
import { beforeEach, expect, it, vi } from 'vitest'
import { agentIn, anyNumberAgain, openAtAllHours } from '../../support/calling/agent.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { openReceiver } from '../../support/webhooks/receiver.ts'
import { seedWebhook, startMs, useFutureClock, verify } from '../../support/webhooks/webhook.ts'
import { newPhone, seedCampaign, seedKey, seedWorld } from '../../support/world.ts'

beforeEach(useFutureClock)

const path = '/api/v1/webhooks'

async function companyWithAgent() {
  const world = await seedWorld()
  const agent = await agentIn(world)
  await agent.change(openAtAllHours)
  return { world, agent }
}

it('A webhook gets events from now on, thin: ids and outcomes', async () => {
  const { world, agent } = await companyWithAgent()
  await agent.add()
  const types = ['leads.created', 'call.reported', 'lead.concluded']
  const webhook = await seedWebhook({ types }, undefined, world)
  const call = await agent.call({ externalId: 'crm-42', metadata: { name: 'Ada' }, priority: 100 })
  const details = { summary: 'bought' }
  await agent.report([{ callId: call.callId, outcome: 'answered', details }])
  await webhook.run()

  const [created, reported, concluded] = webhook.receiver.received
  const { campaignId } = world
  const leadId = call.lead._id
  expect(webhook.receiver.received).toHaveLength(3)
  expect(created?.body).toEqual({
    type: 'leads.created',
    timestamp: new Date(startMs).toISOString(),
    data: { campaignId, count: 1, leadIds: [leadId], origin: expect.anything() },
  })
  const data = {
    ...{ leadId, campaignId, externalId: 'crm-42', status: 'concluded', attempts: 1 },
    ...{ callId: call.callId, outcome: 'answered', isLastAttempt: false },
  }
  expect(reported?.body).toMatchObject({ type: 'call.reported', data })
  expect(concluded?.body).toEqual({ ...reported?.body, type: 'lead.concluded' })
  for (const event of webhook.receiver.received) verify(webhook.secret, event)
})

it('A webhook gets phone number, metadata and details where it includes them', async () => {
  const { world, agent } = await companyWithAgent()
  const include = ['phoneNumber', 'metadata', 'details']
  const webhook = await seedWebhook({ types: ['call.reported'], include }, undefined, world)
  const call = await agent.call({ metadata: { name: 'Ada', score: 1 } })
  await agent.report([{ callId: call.callId, outcome: 'busy', details: { rang: 4 } }])
  await webhook.run()
  expect(webhook.receiver.received[0]?.body.data).toMatchObject({
    phoneNumber: call.lead.phoneNumber,
    metadata: { name: 'Ada', score: 1 },
    details: { rang: 4 },
  })
})

it('A webhook gets metadata and details byte for byte, as they were sent', async () => {
  const { world, agent } = await companyWithAgent()
  const include = ['phoneNumber', 'metadata', 'details']
  const types = ['call.reported', 'lead.concluded', 'lead.changed']
  const webhook = await seedWebhook({ types, include }, undefined, world)
  const metadata = '{ "n":12345678901234567890,\n "m":1e400, "10":-0, "9":1.10, "a":1,"a":"\\u00e9" }'
  const details = '{"n":1e-400,"id":98765432109876543210,"t":"}\\"{" }'
  const phoneNumber = newPhone()
  const { campaignId, writeKey } = world
  const lead = `{"campaignId":"${campaignId}","phoneNumber":"${phoneNumber}","metadata":${metadata}}`
  dataOf(await api(writeKey).createLead(lead), 201)
  const [call] = (await agent.claim()).calls
  const report = `{"calls":[{"callId":"${call?.callId}","outcome":"answered","details":${details}}]}`
  dataOf(await api(agent.agentKey).request('POST', '/api/v1/calls/report', report), 200)
  const change = { priority: 3 }
  await agent.ask('PATCH', `/api/v1/leads/${call?.lead._id}`, change, { key: writeKey })
  await webhook.run()

  const texts = webhook.receiver.received.map(({ text }) => text)
  const included = `"phoneNumber":"${phoneNumber}","metadata":${metadata}`
  expect(texts.map((text) => text.slice(text.indexOf('"phoneNumber"')))).toEqual([
    `${included},"details":${details}}}`,
    `${included},"details":${details}}}`,
    `${included}}}`,
  ])
  for (const event of webhook.receiver.received) verify(webhook.secret, event)
})

it('A webhook gets one body for one id, whatever has become of the lead between two tries', async () => {
  const { world, agent } = await companyWithAgent()
  await agent.change(anyNumberAgain)
  const types = ['call.reported', 'lead.changed', 'lead.requeued']
  let isDown = true
  const include = ['phoneNumber', 'metadata', 'details']
  const webhook = await seedWebhook({ types, include }, () => (isDown ? 500 : 204), world)
  const call = await agent.call({ metadata: { name: 'Ada' } })
  const { _id: leadId } = call.lead
  await agent.report([{ callId: call.callId, outcome: 'answered' }])
  await agent.ask('PATCH', `/api/v1/leads/${leadId}`, { priority: 3 }, { key: world.writeKey })
  await agent.ask('POST', `/api/v1/leads/${leadId}/requeue`, undefined, { key: world.writeKey })
  const texts = new Map<string, string>()
  await webhook.run()
  for (const { id, text } of webhook.receiver.received) texts.set(id, text)
  await agent.report([{ callId: (await agent.claim()).calls[0]?.callId, outcome: 'answered' }])
  isDown = false
  while (await webhook.runNext());
  const { received } = webhook.receiver
  for (const { id, text } of received) expect(text).toBe(texts.get(id) ?? text)
  const facts = new Map(received.map(({ id, body }) => [id, [body.data.status, body.data.attempts]]))
  expect([...facts.values()]).toEqual([
    ['concluded', 1],
    ['concluded', 1],
    ['attempting', 1],
    ['concluded', 2],
  ])
})

it('A webhook never gets data of an erased person, whatever was logged or tried before', async () => {
  const { world, agent } = await companyWithAgent()
  let isDown = true
  const include = ['phoneNumber', 'metadata', 'details']
  const types = ['leads.created', 'call.reported', 'lead.erased']
  const webhook = await seedWebhook({ types, include }, () => (isDown ? 500 : 204), world)
  const call = await agent.call({ externalId: 'crm-42', metadata: { name: 'Ada' } })
  await agent.report([{ callId: call.callId, outcome: 'busy', details: { said: 'Ada' } }])
  await webhook.run()
  const before = webhook.receiver.received.length
  await agent.ask('DELETE', `/api/v1/leads/${call.lead._id}`, undefined, { key: agent.manageKey })
  isDown = false
  while (await webhook.runNext());
  const after = webhook.receiver.received.slice(before)
  const dataOfType = new Map(after.map(({ body }) => [body.type, body.data]))
  expect([...dataOfType.keys()].sort()).toEqual(types.toSorted())
  expect(dataOfType.get('leads.created')).toMatchObject({ count: 1, leadIds: [] })
  for (const { text } of after) expect(text).not.toMatch(/Ada|crm-42|\+\d{7}/)
})

it('A webhook of a campaign gets its events only, and its key sees and creates no other', async () => {
  const { world, agent } = await companyWithAgent()
  const sibling = await seedCampaign(world.companyId)
  const { campaignId } = world
  const types = ['leads.created']
  const [ofCompany, ofCampaign] = [
    await seedWebhook({ types }, undefined, world),
    await seedWebhook({ types, campaignId }, undefined, world),
  ]
  const { leadId } = await agent.add()
  await (await agentIn({ companyId: world.companyId, campaign: sibling })).add()
  await Promise.all([ofCompany.run(), ofCampaign.run()])
  expect(ofCompany.receiver.received).toHaveLength(2)
  expect(ofCampaign.receiver.received.map(({ body }) => body.data.leadIds)).toEqual([[leadId]])

  const { companyId, campaign } = world
  const client = api((await seedKey({ companyId, campaign, scope: 'manage' })).key)
  const listed = dataOf(await client.request('GET', path), 200) as { webhooks: { webhookId: string }[] }
  expect(listed.webhooks.map(({ webhookId }) => webhookId)).toEqual([ofCampaign.webhookId])
  const { url } = openReceiver()
  const make = (body: object) => client.request('POST', path, { url, types, ...body })
  const isOfCompany = [403, 'Insufficient permissions', 'company_key_required'] as const
  expectFailure(await make({}), ...isOfCompany)
  expectFailure(await make({ campaignId: sibling.id }), 403, 'Campaign not found or access denied')
  dataOf(await make({ campaignId }), 201)
  const mine = `${path}/${ofCampaign.webhookId}`
  expectFailure(await client.request('PATCH', mine, { campaignId: null }), ...isOfCompany)
  expectFailure(await client.request('GET', `${path}/${ofCompany.webhookId}`), 404, 'Webhook not found')
})

it.each([{ types: null }, {}, { types: '' }])(
  'A webhook made with %j gets every type, those of later versions too',
  async (made) => {
    const { world, agent } = await companyWithAgent()
    const webhook = await seedWebhook({ types: undefined, ...made }, undefined, world)
    expect(await webhook.ask('GET')).toMatchObject({ types: null })
    const stored = companyDb.prepare('select types from webhooks where id = ?1').bind(webhook.webhookId)
    expect(await stored.first('types')).toBe('["*"]')
    const { callId } = await agent.call()
    await agent.report([{ callId, outcome: 'answered' }])
    await agent.change({ maxAttempts: 7 })
    await webhook.run()
    const seen = webhook.receiver.received.map(({ body }) => body.type)
    expect(seen).toEqual(['leads.created', 'call.reported', 'lead.concluded', 'campaign.changed'])
    expect(await webhook.ask('GET')).toMatchObject({ types: null })
  },
)

it('A webhook gets every type once its types are null, and only those named once they are named', async () => {
  const { world, agent } = await companyWithAgent()
  const webhook = await seedWebhook({ types: ['lead.erased'] }, undefined, world)
  expect(await webhook.ask('PATCH', '', { types: null })).toMatchObject({ types: null })
  await agent.add()
  await webhook.run()
  expect(webhook.receiver.received.at(-1)?.body.type).toBe('leads.created')
  expect(await webhook.ask('PATCH', '', { types: ['lead.erased'] })).toMatchObject({
    types: ['lead.erased'],
  })
  await agent.add()
  await webhook.run()
  expect(webhook.receiver.received.filter(({ body }) => body.type === 'leads.created')).toHaveLength(1)
})

it('A webhook gets the external ids of created leads where it includes them, without those of the erased', async () => {
  const { world, agent } = await companyWithAgent()
  const types = ['leads.created']
  const [plain, including] = [
    await seedWebhook({ types }, undefined, world),
    await seedWebhook({ types, include: ['externalIds'] }, undefined, world),
  ]
  const externalIds = ['crm-1', undefined, 'crm-"3"', 'crm-4']
  const leads = externalIds.map((externalId) => ({ phoneNumber: newPhone(), externalId }))
  const created = dataOf(await api(world.writeKey).importLeads({ campaignId: world.campaignId, leads }), 200)
  const { createdIds } = created as { createdIds: string[] }
  await agent.ask('DELETE', `/api/v1/leads/${createdIds[3]}`, undefined, { key: agent.manageKey })
  // They were sent at once: again, as they are now.
  for (const webhook of [plain, including]) {
    await webhook.run()
    await webhook.ask('POST', '/replay', { since: new Date(Date.now() - 60_000).toISOString() })
    await webhook.run()
  }
  const data = {
    campaignId: world.campaignId,
    count: 4,
    leadIds: createdIds.slice(0, 3),
    origin: expect.anything(),
  }
  expect(plain.receiver.received.at(-1)?.body.data).toEqual(data)
  expect(including.receiver.received.at(-1)?.body.data).toEqual({
    ...data,
    externalIds: ['crm-1', null, 'crm-"3"'],
  })
})

it('A webhook is shown as it was made, and its secret never again', async () => {
  const webhook = await seedWebhook({ include: ['details'] })
  const { webhookId, receiver } = webhook
  const shown = {
    webhookId,
    url: receiver.url,
    types: ['campaign.changed'],
    campaignId: null,
    include: ['details'],
    format: null,
    createdAt: new Date(startMs).toISOString(),
    createdBy: expect.stringMatching(/^key-/),
    actorName: null,
    expiresAt: null,
    disabledAt: null,
    disabledReason: null,
    previousExpiresAt: null,
    lag: 0,
    failingSince: null,
    givenUp: 0,
  }
  const got = await webhook.client.request('GET', `${path}/${webhookId}`)
  expect(dataOf(got, 200)).toEqual(shown)
  expect(got.text).not.toContain('whsec_')
  expect(dataOf(await webhook.client.request('GET', path), 200)).toEqual({ webhooks: [shown] })
  await webhook.log(2)
  expect(await webhook.ask('GET')).toEqual({ ...shown, lag: 2 })
  // A client may send a body of no bytes where it means none.
  const noBytes = await webhook.client.request('POST', `${path}/${webhookId}/rotate`, new Uint8Array(0), {
    'content-type': null,
  })
  const { previousExpiresAt } = dataOf(noBytes, 200) as { previousExpiresAt: string }
  expect(previousExpiresAt).toBe(new Date(startMs + 86_400_000).toISOString())
  expect(await webhook.ask('GET')).toMatchObject({ previousExpiresAt })
  vi.setSystemTime(startMs + 86_400_000)
  expect(await webhook.ask('GET')).toMatchObject({ previousExpiresAt: null })
})

it('A webhook is changed only in the given members, and each change is in the log', async () => {
  const webhook = await seedWebhook({ include: ['details'] })
  const other = openReceiver()
  const before = await webhook.ask('GET')
  expect(await webhook.ask('PATCH', '', {})).toEqual(before)
  expect(await webhook.ask('PATCH', '', { url: other.url, include: null })).toEqual({
    ...before,
    url: other.url,
    include: [],
    lag: 1,
  })
  await webhook.ask('PATCH', '', { url: other.url })
  await webhook.ask('PATCH', '', { disabled: true, types: ['lead.erased'] })
  expect(await webhook.ask('PATCH', '', { disabled: true })).toMatchObject({
    types: ['lead.erased'],
    disabledReason: 'operator',
    disabledAt: new Date(startMs).toISOString(),
  })
  await webhook.ask('PATCH', '', { disabled: false })
  await webhook.ask('POST', '/rotate')
  await webhook.ask('POST', '/replay', { since: new Date(startMs).toISOString() })
  expect(await webhook.ask('DELETE')).toEqual({ deleted: true })
  expectFailure(await webhook.client.request('GET', `${path}/${webhook.webhookId}`), 404, 'Webhook not found')

  const log = await webhook.client.request('GET', '/api/v1/events?types=webhook.changed')
  const { events } = dataOf(log, 200) as { events: { data: { webhookId: string; change: string } }[] }
  expect(events.map(({ data }) => data.change)).toEqual([
    ...['created', 'changed', 'changed', 'disabled', 'enabled', 'rotated', 'replayed', 'removed'],
  ])
  for (const { data } of events) expect(data.webhookId).toBe(webhook.webhookId)
})

it('A webhook sends a test at once, signed, and says what came of it', async () => {
  const webhook = await seedWebhook()
  await webhook.ask('PATCH', '', { disabled: true })
  const tested = await webhook.ask('POST', '/test')
  const [event] = webhook.receiver.received
  if (event === undefined) throw new Error('nothing came')
  expect(tested).toEqual({ eventId: event.id, status: 204, milliseconds: expect.any(Number), error: null })
  expect(verify(webhook.secret, event)).toEqual({
    type: 'webhook.test',
    timestamp: new Date(startMs).toISOString(),
    data: { webhookId: webhook.webhookId },
  })
  webhook.receiver.reply = () => new Response(null, { status: 302, headers: { location: '/elsewhere' } })
  expect(await webhook.ask('POST', '/test')).toMatchObject({
    status: 302,
    error: 'redirects are not followed',
  })
  webhook.receiver.reply = () => 'late'
  expect(await webhook.ask('POST', '/test')).toMatchObject({
    status: null,
    error: expect.stringMatching(/^no answer within \d+(\.\d+)? s$/),
  })
})
