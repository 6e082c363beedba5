// Suppressions: numbers that must not be called, in a company or in one campaign (D40, D48, D56, D57).
import { beforeEach, expect, it } from 'vitest'
import { seedAgent } from '../../support/calling/agent.ts'
import { hourMs, noonMs } from '../../support/calling/calling.ts'
import { clockAt, stopClockAtNoon } from '../../support/calling/noon.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedCampaign, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

type Listed = {
  suppressions: { phoneNumber: string; campaignId: string | null; reason: string | null; createdAt: string }[]
  nextCursor: string | null
}
type Agent = Awaited<ReturnType<typeof seedAgent>>

async function list(agent: Agent, query: Record<string, string> = {}): Promise<Listed> {
  const path = `/api/v1/suppressions?${new URLSearchParams(query)}`
  return dataOf(await agent.ask('GET', path, undefined, { key: agent.readKey }), 200) as Listed
}

it('A suppression keeps a number from every claim once it is acknowledged, in all campaigns of the company', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  const { phoneNumber } = await agent.add()
  const { leadId } = await other.add({ phoneNumber })
  const answer = await agent.suppress([phoneNumber, phoneNumber], { reason: 'asked by mail' })
  expect(answer).toEqual({ added: 1, existing: 0, removedFromQueue: 2, liveCalls: [] })
  for (const campaign of [agent, other])
    expect(await campaign.claim()).toMatchObject({ calls: [], reason: 'empty' })
  expect(await agent.lead(leadId)).toMatchObject({ status: 'raw', attempts: 0 })
  expect(await agent.suppress([phoneNumber])).toMatchObject({ added: 0, existing: 1, removedFromQueue: 0 })
})

it('A suppression of one campaign leaves the others alone, and other companies', async () => {
  const agent = await seedAgent()
  const [other, foreign] = [await agent.another(), await seedAgent()]
  const { phoneNumber } = await agent.add()
  await other.add({ phoneNumber })
  await foreign.add({ phoneNumber })
  await agent.suppress([phoneNumber], { campaignId: agent.campaignId })
  expect((await agent.claim()).calls).toEqual([])
  for (const campaign of [other, foreign]) expect((await campaign.claim()).calls).toHaveLength(1)
})

it('A suppression exhausts a lead that was called before, and names the calls in progress (D40, D56)', async () => {
  const agent = await seedAgent()
  const retried = await agent.call()
  await agent.report([{ callId: retried.callId, outcome: 'busy' }])
  const live = await agent.call()
  const numbers = [retried, live].map(({ lead }) => lead.phoneNumber)
  const answer = await agent.suppress(numbers)
  expect(answer).toEqual({ added: 2, existing: 0, removedFromQueue: 1, liveCalls: [live.callId] })
  expect((await agent.lead(retried.lead._id)).status).toBe('exhausted')
  const { results } = await agent.report([{ callId: live.callId, outcome: 'no_answer' }])
  expect(results).toMatchObject([{ status: 'exhausted', nextCallAt: null }])
})

it('A suppression accepts leads, which are stored, not called, and marked with results=true', async () => {
  const agent = await seedAgent()
  const [suppressed, plain] = [newPhone(), newPhone()]
  await agent.suppress([suppressed])
  const leads = [suppressed, plain].map((phoneNumber) => ({ phoneNumber }))
  const body = { campaignId: agent.campaignId, leads }
  const path = '/api/v1/leads/bulk?results=true'
  const data = dataOf(await agent.ask('POST', path, body, { key: agent.writeKey }), 200)
  const [one, two] = (data as { createdIds: string[] }).createdIds
  expect(data).toMatchObject({
    created: 2,
    results: [
      { index: 0, status: 'created', leadId: one, suppressed: true },
      { index: 1, status: 'created', leadId: two },
    ],
  })
  expect((data as { results: object[] }).results[1]).not.toHaveProperty('suppressed')
  const { calls } = await agent.claim({ limit: 10 })
  expect(calls.map(({ lead }) => lead.phoneNumber)).toEqual([plain])
  const other = await agent.another()
  await other.add({ phoneNumber: suppressed })
  expect((await other.claim()).calls).toEqual([])
})

