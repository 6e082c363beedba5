// The hours of a campaign on a real D1: they are right whatever a request does to several leads at once, in several
// statements or twice, and cost one row. The model of calling holds them to the tables after every step.
import { describe, expect, it } from 'vitest'
import { eraseLead } from '../../src/queue/erasure/store/erase.ts'
import { retainChunk } from '../../src/queue/erasure/store/retain.ts'
import { hashesIn } from '../support/access/actor.ts'
import {
  dayMs,
  hourMs,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../support/calling/calling.ts'
import { databaseLosingAnswers, watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { countBoth, readHours } from '../support/ledger/hours.ts'
import { newPhones, seedKey, seedWorld } from '../support/world.ts'

const hour = noonMs / hourMs

async function expectCounted(...campaigns: readonly { number: number }[]) {
  for (const { number } of campaigns) {
    const [hours, tables] = await countBoth(number)
    expect(hours).toEqual(tables)
  }
}

describe('Intake', () => {
  it('The intake of a campaign counts a bulk of several statements in one row, and the lost answer of a try not at all', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const leads = newPhones(300).map((phoneNumber) => ({
      phoneNumber,
      metadata: { text: 'x'.repeat(15_000) },
    }))
    const repeated = [...leads, ...leads.slice(0, 7)]
    const { DB, trips } = databaseLosingAnswers(1)
    dataOf(await api(writeKey, { bindings: { DB } }).importLeads({ campaignId, leads: repeated }), 200)
    expect(
      trips.at(-1)?.statements.filter(({ sql }) => sql.startsWith('insert into leads')).length,
    ).toBeGreaterThan(2)
    const ofHours =
      trips.at(-1)?.statements.findIndex(({ sql }) => sql.startsWith('insert into campaign_hours')) ?? -1
    expect(trips.slice(-2).map(({ results }) => results[ofHours]?.meta.rows_written)).toEqual([1, 0])
    expect(await readHours(campaign.number)).toMatchObject([{ created: 300, skipped: 7, d_raw: 300 }])
    await expectCounted(campaign)
  })

  it('The intake of a campaign counts a lead again that was erased and comes in with the same request', async () => {
    const { campaign, campaignId, writeKey, manageKey } = await seedManaged()
    const leads = newPhones(2).map((phoneNumber) => ({ phoneNumber }))
    const again = { 'Idempotency-Key': 'order-1' }
    const { createdIds } = dataOf(await api(writeKey).importLeads({ campaignId, leads }, again), 200)
    dataOf(await api(manageKey).request('DELETE', `/api/v1/leads/${createdIds[0]}`), 200)
    await expectCounted(campaign)
    dataOf(await api(writeKey).importLeads({ campaignId, leads }, again), 200)
    expect(await readHours(campaign.number)).toMatchObject([{ created: 3, d_raw: 2 }])
    await expectCounted(campaign)
  })

  async function seedManaged() {
    const world = await seedWorld()
    const { key: manageKey } = await seedKey({ companyId: world.companyId, scope: 'manage' })
    return { ...world, manageKey }
  }
})

describe('A report', () => {
  /** A lead whose first call nobody reported, and which was claimed again. */
  async function seedLate(settings: object = {}) {
    const world = await seedCallingWorld({ ...openSettings, ...settings })
    const { phoneNumber } = await world.add()
    const late = (await world.claim(noonMs, { leaseSeconds: 30 })).calls[0]?.callId as string
    const thenMs = noonMs + 2 * hourMs
    const latest = (await world.claim(thenMs)).calls[0]?.callId as string
    return { ...world, late, latest, thenMs, phoneNumber }
  }

  it.each([
    ['the late one first', ['late', 'latest'] as const],
    ['the late one last', ['latest', 'late'] as const],
  ])('A report of two calls of one lead counts each, and the lead once: %s', async (_, order) => {
    for (const [ofLate, ofLatest] of [
      ['answered', 'busy'],
      ['busy', 'answered'],
      ['answered', 'wrong_number'],
      ['not_interested', 'answered'],
    ] as const) {
      const world = await seedLate()
      const outcomes = { late: ofLate, latest: ofLatest }
      await world.report(
        world.thenMs,
        order.map((which) => ({ callId: world[which], outcome: outcomes[which] })),
      )
      await expectCounted(world.campaign)
    }
  })

  it('A report that says not to call takes the number’s other leads along, in every campaign', async () => {
    const world = await seedLate()
    const others = [await world.another(), await world.another()]
    for (const [index, other] of others.entries()) {
      await other.add({ phoneNumber: world.phoneNumber })
      if (index === 0) continue
      const atMs = world.thenMs + hourMs
      await world.release(world.thenMs, [{ callId: world.latest, delaySeconds: 86_400 }])
      const { calls } = await other.claim(atMs)
      await other.report(atMs, [{ callId: calls[0]?.callId as string, outcome: 'busy' }])
    }
    const { DB, trips } = watchedDatabase()
    const atMs = world.thenMs + hourMs + minuteMs
    await world.report(atMs, [{ callId: world.late, outcome: 'busy', doNotCall: true }], DB)
    const counted =
      trips[0]?.statements.findIndex(({ sql }) => sql.startsWith('insert into campaign_hours')) ?? -1
    // The hour of each campaign whose leads it moved, and the one in which the first call was unknown.
    expect(trips[0]?.results[counted]?.meta.rows_written).toBe(3)
    await expectCounted(world.campaign, ...others.map(({ campaign }) => campaign))
  })

  it('A late report that ends its lead, which waits for a retry, and says not to call counts the lead once', async () => {
    const world = await seedCallingWorld(openSettings)
    await world.add()
    const { calls } = await world.claim(noonMs, { leaseSeconds: 30 })
    await world.claim(noonMs + minuteMs)
    await world.report(noonMs + 2 * minuteMs, [
      { callId: calls[0]?.callId as string, outcome: 'answered', doNotCall: true },
    ])
    await expectCounted(world.campaign)
  })

  it('A report corrects the hour in which its lease ended, and no other', async () => {
    const { campaign, late, thenMs, report } = await seedLate()
    await report(thenMs, [{ callId: late, outcome: 'voicemail' }])
    expect(await readHours(campaign.number)).toEqual([
      { hour, created: 1, claimed: 1, pick_up_1s: 1, d_attempting: 1 },
      { hour: hour + 2, claimed: 1, voicemail: 1 },
    ])
  })

  it('A report of a call that was unknown before anybody counted corrects nothing', async () => {
    const { campaign, late, thenMs, report } = await seedLate()
    await companyDb
      .prepare('update campaign_hours set unknown = 0 where campaign_number = ?1')
      .bind(campaign.number)
      .run()
    await report(thenMs, [{ callId: late, outcome: 'voicemail' }])
    expect((await readHours(campaign.number)).map(({ unknown }) => unknown)).toEqual([undefined, undefined])
  })
})

it('An erasure of a lead that is being called ends its call, and takes the number’s other leads out of the queue', async () => {
  const world = await seedCallingWorld()
  const other = await world.another()
  const { phoneNumber } = await other.add()
  const { calls } = await other.claim()
  await other.report(noonMs, [{ callId: calls[0]?.callId as string, outcome: 'busy' }])
  const { leadId } = await world.add({ phoneNumber }, noonMs + hourMs)
  await world.claim(noonMs + hourMs)
  const erased = await eraseLead(
    companyDb,
    world.asManager(noonMs + hourMs),
    leadId,
    hashesIn(world.companyId),
  )
  expect(erased).toMatchObject({ kind: 'erased', leadsErased: 1, suppressed: true })
  expect((await readHours(world.campaign.number)).at(-1)).toMatchObject({ claimed: 1, unknown: 1 })
  expect((await readHours(other.campaign.number)).at(-1)).toMatchObject({
    d_attempting: -1,
    d_exhausted: 1,
  })
  await expectCounted(world.campaign, other.campaign)
})

it('Retention takes the leads that it erases out of their statuses', async () => {
  const world = await seedCallingWorld({ ...openSettings, retentionDays: 1 })
  for (const outcome of ['answered', 'wrong_number', 'busy'] as const) {
    await world.add()
    const { calls } = await world.claim()
    await world.report(noonMs, [{ callId: calls[0]?.callId as string, outcome }])
  }
  const retained = await retainChunk(companyDb, world.campaign.number, noonMs + dayMs, hashesIn)
  expect(retained.hasErased).toBe(true)
  const [, ofErasing] = await readHours(world.campaign.number)
  expect(ofErasing).toEqual({ hour: hour + 24, d_exhausted: -1, d_concluded: -1 })
  await expectCounted(world.campaign)
})

it('What an hour costs is one row for what is done in a campaign, and none for what changes nothing', async () => {
  const world = await seedCallingWorld()
  const rowsOf = async (act: (db: D1Database) => Promise<unknown>) => {
    const { DB, trips } = watchedDatabase()
    await act(DB)
    return trips
      .flatMap(({ statements, results }) =>
        results.filter((_, index) => statements[index]?.sql.startsWith('insert into campaign_hours')),
      )
      .reduce((sum, { meta }) => sum + meta.rows_written, 0)
  }
  const leads = [await world.add(), await world.add(), await world.add()]
  const { calls } = await world.claim(noonMs, { maxCalls: 3 })
  const [first, second, third] = calls.map(({ callId }) => callId) as [string, string, string]
  const reports = [{ callId: first, outcome: 'busy' as const }]
  const numbers = leads.map(({ phoneNumber }) => phoneNumber)
  expect({
    empty: await rowsOf((db) => world.claim(noonMs, {}, db)),
    report: await rowsOf((db) => world.report(noonMs, reports, db)),
    again: await rowsOf((db) => world.report(noonMs, reports, db)),
    release: await rowsOf((db) => world.release(noonMs, [{ callId: second, delaySeconds: 0 }], db)),
    extend: await rowsOf((db) => world.extend(noonMs, [third], null, db)),
    suppress: await rowsOf((db) => world.suppress(numbers, noonMs, db)),
    suppressAgain: await rowsOf((db) => world.suppress(numbers, noonMs, db)),
    lift: await rowsOf((db) => world.lift(numbers, noonMs, db)),
    requeue: await rowsOf((db) => world.requeue(leads[0]?.leadId as string, noonMs, db)),
    requeueAgain: await rowsOf((db) => world.requeue(leads[0]?.leadId as string, noonMs, db)),
    expiry: await rowsOf((db) => world.requeue(leads[2]?.leadId as string, noonMs + hourMs, db)),
  }).toEqual({
    ...{ empty: 0, report: 1, again: 0, release: 1, extend: 0, suppress: 1, suppressAgain: 0, lift: 0 },
    ...{ requeue: 1, requeueAgain: 0, expiry: 1 },
  })
  await expectCounted(world.campaign)
})
