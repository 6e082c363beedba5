// A dialer whose settings change while calls are live, and whose object dies, at every await of its life in turn.
import { expect, it } from 'vitest'
import { minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { checkDialling } from '../../support/dialers/check-dialling.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { type Fate, fakeTemplate, templateOn } from '../../support/dialers/fake-provider.ts'
import type { Fatality } from '../../support/dialers/simulated-dialer.ts'

const otherHost = 'other.example.com'

type Change = Parameters<Awaited<ReturnType<typeof seedDialling>>['set']>[0]

/** One lead of each kind. */
const fates: readonly Partial<Fate>[] = [
  { outcome: 'do_not_call', lengthMs: 3 * minuteMs },
  { reason: 'busy', status: 'errors', lengthMs: 45_000 },
  { reason: 'no-answer', status: 'no_analysis', lengthMs: 20_000 },
  { start: 'late' },
]

/** Between these, so many seconds pass. */
const changes: readonly Change[] = [
  { preset: 'pretend', template: null, isEnabled: false },
  { template: templateOn(otherHost), sealedSecrets: 'other' },
  { template: templateOn(otherHost), variables: { account: 'b' }, sealedSecrets: 'third' },
  { template: fakeTemplate, sealedSecrets: 'fourth' },
]

async function liveThrough(fatalAt: number | null, fatality: Exclude<Fatality, null>): Promise<number> {
  let awaits = 0
  const fateOf = (phoneNumber: string) => withFate(fates[Number(phoneNumber.slice(-1))] ?? {})
  const world = await seedDialling({
    fateOf,
    fatality: () => (awaits++ === fatalAt ? fatality : null),
    dialer: { maxLive: 10 },
    faultMs: 30_000,
  })
  // Each tells lies about a call of the other.
  const other = world.openOther(otherHost, (phoneNumber) => fateOf(`+${9 - Number(phoneNumber.slice(-1))}`))
  const prefix = `+49302${String(world.campaign.number).padStart(6, '0')}`
  for (const [round, change] of changes.entries()) {
    for (const index of fates.keys()) await world.lead({ phoneNumber: `${prefix}${round}${index}` })
    await world.pass(25)
    if (round % 2 === 1) await world.remove()
    await world.pass(2)
    await world.set(change)
  }
  await world.pass(1000)
  await world.set({ isEnabled: false })
  await world.pass(900)
  await settleEverything(world.clock.ms)
  const rung = [...world.provider.rung, ...other.rung]
  const checked = { db: companyDb, campaignNumber: world.campaign.number, rung, maxAttempts: 3 }
  const what = `killed ${fatality} await ${fatalAt}`
  expect(await checkDialling(checked, world.simulated.interrupted), what).toEqual([])
  expect(world.simulated.memory.calls, what).toEqual([])
  expect(world.simulated.counts.mostInRound, what).toBeLessThanOrEqual(40)
  return awaits
}

/** Hundreds of lives: half a minute of processor time. */
const patienceMs = 600_000

it(
  'No end of another provider is recorded, and none is lost, whatever is changed and whichever await the object dies at',
  async () => {
    const awaits = await liveThrough(null, 'before')
    // Before one await, after the next.
    for (let at = 0; at < awaits; at++) await liveThrough(at, at % 2 === 0 ? 'before' : 'after')
  },
  patienceMs,
)
