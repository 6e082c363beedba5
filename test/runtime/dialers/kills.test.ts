// A dialer whose object dies, at every await of its life in turn: before or after what it awaits has taken effect.
import { expect, it } from 'vitest'
import { minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { checkDialling } from '../../support/dialers/check-dialling.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import type { Fate } from '../../support/dialers/fake-provider.ts'
import type { Fatality } from '../../support/dialers/simulated-dialer.ts'

/** One lead of each kind. */
const fates: readonly Partial<Fate>[] = [
  {},
  { reason: 'busy', status: 'errors', lengthMs: 15_000 },
  { start: 'late' },
  { start: 'no_id' },
  { start: 'refused' },
  { reason: 'no-answer', lengthMs: 7 * minuteMs },
]

/** Returns how many awaits there were. */
async function liveThrough(fatalAt: number | null, fatality: Exclude<Fatality, null>): Promise<number> {
  let awaits = 0
  const world = await seedDialling({
    fateOf: (phoneNumber) => withFate(fates[Number(phoneNumber.slice(-1))] ?? {}),
    fatality: () => (awaits++ === fatalAt ? fatality : null),
    dialer: { maxLive: 10 },
    faultMs: 30_000,
  })
  const prefix = `+49301${String(world.campaign.number).padStart(7, '0')}`
  for (const [index] of fates.entries()) await world.lead({ phoneNumber: `${prefix}${index}` })
  await world.pass(1000)
  await world.set({ isEnabled: false })
  await world.pass(900)
  await settleEverything(world.clock.ms)
  const { rung } = world.provider
  const checked = { db: companyDb, campaignNumber: world.campaign.number, rung, maxAttempts: 3 }
  expect(
    await checkDialling(checked, world.simulated.interrupted),
    `killed ${fatality} await ${fatalAt}`,
  ).toEqual([])
  expect(world.simulated.counts.kills).toBe(fatalAt === null ? 0 : 1)
  expect(world.simulated.memory.calls).toEqual([])
  // So many statements and requests may one invocation send.
  expect(world.simulated.counts.mostInRound).toBeLessThanOrEqual(40)
  return awaits
}

it('No phone rings twice for a claim, and no end is lost, whichever await the object dies at', async () => {
  const awaits = await liveThrough(null, 'before')
  expect(awaits).toBeGreaterThan(50)
  // Before one await, after the next; the week of test/hard draws both for any.
  for (let at = 0; at < awaits; at++) await liveThrough(at, at % 2 === 0 ? 'before' : 'after')
})
