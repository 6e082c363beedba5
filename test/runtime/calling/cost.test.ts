// What claiming and reporting cost: rows read and written, and plans that stay so whatever stands in the queue. The
// bounds are those of the design; a million leads are measured in test/hard.
import { beforeAll, describe, expect, it } from 'vitest'
import { listNumbers } from '../../../src/base/ledger/suppression/numbers.ts'
import { readFunnel } from '../../../src/control/statistics/store/funnel.ts'
import { previewCampaign } from '../../../src/queue/calling/store/blockers/preview.ts'
import { readCampaign } from '../../../src/queue/calling/store/campaign-overview.ts'
import { listSettings } from '../../../src/queue/calling/store/campaign-pages.ts'
import { listCallsOfLead, listOpenCalls } from '../../../src/queue/calling/store/history.ts'
import { requeueLeads } from '../../../src/queue/calling/store/requeue-many.ts'
import { settleAll } from '../../../src/queue/calling/store/settling/settle-all.ts'
import { eraseLead, erasePerson } from '../../../src/queue/erasure/store/erase.ts'
import { forgetOldCalls } from '../../../src/queue/erasure/store/number-memory.ts'
import { retainChunk } from '../../../src/queue/erasure/store/retain.ts'
import { changeLead } from '../../../src/queue/leads/store/change.ts'
import { createLead } from '../../../src/queue/leads/store/create.ts'
import { createLeads } from '../../../src/queue/leads/store/create-bulk.ts'
import { hashesIn, noHashes } from '../../support/access/actor.ts'
import {
  type CallingWorld,
  dayMs,
  fillQueue,
  hourMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  suppressFirst,
} from '../../support/calling/calling.ts'
import { planOf, rowsOf, type Statement, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { newLead } from '../../support/leads/new-lead.ts'
import { newPhone } from '../../support/world.ts'

/** Rows read by the pick alone, and by all of the claim. */
async function costOfClaim(world: CallingWorld, maxCalls = 10, nowMs = noonMs) {
  // The first one writes the openings.
  await world.claim(nowMs)
  const { DB, trips } = watchedDatabase()
  const { calls } = await world.claim(nowMs, { maxCalls }, DB)
  const pick = trips[0]?.statements.findIndex(({ sql }) => sql.startsWith('insert into claims')) ?? -1
  return {
    calls: calls.length,
    trips: trips.length,
    pick: trips[0]?.results[pick]?.meta.rows_read ?? Number.NaN,
    read: rowsOf(trips, 'rows_read'),
    written: rowsOf(trips, 'rows_written'),
  }
}

const busy = (calls: readonly { callId: string }[]) =>
  calls.map(({ callId }) => ({ callId, outcome: 'busy' as const }))

it('Rows read by a claim of ten are as many among 20,000 leads as among 500', async () => {
  const [small, large] = await Promise.all([seedCallingWorld(), seedCallingWorld()])
  await fillQueue(small.campaign, 500)
  await fillQueue(large.campaign, 20_000)
  const costs = [await costOfClaim(small), await costOfClaim(large)]
  // A deeper tree costs a row here and there.
  expect(costs[1]?.pick).toBeLessThan(1.05 * (costs[0]?.pick ?? 0))
  expect(costs[0]).toMatchObject({ calls: 10, trips: 1 })
  expect(costs[1]).toMatchObject({ calls: 10, trips: 1 })
  expect(costs[0]?.pick).toBeLessThan(240)
  for (const cost of costs) expect(cost.read).toBeLessThan(480)
})

it('Rows read by a claim of ten do not grow with leads of the future in front', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 500)
  const before = await costOfClaim(world)
  await fillQueue(world.campaign, 20_000, { rank: '100', due: `${noonMs + hourMs} + i` })
  const after = await costOfClaim(world)
  expect(after.pick - before.pick).toBeLessThan(30)
  expect(after.calls).toBe(10)
})

it('Rows read by a claim of ten are few when every lane is closed', async () => {
  const never = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }
  const world = await seedCallingWorld({ ...openSettings, callingHours: never, appointmentHours: never })
  await fillQueue(world.campaign, 5_000)
  const { calls, pick } = await costOfClaim(world)
  expect(calls).toBe(0)
  expect(pick).toBeLessThan(40)
})

