// Opening hours as rows: which of them a claim writes, how many at once, and in which size, however many windows and
// zones there are.
import { describe, expect, it } from 'vitest'
import { reportAndClaim } from '../../../src/queue/calling/store/report.ts'
import type { WeeklyHours } from '../../../src/queue/campaigns/calling-hours.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { fillQueue, hourMs, noonMs, openSettings, seedCallingWorld } from '../../support/calling/calling.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'

const zones = Intl.supportedValuesOf('timeZone')
  .filter((zone) => zone !== 'UTC')
  .slice(0, 100)

const at = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Open for a quarter of an hour, 48 times a day. */
const quarters = Array.from({ length: 48 }, (_, i) => [at(30 * i), at(30 * i + 15)])
const hours = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, quarters]),
) as unknown as WeeklyHours

it('The openings of a hundred lanes with 48 windows a day are written by several claims, with no parameter near 2 MB', async () => {
  const world = await seedCallingWorld({ timeZone: 'UTC', callingHours: hours, appointmentHours: hours })
  const names = zones.map((zone) => `'${zone}'`).join()
  const lane = `(select value from json_each(json_array(${names})) where key = cast(i as integer) % ${zones.length})`
  await fillQueue(world.campaign, zones.length, { lane })
  const covered = async () =>
    (
      await companyDb
        .prepare('select count(*) as n from calling_lanes where campaign_number = ?1')
        .bind(world.campaign.number)
        .first<{ n: number }>()
    )?.n ?? 0

  let before = 0
  const claimed = new Set<string>()
  for (let claims = 0; before < zones.length && claims < 20; claims++) {
    const { DB, trips } = watchedDatabase()
    const { calls } = await world.claim(noonMs + claims, { maxCalls: 50 }, DB)
    for (const call of calls) claimed.add(call.callId)
    const sizes = trips.flatMap(({ statements }) =>
      statements.flatMap(({ params }) => params.map((param) => Buffer.byteLength(String(param)))),
    )
    expect(Math.max(...sizes)).toBeLessThan(1_600_000)
    expect(trips.flatMap(({ statements }) => statements).length).toBeLessThanOrEqual(40)
    const now = await covered()
    expect(now).toBeGreaterThan(before)
    before = now
  }
  expect(before).toBe(zones.length)
  // Those that no claim before had room for.
  for (let claims = 0; claims < 3; claims++)
    for (const call of (await world.claim(noonMs + 100 + claims, { maxCalls: 100 })).calls)
      claimed.add(call.callId)
  expect(claimed.size).toBe(zones.length)
})

describe('A lease that ran out in a lane with no other lead, whose openings were forgotten', () => {
  /** At noon its lead is leased, and the settings change. An hour later it may be called again. */
  async function seed() {
    const world = await seedCallingWorld({ ...openSettings, outcomes: { unknown: { minutes: 0 } } })
    await world.add({ timeZone: 'Asia/Tokyo' })
    const { calls } = await world.claim(noonMs)
    expect(calls).toHaveLength(1)
    await world.change({ closedDates: ['2026-12-25'] })
    return world
  }

  it('The next claim settles and leases the only lead of a lane whose lease ran out and whose openings were forgotten', async () => {
    const world = await seed()
    const { DB, trips } = watchedDatabase()
    expect((await world.claim(noonMs + hourMs, {}, DB)).calls).toMatchObject([{ attempt: 2 }])
    // Two tries, and what they need between them: the settled lease and the openings.
    expect(trips).toHaveLength(4)
  })

  it('A claim with a report settles such a lease too, so that the next claim leases its lead in one trip', async () => {
    const world = await seed()
    const origin = {
      ...world.access(world.agentKeyId, noonMs + hourMs),
      requestKey: null,
      requestToken: 't',
      hashes: hashesIn(world.companyId),
    }
    await reportAndClaim(companyDb, [], origin, { maxCalls: 1, leaseSeconds: null, agent: null })
    const { DB, trips } = watchedDatabase()
    expect((await world.claim(noonMs + hourMs, {}, DB)).calls).toMatchObject([{ attempt: 2 }])
    expect(trips).toHaveLength(1)
  })
})
