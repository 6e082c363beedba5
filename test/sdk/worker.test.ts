// The client against the Worker itself: what it says of an answer is what was answered.
import { exports } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import {
  type CallOutcome,
  ChangedMeanwhileError,
  InvalidFieldError,
  LeadExistsError,
  LeadIntake,
  NotFoundError,
  runAgent,
} from '../../src/sdk/src/lead-intake.ts'
import { seedAgent } from '../support/calling/agent.ts'
import { mistyped } from '../support/database/seed.ts'
import { randomAddress } from '../support/http/api.ts'
import { newPhone, newPhones, seedKey, seedWorld, spendHour } from '../support/world.ts'

function clientWith(apiKey: string): LeadIntake {
  const address = randomAddress()
  return new LeadIntake({
    baseUrl: 'http://lead-intake.test',
    apiKey,
    fetch: (url, init) => {
      const request = new Request(url, init)
      request.headers.set('cf-connecting-ip', address)
      return exports.default.fetch(request)
    },
  })
}

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

it('A lead is created, read, listed, and refused when it exists', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const { leads } = clientWith(writeKey)
  const lead = { campaignId, phoneNumber: newPhone(), metadata: { name: 'Ada' }, priority: 7 }
  const { leadId, replayed } = await leads.create(lead, { idempotencyKey: 'crm-42' })
  expect(replayed).toBe(false)
  expect(await leads.create(lead, { idempotencyKey: 'crm-42' })).toEqual({ leadId, replayed: true })
  const error = await leads.create(lead).catch((error) => error)
  expect(error).toBeInstanceOf(LeadExistsError)
  expect(error).toMatchObject({ leadId, code: 'lead_exists', requestId: expect.stringMatching(/./) })
  expect(await leads.get(leadId)).toMatchObject({ ...lead, _id: leadId, status: 'raw' })
  expect((await gather(leads.list({ campaignId }))).map(({ _id }) => _id)).toEqual([leadId])
  await expect(leads.get(mistyped(leadId))).rejects.toThrow(NotFoundError)
  const invalid = await leads.create({ ...lead, phoneNumber: '0155' }).catch((error) => error)
  expect(invalid).toBeInstanceOf(InvalidFieldError)
  expect(invalid.field).toBe('phoneNumber')
  expect(await clientWith(writeKey).health()).toMatchObject({ status: 'ok' })
})

it('A key reads its rights, and a manage key lists all keys', async () => {
  const { companyId, agentKey, manageKey } = await seedAgent()
  const own = await clientWith(agentKey).keys.self()
  expect(own).toMatchObject({
    key: { scope: 'agent', rights: ['look', 'agent'] },
    company: { id: companyId },
  })
  const { keys } = await clientWith(manageKey).keys()
  expect(keys.map(({ keyId }) => keyId)).toContain(own.key.keyId)
})

it('Many leads get a result each, and are listed page by page', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const { leads } = clientWith(writeKey)
  const phones = newPhones(1200)
  const given = [
    ...phones.map((phoneNumber) => ({ phoneNumber })),
    { phoneNumber: '0155' },
    { phoneNumber: phones[3] as string },
  ]
  const results = await gather(leads.createMany(campaignId, given))
  expect(results.map(({ index }) => index)).toEqual(given.map((_, index) => index))
  expect(results.slice(-2)).toMatchObject([
    { status: 'invalid', error: 'phoneNumber must be in E.164 format' },
    { status: 'skipped', leadId: results[3]?.status === 'created' ? results[3].leadId : '' },
  ])
  const listed = await gather(leads.list({ campaignId, limit: 500 }))
  expect(listed.map(({ phoneNumber }) => phoneNumber)).toEqual(phones)
})

it('The error of a rate limit has the time until it is over', async () => {
  const { companyId } = await seedWorld()
  const { id, key } = await seedKey({ companyId })
  await spendHour(id, 1000)
  const error = await clientWith(key)
    .campaigns.list()
    .catch((error) => error)
  expect(error).toMatchObject({ name: 'RateLimitedError', code: 'rate_limited' })
  expect(error.retryAfterMs).toBeGreaterThan(3_500_000)
})

it('Settings and suppressions are changed and read', async () => {
  const world = await seedAgent()
  const { campaigns, suppressions } = clientWith(world.manageKey)
  expect(await campaigns.update(world.campaignId, { paused: true })).toMatchObject({ paused: true })
  expect(await campaigns.get(world.campaignId)).toMatchObject({ paused: true, queue: { reason: 'paused' } })
  const { series, queue } = await campaigns.stats(world.campaignId, { bucket: 'day' })
  expect([series.length, queue.reason]).toEqual([7, 'paused'])
  expect((await campaigns.list()).map(({ id }) => id)).toEqual([world.campaignId])
  const which = { status: 'exhausted', since: '2020-01-01T00:00:00Z' } as const
  expect(await campaigns.requeue(world.campaignId, which)).toEqual({ requeued: 0, skipped: 0, more: false })
  const phoneNumbers = newPhones(3).sort()
  expect(await suppressions.add({ phoneNumbers })).toMatchObject({ added: 3 })
  expect((await gather(suppressions.list({ limit: 2 }))).map((one) => one.phoneNumber)).toEqual(phoneNumbers)
  expect(await suppressions.lift({ phoneNumbers })).toEqual({ lifted: 3 })
})

