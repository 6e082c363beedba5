// Calls that last too long, and promises that never settle: what an agent does with them.
import { expect, it, vi } from 'vitest'
import { CallStopped, type Outcome } from '../../src/sdk/src/lead-intake.ts'
import { campaignOf, lasting, until } from './scripted-campaign.ts'
import { passing } from './scripted-service.ts'

const minuteMs = 60_000
const never = () => new Promise<never>(() => {})

/** The first of two leads is called so, the other one as usual. The first may last ten minutes, with leases of two. */
function play(
  first: (signal: AbortSignal) => Promise<Outcome | null>,
  options: object = { maxCallSeconds: 600 },
) {
  const campaign = campaignOf(2, { leaseMs: 2 * minuteMs })
  const startMs = Date.now()
  const happened: [what: string, afterMs: number][] = []
  const note = (what: string) => happened.push([what, Date.now() - startMs])
  const agent = campaign.start({
    ...options,
    call: async (lead, signal) => {
      note(`dial ${lead.phoneNumber}`)
      if (lead.phoneNumber !== '+1') return lasting(1_000)(lead, signal)
      signal.addEventListener('abort', () => void note(signal.reason.stop))
      return first(signal)
    },
    onError: (error, { callId }) =>
      note(error instanceof CallStopped ? `${callId} given up: ${error.stop}` : String(error)),
  })
  const end = async () => {
    campaign.ending.abort()
    return passing(agent)
  }
  return { campaign, happened, end }
}

it('A call that never ends is stopped after its longest time, given up 30 s later, and the next lead is called', async () => {
  const { campaign, happened, end } = play(never)
  await until(() => campaign.reports.length === 1)
  expect(happened).toEqual([
    ['dial +1', 0],
    ['too_long', 600_000],
    ['call-1 given up: too_long', 630_000],
    ['dial +2', 630_000],
  ])
  const extended = campaign.extended.length
  await vi.advanceTimersByTimeAsync(20 * minuteMs)
  expect(campaign.extended.length).toBe(extended)
  expect(campaign.reports).toEqual([{ callId: 'call-2', outcome: 'answered' }])
  expect(campaign.released).toEqual([])
  await end()
})

it('A call may last an hour by default', async () => {
  const { campaign, happened, end } = play(never, {})
  await until(() => campaign.reports.length === 1)
  expect(happened.slice(1, 3)).toEqual([
    ['too_long', 3_600_000],
    ['call-1 given up: too_long', 3_630_000],
  ])
  await end()
})

it('A call that ends within 30 s of being stopped is reported', async () => {
  const { campaign, happened, end } = play(async (signal) => {
    await lasting(60 * minuteMs)(null, signal)
    await lasting(29_000)(null, new AbortController().signal)
    return 'do_not_call'
  })
  await until(() => campaign.reports.length === 2)
  expect(campaign.reports[0]).toEqual({ callId: 'call-1', outcome: 'do_not_call' })
  expect(happened.map(([what]) => what)).toEqual(['dial +1', 'too_long', 'dial +2'])
  await end()
})

it.each([
  [
    'an outcome is still reported',
    'do_not_call' as const,
    [{ callId: 'call-1', outcome: 'do_not_call' }],
    [],
  ],
  ['that nobody dialled is still released', null, [], [{ callId: 'call-1', delaySeconds: 0 }]],
  ['an error says nothing, and its lease ends as it is', new Error('lost'), [], []],
])('Of a call that was given up, %s', async (_, later, reported, released) => {
  const { campaign, end } = play(async () => {
    await lasting(15 * minuteMs)(null, new AbortController().signal)
    if (later instanceof Error) throw later
    return later
  })
  await until(() => campaign.reports.length === 1)
  await vi.advanceTimersByTimeAsync(10 * minuteMs)
  expect(campaign.reports.slice(1)).toEqual(reported)
  expect(campaign.released).toEqual(released)
  await end()
})

it('An agent that ends waits for an endless call only as long as a call may last', async () => {
  const { campaign, happened, end } = play(never)
  await until(() => happened.length === 1)
  await end()
  expect(happened.at(-1)).toEqual(['call-1 given up: too_long', 630_000])
  expect(campaign.reports).toEqual([])
})

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 86_401])(
  'An agent whose calls may last %s seconds does not start',
  async (maxCallSeconds) => {
    const { campaign, end } = play(never, { maxCallSeconds })
    const error = new TypeError('maxCallSeconds must be a number above 0, and at most 86400')
    expect(await end()).toMatchObject({ error })
    expect(campaign.asked).toEqual([])
  },
)
