// The end of an agent whose claim waits, by its signal or by a refusal.
import { expect, it, vi } from 'vitest'
import { campaignOf, lasting } from './scripted-campaign.ts'
import { passing } from './scripted-service.ts'

/** Lets what needs no time happen. */
const settle = () => vi.advanceTimersByTimeAsync(0)

const secondsMs = 1_000

const hourMs = 3_600_000

it('At the end of an agent, the wait is cancelled and repeated once, and its leads are released', async () => {
  const campaign = campaignOf(0, { waits: true })
  const agent = campaign.start({ concurrency: 2, call: lasting(1) })
  await vi.advanceTimersByTimeAsync(10 * secondsMs)
  // The claim that is sent again finds them.
  campaign.add(3, { rings: false })
  campaign.ending.abort()
  const { error, tookMs } = await passing(agent)
  expect([error, tookMs]).toEqual([undefined, 0])
  const [first, second] = campaign.asked.map(({ headers, text }) => [...headers, text].join())
  expect(second).toBe(first)
  expect(campaign.asked[0]?.signal.aborted).toBe(true)
  expect(campaign.paths()).toEqual(['/claim', '/claim', '/release'])
  expect(campaign.released).toEqual([
    { callId: 'call-1', delaySeconds: 0 },
    { callId: 'call-2', delaySeconds: 0 },
  ])
  expect(campaign.open.size).toBe(0)
})

it.each(['silence', 'no answer', undefined] as const)(
  'At the end of an agent, the repeated claim has 3 s, however it ends (%s)',
  async (failure) => {
    let isEnding = false
    const campaign = campaignOf(0, { waits: true, fault: () => (isEnding ? failure : undefined) })
    const agent = campaign.start({ call: lasting(1) })
    await vi.advanceTimersByTimeAsync(10 * secondsMs)
    isEnding = true
    campaign.ending.abort()
    const { error, tookMs } = await passing(agent)
    expect([error, tookMs]).toEqual([undefined, failure === 'no answer' ? 0 : 3_000])
    expect(campaign.paths()).toEqual(['/claim', '/claim'])
  },
)

it('At the end of an agent, calls are reported while its wait is cancelled', async () => {
  let isEnding = false
  const campaign = campaignOf(1, {
    waits: true,
    fault: ({ path }) => (isEnding && path.endsWith('/claim') ? 'silence' : undefined),
  })
  const agent = campaign.start({ concurrency: 2, call: lasting(hourMs) })
  await vi.advanceTimersByTimeAsync(10 * secondsMs)
  isEnding = true
  campaign.ending.abort()
  await settle()
  expect(campaign.reports).toEqual([{ callId: 'call-1', outcome: 'failed' }])
  expect((await passing(agent)).error).toBeUndefined()
})

it('A wait that the service refuses ends the agent with that error, after its calls have ended', async () => {
  const denied = {
    status: 403,
    error: 'Campaign not found or access denied',
    headers: { 'x-error-code': 'campaign_denied' },
  }
  const campaign = campaignOf(1, { waits: true, fault: (_, number) => (number === 2 ? denied : undefined) })
  const { error } = await passing(campaign.start({ concurrency: 2, call: lasting(hourMs) }))
  expect(error).toMatchObject({ code: 'campaign_denied' })
  expect(campaign.reports).toHaveLength(1)
})
