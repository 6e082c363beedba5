// Erasing a lead, and a person in all campaigns: what is gone, what may come in again, and what is not called any more.
// That nothing is left in any table is in ../runtime/erasure.test.ts.
import { expect, it, vi } from 'vitest'
import { type AgentWorld, seedAgent } from '../../support/calling/agent.ts'
import { type Answer, api, type Lead } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { stopClock } from '../../support/run/clock.ts'
import { runCron } from '../../support/run/cron.ts'
import { newPhone, seedKey } from '../../support/world.ts'

type Erased = {
  leadsErased: number
  suppressed: boolean
  kept: { consents: number; until: string | null }
  alsoIn: string[]
  isPartial: boolean
}

/** The answer of an erasure that keeps no consent. */
const erased = (leadsErased: number, suppressed: boolean): Erased => ({
  leadsErased,
  suppressed,
  kept: { consents: 0, until: null },
  alsoIn: [],
  isPartial: false,
})

function erasingIn({ manageKey, campaignId }: Pick<AgentWorld, 'manageKey' | 'campaignId'>) {
  const ask = (method: string, path: string, body?: object) =>
    api(manageKey).request(method, path, body) as Promise<Answer<Erased>>
  return {
    tryErase: (leadId: string) => ask('DELETE', `/api/v1/leads/${leadId}`),
    tryEraseAll: (body: object) => ask('POST', '/api/v1/erasures', body),
    erase: async (leadId: string) => dataOf(await ask('DELETE', `/api/v1/leads/${leadId}`), 200),
    eraseAll: async (body: object) => dataOf(await ask('POST', '/api/v1/erasures', body), 200),
    list: async (query: Record<string, string> = {}) =>
      dataOf(await api(manageKey).listLeads({ campaignId, ...query }), 200) as {
        leads: Lead[]
        count: number
        nextCursor?: string | null
      },
  }
}

async function seedErasing() {
  const agent = await seedAgent()
  return { ...agent, ...erasingIn(agent) }
}

const isQueued = async (world: AgentWorld, leadId: string) => {
  const answer = await world.ask('GET', `/api/v1/leads/${leadId}/calling`)
  const { blockers } = dataOf(answer, 200) as { blockers: { code: string }[] }
  return !blockers.some(({ code }) => code === 'suppressed')
}

it('A lead that was erased is not found by any path, in any list, count or queue', async () => {
  const world = await seedErasing()
  const fields = { externalId: 'crm-9', metadata: { a: 1 } }
  const [before, lead, after] = [await world.add(), await world.add(fields), await world.add()]
  expect(await world.erase(lead.leadId)).toEqual(erased(1, false))
  const path = `/api/v1/leads/${lead.leadId}`
  const asked: [string, string, object?][] = [
    ['GET', path],
    ['PATCH', path, { priority: 1 }],
    ['GET', `${path}/calls`],
    ['GET', `${path}/calling`],
    ['POST', `${path}/requeue`],
  ]
  for (const [method, each, body] of asked)
    expectFailure(await world.ask(method, each, body, { key: world.manageKey }), 404, 'Lead not found')
  const left = [before.leadId, after.leadId]
  expect((await world.list()).leads.map(({ _id }) => _id)).toEqual(left)
  for (const query of [{ phoneNumber: lead.phoneNumber }, { externalId: 'crm-9' }])
    expect((await world.list(query as Record<string, string>)).count).toBe(0)
  expect((await world.list({ status: 'raw', createdAfter: '0' })).count).toBe(2)
  const headers = { accept: 'text/csv' }
  const csv = await api(world.manageKey).listLeads({ campaignId: world.campaignId }, headers)
  expect(csv.text.trim().split('\r\n').length).toBe(3)
  expect((await world.settings()).queue.queued).toBe(2)
  expect((await world.claim({ limit: 5 })).calls.map((call) => call.lead._id)).toEqual(left)
})

