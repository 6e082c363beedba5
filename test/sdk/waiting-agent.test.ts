// The agent of the client with a service that holds its claims: what waits, what continues beside it, and how it ends.
import { expect, it, vi } from 'vitest'
import { randomOf } from '../../src/admin/pretend/chance.ts'
import { campaignOf, lasting, until } from './scripted-campaign.ts'
import { passing, scripted } from './scripted-service.ts'

const secondsMs = 1_000
const hourMs = 3_600_000

/** Lets what needs no time happen. */
const settle = () => vi.advanceTimersByTimeAsync(0)

it('An idle agent sends 144 requests an hour, and dials a lead at once', async () => {
  const campaign = campaignOf(0, { waits: true })
  const called: [string, number][] = []
  const agent = campaign.start({
    concurrency: 3,
    call: async ({ phoneNumber }, signal) => {
      called.push([phoneNumber, Date.now()])
      return lasting(secondsMs)(null, signal)
    },
  })
  await vi.advanceTimersByTimeAsync(hourMs - 1)
  expect(campaign.asked).toHaveLength(144)
  expect(campaign.asked[0]?.body).toEqual({ campaignId: 'spring', limit: 3, waitSeconds: 25 })
  campaign.add(1)
  const addedAtMs = Date.now()
  await settle()
  expect(called).toEqual([['+1', addedAtMs]])
  // The claim after `ready` is another request.
  const [ready, next] = campaign.asked.slice(143, 145).map(({ headers }) => headers.get('idempotency-key'))
  expect(next).not.toBe(ready)
  campaign.ending.abort()
  expect((await passing(agent)).error).toBeUndefined()
  expect(campaign.open.size).toBe(0)
})

it('A lead that arrives right after the wait has begun is dialled at once', async () => {
  const campaign = campaignOf(0, { waits: true })
  const called: number[] = []
  const agent = campaign.start({
    call: async () => {
      called.push(Date.now())
      return 'answered'
    },
  })
  await vi.advanceTimersByTimeAsync(100)
  campaign.add(1)
  await settle()
  expect(called).toEqual([Date.now()])
  campaign.ending.abort()
  await passing(agent)
})

it('A wait that is answered early is repeated at most once a second', async () => {
  const empty = { calls: [], reason: 'empty', retryAfterSeconds: 0 }
  const campaign = campaignOf(0, { fault: (_, number) => (number > 20 ? 'silence' : { data: empty }) })
  const agent = campaign.start({ call: lasting(1) })
  await vi.advanceTimersByTimeAsync(10 * secondsMs - 1)
  expect(campaign.asked).toHaveLength(10)
  campaign.ending.abort()
  await passing(agent)
})

