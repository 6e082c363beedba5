// Calling, claims: who is called next and when, and what a claim says when nobody is (D40, D41, D43-D46, D52).
// What an agent reports afterwards is in report.test.ts.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type AgentWorld, type ClaimData, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs, noonMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhones } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const phonesOf = ({ calls }: ClaimData) => calls.map(({ lead }) => lead.phoneNumber)
const berlin = { timeZone: 'Europe/Berlin' }

it('A claim makes a raw lead attempting, and counts the attempt (D40, D41)', async () => {
  const agent = await seedAgent()
  const added = await agent.add({ externalId: 'crm-1', metadata: { name: 'Ada' }, priority: 7 })
  const { calls, reason, retryAfterSeconds } = await agent.claim()
  expect([reason, retryAfterSeconds]).toEqual([null, null])
  expect(calls).toEqual([
    {
      callId: expect.stringMatching(/^[0-9A-Za-z]{36}$/),
      attempt: 1,
      isLastAttempt: false,
      leaseExpiresAt: iso(600_000),
      dialBefore: iso(600_000),
      dialledAt: null,
      timeZone: 'UTC',
      lead: {
        _id: added.leadId,
        campaignId: agent.campaignId,
        phoneNumber: added.phoneNumber,
        externalId: 'crm-1',
        metadata: { name: 'Ada' },
        status: 'attempting',
        priority: 7,
        attempts: 1,
        _creationTime: noonMs,
      },
    },
  ])
  expect(await agent.lead(added.leadId)).toEqual(calls[0]?.lead)
})

it('A claim gives appointments that have come, then by priority, then who has been due longest (D43)', async () => {
  const agent = await seedAgent()
  const past = await agent.add({ scheduledFor: '2026-01-01T09:00:00Z' })
  clockAt(1_000)
  const low = await agent.add({ priority: 1 })
  const high = await agent.add({ priority: 5 })
  const appointment = await agent.add({ scheduledFor: iso(30_000) })
  clockAt(2_000)
  const later = await agent.add({ priority: 5 })
  await agent.add({ scheduledFor: iso(hourMs), priority: 100 })
  clockAt(minuteMs)
  const order = [appointment, high, later, low, past]
  expect(phonesOf(await agent.claim({ limit: 10 }))).toEqual(order.map(({ phoneNumber }) => phoneNumber))
})

it('A claim leases for the requested time, and returns until when to dial', async () => {
  const agent = await seedAgent({ ...openAtAllHours, leaseSeconds: 300 })
  await agent.change({ callingHours: { wed: [['08:00', '12:02']] } })
  await agent.add()
  await agent.add()
  const [asItIs] = (await agent.claim()).calls
  expect([asItIs?.leaseExpiresAt, asItIs?.dialBefore]).toEqual([iso(300_000), iso(2 * minuteMs)])
  const [asked] = (await agent.claim({ leaseSeconds: 30 })).calls
  expect([asked?.leaseExpiresAt, asked?.dialBefore]).toEqual([iso(30_000), iso(30_000)])
})

it('A claim warns of the last attempt (D54)', async () => {
  const agent = await seedAgent({ ...openAtAllHours, maxAttempts: 2 })
  const first = await agent.call()
  await agent.report([{ callId: first.callId, outcome: 'busy' }])
  clockAt(15 * minuteMs)
  const [second] = (await agent.claim()).calls
  expect([first, second].map((call) => [call?.attempt, call?.isLastAttempt])).toEqual([
    [1, false],
    [2, true],
  ])
})

it('Hours are those of the lead’s own clock, else of the campaign’s', async () => {
  const agent = await seedAgent(berlin)
  const ofCampaign = await agent.add()
  await agent.add({ timeZone: 'America/Los_Angeles' })
  const inLondon = await agent.add({ timeZone: 'Europe/London' })
  const { calls } = await agent.claim({ limit: 10 })
  expect(calls.map(({ lead, timeZone }) => [lead.phoneNumber, timeZone])).toEqual([
    [ofCampaign.phoneNumber, 'Europe/Berlin'],
    [inLondon.phoneNumber, 'Europe/London'],
  ])
  expect(calls.map(({ lead }) => lead.timeZone)).toEqual([undefined, 'Europe/London'])
})

it('Hours are longer for appointments, which wait for them and not for business hours', async () => {
  const agent = await seedAgent(berlin)
  const evening = await agent.add({ scheduledFor: '2026-11-18T19:00:00+01:00' })
  const night = await agent.add({ scheduledFor: '2026-11-18T23:00:00+01:00' })
  vi.setSystemTime(Date.parse('2026-11-18T19:30:00+01:00'))
  const atAnyTime = await agent.add()
  expect(phonesOf(await agent.claim({ limit: 10 }))).toEqual([evening.phoneNumber])
  vi.setSystemTime(Date.parse('2026-11-18T23:30:00+01:00'))
  expect(await agent.claim()).toMatchObject({ calls: [], reason: 'outside_hours' })
  vi.setSystemTime(Date.parse('2026-11-19T08:00:00+01:00'))
  expect(phonesOf(await agent.claim({ limit: 10 }))).toContain(night.phoneNumber)
  vi.setSystemTime(Date.parse('2026-11-19T09:00:00+01:00'))
  expect(phonesOf(await agent.claim({ limit: 10 }))).toContain(atAnyTime.phoneNumber)
})