it('A lead is erased only as it had been read, where If-Match says what that is', async () => {
  const world = await seedErasing()
  const { leadId } = await world.add()
  const key = { key: world.manageKey }
  const erase = (tag: string) =>
    api(world.manageKey).request('DELETE', `/api/v1/leads/${leadId}`, undefined, { 'if-match': tag })
  dataOf(await world.ask('PATCH', `/api/v1/leads/${leadId}`, { priority: 1 }, key), 200)
  for (const tag of ['"1"', 'W/"2"', '"1", "3"', 'nope'])
    expectFailure(await erase(tag), 412, 'Lead has changed since', 'precondition_failed')
  expect((await world.list()).count).toBe(1)
  expect(dataOf(await erase('"1", "2"'), 200)).toEqual(erased(1, false))
  expect(dataOf(await erase('"2"'), 200)).toEqual(erased(0, false))
})

it('Erasing an erased lead again erases nothing, and shows no other company that the lead existed', async () => {
  const [world, other] = [await seedErasing(), await seedErasing()]
  const { leadId } = await world.add()
  await world.erase(leadId)
  expect(await world.erase(leadId)).toEqual(erased(0, false))
  expect(await world.eraseAll({ leadId })).toEqual(erased(0, false))
  for (const answer of [await other.tryErase(leadId), await other.tryEraseAll({ leadId })])
    expectFailure(answer, 404, 'Lead not found')
  const guessed = leadId.replace(/.{11}$/, '00000000000')
  for (const answer of [await world.tryErase(guessed), await world.tryEraseAll({ leadId: guessed })])
    expectFailure(answer, 404, 'Lead not found')
})

it('A lead that was erased leaves its number free: it comes in again as another lead, at the end of the list', async () => {
  const world = await seedErasing()
  const { phoneNumber, leadId } = await world.add()
  const last = await world.add()
  await world.erase(leadId)
  const again = dataOf(
    await api(world.writeKey).createLead({ campaignId: world.campaignId, phoneNumber }),
    201,
  )
  expect(again.leadId).not.toBe(leadId)
  expect((await world.list()).leads.map(({ _id }) => _id)).toEqual([last.leadId, again.leadId])
})

it('A lead that was erased is stored again when the request that created it is repeated with its Idempotency-Key', async () => {
  const world = await seedErasing()
  const { campaignId, writeKey } = world
  const [body, headers] = [{ campaignId, phoneNumber: newPhone() }, { 'Idempotency-Key': 'order-1' }]
  const first = dataOf(await api(writeKey).createLead(body, headers), 201)
  await world.erase(first.leadId)
  const second = await api(writeKey).createLead(body, headers)
  expect(second.headers.get('idempotent-replayed')).toBeNull()
  expect(dataOf(second, 201).leadId).not.toBe(first.leadId)
  const third = await api(writeKey).createLead(body, headers)
  expect(third.headers.get('idempotent-replayed')).toBe('true')
  expect(dataOf(third, 201)).toEqual(second.body?.data)
})

it('No other lead gets the place or the cursor of an erased lead', async () => {
  const world = await seedErasing()
  const leads = [await world.add(), await world.add(), await world.add()]
  const { nextCursor } = await world.list({ limit: '2' })
  await world.erase(leads[1]?.leadId ?? '')
  await world.erase(leads[2]?.leadId ?? '')
  const added = await world.add()
  const page = await world.list({ limit: '2', cursor: nextCursor ?? '' })
  expect(page.leads.map(({ _id }) => _id)).toEqual([added.leadId])
  expect(page.nextCursor).toBeNull()
  expect(added.leadId.slice(11, 25) > (leads[2]?.leadId.slice(11, 25) ?? '')).toBe(true)
})

