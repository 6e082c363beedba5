// A test call, and a call that rings, of an object that dies at every await in turn, before and after its effect.
import { expect, it } from 'vitest'
import { minuteMs } from '../../support/calling/calling.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { fakeTemplate } from '../../support/dialers/fake-provider.ts'
import type { Fatality } from '../../support/dialers/simulated-dialer.ts'
import { newPhone } from '../../support/world.ts'

const ringing = { while: { at: '/state', equals: 'ringing' }, seconds: 60 }
const template = { ...fakeTemplate, status: { ...fakeTemplate.status, ringing } }

/** A test call that is taken, and beside it a lead that nobody takes. Returns how many awaits there were. */
async function liveThrough(fatalAt: number | null, fatality: Exclude<Fatality, null>): Promise<number> {
  let awaits = 0
  const phoneNumber = newPhone()
  const world = await seedDialling({
    fateOf: (called) =>
      withFate(
        called === phoneNumber
          ? { lengthMs: 30_000 }
          : { ringsMs: 60 * minuteMs, lengthMs: 60 * minuteMs, reason: 'crashed' },
      ),
    fatality: () => (awaits++ === fatalAt ? fatality : null),
    dialer: { template },
  })
  const what = `killed ${fatality} await ${fatalAt}`
  const lead = await world.lead()
  const testId = `test-${phoneNumber.slice(1)}`
  world.simulated.tests.begin({ testId, phoneNumber, metadata: null }, world.clock.ms)
  await world.pass(400)
  const { rung } = world.provider
  for (const called of [phoneNumber, lead.phoneNumber])
    expect(rung.filter((call) => call.phoneNumber === called).length, what).toBeLessThan(2)
  const { tests, interrupted } = world.simulated
  const hasRung = rung.some((call) => call.phoneNumber === phoneNumber)
  const state = tests.find(testId)?.state
  // Of a start that was under way, or had not begun, nobody knows, and it is not sent again.
  if (fatalAt === null) expect(state).toBe('ended')
  expect(['ended', 'unknown', undefined], what).toContain(state)
  if (state === 'ended') expect(hasRung, what).toBe(true)
  if (state === undefined) expect(hasRung, what).toBe(false)
  expect(tests.memory.calls, what).toEqual([])
  const outcomes = (await world.outcomesOf(lead.phoneNumber)).filter((one) => one !== 'released')
  const isKnown = !interrupted.has(rung.find((call) => call.phoneNumber === lead.phoneNumber)?.callId ?? '')
  if (isKnown && rung.some((call) => call.phoneNumber === lead.phoneNumber))
    expect(outcomes, what).toEqual(['no_answer'])
  return awaits
}

it('No test call rings twice, and a call that rings ends, whichever await the object dies at', async () => {
  const awaits = await liveThrough(null, 'before')
  expect(awaits).toBeGreaterThan(20)
  for (let at = 0; at < awaits; at += 2) await liveThrough(at, at % 4 === 0 ? 'before' : 'after')
}, 300_000)
