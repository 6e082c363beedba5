// Calling, one lead: why it is not called (D58), and when it can be, as answers to reports say too.
import { beforeEach, expect, it } from 'vitest'
import { openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'

beforeEach(stopClockAtNoon)

type Agent = Awaited<ReturnType<typeof seedAgent>>
type Explained = {
  callable: boolean
  blockers: { code: string; until: string | null }[]
  nextCallAt: string | null
}

async function explain(agent: Agent, leadId: string, at = ''): Promise<Explained> {
  const path = `/api/v1/leads/${leadId}/calling?${new URLSearchParams({ at })}`
  return dataOf(await agent.ask('GET', path), 200) as Explained
}

it('Why a lead is not called is nothing when it waits for its turn alone', async () => {
  const agent = await seedAgent()
  const { leadId } = await agent.add()
  expect(await explain(agent, leadId)).toEqual({ callable: true, blockers: [], nextCallAt: iso(0) })
})

it.each<[string, (agent: Agent, leadId: string) => Promise<unknown>, Explained['blockers'], string | null]>([
  [
    'not configured',
    (agent) => agent.change({ timeZone: null }),
    [{ code: 'not_configured', until: null }],
    null,
  ],
  ['paused', (agent) => agent.change({ paused: true }), [{ code: 'paused', until: null }], null],
  [
    'leased',
    (agent) => agent.claim(),
    [
      { code: 'leased', until: iso(10 * minuteMs) },
      { code: 'number_gap', until: iso(15 * minuteMs) },
    ],
    null,
  ],
  [
    'spaced',
    async (agent) => agent.report([{ callId: (await agent.claim()).calls[0]?.callId, outcome: 'no_answer' }]),
    [
      { code: 'number_gap', until: iso(15 * minuteMs) },
      { code: 'spaced', until: iso(hourMs) },
    ],
    iso(hourMs),
  ],
  [
    'called often enough',
    async (agent) => {
      await agent.change({ numberLimits: { minGapMinutes: null, per24Hours: 1, per7Days: 1 } })
      await agent.report([{ callId: (await agent.claim()).calls[0]?.callId, outcome: 'busy' }])
      clockAt(20 * minuteMs)
    },
    [
      { code: 'number_day', until: iso(dayMs) },
      { code: 'number_week', until: iso(7 * dayMs) },
    ],
    iso(7 * dayMs),
  ],
  [
    'closed',
    (agent) => agent.change({ callingHours: { wed: [['13:00', '14:00']] } }),
    [{ code: 'outside_hours', until: iso(hourMs) }],
    iso(hourMs),
  ],
  [
    'final and suppressed',
    async (agent) =>
      agent.report([{ callId: (await agent.claim()).calls[0]?.callId, outcome: 'do_not_call' }]),
    [
      { code: 'final', until: null },
      { code: 'suppressed', until: null },
      { code: 'number_gap', until: iso(15 * minuteMs) },
    ],
    null,
  ],
])('Why a lead is not called has a code and an end: %s', async (_, block, blockers, nextCallAt) => {
  const agent = await seedAgent()
  const { leadId } = await agent.add()
  await block(agent, leadId)
  expect(await explain(agent, leadId)).toEqual({ callable: false, blockers, nextCallAt })
})

it('Why a lead is not called is that another lead of its number is being called', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  const { lead } = await agent.call()
  const { leadId } = await other.add({ phoneNumber: lead.phoneNumber })
  const { blockers } = await explain(agent, leadId)
  expect(blockers.map(({ code }) => code)).toEqual(['number_live', 'number_gap'])
})

it('Why a lead is not called is explained for another moment as well, however far away', async () => {
  const agent = await seedAgent({ ...openAtAllHours, closedDates: ['2027-03-01'] })
  const scheduledFor = '2027-03-01T09:00:00+01:00'
  const { leadId } = await agent.add({ scheduledFor })
  const scheduled = { code: 'scheduled', until: '2027-03-01T08:00:00.000Z' }
  expect(await explain(agent, leadId)).toEqual({
    callable: false,
    blockers: [scheduled],
    nextCallAt: '2027-03-02T00:00:00.000Z',
  })
  expect(await explain(agent, leadId, '2027-03-01T10:00:00+01:00')).toEqual({
    callable: false,
    blockers: [{ code: 'outside_hours', until: '2027-03-02T00:00:00.000Z' }],
    nextCallAt: '2027-03-02T00:00:00.000Z',
  })
  expect((await explain(agent, leadId, String(Date.UTC(2027, 2, 3)))).callable).toBe(true)
  for (const at of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '9'.repeat(14)])
    expect((await explain(agent, leadId, at)).blockers).toBeInstanceOf(Array)
})

