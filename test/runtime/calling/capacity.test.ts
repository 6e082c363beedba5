// Cap and pace of a campaign below HTTP: what claims lease when many come at once, when answers are lost, and when
// leases end in each of the ways there are. The arithmetic of the pace is in test/unit/calling/pace.test.ts.
import { expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { reportAndClaim } from '../../../src/queue/calling/store/report.ts'
import { hashesIn } from '../../support/access/actor.ts'
import {
  type CallingWorld,
  fillQueue,
  hourMs,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
  suppressUnseen,
} from '../../support/calling/calling.ts'
import { callsOverPace } from '../../support/calling/pace.ts'
import { databaseLosingAnswers, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'

const leaseMs = 600_000
const graceMs = 2_000

async function seedCapacity(capacity: object, leads = 200): Promise<CallingWorld> {
  const world = await seedCallingWorld({ ...openSettings, ...capacity })
  // Writes the openings.
  await world.claim(noonMs - hourMs)
  if (leads > 0) await fillQueue(world.campaign, leads)
  return world
}

const atOnce = <Result>(count: number, act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

const liveOf = async ({ campaign }: CallingWorld) => {
  const row = await companyDb
    .prepare(
      'select count(*) as live from leads where campaign_number = ?1 and lease_expires_at_ms is not null',
    )
    .bind(campaign.number)
    .first<{ live: number }>()
  return row?.live
}

const pacedUntilUs = async ({ campaign }: CallingWorld) => {
  const row = await companyDb
    .prepare('select paced_until_us as us, version from calling_settings where campaign_number = ?1')
    .bind(campaign.number)
    .first<{ us: number | null; version: number }>()
  return row?.us
}

const shape = ({ calls, reason, retryAfterSeconds }: Awaited<ReturnType<CallingWorld['claim']>>) => [
  calls.length,
  reason,
  retryAfterSeconds,
]
const busy = (calls: readonly { callId: string }[]) =>
  calls.map(({ callId }) => ({ callId, outcome: 'busy' as const }))

function reportAndClaimIn(world: CallingWorld, nowMs: number, calls: readonly { callId: string }[]) {
  const origin = {
    ...world.access(world.agentKeyId, nowMs),
    ...{ requestKey: null, requestToken: randomBase62(11), hashes: hashesIn(world.companyId) },
  }
  const reports = busy(calls).map((report) => ({
    ...report,
    ...{ callbackAtMs: null, doNotCall: false, durationSeconds: null, providerCallId: null, details: null },
  }))
  return reportAndClaim(companyDb, reports, origin, { maxCalls: 5, leaseSeconds: null, agent: null })
}

it('The cap is never exceeded by a hundred claims at once, and is reached', async () => {
  const world = await seedCapacity({ maxLiveCalls: 13 })
  const claims = await atOnce(100, (index) => world.claim(noonMs, { maxCalls: 1 + (index % 4) }))
  expect(claims.reduce((sum, { calls }) => sum + calls.length, 0)).toBe(13)
  expect(await liveOf(world)).toBe(13)
  for (const { calls, reason } of claims) expect(reason).toBe(calls.length > 0 ? null : 'at_capacity')
})

it('The cap is never exceeded by claims, reports with claims and releases at once', async () => {
  const world = await seedCapacity({ maxLiveCalls: 10 }, 500)
  let held = [...(await world.claim(noonMs, { maxCalls: 10 })).calls]
  for (let round = 1; round <= 5; round++) {
    const nowMs = noonMs + round * 1000
    const [reported, released] = [held.slice(0, 3), held.slice(3, 6)]
    const live: (number | undefined)[] = []
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, async () => {
        const { calls } = await world.claim(nowMs, { maxCalls: 4 })
        live.push(await liveOf(world))
        return calls
      }),
      reportAndClaimIn(world, nowMs, reported).then((outcome) => {
        if (outcome.kind !== 'reported' || outcome.claim.kind !== 'claimed') throw new Error(outcome.kind)
        return outcome.claim.calls
      }),
      world
        .release(
          nowMs,
          released.map(({ callId }) => ({ callId, delaySeconds: 0 })),
        )
        .then(() => []),
    ])
    held = [...held.slice(6), ...answers.flat()]
    for (const count of live) expect(count).toBeLessThanOrEqual(10)
    held.push(...(await world.claim(nowMs, { maxCalls: 100 })).calls)
    expect([held.length, await liveOf(world)]).toEqual([10, 10])
  }
})