it('A lead is changed if it is as it was read, and erased with its person', async () => {
  const { campaignId, manageKey, writeKey } = await seedAgent()
  const { leads } = clientWith(manageKey)
  const phoneNumber = newPhone()
  const { leadId } = await clientWith(writeKey).leads.create({ campaignId, phoneNumber })
  const { etag } = await leads.get(leadId)
  const ifMatch = etag as string
  const changed = await leads.update(leadId, { priority: 9, externalId: 'crm-7' }, { ifMatch })
  expect(changed).toMatchObject({ _id: leadId, priority: 9, externalId: 'crm-7' })
  expect(changed.etag).not.toBe(etag)
  await expect(leads.update(leadId, { priority: 1 }, { ifMatch })).rejects.toThrow(ChangedMeanwhileError)
  expect(await leads.erase(leadId)).toEqual({
    leadsErased: 1,
    suppressed: false,
    kept: { consents: 0, until: null },
    alsoIn: [],
    isPartial: false,
  })
  await expect(leads.get(leadId)).rejects.toThrow(NotFoundError)
  expect(await leads.erasePerson({ phoneNumber })).toMatchObject({ suppressed: true })
})

it('A webhook is created, changed, tested and removed, and events are listed', async () => {
  const { campaignId, manageKey } = await seedAgent()
  const { webhooks, events, leads } = clientWith(manageKey)
  await gather(events.list())
  const url = 'https://crm.example.com/hook'
  const { webhookId, secret } = await webhooks.create({ url, types: ['leads.created'] })
  expect(secret).toMatch(/^whsec_/)
  expect(await webhooks.list()).toEqual([await webhooks.get(webhookId)])
  expect(await webhooks.update(webhookId, { disabled: true })).toMatchObject({ disabledReason: 'operator' })
  const rotated = await webhooks.rotate(webhookId)
  expect(rotated.secret).not.toBe(secret)
  expect(await webhooks.deliveries(webhookId, { limit: 5 })).toEqual([])
  expect(await webhooks.replay(webhookId, { since: new Date().toISOString() })).toMatchObject({ webhookId })
  expect(await webhooks.delete(webhookId)).toEqual({ deleted: true })
  await expect(webhooks.get(webhookId)).rejects.toThrow(NotFoundError)

  const { leadId } = await leads.create({ campaignId, phoneNumber: newPhone() })
  const told = await gather(events.list({ types: ['leads.created'], limit: 1 }))
  expect(told.map(({ data }) => data)).toMatchObject([{ campaignId, count: 1, leadIds: [leadId] }])
  expect(await gather(events.list({ after: told[0]?.id as string, types: ['leads.created'] }))).toEqual([])
  const rare = events.list({ types: ['lead.erased'] })
  expect(await gather(rare)).toEqual([])
  await leads.erase(leadId)
  const erasing = await gather(events.list({ after: rare.next }))
  expect(erasing.map(({ type }) => type)).toEqual(['lead.erased', 'erasure.done'])
})

it('An agent calls all leads of a campaign, once each', async () => {
  const world = await seedAgent()
  const leads = await Promise.all(Array.from({ length: 12 }, () => world.add()))
  const client = clientWith(world.agentKey)
  const ending = new AbortController()
  const called: string[] = []
  const results: unknown[] = []
  await runAgent({
    client,
    campaignId: world.campaignId,
    concurrency: 4,
    agent: 'ann',
    signal: ending.signal,
    call: async (lead) => {
      called.push(lead.phoneNumber)
      return called.length === 3 ? { outcome: 'no_answer', durationSeconds: 20 } : 'answered'
    },
    onReport: ({ result }) => results.push(result?.result),
    onIdle: () => ending.abort(),
  })
  expect(called.sort()).toEqual(leads.map(({ phoneNumber }) => phoneNumber).sort())
  expect(results).toEqual(Array(12).fill('recorded'))
  const listed = await gather(clientWith(world.writeKey).leads.list({ campaignId: world.campaignId }))
  expect(listed.map(({ status }) => status).sort()).toEqual(['attempting', ...Array(11).fill('concluded')])
  const { calls, explain, requeue } = clientWith(world.manageKey).leads
  const leadId = listed.find(({ status }) => status === 'concluded')?._id as string
  expect(await calls(leadId)).toMatchObject([{ outcome: 'answered', agent: 'ann' }])
  expect((await explain(leadId)).blockers).toContainEqual({ code: 'final', until: null })
  expect(await requeue(leadId)).toMatchObject({ status: 'attempting' })
})

