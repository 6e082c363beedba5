// One call that throws, among others: it alone is set aside, and all else goes its way.
import { expect, it } from 'vitest'
import { countAside, noteOf } from '../../../src/channels/dialers/dialer-status.ts'
import { minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { failingDatabase } from '../../support/dialers/failing-database.ts'

class Poisoned extends Error {
  override readonly name = 'Poisoned'
}

/** Refuses each report whose text holds this. */
const refusing = (text: string) =>
  failingDatabase((texts) =>
    texts.includes('insert into call_details') && texts.includes(text) ? 'D1_ERROR: malformed JSON' : null,
  )

async function addLeads(world: Awaited<ReturnType<typeof seedDialling>>, count: number) {
  const numbers: string[] = []
  for (let i = 0; i < count; i++) numbers.push((await world.add({}, world.clock.ms)).phoneNumber)
  world.wake()
  return numbers
}

async function outcomesOf(world: Awaited<ReturnType<typeof seedDialling>>): Promise<Record<string, number>> {
  const { results } = await companyDb
    .prepare(
      "select coalesce(outcome, 'open') as outcome, count(*) as n from calls where company_id = ?1 group by 1",
    )
    .bind(world.companyId)
    .run<{ outcome: string; n: number }>()
  return Object.fromEntries(results.map(({ outcome, n }) => [outcome, n]))
}

it('A call that throws whenever it is asked for is set aside, and ninety-nine others are reported', async () => {
  let poisonedId = ''
  const world = await seedDialling({
    fateOf: () => withFate({ lengthMs: 2 * minuteMs }),
    dialer: { maxLive: 100 },
    through: (provider) => ({
      ...provider,
      ask: async (providerId, ...of) => {
        poisonedId ||= providerId
        if (providerId === poisonedId) throw new Poisoned()
        return provider.ask(providerId, ...of)
      },
    }),
  })
  await world.change({ callsPerMinute: 600 })
  await addLeads(world, 100)
  await world.pass(240)
  expect(await outcomesOf(world)).toEqual({ answered: 99, open: 1 })
  const { state, calls } = world.simulated.memory
  expect([countAside(calls), noteOf(state, world.clock.ms).failingReason]).toEqual([1, 'Poisoned'])
  expect(world.simulated.counts.mostInRound).toBeLessThanOrEqual(40)
  await world.pass(15 * 60)
  await settleEverything(world.clock.ms)
  expect(await outcomesOf(world)).toEqual({ answered: 99, unknown: 1 })
  expect(world.simulated.memory.calls).toEqual([])
}, 60_000)

it('A call whose report the database refuses is set aside, and those beside it are reported', async () => {
  const world = await seedDialling({ db: refusing('"p2"'), dialer: { maxLive: 10 } })
  const numbers = await addLeads(world, 5)
  await world.pass(200)
  const outcomes = await Promise.all(numbers.map((number) => world.outcomesOf(number)))
  expect(outcomes.flat().filter((outcome) => outcome === 'answered')).toHaveLength(4)
  await world.pass(15 * 60)
  await settleEverything(world.clock.ms)
  expect(await outcomesOf(world)).toEqual({ answered: 4, unknown: 1 })
})

it('A dialer that is removed completes, though one of its calls throws', async () => {
  const world = await seedDialling({
    through: (provider) => ({
      ...provider,
      ask: async () => {
        throw new Poisoned()
      },
    }),
  })
  const { phoneNumber } = await world.lead()
  await world.pass(5)
  await world.remove()
  await world.pass(20 * 60)
  await settleEverything(world.clock.ms)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['unknown'])
  const rows = companyDb.prepare('select count(*) as n from dialers where company_id = ?1')
  expect(await rows.bind(world.companyId).first()).toEqual({ n: 0 })
})

it('A start that throws counts as one that may have rung, and the next lead is called', async () => {
  let starts = 0
  const world = await seedDialling({
    through: (provider) => ({
      ...provider,
      start: async (...of) => {
        if (starts++ === 0) throw new Poisoned()
        return provider.start(...of)
      },
    }),
  })
  await world.lead()
  await world.lead()
  await world.pass(120)
  expect(await outcomesOf(world)).toEqual({ answered: 1, open: 1 })
})

