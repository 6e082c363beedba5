// What the outcome of a call does to its lead when it is reported after the lead was claimed again (D42, D47), on a
// real D1.
import { expect, it } from 'vitest'
import type { ReportedOutcome } from '../../../src/queue/campaigns/outcomes.ts'
import {
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
} from '../../support/calling/calling.ts'
import { newPhone } from '../../support/world.ts'

const againMs = noonMs + 2 * hourMs
const laterMs = againMs + minuteMs

const claimOne = async (world: CallingWorld, nowMs: number) =>
  (await world.claim(nowMs)).calls[0]?.callId as string

/** A lead whose first call ended without a report, and which is called again: in two companies. */
async function seedCalledAgain(more: object = {}) {
  const phoneNumber = newPhone()
  const seed = async () => {
    const numberLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
    const world = await seedCallingWorld({ ...openSettings, numberLimits, ...more })
    const { leadId } = await world.add({ phoneNumber })
    const late = await claimOne(world, noonMs)
    await settleEverything(noonMs + hourMs)
    const newer = await claimOne(world, againMs)
    const report = (callId: string, outcome: ReportedOutcome, nowMs = laterMs) =>
      world.report(nowMs, [{ callId, outcome, callbackAtMs: nowMs + hourMs }])
    return { world, leadId, late, newer, report }
  }
  const here = await seed()
  const other = await seed()
  const statuses = async () => {
    const rows = [here, other].map(({ world }) => leadRow(world.campaign, phoneNumber))
    return (await Promise.all(rows)).map(({ status }) => status)
  }
  return { ...here, other, statuses }
}

type Called = Pick<Awaited<ReturnType<typeof seedCalledAgain>>, 'world' | 'newer' | 'report'>

it.each<[string, (called: Called) => Promise<unknown>]>([
  ['is reported no_answer', ({ report, newer }) => report(newer, 'no_answer')],
  ['is reported callback_requested', ({ report, newer }) => report(newer, 'callback_requested')],
  ['is released', ({ world, newer }) => world.release(laterMs, [{ callId: newer, delaySeconds: 0 }])],
  ['ends without a report', () => settleEverything(laterMs + hourMs)],
])(
  'A wrong number that is reported late lets the newer call continue, and exhausts the lead when that one %s',
  async (_, end) => {
    const { world, late, newer, report, other, statuses } = await seedCalledAgain()
    expect(await report(late, 'wrong_number')).toMatchObject([
      { result: 'recorded_late', status: 'attempting' },
    ])
    expect(await world.extend(laterMs, [newer])).toMatchObject([{ stop: 'concluded' }])
    expect(await other.world.extend(laterMs, [other.newer])).toMatchObject([{ stop: null }])
    await end({ world, newer, report })
    await end(other)
    expect(await statuses()).toEqual(['exhausted', 'attempting'])
    expect((await world.claim(laterMs + dayMs)).calls).toEqual([])
    expect((await other.world.claim(laterMs + dayMs)).calls).toHaveLength(1)
  },
)

it('A wrong number that is reported late exhausts a lead that is in the queue, and not one that was requeued', async () => {
  const { late, newer, report, other, statuses } = await seedCalledAgain()
  await report(newer, 'busy')
  await other.report(other.newer, 'busy')
  expect((await other.world.requeue(other.leadId, laterMs)).result).toBe('requeued')
  expect(await report(late, 'wrong_number')).toMatchObject([{ status: 'exhausted', nextCallAtMs: null }])
  expect(await other.report(other.late, 'wrong_number')).toMatchObject([{ result: 'recorded_late' }])
  expect(await statuses()).toEqual(['exhausted', 'attempting'])
  await other.report(await claimOne(other.world, laterMs), 'no_answer')
  expect(await statuses()).toEqual(['exhausted', 'attempting'])
})

it.each<[ReportedOutcome, string]>([
  ['wrong_number', 'attempting'],
  ['voicemail', 'exhausted'],
  ['answered', 'concluded'],
])(
  'A late report of %s leaves the lead %s, by the class of the outcome in the campaign',
  async (outcome, status) => {
    const outcomes = { wrong_number: { class: 'retry', minutes: 5 }, voicemail: { class: 'dead' } }
    const { late, newer, report, other, statuses } = await seedCalledAgain({ outcomes })
    await report(late, outcome)
    await report(newer, 'no_answer')
    await other.report(other.newer, 'no_answer')
    expect(await statuses()).toEqual([status, 'attempting'])
  },
)

it('A lead that a newer call reaches is concluded, whatever was reported late, also within one request', async () => {
  const { late, newer, report, other, statuses } = await seedCalledAgain()
  await report(late, 'wrong_number')
  await report(newer, 'answered')
  await other.world.report(laterMs, [
    { callId: other.late, outcome: 'wrong_number' },
    { callId: other.newer, outcome: 'answered' },
  ])
  expect(await statuses()).toEqual(['concluded', 'concluded'])
})

it('Of two late reports in one request, the one that reached the person goes first', async () => {
  const { world, late, newer, report, other, statuses } = await seedCalledAgain({ maxAttempts: 5 })
  await settleEverything(laterMs + hourMs)
  const third = await claimOne(world, laterMs + 2 * hourMs)
  await report(third, 'busy', laterMs + 2 * hourMs)
  await world.report(laterMs + 2 * hourMs, [
    { callId: late, outcome: 'wrong_number' },
    { callId: newer, outcome: 'answered' },
  ])
  expect(await statuses()).toEqual(['concluded', 'attempting'])
  expect((await other.world.claim(laterMs + 3 * hourMs)).calls).toHaveLength(1)
})

it('A release that is repeated once the lease after it has run out says when the lead can be called', async () => {
  const numberLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
  const world = await seedCallingWorld({ ...openSettings, numberLimits })
  await world.add()
  const callId = await claimOne(world, noonMs)
  const release = (nowMs: number) => world.release(nowMs, [{ callId, delaySeconds: 0 }])
  await release(noonMs)
  await claimOne(world, noonMs + minuteMs)
  const nextCallAtMs = noonMs + dayMs
  expect(await release(nextCallAtMs)).toMatchObject([{ result: 'replayed', nextCallAtMs }])
})
