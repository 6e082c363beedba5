// An end that was seen is kept: whatever the provider says afterwards, it is reported.
import { expect, it } from 'vitest'
import { afterAnswer } from '../../../src/channels/dialers/rounds/call-following.ts'
import { afterReport } from '../../../src/channels/dialers/rounds/call-over.ts'
import type { CallEnd, CallStanding } from '../../../src/channels/dialers/template/read-status.ts'
import { eraseLead, erasePerson } from '../../../src/queue/erasure/store/erase.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { failingDatabase, isWriting } from '../../support/dialers/failing-database.ts'
import type { Fate } from '../../support/dialers/fake-provider.ts'
import { newPhone } from '../../support/world.ts'

const endAs = (
  outcome: CallEnd['outcome'],
  more: Partial<CallEnd> = {},
  isComplete = false,
): CallStanding => ({
  isComplete,
  hasTalked: false,
  saidNo: outcome === 'do_not_call',
  isUnderstood: outcome === 'do_not_call',
  end: {
    ...{ isUnknown: false, mayHear: false },
    ...{ outcome, notDialled: null, callbackAtMs: null, durationSeconds: 7 },
    ...{ details: { summary: 'short' }, unmappedReason: null, reason: null },
    ...more,
  },
})

type Said = CallStanding | 'unreadable'

/** `says`: what the provider says to the first asking, the second, and so on; the last one to all that follow. */
async function seedSaying(says: readonly Said[]) {
  const asks: number[] = []
  const world = await seedDialling({
    through: (provider) => ({
      ...provider,
      ask: async (_, nowMs) => {
        const standing = says[Math.min(asks.length, says.length - 1)] ?? null
        asks.push(nowMs)
        return { standing, seen: null, ringing: null, problem: null }
      },
    }),
  })
  const { phoneNumber } = await world.lead()
  await world.pass(1)
  return { ...world, phoneNumber, asks }
}

const saidNo = endAs('do_not_call')

it.each<[then: string, says: readonly Said[], outcome: string]>([
  ['that it knows no such call', [saidNo, 'unreadable'], 'do_not_call'],
  ['that the call is live', [saidNo, null], 'do_not_call'],
  ['that the person has answered', [saidNo, endAs('answered')], 'do_not_call'],
  [
    'that the person has answered, and that this is all',
    [saidNo, endAs('answered', {}, true)],
    'do_not_call',
  ],
  ['that nobody was dialled', [saidNo, endAs('failed', { notDialled: 'busy' })], 'do_not_call'],
  ['nothing after a busy line', [endAs('busy'), 'unreadable'], 'busy'],
  ['that a busy line was answered', [endAs('busy'), endAs('answered'), 'unreadable'], 'answered'],
  ['that the person says no after all', [endAs('answered'), saidNo, 'unreadable'], 'do_not_call'],
])('An end that was seen is reported although the provider then says %s', async (_, says, outcome) => {
  const { pass, callsOf, phoneNumber } = await seedSaying(says)
  await pass(14 + 180 + 1)
  const doNotCall = outcome === 'do_not_call' ? 1 : 0
  expect(await callsOf(phoneNumber)).toMatchObject([{ outcome, doNotCall, seconds: 7 }])
})

it('An end without all that is said of it is reported 180 s after it was first seen, no sooner', async () => {
  const world = await seedSaying([endAs('busy'), 'unreadable'])
  await world.pass(14 + 178)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual([null])
  await world.pass(3)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['busy'])
})

it('A call that was not dialled is released once all is said of it, else 180 s after that was first seen', async () => {
  for (const notDialled of ['account', 'busy', 'lead'] as const) {
    const refused = (isComplete: boolean) => endAs('failed', { notDialled }, isComplete)
    const [soon, late] = [await seedSaying([refused(true)]), await seedSaying([refused(false), 'unreadable'])]
    for (const world of [soon, late]) {
      await world.pass(15)
      const { stopped, rest, refusals } = world.simulated.memory.state.health
      expect([stopped, rest?.reason, refusals]).toEqual(
        {
          account: ['account', undefined, 0],
          busy: [null, 'busy', 0],
          lead: [null, undefined, 1],
        }[notDialled],
      )
    }
    expect(await soon.outcomesOf(soon.phoneNumber)).toEqual(['released'])
    await late.pass(177)
    expect(await late.outcomesOf(late.phoneNumber)).toEqual([null])
    await late.pass(3)
    expect((await late.outcomesOf(late.phoneNumber))[0]).toBe('released')
    expect(late.simulated.memory.state.health.refusals).toBe(notDialled === 'lead' ? 1 : 0)
  }
})