it('A suppression is marked in a dry run, and for a lead that exists already, whatever its status', async () => {
  const agent = await seedAgent()
  const live = await agent.call()
  await agent.report([{ callId: live.callId, outcome: 'do_not_call' }])
  const suppressed = newPhone()
  await agent.suppress([suppressed])
  const leads = [suppressed, live.lead.phoneNumber, newPhone()].map((phoneNumber) => ({ phoneNumber }))
  const body = { campaignId: agent.campaignId, leads }
  const path = '/api/v1/leads/bulk?results=true&dryRun=true'
  const data = dataOf(await agent.ask('POST', path, body, { key: agent.writeKey }), 200)
  expect(data).toMatchObject({ created: 2, skipped: 1, createdIds: [] })
  expect((data as { results: object[] }).results).toEqual([
    { index: 0, status: 'created', leadId: null, suppressed: true },
    { index: 1, status: 'skipped', leadId: live.lead._id, suppressed: true },
    { index: 2, status: 'created', leadId: null },
  ])
})

it('A suppression that is removed queues again what is not final', async () => {
  const agent = await seedAgent()
  const waiting = await agent.add()
  const ended = await agent.call({ priority: 1 })
  await agent.report([{ callId: ended.callId, outcome: 'busy' }])
  const numbers = [waiting.phoneNumber, ended.lead.phoneNumber]
  await agent.suppress(numbers)
  expect(await agent.lift([...numbers, newPhone()])).toEqual({ lifted: 2 })
  clockAt(hourMs)
  const { calls } = await agent.claim({ limit: 10 })
  expect(calls.map(({ lead }) => lead.phoneNumber)).toEqual([waiting.phoneNumber])
  expect((await agent.lead(ended.lead._id)).status).toBe('exhausted')
})

it('A suppression of the company is not removed with that of a campaign, nor the other way round', async () => {
  const agent = await seedAgent()
  const { phoneNumber } = await agent.add()
  const { campaignId } = agent
  await agent.suppress([phoneNumber])
  await agent.suppress([phoneNumber], { campaignId })
  expect(await agent.lift([phoneNumber], { campaignId })).toEqual({ lifted: 1 })
  expect((await agent.claim()).calls).toEqual([])
  expect(await agent.lift([phoneNumber])).toEqual({ lifted: 1 })
  await agent.suppress([phoneNumber], { campaignId })
  await agent.suppress([phoneNumber])
  expect(await agent.lift([phoneNumber])).toEqual({ lifted: 1 })
  expect((await agent.claim()).calls).toEqual([])
  expect(await agent.lift([phoneNumber], { campaignId })).toEqual({ lifted: 1 })
  expect((await agent.claim()).calls).toHaveLength(1)
})

it.each<[string, object, string]>([
  ['an empty campaignId', { campaignId: '' }, 'campaignId must not be empty'],
  ['a misspelt campaignId', { campaignid: 'spring' }, 'campaignid is not a member'],
  ['a misspelt member without a value', { campaign_id: null }, 'campaign_id is not a member'],
  ['a reason', { reason: 'asked' }, 'reason is not a member'],
])(
  'A request to remove a suppression with %s is refused, and the number stays suppressed in the company',
  async (_, more, message) => {
    const agent = await seedAgent()
    const phoneNumbers = [newPhone()]
    await agent.suppress(phoneNumbers)
    const body = { phoneNumbers, ...more }
    const answer = await agent.ask('DELETE', '/api/v1/suppressions', body, { key: agent.manageKey })
    expectFailure(answer, 400, message)
    expect((await list(agent)).suppressions).toMatchObject([{ phoneNumber: phoneNumbers[0] }])
  },
)