it('The cap has a place again after each way in which a lease is settled, and not before', async () => {
  const world = await seedCapacity({ maxLiveCalls: 1 })
  const claimed = async (nowMs: number) => (await world.claim(nowMs)).calls[0]
  const first = await claimed(noonMs)
  expect(await claimed(noonMs)).toBeUndefined()
  await world.report(noonMs, busy(first === undefined ? [] : [first]))
  const second = await claimed(noonMs)
  await world.release(noonMs, [{ callId: second?.callId as string, delaySeconds: 0 }])
  expect(await claimed(noonMs)).toBeDefined()
  // Expired, but not settled.
  const endMs = noonMs + leaseMs
  expect(shape(await world.claim(endMs + graceMs - 1))).toEqual([0, 'at_capacity', 1])
  expect(await claimed(endMs + graceMs)).toBeDefined()
  await settleEverything(endMs + leaseMs + 2 * graceMs)
  expect(await claimed(endMs + leaseMs + 2 * graceMs)).toBeDefined()
})

it('The cap counts leases that ran out until they are settled, 200 with each claim', async () => {
  const world = await seedCapacity({ maxLiveCalls: 300 }, 900)
  for (let i = 0; i < 3; i++) await world.claim(noonMs, { maxCalls: 100 })
  await world.change({ maxLiveCalls: 150 })
  // 100 are still to be settled.
  expect((await world.claim(noonMs + hourMs, { maxCalls: 100 })).calls).toHaveLength(50)
  expect(await liveOf(world)).toBe(150)
  expect((await world.claim(noonMs + hourMs, { maxCalls: 100 })).calls).toHaveLength(100)
})

it('The cap counts leases that are extended, however often', async () => {
  const world = await seedCapacity({ maxLiveCalls: 1 })
  const [call] = (await world.claim(noonMs)).calls
  for (let hours = 0; hours < 3; hours += 0.1)
    await world.extend(noonMs + hours * hourMs, [call?.callId as string])
  expect((await world.claim(noonMs + 2.95 * hourMs)).reason).toBe('at_capacity')
})

it('The cap may be lowered below what is live, which then ends as it does', async () => {
  const world = await seedCapacity({ maxLiveCalls: 5 })
  const { calls } = await world.claim(noonMs, { maxCalls: 5 })
  await world.change({ maxLiveCalls: 2 })
  await world.report(noonMs, busy(calls.slice(0, 3)))
  expect((await world.claim(noonMs)).reason).toBe('at_capacity')
  await world.report(noonMs, busy(calls.slice(3, 4)))
  expect((await world.claim(noonMs, { maxCalls: 5 })).calls).toHaveLength(1)
  await world.change({ maxLiveCalls: null })
  expect((await world.claim(noonMs, { maxCalls: 5 })).calls).toHaveLength(5)
})

it('The cap is of one campaign: another of the company is as it was', async () => {
  const world = await seedCapacity({ maxLiveCalls: 1, callsPerMinute: 1 })
  const other = await world.another()
  await other.change({ maxLiveCalls: null, callsPerMinute: null })
  await fillQueue(other.campaign, 20, { phone: "'+2' || (2000000000 + i)" })
  await world.claim(noonMs)
  expect((await other.claim(noonMs, { maxCalls: 20 })).calls).toHaveLength(20)
})

it('The cap reads no more than its own number of leases', async () => {
  const readBy = async (world: CallingWorld) => {
    const { DB, trips } = watchedDatabase()
    await world.claim(noonMs, {}, DB)
    return trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
  }
  const world = await seedCapacity({}, 3_000)
  for (let i = 0; i < 10; i++) await world.claim(noonMs, { maxCalls: 100 })
  const uncapped = await readBy(world)
  await world.change({ maxLiveCalls: 20 })
  // To count them, and to find the end of the last: twice each. The claim itself reads no lead.
  expect(await readBy(world)).toBeLessThan(uncapped + 2 * 20)
})

