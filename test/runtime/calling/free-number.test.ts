// Leads that a claim has moved away because their number was being called for another lead: they return when that call
// ends, as soon as the limits of the number allow. On a real D1.
import { expect, it } from 'vitest'
import { changeLead } from '../../../src/queue/leads/store/change.ts'
import {
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../../support/calling/calling.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { newPhone, seedCampaign } from '../../support/world.ts'

type Limits = { minGapMinutes: number | null; per24Hours: number | null; per7Days: number | null }

/** A number that is on the phone in one campaign, and was moved away by a claim in another. */
async function busyElsewhere(numberLimits: Limits, lead: object = {}) {
  const world = await seedCallingWorld({ ...openSettings, leaseSeconds: 7_200, numberLimits })
  const other = await world.another()
  const phoneNumber = newPhone()
  await world.add({ phoneNumber })
  const moved = await other.add({ phoneNumber, ...lead })
  const { calls } = await world.claim(noonMs)
  const callId = calls[0]?.callId as string
  expect((await other.claim(noonMs + minuteMs)).calls).toEqual([])
  return { world, other, moved, phoneNumber, callId }
}

const noLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }

it.each<[string, Limits]>([
  ['a lease of two hours', noLimits],
  ['one call a day', { ...noLimits, per24Hours: 1 }],
])(
  'A lead whose number was busy elsewhere returns at once when the other call is released, after it was moved by %s',
  async (_, limits) => {
    const { world, other, callId } = await busyElsewhere(limits)
    expect((await other.claim(noonMs + 2 * minuteMs)).calls).toEqual([])
    await world.release(noonMs + 3 * minuteMs, [{ callId, delaySeconds: 3_600 }])
    expect((await other.claim(noonMs + 3 * minuteMs)).calls).toHaveLength(1)
  },
)

it.each<[string, Limits, number]>([
  ['at once, where there is no limit', noLimits, noonMs + 3 * minuteMs],
  ['after the gap', { ...noLimits, minGapMinutes: 15 }, noonMs + 15 * minuteMs],
  ['after a day, where that is the limit', { ...noLimits, per24Hours: 1 }, noonMs + dayMs],
])(
  'A lead whose number was busy elsewhere returns when the other call is reported: %s',
  async (_, limits, freeAtMs) => {
    const { world, other, callId, phoneNumber } = await busyElsewhere(limits)
    await world.report(noonMs + 3 * minuteMs, [{ callId, outcome: 'no_answer' }])
    expect((await leadRow(other.campaign, phoneNumber)).due_at_ms).toBe(freeAtMs)
    expect((await other.claim(freeAtMs - 1)).calls).toEqual([])
    expect((await other.claim(freeAtMs)).calls).toHaveLength(1)
  },
)

it('A lead whose number was busy elsewhere keeps the time that it was given since, and a retry its spacing', async () => {
  const { world, other, moved, callId, phoneNumber } = await busyElsewhere(noLimits)
  const scheduledFor = new Date(noonMs + hourMs).toISOString()
  await changeLead(companyDb, other.asWriter(noonMs + 2 * minuteMs), moved.leadId, { scheduledFor }, null)
  await world.report(noonMs + 3 * minuteMs, [{ callId, outcome: 'no_answer' }])
  expect((await leadRow(other.campaign, phoneNumber)).due_at_ms).toBe(noonMs + hourMs)

  const spaced = await seedCallingWorld({ ...openSettings, numberLimits: noLimits })
  const beside = await spaced.another()
  const number = newPhone()
  await beside.add({ phoneNumber: number })
  const [first] = (await beside.claim(noonMs)).calls
  await beside.report(noonMs, [{ callId: first?.callId as string, outcome: 'no_answer' }])
  await spaced.add({ phoneNumber: number })
  const [second] = (await spaced.claim(noonMs)).calls
  await spaced.release(noonMs, [{ callId: second?.callId as string, delaySeconds: 0 }])
  expect((await leadRow(beside.campaign, number)).due_at_ms).toBe(noonMs + hourMs)
})

it('A lead whose number was busy elsewhere costs a report no more rows in a company of many campaigns', async () => {
  const cost = async (campaigns: number) => {
    const { world, callId } = await busyElsewhere(noLimits)
    for (let i = 0; i < campaigns; i++) await seedCampaign(world.companyId)
    const { DB, trips } = watchedDatabase()
    await world.report(noonMs + 3 * minuteMs, [{ callId, outcome: 'no_answer' }], DB)
    return trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
  }
  expect(await cost(100)).toBeLessThan(1.1 * (await cost(1)))
})

it('A report that frees no lead reads at most five rows for it for each call, and writes none', async () => {
  const world = await seedCallingWorld()
  for (let i = 0; i < 10; i++) await world.add()
  const { calls } = await world.claim(noonMs, { maxCalls: 10 })
  const { DB, trips } = watchedDatabase()
  await world.report(
    noonMs,
    calls.map(({ callId }) => ({ callId, outcome: 'no_answer' as const })),
    DB,
  )
  const step = trips[0]?.statements.findIndex(({ sql }) => sql.includes('free_at_ms')) ?? -1
  expect(trips[0]?.results[step]?.meta).toMatchObject({ rows_written: 0 })
  expect(trips[0]?.results[step]?.meta.rows_read).toBeLessThanOrEqual(1 + 5 * 10)
})
