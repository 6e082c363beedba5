// Calling, leases: extending and releasing them, the calls that are open, and what the minute's cron does (D47, D49,
// D55, D56, D59).
import { beforeEach, describe, expect, it } from 'vitest'
import { openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { databaseFailing } from '../../support/database/database.ts'
import { companyDb, storeName } from '../../support/database/store.ts'
import { runCron, runWholeCron } from '../../support/run/cron.ts'
import { catchLogs } from '../../support/run/logs.ts'

beforeEach(stopClockAtNoon)

it('An extension gives a call more time, and never less', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  clockAt(5 * minuteMs)
  const end = iso(15 * minuteMs)
  expect(await agent.extend([callId])).toEqual([{ callId, leaseExpiresAt: end, dialBefore: end, stop: null }])
  expect(await agent.extend([callId], { leaseSeconds: 30 })).toMatchObject([
    { leaseExpiresAt: iso(15 * minuteMs) },
  ])
  expect(await agent.extend([callId], { leaseSeconds: 7_200 })).toMatchObject([
    { leaseExpiresAt: iso(5 * minuteMs + 2 * hourMs) },
  ])
})

it('An extension keeps when a call was dialled first, which the list of open calls shows', async () => {
  const agent = await seedAgent()
  const [dialled, ahead] = [await agent.call(), await agent.call()]
  const dialledAtOf = async () =>
    new Map((await agent.openCalls()).calls.map(({ callId, dialledAt }) => [callId, dialledAt]))
  expect([dialled.dialledAt, ahead.dialledAt]).toEqual([null, null])
  clockAt(minuteMs)
  await agent.extend([dialled.callId], { dialledAt: iso(30_000) })
  await agent.extend([dialled.callId, ahead.callId])
  await agent.extend([dialled.callId], { dialledAt: iso(40_000) })
  expect(await dialledAtOf()).toEqual(
    new Map([
      [dialled.callId, iso(30_000)],
      [ahead.callId, null],
    ]),
  )
})

it.each([
  ['before its claim', -hourMs, 0],
  ['in the future', hourMs, minuteMs],
])('An extension keeps no dial %s', async (_, sentMs, keptMs) => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  clockAt(minuteMs)
  await agent.extend([callId], { dialledAt: iso(sentMs) })
  expect((await agent.openCalls()).calls.map(({ dialledAt }) => dialledAt)).toEqual([iso(keptMs)])
})

it('An extension keeps no dial of a call whose lease is lost', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  clockAt(10 * minuteMs)
  expect(await agent.extend([callId], { dialledAt: iso(0) })).toMatchObject([{ stop: 'lease_lost' }])
  const stored = companyDb.prepare('select dialled_at_ms as atMs from calls where phone_number = ?1')
  expect((await stored.bind(lead.phoneNumber).all()).results).toEqual([{ atMs: null }])
})

it('An extension finds the lease lost when it has ended or its call was reported (D47)', async () => {
  const agent = await seedAgent()
  const [ended, reported] = [await agent.call(), await agent.call()]
  await agent.report([{ callId: reported.callId, outcome: 'busy' }])
  clockAt(10 * minuteMs)
  const lost = { leaseExpiresAt: null, dialBefore: null, stop: 'lease_lost' }
  const callIds = [ended.callId, reported.callId, 'none']
  expect(await agent.extend(callIds)).toEqual(callIds.map((callId) => ({ callId, ...lost })))
})

it('An extension reports a pause and a suppression, and extends all the same (D49, D56)', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  clockAt(minuteMs)
  await agent.change({ paused: true })
  const end = iso(11 * minuteMs)
  expect(await agent.extend([callId])).toEqual([
    { callId, leaseExpiresAt: end, dialBefore: end, stop: 'paused' },
  ])
  await agent.suppress([lead.phoneNumber])
  expect(await agent.extend([callId])).toMatchObject([
    { leaseExpiresAt: iso(11 * minuteMs), stop: 'suppressed' },
  ])
})