it('A call that is live again though it was said not to be dialled is reported, and not released', async () => {
  const world = await seedSaying([endAs('failed', { notDialled: 'account' }), null])
  await world.pass(14 + 181)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['failed'])
})

it('An end that was seen is reported by an object that lost its life meanwhile', async () => {
  const world = await seedSaying([endAs('busy', { durationSeconds: 3 }), 'unreadable'])
  await world.pass(60)
  expect(JSON.stringify([...world.simulated.written])).not.toContain('short')
  world.simulated.liveOn(world.simulated.written)
  await world.pass(200)
  expect(await world.callsOf(world.phoneNumber)).toMatchObject([{ outcome: 'busy', seconds: 3 }])
})

it('What was said in a call is reported with its end, though the provider forgets it', async () => {
  const { pass, phoneNumber, companyId } = await seedSaying([endAs('busy'), 'unreadable'])
  await pass(14 + 181)
  const details = companyDb.prepare(
    `select d.details from calls as k join call_details as d on d.seq = k.seq and d.claimed_at_ms = k.claimed_at_ms
     where k.company_id = ?1 and k.phone_number = ?2`,
  )
  expect(await details.bind(companyId, phoneNumber).first()).toEqual({ details: '{"summary":"short"}' })
})

it('A call that is reported is asked every five minutes for a do-not-call, and for nothing else', async () => {
  const says = [endAs('busy'), ...Array<Said>(13).fill(endAs('answered')), saidNo]
  const { pass, asks, callsOf, simulated, phoneNumber, companyId } = await seedSaying(says)
  await pass(14 + 181)
  const before = asks.length
  await pass(560)
  expect(asks.length - before).toBeLessThanOrEqual(2)
  expect(await callsOf(phoneNumber)).toMatchObject([{ outcome: 'answered', doNotCall: 0 }])
  await pass(301)
  expect(await callsOf(phoneNumber)).toMatchObject([{ outcome: 'answered', doNotCall: 1 }])
  expect(simulated.memory.calls).toEqual([])
  const suppressed = companyDb.prepare(
    'select count(*) as n from suppressions where company_id = ?1 and phone_number = ?2',
  )
  expect(await suppressed.bind(companyId, phoneNumber).first()).toEqual({ n: 1 })
})

it('A call without any end that cannot be asked for an hour ends as unknown', async () => {
  const world = await seedSaying([null, 'unreadable'])
  await world.pass(62 * 60)
  await settleEverything(world.clock.ms + 11 * minuteMs)
  expect(await world.outcomesOf(world.phoneNumber)).toEqual(['unknown'])
})

const dailyLimit =
  "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid " +
  'plan or wait until tomorrow'

it.each([dailyLimit, 'D1_ERROR: something new'])(
  'Ends are kept, and reported afterwards, while the database writes nothing: %s',
  async (message) => {
    const state = { fails: false, tries: 0 }
    const db = failingDatabase((texts) => {
      if (!state.fails || !isWriting(texts)) return null
      state.tries++
      return message
    })
    const fates = [withFate({ outcome: 'do_not_call' })]
    const world = await seedDialling({ db, fateOf: () => fates.pop() ?? withFate({ reason: 'busy' }) })
    const leads = [await world.lead(), await world.lead()]
    await world.pass(40)
    state.fails = true
    await world.pass(240)
    expect(world.simulated.memory.calls.map(({ state: of, errorName }) => [of, errorName])).toEqual([
      ['following', null],
      ['following', null],
    ])
    state.fails = false
    await world.pass(10)
    const outcomes = await Promise.all(leads.map(({ phoneNumber }) => world.outcomesOf(phoneNumber)))
    expect(outcomes.flat().toSorted()).toEqual(['busy', 'do_not_call'])
    expect(world.provider.rung).toHaveLength(2)
  },
)