it('Rows read by a claim of ten stay bounded by lanes times ranks of leads that are not due', async () => {
  const world = await seedCallingWorld()
  const lane =
    "case i % 5 when 0 then '' when 1 then 'Asia/Tokyo' when 2 then 'UTC' when 3 then " +
    "'Europe/Rome' else 'Asia/Dubai' end"
  await fillQueue(world.campaign, 20_000, { rank: '(i / 5) % 20', due: `${noonMs + hourMs} + i`, lane })
  expect((await costOfClaim(world)).pick).toBeLessThan(5 * 20 * 6 + 200)
})

it('Rows read by a claim of ten are many more only when a candidate is blocked, and all that is asked for is leased then', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 500)
  const plain = await costOfClaim(world)
  await suppressFirst(world.campaign, 60)
  const { DB, trips } = watchedDatabase()
  const { calls } = await world.claim(noonMs, { maxCalls: 20 }, DB)
  expect([calls.length, trips.length]).toEqual([20, 1])
  expect(rowsOf(trips, 'rows_read')).toBeGreaterThan(2 * plain.read)
})

it('Rows read by a claim of ten are few for a claim with nothing to settle; leases that ran out cost two trips more', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 50)
  expect((await costOfClaim(world)).trips).toBe(1)
  const { DB, trips } = watchedDatabase()
  const { calls } = await world.claim(noonMs + hourMs, { maxCalls: 10 }, DB)
  expect([calls.length, trips.length]).toEqual([10, 3])
  expect((await world.readQueued(noonMs + hourMs)).leased).toBe(10)
})

it('Rows read by a claim of ten stay bounded when its head is suppressed: 60 leave it first, then 510', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 5_000)
  await suppressFirst(world.campaign, 2_000)
  // The first one writes the openings.
  await world.claim(noonMs - 2 * hourMs)
  const { DB, trips } = watchedDatabase()
  expect(await world.claim(noonMs, { maxCalls: 10 }, DB)).toMatchObject({
    calls: [],
    reason: 'waiting',
    retryAfterSeconds: 1,
  })
  const picks = trips.map(({ statements, results }) => {
    const place = statements.findIndex(({ sql }) => sql.startsWith('insert into claims'))
    return results[place]?.meta.rows_read ?? Number.NaN
  })
  expect(picks).toHaveLength(2)
  expect(picks[0]).toBeLessThan(1_100)
  expect(picks[1]).toBeLessThan(510 * 18)
  expect((await world.readQueued()).queued).toBe(5_000 - 60 - 510)
})

it('Rows read by a claim of ten stay bounded by the leases that ran out, 200 of which are settled with each claim', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 3_000)
  for (let i = 0; i < 10; i++) await world.claim(noonMs, { maxCalls: 100 })
  const { DB, trips } = watchedDatabase()
  await world.claim(noonMs + hourMs, { maxCalls: 10 }, DB)
  expect(rowsOf(trips, 'rows_read')).toBeLessThan(10_000)
  expect((await world.readQueued(noonMs + hourMs)).leased).toBe(1_000 - 200 + 10)
})

it('Rows read by a preview are three for each lead that it looks at, however many are queued and held', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 14_000, { rank: 'i % 101' })
  await companyDb
    .prepare(
      'update leads set held_due_at_ms = due_at_ms, due_at_ms = null where campaign_number = ?1 and seq % 2',
    )
    .bind(world.campaign.number)
    .run()
  const { DB, trips } = watchedDatabase()
  const found = await previewCampaign(DB, world.access(world.agentKeyId, noonMs), {
    purpose: null,
    maxAgeDays: null,
  })
  if (found.kind !== 'previewed') throw new Error(found.kind)
  expect(found.counted).toBeGreaterThanOrEqual(1_000)
  expect(found.isWhole).toBe(false)
  // One for its place, which is read of 5,001; one for the lead, and one for its element of the list.
  expect(rowsOf(trips, 'rows_read')).toBeLessThan(5_001 + 2 * found.counted + 60)
})

