// The log of a company, as its clients read it: what happened, in order, each event once.
import { expect, it } from 'vitest'
import { anyNumberAgain, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { mistyped } from '../../support/database/seed.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { restoreLog, seedEntries } from '../../support/ledger/log.ts'
import { runCron } from '../../support/run/cron.ts'
import { newPhone, newPhones, seedCampaign, seedCompany, seedKey, seedWorld } from '../../support/world.ts'

type Event = { id: string; type: string; timestamp: string; actor: string; data: Record<string, unknown> }
type Page = { events: Event[]; next: string }

const ask = (key: string, query: Record<string, string> = {}) =>
  api(key).request('GET', `/api/v1/events?${new URLSearchParams(query)}`)
const read = async (key: string, query: Record<string, string> = {}) =>
  dataOf(await ask(key, query), 200) as Page

/** All that there is after a place, page by page. */
async function readAll(key: string, query: Record<string, string> = {}): Promise<Event[]> {
  const events: Event[] = []
  for (let after = query.after; ; ) {
    const page = await read(key, { ...query, ...(after !== undefined && { after }) })
    events.push(...page.events)
    if (page.next === after) return events
    after = page.next
  }
}

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))
const dayMs = 86_400_000

it('Events say what happened to leads, calls, numbers and settings, oldest first', async () => {
  const world = await seedAgent()
  const { next: after } = await read(world.manageKey)
  const bulk = { campaignId: world.campaignId, leads: toLeads(newPhones(2)) }
  const { createdIds } = dataOf(await api(world.writeKey).importLeads(bulk), 200)
  const [call] = (await world.claim()).calls
  const callId = call?.callId ?? ''
  await world.report([{ callId, outcome: 'do_not_call' }])
  const released = (await world.claim()).calls[0]?.callId ?? ''
  await world.release([{ callId: released }])
  await world.change({ paused: true })
  const { events, next } = await read(world.manageKey, { after })

  const { campaignId } = world
  const ofCall = { campaignId, externalId: null, isLastAttempt: false }
  const reported = {
    ...ofCall,
    leadId: createdIds[0],
    callId,
    outcome: 'do_not_call',
    status: 'exhausted',
    attempts: 1,
    direction: 'outbound',
    consentId: null,
  }
  expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'leads.created', data: { campaignId, count: 2, leadIds: createdIds, origin: expect.anything() } },
    { type: 'call.reported', data: reported },
    { type: 'lead.exhausted', data: reported },
    { type: 'suppression.added', data: { campaignId: null, count: 1 } },
    {
      type: 'call.released',
      data: {
        ...ofCall,
        leadId: createdIds[1],
        callId: released,
        outcome: 'released',
        status: 'raw',
        attempts: 0,
      },
    },
    { type: 'campaign.changed', data: { campaignId, changed: ['paused'], paused: true } },
  ])
  expect(next).toBe(events.at(-1)?.id)
  for (const event of events) {
    expect(Object.keys(event)).toEqual(['id', 'type', 'timestamp', 'actor', 'actorName', 'data'])
    expect(event.timestamp).toBe(new Date(event.timestamp).toISOString())
    expect(event.actor).toMatch(/^key-/)
  }
})

it('Events continue after any event or place, each once, whatever the size of a page', async () => {
  const world = await seedAgent()
  const { next: start } = await read(world.manageKey)
  const { callId } = await world.call()
  await world.report([{ callId, outcome: 'do_not_call' }])
  await world.lift([newPhone()])
  await world.change({ maxAttempts: 4 })
  const all = await readAll(world.manageKey, { after: start })
  expect(all).toHaveLength(5)
  expect(await readAll(world.manageKey, { after: start, limit: '1' })).toEqual(all)
  for (const [index, { id }] of all.entries())
    expect(await readAll(world.manageKey, { after: id, limit: '2' })).toEqual(all.slice(index + 1))
})

it('Events say that nothing is new by the place that was sent', async () => {
  const { companyId, readKey } = await seedWorld()
  const first = await read(readKey)
  expect(first.events).toEqual([])
  expect(await read(readKey, { after: first.next })).toEqual(first)
  const { key } = await seedKey({ companyId, scope: 'manage' })
  await api(key).request('DELETE', '/api/v1/suppressions', { phoneNumbers: [newPhone()] })
  expect(await read(readKey, { after: first.next })).toEqual(first)
})

