// Writing the log: each action appends exactly the entries it should, in its own transaction, once however often it is
// retried; nothing is written that no one would read, and no entry ever changes.
import { expect, it } from 'vitest'
import { seedAgent } from '../support/calling/agent.ts'
import {
  dayMs,
  hourMs,
  minuteMs,
  noonMs,
  seedCallingWorld,
  settleEverything,
} from '../support/calling/calling.ts'
import {
  databaseLosingAnswers,
  rowsOf,
  type Statement,
  watchedDatabase,
} from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { entriesOf, listenTo, seedEntries } from '../support/ledger/log.ts'
import { newPhone, newPhones, seedCompany, seedWorld } from '../support/world.ts'

type World = Awaited<ReturnType<typeof seedAgent>>
/** Sends a request to the world, and expects it to succeed. */
type Send = (key: string, method: string, path: string, body?: object) => Promise<unknown>

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))

/** A cursor of a campaign that comes after the world's. */
const otherPlace = ({ campaign }: World) =>
  (2 ** 32 * (campaign.number + 1) + 1).toString(16).padStart(14, '0')

const writesLog = ({ sql }: Statement) => sql.includes('insert into events')

type Action = (world: World, send: Send) => Promise<unknown>
type Expected = {
  type: string
  by: 'write' | 'agent' | 'manage'
  data: object
  ofLead?: true
  ofCompany?: true
}

const aCall = {
  claimedAtMs: expect.any(Number),
  token: expect.stringMatching(/^[0-9A-Za-z]{11}$/),
  status: 'attempting',
  attempts: 1,
  isLastAttempt: 0,
  isEnd: 0,
  doNotCall: 0,
}
const aReport = { ...aCall, consentId: null, isInbound: 0 }

const actions: Record<string, [Action, ...Expected[]]> = {
  'a create': [
    (world, send) =>
      send(world.writeKey, 'POST', '/api/v1/leads', {
        campaignId: world.campaignId,
        phoneNumber: newPhone(),
      }),
    {
      type: 'leads.created',
      by: 'write',
      data: { last: expect.any(Number), count: 1, token: expect.any(String) },
      ofLead: true,
    },
  ],
  'a bulk, of which a lead is there and one comes twice': [
    async (world, send) => {
      const [one = '', two = '', three = ''] = newPhones(3)
      await api(world.writeKey).importLeads({ campaignId: world.campaignId, leads: toLeads([one]) })
      await world.suppress([two], { campaignId: world.campaignId })
      const leads = toLeads([one, two, three, three])
      await send(world.writeKey, 'POST', '/api/v1/leads/bulk', { campaignId: world.campaignId, leads })
    },
    { type: 'leads.created', by: 'write', data: expect.objectContaining({ count: 1 }), ofLead: true },
    { type: 'suppression.added', by: 'write', data: { count: 1 } },
    { type: 'leads.created', by: 'write', data: expect.objectContaining({ count: 2 }), ofLead: true },
  ],
  'a report': [
    async (world, send) => {
      const { callId } = await world.call()
      await send(world.agentKey, 'POST', '/api/v1/calls/report', { calls: [{ callId, outcome: 'busy' }] })
      await world.report([{ callId, outcome: 'busy' }])
    },
    { type: 'leads.created', by: 'write', data: expect.anything(), ofLead: true },
    { type: 'call.reported', by: 'agent', data: { ...aReport, outcome: 'busy' }, ofLead: true },
  ],
  'a report that says do-not-call': [
    async (world, send) => {
      const { callId } = await world.call()
      const calls = [{ callId, outcome: 'do_not_call' }]
      await send(world.agentKey, 'POST', '/api/v1/calls/report', { calls })
    },
    { type: 'leads.created', by: 'write', data: expect.anything(), ofLead: true },
    {
      type: 'call.reported',
      by: 'agent',
      data: { ...aReport, outcome: 'do_not_call', status: 'exhausted', isEnd: 1, doNotCall: 1 },
      ofLead: true,
    },
  ],
  'a release': [
    async (world, send) => {
      const { callId } = await world.call()
      await send(world.agentKey, 'POST', '/api/v1/calls/release', { calls: [{ callId }] })
    },
    { type: 'leads.created', by: 'write', data: expect.anything(), ofLead: true },
    {
      type: 'call.released',
      by: 'agent',
      data: { ...aCall, outcome: 'released', status: 'raw', attempts: 0 },
      ofLead: true,
    },
  ],
  'a requeue, and another that changes nothing': [
    async (world, send) => {
      const { callId, lead } = await world.call()
      await world.report([{ callId, outcome: 'answered' }])
      await send(world.writeKey, 'POST', `/api/v1/leads/${lead._id}/requeue`)
      await send(world.writeKey, 'POST', `/api/v1/leads/${lead._id}/requeue`)
    },
    { type: 'leads.created', by: 'write', data: expect.anything(), ofLead: true },
    {
      type: 'call.reported',
      by: 'agent',
      data: expect.objectContaining({ status: 'concluded', isEnd: 1 }),
      ofLead: true,
    },
    { type: 'lead.requeued', by: 'write', data: { status: 'attempting', attempts: 1 }, ofLead: true },
  ],
  'suppressing numbers of which one is suppressed, and lifting both and a third': [
    async (world, send) => {
      const phones = newPhones(3)
      await send(world.writeKey, 'POST', '/api/v1/suppressions', { phoneNumbers: phones.slice(0, 1) })
      await send(world.writeKey, 'POST', '/api/v1/suppressions', {
        phoneNumbers: phones.slice(0, 2),
        reason: 'asked',
      })
      await send(world.writeKey, 'POST', '/api/v1/suppressions', { phoneNumbers: phones.slice(0, 2) })
      await send(world.manageKey, 'DELETE', '/api/v1/suppressions', { phoneNumbers: phones })
    },
    { type: 'suppression.added', by: 'write', data: { count: 1 }, ofCompany: true },
    { type: 'suppression.added', by: 'write', data: { count: 1 }, ofCompany: true },
    { type: 'suppression.lifted', by: 'manage', data: { count: 2 }, ofCompany: true },
  ],
  'changing settings, and to what they are': [
    async (world, send) => {
      await send(world.manageKey, 'PATCH', world.campaignPath, { name: 'New', maxAttempts: 5, paused: true })
      await send(world.manageKey, 'PATCH', world.campaignPath, { name: 'New', maxAttempts: 5, paused: true })
      await send(world.manageKey, 'PATCH', world.campaignPath, {
        paused: false,
        numberLimits: { per24Hours: null },
      })
    },
    {
      type: 'campaign.changed',
      by: 'manage',
      data: { changed: ['name', 'paused', 'maxAttempts'], paused: true },
    },
    {
      type: 'campaign.changed',
      by: 'manage',
      data: { changed: ['paused', 'numberLimits'], paused: false },
    },
  ],
  'an export': [
    async (world) => {
      const { DB } = databaseLosingAnswers(1)
      const asCsv = { accept: 'text/csv' }
      const { status } = await api(world.writeKey, { bindings: { DB } }).listLeads(
        { campaignId: world.campaignId, include: 'calling' },
        asCsv,
      )
      expect(status).toBe(200)
      await api(world.writeKey).listLeads({ campaignId: world.campaignId })
      await api(world.writeKey).listLeads({ campaignId: world.campaignId, cursor: otherPlace(world) }, asCsv)
    },
    { type: 'leads.exported', by: 'write', data: { format: 'csv' } },
  ],
}