it('An agent ends the call of a person who must not be called any more, and resumes its open calls', async () => {
  const world = await seedAgent()
  const { leadId, phoneNumber } = await world.add()
  const client = clientWith(world.agentKey)
  const left = (await client.calls.claim({ campaignId: world.campaignId, agent: 'ann', leaseSeconds: 30 }))
    .calls[0]
  await world.suppress([phoneNumber])
  const ending = new AbortController()
  const [told] = await client.calls.extend({ callIds: [left?.callId as string] })
  expect(told?.stop).toBe('suppressed')
  await runAgent({
    client,
    campaignId: world.campaignId,
    agent: 'ann',
    signal: ending.signal,
    call: async () => 'answered',
    resume: async () => 'not_interested',
    onReport: () => ending.abort(),
  })
  expect(await world.history(leadId)).toMatchObject([{ callId: left?.callId, outcome: 'not_interested' }])
})

it('A do-not-call of a person who is erased during the call is recorded for good: the agent calls the next one', async () => {
  const world = await seedAgent()
  const erased = await world.add()
  const next = await world.add()
  const client = clientWith(world.agentKey)
  const ending = new AbortController()
  const results: unknown[] = []
  await runAgent({
    client,
    campaignId: world.campaignId,
    ahead: 0,
    signal: ending.signal,
    call: async ({ _id }) => {
      if (_id !== erased.leadId) return 'answered'
      await clientWith(world.manageKey).leads.erase(_id)
      return 'do_not_call'
    },
    onReport: ({ result }) => results.push([result?.result, result?.leadId]),
    onIdle: () => ending.abort(),
  })
  expect(results).toEqual([
    ['do_not_call_recorded', null],
    ['recorded', next.leadId],
  ])
})

it('An agent that resumes releases what was never dialled, and reports the rest: no attempt is lost', async () => {
  const world = await seedAgent()
  const client = clientWith(world.agentKey)
  const leads = [await world.add(), await world.add()]
  const crashed = new AbortController()
  const dialled: string[] = []
  // It crashes in its first call, while another lead is claimed ahead.
  const isCrashing = { ...client, calls: client.calls, request: client.request }
  const gone = runAgent({
    client: isCrashing,
    campaignId: world.campaignId,
    agent: 'ann',
    ahead: 1,
    signal: crashed.signal,
    call: async (lead, signal) => {
      dialled.push(lead._id)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return null
    },
    resume: async () => null,
  })
  await vi.waitFor(() => expect(dialled).toHaveLength(1), 60_000)
  const open = await gather(client.calls.list({ campaignId: world.campaignId, agent: 'ann' }))
  expect(open.map(({ lead, dialledAt }) => [lead._id, dialledAt !== null]).sort()).toEqual(
    leads.map(({ leadId }) => [leadId, leadId === dialled[0]]).sort(),
  )
  const ending = new AbortController()
  const left = new Set(open.map(({ callId }) => callId))
  const settled = ({ callId }: { callId: string }) => {
    left.delete(callId)
    if (left.size === 0) ending.abort()
  }
  await runAgent({
    client,
    campaignId: world.campaignId,
    agent: 'ann',
    concurrency: 2,
    ahead: 0,
    signal: ending.signal,
    call: async () => null,
    resume: async (_lead, _signal, { dialledAt }) => (dialledAt === null ? null : 'no_answer'),
    onReport: ({ call }) => settled(call),
    onRelease: settled,
  })
  const attempts = await Promise.all(leads.map(({ leadId }) => world.lead(leadId)))
  expect(attempts.map(({ _id, attempts }) => [_id, attempts])).toEqual(
    leads.map(({ leadId }) => [leadId, leadId === dialled[0] ? 1 : 0]),
  )
  // Otherwise it continues beside the tests that follow.
  crashed.abort()
  await gone
})

it('An agent whose reports are refused in part loses no outcome and no do-not-call', async () => {
  const world = await seedAgent()
  const leads = await Promise.all(Array.from({ length: 3 }, () => world.add()))
  const [first, second, third] = leads.map(({ phoneNumber }) => phoneNumber)
  const said: Readonly<Record<string, CallOutcome>> = {
    [`${first}`]: { outcome: 'do_not_call', durationSeconds: 12.5 },
    [`${second}`]: { outcome: 'answered', doNotCall: true, details: { said: 'x'.repeat(17_000) } },
    [`${third}`]: { outcome: 'callback_requested', callbackAt: 'tomorrow at ten' },
  }
  const ending = new AbortController()
  const errors: InvalidFieldError[] = []
  await runAgent({
    client: clientWith(world.agentKey),
    campaignId: world.campaignId,
    concurrency: 3,
    signal: ending.signal,
    call: async ({ phoneNumber }) => said[phoneNumber] ?? null,
    onError: (error) => errors.push(error as InvalidFieldError),
    onIdle: () => ending.abort(),
  })
  expect(errors.map(({ field }) => field?.replace(/^calls\[\d\]\./, '')).sort()).toEqual([
    'callbackAt',
    'details',
    'durationSeconds',
  ])
  const outcomes = await Promise.all(leads.map(({ leadId }) => world.history(leadId)))
  expect(outcomes.map(([call]) => call?.outcome)).toEqual(['do_not_call', 'answered', 'callback_requested'])
  const suppressed = await gather(clientWith(world.manageKey).suppressions.list())
  expect(suppressed.map(({ phoneNumber }) => phoneNumber).sort()).toEqual([first, second].sort())
})
