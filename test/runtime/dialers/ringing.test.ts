// Calls that ring and that nobody takes: they are given up after the seconds of their template.
import { expect, it } from 'vitest'
import { minuteMs } from '../../support/calling/calling.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { type Fate, fakeTemplate } from '../../support/dialers/fake-provider.ts'

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
