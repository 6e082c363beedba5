// The pretend agent: what it makes of chance, and how it plays against a service in memory. What any agent of the
// client does is held in test/sdk; that the real service plays along, in start.test.ts.
import { describe, expect, it, vi } from 'vitest'
import { drawCall, randomOf } from '../../src/admin/pretend/chance.ts'
import { type CallingService, play, type Script, startCallingService } from './calling-service.ts'
import { command } from './command.ts'
import { phones } from './import-target.ts'

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 60_000 })

const pathsOf = ({ asked }: CallingService) => asked.map(({ path }) => path)

describe('Chance', () => {
  const draw = (seed: number, count: number) => {
    const random = randomOf(seed)
    return Array.from({ length: count }, () => drawCall(random))
  }

  it('Simulated calls have their outcomes in the intended shares', () => {
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

  it('The same seed gives the same calls', () => {
    expect(draw(7, 50)).toEqual(draw(7, 50))
    expect(draw(7, 50)).not.toEqual(draw(8, 50))
  })
})

describe('Agent pretend', () => {
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
    // After the last report it waits, with a claim of its own.
    await until(() => pathsOf(service).length === 23)
    // A later run resumes its calls, so each dial is noted before.
    const calls = Array(10).fill(['/calls/extend', '/calls/report']).flat()
    expect(pathsOf(service)).toEqual(['/calls', '/calls/claim', ...calls, '/calls/claim'])
  })

  it.each([
    ['is open', {}],
    ['is paused', { stop: 'paused' }],
  ])('A long call of a campaign that %s keeps its lease, and is reported as it ended', async (_, stop) => {
    const service = await start(0, { leaseMs: 60, ...stop })
    for (const number of phones(8)) service.lease(number, 'pretend')
    const agent = play(service, { speed: 1_000 })
    await until(() => service.reports.length === 8)
    expect(service.extended.length).toBeGreaterThan(0)
    expect(agent.stdout()).not.toContain('(stopped:')
  })

  it.each(['suppressed', 'lease_lost'])('A call that the service stops (%s) ends as failed', async (stop) => {
    const service = await start(0, { leaseMs: 200, stop })
    const { callId } = service.lease('+14155550100', 'pretend')
    const agent = play(service, { speed: 1, seed: 3 })
    await until(() => service.reports.length === 1)
    expect(service.reports).toMatchObject([{ callId, outcome: 'failed' }])
    await until(() => agent.stdout().includes('(stopped:'))
    expect(agent.stdout()).toContain(`(stopped: ${stop}), concluded`)
  })

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
    expect(agent.stderr()).toContain('resuming 2 calls of an earlier run\n')
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

  it('A rate limit and a database that is down are waited out, and printed', async () => {
    const service = await start(3, {
      fault: (_, number) =>
        ({ 1: { status: 429, retryAfterSeconds: 0 }, 2: { status: 503, retryAfterSeconds: 0 } })[number],
    })
    const agent = play(service)
    await until(() => service.reports.length === 3)
    expect(agent.stderr()).toContain(`${service.url} answered 429 Not now: retrying in 1 s\n`)
    expect(agent.stderr()).toContain(`${service.url} answered 503 Not now: retrying in 1 s\n`)
  })

  it('A key that is refused ends it, with what the service said', async () => {
    const service = await start(3, { fault: () => ({ status: 401 }) })
    await expect(play(service).ended).rejects.toThrow(`${service.url} answered 401 Not now`)
  })

  it.each([
    ['--speed 0', /--speed .+3600 at most/],
    ['--concurrency 101', /--concurrency .+1 to 100/],
    ['--seed x', /--seed .+digits/],
    [`--name ${'a'.repeat(65)}`, /--name .+1 to 64/],
    ['--url http://example.com', /--url .+https/],
  ])('%s is refused in one line', async (words, message) => {
    const { exitCode, stderr } = await command(`agent pretend --campaign demo ${words}`)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: .+\n$/)
    expect(stderr).toMatch(message)
  })
})
