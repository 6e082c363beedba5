// What retention keeps of a phone number whose lead it erases: that the person refused, or that the number was dead. On
// a real D1, by a clock that the test sets.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { numberHashes } from '../../src/base/ledger/suppression/number-hash.ts'
import { readKept, writeKept } from '../../src/control/companies/keep-rows.ts'
import { keptTables } from '../../src/control/companies/store/kept-rows.ts'
import type { KeptTable } from '../../src/control/companies/store/kept-table.ts'
import type { ReportedOutcome } from '../../src/queue/campaigns/outcomes.ts'
import { retainByTheMinute } from '../../src/queue/erasure/retention-cron.ts'
import { erasePerson } from '../../src/queue/erasure/store/erase.ts'
import { retainChunk } from '../../src/queue/erasure/store/retain.ts'
import { removeSuppressions } from '../../src/queue/suppression/store/remove-suppressions.ts'
import { hashesIn, noHashes } from '../support/access/actor.ts'
import {
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
} from '../support/calling/calling.ts'
import { call, countRows, importAgain, retain } from '../support/calling/number-memory.ts'
import { databaseThat } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { catchLogs } from '../support/run/logs.ts'

/** A lead that ended with this outcome, and was then erased by retention. */
async function retained(world: CallingWorld, outcome: ReportedOutcome) {
  const { phoneNumber } = await world.add({}, noonMs)
  await call(world, noonMs, outcome)
  expect(await retain(world, noonMs + 30 * dayMs)).toMatchObject({ hasErased: true, held: 0 })
  return phoneNumber
}

const seedRetaining = (more: object = {}) => seedCallingWorld({ ...openSettings, retentionDays: 30, ...more })
const laterMs = noonMs + 31 * dayMs

it.each<[ReportedOutcome, boolean]>([
  ['not_interested', true],
  ['wrong_number', true],
  ['invalid_number', true],
  ['answered', false],
])(
  'After retention, a number whose lead ended %s comes in again: suppressed is %s',
  async (outcome, isSuppressed) => {
    const world = await seedRetaining()
    const phoneNumber = await retained(world, outcome)
    const result = await importAgain(world, phoneNumber, laterMs)
    expect(result?.suppressed ?? false).toBe(isSuppressed)
    const row = await leadRow(world.campaign, phoneNumber)
    expect(row.due_at_ms === null).toBe(isSuppressed)
    expect((await world.claim(laterMs)).calls).toHaveLength(isSuppressed ? 0 : 1)
  },
)

it('After retention, a number whose lead was refused is suppressed in that campaign alone, and cannot be requeued there', async () => {
  const world = await seedRetaining()
  const other = await world.another()
  const phoneNumber = await retained(world, 'not_interested')
  const { leadId } = await world.add({ phoneNumber }, laterMs)
  expect((await world.requeue(leadId, laterMs)).result).toBe('number_suppressed')
  expect(await world.explain(leadId, laterMs)).toMatchObject({ blockers: [{ code: 'suppressed' }] })
  await other.add({ phoneNumber }, laterMs)
  expect((await other.claim(laterMs)).calls).toHaveLength(1)
})

