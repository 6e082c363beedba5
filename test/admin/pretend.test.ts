// The pretend agent: what it does next, what it makes of chance, and how it plays against a service in memory. That the
// real service plays along is held in start.test.ts.
import { describe, expect, it, vi } from 'vitest'
import { paceRequest } from '../../src/admin/pretend/calling-api.ts'
import { drawCall, randomOf } from '../../src/admin/pretend/chance.ts'
import { type Flight, nextStep } from '../../src/admin/pretend/next-step.ts'
import { limits } from '../../src/limits.ts'
import { type CallingService, play, type Script, startCallingService } from './calling-service.ts'
import { command } from './command.ts'
import { phones } from './import-target.ts'

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000 })

const pathsOf = ({ asked }: CallingService) => asked.map(({ path }) => path)

describe('The next step of an agent', () => {
  const nowMs = 1_000_000
  const later = nowMs + 1
  /** Goes on: dialled, and half of its lease is not over. */
  const flight: Flight = {
    dialsAtMs: nowMs,
    dialBeforeMs: later,
    endsAtMs: later + 5,
    extendsAtMs: later + 9,
  }
  const ended = { ...flight, endsAtMs: nowMs }
  const step = (flights: Flight[], concurrency = 2, claimsAtMs = nowMs) =>
    nextStep(flights, { concurrency, claimsAtMs }, nowMs)

  it('A free place is a claim, of as many as there are', () => {
    expect(step([])).toEqual({ kind: 'claim', claimLimit: 2 })
    expect(step([flight])).toEqual({ kind: 'claim', claimLimit: 1 })
  })

  it('An agent that was told when to come back does not claim before', () => {
    expect(step([], 2, later)).toEqual({ kind: 'rest', untilMs: later })
    expect(step([flight], 2, later + 2)).toEqual({ kind: 'rest', untilMs: later + 2 })
    expect(step([flight], 2, later + 20)).toEqual({ kind: 'rest', untilMs: flight.endsAtMs })
  })

  it('An agent without a free place rests until a call ends or a lease is half over', () => {
    expect(step([flight, { ...flight, endsAtMs: later + 3 }])).toEqual({ kind: 'rest', untilMs: later + 3 })
    expect(step([flight, { ...flight, extendsAtMs: later }])).toEqual({ kind: 'rest', untilMs: later })
  })

  it('A call that has ended is reported, with a claim for each place that is free then', () => {
    expect(step([ended, flight], 5)).toEqual({ kind: 'report', flights: [ended], claimLimit: 4 })
    expect(step([ended, flight, flight], 2)).toEqual({ kind: 'report', flights: [ended], claimLimit: 0 })
  })

  it('A lease that is half over is extended before anything is reported, unless its call has ended', () => {
    const expiring = { ...flight, extendsAtMs: nowMs }
    expect(step([ended, expiring])).toEqual({ kind: 'extend', flights: [expiring] })
    const over = { ...ended, extendsAtMs: nowMs }
    expect(step([over])).toMatchObject({ kind: 'report', flights: [over] })
  })

  it('A call that nobody dialled is released when it is told to end, or may not be dialled any more', () => {
    const undialled = { ...flight, dialsAtMs: later, dialBeforeMs: later }
    expect(step([undialled])).toEqual({ kind: 'claim', claimLimit: 1 })
    const told = { ...undialled, endsAtMs: nowMs }
    const late = { ...undialled, dialBeforeMs: nowMs }
    expect(step([told, ended, late])).toEqual({ kind: 'release', flights: [told, late] })
  })

  it('No request names more calls than the service takes', () => {
    const many = Array.from({ length: limits.callsPerRequest + 1 }, () => ended)
    const first = step(many, 100)
    expect(first).toMatchObject({ kind: 'report', claimLimit: 99 })
    expect('flights' in first && first.flights).toHaveLength(limits.callsPerRequest)
  })
})

describe('The pace of requests', () => {
  it('A greedy agent stays within the limit of its key in any hour, with requests to spare', () => {
    const sentAtMs: number[] = []
    let nowMs = 5_000_000
    for (let before = 0; nowMs < 5_000_000 + 3 * limits.hourMs; ) {
      before = paceRequest(before, nowMs)
      nowMs = Math.max(nowMs, before)
      sentAtMs.push(nowMs)
    }
    const inHourFrom = (at: number) => sentAtMs.filter((ms) => ms >= at && ms < at + limits.hourMs).length
    const most = Math.max(...sentAtMs.filter((_, index) => index % 50 === 0).map(inHourFrom))
    expect(most).toBeLessThan(limits.requestsPerHourPerKey - 20)
    expect(most).toBeGreaterThan(0.9 * limits.requestsPerHourPerKey)
  })
})

describe('Chance', () => {
  const draw = (seed: number, count: number) => {
    const random = randomOf(seed)
    return Array.from({ length: count }, () => drawCall(random))
  }

  it('Outcomes come in their shares', () => {
    const calls = draw(1, 20_000)
    const expected = {
      answered: 30,
      no_answer: 35,
      voicemail: 15,
      busy: 8,
      callback_requested: 5,
      not_interested: 4,
      do_not_call: 2,
      failed: 1,
    }
    for (const [outcome, percent] of Object.entries(expected)) {
      const share = (100 * calls.filter((call) => call.outcome === outcome).length) / calls.length
      expect(Math.abs(share - percent), outcome).toBeLessThan(1)
    }
    expect(
      calls.every((call) => (call.callBackAfterSeconds !== null) === (call.outcome === 'callback_requested')),
    ).toBe(true)
    expect(calls.every(({ durationSeconds }) => durationSeconds >= 1 && durationSeconds <= 900)).toBe(true)
  })

  it('One seed gives one row of calls', () => {
    expect(draw(7, 50)).toEqual(draw(7, 50))
    expect(draw(7, 50)).not.toEqual(draw(8, 50))
  })
})