describe('An extension near the end of the hours', () => {
  const until = (end: string) => ({ wed: [['09:00', end]] })

  it('An extension says until when the lead may be dialled: to the end of the lease or of the hours', async () => {
    const agent = await seedAgent({ ...openAtAllHours, callingHours: until('12:12') })
    const { callId } = await agent.call()
    clockAt(minuteMs)
    expect(await agent.extend([callId])).toMatchObject([{ dialBefore: iso(11 * minuteMs), stop: null }])
    clockAt(3 * minuteMs)
    expect(await agent.extend([callId])).toEqual([
      { callId, leaseExpiresAt: iso(13 * minuteMs), dialBefore: iso(12 * minuteMs), stop: null },
    ])
  })

  it('An extension near the end of the hours says outside_hours once they are over, and extends all the same', async () => {
    const agent = await seedAgent({ ...openAtAllHours, callingHours: until('12:05') })
    const { callId } = await agent.call()
    clockAt(5 * minuteMs - 1)
    expect(await agent.extend([callId])).toMatchObject([{ dialBefore: iso(5 * minuteMs), stop: null }])
    clockAt(5 * minuteMs)
    expect(await agent.extend([callId])).toEqual([
      {
        callId,
        leaseExpiresAt: iso(15 * minuteMs),
        dialBefore: iso(5 * minuteMs),
        stop: 'outside_hours',
      },
    ])
  })

  it('An extension near the end of the hours follows hours, closed days and time zones that were changed since the claim', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    const stopAfter = async (change: object) => {
      await agent.change({ ...openAtAllHours, closedDates: null, ...change })
      const [call] = await agent.extend([callId])
      return [call?.stop, call?.dialBefore]
    }
    expect(await stopAfter({})).toEqual([null, iso(10 * minuteMs)])
    expect(await stopAfter({ callingHours: until('12:00') })).toEqual(['outside_hours', iso(0)])
    expect(await stopAfter({ callingHours: until('12:07') })).toEqual([null, iso(7 * minuteMs)])
    expect(await stopAfter({ closedDates: ['2026-11-18'] })).toEqual(['outside_hours', iso(0)])
    const noonInBerlin = { timeZone: 'Europe/Berlin', callingHours: until('13:04') }
    expect(await stopAfter(noonInBerlin)).toEqual([null, iso(4 * minuteMs)])
    expect(await stopAfter({ timeZone: null })).toEqual(['outside_hours', iso(0)])
  })

  it('An extension goes by the zone of the lead, and by the hours of appointments for an appointment', async () => {
    const agent = await seedAgent({
      ...openAtAllHours,
      callingHours: until('21:06'),
      appointmentHours: until('12:08'),
    })
    const inTokyo = await agent.call({ timeZone: 'Asia/Tokyo' })
    const appointment = await agent.add({ scheduledFor: iso(1) })
    const plain = await agent.call()
    clockAt(1)
    const [agreed] = (await agent.claim()).calls
    expect(agreed?.lead._id).toBe(appointment.leadId)
    clockAt(minuteMs)
    const ids = [inTokyo, plain, agreed].map((call) => call?.callId as string)
    expect((await agent.extend(ids)).map(({ dialBefore }) => dialBefore)).toEqual([
      iso(6 * minuteMs),
      iso(11 * minuteMs),
      iso(8 * minuteMs),
    ])
  })

  it('An extension near the end of the hours shows the weightiest of several reasons to stop', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    const stop = async () => (await agent.extend([callId]))[0]?.stop
    await agent.change({ callingHours: until('12:00') })
    expect(await stop()).toBe('outside_hours')
    await agent.change({ paused: true })
    expect(await stop()).toBe('paused')
    await agent.suppress([lead.phoneNumber])
    expect(await stop()).toBe('suppressed')
    await agent.ask('DELETE', `/api/v1/leads/${lead._id}`, undefined, { key: agent.manageKey })
    expect(await stop()).toBe('erased')
  })
})