it.each([90, 6_000])(
  'The pace of %i a minute is never exceeded by claims from all sides, and nearly reached',
  async (callsPerMinute) => {
    const world = await seedCapacity({ callsPerMinute }, 1_000)
    const begun: number[] = []
    for (let atMs = noonMs; atMs <= noonMs + 3_000; atMs += 250) {
      const claims = await atOnce(8, async (index) => {
        // Clocks of two Workers are not the same.
        const nowMs = atMs + (index % 3) * 20
        return (await world.claim(nowMs, { maxCalls: 1 + index * 5 })).calls.map(() => nowMs)
      })
      begun.push(...claims.flat())
    }
    expect(callsOverPace(callsPerMinute, begun)).toBe(0)
    expect(begun.length).toBeGreaterThanOrEqual((3 * callsPerMinute) / 60)
  },
)

it('The pace gets nothing back from a release, nor from a lease that ran out', async () => {
  const world = await seedCapacity({ callsPerMinute: 1, leaseSeconds: 30 })
  const [call] = (await world.claim(noonMs)).calls
  await world.release(noonMs, [{ callId: call?.callId as string, delaySeconds: 0 }])
  expect(shape(await world.claim(noonMs + 1))).toEqual([0, 'at_capacity', 30])
  expect(shape(await world.claim(noonMs + minuteMs))).toEqual([1, null, null])
  const expiredMs = noonMs + minuteMs + 30_000 + graceMs
  expect(shape(await world.claim(expiredMs))).toEqual([0, 'at_capacity', 28])
  expect(await liveOf(world)).toBe(0)
})

it('The pace begins again where it is changed, and only there', async () => {
  const world = await seedCapacity({ callsPerMinute: 1 })
  await world.claim(noonMs)
  const until = (noonMs + minuteMs) * 1000
  expect(await pacedUntilUs(world)).toBe(until)
  await world.change({ maxLiveCalls: 50, callsPerMinute: 1, leaseSeconds: 60 })
  expect(await pacedUntilUs(world)).toBe(until)
  expect((await world.claim(noonMs)).reason).toBe('at_capacity')
  await world.change({ callsPerMinute: 2 }, noonMs, databaseLosingAnswers(1).DB)
  expect(await pacedUntilUs(world)).toBeNull()
  expect((await world.claim(noonMs)).calls).toHaveLength(1)
  await world.change({ callsPerMinute: null })
  expect(await pacedUntilUs(world)).toBeNull()
  expect((await world.claim(noonMs, { maxCalls: 9 })).calls).toHaveLength(9)
  expect(await pacedUntilUs(world)).toBeNull()
})

it('The pace counts a claim once whose answer is lost, however often its batch is sent', async () => {
  const world = await seedCapacity({ callsPerMinute: 600 })
  expect((await world.claim(noonMs, { maxCalls: 4 }, databaseLosingAnswers(1).DB)).calls).toHaveLength(4)
  expect(await pacedUntilUs(world)).toBe(noonMs * 1000 + 4 * 100_000)
  expect(await liveOf(world)).toBe(4)
  expect((await world.claim(noonMs, { maxCalls: 100 }, databaseLosingAnswers(2).DB)).calls).toHaveLength(6)
  expect(await pacedUntilUs(world)).toBe(noonMs * 1000 + 10 * 100_000)
})

it('The pace is not used by a claim that leases nothing', async () => {
  const world = await seedCapacity({ callsPerMinute: 60 }, 0)
  await world.claim(noonMs, { maxCalls: 5 })
  expect(await pacedUntilUs(world)).toBeNull()
  // All that it finds is blocked.
  const { phoneNumber } = await world.add()
  await suppressUnseen(world.companyId, [phoneNumber])
  expect(shape(await world.claim(noonMs))).toEqual([0, 'waiting', 1])
  expect(await pacedUntilUs(world)).toBeNull()
})