it('After retention, a number whose lead ended by a wrong number that was reported late comes in suppressed', async () => {
  const worlds = [await seedRetaining(), await seedRetaining()]
  const suppressed = []
  for (const [index, world] of worlds.entries()) {
    const { phoneNumber } = await world.add({}, noonMs)
    const late = (await world.claim(noonMs)).calls[0]?.callId as string
    await settleEverything(noonMs + hourMs)
    const newer = (await world.claim(noonMs + 2 * hourMs)).calls[0]?.callId as string
    const outcome = index === 0 ? 'wrong_number' : 'no_answer'
    await world.report(noonMs + 2 * hourMs, [{ callId: late, outcome }])
    await world.change({ maxAttempts: 2 })
    await world.report(noonMs + 2 * hourMs, [{ callId: newer, outcome: 'no_answer' }])
    expect(await retain(world, noonMs + 31 * dayMs)).toMatchObject({ hasErased: true, held: 0 })
    suppressed.push((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false)
  }
  expect(suppressed).toEqual([true, false])
})

it('After retention, every spelling of a number whose lead was refused is suppressed in that campaign', async () => {
  const world = await seedRetaining()
  const [said, spelled] = ['+525512345678', '+5215512345678']
  await world.add({ phoneNumber: said }, noonMs)
  await call(world, noonMs, 'not_interested')
  expect(await retain(world, noonMs + 30 * dayMs)).toMatchObject({ hasErased: true, held: 0 })
  expect(await importAgain(world, spelled, laterMs)).toMatchObject({ suppressed: true })
  const other = await world.another()
  await other.add({ phoneNumber: spelled }, laterMs)
  expect((await world.claim(laterMs)).calls).toEqual([])
  expect((await other.claim(laterMs)).calls).toHaveLength(1)
})

const keptCalls = keptTables.find(({ name }) => name === 'calls') as KeptTable

/** Writes the call of a lead that came, and was called, after the moment of the restore. */
async function writeLost(world: CallingWorld, more: Record<string, unknown>) {
  const call: Record<string, unknown> = {
    company_id: world.companyId,
    phone_number: '+5215512345678',
    claimed_at_ms: noonMs,
    seq: world.campaign.number * 2 ** 32 + 5,
    token: 'a',
    attempt: 1,
    is_done: 0,
    do_not_call: 0,
    ...more,
  }
  const { name, columns } = keptCalls
  const rows = [JSON.stringify(columns.map((column) => call[column] ?? null))]
  await writeKept(companyDb, { table: name, rows, columns }, env.SUPPRESSION_PEPPER, noonMs + 1_000)
}

it('A restore keeps a refusal since for every spelling of the number, in that campaign', async () => {
  const world = await seedCallingWorld()
  const other = await world.another()
  await writeLost(world, { outcome: 'not_interested', ended_at_ms: noonMs + 1, is_done: 1 })
  for (const phoneNumber of ['+5215512345678', '+525512345678']) {
    expect(await importAgain(world, phoneNumber, laterMs)).toMatchObject({ suppressed: true })
    await other.add({ phoneNumber }, laterMs)
  }
  expect((await world.claim(laterMs)).calls).toEqual([])
  expect((await other.claim(laterMs)).calls).not.toEqual([])
})

it('A restore suppresses every spelling of a number whose open call has lost its lead, in its company alone', async () => {
  const [world, foreign] = [await seedCallingWorld(), await seedCallingWorld()]
  const other = await world.another()
  const spellings = ['+5215512345678', '+525512345678'] as const
  for (const some of [other, foreign]) await some.add({ phoneNumber: spellings[1] }, noonMs)
  const rowsOf = async (table: string, companyId: string) =>
    (await companyDb.prepare(`select * from ${table} where company_id = ?1`).bind(companyId).all()).results
  for (const times of [1, 2]) {
    await writeLost(world, {})
    // In plain the spelling that has a lead; both by hash, with the check of the pepper. A consent that comes later is
    // withdrawn of either.
    expect([times, (await rowsOf('suppressions', world.companyId)).length]).toEqual([times, 1])
    expect([times, (await rowsOf('number_log', world.companyId)).length]).toEqual([times, 2])
    expect([times, (await rowsOf('suppressed_hashes', world.companyId)).length]).toEqual([times, 3])
  }
  for (const table of ['suppressions', 'number_log', 'suppressed_hashes', 'number_calls'])
    expect([table, await rowsOf(table, foreign.companyId)]).toEqual([table, []])
  for (const phoneNumber of spellings)
    expect(await importAgain(world, phoneNumber, laterMs)).toMatchObject({ suppressed: true })
  for (const one of [world, other]) expect((await one.claim(laterMs)).calls).toEqual([])
  expect((await foreign.claim(laterMs)).calls).toHaveLength(1)
})

it('A number whose open call has lost its lead is listed where no pepper hashes it', async () => {
  const [world, foreign] = [await seedCallingWorld(), await seedCallingWorld()]
  const { name, columns } = keptCalls
  const call: Record<string, unknown> = { company_id: world.companyId, phone_number: '+14155550177', seq: 5 }
  const rows = [JSON.stringify(columns.map((column) => call[column] ?? null))]
  await writeKept(companyDb, { table: name, rows, columns }, undefined, noonMs)
  for (const one of [world, foreign]) await one.add({ phoneNumber: '+14155550177' }, laterMs)
  expect((await world.claim(laterMs)).calls).toEqual([])
  expect((await foreign.claim(laterMs)).calls).toHaveLength(1)
})

it('A lead carries the hash of a lost lead’s number also when its own call is in a later range of a restore', async () => {
  const [world, foreign] = [await seedCallingWorld(), await seedCallingWorld()]
  const other = await world.another()
  const { phoneNumber } = await world.add({}, noonMs)
  for (const one of [other, foreign]) await one.add({ phoneNumber }, noonMs)
  await call(world, noonMs)
  await call(other, noonMs + hourMs)
  const ranges = []
  let after = JSON.stringify([world.companyId, phoneNumber, -1, -1])
  for (const _ of ['lost', 'own']) {
    const place = { table: keptTables.indexOf(keptCalls), after }
    const { kept, next } = await readKept(companyDb, noonMs, place, 1)
    ranges.push(kept)
    after = next?.after ?? ''
  }
  expect(ranges.map(({ rows }) => rows.length)).toEqual([1, 1])
  const { number } = world.campaign
  await companyDb.prepare('delete from calls where company_id = ?1').bind(world.companyId).run()
  await companyDb.prepare('delete from leads where campaign_number = ?1').bind(number).run()
  for (const kept of ranges) await writeKept(companyDb, kept, env.SUPPRESSION_PEPPER, noonMs + 2 * hourMs)
  const isHashed = ({ campaign }: Pick<CallingWorld, 'campaign'>) =>
    companyDb
      .prepare(
        'select number_hash is not null as n from leads where campaign_number = ?1 and phone_number = ?2',
      )
      .bind(campaign.number, phoneNumber)
      .first<number>('n')
  expect([await isHashed(other), await isHashed(foreign)]).toEqual([1, 0])
})

it('A lead in another spelling that comes in while its person is erased is held back with it', async () => {
  const [world, foreign] = [await seedCallingWorld(), await seedCallingWorld()]
  const [said, spelled] = ['+5215512345678', '+525512345678']
  const coming: Promise<unknown>[] = []
  const { DB } = databaseThat(async (run, { statements }) => {
    const isLast = statements.some(({ sql }) => sql.includes("'erasure.done'"))
    if (isLast && coming.length === 0) coming.push(world.add({ phoneNumber: spelled }, noonMs))
    await Promise.all(coming)
    return run()
  })
  const person = { phoneNumber: said, suppress: true }
  const erased = await erasePerson(DB, world.asManager(noonMs), person, hashesIn(world.companyId))
  expect([erased, coming.length]).toMatchObject([{ kind: 'erased', suppressed: true }, 1])
  await foreign.add({ phoneNumber: spelled }, noonMs)
  expect((await world.claim(laterMs)).calls).toEqual([])
  expect((await foreign.claim(laterMs)).calls).toHaveLength(1)
})

it('An erasure says that a number is suppressed which retention has kept in one campaign alone', async () => {
  const world = await seedRetaining()
  const phoneNumber = await retained(world, 'not_interested')
  const erase = (number: string) =>
    erasePerson(
      companyDb,
      world.asManager(laterMs),
      { phoneNumber: number, suppress: false },
      hashesIn(world.companyId),
    )
  expect(await erase(phoneNumber)).toMatchObject({ suppressed: true })
  expect(await erase('+4915155500000')).toMatchObject({ suppressed: false })
})

it('After retention, a number whose lead was refused is called again once its campaign removes the suppression', async () => {
  const world = await seedRetaining()
  const phoneNumber = await retained(world, 'not_interested')
  await world.add({ phoneNumber }, laterMs)
  const remove = (campaignId: string | null) =>
    removeSuppressions(
      companyDb,
      world.asManager(laterMs),
      { phoneNumbers: [phoneNumber], campaignId },
      hashesIn(world.companyId),
    )
  expect(await remove(null)).toEqual({ kind: 'removed', removed: 0 })
  expect((await world.claim(laterMs)).calls).toHaveLength(0)
  expect(await remove(world.campaignId)).toEqual({ kind: 'removed', removed: 1 })
  expect(await remove(world.campaignId)).toEqual({ kind: 'removed', removed: 0 })
  expect((await world.claim(laterMs)).calls).toHaveLength(1)
})

it.each<[ReportedOutcome, 'dead' | 'done', boolean]>([
  ['busy', 'dead', true],
  ['wrong_number', 'done', false],
])(
  'After retention, a number whose lead ended %s, of the class %s in its campaign, comes in again: suppressed is %s',
  async (outcome, as, is) => {
    const world = await seedRetaining({ outcomes: { [outcome]: { class: as } } })
    const phoneNumber = await retained(world, outcome)
    expect((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false).toBe(is)
  },
)

it('After retention, a number whose lead was requeued after that is judged by the end of its last round', async () => {
  const world = await seedRetaining()
  const { leadId, phoneNumber } = await world.add({}, noonMs)
  await call(world, noonMs, 'not_interested')
  await world.requeue(leadId, noonMs + hourMs)
  await call(world, noonMs + hourMs, 'answered')
  await retain(world, noonMs + 30 * dayMs + hourMs)
  expect((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false).toBe(false)
})

it('After retention, a number whose lead was refused late, in a call before its last, is judged by that call', async () => {
  const world = await seedRetaining()
  const { phoneNumber } = await world.add({}, noonMs)
  const [first] = (await world.claim(noonMs)).calls
  await settleEverything(noonMs + hourMs)
  const againMs = noonMs + 3 * hourMs
  const [last] = (await world.claim(againMs)).calls
  const report = (callId = '', outcome: ReportedOutcome) => world.report(againMs, [{ callId, outcome }])
  expect(await report(first?.callId, 'not_interested')).toMatchObject([{ result: 'recorded_late' }])
  expect(await report(last?.callId, 'no_answer')).toMatchObject([{ status: 'concluded' }])
  expect(await retain(world, laterMs)).toMatchObject({ hasErased: true })
  expect((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false).toBe(true)
  expect((await world.claim(laterMs)).calls).toEqual([])
})

it('After retention, a number whose lead was refused is not kept where the campaign has switched that off', async () => {
  const world = await seedRetaining({ retentionSuppresses: false })
  const phoneNumber = await retained(world, 'not_interested')
  expect((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false).toBe(false)
  expect(await countRows('retained_hashes', world.companyId)).toBe(0)
  expect(await countRows('suppressed_hashes', world.companyId)).toBe(0)
})

it('After retention, a number whose lead is to be remembered stays while the pepper is missing or another, and is not logged', async () => {
  const world = await seedRetaining()
  const refused = await world.add({}, noonMs)
  await call(world, noonMs, 'not_interested')
  const done = await world.add({}, noonMs)
  await call(world, noonMs, 'answered')
  expect(await retain(world, laterMs, () => noHashes)).toMatchObject({ hasErased: true, held: 1 })
  await expect(leadRow(world.campaign, done.phoneNumber)).rejects.toThrow()
  expect(await leadRow(world.campaign, refused.phoneNumber)).toMatchObject({ status: 'concluded' })
  // The minute takes ten chunks, of whichever campaigns.
  await companyDb
    .prepare('update calling_settings set retention_days = null where campaign_number <> ?1')
    .bind(world.campaign.number)
    .run()
  const logs = catchLogs()
  await retainByTheMinute(companyDb, laterMs, undefined)
  expect(logs.records).toContainEqual({
    event: 'retention_held',
    problem: 'SUPPRESSION_PEPPER is missing, or not the one that numbers were suppressed with',
    leads: 1,
  })
  expect(logs.text()).not.toContain(refused.phoneNumber.slice(1))
  expect(await retain(world, laterMs)).toMatchObject({ hasErased: true, held: 0 })
  const more = await world.add({}, noonMs + dayMs)
  await call(world, noonMs + dayMs, 'wrong_number')
  const another = () => numberHashes('another pepper', world.companyId)
  expect(await retain(world, laterMs, another)).toMatchObject({ hasErased: false, held: 1 })
  expect(await leadRow(world.campaign, more.phoneNumber)).toMatchObject({ status: 'exhausted' })
})

it('After retention, a number whose lead changed between the read and the erasure is left for the next round', async () => {
  const world = await seedRetaining()
  const { leadId, phoneNumber } = await world.add({}, noonMs)
  await call(world, noonMs, 'answered')
  const requeueInBetween = () => {
    // Hashing comes after the chunk's end was read.
    let isDone: Promise<unknown> | null = null
    const real = companyDb
    const DB = {
      prepare: real.prepare.bind(real),
      batch: async (statements: D1PreparedStatement[]) => {
        const answer = await real.batch(statements)
        isDone ??= world.requeue(leadId, laterMs)
        await isDone
        return answer
      },
    } as unknown as D1Database
    return DB
  }
  await retainChunk(requeueInBetween(), world.campaign.number, laterMs, hashesIn)
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'attempting', attempts: 1 })
})