it('A release gives the attempt back, and the lead after a delay (D41)', async () => {
  const agent = await seedAgent()
  await agent.change({ numberLimits: { minGapMinutes: null } })
  const { callId, lead } = await agent.call()
  const [result] = await agent.release([{ callId }])
  expect(result).toEqual({
    callId,
    result: 'recorded',
    leadId: lead._id,
    status: 'raw',
    attempts: 0,
    nextCallAt: iso(minuteMs),
  })
  expect((await agent.report([{ callId, outcome: 'busy' }])).results).toMatchObject([{ result: 'conflict' }])
  clockAt(minuteMs - 1)
  expect((await agent.claim()).calls).toEqual([])
  clockAt(minuteMs)
  const [again] = (await agent.claim()).calls
  expect(again).toMatchObject({ attempt: 1, lead: { _id: lead._id, attempts: 1 } })
  await agent.release([{ callId: again?.callId, delaySeconds: 0 }])
  expect((await agent.claim()).calls).toHaveLength(1)
})

it('A release takes the unknown back while nobody has claimed the lead since, and is a conflict afterwards', async () => {
  const agent = await seedAgent()
  const [one, two] = [await agent.call(), await agent.call()]
  clockAt(602_000)
  await runCron()
  expect(await agent.release([{ callId: one.callId }])).toMatchObject([
    { result: 'recorded', status: 'raw', attempts: 0 },
  ])
  expect(await agent.release([{ callId: one.callId }])).toMatchObject([{ result: 'replayed' }])
  clockAt(600_000 + hourMs)
  await agent.claim({ limit: 2 })
  expect(await agent.release([{ callId: two.callId }])).toMatchObject([{ result: 'conflict' }])
})

it('A release of a callback whose lease has run out leaves it a callback, and a retry a retry', async () => {
  const settings = {
    ...openAtAllHours,
    numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null },
  }
  const agent = await seedAgent({ ...settings, maxAttempts: 5 })
  const agreed = await agent.call({ priority: 1 })
  const retried = await agent.call({ priority: 1 })
  await agent.report([
    { callId: agreed.callId, outcome: 'callback_requested', callbackAt: iso(hourMs) },
    { callId: retried.callId, outcome: 'no_answer' },
  ])
  clockAt(hourMs)
  const { calls } = await agent.claim({ limit: 2 })
  expect(calls.map(({ lead }) => lead._id)).toEqual([agreed.lead._id, retried.lead._id])
  clockAt(hourMs + 602_000)
  await runCron()
  const urgent = await agent.add({ priority: 100 })
  await agent.release(calls.map(({ callId }) => ({ callId, delaySeconds: 0 })))
  const order = (await agent.claim({ limit: 3 })).calls.map(({ lead }) => lead._id)
  expect(order).toEqual([agreed.lead._id, urgent.leadId, retried.lead._id])
})

it('A release is a conflict when the call was reported', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'answered' }])
  expect(await agent.release([{ callId }])).toMatchObject([{ result: 'conflict', status: 'concluded' }])
  expect(await agent.release([{ callId: '0'.repeat(36) }])).toMatchObject([{ result: 'unknown_call' }])
})

it('The open calls are those whose lease lasts and that were not reported, by agent and page by page', async () => {
  const agent = await seedAgent()
  for (let i = 0; i < 5; i++) await agent.add()
  const [late] = (await agent.claim({ agent: 'seat 1', leaseSeconds: 900 })).calls
  const [one, two, reported, expired] = [
    ...(await agent.claim({ agent: 'seat 2', limit: 3 })).calls,
    ...(await agent.claim({ leaseSeconds: 30 })).calls,
  ]
  await agent.report([{ callId: reported?.callId, outcome: 'busy' }])
  clockAt(minuteMs)
  const all = await agent.openCalls()
  expect(all.calls.map(({ callId, agent: name }) => [callId, name])).toEqual([
    [one?.callId, 'seat 2'],
    [two?.callId, 'seat 2'],
    [late?.callId, 'seat 1'],
  ])
  expect(all.calls[2]).toEqual({ ...late, direction: 'outbound', agent: 'seat 1', stop: null })
  expect(all.nextCursor).toBeNull()
  expect(all.calls.map(({ callId }) => callId)).not.toContain(expired?.callId)

  expect((await agent.openCalls({ agent: 'seat 1' })).calls).toHaveLength(1)
  const page = await agent.openCalls({ limit: '2' })
  const rest = await agent.openCalls({ limit: '2', cursor: page.nextCursor as string })
  expect([...page.calls, ...rest.calls]).toEqual(all.calls)
  expect(rest.nextCursor).toBeNull()
})