it.each(Object.entries(actions))(
  'The log has %s once, also when the first answer was lost',
  async (_, [act, ...expected]) => {
    const world = await seedAgent()
    await listenTo(world.companyId)
    const before = (await entriesOf(world.companyId)).length
    const sent: string[] = []
    await act(world, async (key, method, path, body) => {
      const { DB } = databaseLosingAnswers(1)
      const requestId = crypto.randomUUID()
      sent.push(requestId)
      const answer = await api(key, { bindings: { DB } }).request(method, path, body, {
        'x-request-id': requestId,
      })
      expect([answer.status, answer.text]).toEqual([answer.status < 300 ? answer.status : 200, answer.text])
    })
    const entries = (await entriesOf(world.companyId)).slice(before)
    const scopes = await scopesOf(world.companyId)
    expect(
      entries.map(({ type, data, campaignNumber, leadSeq }) => ({
        type,
        data,
        campaignNumber,
        hasLead: leadSeq !== null,
      })),
    ).toEqual(
      expected.map(({ type, data, ofLead, ofCompany }) => ({
        type,
        data,
        campaignNumber: ofCompany ? null : world.campaign.number,
        hasLead: ofLead === true,
      })),
    )
    for (const [index, { by }] of expected.entries()) {
      const { actor, requestId } = entries[index] ?? {}
      expect(scopes.get(actor ?? '')).toBe(by)
      expect(requestId).toMatch(/^[\w-]{36}$/)
    }
    const last = entries.at(-1)?.requestId
    if (sent.length > 0) expect(sent).toContain(last)
  },
)

it('The log has no leads and calls where no one listens, but what an operator must know', async () => {
  const world = await seedAgent()
  const { callId, lead } = await world.call()
  await world.report([{ callId, outcome: 'do_not_call' }])
  await world.release([{ callId: (await world.call()).callId }])
  await api(world.writeKey).importLeads({ campaignId: world.campaignId, leads: toLeads(newPhones(3)) })
  await world.lift([lead.phoneNumber])
  const types = (await entriesOf(world.companyId)).map(({ type }) => type)
  expect(types).toEqual(['campaign.changed', 'suppression.lifted'])
})