describe('Rows written', () => {
  let world: CallingWorld
  beforeAll(async () => {
    world = await seedCallingWorld({ ...openSettings, maxAttempts: 50 })
    await fillQueue(world.campaign, 100)
    await world.claim(noonMs)
  })

  it('The rows written are four for a lead that comes in, three when its number is suppressed, and one for the hour', async () => {
    const write = async (phoneNumber: string) => {
      const { DB, trips } = watchedDatabase()
      const origin = {
        ...world.access(world.writeKeyId, noonMs),
        token: 'token000000',
        requestKey: null,
        hashes: noHashes,
      }
      await createLead(DB, origin, newLead({ phoneNumber }))
      return rowsOf(trips, 'rows_written')
    }
    const [suppressed, plain] = [newPhone(), newPhone()]
    await world.suppress([suppressed])
    expect([await write(plain), await write(suppressed)]).toEqual([4 + 1, 3 + 1])
  })

  it('The rows written are five for each lead of a claim and two for the claim, three for each report, and one for the hour', async () => {
    const { DB, trips } = watchedDatabase()
    const { calls } = await world.claim(noonMs, { maxCalls: 20 }, DB)
    expect(rowsOf(trips, 'rows_written')).toBe(20 * 5 + 2 + 1)
    const retries = watchedDatabase()
    await world.report(noonMs, busy(calls.slice(0, 10)), retries.DB)
    expect(rowsOf(retries.trips, 'rows_written')).toBe(10 * 3 + 1)
    const ends = watchedDatabase()
    await world.report(
      noonMs,
      calls.slice(10).map(({ callId }) => ({ callId, outcome: 'answered' as const })),
      ends.DB,
    )
    expect(rowsOf(ends.trips, 'rows_written')).toBe(10 * 3 + 1)
  })

  it('A claim that finds nothing writes no row', async () => {
    const empty = await seedCallingWorld()
    await empty.claim(noonMs)
    const { DB, trips } = watchedDatabase()
    await empty.claim(noonMs, {}, DB)
    expect([trips.length, rowsOf(trips, 'rows_written')]).toEqual([1, 0])
  })
})

it('Rows read by a report grow with its calls, and not with the company', async () => {
  const cost = async (leads: number) => {
    const world = await seedCallingWorld()
    // Other tests leave leads of the numbers that are filled in otherwise, which a report reads.
    const first = 3_000_000_000 + world.campaign.number * 20_000
    await fillQueue(world.campaign, leads, { phone: `'+1' || (${first} + i)` })
    const { calls } = await world.claim(noonMs, { maxCalls: 100 })
    const { DB, trips } = watchedDatabase()
    await world.report(noonMs, busy(calls), DB)
    return rowsOf(trips, 'rows_read')
  }
  const costs = [await cost(200), await cost(10_000)]
  expect(costs[1]).toBeLessThan(1.05 * (costs[0] ?? 0))
  // Of each number it is read whether it has another call, for when the lead can be called.
  expect(costs[1]).toBeLessThan(100 * 37.5)
})

it('A report of ten calls, half of them answered, sends eight statements, reads at most 387 rows, and writes 31', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 50, {
    phone: `'+1' || (${5_000_000_000 + world.campaign.number * 50} + i)`,
  })
  const { calls } = await world.claim(noonMs, { maxCalls: 10 })
  const { DB, trips } = watchedDatabase()
  const reports = calls.map(({ callId }, index) => ({
    callId,
    outcome: index % 2 === 0 ? ('answered' as const) : ('no_answer' as const),
  }))
  await world.report(noonMs, reports, DB)
  expect(trips.map((trip) => trip.statements.length)).toEqual([8])
  expect(rowsOf(trips, 'rows_read')).toBeLessThanOrEqual(387)
  expect(rowsOf(trips, 'rows_written')).toBe(31)
})

