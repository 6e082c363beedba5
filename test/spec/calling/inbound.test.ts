// They ring back: who is it, and a call that an agent takes.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type AgentWorld,
  anyNumberAgain,
  type Claimed,
  openAtAllHours,
  seedAgent,
} from '../../support/calling/agent.ts'
import { settleEverything } from '../../support/calling/calling.ts'
import { stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

type Caller = {
  lead: Claimed['lead'] | null
  campaign: { id: string; name: string } | null
  lastCall: ({ callId: string; direction: string; outcome: string } & Record<string, unknown>) | null
  openCall: Record<string, unknown> | null
  suppressed: boolean
  candidates: { leadId: string; status: string; campaign: { id: string } }[]
  taken?: boolean
  call?: (Claimed & { direction: string }) | null
}
type Agent = Pick<AgentWorld, 'ask'>

const nobody = {
  lead: null,
  campaign: null,
  lastCall: null,
  openCall: null,
  suppressed: false,
  candidates: [],
}

async function ring(agent: Agent, from: string | null, more: object = {}, options = {}): Promise<Caller> {
  const answer = await agent.ask('POST', '/api/v1/calls/inbound', { from, to: '+4930555', ...more }, options)
  return dataOf(answer, 200) as Caller
}
const take = (agent: Agent, from: string, more: object = {}) => ring(agent, from, { take: true, ...more })
async function taken(agent: Agent, from: string, more: object = {}) {
  const { call } = await take(agent, from, more)
  if (call == null) throw new Error('not taken')
  return call
}
const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)
const blockersOf = async (agent: Agent, leadId: string) =>
  (
    dataOf(await agent.ask('GET', `/api/v1/leads/${leadId}/calling`), 200) as {
      blockers: { code: string; until: string | null }[]
    }
  ).blockers
const rowsOf = async (companyId: string) =>
  (
    await companyDb
      .prepare('select count(*) as n from calls where company_id = ?1')
      .bind(companyId)
      .first<{ n: number }>()
  )?.n

