// The nightly count that checks the hours against the leads: what it finds, what it repairs, and what it leaves alone.
import { expect, it, vi } from 'vitest'
import { recountByTheMinute } from '../../src/control/statistics/recount-cron.ts'
import { readFunnel } from '../../src/control/statistics/store/funnel.ts'
import { dayMs, fillQueue, hourMs, noonMs, seedCallingWorld } from '../support/calling/calling.ts'
import { databaseThat, planOf, watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { countBoth, readHours } from '../support/ledger/hours.ts'

const midnightMs = noonMs + dayMs / 2

/** What a run of the cron logs. */
async function recount(nowMs: number, db: D1Database = companyDb): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = []
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((record) => void records.push(record)),
  )
  await recountByTheMinute(db, nowMs)
  for (const spy of spies) spy.mockRestore()
  return records
}

/** Whatever other tests have left is counted, so that what comes after is this one's. */
async function recountAll(nowMs: number) {
  while ((await recount(nowMs)).length > 0);
}

const setStatus = (number: number, status: string) =>
  companyDb.prepare('update leads set status = ?2 where campaign_number = ?1').bind(number, status).run()

it('A recount finds a drift, logs it, and repairs it in the hour of the count, once a night', async () => {
  const world = await seedCallingWorld()
  const { number } = world.campaign
  for (let i = 0; i < 3; i++) await world.add()
  await recountAll(noonMs)
  // Nothing is logged today: the count waits for the night.
  expect(await recount(noonMs + hourMs)).toEqual([])
  await setStatus(number, 'concluded')
  const [records] = await recount(midnightMs)
  expect(records).toMatchObject({ event: 'statistics_recounted', drift: 6, postponed: 0 })
  const [hours, tables] = await countBoth(number)
  expect(hours).toEqual(tables)
  expect((await readHours(number)).at(-1)).toEqual({ hour: midnightMs / hourMs, d_raw: -3, d_concluded: 3 })
  expect(await recount(midnightMs + hourMs)).toEqual([])
  expect(await recount(midnightMs + dayMs)).toMatchObject([{ drift: 0 }])
})

it('A recount counts slice by slice, and repairs nothing twice when each answer is lost', async () => {
  const { campaign } = await seedCallingWorld()
  await recountAll(noonMs)
  await fillQueue(campaign, 50_001)
  let calls = 0
  const { DB, trips } = databaseThat(async (run) => {
    const answer = await run()
    if (++calls % 2 === 1) throw new Error('D1_ERROR: Network connection lost.')
    return answer
  })
  expect(await recount(midnightMs, DB)).toMatchObject([{ drift: 50_001 }])
  expect(trips.length).toBeGreaterThan(4)
  const [hours, tables] = await countBoth(campaign.number)
  expect(hours).toEqual(tables)
})

it('A recount is thrown away when anything was done in the campaign between two slices, and done again after an hour', async () => {
  const world = await seedCallingWorld()
  await recountAll(noonMs)
  await fillQueue(world.campaign, 50_001)
  let hasAdded = false
  const { DB } = databaseThat(async (run, { statements }) => {
    const answer = await run()
    // In the same hour, and to no other sum: a lead that is called and returns to the queue.
    if (hasAdded || !statements[0]?.sql.startsWith('update recounts')) return answer
    hasAdded = true
    const { calls } = await world.claim(midnightMs)
    await world.release(midnightMs, [{ callId: calls[0]?.callId as string, delaySeconds: 0 }])
    return answer
  })
  expect(await recount(midnightMs, DB)).toMatchObject([
    { campaigns: expect.any(Number), drift: 0, postponed: 1 },
  ])
  expect((await countBoth(world.campaign.number))[0].d_raw).toBe(0)
  expect(await recount(midnightMs + hourMs - 1)).toEqual([])
  expect(await recount(midnightMs + hourMs)).toMatchObject([{ campaigns: 1, drift: 50_001, postponed: 0 }])
})

it('A recount reads the campaign’s own leads and hours by their keys, once each', async () => {
  const world = await seedCallingWorld()
  await recountAll(noonMs)
  for (let i = 0; i < 30; i++) await world.add()
  const { DB, trips } = watchedDatabase()
  const access = world.access(world.agentKeyId, noonMs)
  await readFunnel(DB, access, { fromHour: 0, untilHour: noonMs / hourMs + 1 })
  await recount(midnightMs, DB)
  const plans: string[] = []
  for (const statement of trips.flatMap(({ statements }) => statements))
    plans.push(...(await planOf(statement)).filter((line) => /leads|\bh\b|recounts|\br\b/.test(line)))
  expect(plans.filter((line) => line.startsWith('SCAN'))).toEqual([])
  expect(plans).toContain('SEARCH leads USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)')
  expect(plans).toContain('SEARCH h USING PRIMARY KEY (campaign_number=? AND hour>? AND hour<?)')
  const ofThis = trips.filter(({ statements }) => statements[0]?.params.includes(world.campaign.number))
  const read = ofThis.map(({ results }) => results[0]?.meta.rows_read ?? 0)
  expect(Math.max(...read)).toBeLessThan(2 * 30 + 20)
})