it('The open calls may be dialled as long as before when the campaign is paused, resumed or changed otherwise', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  for (const change of [{ paused: true }, { paused: false }, { maxAttempts: 5, name: 'Summer' }, {}]) {
    await agent.change(change)
    expect((await agent.openCalls()).calls).toMatchObject([{ callId, dialBefore: iso(600_000) }])
  }
})

describe('The cron', () => {
  it('The cron settles leases that ran out in any campaign, however many', async () => {
    const agents = [await seedAgent(), await seedAgent()]
    const calls = await Promise.all(agents.map((agent) => agent.call()))
    clockAt(602_000)
    await runCron()
    for (const [index, agent] of agents.entries()) {
      expect(await agent.history(calls[index]?.lead._id as string)).toMatchObject([{ outcome: 'unknown' }])
      expect((await agent.settings()).queue).toMatchObject({ queued: 1, leased: 0 })
    }
  })

  it('The cron forgets a claim after 24 hours, and its Idempotency-Key with it (D59)', async () => {
    const agent = await seedAgent()
    const headers = { 'idempotency-key': 'claim-1' }
    await agent.add()
    await agent.claim({}, headers)
    const ask = () =>
      agent.ask('POST', '/api/v1/calls/claim', { campaignId: agent.campaignId, limit: 2 }, { headers })
    clockAt(dayMs)
    await runCron()
    expect((await ask()).status).toBe(409)
    clockAt(dayMs + 1)
    await runCron()
    expect((await ask()).status).toBe(200)
  })

  const ofAll =
    'settling ending alerting waking dialling returning retaining forgetting recounting indexing filling listing'.split(
      ' ',
    )
  /** An alarm drives no moves and tends no stores. */
  const jobs = storeName === null ? [...ofAll, 'moving', 'tending'] : ofAll

  /** Of each job: one that fails holds up no other. */
  const failures = (problem: string) => jobs.map((job) => ({ event: `${job}_failed`, problem }))

  it('The cron throws nothing when the database refuses, and says so', async () => {
    const logs = catchLogs()
    await runWholeCron(databaseFailing('D1_ERROR: D1 DB is overloaded: +4915112345678').DB)
    expect(new Set(logs.records)).toEqual(new Set(failures('database overloaded')))
  })

  it('The cron throws nothing when something fails that nobody foresaw', async () => {
    const logs = catchLogs()
    await runWholeCron({} as D1Database)
    expect(new Set(logs.records)).toEqual(new Set(failures('TypeError')))
  })
})

it('A list of open calls says of each why it should end, as its extension does, and of the others nothing', async () => {
  const [agent, other] = [await seedAgent(), await seedAgent()]
  const [call, beside, foreign] = [await agent.call(), await agent.call(), await other.call()]
  const stops = async (of: typeof agent) =>
    Object.fromEntries((await of.openCalls()).calls.map(({ callId, stop }) => [callId, stop]))
  const extended = async (callId: string) => (await agent.extend([callId]))[0]?.stop
  const expectBoth = async (own: string | null, besides: string | null) => {
    expect(await stops(agent)).toEqual({ [call.callId]: own, [beside.callId]: besides })
    expect([await extended(call.callId), await extended(beside.callId)]).toEqual([own, besides])
  }
  await expectBoth(null, null)
  await agent.suppress([call.lead.phoneNumber])
  await expectBoth('suppressed', null)
  await agent.change({ closedDates: ['2026-11-18'] })
  await expectBoth('suppressed', 'outside_hours')
  await agent.change({ paused: true })
  await expectBoth('suppressed', 'paused')
  expect(await stops(other)).toEqual({ [foreign.callId]: null })
})
