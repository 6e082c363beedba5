// How fast an agent sends, and with which of its keys: against the service's own limiter, on a clock that the test
// sets.
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { hourlyPerKey } from '../../src/base/rate-limits/rate-limit.ts'
import { paceRequest, windowsOf } from '../../src/sdk/src/agent/agent-pace.ts'
import type { AgentOptions } from '../../src/sdk/src/lead-intake.ts'
import { campaignOf, lasting, limiterOf, type Script, until } from './scripted-campaign.ts'
import { passing } from './scripted-service.ts'

const hourMs = hourlyPerKey.windowMs

/** An agent alone on its key, that wants to send at these times: when it sends, and how often it is refused. */
function sendAll(wantedMs: readonly number[]) {
  vi.useFakeTimers({ now: 0 })
  const charge = limiterOf()
  const sentAtMs: number[] = []
  let [nowMs, pacedMs, refusals] = [0, 0, 0]
  let windows: ReturnType<typeof windowsOf> = []
  for (const wanted of wantedMs) {
    nowMs = Math.max(nowMs, wanted, pacedMs)
    vi.setSystemTime(nowMs)
    sentAtMs.push(nowMs)
    const own = sentAtMs.slice(-hourlyPerKey.limit)
    pacedMs = paceRequest(pacedMs, own, nowMs, windows)
    const { isRefused, headers } = charge('key')
    if (isRefused) refusals++
    windows = windowsOf(new Headers(headers), own, nowMs)
  }
  vi.useRealTimers()
  const inHourFrom = (at: number) => sentAtMs.filter((ms) => ms >= at && ms < at + hourMs).length
  return { sentAtMs, refusals, inHourFrom }
}

it('The pace of an agent spends half of an unused limit without a pause', () => {
  const { sentAtMs } = sendAll(Array(475).fill(0))
  expect(sentAtMs.at(-1)).toBe(0)
})

it('The pace of an agent has no pauses while requests come no faster than the limit, however long', () => {
  const wanted = Array.from({ length: 2_500 }, (_, index) => index * 3_800)
  expect(sendAll(wanted).sentAtMs).toEqual(wanted)
})

it('The pace of an agent uses 95 % of the limit in each hour when there is always something to send', () => {
  const { inHourFrom, refusals } = sendAll(Array(3_500).fill(0))
  expect([0, 1, 2].map((hour) => inHourFrom(hour * hourMs))).toEqual([950, 950, 950])
  expect(refusals).toBe(0)
})

it('The pace of an agent never leads to a refusal of a key that nobody else uses', async () => {
  const gap = fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 10, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 * hourMs }) },
  )
  await fc.assert(
    fc.property(fc.array(gap, { minLength: 1_500, maxLength: 2_500 }), (gapsMs) => {
      let atMs = 0
      const wanted = gapsMs.map((ms) => (atMs += ms))
      expect(sendAll(wanted).refusals).toBe(0)
    }),
    { numRuns: 10 },
  )
})

it('The pace of an agent leaves requests for other users of its key', () => {
  const headers = { 'ratelimit-policy': '"hour";q=1000;w=3600', ratelimit: '"hour";r=40;t=100' }
  const windows = windowsOf(new Headers(headers), [0], 0)
  expect(paceRequest(0, [0, 1_000], 1_000, windows)).toBeGreaterThan(1_000)
  expect(paceRequest(0, [0], 0, [])).toBe(0)
})

/** A lead each second: how long after it came each was called. */
async function callEachSecond(
  leads: number,
  options: Partial<AgentOptions>,
  keys: number,
  script: Script = {},
) {
  const campaign = campaignOf(0, { waits: true, tookMs: () => 20, spent: {}, ...script })
  const [addedAtMs, tookMs]: [number[], number[]] = [[], []]
  const agent = campaign.start({
    client: Array.from({ length: keys }, (_, index) => campaign.clientOf(`key-${index}`)),
    call: async () => {
      tookMs.push(Date.now() - (addedAtMs[tookMs.length] as number))
      return 'answered'
    },
    ...options,
  })
  await vi.advanceTimersByTimeAsync(1_000)
  for (let lead = 0; lead < leads; lead++) {
    addedAtMs.push(Date.now())
    campaign.add(1)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  campaign.ending.abort()
  await passing(agent)
  const slowestMs = Math.max(...tookMs)
  const medianMs = tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length / 2)] as number
  return { campaign, called: tookMs.length, slowestMs, medianMs }
}

const resume: AgentOptions['call'] = async () => null

