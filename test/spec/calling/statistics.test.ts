// Statistics: what is counted of a campaign by the hour and by the day, and the statuses of its leads. That the counts
// stay true whatever is done is in test/runtime, with the model of calling and the nightly recount.
import { beforeEach, describe, expect, it } from 'vitest'
import { type AgentWorld, openAtAllHours, type Queue, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs, noonMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

type Statistics = {
  status: Record<string, number>
  series: (Record<string, number> & { start: string })[]
  outcomes: Record<string, number>
  pickUp: { count: number; medianSeconds: number | null; p95Seconds: number | null }
  queue: Queue
}

async function read(agent: AgentWorld, query: Record<string, string> = {}) {
  const path = `${agent.campaignPath}/stats?${new URLSearchParams(query)}`
  return dataOf(await agent.ask('GET', path), 200) as unknown as Statistics
}

/** Without what is zero. */
const some = ({ start: _, ...counts }: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0))
const lastOf = async (agent: AgentWorld) => some((await read(agent)).series.at(-1) ?? {})

it('What is counted of intake is each lead in its hour: stored, there before, not understood, and not to be called', async () => {
  const agent = await seedAgent()
  const { campaignId } = agent
  const [one, two, suppressed] = newPhones(3) as [string, string, string]
  await agent.suppress([suppressed])
  await agent.add({ phoneNumber: one })
  clockAt(hourMs)
  const leads = [one, two, suppressed, two, 'none'].map((phoneNumber) => ({ phoneNumber }))
  const sent = await agent.ask(
    'POST',
    '/api/v1/leads/bulk?onInvalid=skip',
    { campaignId, leads },
    { key: agent.writeKey },
  )
  expect(dataOf(sent, 200)).toMatchObject({ created: 2, skipped: 2, invalid: 1 })
  const { series, status } = await read(agent)
  expect(series.map(({ start }) => start)).toEqual(
    Array.from({ length: 24 }, (_, index) => iso((index - 22) * hourMs)),
  )
  expect(series.slice(-3).map(some)).toEqual([
    {},
    { created: 1 },
    { created: 2, skipped: 2, invalid: 1, suppressed: 1 },
  ])
  expect(status).toEqual({ raw: 3, attempting: 0, exhausted: 0, concluded: 0 })
})

it('What is counted of intake is nothing of a request that is refused, tried out or sent again with its Idempotency-Key', async () => {
  const agent = await seedAgent()
  const { campaignId, writeKey } = agent
  const phoneNumber = newPhone()
  const bulk = { campaignId, leads: [{ phoneNumber }, { phoneNumber: newPhone() }] }
  const again = { 'Idempotency-Key': 'order-1' }
  await api(writeKey).importLeads(bulk, again)
  const counted = { created: 2 }
  expect(await lastOf(agent)).toEqual(counted)
  await api(writeKey).importLeads(bulk, again)
  expectFailure(
    await api(writeKey).importLeads({ ...bulk, leads: [] }, again),
    400,
    'leads array cannot be empty',
  )
  expectFailure(await api(writeKey).createLead({ campaignId, phoneNumber }), 409, 'Lead already exists')
  dataOf(await api(writeKey).request('POST', '/api/v1/leads/bulk?dryRun=true', bulk), 200)
  const { key } = await seedKey({ companyId: agent.companyId, scope: 'write', revokedAtMs: 1 })
  expect((await api(key).importLeads(bulk)).status).toBe(401)
  expect(await lastOf(agent)).toEqual(counted)
  await api(writeKey).importLeads(bulk)
  expect(await lastOf(agent)).toEqual({ ...counted, skipped: 2 })
})

it('What is counted of calls counts each claim and its report, and follows the leads from status to status', async () => {
  const agent = await seedAgent()
  for (let i = 0; i < 4; i++) await agent.add()
  const { calls } = await agent.claim({ limit: 4 })
  const [first, second, third] = calls.map(({ callId }) => callId)
  await agent.report([
    { callId: first, outcome: 'answered' },
    { callId: second, outcome: 'wrong_number' },
  ])
  await agent.release([{ callId: third }])
  const { status, outcomes, series } = await read(agent)
  expect(status).toEqual({ raw: 1, attempting: 1, exhausted: 1, concluded: 1 })
  expect(some(outcomes)).toEqual({ answered: 1, wrong_number: 1, released: 1 })
  expect(some(series.at(-1) ?? {})).toEqual({
    ...{ created: 4, claimed: 4, called: 3, pickUp1s: 4 },
    ...some(outcomes),
  })
  expect(Object.keys(outcomes)).toEqual([
    ...['answered', 'not_interested', 'wrong_number', 'invalid_number', 'do_not_call', 'no_answer', 'busy'],
    ...['voicemail', 'failed', 'abandoned', 'callback_requested', 'unknown', 'released'],
  ])
})

