// Pick-up times on a real D1: a lead is measured from when it could first be called to its claim, once for each time
// that it comes into the queue with no attempt behind it.
import { expect, it } from 'vitest'
import { requeueLeads } from '../../../src/queue/calling/store/requeue-many.ts'
import type { WeeklyHours } from '../../../src/queue/campaigns/calling-hours.ts'
import { hashesIn } from '../../support/access/actor.ts'
import {
  alwaysOpen,
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  suppressUnseen,
} from '../../support/calling/calling.ts'
import { databaseLosingAnswers } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { countPickUps, readHours } from '../../support/ledger/hours.ts'

const secondMs = 1_000
const iso = (ms: number) => new Date(ms).toISOString()

/** Every day from one time to another. */
const daily = (from: string, to: string) =>
  Object.fromEntries(Object.keys(alwaysOpen).map((day) => [day, [[from, to]]])) as unknown as WeeklyHours

/** A campaign that has been open for a day at noon. */
async function seed(settings = openSettings) {
  const world = await seedCallingWorld()
  await world.change(settings, noonMs - dayMs)
  await companyDb
    .prepare('update calling_settings set callable_since_ms = ?2 where campaign_number = ?1')
    .bind(world.campaign.number, noonMs - dayMs)
    .run()
  return world
}

const countsOf = (world: CallingWorld) => countPickUps(world.campaign.number)

/** Claims one lead at `nowMs`, and says after how long it was picked up by the limits of the class it is counted in. */
async function pickUp(world: CallingWorld, nowMs: number) {
  const before = await countsOf(world)
  const { calls } = await world.claim(nowMs)
  expect(calls).toHaveLength(1)
  const after = await countsOf(world)
  const counted = ['1 s', '5 s', '30 s', '5 min', '1 h', 'later'].filter(
    (_, index) => (after[index] ?? 0) > (before[index] ?? 0),
  )
  expect(after.reduce((sum, n) => sum + n) - before.reduce((sum, n) => sum + n)).toBe(counted.length)
  return { callId: calls[0]?.callId as string, counted: counted[0] ?? 'not counted' }
}

it.each([
  ['1 s', 0, secondMs],
  ['5 s', secondMs + 1, 5 * secondMs],
  ['30 s', 5 * secondMs + 1, 30 * secondMs],
  ['5 min', 30 * secondMs + 1, 5 * minuteMs],
  ['1 h', 5 * minuteMs + 1, hourMs],
  ['later', hourMs + 1, 30 * dayMs],
])(
  'A pick-up time is counted within %s from its first to its last millisecond',
  async (counted, ...times) => {
    for (const ms of times) {
      const world = await seed()
      await world.add({}, noonMs)
      expect(await pickUp(world, noonMs + ms)).toMatchObject({ counted })
    }
  },
)

it('A pick-up time is counted in the hour of the claim, in the row that counts the claim', async () => {
  const world = await seed()
  await world.add({}, noonMs)
  await pickUp(world, noonMs + hourMs)
  const hour = noonMs / hourMs
  expect(await readHours(world.campaign.number)).toEqual([
    { hour, created: 1, d_raw: 1 },
    { hour: hour + 1, claimed: 1, pick_up_1h: 1, d_raw: -1, d_attempting: 1 },
  ])
})

it('A pick-up time is counted for each lead of a claim, and for none that only leaves the queue', async () => {
  const world = await seed()
  const { leadId, phoneNumber } = await world.add({}, noonMs - dayMs)
  const { callId } = await pickUp(world, noonMs - dayMs)
  await world.report(noonMs - dayMs, [{ callId, outcome: 'busy' }])
  await world.requeue(leadId, noonMs - dayMs)
  for (const ms of [2 * hourMs, 2 * secondMs, 0]) await world.add({}, noonMs - ms)
  // As if a Worker of before had stored it, in the queue all the same.
  await suppressUnseen(world.companyId, [phoneNumber])
  const before = await countsOf(world)
  expect((await world.claim(noonMs, { maxCalls: 5 })).calls).toHaveLength(3)
  const after = await countsOf(world)
  expect(after.map((n, index) => n - (before[index] ?? 0))).toEqual([1, 1, 0, 0, 0, 1])
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'exhausted' })
})

