// A claim that finds nothing among 400 zones with 101 priorities each: what it reads, when it says to ask again, and
// that lanes which rest are awake as soon as a lead of theirs is due sooner, whatever puts it there.

import { beforeAll, describe, expect, it } from 'vitest'
import { readOutlook } from '../../../src/queue/calling/bell/store/outlook.ts'
import { changeLead } from '../../../src/queue/leads/store/change.ts'
import {
  type CallingWorld,
  fillQueue,
  hourMs,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../../support/calling/calling.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'

const zones = Intl.supportedValuesOf('timeZone')
  .filter((zone) => zone !== 'UTC')
  .slice(0, 400)

/** Of lead `i`, as SQL: zone by zone, and then one priority after the other. */
const zoneOf = (names: readonly string[]) =>
  `json_extract('${JSON.stringify(names)}', '$[' || (cast(i as integer) % ${names.length}) || ']')`
const rankOf = (names: readonly string[]) => `(cast(i as integer) / ${names.length}) % 101`

const never = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }

/** Leads that wait in so many zones at each of 101 priorities, the first for ten minutes; hours are known. */
async function seedWaiting(count: number, settings = openSettings) {
  const world = await seedCallingWorld(settings)
  const names = zones.slice(0, count)
  await fillQueue(world.campaign, count * 101, {
    rank: rankOf(names),
    lane: zoneOf(names),
    due: `${noonMs + 10 * minuteMs - 1} + cast(i as integer)`,
  })
  for (let claims = 0; claims < Math.ceil(count / 100) + 1; claims++) await world.claim(noonMs)
  return world
}

async function costOf(world: CallingWorld, atMs: number) {
  const { DB, trips } = watchedDatabase()
  const got = await world.claim(atMs, { maxCalls: 10 }, DB)
  const rowsRead = trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
  return { ...got, trips: trips.length, rowsRead }
}

const closedSettings = {
  ...openSettings,
  callingHours: never,
  appointmentHours: never,
} as typeof openSettings

const outlookOf = ({ companyId, campaign }: CallingWorld) =>
  readOutlook(companyDb, { companyId, number: campaign.number }, noonMs)

async function restsOf({ campaign }: CallingWorld): Promise<number> {
  const row = await companyDb
    .prepare('select count(*) as n from resting_lanes where campaign_number = ?1')
    .bind(campaign.number)
    .first<{ n: number }>()
  return row?.n ?? 0
}

it('An empty claim among 400 zones of 101 priorities reads a few rows a zone, and says when the first lead is due', async () => {
  const world = await seedWaiting(400)
  expect(await costOf(world, noonMs)).toMatchObject({
    calls: [],
    reason: 'waiting',
    retryAfterSeconds: 30,
    trips: 1,
  })
  expect((await costOf(world, noonMs)).rowsRead).toBeLessThan(11_000)
  // Shortly before, and when it has come.
  expect((await costOf(world, noonMs + 10 * minuteMs - 20_000)).retryAfterSeconds).toBe(20)
  const { calls } = await costOf(world, noonMs + 10 * minuteMs)
  expect(calls).toHaveLength(1)
  // Of the thousand that have come a second later, those of the highest priority.
  const next = await costOf(world, noonMs + 10 * minuteMs + 1_000)
  const ranks = next.calls.map(({ lead }) => JSON.parse(lead).priority as number)
  expect(ranks).toEqual(Array.from({ length: 10 }, () => 2))
})

it('An empty claim among 400 zones of 101 priorities reads as few while all are closed, and says when they open', async () => {
  const callingHours = {
    ...never,
    thu: [['00:00', '24:00']],
  } as unknown as typeof openSettings.callingHours
  const world = await seedWaiting(400, { ...openSettings, callingHours, appointmentHours: never } as never)
  await companyDb
    .prepare('update leads set due_at_ms = ?2 where campaign_number = ?1')
    .bind(world.campaign.number, noonMs - hourMs)
    .run()
  // Somewhere it is Thursday already: only zones where it is not are asked for.
  await companyDb
    .prepare(
      `update leads set due_at_ms = null where campaign_number = ?1 and lane in (select lane from openings
         where opens_at_ms <= ?2 and closes_at_ms > ?2 and campaign_number = ?1)`,
    )
    .bind(world.campaign.number, noonMs)
    .run()
  const { calls, reason, rowsRead } = await costOf(world, noonMs)
  expect([calls, reason]).toEqual([[], 'outside_hours'])
  expect(rowsRead).toBeLessThan(20_000)
})