describe('Who is it', () => {
  it('The answer has lead, campaign, last call, open call, suppression and candidates, and stores nothing', async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const { phoneNumber, leadId } = await agent.add({ metadata: { name: 'Ada' } })
    await foreign.add({ phoneNumber })
    const [first] = (await agent.claim()).calls
    await agent.report([{ callId: first?.callId, outcome: 'no_answer', details: { summary: 'rang out' } }])
    const before = await agent.lead(leadId)
    expect(await ring(agent, phoneNumber)).toEqual({
      lead: before,
      campaign: { id: agent.campaignId, name: expect.any(String) },
      lastCall: (await agent.history(leadId))[0],
      openCall: null,
      suppressed: false,
      candidates: [
        {
          leadId,
          externalId: null,
          status: 'attempting',
          campaign: { id: agent.campaignId, name: expect.any(String) },
          lastCallAt: expect.any(String),
        },
      ],
    })
    expect((await agent.history(leadId))[0]).toMatchObject({
      direction: 'outbound',
      details: { summary: 'rang out' },
    })
    expect(await agent.lead(leadId)).toEqual(before)
    expect([await rowsOf(agent.companyId), await rowsOf(foreign.companyId)]).toEqual([1, 0])
  })

  it.each(['anonymous', 'sip:ada@example.com', '', null, '0301234567', '+49 30 1234567'])(
    'The caller %j is nobody, is not taken, and nothing is stored',
    async (from) => {
      const agent = await seedAgent()
      await agent.add()
      expect(await ring(agent, from)).toEqual(nobody)
      expect(await ring(agent, from, { take: true })).toEqual({ ...nobody, taken: false, call: null })
      expect(await rowsOf(agent.companyId)).toBe(0)
    },
  )

  it('A number of no lead, and one of another company alone, is nobody', async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const { phoneNumber } = await foreign.add()
    expect(await take(agent, phoneNumber)).toEqual({ ...nobody, taken: false, call: null })
    expect(await rowsOf(agent.companyId)).toBe(0)
    expect((await take(foreign, phoneNumber)).taken).toBe(true)
  })

  it('A lead that is called still comes before a final one, and of two the one called last', async () => {
    const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
    const [second, third] = [await agent.another(), await agent.another()]
    const { phoneNumber, leadId: early } = await agent.add()
    const { leadId: late } = await second.add({ phoneNumber })
    const { leadId: final } = await third.add({ phoneNumber })
    for (const [of, outcome] of [
      [agent, 'busy'],
      [second, 'busy'],
      [third, 'answered'],
    ] as const) {
      const [call] = (await of.claim()).calls
      await of.report([{ callId: call?.callId, outcome }])
      pass(1)
    }
    const { lead, candidates } = await ring(agent, phoneNumber)
    expect(candidates.map(({ leadId }) => leadId)).toEqual([late, early, final])
    expect(lead?._id).toBe(late)
    expect((await ring(agent, phoneNumber, { campaignId: third.campaignId })).lead?._id).toBe(final)
  })

  it('At most ten candidates are named', async () => {
    const agent = await seedAgent()
    const { phoneNumber } = await agent.add()
    for (let i = 0; i < 11; i++) await (await agent.another()).add({ phoneNumber })
    expect((await ring(agent, phoneNumber)).candidates).toHaveLength(10)
  })

  it('A phone is known in each of its spellings', async () => {
    const agent = await seedAgent()
    const { leadId } = await agent.add({ phoneNumber: '+491711234567' })
    expect((await ring(agent, '+4901711234567')).lead?._id).toBe(leadId)
    expect((await taken(agent, '+4901711234567')).lead.phoneNumber).toBe('+491711234567')
  })

  it("A campaign's key sees its campaign only, and of a call in another one that there is one", async () => {
    const agent = await seedAgent()
    const other = await agent.another()
    const { phoneNumber } = await agent.add()
    const { phoneNumber: unknown } = await agent.add()
    const { leadId } = await other.add({ phoneNumber })
    const { key } = await seedKey({ companyId: agent.companyId, scope: 'agent', campaign: other.campaign })
    const open = await taken(agent, phoneNumber, { campaignId: agent.campaignId })
    const masked = await ring(other, phoneNumber, { take: true }, { key })
    expect(masked).toMatchObject({ lead: { _id: leadId }, taken: false, call: null })
    expect(masked.candidates.map((one) => one.leadId)).toEqual([leadId])
    expect(masked.openCall).toEqual({
      callId: null,
      leadId: null,
      campaignId: null,
      direction: 'inbound',
      agent: null,
      dialledAt: null,
      leaseExpiresAt: open.leaseExpiresAt,
    })
    expect((await ring(agent, phoneNumber)).openCall).toMatchObject({
      callId: open.callId,
      leadId: open.lead._id,
    })
    expect(await ring(other, unknown, {}, { key })).toEqual(nobody)
    const denied = await agent.ask(
      'POST',
      '/api/v1/calls/inbound',
      { from: phoneNumber, campaignId: agent.campaignId },
      { key },
    )
    expect(denied.status).toBe(403)
  })

  it.each<[what: string, body: object, message: string]>([
    ['no caller', {}, 'from is required'],
    ['a number that is no text', { from: 49 }, 'from must be a string'],
    ['a misspelt member', { from: '+4930', tak: true }, 'tak is not a member'],
    [
      'a lease without a take',
      { from: '+4930', leaseSeconds: 60 },
      'leaseSeconds and countsAsAttempt need take: true',
    ],
    [
      'too long a lease',
      { from: '+4930', take: true, leaseSeconds: 9999 },
      'leaseSeconds must be an integer between 30 and 7200',
    ],
  ])('A request with %s is 400', async (_, body, message) => {
    const answer = await (await seedAgent()).ask('POST', '/api/v1/calls/inbound', body)
    expectFailure(answer, 400, message)
  })
})