it('A claim leases nothing on a closed date in the zone of the lead, appointments included', async () => {
  const agent = await seedAgent({ ...openAtAllHours, closedDates: ['2026-11-18'] })
  await agent.add()
  await agent.add({ scheduledFor: iso(1_000) })
  const inTokyo = await agent.add({ timeZone: 'Asia/Tokyo' })
  clockAt(2_000)
  expect(await agent.claim()).toMatchObject({ calls: [], reason: 'outside_hours' })
  clockAt(4 * hourMs)
  const { calls } = await agent.claim({ limit: 3 })
  expect(calls.map(({ lead }) => lead.phoneNumber)).toEqual([inTokyo.phoneNumber])
  await agent.report([{ callId: calls[0]?.callId, outcome: 'answered' }])
  clockAt(dayMs / 2)
  expect((await agent.claim({ limit: 3 })).calls).toHaveLength(2)
})

it('A campaign without a time zone hands nothing out, not even a lead that has its own', async () => {
  const agent = await seedAgent({ timeZone: null })
  await agent.add({ timeZone: 'UTC' })
  expect(await agent.claim()).toEqual({ calls: [], reason: 'not_configured', retryAfterSeconds: 30 })
})

describe('Limits of a number (D46)', () => {
  /** The same number in two campaigns; the first has called it. */
  async function calledElsewhere(settings: object = {}, fields: object = {}) {
    const one = await seedAgent()
    const other = await one.another()
    await other.change(settings)
    const { phoneNumber } = await one.add()
    await other.add({ phoneNumber, ...fields })
    const [call] = (await one.claim()).calls
    return { one, other, callId: call?.callId as string, phoneNumber }
  }

  it('The limits of a number keep it from two calls at once, whichever campaign it is in', async () => {
    const { one, other, callId, phoneNumber } = await calledElsewhere({
      numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null },
    })
    expect(await other.claim()).toEqual({ calls: [], reason: 'waiting', retryAfterSeconds: 1 })
    await one.report([{ callId, outcome: 'busy' }])
    clockAt(602_000)
    expect(phonesOf(await other.claim())).toEqual([phoneNumber])
  })

  it('The limits of a number keep 15 minutes between two calls, which an appointment need not wait', async () => {
    const { one, other, callId, phoneNumber } = await calledElsewhere()
    await one.report([{ callId, outcome: 'no_answer' }])
    expect(phonesOf(await other.claim())).toEqual([])
    clockAt(15 * minuteMs - 1)
    expect(phonesOf(await other.claim())).toEqual([])
    clockAt(15 * minuteMs)
    expect(phonesOf(await other.claim())).toEqual([phoneNumber])

    clockAt(0)
    const again = await calledElsewhere({}, { scheduledFor: iso(1_000) })
    await again.one.report([{ callId: again.callId, outcome: 'no_answer' }])
    clockAt(1_000)
    expect(phonesOf(await again.other.claim())).toEqual([again.phoneNumber])
  })

  it.each([
    ['24 hours', 'per24Hours', dayMs],
    ['7 days', 'per7Days', 7 * dayMs],
  ])('The limits of a number count the calls of any %s', async (_, limit, ms) => {
    const { one, other, callId, phoneNumber } = await calledElsewhere({ numberLimits: { [limit]: 1 } })
    await one.report([{ callId, outcome: 'wrong_number' }])
    await other.claim()
    clockAt(ms - 1)
    expect(phonesOf(await other.claim())).toEqual([])
    clockAt(ms)
    expect(phonesOf(await other.claim())).toEqual([phoneNumber])
  })
})

it.each<[string, (agent: AgentWorld) => Promise<unknown>, number]>([
  ['empty', async () => {}, 30],
  ['paused', (agent) => agent.change({ paused: true }), 30],
  ['not_configured', (agent) => agent.change({ timeZone: null }), 30],
  ['waiting', (agent) => agent.add({ scheduledFor: iso(20_000) }), 20],
  ['waiting', (agent) => agent.add({ scheduledFor: iso(500) }), 1],
  ['waiting', (agent) => agent.add({ scheduledFor: iso(dayMs) }), 30],
  ['waiting', (agent) => agent.call(), 30],
  [
    'waiting',
    async (agent) => {
      await agent.call()
      clockAt(590_000)
    },
    12,
  ],
  [
    'outside_hours',
    async (agent) => {
      await agent.add()
      await agent.change({ callingHours: { wed: [['12:30', '13:00']] } })
    },
    30,
  ],
  [
    'outside_hours',
    async (agent) => {
      await agent.add()
      await agent.change({ callingHours: { wed: [['12:01', '13:00']] } })
      clockAt(40_000)
    },
    20,
  ],
])(
  'A claim that gives nothing says why, and when to ask again: %s (%#)',
  async (reason, make, retryAfterSeconds) => {
    const agent = await seedAgent()
    await make(agent)
    expect(await agent.claim()).toEqual({ calls: [], reason, retryAfterSeconds })
  },
)