it('A pick-up time is counted once when the claim’s answer was lost, and not by a claim that is repeated', async () => {
  const world = await seed()
  await world.add({}, noonMs)
  const key = { requestKey: 'once', requestToken: 't' }
  const { DB } = databaseLosingAnswers(1)
  expect(await world.tryClaim(noonMs, {}, DB, key)).toMatchObject({ kind: 'claimed' })
  expect(await world.tryClaim(noonMs + minuteMs, {}, companyDb, key)).toMatchObject({ isReplay: true })
  expect(await countsOf(world)).toEqual([1, 0, 0, 0, 0, 0])
})

it('A lead can first be called at its due time, which is the appointment when there is one', async () => {
  const world = await seed()
  await world.add({ scheduledFor: iso(noonMs + hourMs) }, noonMs)
  expect(await pickUp(world, noonMs + hourMs + 3 * secondMs)).toMatchObject({ counted: '5 s' })
})

it('A lead can first be called when a call to its number no longer forbids it', async () => {
  const gap = { numberLimits: { minGapMinutes: 60, per24Hours: null, per7Days: null } }
  const world = await seed({ ...openSettings, ...gap })
  const other = await world.another()
  const { phoneNumber } = await other.add({}, noonMs)
  await other.claim(noonMs)
  await world.add({ phoneNumber }, noonMs)
  expect((await world.claim(noonMs)).calls).toEqual([])
  const [call] = (await world.claim(noonMs + dayMs)).calls
  expect(call).toBeDefined()
  expect(await countsOf(world)).toEqual([0, 0, 0, 0, 0, 1])
})

it('A lead can first be called at the begin of the opening, when it came in before', async () => {
  const world = await seed({ ...openSettings, callingHours: daily('12:00', '17:00') })
  await world.add({}, noonMs - 3 * hourMs)
  const { callId, counted } = await pickUp(world, noonMs + 2 * secondMs)
  expect(counted).toBe('5 s')
  await world.report(noonMs + minuteMs, [{ callId, outcome: 'answered' }])
  // The next day: the opening that contains the claim is another one.
  await world.add({}, noonMs + 6 * hourMs)
  expect(await pickUp(world, noonMs + dayMs + 20 * secondMs)).toMatchObject({ counted: '30 s' })
})

it('A lead can first be called at the begin of its own lane’s hours, by the hours of its kind', async () => {
  const callingHours = daily('12:00', '17:00')
  const world = await seed({ ...openSettings, callingHours, appointmentHours: daily('11:30', '17:00') })
  const early = noonMs - 3 * hourMs
  // At 12:00 in UTC it is 13:00 in Berlin, an hour after its hours began.
  await world.add({ timeZone: 'Europe/Berlin', priority: 2 }, early)
  await world.add({ priority: 1 }, early)
  await world.add({ scheduledFor: iso(early + minuteMs) }, early)
  const counted = []
  for (let i = 0; i < 3; i++) counted.push((await pickUp(world, noonMs + secondMs)).counted)
  expect(counted).toEqual(['1 h', 'later', '1 s'])
})

it('A lead can first be called when the campaign was configured first, resumed last, or last given a zone or hours', async () => {
  const changes = [
    { paused: false },
    { timeZone: 'Europe/Berlin' },
    { callingHours: daily('00:00', '23:00') },
    { appointmentHours: daily('00:00', '23:00') },
    { closedDates: ['2026-12-25'] },
  ]
  for (const change of changes) {
    const world = await seed()
    await world.add({}, noonMs - 2 * hourMs)
    await world.change({ paused: true }, noonMs - hourMs)
    if (!('paused' in change)) await world.change({ paused: false }, noonMs - hourMs)
    await world.change(change, noonMs)
    expect([change, await pickUp(world, noonMs + 4 * secondMs)]).toMatchObject([change, { counted: '5 s' }])
  }
  const first = await seedCallingWorld()
  await first.add({}, noonMs - hourMs)
  expect(await pickUp(first, noonMs + 4 * secondMs)).toMatchObject({ counted: '5 s' })
})