it('The list of suppressions has those of the company and of its campaigns, in the order of the numbers, page by page', async () => {
  const agent = await seedAgent()
  const phones = newPhones(3).toSorted()
  const { campaignId } = agent
  await agent.suppress(phones.slice(0, 2), { reason: 'asked' })
  await agent.suppress(phones.slice(1), { campaignId })
  await (await seedAgent()).suppress(phones)
  const [one, two, three] = phones
  const createdAt = new Date(noonMs).toISOString()
  const all = [
    { phoneNumber: one, campaignId: null, reason: 'asked', createdAt },
    { phoneNumber: two, campaignId: null, reason: 'asked', createdAt },
    { phoneNumber: two, campaignId, reason: null, createdAt },
    { phoneNumber: three, campaignId, reason: null, createdAt },
  ]
  expect(await list(agent)).toEqual({ suppressions: all, nextCursor: null })
  expect((await list(agent, { campaignId })).suppressions).toEqual(all.slice(2))
  const walked = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Listed = await list(agent, { limit: '1', cursor })
    walked.push(...page.suppressions)
    cursor = page.nextCursor
  }
  expect(walked).toEqual(all)
})

it('A campaign’s key suppresses, lists and removes in its campaign, and not in the company', async () => {
  const agent = await seedAgent()
  const { campaign, campaignId, companyId } = agent
  const { key } = await seedKey({ companyId, campaign, scope: 'manage' })
  const phoneNumbers = [newPhone()]
  for (const method of ['POST', 'DELETE', 'GET']) {
    const ask = (more: object) =>
      method === 'GET'
        ? agent.ask(method, `/api/v1/suppressions?${new URLSearchParams({ ...more })}`, undefined, { key })
        : agent.ask(method, '/api/v1/suppressions', { phoneNumbers, ...more }, { key })
    expectFailure(await ask({}), 403, 'Insufficient permissions', 'company_key_required')
    expectFailure(await ask({ campaignId: 'none' }), 403, 'Campaign not found or access denied')
    expect((await ask({ campaignId })).status).toBe(200)
  }
})

it('A campaign’s key suppresses in the company by a report alone, whose doNotCall is the person’s wish', async () => {
  const agent = await seedAgent()
  const { campaign, companyId } = agent
  const { key } = await seedKey({ companyId, campaign, scope: 'agent' })
  const { callId, lead } = await agent.call()
  const body = { calls: [{ callId, outcome: 'do_not_call' }] }
  expect((await agent.ask('POST', '/api/v1/calls/report', body, { key })).status).toBe(200)
  expect((await list(agent)).suppressions).toMatchObject([
    { phoneNumber: lead.phoneNumber, campaignId: null, reason: 'do_not_call' },
  ])
})

it('The size of a suppression is 1,000 numbers, and 100,000 numbers times campaigns of the company', async () => {
  const agent = await seedAgent()
  await Promise.all(Array.from({ length: 99 }, () => seedCampaign(agent.companyId)))
  expect((await agent.suppress(newPhones(1_000))).added).toBe(1_000)
  await seedCampaign(agent.companyId)
  const phoneNumbers = newPhones(1_000)
  const message = 'phoneNumbers times campaigns of the company must be at most 100000'
  const answer = await agent.ask('POST', '/api/v1/suppressions', { phoneNumbers }, { key: agent.writeKey })
  expectFailure(answer, 400, message)
  const { campaignId } = agent
  expect((await agent.suppress(phoneNumbers, { campaignId })).added).toBe(1_000)
})

it('The size of a suppression counts archived campaigns, whose leads are looked through as well', async () => {
  const agent = await seedAgent()
  const archived = await agent.another()
  await archived.change({ archived: true })
  await Promise.all(Array.from({ length: 99 }, () => seedCampaign(agent.companyId)))
  const body = { phoneNumbers: newPhones(1_000) }
  const message = 'phoneNumbers times campaigns of the company must be at most 100000'
  for (const [method, key] of [
    ['POST', agent.writeKey],
    ['DELETE', agent.manageKey],
  ] as const)
    expectFailure(await agent.ask(method, '/api/v1/suppressions', body, { key }), 400, message)
})