const brief = { variables: { maxCallSeconds: '300' } }

it('A call whose end came during an outage that outlasted its lease is asked for, and its end reported', async () => {
  const state = { fails: false }
  const db = failingDatabase(() => (state.fails ? 'D1_ERROR: D1 DB is overloaded.' : null))
  const fateOf = () => withFate({ outcome: 'do_not_call', lengthMs: minuteMs })
  const world = await seedDialling({ db, fateOf, dialer: brief })
  const { phoneNumber } = await world.lead()
  await world.pass(40)
  state.fails = true
  await world.pass(75 * 60)
  state.fails = false
  await world.pass(60)
  expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome: 'do_not_call', doNotCall: 1 }])
  expect(world.simulated.memory.calls).toEqual([])
})

it('Calls are asked for while the database writes nothing', async () => {
  const state = { fails: false }
  const db = failingDatabase((texts) =>
    state.fails && isWriting(texts) ? 'D1_ERROR: D1 DB is overloaded.' : null,
  )
  const fateOf = () => withFate({ outcome: 'do_not_call', lengthMs: 15 * minuteMs })
  const world = await seedDialling({ db, fateOf })
  await world.lead()
  await world.pass(40)
  state.fails = true
  // Its lease is to be extended by now.
  await world.pass(16 * 60)
  expect(world.simulated.memory.calls).toMatchObject([{ end: { outcome: 'do_not_call' } }])
})

it.each<[what: string, fate: Partial<Fate>]>([
  ['is unreadable then', { lengthMs: 290_000, status: 'errors' }],
  ['ends by the hang-up', { lengthMs: 60 * minuteMs }],
])('A do-not-call of a call that lasts to its maximum and %s is recorded', async (_, fate) => {
  const fateOf = () => withFate({ ...fate, outcome: 'do_not_call' })
  const world = await seedDialling({ fateOf, faultMs: 40_000, dialer: brief })
  const { phoneNumber } = await world.lead()
  await world.pass(400)
  expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome: 'do_not_call', doNotCall: 1 }])
})

it('What is said late of an end is stored as an alert may show it', async () => {
  const world = await seedSaying([endAs('answered'), 'unreadable'])
  await world.pass(14 + 181)
  const { memory } = world.simulated
  const [call] = memory.calls
  if (call?.state !== 'reported') throw new Error('It is not reported')
  const standing = endAs('do_not_call', { unmappedReason: 'called +49 30 1234567' })
  afterAnswer(memory, call, { standing, ringing: null, sentMs: world.clock.ms }, world.clock.ms)
  expect(memory.calls[0]?.end?.unmappedReason).not.toMatch(/1234567/)
})

it('A do-not-call that is answered while another end is being reported is reported after it', async () => {
  for (const isComplete of [true, false]) {
    const world = await seedSaying([null])
    const { memory } = world.simulated
    const answer = (standing: CallStanding) => {
      const [call] = memory.calls
      if (call === undefined) throw new Error('No call')
      afterAnswer(memory, call, { standing, ringing: null, sentMs: world.clock.ms }, world.clock.ms)
      return memory.call(call.callId) ?? call
    }
    const reported = answer(endAs('busy', {}, isComplete))
    answer(endAs('do_not_call'))
    afterReport(memory, reported, 'recorded', world.clock.ms)
    await world.pass(30)
    expect(await world.callsOf(world.phoneNumber)).toMatchObject([{ doNotCall: 1 }])
  }
})