it('An empty claim among 400 zones of 101 priorities reads as few while nothing is due, and a wait knows when to look again', async () => {
  const world = await seedWaiting(400, closedSettings)
  const { reason, retryAfterSeconds, rowsRead } = await costOf(world, noonMs)
  expect([reason, retryAfterSeconds]).toEqual(['waiting', 30])
  expect(rowsRead).toBeLessThan(11_000)
  expect(await outlookOf(world)).toEqual({ canLease: false, nextMs: noonMs + 10 * minuteMs })
})

it('A wait that could not read everything looks again after 25 s', async () => {
  const world = await seedWaiting(21, closedSettings)
  // Due leads of closed lanes, each behind 100 that are not: such a lane cannot rest.
  await companyDb
    .prepare('update leads set due_at_ms = ?2 where campaign_number = ?1 and queue_rank = 0')
    .bind(world.campaign.number, noonMs - hourMs)
    .run()
  expect(await costOf(world, noonMs)).toMatchObject({ calls: [], retryAfterSeconds: 25 })
  expect(await outlookOf(world)).toEqual({ canLease: false, nextMs: noonMs + 25_000 })
})

it('An empty claim among few zones and priorities costs nothing more: no lane rests', async () => {
  const world = await seedWaiting(2)
  expect((await costOf(world, noonMs)).reason).toBe('waiting')
  expect(await restsOf(world)).toBe(0)
})

describe('A lane that rests', () => {
  let world: CallingWorld
  beforeAll(async () => {
    world = await seedWaiting(5, { ...openSettings, maxAttempts: 9 })
    expect(await restsOf(world)).toBe(10)
  })

  const zone = (index: number) => zones[index] as string
  const claimOne = async (atMs: number) => (await world.claim(atMs, { maxCalls: 1 })).calls[0]
  const leadOf = (call: { lead: string } | undefined) => JSON.parse(call?.lead ?? '{}')._id

  it('A lane that rests is awake for a lead that comes in', async () => {
    const { leadId } = await world.add({ timeZone: zone(0) }, noonMs)
    expect(leadOf(await claimOne(noonMs))).toBe(leadId)
    const later = await world.add(
      { timeZone: zone(0), scheduledFor: new Date(noonMs + 20_000).toISOString() },
      noonMs,
    )
    expect((await world.claim(noonMs)).retryAfterSeconds).toBe(20)
    expect(leadOf(await claimOne(noonMs + 20_000))).toBe(later.leadId)
  })

  it('A lane that rests is awake for a lead that is moved there, or is due sooner by a change', async () => {
    const { leadId } = await world.add({ scheduledFor: new Date(noonMs + 5 * hourMs).toISOString() }, noonMs)
    const change = (changes: Parameters<typeof changeLead>[3]) =>
      changeLead(companyDb, world.asWriter(noonMs), leadId, changes, null)
    await change({ timeZone: zone(1) })
    expect(await claimOne(noonMs)).toBeUndefined()
    await change({ scheduledFor: null })
    expect(leadOf(await claimOne(noonMs))).toBe(leadId)
  })

  it('A lane that rests is awake for a call that is released or reported, a removed suppression and a requeue', async () => {
    const { leadId } = await world.add({ timeZone: zone(2) }, noonMs)
    const first = await claimOne(noonMs)
    await world.release(noonMs, [{ callId: first?.callId as string, delaySeconds: 0 }])
    const second = await claimOne(noonMs)
    expect(leadOf(second)).toBe(leadId)
    const callbackAtMs = noonMs + 2 * minuteMs
    await world.report(noonMs, [
      { callId: second?.callId as string, outcome: 'callback_requested', callbackAtMs },
    ])
    expect(await claimOne(callbackAtMs - 1)).toBeUndefined()
    const third = await claimOne(callbackAtMs)
    expect(leadOf(third)).toBe(leadId)
    await world.report(callbackAtMs, [{ callId: third?.callId as string, outcome: 'answered' }])
    await world.change({ numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null } })
    await world.requeue(leadId, callbackAtMs)
    expect(leadOf(await claimOne(callbackAtMs))).toBe(leadId)
    const other = await world.add({ timeZone: zone(3) }, noonMs)
    await world.suppress([other.phoneNumber])
    expect(await claimOne(callbackAtMs)).toBeUndefined()
    await world.lift([other.phoneNumber])
    expect(leadOf(await claimOne(callbackAtMs))).toBe(other.leadId)
  })

  it('A lane that rests is awake in the order of the queue', async () => {
    const atMs = noonMs + 3 * minuteMs
    const low = await world.add({ timeZone: zone(4), priority: 3 }, atMs)
    const high = await world.add({ timeZone: zone(0), priority: 70 }, atMs)
    expect(leadOf(await claimOne(atMs))).toBe(high.leadId)
    expect(leadOf(await claimOne(atMs))).toBe(low.leadId)
  })
})
