// An end that was seen is kept: whatever the provider says afterwards, it is reported.
import { expect, it } from 'vitest'
import type { CallEnd, CallStanding } from '../../../src/dialers/template/read-status.ts'
import { minuteMs, settleEverything } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling } from '../../support/dialers/dialling.ts'

const endAs = (
  outcome: CallEnd['outcome'],
  more: Partial<CallEnd> = {},
  isComplete = false,
): CallStanding => ({
  isComplete,
  end: {
    ...{ outcome, notDialled: null, callbackAtMs: null, durationSeconds: 7 },
    ...{ details: { summary: 'short' }, unmappedReason: null },
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
        return { standing, problem: null }
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
