// Ends of which a provider says nothing, and refusals that it takes back.
import { expect, it } from 'vitest'
import { afterUnknown } from '../../../src/channels/dialers/rounds/call-over.ts'
import { leadRow, minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { seedSaying } from '../../support/dialers/saying.ts'

const over = { state: 'ended', analysis: {} }
const answered = { ...over, reason: 'answered', talked: true, analysis: { outcome: 'answered' } }

/** A call that says so when it is first asked for, and one beside it that talks. */
async function seedEnd(end: object) {
  const world = await seedSaying()
  const { phoneNumber } = await world.lead()
  await world.pass(1)
  const beside = await world.lead()
  world.says.set('p1', end)
  await world.pass(15)
  return { ...world, phoneNumber, beside }
}

it('The lease of a call that has ended without any reason and talk ends now, and counts as unknown', async () => {
  const world = await seedEnd(over)
  await settleEverything(world.clock.ms + 3000)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['unknown'])
  expect(await world.outcomesOf(world.beside.phoneNumber)).toEqual([null])
  const { due_at_ms } = await leadRow(world.campaign, world.phoneNumber)
  expect(((due_at_ms ?? 0) - world.clock.ms) / minuteMs).toBeCloseTo(60, 0)
  expect(world.simulated.memory.state.health).toMatchObject({ faults: 0, doubts: 0 })
  expect(world.simulated.memory.state.unmapped?.reason).toBe('')
})

it('An end without a reason waits for one as long as for the rest of it', async () => {
  const world = await seedEnd({ state: 'ended' })
  await world.pass(100)
  world.says.set('p1', { state: 'ended', reason: 'busy', analysis: {} })
  await world.pass(20)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['busy'])
})

it('What is known later of a call that counted as unknown is reported: a no, and that the person has talked', async () => {
  for (const [later, outcome, doNotCall] of [
    [answered, 'answered', 0],
    [{ ...over, reason: 'no-answer' }, 'no_answer', 0],
    [{ ...over, analysis: { doNotCall: 'yes' } }, 'do_not_call', 1],
  ] as const) {
    const world = await seedEnd(over)
    await settleEverything(world.clock.ms + 3000)
    world.says.set('p1', later)
    await world.pass(400)
    expect(await world.callsOf(world.phoneNumber)).toMatchObject([{ outcome, doNotCall }])
    expect(await world.outcomesOf(world.beside.phoneNumber)).toEqual([null])
  }
})

it('A no that is heard while an unknown end is being recorded is reported at once', async () => {
  const world = await seedEnd({ state: 'ended' })
  const { memory } = world.simulated
  const [call, beside] = [memory.calls.find(({ providerId }) => providerId === 'p1'), world.beside]
  if (call?.end == null) throw new Error('no end')
  expect(call.end.isUnknown).toBe(true)
  memory.setCall({
    ...call,
    end: { ...call.end, outcome: 'do_not_call', isUnknown: false, isComplete: true },
  })
  afterUnknown(memory, call, world.clock.ms)
  await world.pass(15)
  expect(await world.callsOf(world.phoneNumber)).toMatchObject([{ outcome: 'do_not_call', doNotCall: 1 }])
  expect(await world.outcomesOf(beside.phoneNumber)).toEqual([null])
})

it('A refusal that comes, goes and comes again counts once for a call', async () => {
  const world = await seedSaying()
  const calls = [await world.lead(), await world.lead()]
  await world.pass(1)
  const refused = { state: 'ended', reason: 'number-wrong' }
  for (const says of [refused, { state: 'talking' }, refused, { state: 'ended', reason: 'busy' }, refused]) {
    world.says.set('p1', says)
    await world.pass(15)
  }
  expect(world.simulated.memory.state.health).toMatchObject({ refusals: 1, stopped: null })
  world.says.set('p2', refused)
  await world.pass(15)
  expect(world.simulated.memory.state.health).toMatchObject({ refusals: 2, stopped: null })
  await world.pass(200)
  for (const { phoneNumber } of calls) expect(await world.outcomesOf(phoneNumber)).toEqual(['released'])
})
