// The client's agent while requests fail: lost answers, outages, refusals, and its end in the middle of them.
import { expect, it, vi } from 'vitest'
import { sleep } from '../../src/sdk/src/send.ts'
import { campaignOf, lasting, until } from './scripted-campaign.ts'
import { passing } from './scripted-service.ts'

it('A claim and a report whose answers are lost are repeated unchanged, and count once', async () => {
  const lost = new Set<string>()
  const campaign = campaignOf(10, {
    fault: ({ path }) => {
      if (lost.has(path)) return undefined
      lost.add(path)
      return 'lost'
    },
  })
  const agent = campaign.start({ concurrency: 3, call: lasting(1_000) })
  await until(() => campaign.reports.length === 10)
  expect(new Set(campaign.reports.map(({ callId }) => callId)).size).toBe(10)
  const sent = campaign.asked.map(
    ({ path, headers, text }) => `${path} ${headers.get('idempotency-key')} ${text}`,
  )
  expect(sent.length - new Set(sent).size).toBe(2)
  campaign.ending.abort()
  await passing(agent)
})

it('An agent retries through any outage; once it ends, only for a short time', async () => {
  let isDown = false
  const campaign = campaignOf(5, { fault: () => (isDown ? 'no answer' : undefined) })
  const agent = campaign.start({ call: lasting(1_000) })
  await until(() => campaign.reports.length === 1)
  isDown = true
  await vi.advanceTimersByTimeAsync(3_600_000)
  isDown = false
  await until(() => campaign.reports.length === 5)
  isDown = true
  campaign.ending.abort()
  const { error, tookMs } = await passing(agent)
  expect([error, tookMs < 60_000]).toEqual([undefined, true])
})

it.each([500, 502, 504, 520, 522, 530, 408])(
  'A no is reported after a time in which a proxy answers %i in place of the service',
  async (status) => {
    let downUntilMs = 0
    const campaign = campaignOf(2, {
      fault: () => (Date.now() < downUntilMs ? { status, text: '<html>' } : undefined),
    })
    const agent = campaign.start({
      call: async ({ phoneNumber }) => {
        await sleep(1_000)
        downUntilMs = Date.now() + 60_000
        return phoneNumber === '+1' ? 'do_not_call' : 'answered'
      },
    })
    await until(() => campaign.reports.length === 2)
    expect(campaign.reports.map(({ outcome }) => outcome)).toEqual(['do_not_call', 'answered'])
    campaign.ending.abort()
    await passing(agent)
  },
)

it('A refusal ends the agent with that error, after it has aborted its calls and reported what it could', async () => {
  const campaign = campaignOf(4, {
    fault: ({ body }, number) =>
      number > 1 && 'claim' in body
        ? {
            status: 403,
            error: 'Campaign not found or access denied',
            headers: { 'x-error-code': 'campaign_denied' },
          }
        : undefined,
  })
  let count = 0
  const agent = campaign.start({
    concurrency: 2,
    ahead: 0,
    call: (lead, signal) => lasting(++count * 1_000)(lead, signal),
  })
  const { error } = await passing(agent)
  expect(error).toMatchObject({ code: 'campaign_denied' })
  expect(campaign.reports.map(({ outcome }) => outcome).sort()).toEqual(['answered', 'failed'])
  expect(campaign.open.size).toBe(0)
})

it('A callback may throw: no lead is lost, and the agent continues', async () => {
  const campaign = campaignOf(6)
  const clumsy = () => {
    throw new Error('clumsy')
  }
  const agent = campaign.start({
    concurrency: 2,
    call: async ({ phoneNumber }) => {
      if (phoneNumber === '+1') throw new Error('no line')
      return phoneNumber === '+2' ? null : 'answered'
    },
    onError: clumsy,
    onReport: async () => clumsy(),
    onRelease: clumsy,
    onIdle: clumsy,
  })
  await until(() => campaign.reports.length === 5)
  campaign.ending.abort()
  expect((await passing(agent)).error).toBeUndefined()
  expect([campaign.released.length, campaign.open.size]).toEqual([1, 0])
})

it.each(['silence', 'no answer'] as const)(
  'At the end of an agent, calls are awaited, and after them a failing service (%s) only briefly',
  async (failure) => {
    let isDown = false
    const campaign = campaignOf(1, {
      leaseMs: 60_000,
      fault: () => (isDown ? failure : undefined),
    })
    const agent = campaign.start({
      call: async () => {
        await sleep(200_000)
        return 'answered'
      },
    })
    await vi.advanceTimersByTimeAsync(1_000)
    isDown = true
    campaign.ending.abort()
    const { error, tookMs } = await passing(agent)
    expect(error).toMatchObject({ code: 'connection_failed' })
    expect(tookMs).toBeGreaterThan(199_000)
    expect(tookMs).toBeLessThan(215_000)
  },
)

it('A request that fails at the end does not prevent later reports', async () => {
  let isDown = false
  const campaign = campaignOf(1, { leaseMs: 60_000, fault: () => (isDown ? 'no answer' : undefined) })
  const agent = campaign.start({
    call: async () => {
      await sleep(100_000)
      isDown = false
      return 'answered'
    },
  })
  await vi.advanceTimersByTimeAsync(1_000)
  isDown = true
  campaign.ending.abort()
  expect((await passing(agent)).error).toBeUndefined()
  expect(campaign.reports).toEqual([{ callId: 'call-1', outcome: 'answered' }])
})