it('An agent that crashes after each claim gets no leads for ten minutes after 20 leases, then one, and all once it reports', async () => {
  const agent = await seedAgent({ ...openAtAllHours, leaseSeconds: 60 })
  const events = async (key: string) =>
    (
      dataOf(await agent.ask('GET', '/api/v1/events?types=agent.failing', undefined, { key }), 200) as {
        events: { type: string; actor: string; data: object }[]
      }
    ).events
  const { campaignId } = agent
  const leads = newPhones(40).map((phoneNumber) => ({ phoneNumber }))
  await api(agent.writeKey).importLeads({ campaignId, leads })
  for (let i = 0; i < 5; i++) await agent.claim({ limit: 4, agent: 'seat-7' })
  clockAt(62_000)
  const refused = { calls: [], reason: 'agent_failing', retryAfterSeconds: 600 }
  expect(await agent.claim({ agent: 'seat-7' })).toEqual(refused)
  expect((await agent.claim({ agent: 'seat-8' })).calls).toHaveLength(1)
  expect((await agent.settings()).queue.failingAgents).toEqual([
    { agent: 'seat-7', until: iso(62_000 + 10 * minuteMs) },
  ])
  expect(await events(agent.manageKey)).toMatchObject([
    { type: 'agent.failing', actor: 'system', data: { campaignId, agent: 'seat-7' } },
  ])

  clockAt(62_000 + 10 * minuteMs)
  const { calls } = await agent.claim({ agent: 'seat-7', limit: 10 })
  expect(calls).toHaveLength(1)
  expect((await agent.settings()).queue.failingAgents).toHaveLength(1)
  const report = [{ callId: calls[0]?.callId, outcome: 'busy' }]
  const { claim } = await agent.report(report, { agent: 'seat-7', limit: 10 })
  expect(claim?.calls).toHaveLength(10)
  expect((await agent.settings()).queue.failingAgents).toEqual([])
})

describe('A claim with an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'claim-1' }

  it('A claim with an Idempotency-Key gives the same calls when its answer was lost, and leases nothing more', async () => {
    const agent = await seedAgent()
    for (let i = 0; i < 4; i++) await agent.add()
    const first = await agent.claim({ limit: 2 }, headers)
    clockAt(minuteMs)
    const body = { campaignId: agent.campaignId, limit: 2 }
    const again = await agent.ask('POST', '/api/v1/calls/claim', body, { headers })
    expect([dataOf(again, 200), again.headers.get('idempotent-replayed')]).toEqual([first, 'true'])
    const next = await agent.claim({ limit: 4 })
    expect(next.calls).toHaveLength(2)
  })

  it('A claim with an Idempotency-Key gives only what is still open when it comes again', async () => {
    const agent = await seedAgent()
    const [one, two, three] = [await agent.add(), await agent.add(), await agent.add()]
    const { calls } = await agent.claim({ limit: 3 }, headers)
    await agent.report([{ callId: calls[0]?.callId, outcome: 'answered' }])
    await agent.suppress([two.phoneNumber])
    expect(phonesOf(await agent.claim({ limit: 3 }, headers))).toEqual([three.phoneNumber])
    expect(phonesOf({ ...(await agent.openCalls()), reason: null, retryAfterSeconds: null })).not.toContain(
      one.phoneNumber,
    )
    clockAt(hourMs)
    expect((await agent.claim({ limit: 3 }, headers)).calls).toEqual([])
  })

  it('A claim with an Idempotency-Key gives no calls while the campaign is paused, and the same ones once it is resumed', async () => {
    const agent = await seedAgent()
    await agent.add()
    const first = await agent.claim({}, headers)
    await agent.change({ paused: true })
    expect(await agent.claim({}, headers)).toEqual({ calls: [], reason: 'paused', retryAfterSeconds: 30 })
    const turn = { 'idempotency-key': 'turn-1' }
    const nothing = [{ callId: '0'.repeat(36), outcome: 'busy' }]
    expect((await agent.report(nothing, {}, turn)).claim).toMatchObject({ calls: [], reason: 'paused' })
    await agent.change({ paused: false })
    expect(await agent.claim({}, headers)).toEqual(first)
  })

  it('A claim with an Idempotency-Key is refused for another request, and leases nothing', async () => {
    const agent = await seedAgent()
    await agent.add()
    await agent.claim({}, headers)
    const { leadId } = await agent.add()
    const body = { campaignId: agent.campaignId, limit: 2 }
    expectFailure(
      await agent.ask('POST', '/api/v1/calls/claim', body, { headers }),
      409,
      'Idempotency-Key was used for a different request',
    )
    expect((await agent.lead(leadId)).attempts).toBe(0)
  })
})