it('Events come each once while others write', async () => {
  const world = await seedWorld()
  const { next: after } = await read(world.readKey)
  const create = () =>
    api(world.writeKey).createLead({ campaignId: world.campaignId, phoneNumber: newPhone() })
  const writing = Promise.all(Array.from({ length: 30 }, create))
  const seen: Event[] = []
  let place = after
  for (let page = 0; page < 10; page++) {
    const { events, next } = await read(world.readKey, { after: place, limit: '4' })
    seen.push(...events)
    place = next
  }
  const created = (await writing).map((answer) => dataOf(answer, 201).leadId)
  seen.push(...(await readAll(world.readKey, { after: place })))
  expect(new Set(seen.map(({ id }) => id)).size).toBe(30)
  expect(seen.flatMap(({ data }) => data.leadIds).toSorted()).toEqual(created.toSorted())
})

it('Events are of the requested types, and no others', async () => {
  const world = await seedAgent()
  const { next: after } = await read(world.manageKey)
  await world.report([{ callId: (await world.call()).callId, outcome: 'answered' }])
  await world.report([{ callId: (await world.call()).callId, outcome: 'do_not_call' }])
  const typesOf = async (types: string) =>
    (await readAll(world.manageKey, { after, types, limit: '1' })).map(({ type }) => type)
  expect(await typesOf('lead.concluded')).toEqual(['lead.concluded'])
  expect(await typesOf('suppression.added,lead.exhausted')).toEqual(['lead.exhausted', 'suppression.added'])
  expect(await typesOf('leads.created')).toEqual(['leads.created', 'leads.created'])
  for (const types of ['call.made', 'leads.created,', 'leads.created, call.reported', ','])
    expectFailure(
      await ask(world.manageKey, { types }),
      400,
      'types must be event types, separated by commas',
    )
})

it('Events of one lead are found however many others there are, and no other lead’s', async () => {
  const world = await seedAgent()
  const start = (await read(world.manageKey)).next
  const { callId, lead } = await world.call()
  const other = await world.call()
  await world.report([{ callId, outcome: 'busy' }])
  await world.report([{ callId: other.callId, outcome: 'busy' }])
  const entries = Array.from({ length: 10_500 }, () => Date.now())
  const { count } = (await companyDb
    .prepare('select count(*) as count from events where company_id = ?1')
    .bind(world.companyId)
    .first<{ count: number }>()) as { count: number }
  await seedEntries(world.companyId, entries, count)
  dataOf(await api(world.writeKey).request('PATCH', `/api/v1/leads/${lead._id}`, { priority: 7 }), 200)
  await world.report([{ callId, outcome: 'answered' }])
  dataOf(await api(world.writeKey).request('POST', `/api/v1/leads/${lead._id}/requeue`), 200)

  const ofLead = await readAll(world.manageKey, { leadId: lead._id })
  const all = await readAll(world.manageKey, { after: start })
  expect(ofLead).toEqual(all.filter(({ data }) => data.leadId === lead._id))
  expect(ofLead.map(({ type }) => type)).toEqual(expect.arrayContaining(['call.reported', 'lead.changed']))
  const first = await read(world.manageKey, { leadId: lead._id, limit: '1' })
  expect(first.events).toEqual(ofLead.slice(0, 1))
  expect(await readAll(world.manageKey, { leadId: lead._id, after: first.next })).toEqual(ofLead.slice(1))
  const types = 'lead.changed,lead.requeued'
  expect((await read(world.readKey, { leadId: lead._id, types })).events).toEqual(
    ofLead.filter(({ type }) => types.includes(type)),
  )
})