it.each<[what: string, leads: number, options: Partial<AgentOptions>]>([
  ['one seat', 150, {}],
  ['two seats', 150, { concurrency: 2 }],
  ['each dial reported before', 110, { agent: 'desk', resume }],
])(
  'An agent that gets a lead each second calls each within 300 ms, with one unused key: %s',
  async (_, leads, options) => {
    const { called, slowestMs } = await callEachSecond(leads, options, 1)
    expect(called).toBe(leads)
    expect(slowestMs).toBeLessThan(300)
  },
)

it('An agent that gets a lead each second calls each within 300 ms for longer than one key allows, with several keys', async () => {
  const { campaign, called, slowestMs } = await callEachSecond(400, {}, 3)
  expect(called).toBe(400)
  expect(slowestMs).toBeLessThan(300)
  expect(campaign.refusals).toEqual([])
})

it.each<[what: string, options: Partial<AgentOptions>, requests: number]>([
  ['three requests', {}, 3],
  ['four requests when it reports each dial', { agent: 'desk', resume }, 4],
])('An agent that gets a lead each second sends for each call %s', async (_, options, requests) => {
  const { campaign } = await callEachSecond(50, options, 1)
  // Those of its begin and its end.
  expect(campaign.asked.length - 50 * requests).toBeLessThanOrEqual(5)
})

it.each<[what: string, options: Partial<AgentOptions>, requests: number]>([
  ['one request', {}, 1],
  ['two requests when it reports each dial', { agent: 'desk', resume }, 2],
])('An agent whose queue is full sends for each call %s', async (_, options, requests) => {
  const campaign = campaignOf(50, { waits: true, spent: {} })
  const agent = campaign.start({ call: lasting(60_000), ...options })
  await until(() => campaign.reports.length === 50)
  expect(campaign.asked.length - 50 * requests).toBeLessThanOrEqual(5)
  campaign.ending.abort()
  await passing(agent)
})

describe('An agent with several keys', () => {
  const keysOf = ({ asked }: ReturnType<typeof campaignOf>) =>
    asked.map(({ headers }) => headers.get('x-api-key'))

  it('Spends them evenly, and reports a call with another key than claimed it', async () => {
    const campaign = campaignOf(100, { spent: {} })
    const client = ['a', 'b', 'c'].map(campaign.clientOf)
    const agent = campaign.start({ client, call: lasting(1_000) })
    await until(() => campaign.reports.length === 100)
    const counts = ['a', 'b', 'c'].map((key) => keysOf(campaign).filter((one) => one === key).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    campaign.ending.abort()
    await passing(agent)
  })

  it('An agent with several keys switches keys when others have used up the limit of one', async () => {
    const campaign = campaignOf(20, { spent: { a: 1_000 } })
    const agent = campaign.start({ client: ['a', 'b'].map(campaign.clientOf), call: lasting(1_000) })
    await vi.advanceTimersByTimeAsync(25_000)
    expect(campaign.reports).toHaveLength(20)
    expect(campaign.refusals).toEqual(['a'])
    campaign.ending.abort()
    await passing(agent)
  })

  it('An agent with several keys waits when the limits of all are used up, and sends no more than it must', async () => {
    const campaign = campaignOf(5, { spent: { a: 1_000, b: 1_000 } })
    const agent = campaign.start({ client: ['a', 'b'].map(campaign.clientOf), call: lasting(1_000) })
    await until(() => campaign.reports.length === 5)
    expect(campaign.refusals).toEqual(['a', 'b'])
    campaign.ending.abort()
    await passing(agent)
  })

  it('An agent with several keys repeats a request with the same key, by which the service knows it', async () => {
    const campaign = campaignOf(5, { spent: {}, fault: (_, number) => (number === 1 ? 'lost' : undefined) })
    const agent = campaign.start({ client: ['a', 'b'].map(campaign.clientOf), call: lasting(1_000) })
    await until(() => campaign.reports.length === 5)
    expect(new Set(keysOf(campaign).slice(0, 2)).size).toBe(1)
    expect(campaign.open.size).toBe(0)
    campaign.ending.abort()
    await passing(agent)
  })

  it('An agent with several keys ends when one of them is refused, and reports with the others what it holds', async () => {
    const campaign = campaignOf(5, {
      spent: {},
      fault: ({ headers }) =>
        headers.get('x-api-key') === 'b'
          ? {
              status: 401,
              error: 'Invalid or inactive API key',
              headers: { 'x-error-code': 'invalid_api_key' },
            }
          : undefined,
    })
    const agent = campaign.start({ client: ['a', 'b'].map(campaign.clientOf), call: lasting(1_000) })
    const { error } = await passing(agent)
    expect(error).toMatchObject({ status: 401 })
    expect(campaign.open.size).toBe(0)
    expect(campaign.reports).toHaveLength(1)
  })

  it('An agent without a key is refused', async () => {
    const campaign = campaignOf(0)
    await expect(campaign.start({ client: [], call: lasting(1) })).rejects.toThrow(TypeError)
  })
})