it('A call whose lead was erased should stop, can end in do-not-call alone, and leaves the number suppressed', async () => {
  const world = await seedErasing()
  const other = await world.another()
  const call = await world.call()
  const { phoneNumber } = call.lead
  const beside = await other.add({ phoneNumber })
  expect(await world.erase(call.lead._id)).toEqual(erased(1, true))
  expect(await world.extend([call.callId])).toEqual([
    { callId: call.callId, leaseExpiresAt: null, dialBefore: null, stop: 'erased' },
  ])
  const unknown = { callId: call.callId, result: 'unknown_call' }
  expect((await world.report([{ callId: call.callId, outcome: 'answered' }])).results).toMatchObject([
    unknown,
  ])
  expect((await world.report([{ callId: call.callId, outcome: 'do_not_call' }])).results).toMatchObject([
    { callId: call.callId, result: 'do_not_call_recorded' },
  ])
  expect(await world.release([{ callId: call.callId }])).toMatchObject([unknown])
  expect((await other.claim()).calls).toEqual([])
  expect(await isQueued(world, beside.leadId)).toBe(false)
  expect(await world.erase(call.lead._id)).toEqual(erased(0, true))
  // The list of the company has the number for as long as a lead of it is left.
  const listed = async () =>
    (
      dataOf(await api(world.manageKey).request('GET', '/api/v1/suppressions'), 200) as {
        suppressions: object[]
      }
    ).suppressions
  expect(await listed()).toMatchObject([{ phoneNumber, campaignId: null, reason: 'erasure' }])
  await world.erase(beside.leadId)
  expect(await listed()).toEqual([])
  expect(await isQueued(world, (await world.add({ phoneNumber })).leadId)).toBe(false)
})

it('A call whose lease ran out before its lead was erased leaves the number suppressed for a day', async () => {
  const nowMs = Date.now()
  stopClock()
  const world = await seedErasing()
  for (let i = 0; i < 3; i++) await world.add()
  const [soon, barely, late] = (await world.claim({ limit: 3, leaseSeconds: 30 })).calls
  const erasedAt = (atMs: number, call: typeof soon) => {
    vi.setSystemTime(atMs)
    return world.erase(call?.lead._id as string)
  }
  vi.setSystemTime(nowMs + 60_000)
  await runCron()
  const dayLaterMs = nowMs + 30_000 + 24 * 3_600_000
  expect(await erasedAt(nowMs + 60_000, soon)).toEqual(erased(1, true))
  expect(await erasedAt(dayLaterMs - 60_000, barely)).toEqual(erased(1, true))
  expect(await erasedAt(dayLaterMs + 60_000, late)).toEqual(erased(1, false))
})

it('An erasure erases a person in all campaigns of the company, and in no other company', async () => {
  const [world, stranger] = [await seedErasing(), await seedAgent()]
  const other = await world.another()
  const { phoneNumber, leadId } = await world.add()
  await other.add({ phoneNumber })
  const foreign = await stranger.add({ phoneNumber })
  expect(await world.eraseAll({ leadId })).toEqual(erased(2, true))
  expect(await world.eraseAll({ phoneNumber })).toEqual(erased(0, true))
  expect((await stranger.claim()).calls[0]?.lead._id).toBe(foreign.leadId)
  for (const each of [world, other]) expect((await each.claim()).calls).toEqual([])
})

it('An erasure suppresses the number, known or not, in every way that it can come in or be called', async () => {
  const world = await seedErasing()
  const phoneNumber = newPhone()
  expect(await world.eraseAll({ phoneNumber })).toEqual(erased(0, true))
  const { campaignId } = world
  const dryRun = await api(world.writeKey).request('POST', '/api/v1/leads/bulk?results=true&dryRun=true', {
    campaignId,
    leads: [{ phoneNumber }, { phoneNumber: newPhone() }],
  })
  const { results } = dataOf(dryRun, 200) as { results: { suppressed?: true }[] }
  expect(results.map(({ suppressed }) => suppressed)).toEqual([true, undefined])
  const { leadId } = await world.add({ phoneNumber })
  const bulk = { campaignId: (await world.another()).campaignId, leads: [{ phoneNumber }] }
  expect(dataOf(await api(world.writeKey).importLeads(bulk), 200).created).toBe(1)
  expect((await world.settings()).queue.queued).toBe(0)
  expect((await world.claim()).calls).toEqual([])
  expect(await isQueued(world, leadId)).toBe(false)
  expectFailure(
    await world.ask('POST', `/api/v1/leads/${leadId}/requeue`, undefined, { key: world.writeKey }),
    409,
    'Phone number is suppressed',
  )
})

