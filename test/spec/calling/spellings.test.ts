// Two spellings of one phone (D70): a no to one holds back both, in its scope; events and counts leave the other out.
// Which spellings there are is in runtime/number-spellings.test.ts.
import { beforeEach, describe, expect, it } from 'vitest'
import { type AgentWorld, seedAgent } from '../../support/calling/agent.ts'
import { stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { dataOf } from '../../support/http/expectations.ts'

beforeEach(stopClockAtNoon)

const pairs = [
  ['of Mexico', '+525512345678', '+5215512345678'],
  ['of Argentina', '+541123456789', '+5491123456789'],
  ['of Brazil', '+551187654321', '+5511987654321'],
  ['with a zero left in', '+491711234567', '+4901711234567'],
] as const

const bothWays = pairs.flatMap(([name, one, other]) => [
  [name, one, other] as const,
  [name, other, one] as const,
])

const claimed = async (agent: Pick<AgentWorld, 'claim'>) =>
  (await agent.claim({ limit: 10 })).calls.map(({ lead }) => lead.phoneNumber)

describe.each(bothWays)('A number %s, %s, also written %s', (_, said, other) => {
  it(`A no to ${said} holds back ${other} in the whole company, and in no other`, async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const second = await agent.another()
    await agent.add({ phoneNumber: said })
    await second.add({ phoneNumber: other })
    await foreign.add({ phoneNumber: other })
    expect(await agent.suppress([said])).toEqual({
      added: 1,
      existing: 0,
      removedFromQueue: 2,
      liveCalls: [],
    })
    expect(await claimed(second)).toEqual([])
    await agent.add({ phoneNumber: other })
    expect(await claimed(agent)).toEqual([])
    expect(await claimed(foreign)).toEqual([other])
    expect(await agent.suppress([other])).toMatchObject({ added: 0, existing: 1 })
  })

  it(`A no to ${said} in one campaign holds back ${other} in that one only`, async () => {
    const agent = await seedAgent()
    const second = await agent.another()
    await agent.add({ phoneNumber: other })
    await second.add({ phoneNumber: other })
    await agent.suppress([said], { campaignId: agent.campaignId })
    expect(await claimed(agent)).toEqual([])
    expect(await claimed(second)).toEqual([other])
  })

  it(`A do-not-call of a call to ${said} holds back ${other}`, async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const second = await agent.another()
    const call = await agent.call({ phoneNumber: said })
    await second.add({ phoneNumber: other })
    await foreign.add({ phoneNumber: other })
    await agent.report([{ callId: call.callId, outcome: 'answered', doNotCall: true }])
    expect(await claimed(second)).toEqual([])
    expect(await claimed(foreign)).toEqual([other])
  })

  it(`A removal of ${said} frees ${other}, which was suppressed`, async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    for (const company of [agent, foreign]) {
      await company.suppress([other])
      await company.add({ phoneNumber: other })
    }
    expect(await agent.lift([said])).toEqual({ lifted: 1 })
    expect(await claimed(agent)).toEqual([other])
    expect(await claimed(foreign)).toEqual([])
    expect(await agent.lift([said])).toEqual({ lifted: 0 })
  })
})

const erase = async (agent: AgentWorld, phoneNumber: string, more: object = {}) =>
  dataOf(await agent.ask('POST', '/api/v1/erasures', { phoneNumber, ...more }, { key: agent.manageKey }), 200)

describe.each(bothWays)('An erasure of a person with a number %s, %s, also written %s', (_, said, other) => {
  it(`An erasure of ${said} erases the leads of ${other}, and suppresses both`, async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const second = await agent.another()
    const { leadId } = await second.add({ phoneNumber: other })
    await agent.add({ phoneNumber: said })
    const kept = await foreign.add({ phoneNumber: other })
    expect(await erase(agent, said, { suppress: true })).toMatchObject({ leadsErased: 2, suppressed: true })
    const gone = await agent.ask('GET', `/api/v1/leads/${leadId}`)
    expect(gone.status).toBe(404)
    for (const phoneNumber of [said, other]) await second.add({ phoneNumber })
    expect(await claimed(second)).toEqual([])
    expect((await foreign.lead(kept.leadId)).phoneNumber).toBe(other)
    expect(await claimed(foreign)).toEqual([other])
  })

  it(`An erasure of ${said} leaves no spelling of it on the list in plain, and a no holds by its hash`, async () => {
    const agent = await seedAgent()
    const second = await agent.another()
    await agent.suppress([other], { campaignId: agent.campaignId })
    await erase(agent, said, { suppress: false })
    const listed = await agent.ask('GET', '/api/v1/suppressions', undefined, { key: agent.manageKey })
    expect(dataOf(listed, 200)).toMatchObject({ suppressions: [] })
    for (const campaign of [agent, second]) await campaign.add({ phoneNumber: said })
    expect(await claimed(agent)).toEqual([])
    expect(await claimed(second)).toEqual([said])
  })
})

it('A number that was listed before stands on the list once when it is suppressed again', async () => {
  const agent = await seedAgent()
  await agent.suppress(['+491711234567'])
  await companyDb
    .prepare("delete from suppressions where company_id = ?1 and phone_number = '+4901711234567'")
    .bind(agent.companyId)
    .run()
  await agent.suppress(['+491711234567'])
  const answer = await agent.ask('GET', '/api/v1/suppressions', undefined, { key: agent.manageKey })
  expect(dataOf(answer, 200)).toMatchObject({ suppressions: [{ phoneNumber: '+491711234567' }] })
  expect((dataOf(answer, 200) as { suppressions: object[] }).suppressions).toHaveLength(1)
})

it('An erasure says what is kept of the consents of another spelling, which has no lead', async () => {
  const agent = await seedAgent()
  const consent = { purpose: 'offers', givenAt: '2026-01-01T00:00:00Z', text: 'Call me' }
  const body = { consents: [{ phoneNumber: '+5215512345678', ...consent }] }
  dataOf(await agent.ask('POST', '/api/v1/consents', body, { key: agent.writeKey }), 200)
  await agent.add({ phoneNumber: '+525512345678' })
  expect(await erase(agent, '+525512345678')).toMatchObject({ leadsErased: 1, kept: { consents: 1 } })
})

it('Two spellings of one phone in a request are two numbers', async () => {
  const agent = await seedAgent()
  const both = ['+525512345678', '+5215512345678']
  expect(await agent.suppress(both)).toMatchObject({ added: 2, existing: 0 })
  expect(await agent.suppress(both)).toMatchObject({ added: 0, existing: 2 })
  expect(await agent.lift(both)).toEqual({ lifted: 2 })
})

it('The events of a suppression, its removal and an erasure are of what was asked for', async () => {
  const agent = await seedAgent()
  const eventsOf = async () => {
    const answer = await agent.ask('GET', '/api/v1/events', undefined, { key: agent.manageKey })
    const { events } = dataOf(answer, 200) as { events: { type: string; data: { count: number } }[] }
    return events
      .filter(({ type }) => /^suppression|^erasure/.test(type))
      .map(({ type, data }) => [type, data.count])
  }
  await eventsOf()
  await agent.suppress(['+541123456789', '+14155550123'])
  await agent.suppress(['+5491123456789'])
  await agent.lift(['+5491123456789'])
  await agent.suppress(['+541123456789'])
  await erase(agent, '+541123456789')
  expect(await eventsOf()).toEqual([
    ['suppression.added', 2],
    ['suppression.lifted', 1],
    ['suppression.added', 1],
    ['erasure.done', undefined],
  ])
})