it('A claim that is released is no call, in the hour of its claim, and in the day of the list', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  await other.call()
  const released = await agent.call()
  const dialled = await agent.call()
  clockAt(hourMs)
  await agent.release([{ callId: released.callId }])
  await agent.report([{ callId: dialled.callId, outcome: 'busy' }])
  const { series } = await read(agent)
  expect(series.slice(-2).map(({ claimed, released, called }) => [claimed, released, called])).toEqual([
    [2, 0, 1],
    [0, 1, 0],
  ])
  const listed = dataOf(await agent.ask('GET', '/api/v1/campaigns?include=overview'), 200) as unknown as {
    campaigns: { today: object }[]
  }
  expect(listed.campaigns.map(({ today }) => today)).toMatchObject([
    { claimed: 2, called: 1 },
    { claimed: 1, called: 1 },
  ])
})

it('What is counted of calls is unknown when its lease ended, until a late report arrives', async () => {
  const agent = await seedAgent({ ...openAtAllHours, leaseSeconds: 600 })
  const { callId } = await agent.call()
  // The lease ends at 12:10; the next claim settles it in another hour.
  clockAt(2 * hourMs)
  await agent.claim()
  expect((await read(agent)).series.slice(-3).map(some)).toEqual([
    { created: 1, claimed: 1, called: 1, unknown: 1, pickUp1s: 1 },
    {},
    { claimed: 1, called: 1 },
  ])
  await agent.report([{ callId, outcome: 'voicemail' }])
  const { series, outcomes } = await read(agent)
  expect(series.slice(-3).map(some)).toEqual([
    { created: 1, claimed: 1, called: 1, pickUp1s: 1 },
    {},
    { claimed: 1, called: 1, voicemail: 1 },
  ])
  expect(some(outcomes)).toEqual({ voicemail: 1 })
})

it('What is counted of calls follows a lead that is suppressed, requeued or erased', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  await agent.report([{ callId, outcome: 'no_answer' }])
  await agent.suppress([lead.phoneNumber])
  expect((await read(agent)).status).toEqual({ raw: 0, attempting: 0, exhausted: 1, concluded: 0 })
  await agent.lift([lead.phoneNumber])
  await agent.requeue(lead._id)
  expect((await read(agent)).status).toEqual({ raw: 0, attempting: 1, exhausted: 0, concluded: 0 })
  expect(
    (await agent.ask('DELETE', `/api/v1/leads/${lead._id}`, undefined, { key: agent.manageKey })).status,
  ).toBe(200)
  expect((await read(agent)).status).toEqual({ raw: 0, attempting: 0, exhausted: 0, concluded: 0 })
})