describe('Taking the call', () => {
  it('A call is opened as a claim answers it, with its direction; history and open calls have it', async () => {
    const agent = await seedAgent()
    const { phoneNumber, leadId } = await agent.add()
    const { taken: isTaken, call, openCall } = await take(agent, phoneNumber, { leaseSeconds: 90 })
    const leaseExpiresAt = new Date(Date.now() + 90_000).toISOString()
    expect([isTaken, openCall]).toEqual([true, null])
    expect(call).toEqual({
      callId: expect.any(String),
      attempt: 0,
      isLastAttempt: false,
      leaseExpiresAt,
      dialBefore: leaseExpiresAt,
      dialledAt: new Date().toISOString(),
      timeZone: 'UTC',
      direction: 'inbound',
      lead: await agent.lead(leadId),
    })
    expect(call?.lead).toMatchObject({ status: 'attempting', attempts: 0 })
    expect(await agent.history(leadId)).toMatchObject([
      { callId: call?.callId, direction: 'inbound', outcome: null },
    ])
    expect((await agent.openCalls()).calls).toMatchObject([
      { callId: call?.callId, direction: 'inbound', stop: null },
    ])
  })

  it('The same request with its Idempotency-Key opens one call, and takes it again while it is open', async () => {
    const agent = await seedAgent()
    const { phoneNumber } = await agent.add()
    const headers = { 'Idempotency-Key': 'ring-1' }
    const [first, again] = [
      await ring(agent, phoneNumber, { take: true }, { headers }),
      await ring(agent, phoneNumber, { take: true }, { headers }),
    ]
    expect(again).toEqual(first)
    expect(await rowsOf(agent.companyId)).toBe(1)
    await agent.report([{ callId: first.call?.callId, outcome: 'answered' }])
    expect(await ring(agent, phoneNumber, { take: true }, { headers })).toMatchObject({
      taken: false,
      openCall: null,
    })
  })

  it('A phone has one live call in the company: an open one is answered, and nothing is taken', async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const other = await agent.another()
    const { phoneNumber } = await agent.add()
    await other.add({ phoneNumber })
    await foreign.add({ phoneNumber })
    const [dialled] = (await agent.claim({ agent: 'seat-7' })).calls
    const answer = await take(agent, phoneNumber, { campaignId: other.campaignId })
    expect(answer).toMatchObject({ taken: false, call: null })
    expect(answer.openCall).toMatchObject({ callId: dialled?.callId, direction: 'outbound', agent: 'seat-7' })
    expect((await take(foreign, phoneNumber)).taken).toBe(true)
    await agent.report([{ callId: dialled?.callId, outcome: 'busy' }])
    const call = await taken(agent, phoneNumber, { campaignId: other.campaignId })
    expect((await take(agent, phoneNumber)).openCall).toMatchObject({
      callId: call.callId,
      direction: 'inbound',
    })
    expect((await agent.claim({ limit: 10 })).calls).toEqual([])
    expect(await rowsOf(agent.companyId)).toBe(2)
  })

  it('No hours, pause, gap or limit keeps it from being taken, nor a campaign that was never set up', async () => {
    const agent = await seedAgent({
      ...openAtAllHours,
      numberLimits: { minGapMinutes: 60, per24Hours: 1, per7Days: 1 },
    })
    const { phoneNumber } = await agent.add()
    const [call] = (await agent.claim()).calls
    await agent.report([{ callId: call?.callId, outcome: 'no_answer' }])
    await agent.change({
      paused: true,
      callingHours: null,
      appointmentHours: null,
      closedDates: ['2026-11-18'],
    })
    const open = await taken(agent, phoneNumber)
    expect(open.dialBefore).toBe(open.leaseExpiresAt)
    expect(await agent.extend([open.callId])).toMatchObject([
      { stop: null, leaseExpiresAt: open.leaseExpiresAt },
    ])
    await companyDb
      .prepare('delete from calling_settings where campaign_number = ?1')
      .bind((await agent.another()).campaign.number)
      .run()
    const bare = await agent.another()
    await companyDb
      .prepare('delete from calling_settings where campaign_number = ?1')
      .bind(bare.campaign.number)
      .run()
    const { phoneNumber: unset } = await bare.add()
    const first = await taken(bare, unset)
    expect((await bare.report([{ callId: first.callId, outcome: 'answered' }])).results).toMatchObject([
      { result: 'recorded', status: 'concluded' },
    ])
  })

  it('A lease that has ended, and is not settled yet, is settled first', async () => {
    const agent = await seedAgent()
    const { phoneNumber, leadId } = await agent.add()
    await agent.claim({ leaseSeconds: 30 })
    pass(1)
    await taken(agent, phoneNumber)
    expect(await agent.history(leadId)).toMatchObject([
      { outcome: 'unknown', direction: 'outbound' },
      { outcome: null, direction: 'inbound' },
    ])
  })

  it('Somebody suppressed who rings is told, and never refused, nor is the agent told to hang up', async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const { phoneNumber } = await agent.add()
    await foreign.add({ phoneNumber })
    await agent.suppress([phoneNumber])
    const { suppressed, call, taken: isTaken } = await take(agent, phoneNumber)
    expect([suppressed, isTaken]).toEqual([true, true])
    expect(await agent.extend([call?.callId ?? ''])).toMatchObject([{ stop: null }])
    expect((await ring(foreign, phoneNumber)).suppressed).toBe(false)
    expect((await ring(agent, '+4930123456789')).suppressed).toBe(false)
  })
})

