// One phone in two spellings (D76): one live call, one gap and one limit for both, in whichever campaign of the
// company, while each lead stays what it is. Which spellings there are is in runtime/number-spellings.test.ts, what
// holds them back in spellings.test.ts.
import { beforeEach, describe, expect, it } from 'vitest'
import { type AgentWorld, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { dataOf } from '../../support/http/expectations.ts'

beforeEach(stopClockAtNoon)

const pairs = [
  ['+525512345678', '+5215512345678'],
  ['+541123456789', '+5491123456789'],
  ['+5511987654321', '+551187654321'],
  ['+2290197123456', '+22997123456'],
  ['+491711234567', '+4901711234567'],
] as const
const [mexican] = pairs
/** Each once, and one of them both ways. */
const ways = [...pairs, mexican.toReversed() as [string, string]] as const

type Campaign = Pick<AgentWorld, 'claim' | 'ask' | 'campaignPath'>

const claimed = async (campaign: Campaign, limit = 10) =>
  (await campaign.claim({ limit })).calls.map(({ lead }) => lead.phoneNumber)

const blockersOf = async (campaign: Campaign, leadId: string) => {
  const { blockers } = dataOf(await campaign.ask('GET', `/api/v1/leads/${leadId}/calling`), 200) as {
    blockers: { code: string; until: string }[]
  }
  return blockers.map(({ code, until }) => [code, until])
}

const shown = async <Data>({ ask, campaignPath }: Campaign, part: string) =>
  dataOf(await ask('GET', `${campaignPath}/${part}`), 200) as Data

const noLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
const limitedTo = (numberLimits: object) => ({
  ...openAtAllHours,
  numberLimits: { ...noLimits, ...numberLimits },
})

/** Two campaigns with a lead of one phone each, and the same in another company. */
async function seedTwins([one, other]: readonly [string, string], settings = limitedTo({})) {
  const [agent, foreign] = [await seedAgent(settings), await seedAgent(settings)]
  const [second, third] = [await agent.another(), await foreign.another()]
  await agent.add({ phoneNumber: one })
  const { leadId } = await second.add({ phoneNumber: other })
  await third.add({ phoneNumber: other })
  return { agent, second, leadId, third }
}

describe.each(ways)('A phone as %s, in another campaign as %s', (one, other) => {
  it(`A phone is in one live call as ${one}, as explanation, preview and overview of its lead as ${other} say`, async () => {
    const { agent, second, leadId, third } = await seedTwins([one, other])
    const [call] = (await agent.claim()).calls
    expect(call?.lead.phoneNumber).toBe(one)
    const untilMs = 10 * minuteMs + 2_000
    expect(await blockersOf(second, leadId)).toEqual([['number_live', iso(untilMs)]])
    expect(await shown(second, 'preview')).toMatchObject({ callableNow: 0, laterToday: 1, counted: 1 })
    expect(await claimed(second)).toEqual([])
    expect(await shown(second, 'overview')).toMatchObject({
      queue: { queued: 1, leased: 0, reason: 'waiting' },
    })
    expect(await claimed(third)).toEqual([other])
    await agent.report([{ callId: call?.callId, outcome: 'no_answer' }])
    // Called as it was sent.
    expect(await claimed(second)).toEqual([other])
  })

  it(`A phone is free as ${other} once the lease as ${one} has ended, or was released`, async () => {
    const expired = await seedTwins([one, other])
    await expired.agent.claim()
    expect(await claimed(expired.second)).toEqual([])
    clockAt(10 * minuteMs + 2_000)
    expect(await claimed(expired.second)).toEqual([other])

    const released = await seedTwins([one, other])
    const [call] = (await released.agent.claim()).calls
    expect(await claimed(released.second)).toEqual([])
    await released.agent.release([{ callId: call?.callId, delaySeconds: 60 }])
    expect(await claimed(released.second)).toEqual([other])
  })

  it(`A claim that finds ${one} and ${other} in its campaign leases the phone once`, async () => {
    const agent = await seedAgent(limitedTo({ minGapMinutes: 15 }))
    const neighbour = await agent.add()
    for (const phoneNumber of [one, other]) await agent.add({ phoneNumber })
    expect(await claimed(agent)).toEqual([neighbour.phoneNumber, one])
    expect(await claimed(agent)).toEqual([])
    expect(await shown(agent, 'overview')).toMatchObject({ queue: { queued: 1, leased: 2 } })
  })
})

describe.each(ways.slice(-2))('A phone as %s, in another campaign as %s, with limits', (one, other) => {
  it.each([
    ['gap', { minGapMinutes: 45 }, 'number_gap', 45 * minuteMs],
    ['day', { per24Hours: 1 }, 'number_day', dayMs],
    ['week', { per7Days: 1 }, 'number_week', 7 * dayMs],
  ])(`A call to ${one} begins the %s of ${other}`, async (_, limits, code, untilMs) => {
    const { agent, second, leadId, third } = await seedTwins([one, other], limitedTo(limits))
    const [call] = (await agent.claim()).calls
    await agent.report([{ callId: call?.callId, outcome: 'answered' }])
    expect(await blockersOf(second, leadId)).toEqual([[code, iso(untilMs)]])
    expect(await claimed(second)).toEqual([])
    expect(await claimed(third)).toEqual([other])
    clockAt(untilMs - 1)
    expect(await claimed(second)).toEqual([])
    clockAt(untilMs)
    expect(await claimed(second)).toEqual([other])
  })

  it(`A report says of ${one} when it can be called next, as a call to ${other} since has left it`, async () => {
    const { agent, second } = await seedTwins([one, other], limitedTo({ minGapMinutes: 120 }))
    const [first] = (await agent.claim()).calls
    await agent.release([{ callId: first?.callId, delaySeconds: 0 }])
    clockAt(minuteMs)
    const [call] = (await second.claim()).calls
    await second.report([{ callId: call?.callId, outcome: 'answered' }])
    const [again] = await agent.release([{ callId: first?.callId, delaySeconds: 0 }])
    expect(again).toMatchObject({ result: 'replayed', nextCallAt: iso(121 * minuteMs) })
  })
})

it('Of five phones in two spellings each, twenty claims at once lease each phone once a day', async () => {
  const [agent, foreign] = [
    await seedAgent(limitedTo({ per24Hours: 1 })),
    await seedAgent(limitedTo({ per24Hours: 1 })),
  ]
  const [second, third] = [await agent.another(), await foreign.another()]
  for (const [one, other] of pairs) {
    await agent.add({ phoneNumber: one })
    await agent.add({ phoneNumber: other })
    await second.add({ phoneNumber: other })
    await third.add({ phoneNumber: one })
  }
  // Each campaign has written its hours.
  for (const campaign of [agent, second, third]) await campaign.settings()
  const claims = Array.from({ length: 20 }, (_, index) =>
    claimed(index % 2 ? agent : second, 1 + (index % 3)),
  )
  const phones = (await Promise.all(claims)).flat()
  for (const pair of pairs)
    expect([pair, phones.filter((phone) => pair.some((each) => each === phone))]).toMatchObject([
      pair,
      { length: 1 },
    ])
  expect(phones).toHaveLength(pairs.length)
  expect(await claimed(third)).toEqual(pairs.map(([one]) => one))
  clockAt(dayMs - 1)
  for (const campaign of [agent, second]) expect(await claimed(campaign)).toEqual([])
  clockAt(dayMs + 10 * minuteMs + 2_000)
  const again = [...(await claimed(agent)), ...(await claimed(second)), ...(await claimed(agent))]
  for (const pair of pairs)
    expect([pair, again.filter((phone) => pair.some((each) => each === phone))]).toMatchObject([
      pair,
      { length: 1 },
    ])
})

it('The claim in a report finds the phone in the call of its other spelling, and free once that is reported', async () => {
  const [one, other] = mexican
  const agent = await seedAgent(limitedTo({}))
  const second = await agent.another()
  const neighbour = await second.call()
  const call = await agent.call({ phoneNumber: one })
  await second.add({ phoneNumber: other })
  const busy = await second.report([{ callId: neighbour.callId, outcome: 'answered' }], { limit: 5 })
  expect(busy.claim?.calls).toEqual([])
  const report = [{ callId: call.callId, outcome: 'answered' }]
  const free = await agent.ask('POST', '/api/v1/calls/report', {
    calls: report,
    claim: { campaignId: second.campaignId },
  })
  expect((dataOf(free, 200) as { claim: { calls: object[] } }).claim.calls).toMatchObject([
    { lead: { phoneNumber: other } },
  ])
})

it('Two spellings of a phone are two leads, and each is dialled as it was sent', async () => {
  const agent = await seedAgent(limitedTo({}))
  for (const phoneNumber of mexican) await agent.add({ phoneNumber })
  const [first] = (await agent.claim()).calls
  await agent.report([{ callId: first?.callId, outcome: 'answered' }])
  const [second] = (await agent.claim()).calls
  expect([first?.lead.phoneNumber, second?.lead.phoneNumber]).toEqual(mexican)
})

describe.each(ways.slice(-2))('A phone as %s, whose lead is erased, and as %s', (one, other) => {
  const erase = (agent: AgentWorld, leadId: string) =>
    agent.ask('DELETE', `/api/v1/leads/${leadId}`, undefined, { key: agent.manageKey })

  it(`The limits count the calls of the erased lead of ${one}, for a lead that was there and one that comes`, async () => {
    const [agent, foreign] = [
      await seedAgent(limitedTo({ minGapMinutes: 60 })),
      await seedAgent(limitedTo({ minGapMinutes: 60 })),
    ]
    for (const company of [agent, foreign]) {
      const [second, third] = [await company.another(), await company.another()]
      const there = await second.add({ phoneNumber: other })
      const call = await company.call({ phoneNumber: one })
      await company.report([{ callId: call.callId, outcome: 'answered' }])
      if (company === agent) dataOf(await erase(company, call.lead._id), 200)
      const came = await third.add({ phoneNumber: other })
      const gap = [['number_gap', iso(hourMs)]]
      expect([await blockersOf(second, there.leadId), await blockersOf(third, came.leadId)]).toEqual([
        gap,
        gap,
      ])
      clockAt(hourMs - 1)
      for (const campaign of [second, third]) expect(await claimed(campaign)).toEqual([])
      clockAt(hourMs)
      expect(await claimed(second)).toEqual([other])
      clockAt(0)
    }
  })

  it(`Nobody leases ${other} before the lease ends during which the lead of ${one} was erased, also after a lift`, async () => {
    const [agent, foreign] = [await seedAgent(limitedTo({})), await seedAgent(limitedTo({}))]
    const second = await agent.another()
    const there = await second.add({ phoneNumber: other })
    const call = await agent.call({ phoneNumber: one })
    await foreign.add({ phoneNumber: other })
    dataOf(await erase(agent, call.lead._id), 200)
    expect(await blockersOf(second, there.leadId)).toContainEqual(['suppressed', null])
    expect(await agent.lift([other])).toEqual({ lifted: 1 })
    for (const phoneNumber of [one, other]) await agent.add({ phoneNumber })
    const untilMs = 10 * minuteMs + 2_000
    expect(await blockersOf(second, there.leadId)).toEqual([['number_live', iso(untilMs)]])
    for (const atMs of [0, minuteMs, untilMs - 1]) {
      clockAt(atMs)
      expect([...(await claimed(second)), ...(await claimed(agent))]).toEqual([])
    }
    expect(await claimed(foreign)).toEqual([other])
    clockAt(untilMs)
    expect([...(await claimed(second)), ...(await claimed(agent))]).toEqual([other])
  })
})