it('The log costs a request that stores leads one row more, and only where someone listens', async () => {
  const world = await seedWorld()
  const { campaignId, writeKey } = world
  const written = async (count: number) => {
    const { DB, trips } = watchedDatabase()
    const client = api(writeKey, { bindings: { DB } })
    if (count === 1) dataOf(await client.createLead({ campaignId, phoneNumber: newPhone() }), 201)
    else dataOf(await client.importLeads({ campaignId, leads: toLeads(newPhones(count)) }), 200)
    return rowsOf(trips, 'rows_written')
  }
  const [one, thousand] = [await written(1), await written(1000)]
  await listenTo(world.companyId)
  expect([await written(1), await written(1000)]).toEqual([one + 1, thousand + 1])
  // Each lead, its number, that reversed for the search, and its place in the queue; and the campaign's hour.
  expect([one, thousand]).toEqual([4 + 1, 4000 + 1])
})

it('The log costs a create no statement where no one listens', async () => {
  const world = await seedWorld()
  const { DB, trips } = watchedDatabase()
  const lead = { campaignId: world.campaignId, phoneNumber: newPhone() }
  dataOf(await api(world.writeKey, { bindings: { DB } }).createLead(lead), 201)
  expect(trips.flatMap(({ statements }) => statements).filter(writesLog)).toEqual([])
})

it.each([0, 1])(
  'The log has a create by a remembered key since which someone listens, %i answers lost',
  async (lost) => {
    const world = await seedWorld()
    const { campaignId, companyId } = world
    const create = (bindings = {}) =>
      api(world.writeKey, { bindings }).createLead({ campaignId, phoneNumber: newPhone() })
    await create()
    await listenTo(companyId)
    const { DB, trips } = databaseLosingAnswers(lost)
    const { headers } = await create({ DB })
    expect(headers.get('Idempotent-Replayed')).toBeNull()
    expect(trips.at(-1)?.statements.some(writesLog)).toBe(true)
    expect((await entriesOf(companyId)).map(({ type }) => type)).toEqual(['leads.created'])
  },
)

it('The log numbers entries without a gap, in the order of their times, however many write at once', async () => {
  const world = await seedWorld()
  await listenTo(world.companyId)
  const create = () =>
    api(world.writeKey).createLead({ campaignId: world.campaignId, phoneNumber: newPhone() })
  await Promise.all(Array.from({ length: 40 }, create))
  const entries = await entriesOf(world.companyId)
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1))
  expect(entries).toHaveLength(40)
  expect(entries.map(({ atMs }) => atMs)).toEqual(entries.map(({ atMs }) => atMs).toSorted((a, b) => a - b))
})

it('The log has no entry before the one that it follows, when the clock steps back', async () => {
  const world = await seedCallingWorld()
  await listenTo(world.companyId)
  await world.add({}, noonMs + hourMs)
  const { phoneNumber } = await world.add({}, noonMs + minuteMs)
  await world.suppress([phoneNumber], noonMs)
  await world.add({}, noonMs + 2 * hourMs)
  const times = (await entriesOf(world.companyId)).map(({ type, atMs }) => [type, atMs - noonMs])
  expect(times).toEqual([
    ['campaign.changed', 0],
    ['leads.created', hourMs],
    ['leads.created', hourMs],
    ['suppression.added', hourMs],
    ['leads.created', 2 * hourMs],
  ])
})

it('The log lets no entry be changed', async () => {
  const companyId = await seedCompany()
  await seedEntries(companyId, [1])
  const change = companyDb.prepare(`update events set data = '{"a":1}' where company_id = ?1`).bind(companyId)
  await expect(change.run()).rejects.toThrow('an event never changes')
  expect((await entriesOf(companyId))[0]?.data).toEqual({})
})

it('The log forgets what is older than 90 days, step by step, and never a company’s last entry', async () => {
  const [old, mixed] = [await seedCompany(), await seedCompany()]
  const nowMs = Date.now()
  const longAgo = nowMs - 91 * dayMs
  await seedEntries(
    old,
    Array.from({ length: 1_500 }, () => longAgo),
  )
  await seedEntries(mixed, [longAgo, longAgo, nowMs - 90 * dayMs + minuteMs, nowMs])
  await settleEverything(nowMs)
  expect((await entriesOf(old)).map(({ number }) => number)).toEqual([1_500])
  expect((await entriesOf(mixed)).map(({ number }) => number)).toEqual([3, 4])
})

async function scopesOf(companyId: string): Promise<Map<string, string>> {
  const { results } = await companyDb
    .prepare('select id, scope from api_keys where company_id = ?1')
    .bind(companyId)
    .all<{ id: string; scope: string }>()
  return new Map(results.map(({ id, scope }) => [id, scope]))
}