it('A lease is not extended beyond an hour after the longest call, whatever became of the call', async () => {
  const world = await seedDialling({
    fateOf: () => withFate({ lengthMs: 60 * minuteMs }),
    dialer: { variables: { maxCallSeconds: '600' } },
  })
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  const leaseEndsAtMs = async () => {
    const lease = companyDb.prepare(
      'select lease_expires_at_ms as ms from leads where campaign_number = ?1 and phone_number = ?2',
    )
    return (await lease.bind(world.campaign.number, phoneNumber).first<{ ms: number }>())?.ms
  }
  const before = await leaseEndsAtMs()
  const [call] = world.simulated.memory.calls
  const nowMs = world.clock.ms
  // As of one that was seen to be over, and of which no end could be kept.
  world.simulated.memory.changeCall(call?.callId ?? '', {
    ...{ startedAtMs: nowMs - (600 + 3600 - 500) * 1000, overAtMs: nowMs, askedAtMs: nowMs },
    leaseEndsAtMs: nowMs + 100_000,
  })
  world.wake()
  await world.pass(10)
  expect(await leaseEndsAtMs()).toBe(before)
  await world.pass(700)
  expect(world.simulated.memory.calls).toEqual([])
})

it('A do-not-call whose details the database refuses is reported without them, and is not set aside', async () => {
  const world = await seedDialling({
    db: refusing('"p1"'),
    fateOf: () => withFate({ outcome: 'do_not_call' }),
  })
  const { phoneNumber } = await world.lead()
  await world.pass(120)
  expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome: 'do_not_call', seconds: null }])
  expect(countAside(world.simulated.memory.calls)).toBe(0)
})

it('A do-not-call that the database refuses altogether is tried each minute, and others are reported beside it', async () => {
  const state = { isRefusing: true, refused: 0 }
  const db = failingDatabase((texts) => {
    const isReport = texts.includes(',"do_not_call",null,1,')
    if (!isReport || !state.isRefusing) return null
    state.refused++
    return 'D1_ERROR: malformed JSON'
  })
  const [forbidden, other] = ['+4930200000001', '+4930200000002']
  const world = await seedDialling({
    db,
    fateOf: (phoneNumber) => withFate(phoneNumber === forbidden ? { outcome: 'do_not_call' } : {}),
  })
  for (const phoneNumber of [forbidden, other]) await world.lead({ phoneNumber })
  await world.pass(600)
  expect([await world.outcomesOf(forbidden), await world.outcomesOf(other)]).toEqual([[null], ['answered']])
  expect(state.refused).toBeLessThan(15)
  expect(noteOf(world.simulated.memory.state, world.clock.ms).failingReason).not.toBeNull()
  const later = await world.lead()
  await world.pass(90)
  expect(await world.outcomesOf(later.phoneNumber)).toEqual(['answered'])
  state.isRefusing = false
  await world.pass(61)
  expect(await world.callsOf(forbidden)).toMatchObject([{ outcome: 'do_not_call', doNotCall: 1 }])
  expect(world.provider.rung).toHaveLength(3)
})

it('A note of a start that the database refuses is given up, and all calls are noted beside it and reported', async () => {
  const isNote = (texts: string) => texts.includes("'call.started'") && texts.includes('"p2"')
  const db = failingDatabase((texts) => (isNote(texts) ? 'D1_ERROR: malformed JSON' : null))
  const world = await seedDialling({ db, dialer: { maxLive: 10 } })
  const numbers = await addLeads(world, 3)
  await world.pass(30)
  const noted = async () =>
    (await Promise.all(numbers.map((number) => world.callsOf(number))))
      .flat()
      .filter(({ dialledAtMs }) => dialledAtMs !== null).length
  expect([await noted(), world.simulated.memory.calls.every(({ isNoted }) => isNoted)]).toEqual([2, true])
  await world.pass(120)
  expect(await outcomesOf(world)).toEqual({ answered: 3 })
})

it.each<[what: string, isPart: (texts: string) => boolean]>([
  ['notes of starts', (texts) => texts.includes("'call.started'")],
  ['looks for stops', (texts) => texts.includes('consent_withdrawn') && !texts.includes('insert into')],
])('Calls are asked for and reported although %s fail', async (_, isPart) => {
  let failed = 0
  const db = failingDatabase((texts) => {
    if (!isPart(texts)) return null
    failed++
    return 'D1_ERROR: something new'
  })
  const world = await seedDialling({ db })
  await addLeads(world, 2)
  await world.pass(150)
  expect([failed > 0, await outcomesOf(world)]).toEqual([true, { answered: 2 }])
})