it('Events of a lead are found by its exact id, by keys that may see it, also once it is erased', async () => {
  const world = await seedAgent()
  await read(world.manageKey)
  const { callId, lead } = await world.call()
  await world.report([{ callId, outcome: 'busy' }])
  const leadId = lead._id
  const [one, none] = [{ leadId }, { leadId: mistyped(leadId) }]
  expect((await read(world.manageKey, none)).events).toEqual([])
  const stranger = await seedWorld()
  expect((await read(stranger.writeKey, one)).events).toEqual([])
  const campaign = await seedCampaign(world.companyId)
  const ofOther = await seedKey({ companyId: world.companyId, campaign, scope: 'manage' })
  expect((await read(ofOther.key, one)).events).toEqual([])
  const ofCampaign = await seedKey({ companyId: world.companyId, campaign: world.campaign })
  expect((await read(ofCampaign.key, one)).events).toHaveLength(1)
  dataOf(await api(world.manageKey).request('DELETE', `/api/v1/leads/${leadId}`), 200)
  expect((await read(world.manageKey, one)).events.map(({ type }) => type)).toContain('lead.erased')
  for (const wrong of ['x', `${leadId}0`, leadId.toUpperCase()])
    expectFailure(await ask(world.readKey, { leadId: wrong }), 400, 'leadId is not valid')
})

it('Events about the company are only for a key that manages', async () => {
  const world = await seedAgent()
  const { next: after } = await read(world.readKey)
  await world.report([{ callId: (await world.call()).callId, outcome: 'do_not_call' }])
  await world.change({ maxAttempts: 4 })
  for (const key of [world.readKey, world.writeKey])
    expect((await readAll(key, { after })).map(({ type }) => type)).toEqual([
      'leads.created',
      'call.reported',
      'lead.exhausted',
    ])
  for (const types of ['campaign.changed', 'leads.created,suppression.added', 'key.created'])
    expectFailure(await ask(world.writeKey, { types }), 403, 'Insufficient permissions')
  expectFailure(await ask(world.agentKey), 403, 'Insufficient permissions')
})

it('Events are read by a campaign’s key for its campaign only, and never by another company', async () => {
  const world = await seedAgent()
  const other = await seedCampaign(world.companyId)
  const ofOther = await seedKey({ companyId: world.companyId, campaign: other, scope: 'manage' })
  const ofOne = await seedKey({ companyId: world.companyId, campaign: world.campaign, scope: 'manage' })
  const stranger = await seedWorld()
  for (const key of [ofOther.key, stranger.readKey]) await read(key)
  await world.add()
  await world.suppress([newPhone()])
  await world.suppress([newPhone()], { campaignId: world.campaignId })
  expect(await readAll(ofOther.key)).toEqual([])
  expect(await readAll(stranger.readKey)).toEqual([])
  expect((await readAll(ofOne.key)).map(({ type }) => type)).toEqual([
    'campaign.changed',
    'leads.created',
    'suppression.added',
  ])
})

it('Events of leads and calls are kept from the first request on', async () => {
  const world = await seedAgent()
  await world.add()
  expect(await readAll(world.readKey)).toEqual([])
  await world.add()
  expect((await readAll(world.readKey)).map(({ type }) => type)).toEqual(['leads.created'])
})

it('Events are refused after a place that is not in the company’s log', async () => {
  const [world, stranger] = [await seedWorld(), await seedWorld()]
  const { next } = await read(world.readKey)
  const { next: foreign } = await read(stranger.readKey)
  const toCome = next.replace(/.{11}$/, '00000000010')
  for (const after of [foreign, toCome, 'x', next.slice(1), `${next}0`])
    expectFailure(await ask(world.readKey, { after }), 400, 'after is not valid')
})

it('Events are refused after a place whose events were deleted after 90 days', async () => {
  const companyId = await seedCompany()
  const { key } = await seedKey({ companyId, scope: 'manage' })
  const { next: start } = await read(key)
  const nowMs = Date.now()
  await seedEntries(companyId, [nowMs - 91 * dayMs, nowMs - 91 * dayMs, nowMs - 89 * dayMs])
  const [first, second, third] = await readAll(key, { after: start })
  await runCron()
  for (const after of [start, first?.id ?? ''])
    expectFailure(await ask(key, { after }), 400, 'after is older than 90 days')
  expect(await readAll(key, { after: second?.id ?? '' })).toEqual([third])
  expect(await readAll(key)).toEqual([third])
})

