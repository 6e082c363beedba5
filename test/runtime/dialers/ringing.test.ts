// Calls that ring and that nobody takes: they are given up after the seconds of their template.
import { expect, it } from 'vitest'
import { minuteMs } from '../../support/calling/calling.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { failingDatabase, isWriting } from '../../support/dialers/failing-database.ts'
import { type Fate, fakeTemplate } from '../../support/dialers/fake-provider.ts'
import { seedSaying } from '../../support/dialers/saying.ts'

const ringing = (seconds: number) => ({ while: { at: '/state', in: ['queued', 'ringing'] }, seconds })
const templateOf = (seconds: number, more: object = {}) => ({
  ...fakeTemplate,
  status: { ...fakeTemplate.status, ringing: ringing(seconds) },
  ...more,
})

/** `others`: of a second campaign beside it. */
async function seedRinging(fate: Partial<Fate>, seconds = 60, more: object = {}) {
  const world = await seedDialling({
    fateOf: () => withFate({ lengthMs: 60 * minuteMs, reason: 'crashed', ...fate }),
    dialer: { template: templateOf(seconds, more) },
  })
  const { phoneNumber } = await world.lead()
  return { ...world, phoneNumber, outcomes: () => world.outcomesOf(phoneNumber) }
}

it('A call that nobody takes is hung up after its seconds, and ends as its template says', async () => {
  const { pass, provider, outcomes } = await seedRinging({ ringsMs: 60 * minuteMs })
  await pass(59)
  expect([provider.rung[0]?.hungUpAtMs, await outcomes()]).toEqual([null, [null]])
  await pass(35)
  expect(provider.rung[0]?.hungUpAtMs).not.toBeNull()
  expect(await outcomes()).toEqual(['no_answer'])
})

it('A call that somebody took is never given up, whatever it says later', async () => {
  const { pass, provider, outcomes } = await seedRinging({
    ringsMs: 40_000,
    lengthMs: 5 * minuteMs,
    reason: 'answered',
  })
  await pass(290)
  expect([provider.rung[0]?.hungUpAtMs, await outcomes()]).toEqual([null, [null]])
  await pass(230)
  expect(await outcomes()).toEqual(['answered'])
})

it('A call that somebody takes before it could be hung up continues', async () => {
  const { pass, provider, outcomes } = await seedRinging({
    ringsMs: 100_000,
    lengthMs: 4 * minuteMs,
    reason: 'answered',
  })
  provider.state.hangUpFails = true
  await pass(130)
  provider.state.hangUpFails = false
  expect(provider.requests.some(({ url }) => url.endsWith('/end'))).toBe(true)
  await pass(90)
  expect([provider.rung[0]?.hungUpAtMs, await outcomes()]).toEqual([null, [null]])
  await pass(240)
  expect(await outcomes()).toEqual(['answered'])
})

it('A call that cannot be hung up ends after its seconds all the same, and is followed for a do-not-call', async () => {
  const { pass, outcomes, simulated } = await seedRinging({ ringsMs: 60 * minuteMs }, 180, { hangUp: null })
  await pass(179)
  expect(await outcomes()).toEqual([null])
  await pass(20)
  expect(await outcomes()).toEqual(['no_answer'])
  expect(simulated.memory.calls).toMatchObject([{ state: 'reported' }])
})

it('A provider that refuses to hang up does not keep a call that rings for ever', async () => {
  const { pass, provider, outcomes } = await seedRinging({ ringsMs: 60 * minuteMs })
  provider.state.hangUpFails = true
  await pass(170)
  expect(await outcomes()).toEqual([null])
  await pass(30)
  expect(await outcomes()).toEqual(['no_answer'])
})

it('Somebody who takes a call after its hang-up has failed is not cut off', async () => {
  const { pass, provider, outcomes } = await seedRinging({
    ringsMs: 65_000,
    lengthMs: 5 * minuteMs,
    reason: 'answered',
  })
  provider.state.hangUpFails = true
  await pass(66)
  provider.state.hangUpFails = false
  expect(provider.requests.some(({ url }) => url.endsWith('/end'))).toBe(true)
  await pass(400)
  expect([provider.rung[0]?.hungUpAtMs, await outcomes()]).toEqual([null, ['answered']])
})