it.each<[when: string, seconds: number, isPerson: boolean]>([
  ['lead is erased during the call', 30, false],
  ['lead is erased before the call is reported', 120, false],
  ['lead is erased after the call was reported', 500, false],
  ['person is erased after the call was reported', 500, true],
])('Nobody is called again whose no is found after the %s', async (_, seconds, isPerson) => {
  const fateOf = () => withFate({ status: 'no_analysis', outcome: 'do_not_call' })
  const options = { fateOf, faultMs: 15 * minuteMs }
  const [world, stranger] = [await seedDialling(options), await seedDialling()]
  const { leadId, phoneNumber } = await world.lead()
  await stranger.lead({ phoneNumber })
  await world.pass(seconds)
  const person = { phoneNumber, suppress: false }
  const erased = isPerson
    ? await erasePerson(companyDb, world.asManager(world.clock.ms), person, hashesIn(world.companyId))
    : await eraseLead(
        companyDb,
        world.access(world.manageKeyId, world.clock.ms),
        leadId,
        hashesIn(world.companyId),
      )
  expect(erased).toMatchObject({ leadsErased: 1, suppressed: true })
  await world.pass(3600)
  expect(world.simulated.memory.calls).toEqual([])
  for (const number of [phoneNumber, newPhone()]) await world.lead({ phoneNumber: number }).catch(() => {})
  await world.pass(3600)
  expect(world.provider.rung.filter((call) => call.phoneNumber === phoneNumber)).toHaveLength(1)
  expect(world.provider.rung).toHaveLength(2)
  await stranger.pass(60)
  expect(stranger.provider.rung).toHaveLength(1)
})

it.each([
  ['do_not_call', 0],
  ['not_interested', 1],
] as const)(
  'What is told of the call of an erased lead, %s, is heard after the suppression of the erasure was lifted',
  async (outcome, called) => {
    const fateOf = () => withFate({ status: 'no_analysis', outcome, lengthMs: 20 * minuteMs })
    const world = await seedDialling({ fateOf, faultMs: 2 * minuteMs })
    const { leadId, phoneNumber } = await world.lead()
    await world.pass(20)
    const access = world.access(world.manageKeyId, world.clock.ms)
    await eraseLead(companyDb, access, leadId, hashesIn(world.companyId))
    await world.lift([phoneNumber], world.clock.ms)
    await world.pass(3700)
    expect(world.simulated.memory.calls).toEqual([])
    const other = await world.another()
    await other.add({ phoneNumber }, world.clock.ms)
    const neighbour = await other.add({}, world.clock.ms)
    const { calls } = await other.claim(world.clock.ms, { maxCalls: 10 })
    expect(calls.map(({ lead }) => JSON.parse(lead).phoneNumber)).toEqual(
      [phoneNumber, neighbour.phoneNumber].slice(1 - called),
    )
  },
)

it('An erasure within the hour after a call suppresses the number of a call that a dialer asks for alone', async () => {
  const wrong = newPhone()
  const world = await seedDialling({
    fateOf: (phoneNumber) => withFate({ reason: phoneNumber === wrong ? 'number-wrong' : 'answered' }),
  })
  const [soon, late] = [await world.lead(), await world.lead()]
  const released = await world.lead({ phoneNumber: wrong })
  const other = await world.another()
  const byAgent = await other.add({}, world.clock.ms)
  const {
    calls: [call],
  } = await other.claim(world.clock.ms)
  await world.pass(120)
  const end = { callId: call?.callId ?? '', outcome: 'answered', providerCallId: 'p1' } as const
  await other.report(world.clock.ms, [end])
  const ends = [soon, late, released, byAgent].map(({ phoneNumber }) => world.outcomesOf(phoneNumber))
  expect(await Promise.all(ends)).toEqual([['answered'], ['answered'], ['released'], ['answered']])
  for (const [{ leadId }, campaign, minutes, suppressed] of [
    [soon, world, 58, true],
    [late, world, 60, false],
    [released, world, 0, false],
    [byAgent, other, 0, false],
  ] as const) {
    const access = campaign.access(world.manageKeyId, world.clock.ms + minutes * minuteMs)
    const erased = await eraseLead(companyDb, access, leadId, hashesIn(world.companyId))
    expect(erased).toMatchObject({ leadsErased: 1, suppressed })
  }
})
