// The agent of the client: what it does next, and how it runs against a service in memory, on a clock that the test
// sets.
import { expect, it, vi } from 'vitest'
import { CallStopped } from '../../src/sdk/src/lead-intake.ts'
import { sleep } from '../../src/sdk/src/send.ts'
import { campaignOf, lasting, until } from './scripted-campaign.ts'
import { passing } from './scripted-service.ts'

it('Each lead is called and reported once, within the concurrency, in few requests', async () => {
  const campaign = campaignOf(100)
  let [onPhone, most] = [0, 0]
  const agent = campaign.start({
    concurrency: 10,
    call: async (_, signal) => {
      most = Math.max(most, ++onPhone)
      await sleep(30_000, signal)
      onPhone--
      return { outcome: 'answered', durationSeconds: 30 }
    },
  })
  await until(() => campaign.reports.length === 100)
  campaign.ending.abort()
  await passing(agent)
  expect(most).toBe(10)
  expect(new Set(campaign.reports.map(({ callId }) => callId)).size).toBe(100)
  expect(campaign.reports[0]).toEqual({ callId: 'call-1', outcome: 'answered', durationSeconds: 30 })
  // Each round is a report with a claim, and a look at the lead that was at hand.
  expect(campaign.asked.length).toBeLessThan(30)
  expect(campaign.open.size).toBe(0)
})

it.each([
  [1, 1],
  [9, 9],
  [10, 11],
  [25, 27],
])('With %i calls at once it claims %i leads, if nothing else is set', async (concurrency, claimed) => {
  const campaign = campaignOf(100)
  const agent = campaign.start({ concurrency, call: lasting(1_000) })
  await until(() => campaign.reports.length === 100)
  expect(campaign.asked[0]?.body).toMatchObject({ limit: claimed })
  campaign.ending.abort()
  await passing(agent)
})

it('A lead that waited is dialled after the service has confirmed it again', async () => {
  const campaign = campaignOf(2)
  const agent = campaign.start({ ahead: 1, call: lasting(10_000) })
  await until(() => campaign.reports.length === 2)
  expect(campaign.paths().slice(0, 4)).toEqual(['/claim', '/extend', '/report', '/report'])
  expect(campaign.extended).toEqual(['call-2'])
  campaign.ending.abort()
  await passing(agent)
})

it.each([
  ['suppressed', { delaySeconds: 0 }],
  ['erased', { delaySeconds: 0 }],
  ['concluded', { delaySeconds: 0 }],
  ['lease_lost', { delaySeconds: 0 }],
  ['paused', {}],
  ['outside_hours', {}],
])('A lead that waited and is %s by then is not dialled, but given back', async (stop, delay) => {
  const campaign = campaignOf(2, { stop })
  const called: string[] = []
  const agent = campaign.start({
    ahead: 1,
    call: async (lead, signal) => {
      called.push(lead.phoneNumber)
      return lasting(10_000)(lead, signal)
    },
  })
  await until(() => campaign.released.length === 1)
  expect(called).toEqual(['+1'])
  expect(campaign.released).toEqual([{ callId: 'call-2', ...delay }])
  campaign.ending.abort()
  await passing(agent)
})

it('A lead may be claimed ahead, and each report includes a claim', async () => {
  const campaign = campaignOf(5)
  const begun: number[] = []
  const agent = campaign.start({
    ahead: 1,
    call: async (lead, signal) => {
      begun.push(Date.now())
      return lasting(10_000)(lead, signal)
    },
  })
  const startedAtMs = Date.now()
  await until(() => campaign.reports.length === 5)
  expect(campaign.asked[0]?.body).toMatchObject({ campaignId: 'spring', limit: 2 })
  expect(begun.map((ms) => ms - startedAtMs)).toEqual([0, 10_000, 20_000, 30_000, 40_000])
  expect(campaign.paths().filter((path) => path !== '/extend')).toEqual([
    '/claim',
    ...Array(5).fill('/report'),
  ])
  campaign.ending.abort()
  await passing(agent)
})

it('A lease lasts as long as its call', async () => {
  const campaign = campaignOf(1, { leaseMs: 60_000 })
  const agent = campaign.start({ call: lasting(300_000) })
  await until(() => campaign.reports.length === 1)
  expect(campaign.reports).toMatchObject([{ outcome: 'answered' }])
  expect(campaign.extended).toHaveLength(9)
  campaign.ending.abort()
  await passing(agent)
})

it.each(['suppressed', 'erased', 'concluded', 'lease_lost'])(
  'A call that should stop (%s) is aborted, and reported',
  async (stop) => {
    const campaign = campaignOf(1, { leaseMs: 60_000, stop })
    let reason: unknown
    const agent = campaign.start({
      call: async (_, signal) => {
        await sleep(300_000, signal)
        reason = signal.reason
        throw reason
      },
    })
    await until(() => campaign.reports.length === 1)
    expect(reason).toBeInstanceOf(CallStopped)
    expect(reason).toMatchObject({ stop })
    expect(campaign.reports).toEqual([{ callId: 'call-1', outcome: 'failed' }])
    campaign.ending.abort()
    await passing(agent)
  },
)

