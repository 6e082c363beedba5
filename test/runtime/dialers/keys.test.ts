// The key of a dialer: it has no end of its own. When it is revoked, nobody is called any more, live calls are hung up,
// and the service itself records what they came to.
import { expect, it } from 'vitest'
import { reportCalls } from '../../../src/queue/calling/store/report.ts'
import { minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import type { Fate } from '../../support/dialers/fake-provider.ts'

const always = (fate: Partial<Fate>) => ({ fateOf: () => withFate(fate) })

it('Live calls are hung up when the key of the dialer is revoked, and others are not', async () => {
  const worlds = [
    await seedDialling(always({ lengthMs: 30 * minuteMs })),
    await seedDialling(always({ lengthMs: 30 * minuteMs })),
  ] as const
  for (const world of worlds) {
    await world.lead()
    await world.pass(20)
  }
  await worlds[0].revokeKey()
  for (const world of worlds) {
    await world.lead()
    await world.pass(40)
  }
  expect(worlds.map(({ provider }) => provider.rung.map(({ hungUpAtMs }) => hungUpAtMs !== null))).toEqual([
    [true],
    [false, false],
  ])
  expect(worlds.map(({ simulated }) => simulated.memory.state.health.stopped)).toEqual(['key_revoked', null])
})

it.each<[outcome: Fate['outcome'], after: string, isLate: number]>([
  ['do_not_call', 'soon', 0],
  ['not_interested', 'soon', 0],
  ['do_not_call', 'after its lease', 0],
])(
  'A call that ends as %s %s is recorded by the service itself once the key is revoked',
  async (outcome, after, isLate) => {
    const lengthMs = after === 'soon' ? 2 * minuteMs : 20 * minuteMs
    const world = await seedDialling(always({ outcome, lengthMs }))
    const { phoneNumber } = await world.lead()
    await world.pass(20)
    world.provider.state.hangUpFails = true
    await world.revokeKey()
    if (after !== 'soon') {
      await world.pass(15 * 60)
      await settleEverything(world.clock.ms)
      expect(await world.outcomesOf(phoneNumber)).toEqual(['unknown'])
    }
    await world.pass(10 * 60)
    const doNotCall = outcome === 'do_not_call' ? 1 : 0
    expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome, isLate, doNotCall }])
    expect(world.simulated.memory.calls).toEqual([])
  },
)

it('A dialer sleeps between its rounds also where calls had to be hung up before its key was revoked', async () => {
  const world = await seedDialling(always({ lengthMs: 40 * minuteMs }))
  world.provider.state.hangUpFails = true
  const suppressed = await world.lead()
  const other = await world.lead()
  await world.pass(20)
  await world.suppress([suppressed.phoneNumber], world.clock.ms)
  await world.pass(20)
  expect(world.simulated.memory.calls.map(({ mustHangUp }) => mustHangUp)).toEqual([true, false])
  await world.revokeKey()
  const before = world.simulated.counts.rounds
  await world.pass(1200)
  // Each call is asked for and hung up every 15 s.
  expect(world.simulated.counts.rounds - before).toBeLessThan(4 * (1200 / 15))
  await world.pass(30 * 60)
  for (const { phoneNumber } of [suppressed, other])
    expect(await world.outcomesOf(phoneNumber)).toEqual(['answered'])
})

it('What a call comes to after the key is revoked is an alert as before it', async () => {
  const world = await seedDialling(always({ reason: 'never heard of' }))
  await world.lead()
  await world.pass(20)
  world.provider.state.hangUpFails = true
  await world.revokeKey()
  await world.pass(120)
  expect(world.simulated.memory.state.unmapped?.reason).toBe('never heard of')
})

it('A lead that the provider refuses after the key is revoked costs no attempt', async () => {
  const world = await seedDialling({
    fateOf: () => withFate({ start: 'refused' }),
    through: (provider) => ({
      ...provider,
      start: async (...of) => {
        const started = await provider.start(...of)
        await world.revokeKey()
        return started
      },
    }),
  })
  const { phoneNumber } = await world.lead()
  await world.pass(60)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['released'])
})

it('The revoked key of an agent records nothing, even in the name of the service', async () => {
  const world = await seedDialling(always({ lengthMs: 30 * minuteMs }))
  const { phoneNumber } = await world.add()
  const {
    calls: [call],
  } = await world.claim(world.clock.ms)
  const access = { ...world.access(world.agentKeyId, world.clock.ms), actor: 'system' }
  await companyDb.prepare('update api_keys set revoked_at_ms = 1 where id = ?1').bind(world.agentKeyId).run()
  const report = {
    ...{ callId: call?.callId ?? '', outcome: 'answered' as const, callbackAtMs: null, doNotCall: false },
    ...{ durationSeconds: null, providerCallId: null, details: null },
  }
  expect(await reportCalls(companyDb, access, [report])).toEqual({ kind: 'key_refused' })
  expect(await world.outcomesOf(phoneNumber)).toEqual([null])
})

it('A dialer that wakes after a crash releases the calls of its own key, and not those of other agents', async () => {
  const world = await seedDialling()
  const own = await world.add()
  await world.claimAsDialer()
  const others = await world.add()
  await world.claim(world.clock.ms)
  const elsewhere = await seedDialling()
  const stranger = await elsewhere.add()
  await elsewhere.claim(world.clock.ms)
  await world.set({ isEnabled: false })
  await world.pass(30)
  expect(await world.outcomesOf(own.phoneNumber)).toEqual(['released'])
  expect(await world.outcomesOf(others.phoneNumber)).toEqual([null])
  expect(await elsewhere.outcomesOf(stranger.phoneNumber)).toEqual([null])
})

it('A call that was refused is kept until its release is recorded', async () => {
  let failures = 0
  const db = {
    prepare: (query: string) => companyDb.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const { calls } = world.simulated.memory
      const isRelease = calls.some(({ state }) => state === 'returning') && statements.length === 7
      if (isRelease && failures++ < 2) throw new Error('D1_ERROR: Internal error')
      return companyDb.batch(statements)
    },
  } as unknown as D1Database
  const world = await seedDialling({ db, fateOf: () => withFate({ start: 'refused' }) })
  const { phoneNumber } = await world.lead()
  await world.pass(1)
  expect(failures).toBeGreaterThan(0)
  await world.pass(60)
  expect([failures > 2, await world.outcomesOf(phoneNumber)]).toEqual([true, ['released']])
})