it('A call that still rings after its hang-up has failed is hung up again', async () => {
  const { pass, provider, outcomes } = await seedRinging({ ringsMs: 60 * minuteMs })
  provider.state.hangUpFails = true
  await pass(70)
  provider.state.hangUpFails = false
  await pass(25)
  expect(provider.rung[0]?.hungUpAtMs).not.toBeNull()
  await pass(20)
  expect(await outcomes()).toEqual(['no_answer'])
})

const rings = { state: 'ringing' }

it('A call that rings on after its hang-up is reported, and hung up every 15 s as long as it rings', async () => {
  const world = await seedSaying({ dialer: { template: templateOf(60) } })
  const { says, gapsOf, pass, lead } = world
  says.set('p1', rings)
  const { phoneNumber } = await lead()
  await lead()
  await pass(140)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['no_answer'])
  const gaps = gapsOf('p1') ?? []
  expect(gaps.length).toBeGreaterThanOrEqual(3)
  expect(new Set(gaps)).toEqual(new Set([15]))
  says.delete('p1')
  await pass(600)
  expect(gapsOf('p1')?.length).toBeLessThanOrEqual(gaps.length + 1)
  expect(gapsOf('p2')).toBeNull()
})

it('A call that was hung up for ringing and is taken all the same is hung up when the person is suppressed', async () => {
  const { says, gapsOf, pass, lead, suppress, ...world } = await seedSaying({
    dialer: { template: templateOf(60) },
  })
  says.set('p1', rings)
  const { phoneNumber } = await lead()
  await lead()
  await pass(62)
  expect(gapsOf('p1')).toEqual([])
  says.delete('p1')
  await pass(120)
  expect([gapsOf('p1'), await world.outcomesOf(phoneNumber)]).toEqual([[], [null]])
  await suppress([phoneNumber], world.clock.ms)
  await pass(35)
  expect(gapsOf('p1')?.length).toBeGreaterThanOrEqual(2)
  expect(gapsOf('p2')).toBeNull()
})

it('A do-not-call that was seen stays when a call that rang out is then said to be live', async () => {
  const state = { fails: false }
  const db = failingDatabase((texts) => (state.fails && isWriting(texts) ? 'D1_ERROR: overloaded.' : null))
  const template = templateOf(60)
  const { says, pass, lead, callsOf } = await seedSaying({
    db,
    dialer: { template: { ...template, status: { ...template.status, doNotCall: ['/no'] } } },
  })
  for (const id of ['p1', 'p2']) says.set(id, rings)
  const [{ phoneNumber }, other] = [await lead(), await lead()]
  await pass(62)
  state.fails = true
  says.set('p1', { state: 'ended', reason: 'answered', talked: true, no: true })
  await pass(16)
  says.clear()
  await pass(16)
  state.fails = false
  const answered = { state: 'ended', reason: 'answered', talked: true, analysis: {} }
  for (const id of ['p1', 'p2']) says.set(id, answered)
  await pass(200)
  expect(await callsOf(phoneNumber)).toMatchObject([{ outcome: 'do_not_call', doNotCall: 1 }])
  expect(await callsOf(other.phoneNumber)).toMatchObject([{ outcome: 'answered', doNotCall: 0 }])
})

it('A call that was last asked long ago is asked before it is hung up for ringing', async () => {
  const { pass, provider, simulated, clock, outcomes } = await seedRinging({
    ringsMs: 65_000,
    lengthMs: 5 * minuteMs,
    reason: 'answered',
  })
  await pass(46)
  const [call] = simulated.memory.calls
  // As an object that was not run for a minute after that answer.
  simulated.memory.changeCall(call?.callId ?? '', { hasRungOut: true, askedAtMs: clock.ms })
  clock.ms += minuteMs
  await pass(400)
  expect([provider.rung[0]?.hungUpAtMs, await outcomes()]).toEqual([null, ['answered']])
})
