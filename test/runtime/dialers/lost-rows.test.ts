// A dialer whose row is gone while it has calls, as after a restore to before it was set, and one whose object has lost
// its memory.
import { beforeEach, expect, it } from 'vitest'
import { minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { lasting, seedDialer } from '../../support/dialers/dialer-world.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import type { Fate } from '../../support/dialers/fake-provider.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const always = (fate: Partial<Fate>) => ({ fateOf: () => withFate({ lengthMs: 20 * minuteMs, ...fate }) })

/** What a restore takes away: the row and its key. Returns what undoes it. */
async function loseRow(campaignNumber: number) {
  const rowsOf = async (table: string, where: string) =>
    (await companyDb.prepare(`select * from ${table} where ${where}`).bind(campaignNumber).run()).results
  const lost = [
    ['dialers', 'campaign_number = ?1'],
    ['api_keys', 'campaign_number = ?1 and is_dialer = 1'],
  ] as const
  const kept = await Promise.all(lost.map(([table, where]) => rowsOf(table, where)))
  const remove = async () => {
    for (const [table, where] of lost)
      await companyDb.prepare(`delete from ${table} where ${where}`).bind(campaignNumber).run()
  }
  await remove()
  return async () => {
    await remove()
    for (const [index, [table]] of lost.entries())
      for (const row of kept[index] as Record<string, unknown>[]) {
        const names = Object.keys(row)
        const places = names.map((_, at) => `?${at + 1}`)
        await companyDb
          .prepare(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`)
          .bind(...names.map((name) => row[name]))
          .run()
      }
  }
}

it('Live calls of a dialer without a row are hung up, others are not, and nobody else is called', async () => {
  const [world, neighbour] = [await seedDialling(always({})), await seedDialling(always({}))]
  for (const { lead, pass } of [world, neighbour]) {
    await lead()
    await pass(20)
  }
  await loseRow(world.campaign.number)
  for (const one of [world, neighbour]) {
    await one.lead()
    await one.pass(40)
  }
  expect(
    [world, neighbour].map(({ provider }) => provider.rung.map(({ hungUpAtMs }) => hungUpAtMs !== null)),
  ).toEqual([[true], [false, false]])
})

it.each<[outcome: Fate['outcome'], isHungUp: boolean]>([
  ['do_not_call', true],
  ['do_not_call', false],
  ['not_interested', false],
])(
  'The end of a call of a dialer without a row, %s, is recorded by the service itself (hung up: %s)',
  async (outcome, isHungUp) => {
    const world = await seedDialling(always({ outcome, lengthMs: 5 * minuteMs }))
    const other = await world.another()
    const { phoneNumber } = await world.lead()
    await world.pass(20)
    world.provider.state.hangUpFails = !isHungUp
    await loseRow(world.campaign.number)
    await world.pass(700)
    const doNotCall = outcome === 'do_not_call' ? 1 : 0
    expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome, doNotCall }])
    await other.add({ phoneNumber }, world.clock.ms)
    const { calls } = await other.claim(world.clock.ms + 60 * minuteMs)
    expect(calls).toHaveLength(1 - doNotCall)
    await world.pass(3600)
    expect(world.simulated.memory.calls).toEqual([])
    expect([...world.simulated.written.keys()]).toEqual([])
  },
)

it('When a restore is undone, no lead rings a second time while its first call is live', async () => {
  const world = await seedDialling(always({ lengthMs: 50 * minuteMs, outcome: 'not_interested' }))
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  world.provider.state.hangUpFails = true
  const undo = await loseRow(world.campaign.number)
  await world.pass(300)
  await undo()
  const next = await world.lead()
  for (let i = 0; i < 50; i++) {
    await world.pass(60)
    await settleEverything(world.clock.ms)
    world.wake()
  }
  expect(world.provider.rung.map((call) => call.phoneNumber)).toEqual([phoneNumber, next.phoneNumber])
  expect(await world.outcomesOf(phoneNumber)).toEqual(['not_interested'])
  expect(world.simulated.memory.state.health.stopped).toBeNull()
})

it('A dialer without a row and without calls forgets all that it has', async () => {
  const world = await seedDialling()
  await world.pass(5)
  expect(world.simulated.written.size).toBeGreaterThan(0)
  await loseRow(world.campaign.number)
  world.wake()
  await world.pass(5)
  expect([...world.simulated.written.keys()]).toEqual([])
})

it('A new life without memory releases what nobody dialled, and never a call that was dialled', async () => {
  const world = await seedDialling(always({}))
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  const other = await world.lead()
  await world.claimAsDialer()
  world.simulated.liveOn(new Map())
  world.wake()
  await world.pass(20)
  expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome: null, providerCallId: 'p1' }])
  expect((await world.outcomesOf(other.phoneNumber))[0]).toBe('released')
  expect(world.provider.rung.map((call) => call.phoneNumber)).toEqual([phoneNumber, other.phoneNumber])
})

it('The object of a dialer without a row hangs its call up with the secret of the call, and records the no', async () => {
  const state = { isHungUp: false }
  const no = { state: 'ended', reason: 'answered', talked: true, analysis: { doNotCall: 'Ja' } }
  const world = await seedDialer((sent) => {
    if (sent.path.endsWith('/end')) state.isHungUp = true
    return state.isHungUp && sent.method === 'GET' ? Response.json(no) : lasting(sent)
  })
  const { leadId, phoneNumber } = await world.add()
  await world.run()
  await world.run(15)
  await loseRow(world.campaign.number)
  await world.run(15)
  await world.run(15)
  expect(world.hungUp().map(({ headers }) => headers.get('authorization'))).toEqual([
    world.starts()[0]?.headers.get('authorization'),
  ])
  expect(await world.callsOf(leadId)).toMatchObject([{ outcome: 'do_not_call' }])
  const listed = dataOf(await world.manager.request('GET', '/api/v1/suppressions'), 200)
  expect(JSON.stringify(listed)).toContain(phoneNumber)
  expect((await world.ask('GET')).status).toBe(404)
})