describe('Statements of calling', () => {
  let statements: Statement[]

  beforeAll(async () => {
    const { DB, trips } = watchedDatabase()
    const world = await seedCallingWorld()
    await fillQueue(world.campaign, 50)
    const lead = await world.add(
      { scheduledFor: '2026-11-18T11:00:00Z', timeZone: 'Asia/Tokyo' },
      noonMs - dayMs,
    )
    const { calls } = await world.claim(noonMs, { maxCalls: 10 }, DB)
    await world.tryClaim(noonMs, {}, DB, { requestKey: 'plans', requestToken: 't' })
    await world.report(noonMs, [{ callId: calls[0]?.callId as string, outcome: 'busy', details: '{}' }], DB)
    await world.report(noonMs, [{ callId: calls[6]?.callId as string, outcome: 'do_not_call' }], DB)
    await world.release(noonMs, [{ callId: calls[1]?.callId as string, delaySeconds: 0 }], DB)
    await world.extend(noonMs, [calls[2]?.callId as string], null, DB)
    await world.suppress([lead.phoneNumber], noonMs, DB)
    await world.lift([lead.phoneNumber], noonMs, DB)
    await world.requeue(lead.leadId, noonMs, DB)
    await world.explain(lead.leadId, noonMs, noonMs, DB)
    await listCallsOfLead(DB, world.asAgent(noonMs), lead.leadId)
    await listOpenCalls(DB, world.access(world.agentKeyId, noonMs), { agent: null, maxCalls: 5, after: null })
    await readCampaign(DB, world.access(world.agentKeyId, noonMs))
    await readFunnel(DB, world.access(world.agentKeyId, noonMs), { fromHour: 0, untilHour: noonMs / hourMs })
    await listSettings(DB, world.asAgent(noonMs), { isArchived: false, afterNumber: 0, size: 5 })
    const after = { phoneNumber: '', campaignNumber: 0 }
    for (const campaignId of [null, world.campaignId])
      await listNumbers(DB, world.asWriter(noonMs), { campaignId, maxNumbers: 5, after })
    await settleAll(DB, noonMs)
    await world.change({ retentionDays: 1 })
    await changeLead(DB, world.asWriter(noonMs), lead.leadId, { priority: 3, timeZone: null }, [1])
    const hashes = hashesIn(world.companyId)
    await eraseLead(DB, world.asManager(noonMs), lead.leadId, hashes)
    const person = { phoneNumber: calls[3]?.lead ?? '', suppress: true }
    await erasePerson(DB, world.asManager(noonMs), person, hashes)
    await world.requeue((await world.add()).leadId, noonMs, DB)
    const dead = { callId: calls[4]?.callId as string, outcome: 'wrong_number' as const }
    await world.report(noonMs, [dead])
    const origin = { ...world.access(world.writeKeyId, noonMs), token: 't', requestKey: null, hashes }
    await createLead(DB, origin, newLead({ phoneNumber: newPhone() }))
    const options = { withSkippedIds: true, isDryRun: false, invalid: 0 }
    await createLeads(DB, { ...origin, token: 'u' }, [newLead({ phoneNumber: newPhone() })], options)
    await forgetOldCalls(DB, noonMs)
    const given = { status: 'exhausted', sinceMs: 0 } as const
    await requeueLeads(DB, world.access(world.writeKeyId, noonMs), given, hashes)
    await world.report(noonMs, [{ callId: calls[5]?.callId as string, outcome: 'wrong_number' }])
    await retainChunk(DB, world.campaign.number, noonMs + 2 * dayMs, hashesIn)
    statements = trips.flatMap((trip) => trip.statements)
  })

  it('Statements of calling reach every table through its key or an index, and build none of their own', async () => {
    // Not tables: the request's JSON, rows that a statement has found before, and the settings in the cron's.
    const names = `item lane pick campaign lane_names lanes kind open_lanes place candidate near far judged
      verdict found stale heads ready next expired recent scope wanted granted granted_key corrected
      ended counted called moved freed key numbers configured chunk final lost listed back unqueued
      held failing forbidden head lane_kinds outlook stored intake suppressed not_queued scanned
      fitting latest spelling said hit u v w`.split(/\s+/)
    const harmless = new RegExp(`^SCAN (${names.join('|')}|CONSTANT|\\d+-ROW VALUES|\\()`)
    // The one row of a number's spellings, in a statement that has no table of this name.
    const isOfSpellings = (line: string, sql: string) =>
      /^SCAN [st]$/.test(line) && !new RegExp(`\\w as ${line.at(-1)}\\b`).test(sql)
    // The cron looks at the log of each company.
    const isHarmless = (line: string, { sql }: Statement) =>
      harmless.test(line) ||
      // The search index, by words and between two places.
      /^SCAN lead_search VIRTUAL TABLE INDEX \d+:M\d+><$/.test(line) ||
      isOfSpellings(line, sql) ||
      // The one lead of an explanation, as it is settled.
      (line === 'SCAN l LEFT-JOIN' && /left join \(select/.test(sql)) ||
      (line.startsWith('SCAN companies') && sql.startsWith('delete from events'))
    for (const statement of statements) {
      const plan = await planOf(statement)
      const bad = plan.filter(
        (line) => (line.startsWith('SCAN') && !isHarmless(line, statement)) || /AUTOMATIC/.test(line),
      )
      expect({ sql: bad.length > 0 ? statement.sql : '', bad }).toEqual({ sql: '', bad: [] })
    }
  })

  it('Statements of calling name the key that asks, when they touch leads, calls or numbers, except those of the cron', () => {
    const bare = statements.filter(
      ({ sql }) =>
        !/(api_keys\.|key_)id = \?/.test(sql) &&
        ![' as configured', ' as final', ' as due'].some((ofCron) => sql.includes(ofCron)),
    )
    expect(bare).not.toEqual([])
    for (const { sql } of bare) expect(sql).not.toMatch(/\b(leads|calls|call_details|suppressions)\b/)
  })
})
