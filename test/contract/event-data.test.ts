// Events that webhooks send match the API description: bodies and headers of every event type that requests cause, with
// all optional data.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { openPaused } from '../../src/control/companies/keep-rows.ts'
import { newEmail, seedIdentity } from '../support/access/identity.ts'
import { agentIn, openAtAllHours } from '../support/calling/agent.ts'
import { companyDb } from '../support/database/store.ts'
import { gateAt, refuses } from '../support/dialers/gate-world.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { runCron } from '../support/run/cron.ts'
import { postJson, seedSource } from '../support/sources/source-world.ts'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { seedWebhook, useFutureClock } from '../support/webhooks/webhook.ts'
import { newPhone, newPhones, seedOperatorKey, seedWorld } from '../support/world.ts'
import { eventViolations, types } from './document.ts'

beforeEach(useFutureClock)

it('What webhooks send matches the API description for every event type', async () => {
  const { url } = openReceiver(() => refuses())
  const world = await seedWorld()
  const agent = await agentIn(world)
  const include = ['phoneNumber', 'metadata', 'details', 'externalIds']
  let isGone = true
  const refusing = await seedWebhook({ types: ['key.created', 'campaign.changed'] }, () => 422, world)
  const dying = await seedWebhook({ types: ['leads.created'] }, () => (isGone ? 410 : 204), world)
  const webhook = await seedWebhook({ types, include }, undefined, world)
  await agent.change({ ...openAtAllHours, maxAttempts: 1, outcomes: { no_answer: { minutes: 1 } } })
  const metadata = { name: 'Ada' }
  const details = { rang: 4 }
  const manage = { key: agent.manageKey }

  const first = await agent.call({ metadata, externalId: 'crm-42' })
  await agent.report([{ callId: first.callId, outcome: 'answered', doNotCall: true, details }])
  const second = await agent.call({ metadata })
  await agent.report([{ callId: second.callId, outcome: 'no_answer' }])
  const third = await agent.call()
  await agent.ask('POST', '/api/v1/calls/release', { calls: [{ callId: third.callId }] })
  await agent.call({ priority: 100 })
  const leads = newPhones(20).map((phoneNumber) => ({ phoneNumber }))
  await api(world.writeKey).importLeads({ campaignId: world.campaignId, leads }, { 'x-import-name': 'a.csv' })
  for (let i = 0; i < 5; i++) await agent.claim({ limit: 4, agent: 'seat-7' })
  vi.setSystemTime(Date.now() + 3 * 3_600_000)
  await runCron()
  await agent.ask('PATCH', `/api/v1/leads/${third.lead._id}`, { priority: 7 }, { key: world.writeKey })
  await agent.ask('POST', `/api/v1/leads/${second.lead._id}/requeue`, undefined, { key: world.writeKey })
  await agent.ask('DELETE', `/api/v1/leads/${third.lead._id}`, undefined, manage)
  await agent.suppress([newPhone()])
  const removed = { phoneNumbers: [first.lead.phoneNumber] }
  await agent.ask('DELETE', '/api/v1/suppressions', removed, manage)
  await agent.ask('POST', '/api/v1/erasures', { phoneNumber: newPhone() }, manage)
  await agent.ask('POST', '/api/v1/numbers/record', { phoneNumber: newPhone() }, manage)
  const text = 'I agree to be called.'
  const consent = { phoneNumber: newPhone(), purpose: 'calls', givenAt: '2026-11-01T09:00:00Z', text }
  await agent.ask('POST', '/api/v1/consents', { consents: [consent] }, manage)
  await agent.ask('POST', '/api/v1/consents/withdraw', { phoneNumber: consent.phoneNumber }, manage)
  const csv = { ...manage, headers: { accept: 'text/csv' } }
  await agent.ask('GET', `/api/v1/leads?campaignId=${world.campaignId}`, undefined, csv)
  const spring = { id: 'spring', name: 'Spring', ...openAtAllHours }
  const created = await agent.ask('POST', '/api/v1/campaigns', spring, manage)
  expect(created.status).toBe(201)
  await agent.ask('PUT', '/api/v1/campaigns/spring/gate', gateAt(new URL(url).origin), manage)
  await agent.ask('POST', '/api/v1/leads', { campaignId: 'spring', phoneNumber: newPhone() }, manage)
  const gated = await companyDb
    .prepare('select number from campaigns where company_id = ?1 and id = ?2')
    .bind(world.companyId, spring.id)
    .first<{ number: number }>()
  const gate = env.DIALERS.getByName(`${world.companyId}/${gated?.number}/gate`)
  for (let rounds = 0; rounds < 4; rounds++) await runDurableObjectAlarm(gate)
  await agent.add()
  const dialer = env.DIALERS.getByName(`${world.companyId}/${world.campaign.number}`)
  await agent.ask('PUT', `${agent.campaignPath}/dialer`, { preset: 'pretend' }, manage)
  for (let rounds = 0; rounds < 4; rounds++) await runDurableObjectAlarm(dialer)
  const source = await seedSource({}, world)
  expect((await postJson(source.url, { phone: 'none' })).status).toBe(400)
  await agent.ask('POST', `${agent.campaignPath}/dialer/test`, { phoneNumber: newPhone() }, manage)
  await agent.change({ archived: true })
  const made = await agent.ask('POST', '/api/v1/keys', { name: 'crm', scope: 'write' }, manage)
  const { keyId } = dataOf(made, 201) as { keyId: string }
  await agent.ask('POST', `/api/v1/keys/${keyId}/rotate`, undefined, manage)
  await agent.ask('DELETE', `/api/v1/keys/${keyId}`, undefined, manage)
  const email = newEmail()
  const added = await agent.ask('POST', '/api/v1/members', { email, scope: 'write' }, manage)
  const { memberId } = dataOf(added, 201) as { memberId: string }
  await (await seedIdentity()).signIn(email)
  await agent.ask('PATCH', `/api/v1/members/${memberId}`, { scope: 'read' }, manage)
  await agent.ask('DELETE', `/api/v1/members/${memberId}`, undefined, manage)
  await openPaused(companyDb, world.companyId, Date.now() - 1, Date.now())
  await agent.change({ paused: false })
  const { key } = await seedOperatorKey()
  const another = { name: 'dialer', scope: 'agent' }
  dataOf(await api(key).request('POST', `/api/v1/companies/${world.companyId}/keys`, another), 201)
  // The failing agent's block has ended, and nobody has probed it since.
  vi.setSystemTime(Date.now() + 30 * 60_000)
  await runCron()
  await refusing.run()
  while (await refusing.runNext());
  await dying.run()
  isGone = false
  await dying.ask('PATCH', '', { disabled: false })
  await webhook.run()

  expect(webhook.receiver.received.flatMap(eventViolations)).toEqual([])
  const seen = new Set(webhook.receiver.received.map(({ body }) => body.type))
  expect(types.filter((type) => !seen.has(type))).toEqual([])
})