it.each(['paused', 'outside_hours'])(
  'When its campaign is %s, a call continues, and the agent decides whether it should',
  async (stop) => {
    const campaign = campaignOf(2, { leaseMs: 60_000, stop })
    const seen: unknown[] = []
    const agent = campaign.start({
      concurrency: 2,
      call: async (lead, signal, _, advice) => {
        // The second one ends on it.
        if (lead.phoneNumber === '+2') await sleep(300_000, AbortSignal.any([signal, advice]))
        else await sleep(300_000, signal)
        seen.push([signal.aborted, advice.aborted, (advice.reason as CallStopped).stop])
        return lead.phoneNumber === '+2' ? 'abandoned' : 'answered'
      },
    })
    await until(() => campaign.reports.length === 2)
    expect(campaign.reports.map(({ outcome }) => outcome)).toEqual(['abandoned', 'answered'])
    expect(seen).toEqual([
      [false, true, stop],
      [false, true, stop],
    ])
    campaign.ending.abort()
    await passing(agent)
  },
)

it('A call that continues in a pause is aborted when its number is suppressed', async () => {
  let stop = 'paused'
  const campaign = campaignOf(1, { leaseMs: 60_000, stop: () => stop })
  let reason: unknown
  const agent = campaign.start({
    call: async (_, signal, __, advice) => {
      await sleep(300_000, advice)
      stop = 'suppressed'
      await sleep(300_000, signal)
      reason = signal.reason
      return 'failed'
    },
  })
  await until(() => campaign.reports.length === 1)
  expect(reason).toMatchObject({ stop: 'suppressed' })
  campaign.ending.abort()
  await passing(agent)
})

it('When an agent ends, its calls are aborted and reported in their leases, and undialled leads are released', async () => {
  const campaign = campaignOf(9, { leaseMs: 60_000 })
  const agent = campaign.start({
    concurrency: 2,
    ahead: 2,
    // Says good-bye for longer than a lease.
    call: async (_, signal) => {
      await sleep(300_000, signal)
      await sleep(100_000)
      return 'callback_requested'
    },
  })
  await vi.advanceTimersByTimeAsync(10_000)
  campaign.ending.abort()
  const { error } = await passing(agent)
  expect(error).toBeUndefined()
  expect(campaign.released).toEqual([
    { callId: 'call-3', delaySeconds: 0 },
    { callId: 'call-4', delaySeconds: 0 },
  ])
  expect(campaign.reports.map(({ callId }) => callId)).toEqual(['call-1', 'call-2'])
  expect(campaign.extended.length).toBeGreaterThan(4)
  expect(campaign.paths().filter((path) => path === '/claim')).toHaveLength(1)
  expect(campaign.open.size).toBe(0)
})

it('A call that nobody dialled is released, and its lead is not leased again at once', async () => {
  const campaign = campaignOf(1)
  const agent = campaign.start({ call: async () => null })
  await until(() => campaign.released.length === 1)
  expect(campaign.released).toEqual([{ callId: 'call-1' }])
  campaign.ending.abort()
  await passing(agent)
  expect(campaign.reports).toEqual([])
})

it('An agent whose signal is aborted before it begins sends no request', async () => {
  const campaign = campaignOf(4)
  campaign.ending.abort()
  await passing(campaign.start({ call: lasting(1) }))
  expect(campaign.asked).toEqual([])
})

it('An agent with nothing to call reports why, and claims again when the service says', async () => {
  const campaign = campaignOf(0)
  const idle: unknown[] = []
  const agent = campaign.start({ call: lasting(1), onIdle: (told) => idle.push(told) })
  await vi.advanceTimersByTimeAsync(125_000)
  expect(idle).toEqual(Array(3).fill({ reason: 'empty', retryAfterSeconds: 60 }))
  campaign.ending.abort()
  await passing(agent)
})

it('A report whose claim is refused is recorded, and the agent claims again later', async () => {
  const refused = { calls: [], reason: 'suppression_unavailable', retryAfterSeconds: 30 }
  const results = [{ callId: 'call-1', result: 'recorded' }]
  const campaign = campaignOf(2, {
    fault: ({ path }, number) =>
      path.endsWith('/report') && number < 4 ? { data: { results, claim: refused } } : undefined,
  })
  const [idle, told]: unknown[][] = [[], []]
  const agent = campaign.start({
    ahead: 0,
    call: lasting(1_000),
    onIdle: (each) => idle?.push(each),
    onReport: ({ result }) => told?.push(result?.result),
  })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(campaign.paths()).toEqual(['/claim', '/report'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(campaign.paths().slice(0, 3)).toEqual(['/claim', '/report', '/claim'])
  expect(idle?.[0]).toEqual({ reason: 'suppression_unavailable', retryAfterSeconds: 30 })
  expect(told?.[0]).toBe('recorded')
  campaign.ending.abort()
  await passing(agent)
})
