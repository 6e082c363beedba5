// What is kept of a phone number when its lead is erased: its calls of a week, for the limits of the number, and after
// retention that it refused or was dead. On a real D1, by a clock that the test sets.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ReportedOutcome } from '../../src/campaigns/outcomes.ts'
import { retainByTheMinute } from '../../src/erasure/retention-cron.ts'
import { eraseLead, erasePerson } from '../../src/erasure/store/erase.ts'
import { forgetOldCalls } from '../../src/erasure/store/number-memory.ts'
import { retainChunk } from '../../src/erasure/store/retain.ts'
import { createLead } from '../../src/leads/store/create.ts'
import { createLeads } from '../../src/leads/store/create-bulk.ts'
import { numberHashes } from '../../src/ledger/suppression/number-hash.ts'
import { removeSuppressions } from '../../src/suppression/store/remove-suppressions.ts'
import { hashesIn, noHashes } from '../support/actor.ts'
import {
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
} from '../support/calling.ts'
import { watchedDatabase } from '../support/database.ts'
import { catchLogs } from '../support/logs.ts'
import { companyDb } from '../support/store.ts'
import { newPhone } from '../support/world.ts'

afterEach(() => void vi.restoreAllMocks())

type InCampaign = Pick<CallingWorld, 'add' | 'claim' | 'report' | 'release' | 'asManager' | 'campaign'>

/** Claims the campaign's next lead and reports it. Returns whether there was one. */
async function call(world: InCampaign, atMs: number, outcome: ReportedOutcome = 'no_answer') {
  const { calls } = await world.claim(atMs)
  for (const { callId } of calls) await world.report(atMs, [{ callId, outcome }])
  return calls.length === 1
}

const erase = (world: InCampaign, leadId: string, atMs: number) =>
  eraseLead(companyDb, world.asManager(atMs), leadId, hashesIn(world.campaign.companyId))

const erasePhone = (world: InCampaign, phoneNumber: string, atMs: number) =>
  erasePerson(
    companyDb,
    world.asManager(atMs),
    { phoneNumber, suppress: false },
    hashesIn(world.campaign.companyId),
  )

const retain = (world: InCampaign, atMs: number, hashesOf = hashesIn) =>
  retainChunk(companyDb, world.campaign.number, atMs, hashesOf)

/** The first of the moments at which the campaign's next lead is claimed; null: at none of them. */
async function firstClaim(world: InCampaign, moments: readonly number[]) {
  // A claim that finds its candidates blocked moves them away, and the next one finds what is behind them.
  for (const atMs of moments)
    if ((await world.claim(atMs)).calls.length > 0 || (await world.claim(atMs)).calls.length > 0) return atMs
  return null
}

const importAgain = async (world: CallingWorld, phoneNumber: string, atMs: number) => {
  const origin = {
    ...world.access(world.writeKeyId, atMs),
    token: `bulk${newPhone()}`.slice(0, 11),
    requestKey: null,
    hashes: hashesIn(world.companyId),
  }
  const lead = {
    phoneNumber,
    externalId: null,
    metadata: null,
    scheduledFor: null,
    priority: 0,
    timeZone: null,
  }
  const options = { withSkippedIds: true, isDryRun: false, invalid: 0 }
  const outcome = await createLeads(companyDb, origin, [lead], options)
  if (outcome.kind !== 'imported') throw new Error(outcome.kind)
  return outcome.results[0]
}

const countRows = (table: string, companyId: string, where = '1') =>
  companyDb
    .prepare(`select count(*) as n from ${table} where company_id = ?1 and ${where}`)
    .bind(companyId)
    .first('n')