it('The pause that the service sets between two waits is respected', async () => {
  const paused = { calls: [], reason: 'paused', retryAfterSeconds: 30 }
  const campaign = campaignOf(0, { waits: true, fault: () => ({ data: paused }) })
  const idle: unknown[] = []
  const agent = campaign.start({ call: lasting(1), onIdle: (each) => idle.push(each) })
  await vi.advanceTimersByTimeAsync(30 * secondsMs - 1)
  expect(campaign.asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(campaign.asked).toHaveLength(2)
  expect(idle).toEqual(Array(2).fill({ reason: 'paused', retryAfterSeconds: 30 }))
  campaign.ending.abort()
  await passing(agent)
})

it('An agent waits for all free seats with one request, and claims them in no other', async () => {
  const campaign = campaignOf(2, { waits: true, leaseMs: 60_000 })
  const agent = campaign.start({
    concurrency: 5,
    call: ({ phoneNumber }, signal) => lasting(phoneNumber === '+1' ? 5_000 : 100_000)(null, signal),
  })
  await vi.advanceTimersByTimeAsync(40 * secondsMs)
  const limits = campaign.asked.map(({ path, body }) => [
    path.replace('/api/v1/calls/', ''),
    (body.claim as { limit: number } | undefined)?.limit ?? body.limit,
  ])
  expect(limits).toEqual([
    // Gets two leads.
    ['claim', 5],
    ['claim', 3],
    // At 5 s: the seat that the wait does not ask for.
    ['report', 1],
    // At 25 s.
    ['claim', 4],
    // At 30 s, while the claim waits.
    ['extend', undefined],
  ])
  expect(campaign.reports).toHaveLength(1)
  campaign.add(9)
  await settle()
  expect(campaign.open.size).toBe(5)
  campaign.ending.abort()
  await passing(agent)
  expect(campaign.open.size).toBe(0)
})

it('A claim in a report never waits, and a wait follows at once when there is no lead', async () => {
  const campaign = campaignOf(1, { waits: true })
  const idle: unknown[] = []
  const agent = campaign.start({ call: lasting(5_000), onIdle: (each) => idle.push(each) })
  await vi.advanceTimersByTimeAsync(6 * secondsMs)
  expect(campaign.paths()).toEqual(['/claim', '/report', '/claim'])
  expect(campaign.asked[1]?.body.claim).toEqual({ campaignId: 'spring', limit: 1 })
  expect(campaign.held.size).toBe(1)
  // Not in the 30 s that the service says: the agent waits already.
  expect(idle).toEqual([{ reason: 'empty', retryAfterSeconds: 0 }])
  campaign.ending.abort()
  await passing(agent)
})

it('An agent without a free seat does not wait for leads ahead', async () => {
  const campaign = campaignOf(1, { waits: true })
  const agent = campaign.start({ ahead: 1, call: lasting(100_000) })
  await vi.advanceTimersByTimeAsync(90 * secondsMs)
  expect(campaign.waiting()).toHaveLength(1)
  expect(campaign.paths().filter((path) => path === '/claim').length).toBeGreaterThan(1)
  campaign.ending.abort()
  await passing(agent)
})

it('A lead is dialled while a report gets no answer', async () => {
  const campaign = campaignOf(1, {
    waits: true,
    fault: ({ path }) => (path.endsWith('/report') ? 'silence' : undefined),
  })
  const called: string[] = []
  const agent = campaign.start({
    concurrency: 3,
    call: async ({ phoneNumber }, signal) => {
      called.push(phoneNumber)
      return lasting(secondsMs)(null, signal)
    },
  })
  await vi.advanceTimersByTimeAsync(2 * secondsMs)
  expect([campaign.paths().at(-1), campaign.reports.length]).toEqual(['/report', 0])
  campaign.add(5)
  await settle()
  // The seat of the call that is being reported is asked for by its report.
  expect(called).toEqual(['+1', '+2', '+3'])
  campaign.ending.abort()
  await passing(agent)
})

it('Seats that a report claims are claimed by no other request', async () => {
  const campaign = campaignOf(3, {
    waits: true,
    fault: ({ path }) => (path.endsWith('/report') ? 'silence' : undefined),
  })
  const agent = campaign.start({
    concurrency: 4,
    call: ({ phoneNumber }, signal) =>
      phoneNumber === '+3' ? lasting(2_000)(null, signal) : Promise.resolve(null),
  })
  await vi.advanceTimersByTimeAsync(3 * secondsMs)
  // Two calls were released, and the wait asks for one seat.
  expect(campaign.asked.at(-1)?.body).toMatchObject({ claim: { limit: 3 } })
  campaign.add(9)
  await settle()
  expect(campaign.waiting().map(({ body }) => body.limit)).toEqual([4, 1, 1])
  campaign.ending.abort()
  await passing(agent)
})

it('An agent never holds more leads than it may, in whatever order the answers arrive', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomOf(seed)
    // Few different times: answers arrive in the same moment.
    const fewMs = () => Math.floor(random() * 3) * 10
    const campaign = campaignOf(0, { waits: true, tookMs: fewMs })
    let [most, called] = [0, 0]
    const agent = campaign.start({
      concurrency: 4,
      ahead: 1,
      call: async (_, signal) => {
        called++
        // Undialled calls free places without a report.
        return random() < 0.5 ? null : lasting(fewMs())(null, signal)
      },
      onReport: () => {
        most = Math.max(most, campaign.open.size)
      },
    })
    for (let round = 0; round < 30; round++) {
      campaign.add(Math.floor(random() * 7))
      await vi.advanceTimersByTimeAsync(fewMs())
      most = Math.max(most, campaign.open.size)
    }
    campaign.ending.abort()
    expect((await passing(agent)).error).toBeUndefined()
    expect([seed, most, campaign.open.size]).toEqual([seed, 5, 0])
    // At the end some are released before they are called.
    expect(called).toBeLessThanOrEqual(campaign.reports.length + campaign.released.length)
  }
})

