// Calls that a dialer ends, since the person must not be called any more, or since they last too long.
import { expect, it } from 'vitest'
import { withdrawConsents } from '../../../src/queue/consents/store/keep-consents.ts'
import { minuteMs, noonMs, settleEverything } from '../../support/calling/calling.ts'
import { consentOf } from '../../support/calling/consent-judge.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import type { Fate } from '../../support/dialers/fake-provider.ts'
import { seedSaying } from '../../support/dialers/saying.ts'
import { newPhone } from '../../support/world.ts'

const always = (fate: Partial<Fate>) => ({ fateOf: () => withFate(fate) })

it.each(['is suppressed', 'withdraws the consent'])('A call of somebody who %s is hung up', async (says) => {
  const world = await seedDialling(always({ lengthMs: 20 * minuteMs }))
  await world.change({ requireConsent: { purpose: 'calls', maxAgeDays: null } })
  const phoneNumber = newPhone()
  await world.add({ phoneNumber }, noonMs, companyDb, consentOf(phoneNumber, 'calls', noonMs - minuteMs))
  world.wake()
  await world.pass(20)
  expect(world.provider.rung[0]?.hungUpAtMs).toBeNull()
  const access = world.asWriter(world.clock.ms)
  const said = { phoneNumber, purpose: 'calls', withdrawnAtMs: null, reason: null }
  if (says === 'is suppressed') await world.suppress([phoneNumber], world.clock.ms)
  else await withdrawConsents(companyDb, access, said)
  await world.pass(20)
  expect(world.provider.rung[0]?.hungUpAtMs).not.toBeNull()
})

it('A provider that fails to hang up is asked to again', async () => {
  const world = await seedDialling(always({ lengthMs: 20 * minuteMs }))
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  world.provider.state.hangUpFails = true
  await world.suppress([phoneNumber], world.clock.ms)
  await world.pass(40)
  expect(world.provider.rung[0]?.hungUpAtMs).toBeNull()
  world.provider.state.hangUpFails = false
  await world.pass(20)
  expect(world.provider.rung[0]?.hungUpAtMs).not.toBeNull()
})

it('A call that lasts too long is hung up, and reported as it ended then', async () => {
  const world = await seedDialling({
    fateOf: () => withFate({ status: 'never_ends', reason: 'busy' }),
    dialer: { variables: { maxCallSeconds: '600' } },
  })
  const { phoneNumber } = await world.lead()
  await world.pass(615)
  expect(world.provider.rung[0]?.hungUpAtMs).not.toBeNull()
  await world.pass(60)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['busy'])
})

it('A call that lasts too long and never ends holds no seat, and ends as unknown', async () => {
  const world = await seedDialling({
    fateOf: () => withFate({ status: 'never_ends' }),
    dialer: { maxLive: 1, variables: { maxCallSeconds: '600' } },
  })
  world.provider.state.hangUpFails = true
  const { phoneNumber } = await world.lead()
  await world.pass(615)
  await world.lead()
  await world.pass(30)
  expect(world.provider.rung).toHaveLength(2)
  const tries = world.provider.requests.filter(({ url }) => url.endsWith('/p1/end'))
  expect(tries.length).toBeGreaterThan(1)
  await world.pass(62 * 60)
  await settleEverything(world.clock.ms)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['unknown'])
})

const answered = { state: 'ended', reason: 'answered', talked: true }

it.each([
  ['is suppressed', {}],
  ['lasts too long', { maxCallSeconds: '60' }],
])(
  'A hang-up that a provider takes without effect is sent again every 15 s: the call %s',
  async (why, variables) => {
    const world = await seedSaying({ dialer: { variables } })
    const { says, gapsOf, pass, lead, suppress, simulated } = world
    const { phoneNumber } = await lead()
    await pass(50)
    await lead()
    await pass(5)
    if (why === 'is suppressed') await suppress([phoneNumber], world.clock.ms)
    await pass(50)
    expect(gapsOf('p1')).toEqual([15, 15, 15])
    expect(gapsOf('p2')).toBeNull()
    says.set('p1', { ...answered, analysis: {} })
    await pass(300)
    expect(gapsOf('p1')?.length).toBeLessThanOrEqual(4)
    expect(await world.outcomesOf(phoneNumber)).toEqual(['answered'])
    expect(simulated.counts.mostInRound).toBeLessThanOrEqual(40)
  },
)

it('A call that was reported and is live again is hung up when the person must not be called', async () => {
  const { says, gapsOf, pass, lead, suppress, simulated, ...world } = await seedSaying()
  const { phoneNumber } = await lead()
  await lead()
  await pass(20)
  for (const id of ['p1', 'p2']) says.set(id, answered)
  await pass(200)
  says.clear()
  await pass(301)
  expect(simulated.memory.calls.map(({ state, isLiveAgain }) => [state, isLiveAgain])).toEqual([
    ['reported', true],
    ['reported', true],
  ])
  await suppress([phoneNumber], world.clock.ms)
  await pass(330)
  const gaps = gapsOf('p1')
  expect(gaps?.slice(0, 2)).toEqual([15, 15])
  expect(gapsOf('p2')).toBeNull()
  says.set('p1', answered)
  await pass(60)
  expect(gapsOf('p1')?.length).toBeLessThanOrEqual((gaps?.length ?? 0) + 1)
  expect(simulated.counts.mostInRound).toBeLessThanOrEqual(40)
})