describe('What it counts for', () => {
  it('It counts for the gap, and not for the day and the week', async () => {
    const agent = await seedAgent({
      ...openAtAllHours,
      numberLimits: { minGapMinutes: 15, per24Hours: 2, per7Days: 2 },
    })
    const other = await agent.another()
    const { phoneNumber } = await agent.add()
    const { leadId } = await other.add({ phoneNumber })
    const [first] = (await agent.claim()).calls
    await agent.report([{ callId: first?.callId, outcome: 'answered' }])
    pass(60)
    const call = await taken(agent, phoneNumber, { campaignId: agent.campaignId })
    await agent.report([{ callId: call.callId, outcome: 'answered' }])
    const gapUntil = new Date(Date.now() + 15 * 60_000).toISOString()
    expect(await blockersOf(agent, leadId)).toEqual([{ code: 'number_gap', until: gapUntil }])
    expect((await other.claim()).calls).toEqual([])
    pass(16)
    const [second] = (await other.claim()).calls
    expect(second).toBeDefined()
    await other.report([{ callId: second?.callId, outcome: 'busy' }])
    pass(16)
    expect((await blockersOf(agent, leadId)).map(({ code }) => code)).toContain('number_day')
  })

  it('Once its lead is erased, it counts for the gap of the phone, and still not for the day', async () => {
    const agent = await seedAgent({
      ...openAtAllHours,
      numberLimits: { minGapMinutes: 15, per24Hours: 1, per7Days: 1 },
    })
    const other = await agent.another()
    const { phoneNumber, leadId: erased } = await agent.add()
    const { leadId } = await other.add({ phoneNumber })
    const call = await taken(agent, phoneNumber, { campaignId: agent.campaignId })
    await agent.report([{ callId: call.callId, outcome: 'busy' }])
    dataOf(
      await agent.ask('DELETE', `/api/v1/leads/${erased}`, undefined, {
        key: agent.manageKey,
      }),
      200,
    )
    expect((await blockersOf(agent, leadId)).map(({ code }) => code)).toEqual(['number_gap'])
    pass(16)
    expect((await other.claim()).calls).toHaveLength(1)
  })

  it.each([
    [false, 0],
    [true, 1],
  ])(
    'With countsAsAttempt %s it is %i attempt, and the next one follows as usual',
    async (countsAsAttempt, attempts) => {
      const agent = await seedAgent()
      const { phoneNumber, leadId } = await agent.add()
      await agent.add()
      const call = await taken(agent, phoneNumber, { countsAsAttempt })
      expect(call.attempt).toBe(attempts)
      const [result] = (await agent.report([{ callId: call.callId, outcome: 'busy' }])).results
      expect(result).toMatchObject({
        result: 'recorded',
        status: attempts === 0 ? 'raw' : 'attempting',
        attempts,
        nextCallAt: new Date(Date.now() + 15 * 60_000).toISOString(),
      })
      expect(await agent.lead(leadId)).toMatchObject({ attempts })
      pass(16)
      expect(
        (await agent.claim({ limit: 5 })).calls.map((one) => [one.lead._id === leadId, one.attempt]),
      ).toContainEqual([true, attempts + 1])
    },
  )

  it('Without a report its lease ends as released: the lead is as it was, and no agent fails by it', async () => {
    const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
    const due = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const [raw, appointed, final, counted] = [
      await agent.add(),
      await agent.add({ scheduledFor: due }),
      await agent.add({ priority: 100 }),
      await agent.add({ scheduledFor: due }),
    ]
    const [answered] = (await agent.claim()).calls
    await agent.report([{ callId: answered?.callId, outcome: 'answered' }])
    const all = [raw, appointed, final, counted]
    const states = () =>
      Promise.all(all.map(async ({ leadId }) => [await agent.lead(leadId), await blockersOf(agent, leadId)]))
    const before = await states()
    for (const { phoneNumber } of all)
      await taken(agent, phoneNumber, {
        leaseSeconds: 30,
        countsAsAttempt: phoneNumber === counted.phoneNumber,
      })
    pass(1)
    const foreseen = await blockersOf(agent, appointed.leadId)
    await settleEverything(Date.now())
    expect(await states()).toEqual(before)
    expect(foreseen).toEqual(before[1]?.[1])
    for (const { leadId } of all)
      expect((await agent.history(leadId)).at(-1)).toMatchObject({ outcome: 'released' })
    const [row] = (
      await companyDb
        .prepare('select count(*) as n from agents where company_id = ?1')
        .bind(agent.companyId)
        .all<{ n: number }>()
    ).results
    expect(row?.n).toBe(0)
  })

  it('A release returns the lead to its place, after the delay at the earliest', async () => {
    const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
    const due = new Date(Date.now() + 86_400_000).toISOString()
    const [now, later] = [await agent.add(), await agent.add({ scheduledFor: due })]
    const [one, two] = [
      await taken(agent, now.phoneNumber),
      await taken(agent, later.phoneNumber, { countsAsAttempt: true }),
    ]
    const calls = [one, two].map(({ callId }) => ({ callId, delaySeconds: 90 }))
    expect(await agent.release(calls)).toMatchObject([
      {
        result: 'recorded',
        status: 'raw',
        attempts: 0,
        nextCallAt: new Date(Date.now() + 90_000).toISOString(),
      },
      { result: 'recorded', status: 'raw', attempts: 0, nextCallAt: due },
    ])
    expect(await agent.release(calls)).toMatchObject([{ result: 'replayed' }, { result: 'replayed' }])
  })

  it('A report that comes after its lease has ended is recorded all the same', async () => {
    const agent = await seedAgent()
    const [one, other] = [await agent.add(), await agent.add()]
    const call = await taken(agent, one.phoneNumber, { leaseSeconds: 30 })
    const kept = await taken(agent, other.phoneNumber, { leaseSeconds: 30 })
    pass(1)
    await settleEverything(Date.now())
    expect((await agent.report([{ callId: call.callId, outcome: 'answered' }])).results).toMatchObject([
      { result: 'recorded', status: 'concluded' },
    ])
    expect(await agent.history(other.leadId)).toMatchObject([{ callId: kept.callId, outcome: 'released' }])
    expect(await agent.release([{ callId: kept.callId }])).toMatchObject([{ result: 'replayed' }])
  })

  it('A lead that was final is called again at a time that was agreed, and after no other outcome', async () => {
    const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
    const [asked, hungUp] = [await agent.add(), await agent.add()]
    for (const { callId } of (await agent.claim({ limit: 2 })).calls)
      await agent.report([{ callId, outcome: 'not_interested' }])
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const [one, two] = [
      await taken(agent, asked.phoneNumber, { countsAsAttempt: true }),
      await taken(agent, hungUp.phoneNumber),
    ]
    const { results } = await agent.report([
      { callId: one.callId, outcome: 'callback_requested', callbackAt: at },
      { callId: two.callId, outcome: 'abandoned' },
    ])
    expect(results).toMatchObject([
      { status: 'attempting', nextCallAt: at },
      { status: 'concluded', nextCallAt: null },
    ])
  })

  it('A no is a no: the number is suppressed in the company, and the lead is not called', async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const other = await agent.another()
    const { phoneNumber } = await agent.add()
    await other.add({ phoneNumber })
    await foreign.add({ phoneNumber })
    const call = await taken(agent, phoneNumber, { campaignId: agent.campaignId })
    expect((await agent.report([{ callId: call.callId, outcome: 'do_not_call' }])).results).toMatchObject([
      { result: 'recorded', status: 'exhausted' },
    ])
    pass(60)
    expect([(await agent.claim()).calls, (await other.claim()).calls]).toEqual([[], []])
    expect((await foreign.claim()).calls).toHaveLength(1)
    expect((await ring(agent, phoneNumber)).suppressed).toBe(true)
  })

  it.each(['in the company', 'in its campaign'])(
    'Whose number is suppressed %s by its hash alone is not called after he rang, however that call ends',
    async (scope) => {
      const settings = { ...openAtAllHours, ...anyNumberAgain }
      const [agent, foreign] = [await seedAgent(settings), await seedAgent(settings)]
      const isOfCompany = scope === 'in the company'
      const ends = {
        reported: (callId: string) => agent.report([{ callId, outcome: 'no_answer' }]),
        released: (callId: string) => agent.release([{ callId, delaySeconds: 0 }]),
        never: async () => {},
      }
      const erased = await Promise.all(
        Object.values(ends).map(async (end) => {
          const { phoneNumber } = await agent.add()
          if (!isOfCompany) await agent.suppress([phoneNumber], { campaignId: agent.campaignId })
          const person = { phoneNumber, suppress: isOfCompany }
          dataOf(await agent.ask('POST', '/api/v1/erasures', person, { key: agent.manageKey }), 200)
          for (const company of [agent, foreign]) await company.add({ phoneNumber })
          return { phoneNumber, end }
        }),
      )
      const { phoneNumber: freeNumber, leadId: free } = await agent.add()
      for (const { phoneNumber, end } of erased) {
        const { suppressed, call } = await take(agent, phoneNumber, { leaseSeconds: 30 })
        expect(suppressed).toBe(true)
        await end(call?.callId ?? '')
      }
      await agent.release([{ callId: (await taken(agent, freeNumber)).callId, delaySeconds: 0 }])
      pass(240)
      await settleEverything(Date.now())
      expect((await agent.claim({ limit: 10 })).calls.map(({ lead }) => lead._id)).toEqual([free])
      expect((await foreign.claim({ limit: 10 })).calls).toHaveLength(erased.length)
      for (const { phoneNumber } of erased) {
        expect((await ring(agent, phoneNumber)).suppressed).toBe(true)
        expect((await ring(foreign, phoneNumber)).suppressed).toBe(false)
      }
    },
  )

  it('A no of a campaign that is kept by its hash holds when that of the company is lifted after the person rang', async () => {
    const [agent, foreign] = [
      await seedAgent({ ...openAtAllHours, ...anyNumberAgain }),
      await seedAgent({ ...openAtAllHours, ...anyNumberAgain }),
    ]
    const { phoneNumber } = await agent.add()
    for (const company of [agent, foreign]) {
      if (company === agent) await company.suppress([phoneNumber], { campaignId: agent.campaignId })
      const person = { phoneNumber, suppress: true }
      dataOf(await company.ask('POST', '/api/v1/erasures', person, { key: company.manageKey }), 200)
      await company.add({ phoneNumber })
      const { callId } = await taken(company, phoneNumber)
      const lifted = { phoneNumbers: [phoneNumber] }
      dataOf(await company.ask('DELETE', '/api/v1/suppressions', lifted, { key: company.manageKey }), 200)
      await company.release([{ callId, delaySeconds: 0 }])
    }
    pass(240)
    await settleEverything(Date.now())
    expect((await agent.claim()).calls).toEqual([])
    expect((await ring(agent, phoneNumber)).suppressed).toBe(true)
    expect((await foreign.claim()).calls).toHaveLength(1)
  })

  it('Where the pepper of suppressed numbers is lost, each caller is told as suppressed, and those of others are not', async () => {
    const [agent, foreign] = [await seedAgent(), await seedAgent()]
    const { phoneNumber } = await agent.add()
    await foreign.add({ phoneNumber })
    const erased = { phoneNumber: (await agent.add()).phoneNumber, suppress: true }
    dataOf(await agent.ask('POST', '/api/v1/erasures', erased, { key: agent.manageKey }), 200)
    for (const [{ agentKey }, suppressed] of [
      [agent, true],
      [foreign, false],
    ] as const) {
      const without = api(agentKey, { bindings: { SUPPRESSION_PEPPER: 'another' } })
      const answer = await without.request('POST', '/api/v1/calls/inbound', { from: phoneNumber })
      expect(dataOf(answer, 200)).toMatchObject({ lead: { phoneNumber }, suppressed })
    }
    expect((await ring(agent, phoneNumber)).suppressed).toBe(false)
  })

  it('A number that was listed since its person rang is lifted as it was before', async () => {
    const agent = await seedAgent({ ...openAtAllHours, ...anyNumberAgain })
    const { phoneNumber } = await agent.add()
    const asManager = { key: agent.manageKey }
    dataOf(await agent.ask('POST', '/api/v1/erasures', { phoneNumber, suppress: true }, asManager), 200)
    const { leadId } = await agent.add({ phoneNumber })
    await agent.release([{ callId: (await taken(agent, phoneNumber)).callId, delaySeconds: 0 }])
    expect((await agent.claim()).calls).toEqual([])
    const lifted = { phoneNumbers: [phoneNumber] }
    dataOf(await agent.ask('DELETE', '/api/v1/suppressions', lifted, asManager), 200)
    expect((await agent.claim()).calls.map(({ lead }) => lead._id)).toEqual([leadId])
  })
})