it('A wait whose answer is lost is repeated unchanged, and its leads are called once', async () => {
  const campaign = campaignOf(0, {
    waits: true,
    fault: (_, number) => (number === 1 ? 'no answer' : number === 3 ? 'lost' : undefined),
  })
  const called: string[] = []
  const agent = campaign.start({
    concurrency: 2,
    call: async ({ phoneNumber }, signal) => {
      called.push(phoneNumber)
      return lasting(hourMs)(null, signal)
    },
  })
  await vi.advanceTimersByTimeAsync(10 * secondsMs)
  campaign.add(2)
  await until(() => called.length === 2)
  expect(called).toEqual(['+1', '+2'])
  const [first, again, ready, repeated] = campaign.asked.map(({ headers, text }) => [...headers, text].join())
  expect([again, repeated]).toEqual([first, ready])
  expect(ready).not.toBe(first)
  campaign.ending.abort()
  await passing(agent)
})

it('A waiting claim has 40 s, and is repeated when there is no answer', async () => {
  const campaign = campaignOf(0, {
    waits: true,
    fault: (_, number) => (number === 1 ? 'silence' : undefined),
  })
  const agent = campaign.start({ call: lasting(1) })
  await vi.advanceTimersByTimeAsync(40 * secondsMs - 1)
  expect(campaign.asked[0]?.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(2 * secondsMs)
  expect([campaign.asked[0]?.signal.aborted, campaign.held.size]).toEqual([true, 1])
  campaign.ending.abort()
  await passing(agent)
})

it('After a rate limit has passed, a lead is dialled', async () => {
  const campaign = campaignOf(0, {
    waits: true,
    fault: (_, number) =>
      number === 2
        ? { status: 429, error: 'Rate limit exceeded', headers: { 'retry-after': '600' } }
        : undefined,
  })
  const retries: number[] = []
  const agent = campaign.start({ call: lasting(1_000), onRetry: ({ waitMs }) => retries.push(waitMs) })
  await vi.advanceTimersByTimeAsync(625 * secondsMs)
  expect(retries).toHaveLength(1)
  await until(() => campaign.held.size === 1)
  campaign.add(1)
  await until(() => campaign.reports.length === 1)
  campaign.ending.abort()
  expect((await passing(agent)).error).toBeUndefined()
})

it.each([
  [{ waitSeconds: 25 }, {}, 40_000],
  [{}, {}, 30_000],
  [{ waitSeconds: 25 }, { timeoutMs: 7_000 }, 7_000],
])('A claim with %o and the options %o has %i ms', async (wait, options, limitMs) => {
  const { client, asked } = scripted(() => 'silence')
  const claim = client.calls.claim({ campaignId: 'spring', ...wait }, { retryForMs: 0, ...options })
  const { error, tookMs } = await passing(claim)
  expect(error).toMatchObject({ code: 'connection_failed' })
  expect(tookMs).toBe(limitMs)
  expect(asked[0]?.body).toEqual({ campaignId: 'spring', ...wait })
})