describe('The limits of a number', () => {
  it('hold when its lead is erased and comes in again: one alone, in bulk, and after a person was erased', async () => {
    const again = {
      alone: (world: CallingWorld, phoneNumber: string, atMs: number) => world.add({ phoneNumber }, atMs),
      inBulk: importAgain,
    }
    for (const create of Object.values(again))
      for (const forget of ['lead', 'person'] as const) {
        const world = await seedCallingWorld()
        const { leadId, phoneNumber } = await world.add()
        await call(world, noonMs)
        if (forget === 'lead') await erase(world, leadId, noonMs + 50_000)
        else await erasePhone(world, phoneNumber, noonMs + 50_000)
        await create(world, phoneNumber, noonMs + 50_000)
        const moments = [noonMs + 50_000, noonMs + 15 * minuteMs - 1, noonMs + 15 * minuteMs]
        expect([forget, await firstClaim(world, moments)]).toEqual([forget, noonMs + 15 * minuteMs])
      }
  })

  it('hold over a week of nightly imports, with leads that are kept for a day', async () => {
    const world = await seedCallingWorld({ ...openSettings, retentionDays: 1 })
    const phoneNumber = newPhone()
    const times: number[] = []
    for (let atMs = noonMs; atMs < noonMs + 16 * dayMs; atMs += hourMs) {
      if ((atMs - noonMs) % dayMs === 0) await importAgain(world, phoneNumber, atMs)
      if (await call(world, atMs)) times.push(atMs)
      await retain(world, atMs)
    }
    const inAny = (spanMs: number) =>
      Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + spanMs).length))
    expect([inAny(dayMs), inAny(7 * dayMs)]).toEqual([3, 7])
  })

  it('hold for leads that the number has in other campaigns', async () => {
    const world = await seedCallingWorld()
    const other = await world.another()
    const { leadId, phoneNumber } = await world.add()
    await other.add({ phoneNumber })
    await call(world, noonMs)
    await erase(world, leadId, noonMs + 1)
    const moments = [noonMs + 2, noonMs + 15 * minuteMs]
    expect(await firstClaim(other, moments)).toBe(noonMs + 15 * minuteMs)
  })

  it('are explained: until when the gap lasts', async () => {
    const world = await seedCallingWorld()
    const { leadId, phoneNumber } = await world.add()
    await call(world, noonMs)
    await erase(world, leadId, noonMs)
    const again = await world.add({ phoneNumber }, noonMs + 1)
    expect(await world.explain(again.leadId, noonMs + 1)).toMatchObject({
      isCallable: false,
      blockers: [{ code: 'number_gap', untilMs: noonMs + 15 * minuteMs }],
      nextCallAtMs: noonMs + 15 * minuteMs,
    })
  })

  it('count no call that was released, and let appointments pass the gap alone', async () => {
    const world = await seedCallingWorld({
      ...openSettings,
      numberLimits: { minGapMinutes: 15, per24Hours: 1, per7Days: null },
    })
    const released = await world.add()
    const { calls } = await world.claim(noonMs)
    await world.release(noonMs, [{ callId: calls[0]?.callId as string, delaySeconds: 0 }])
    await erase(world, released.leadId, noonMs)
    await world.add({ phoneNumber: released.phoneNumber }, noonMs)
    expect(await firstClaim(world, [noonMs])).toBe(noonMs)

    const gapAlone = await seedCallingWorld()
    const { leadId, phoneNumber } = await gapAlone.add()
    await call(gapAlone, noonMs)
    await erase(gapAlone, leadId, noonMs)
    const scheduledFor = new Date(noonMs + minuteMs).toISOString()
    await gapAlone.add({ phoneNumber, scheduledFor }, noonMs)
    expect(await firstClaim(gapAlone, [noonMs + minuteMs])).toBe(noonMs + minuteMs)
  })
})

describe('What is remembered of an erased number', () => {
  it('is the hash of the number alone, and gone after a week', async () => {
    const world = await seedCallingWorld()
    const { companyId } = world
    const other = await world.another()
    const first = await world.add()
    const { phoneNumber } = first
    const second = await other.add({ phoneNumber })
    await call(world, noonMs)
    await erase(world, first.leadId, noonMs)
    await erase(other, second.leadId, noonMs)
    await world.add({ phoneNumber }, noonMs + 1)
    await erasePhone(world, phoneNumber, noonMs + 4)
    expect(await countRows('calls', companyId, `phone_number = '${phoneNumber}'`)).toBe(0)
    const { number } = world.campaign
    const hashed = companyDb.prepare(
      'select count(*) as n from leads where campaign_number = ?1 and number_hash is not null',
    )
    expect(await hashed.bind(number).first('n')).toBe(0)
    await forgetOldCalls(companyDb, noonMs + 7 * dayMs - 1)
    expect(await countRows('number_calls', companyId)).toBe(1)
    await forgetOldCalls(companyDb, noonMs + 7 * dayMs)
    expect(await countRows('number_calls', companyId)).toBe(0)
  })

  it('costs no statement, and a company that has erased nobody no second run with hashes', async () => {
    const world = await seedCallingWorld()
    const write = async () => {
      const { DB, trips } = watchedDatabase()
      const lead = {
        phoneNumber: newPhone(),
        externalId: null,
        metadata: null,
        scheduledFor: null,
        priority: 0,
        timeZone: null,
      }
      const hashes = hashesIn(world.companyId)
      const origin = {
        ...world.access(world.writeKeyId, noonMs),
        token: newPhone().slice(1),
        requestKey: null,
        hashes,
      }
      await createLead(DB, origin, lead)
      return trips.map(({ statements }) => statements.length)
    }
    expect(await write()).toEqual([4])
    const { leadId } = await world.add()
    await call(world, noonMs)
    await call(world, noonMs)
    await erase(world, leadId, noonMs)
    // Once without hashes, and then again with them; from then on with them at once.
    expect([await write(), await write()]).toEqual([[4, 4], [4]])
  })

  it('needs the pepper: without one, a lead that was called in the last week cannot be erased', async () => {
    const world = await seedCallingWorld()
    const { leadId, phoneNumber } = await world.add()
    await call(world, noonMs)
    const refused = await eraseLead(companyDb, world.asManager(noonMs), leadId, noHashes)
    expect(refused).toEqual({ kind: 'pepper_lost' })
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ attempts: 1 })
    const later = await eraseLead(companyDb, world.asManager(noonMs + 7 * dayMs), leadId, noHashes)
    expect(later).toMatchObject({ kind: 'erased', leadsErased: 1 })
  })

  it('stops nothing when the pepper is lost: calls of a week are forgotten, and leads come in', async () => {
    const world = await seedCallingWorld()
    const { leadId, phoneNumber } = await world.add()
    await call(world, noonMs)
    await erase(world, leadId, noonMs)
    const origin = {
      ...world.access(world.writeKeyId, noonMs),
      token: 'lostpepper0',
      requestKey: null,
      hashes: noHashes,
    }
    const lead = {
      phoneNumber,
      externalId: null,
      metadata: null,
      scheduledFor: null,
      priority: 0,
      timeZone: null,
    }
    expect(await createLead(companyDb, origin, lead)).toMatchObject({ kind: 'created' })
  })
})