it('A lead can first be called as before, after any other change of settings, and while it stays paused or running', async () => {
  const world = await seed()
  await world.add({}, noonMs - 2 * minuteMs)
  const changes = [{ paused: false }, { maxAttempts: 9 }, { leaseSeconds: 60 }, { timeZone: 'UTC' }]
  for (const change of changes) await world.change(change, noonMs)
  await world.change({ paused: true }, noonMs)
  await world.change({ paused: true, outcomes: { busy: { minutes: 5 } } }, noonMs + secondMs)
  await world.change({ paused: false }, noonMs + 2 * secondMs)
  await world.change({ paused: false }, noonMs + 7 * secondMs)
  expect(await pickUp(world, noonMs + 8 * secondMs)).toMatchObject({ counted: '30 s' })
  const running = await seed()
  await running.add({}, noonMs - 2 * minuteMs)
  await running.change({ paused: false, maxAttempts: 9 }, noonMs)
  expect(await pickUp(running, noonMs + secondMs)).toMatchObject({ counted: '5 min' })
})

it('A lead that comes into the queue again is measured once more after a release, from the end of its delay', async () => {
  const world = await seed()
  await world.add({}, noonMs)
  const { callId } = await pickUp(world, noonMs)
  await world.release(noonMs + minuteMs, [{ callId, delaySeconds: 60 }])
  expect(await pickUp(world, noonMs + 2 * minuteMs + 4 * secondMs)).toMatchObject({ counted: '5 s' })
  expect(await countsOf(world)).toEqual([1, 1, 0, 0, 0, 0])
})

it('A lead that comes into the queue again is not measured for a retry, or after its lease ended or a retry was released', async () => {
  const world = await seed()
  await world.add({}, noonMs)
  const { callId } = await pickUp(world, noonMs)
  await world.report(noonMs, [{ callId, outcome: 'busy' }])
  const retry = await pickUp(world, noonMs + dayMs)
  expect(retry.counted).toBe('not counted')
  await world.release(noonMs + dayMs, [{ callId: retry.callId, delaySeconds: 0 }])
  expect(await pickUp(world, noonMs + dayMs)).toMatchObject({ counted: 'not counted' })
  const expired = await seed()
  await expired.add({}, noonMs)
  await pickUp(expired, noonMs)
  expect(await pickUp(expired, noonMs + dayMs)).toMatchObject({ counted: 'not counted' })
})

it('A lead that comes into the queue again is measured once more after a requeue of one lead or of many', async () => {
  const world = await seed({ ...openSettings, maxAttempts: 1 })
  const { leadId } = await world.add({}, noonMs)
  const first = await pickUp(world, noonMs)
  await world.report(noonMs, [{ callId: first.callId, outcome: 'busy' }])
  expect((await world.requeue(leadId, noonMs + dayMs)).result).toBe('requeued')
  const second = await pickUp(world, noonMs + dayMs + 3 * secondMs)
  expect(second.counted).toBe('5 s')
  await world.report(noonMs + dayMs + minuteMs, [{ callId: second.callId, outcome: 'busy' }])
  const access = world.access(world.writeKeyId, noonMs + 2 * dayMs)
  const given = { status: 'exhausted', sinceMs: 0 } as const
  expect(await requeueLeads(companyDb, access, given, hashesIn(world.companyId))).toMatchObject({
    requeued: 1,
  })
  expect(await pickUp(world, noonMs + 2 * dayMs + minuteMs)).toMatchObject({ counted: '5 min' })
})
