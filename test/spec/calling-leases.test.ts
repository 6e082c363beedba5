// Calling, leases: extending and releasing them, the calls that are open, and what the minute's cron does (D47, D49,
// D55, D56, D59).
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedAgent } from '../support/agent.ts'
import { dayMs, hourMs, minuteMs, noonMs } from '../support/calling.ts'
import { stopClock } from '../support/clock.ts'
import { runCron } from '../support/cron.ts'
import { databaseFailing } from '../support/database.ts'
import { catchLogs } from '../support/logs.ts'

beforeEach(() => {
  stopClock()
  vi.setSystemTime(noonMs)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const clockAt = (ms: number) => void vi.setSystemTime(noonMs + ms)
const iso = (ms: number) => new Date(noonMs + ms).toISOString()

describe('Extending', () => {
  it('gives a call more time, and never less', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    clockAt(5 * minuteMs)
    expect(await agent.extend([callId])).toEqual([{ callId, leaseExpiresAt: iso(15 * minuteMs), stop: null }])
    expect(await agent.extend([callId], { leaseSeconds: 30 })).toMatchObject([
      { leaseExpiresAt: iso(15 * minuteMs) },
    ])
    expect(await agent.extend([callId], { leaseSeconds: 7_200 })).toMatchObject([
      { leaseExpiresAt: iso(5 * minuteMs + 2 * hourMs) },
    ])
  })

  it('finds the lease lost when it has ended (D47)', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    clockAt(10 * minuteMs)
    const lost = { leaseExpiresAt: null, stop: 'lease_lost' }
    expect(await agent.extend([callId, 'none'])).toEqual([
      { callId, ...lost },
      { callId: 'none', ...lost },
    ])
  })

  it('tells of a pause and of a suppression, and extends all the same (D49, D56)', async () => {
    const agent = await seedAgent()
    const { callId, lead } = await agent.call()
    clockAt(minuteMs)
    await agent.change({ paused: true })
    expect(await agent.extend([callId])).toEqual([
      { callId, leaseExpiresAt: iso(11 * minuteMs), stop: 'paused' },
    ])
    await agent.suppress([lead.phoneNumber])
    expect(await agent.extend([callId])).toMatchObject([
      { leaseExpiresAt: iso(11 * minuteMs), stop: 'suppressed' },
    ])
  })
})

describe('Releasing (D55)', () => {
  it('gives the attempt back, and the lead after a delay (D41)', async () => {
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
    clockAt(minuteMs - 1)
    expect((await agent.claim()).calls).toEqual([])
    clockAt(minuteMs)
    const [again] = (await agent.claim()).calls
    expect(again).toMatchObject({ attempt: 1, lead: { _id: lead._id, attempts: 1 } })
    await agent.release([{ callId: again?.callId, delaySeconds: 0 }])
    expect((await agent.claim()).calls).toHaveLength(1)
  })

  it('takes the unknown back while nobody has claimed the lead since, and is a conflict afterwards', async () => {
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

  it('is a conflict when the call was reported', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    await agent.report([{ callId, outcome: 'answered' }])
    expect(await agent.release([{ callId }])).toMatchObject([{ result: 'conflict', status: 'concluded' }])
    expect(await agent.release([{ callId: '0'.repeat(36) }])).toMatchObject([{ result: 'unknown_call' }])
  })
})

describe('The open calls', () => {
  it('are those whose lease lasts and that were not reported, by agent and page by page', async () => {
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
    expect(all.calls[2]).toEqual({ ...late, agent: 'seat 1' })
    expect(all.nextCursor).toBeNull()
    expect(all.calls.map(({ callId }) => callId)).not.toContain(expired?.callId)

    expect((await agent.openCalls({ agent: 'seat 1' })).calls).toHaveLength(1)
    const page = await agent.openCalls({ limit: '2' })
    const rest = await agent.openCalls({ limit: '2', cursor: page.nextCursor as string })
    expect([...page.calls, ...rest.calls]).toEqual(all.calls)
    expect(rest.nextCursor).toBeNull()
  })

  it('may be dialled as long as before when the campaign was paused and goes on, or is called otherwise', async () => {
    const agent = await seedAgent()
    const { callId } = await agent.call()
    for (const change of [{ paused: true }, { paused: false }, { maxAttempts: 5, name: 'Summer' }, {}]) {
      await agent.change(change)
      expect((await agent.openCalls()).calls).toMatchObject([{ callId, dialBefore: iso(600_000) }])
    }
  })
})

describe('The cron', () => {
  it('settles leases that ran out in any campaign, however many', async () => {
    const agents = [await seedAgent(), await seedAgent()]
    const calls = await Promise.all(agents.map((agent) => agent.call()))
    clockAt(602_000)
    await runCron()
    for (const [index, agent] of agents.entries()) {
      expect(await agent.history(calls[index]?.lead._id as string)).toMatchObject([{ outcome: 'unknown' }])
      expect((await agent.settings()).queue).toMatchObject({ queued: 1, leased: 0 })
    }
  })

  it('forgets a claim after 24 hours, and its Idempotency-Key with it (D59)', async () => {
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

  /** Of each job: one that fails holds up no other. */
  const failures = (fault: string) =>
    ['settling', 'poking', 'retaining', 'recounting'].map((job) => ({ event: `${job}_failed`, fault }))

  it('throws nothing when the database refuses, and says so', async () => {
    const logs = catchLogs()
    await runCron(databaseFailing('D1_ERROR: D1 DB is overloaded: +4915112345678').DB)
    expect(new Set(logs.records)).toEqual(new Set(failures('database overloaded')))
  })

  it('throws nothing when something fails that nobody foresaw', async () => {
    const logs = catchLogs()
    await runCron({} as D1Database)
    expect(new Set(logs.records)).toEqual(new Set(failures('TypeError')))
  })
})