/** A lead that ended with this outcome, and was then erased by retention. */
async function retained(world: CallingWorld, outcome: ReportedOutcome) {
  const { phoneNumber } = await world.add({}, noonMs)
  await call(world, noonMs, outcome)
  expect(await retain(world, noonMs + 30 * dayMs)).toMatchObject({ hasErased: true, held: 0 })
  return phoneNumber
}

const seedRetaining = (more: object = {}) => seedCallingWorld({ ...openSettings, retentionDays: 30, ...more })
const laterMs = noonMs + 31 * dayMs

describe('After retention, a number whose lead', () => {
  it.each<[ReportedOutcome, boolean]>([
    ['not_interested', true],
    ['wrong_number', true],
    ['invalid_number', true],
    ['answered', false],
  ])('ended %s comes in again: suppressed is %s', async (outcome, isSuppressed) => {
    const world = await seedRetaining()
    const phoneNumber = await retained(world, outcome)
    const result = await importAgain(world, phoneNumber, laterMs)
    expect(result?.suppressed ?? false).toBe(isSuppressed)
    const row = await leadRow(world.campaign, phoneNumber)
    expect(row.due_at_ms === null).toBe(isSuppressed)
    expect((await world.claim(laterMs)).calls).toHaveLength(isSuppressed ? 0 : 1)
  })

  it('was refused is suppressed in that campaign alone, and cannot be requeued there', async () => {
    const world = await seedRetaining()
    const other = await world.another()
    const phoneNumber = await retained(world, 'not_interested')
    const { leadId } = await world.add({ phoneNumber }, laterMs)
    expect((await world.requeue(leadId, laterMs)).result).toBe('number_suppressed')
    expect(await world.explain(leadId, laterMs)).toMatchObject({ blockers: [{ code: 'suppressed' }] })
    await other.add({ phoneNumber }, laterMs)
    expect((await other.claim(laterMs)).calls).toHaveLength(1)
  })

  it('was refused is called again once the suppression is removed in its campaign, and not in the company', async () => {
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
    'ended %s, of the class %s in its campaign, comes in again: suppressed is %s',
    async (outcome, as, is) => {
      const world = await seedRetaining({ outcomes: { [outcome]: { class: as } } })
      const phoneNumber = await retained(world, outcome)
      expect((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false).toBe(is)
    },
  )

  it('was requeued after that is judged by the end of its last round', async () => {
    const world = await seedRetaining()
    const { leadId, phoneNumber } = await world.add({}, noonMs)
    await call(world, noonMs, 'not_interested')
    await world.requeue(leadId, noonMs + hourMs)
    await call(world, noonMs + hourMs, 'answered')
    await retain(world, noonMs + 30 * dayMs + hourMs)
    expect((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false).toBe(false)
  })

  it('was refused late, in a call before its last, is judged by that call', async () => {
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

  it('was refused is not kept where the campaign has switched that off', async () => {
    const world = await seedRetaining({ retentionSuppresses: false })
    const phoneNumber = await retained(world, 'not_interested')
    expect((await importAgain(world, phoneNumber, laterMs))?.suppressed ?? false).toBe(false)
    expect(await countRows('retained_hashes', world.companyId)).toBe(0)
    expect(await countRows('suppressed_hashes', world.companyId)).toBe(0)
  })

  it('has to be remembered stays as it is while the pepper is missing or another, and the log says so without the number', async () => {
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

  it('changed between the read and the erasure is left for the next round', async () => {
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
})