it('An erasure is removed with the number, in the whole company only', async () => {
  const world = await seedErasing()
  const phoneNumber = newPhone()
  await world.eraseAll({ phoneNumber })
  const { leadId } = await world.add({ phoneNumber })
  await world.suppress([phoneNumber], { campaignId: world.campaignId })
  expect(await world.lift([phoneNumber], { campaignId: world.campaignId })).toEqual({ lifted: 1 })
  expect((await world.claim()).calls).toEqual([])
  expect(await world.lift([phoneNumber, newPhone()])).toEqual({ lifted: 1 })
  expect((await world.claim()).calls.map((call) => call.lead._id)).toEqual([leadId])
  const events = await api(world.manageKey).request('GET', '/api/v1/events?types=suppression.lifted')
  expect(dataOf(events, 200)).toMatchObject({
    events: [{ data: { campaignId: world.campaignId, count: 1 } }, { data: { campaignId: null, count: 1 } }],
  })
})

it('An erasure suppresses nothing with suppress=false, unless the person asked not to be called', async () => {
  const world = await seedErasing()
  const [one, other] = [await world.add(), await world.add()]
  expect(await world.eraseAll({ phoneNumber: one.phoneNumber, suppress: false })).toEqual(erased(1, false))
  await world.suppress([other.phoneNumber])
  expect(await world.eraseAll({ phoneNumber: other.phoneNumber, suppress: false })).toEqual(erased(1, true))
  const listed = await api(world.manageKey).request('GET', '/api/v1/suppressions')
  expect(listed.text).not.toContain(other.phoneNumber)
  const [again, suppressed] = [await world.add(one), await world.add({ phoneNumber: other.phoneNumber })]
  expect([await isQueued(world, again.leadId), await isQueued(world, suppressed.leadId)]).toEqual([
    true,
    false,
  ])
})

it('An erasure keeps a number suppressed only in the campaigns in which it was', async () => {
  const world = await seedErasing()
  const [campaignId, other] = [world.campaignId, await world.another()]
  const { phoneNumber } = await world.add()
  await world.suppress([phoneNumber], { campaignId })
  for (const leadsErased of [1, 0])
    expect(await world.eraseAll({ phoneNumber, suppress: false })).toEqual(erased(leadsErased, true))
  const [again, elsewhere] = [await world.add({ phoneNumber }), await other.add({ phoneNumber })]
  expect(await isQueued(world, again.leadId)).toBe(false)
  expect((await other.claim()).calls.map((call) => call.lead._id)).toEqual([elsewhere.leadId])
  expect(await world.lift([phoneNumber])).toEqual({ lifted: 0 })
  expect(await world.lift([phoneNumber], { campaignId })).toEqual({ lifted: 1 })
  expect(await isQueued(world, again.leadId)).toBe(true)
})

it('An erasure is for a company’s key alone, while a campaign’s erases its own leads', async () => {
  const world = await seedErasing()
  const { companyId, campaign } = world
  const other = await world.another()
  const { key } = await seedKey({ companyId, campaign, scope: 'manage' })
  const { leadId, phoneNumber } = await world.add()
  const inCampaign = erasingIn({ manageKey: key, campaignId: campaign.id })
  for (const body of [{ phoneNumber }, { leadId }, { leadId: 'none' }])
    expectFailure(await inCampaign.tryEraseAll(body), 403, 'Insufficient permissions', 'company_key_required')
  expectFailure(await inCampaign.tryErase((await other.add()).leadId), 404, 'Lead not found')
  expect(await inCampaign.erase(leadId)).toEqual(erased(1, false))
})

it('An erasure names one number or one lead', async () => {
  const world = await seedErasing()
  const { leadId, phoneNumber } = await world.add()
  const message = 'phoneNumber or leadId is required, and not both'
  for (const body of [{}, { leadId, phoneNumber }, { phoneNumber: '', suppress: true }])
    expectFailure(await world.tryEraseAll(body), 400, message)
  expectFailure(await world.tryEraseAll({ leadId: 'none' }), 404, 'Lead not found')
  const wrong = await world.tryEraseAll({ phoneNumber: '4155550123' })
  expectFailure(wrong, 400, 'phoneNumber must be in E.164 format')
  expectFailure(
    await world.tryEraseAll({ phoneNumber, suppress: 'yes' }),
    400,
    'suppress must be true or false',
  )
})