it('Statistics count it apart, and status and events say what happened', async () => {
  const [agent, foreign] = [await seedAgent(), await seedAgent()]
  const eventsOf = async (of: AgentWorld) =>
    (
      dataOf(await api(of.manageKey).request('GET', '/api/v1/events'), 200) as {
        events: { type: string; data: Record<string, unknown> }[]
      }
    ).events
  await eventsOf(agent)
  const [one, two] = [await agent.add(), await agent.add()]
  const first = await taken(agent, one.phoneNumber)
  await agent.report([{ callId: first.callId, outcome: 'answered' }])
  await taken(agent, two.phoneNumber, { leaseSeconds: 30 })
  pass(20)
  await settleEverything(Date.now())
  const [dialled] = (await agent.claim()).calls
  await agent.report([{ callId: dialled?.callId, outcome: 'answered' }])
  const statsOf = async (of: AgentWorld) =>
    dataOf(await of.ask('GET', `${of.campaignPath}/stats`), 200) as {
      status: Record<string, number>
      series: Record<string, number>[]
      outcomes: Record<string, number>
    }
  const { status, series, outcomes } = await statsOf(agent)
  expect(series.at(-1)).toMatchObject({
    inbound: 2,
    claimed: 1,
    called: 1,
    answered: 1,
    released: 0,
    unknown: 0,
  })
  expect(outcomes).toMatchObject({ answered: 1, released: 0, unknown: 0 })
  for (const by of ['outcome', 'agent', 'origin', 'hour', 'day']) {
    const { rows } = dataOf(await agent.ask('GET', `${agent.campaignPath}/stats?by=${by}`), 200) as {
      rows: Record<string, number>[]
    }
    expect(rows.filter(({ called }) => called !== 0)).toMatchObject([
      { called: 1, answered: 1, concluded: 1 },
    ])
  }
  expect(status).toEqual({ raw: 0, attempting: 0, exhausted: 0, concluded: 2 })
  expect((await statsOf(foreign)).series.at(-1)).toMatchObject({ inbound: 0 })
  const events = (await eventsOf(agent)).filter(({ type }) => type.startsWith('call.'))
  expect(events.map(({ type, data }) => [type, data.direction])).toEqual([
    ['call.started', 'inbound'],
    ['call.reported', 'inbound'],
    ['call.started', 'inbound'],
    ['call.released', undefined],
    ['call.reported', 'outbound'],
  ])
})