describe('The pick-up time', () => {
  const none = { count: 0, medianSeconds: null, p95Seconds: null }

  it('The pick-up time is nothing before a lead was claimed', async () => {
    const agent = await seedAgent()
    await agent.add()
    expect((await read(agent)).pickUp).toEqual(none)
  })

  it('The pick-up time leaves out the leads of an import, and measures single ones and those of a small bulk', async () => {
    const agent = await seedAgent()
    const { campaignId } = agent
    const importSome = (count: number) =>
      api(agent.writeKey).importLeads({
        campaignId,
        leads: newPhones(count).map((phoneNumber) => ({ phoneNumber })),
      })
    await importSome(25)
    await importSome(10)
    await agent.add()
    clockAt(4_000)
    expect((await agent.claim({ limit: 100 })).calls).toHaveLength(36)
    expect((await read(agent)).pickUp.count).toBe(11)
  })

  it('The pick-up time is counted in the hour of the claim by six classes, and half and 95 % of all hours are shown', async () => {
    const agent = await seedAgent({ ...openAtAllHours, leaseSeconds: 7200 })
    for (let i = 0; i < 5; i++) await agent.add()
    clockAt(4_000)
    await agent.claim({ limit: 4 })
    clockAt(hourMs)
    await agent.claim()
    const { series, pickUp } = await read(agent)
    expect(series.slice(-2).map(some)).toEqual([
      { created: 5, claimed: 4, called: 4, pickUp5s: 4 },
      { claimed: 1, called: 1, pickUp1h: 1 },
    ])
    expect(Object.keys(series[0] ?? {}).slice(-6)).toEqual([
      ...['pickUp1s', 'pickUp5s', 'pickUp30s', 'pickUp5min', 'pickUp1h', 'pickUpLater'],
    ])
    // Of 5 leads the 2.5th of 4 between 1 and 5 s, and three quarters of the way from 5 minutes to an hour.
    expect(pickUp).toEqual({ count: 5, medianSeconds: 3.5, p95Seconds: 300 + 0.75 * 3_300 })
    const past = { from: iso(-hourMs), to: iso(0) }
    expect((await read(agent, past)).pickUp).toEqual(none)
    expect((await read(agent, { bucket: 'day' })).pickUp).toEqual(pickUp)
  })

  it('The pick-up time is not known when it is longer than an hour', async () => {
    const agent = await seedAgent()
    await agent.add()
    clockAt(hourMs + 1)
    await agent.claim()
    expect((await read(agent)).pickUp).toEqual({ ...none, count: 1 })
  })

  it('The pick-up time begins when the campaign is resumed, and when its hours begin', async () => {
    const agent = await seedAgent({ ...openAtAllHours, leaseSeconds: 7200 })
    for (let i = 0; i < 2; i++) await agent.add()
    await agent.change({ paused: true })
    clockAt(2 * hourMs)
    await agent.change({ paused: false })
    clockAt(2 * hourMs + 20_000)
    await agent.claim()
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const callingHours = Object.fromEntries(days.map((day) => [day, [['15:00', '16:00']]]))
    await agent.change({ callingHours })
    clockAt(3 * hourMs + 4_000)
    await agent.claim()
    expect((await read(agent)).series.slice(-2).map(some)).toEqual([
      { claimed: 1, called: 1, pickUp30s: 1 },
      { claimed: 1, called: 1, pickUp5s: 1 },
    ])
  })

  it('The pick-up time is measured once more after a release or a requeue, and not for a retry', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    await agent.release([{ callId, delaySeconds: 60 }])
    clockAt(minuteMs)
    const [released] = (await agent.claim()).calls
    await agent.report([{ callId: released?.callId, outcome: 'busy' }])
    clockAt(5 * hourMs)
    const [retried] = (await agent.claim()).calls
    expect((await read(agent)).pickUp.count).toBe(2)
    await agent.report([{ callId: retried?.callId, outcome: 'answered' }])
    clockAt(10 * hourMs)
    await agent.requeue(lead._id)
    clockAt(10 * hourMs + minuteMs)
    await agent.claim()
    const { pickUp, series } = await read(agent)
    expect([pickUp.count, some(series.at(-1) ?? {})]).toMatchObject([3, { claimed: 1, pickUp5min: 1 }])
  })
})

it('A question by the day is answered in days of the campaign’s zone, the last seven unless it says which', async () => {
  // Midnight is half past six in the evening in UTC: the first hour that begins in a day is seven.
  const agent = await seedAgent({ ...openAtAllHours, timeZone: 'Asia/Kolkata' })
  await agent.add()
  clockAt(7 * hourMs - minuteMs)
  await agent.add()
  clockAt(7 * hourMs)
  await agent.add()
  const { series } = await read(agent, { bucket: 'day' })
  expect(series.map(({ start, created }) => [start, created])).toEqual(
    Array.from({ length: 7 }, (_, index) => [iso((index - 6) * dayMs + 7 * hourMs), [1, 2][6 - index] ?? 0]),
  )
  const one = await read(agent, { bucket: 'day', from: iso(0), to: iso(hourMs) })
  expect(one.series.map(({ start, created }) => [start, created])).toEqual([[iso(-17 * hourMs), 2]])
})

it('A question has whole hours, from the one of its beginning to the one before its end', async () => {
  const agent = await seedAgent()
  await agent.add()
  const starts = async (from: number, to: number) =>
    (await read(agent, { from: iso(from), to: String(noonMs + to) })).series.map(({ start }) => start)
  expect(await starts(0, 2 * hourMs)).toEqual([iso(0), iso(hourMs)])
  expect(await starts(minuteMs, hourMs + 1)).toEqual([iso(0), iso(hourMs)])
  expect(await starts(-31 * dayMs, 0)).toHaveLength(31 * 24)
})

it('A question has the queue that the campaign has', async () => {
  const agent = await seedAgent({ ...openAtAllHours, paused: true })
  await agent.add()
  expect((await read(agent)).queue).toEqual((await agent.settings()).queue)
})