it('Events are refused after a place that a restore has removed, and continue after those that it has kept', async () => {
  const world = await seedWorld()
  const { next: start } = await read(world.readKey)
  await seedEntries(world.companyId, [1000, 2000, 3000])
  const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  const [kept, gone, alsoGone] = await readAll(key, { after: start })
  await restoreLog(world.companyId, 1000)
  const wasRestored =
    'after names an event that is gone: the log was restored to an earlier time. Ask without ' +
    'after, or after an older event'
  for (const { id = '' } of [gone, alsoGone].map((event) => event ?? { id: '' }))
    expectFailure(await ask(key, { after: id }), 400, wasRestored)
  await api(key).request('PATCH', `/api/v1/campaigns/${world.campaignId}`, { name: 'Renamed' })
  expectFailure(await ask(key, { after: gone?.id ?? '' }), 400, wasRestored)
  const after = await readAll(key, { after: kept?.id ?? '' })
  expect(after.map(({ type }) => type)).toEqual(['campaign.changed'])
  expect([kept?.id, gone?.id]).not.toContain(after[0]?.id)
  expect(await readAll(key)).toEqual([kept, ...after])
  expect(await readAll(key, { after: after[0]?.id ?? '' })).toEqual([])
})

it('Events are 100 when no limit is given, and 1,000 at most', async () => {
  const companyId = await seedCompany()
  const { key } = await seedKey({ companyId, scope: 'manage' })
  await seedEntries(
    companyId,
    Array.from({ length: 1_100 }, () => Date.now()),
  )
  expect((await read(key)).events).toHaveLength(100)
  expect((await read(key, { limit: '1000' })).events).toHaveLength(1000)
  for (const limit of ['0', '1001', '1.5'])
    expectFailure(await ask(key, { limit }), 400, 'limit must be an integer between 1 and 1000')
})

it('Events say what was true when they happened, however the lead has changed since, and erasing takes only its external id', async () => {
  const world = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
  await read(world.manageKey)
  const { callId, lead } = await world.call({ externalId: 'crm-42' })
  const [change, requeue] = [{ priority: 7 }, { leadIds: [lead._id] }]
  await world.report([{ callId, outcome: 'answered' }])
  await api(world.writeKey).request('PATCH', `/api/v1/leads/${lead._id}`, change)
  const since = { status: 'concluded', since: new Date(0).toISOString() }
  for (const [path, body] of [
    [`/api/v1/leads/${lead._id}/requeue`, undefined],
    [`${world.campaignPath}/requeue`, since],
    ['/api/v1/leads/requeue', requeue],
  ] as const) {
    dataOf(await api(world.writeKey).request('POST', path, body), 200)
    const [again] = (await world.claim()).calls
    await world.report([{ callId: again?.callId, outcome: 'answered' }])
  }
  const before = await readAll(world.manageKey, { leadId: lead._id })
  const facts = before.flatMap(({ type, data }) =>
    type === 'lead.changed' || type === 'lead.requeued' ? [[type, data.status, data.attempts]] : [],
  )
  expect(facts).toEqual([
    ['lead.changed', 'concluded', 1],
    ...[1, 2, 3].map((attempts) => ['lead.requeued', 'attempting', attempts]),
  ])
  await world.requeue(lead._id)
  await world.suppress([lead.phoneNumber])
  const after = await readAll(world.manageKey, { leadId: lead._id })
  expect(after.slice(0, before.length).map((event) => JSON.stringify(event))).toEqual(
    before.map((event) => JSON.stringify(event)),
  )
  dataOf(await api(world.manageKey).request('DELETE', `/api/v1/leads/${lead._id}`), 200)
  const erased = await readAll(world.manageKey, { leadId: lead._id })
  expect(erased.slice(0, before.length)).toEqual(
    before.map((event) => ({ ...event, data: { ...event.data, externalId: null } })),
  )
})

it('Events of other types are skipped, ten thousand at a time', async () => {
  const companyId = await seedCompany()
  const { key } = await seedKey({ companyId, scope: 'manage' })
  await seedEntries(
    companyId,
    Array.from({ length: 10_001 }, () => Date.now()),
  )
  const types = 'lead.erased'
  const first = await read(key, { types })
  const second = await read(key, { types, after: first.next })
  expect(second.next).not.toBe(first.next)
  expect(await read(key, { types, after: second.next })).toEqual(second)
  expect((await read(key, { after: first.next })).events).toHaveLength(1)
})