it('Why a lead is not called never has a time that no parser reads, at the end of year 9999', async () => {
  const agent = await seedAgent({ timeZone: 'UTC' })
  const { leadId } = await agent.add()
  const { blockers, nextCallAt } = await explain(agent, leadId, '9999-12-31T23:59:59Z')
  for (const time of [nextCallAt, ...blockers.map(({ until }) => until)])
    expect(time).toMatch(/^9999-12-31T23:59:59/)

  const invalid = 'must be an ISO 8601 timestamp with a UTC offset'
  const at = `/api/v1/leads/${leadId}/calling?at=9999-12-31T23:59:59-01:00`
  const asked = await agent.ask('GET', at, undefined, { key: agent.readKey })
  expectFailure(asked, 400, `at ${invalid}, or Unix milliseconds`)
  const { callId } = await agent.call()
  const call = { callId, outcome: 'callback_requested', callbackAt: '9999-12-31T23:59:59-01:00' }
  const body = { calls: [call] }
  const reported = await agent.ask('POST', '/api/v1/calls/report', body, { key: agent.agentKey })
  expectFailure(reported, 400, `calls[0].callbackAt ${invalid}`)
})

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const hours = (from: string, to: string) => Object.fromEntries(weekdays.map((day) => [day, [[from, to]]]))
/** Noon in UTC is 13:00 in Berlin. */
const untilTwo = {
  timeZone: 'Europe/Berlin',
  callingHours: hours('09:00', '14:00'),
  appointmentHours: hours('08:00', '21:00'),
}

it.each<[name: string, settings: object, lead: object, report: object, nextCallAt: string | null]>([
  ['within hours', {}, {}, { outcome: 'busy' }, iso(15 * minuteMs)],
  ['outside of hours', {}, {}, { outcome: 'no_answer' }, '2026-11-19T08:00:00.000Z'],
  [
    'on a day that is closed',
    { closedDates: ['2026-11-19'] },
    {},
    { outcome: 'no_answer' },
    '2026-11-20T08:00:00.000Z',
  ],
  [
    'by the clock of the lead',
    {},
    { timeZone: 'America/New_York' },
    { outcome: 'voicemail' },
    iso(240 * minuteMs),
  ],
  [
    'an appointment, by its own hours',
    {},
    {},
    { outcome: 'callback_requested', callbackAt: iso(7 * hourMs) },
    iso(7 * hourMs),
  ],
  [
    'an appointment at night',
    {},
    {},
    { outcome: 'callback_requested', callbackAt: iso(12 * hourMs) },
    '2026-11-19T07:00:00.000Z',
  ],
  [
    'after the gap of the number',
    { numberLimits: { minGapMinutes: 30 } },
    {},
    { outcome: 'busy' },
    iso(30 * minuteMs),
  ],
  ['after the day of the number', { numberLimits: { per24Hours: 1 } }, {}, { outcome: 'busy' }, iso(dayMs)],
  ['while the campaign is paused', { paused: true }, {}, { outcome: 'busy' }, null],
  ['never again', {}, {}, { outcome: 'answered' }, null],
  ['never again, by a do-not-call', {}, {}, { outcome: 'busy', doNotCall: true }, null],
  ['not without a consent', { requireConsent: { purpose: 'calls' } }, {}, { outcome: 'busy' }, null],
])(
  'The answer to a report says when the lead can be called, as its explanation does: %s',
  async (_, settings, lead, report, nextCallAt) => {
    const agent = await seedAgent(untilTwo)
    await agent.change({ callingHours: hours('00:00', '24:00') })
    const call = await agent.call(lead)
    await agent.change({ ...untilTwo, ...settings })
    const { results } = await agent.report([{ callId: call.callId, ...report }])
    expect(results).toMatchObject([{ result: 'recorded', nextCallAt }])
    expect((await explain(agent, call.lead._id)).nextCallAt).toBe(nextCallAt)
  },
)

it('A report of calls of two campaigns says of each lead when it can be called in its own', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  const [here, there] = [await agent.call(), await other.call()]
  await other.change(untilTwo)
  const { results } = await agent.report(
    [here, there].map(({ callId }) => ({ callId, outcome: 'no_answer' })),
  )
  const times = [iso(hourMs), '2026-11-19T08:00:00.000Z']
  expect(results.map(({ nextCallAt }) => nextCallAt)).toEqual(times)
  expect([
    (await explain(agent, here.lead._id)).nextCallAt,
    (await explain(agent, there.lead._id)).nextCallAt,
  ]).toEqual(times)
})

it('The answer to a release and to a report at capacity say when the lead can be called, too', async () => {
  const agent = await seedAgent({ ...openAtAllHours, maxLiveCalls: 1, leaseSeconds: 60 })
  const first = await agent.call()
  await agent.change({ maxLiveCalls: 2 })
  await agent.call()
  await agent.change({ maxLiveCalls: 1 })
  const nextCallAt = iso(62_000)
  const asked = { callId: first.callId, outcome: 'callback_requested', callbackAt: iso(0) }
  expect((await agent.report([asked])).results).toMatchObject([{ result: 'recorded', nextCallAt }])
  expect((await explain(agent, first.lead._id)).nextCallAt).toBe(nextCallAt)
  const second = await seedAgent({ ...openAtAllHours })
  const call = await second.call()
  await second.change(untilTwo)
  clockAt(hourMs - 30_000)
  const released = await second.release([{ callId: call.callId, delaySeconds: 60 }])
  expect(released).toMatchObject([{ nextCallAt: '2026-11-19T08:00:00.000Z' }])
  expect((await explain(second, call.lead._id)).nextCallAt).toBe('2026-11-19T08:00:00.000Z')
})