describe('agent pretend', () => {
  const start = (count: number, script?: Script) => startCallingService(phones(count), script)

  it('Each lead is claimed and reported once, in a line each, and never more at once than it may', async () => {
    const service = await start(30)
    const agent = play(service, { concurrency: 10 })
    await until(() => service.reports.length === 30)
    agent.end()
    const { outcomes, released } = await agent.ended
    expect(new Set(service.reports.map(({ callId }) => callId)).size).toBe(30)
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(released).toBe(0)
    expect(service.mostOpen()).toBe(10)
    const lines = agent.stdout().trim().split('\n')
    expect(lines).toHaveLength(30)
    expect(lines[0]).toMatch(/^\+1415555\d{4} {2}attempt 1: \w+ after \d+ s, concluded$/)
    for (const { outcome, callbackAt } of service.reports)
      expect(callbackAt !== undefined).toBe(outcome === 'callback_requested')
  })

  it('A claim travels with each report: only the first comes alone', async () => {
    const service = await start(10)
    play(service, { concurrency: 1 })
    await until(() => service.reports.length === 10)
    expect(pathsOf(service)).toEqual(['/calls', '/calls/claim', ...Array(10).fill('/calls/report')])
  })

  it('A long call keeps its lease, and is reported as it ended', async () => {
    const service = await start(0, { leaseMs: 60 })
    for (const number of phones(8)) service.lease(number, 'pretend')
    const agent = play(service, { speed: 1_000 })
    await until(() => service.reports.length === 8)
    expect(service.extended.length).toBeGreaterThan(0)
    expect(agent.stdout()).not.toContain('told to stop')
  })

  it.each(['suppressed', 'paused', 'lease_lost'])(
    'A call that is told to stop (%s) ends as failed',
    async (stop) => {
      const service = await start(0, { leaseMs: 200, stop })
      const { callId } = service.lease('+14155550100', 'pretend')
      const agent = play(service, { speed: 1, seed: 3 })
      await until(() => service.reports.length === 1)
      expect(service.reports).toMatchObject([{ callId, outcome: 'failed' }])
      await until(() => agent.stdout().includes('told to stop'))
      expect(agent.stdout()).toContain(`(told to stop: ${stop}), concluded`)
    },
  )

  it('At its end what was dialled is reported, and what was not is released', async () => {
    const service = await start(3)
    const dialled = [service.lease('+14155550100', 'pretend'), service.lease('+14155550101', 'pretend')]
    service.lease('+14155550102', 'ann')
    const agent = play(service, { speed: 1 })
    await until(() => service.open.size === 6)
    await until(() => pathsOf(service).includes('/calls/claim'))
    agent.end()
    expect(await agent.ended).toEqual({ released: 3, outcomes: { failed: 2 } })
    expect(service.reports.map(({ callId }) => callId)).toEqual(dialled.map(({ callId }) => callId))
    expect(service.released).toHaveLength(3)
    expect([...service.open.values()].map(({ agent: name }) => name)).toEqual(['ann'])
    expect(agent.stderr()).toContain('2 calls of an earlier run: taken up\n')
  })

  it('A claim and a report whose answer was lost are sent again as they were, and count once', async () => {
    const lost = new Set<string>()
    const service = await start(10, {
      fault: ({ path }) => {
        if (lost.has(path) || path === '/calls') return undefined
        lost.add(path)
        return 'keep the answer'
      },
    })
    play(service)
    await until(() => service.reports.length === 10 && service.open.size === 0)
    const [first, again] = service.asked.filter(({ path }) => path === '/calls/claim')
    expect(first?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
    expect(again).toEqual(first)
    const [report, reportAgain, ...reports] = service.asked.filter(({ path }) => path === '/calls/report')
    expect(reportAgain).toEqual(report)
    // Each has a key of its own.
    const keys = [first, report, ...reports].map((one) => one?.idempotencyKey)
    expect(new Set(keys).size).toBe(keys.length)
    expect(new Set(service.reports.map(({ callId }) => callId)).size).toBe(10)
  })

  it('A rate limit and a database that is down are waited out, and told', async () => {
    const service = await start(3, {
      fault: (_, number) =>
        ({ 1: { status: 429, retryAfterSeconds: 0 }, 2: { status: 503, retryAfterSeconds: 0 } })[number],
    })
    const agent = play(service)
    await until(() => service.reports.length === 3)
    expect(agent.stderr()).toContain(`${service.url} answered 429 Not now: trying again in 0 s\n`)
    expect(agent.stderr()).toContain(`${service.url} answered 503 Not now: trying again in 0 s\n`)
  })

  it('A key that is refused ends it, with what the service said', async () => {
    const service = await start(3, { fault: () => ({ status: 401 }) })
    await expect(play(service).ended).rejects.toThrow(`${service.url} answered 401 Not now`)
  })

  it.each([
    ['--speed 0', /--speed .+3600 at most/],
    ['--concurrency 101', /--concurrency .+1 to 100/],
    ['--seed x', /--seed .+digits/],
    ['--url http://example.com', /--url .+https/],
  ])('%s is refused in one line', async (words, message) => {
    const { exitCode, stderr } = await command(null, `agent pretend --campaign demo ${words}`)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: .+\n$/)
    expect(stderr).toMatch(message)
  })
})