it('The pace holds for the claim of a report too', async () => {
  const world = await seedCapacity({ callsPerMinute: 60 })
  const { calls } = await world.claim(noonMs)
  const early = await reportAndClaimIn(world, noonMs + 999, calls)
  expect(early.kind === 'reported' && early.claim).toMatchObject({ calls: [], reason: 'at_capacity' })
  expect(early.kind === 'reported' && early.claim).toMatchObject({ retryAfterSeconds: 1 })
  const due = await reportAndClaimIn(world, noonMs + 1_000, [])
  expect(due.kind === 'reported' && due.claim.kind === 'claimed' && due.claim.calls.length).toBe(1)
})

it('The reason at_capacity says how long the longer of cap and pace lasts', async () => {
  const world = await seedCapacity({ callsPerMinute: 3, maxLiveCalls: 1, leaseSeconds: 30 })
  await world.claim(noonMs)
  // The pace lasts until 20 s, the lease and its grace until 32 s.
  expect(shape(await world.claim(noonMs))).toEqual([0, 'at_capacity', 30])
  expect(shape(await world.claim(noonMs + 21_000))).toEqual([0, 'at_capacity', 11])
})

it('The reason at_capacity is only given when a lead could be called', async () => {
  const world = await seedCapacity({ maxLiveCalls: 1 }, 1)
  await world.claim(noonMs)
  expect((await world.claim(noonMs)).reason).toBe('waiting')
  await world.add({ scheduledFor: '2026-11-18T13:00:00Z' })
  expect((await world.claim(noonMs)).reason).toBe('waiting')
  await world.add({ timeZone: 'Asia/Tokyo' })
  await world.change({ callingHours: { wed: [['09:00', '17:00']] } })
  expect((await world.claim(noonMs)).reason).toBe('outside_hours')
  await world.add()
  expect((await world.claim(noonMs)).reason).toBe('at_capacity')
  await world.change({ paused: true })
  expect((await world.claim(noonMs)).reason).toBe('paused')
})

it('The reason at_capacity leaves blocked leads where they are, which a claim with room postpones', async () => {
  const world = await seedCapacity({ maxLiveCalls: 1 }, 5)
  await world.claim(noonMs)
  const before = await world.readQueued()
  await world.claim(noonMs)
  expect(await world.readQueued()).toEqual(before)
})

it('The blocker at_capacity of a lead lasts until the lease ends that would free a place, if none is reported before', async () => {
  const world = await seedCapacity({ maxLiveCalls: 2 }, 5)
  await world.claim(noonMs)
  await world.claim(noonMs + 1_000)
  const { leadId } = await world.add()
  const blocked = async (atMs: number) => {
    const explained = await world.explain(leadId, atMs)
    return explained.kind === 'explained' ? explained : null
  }
  const untilMs = noonMs + leaseMs + graceMs
  expect(await blocked(noonMs + 2_000)).toMatchObject({
    isCallable: false,
    blockers: [{ code: 'at_capacity', untilMs }],
    nextCallAtMs: untilMs,
  })
  expect(await blocked(untilMs - 1)).toMatchObject({ isCallable: false })
  expect(await blocked(untilMs)).toMatchObject({ isCallable: true, blockers: [] })
  // One lease too many: two have to end.
  await world.change({ maxLiveCalls: 1 })
  expect((await blocked(noonMs + 2_000))?.blockers).toEqual([
    { code: 'at_capacity', untilMs: untilMs + 1_000 },
  ])
  await world.change({ maxLiveCalls: 3 })
  expect((await blocked(noonMs + 2_000))?.blockers).toEqual([])
})

it('The blocker at_capacity of a lead lasts until the pace lets the next call begin', async () => {
  const world = await seedCapacity({ callsPerMinute: 1 }, 1)
  const { calls } = await world.claim(noonMs)
  const { leadId } = await world.add()
  expect(await world.explain(leadId, noonMs + 1_000)).toMatchObject({
    blockers: [{ code: 'at_capacity', untilMs: noonMs + minuteMs }],
  })
  expect(await world.explain(leadId, noonMs + minuteMs)).toMatchObject({ isCallable: true })
  // Not of the lead that is being called.
  const own = JSON.parse(calls[0]?.lead as string)._id
  const explained = await world.explain(own, noonMs + 1_000)
  expect(explained.kind === 'explained' && explained.blockers.map(({ code }) => code)).not.toContain(
    'at_capacity',
  )
})
