import { expect, it } from 'vitest'
import { addUses } from '../../src/base/access/store/key-hours.ts'
import { alertByTheMinute } from '../../src/control/alerts/alert-cron.ts'
import { loggedIn, raisedIn } from '../support/alerts/alerts.ts'
import { setWaitedFor } from '../support/calling/bell.ts'
import {
  dayMs,
  fillQueue,
  hourMs,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
} from '../support/calling/calling.ts'
import { databaseLosingAnswers, planOf, watchedDatabase } from '../support/database/database.ts'
import { lastSeededNumber } from '../support/database/seed.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { seedCompany, seedKey } from '../support/world.ts'

const look = (atMs: number, db: D1Database = companyDb) => alertByTheMinute(db, atMs)

/** Each minute, from one to the other. */
async function lookEachMinute(fromMs: number, toMs: number) {
  for (let atMs = fromMs; atMs <= toMs; atMs += minuteMs) await look(atMs)
}

const iso = (ms: number) => new Date(ms).toISOString()

async function seedIdle(settings?: object) {
  const world = await seedCallingWorld(settings)
  await world.add()
  return world
}

const campaignsWithLeads = async () =>
  (await companyDb.prepare('select count(distinct campaign_number) as n from leads').first<number>('n')) ?? 0

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const hours = (from: string, to: string) => Object.fromEntries(days.map((day) => [day, [[from, to]]]))
const office = {
  timeZone: 'UTC',
  callingHours: hours('09:00', '17:00'),
  appointmentHours: hours('08:00', '21:00'),
}

it('An alert that no agent calls is raised ten minutes after a lead became ready, and cleared when an agent claims', async () => {
  const world = await seedIdle()
  const { companyId } = world
  await look(noonMs + 10 * minuteMs - 1)
  expect(await raisedIn(companyId)).toEqual([])
  await lookEachMinute(noonMs + 10 * minuteMs, noonMs + 15 * minuteMs)
  expect(await raisedIn(companyId)).toEqual(['no_agent'])
  await world.claim(noonMs + 15 * minuteMs)
  await look(noonMs + 16 * minuteMs)
  expect(await raisedIn(companyId)).toEqual([])
  expect(await loggedIn(companyId)).toEqual([
    ['raised', 'no_agent', null, iso(noonMs)],
    ['cleared', 'no_agent', null, iso(noonMs)],
  ])
})

it('An alert that no agent calls is of the campaign, by the system, and names no number', async () => {
  const world = await seedCallingWorld()
  const { phoneNumber } = await world.add()
  await look(noonMs + hourMs)
  const [entry] = (await entriesOf(world.companyId)).filter(({ type }) => type === 'alert.raised')
  expect(entry).toMatchObject({ actor: 'system', campaignNumber: world.campaign.number, leadSeq: null })
  expect(JSON.stringify(entry)).not.toContain(phoneNumber.slice(1))
})

it('An alert that no agent calls is not raised while a lead is leased, or a claim waits; ten minutes later it is', async () => {
  const [called, waited] = [await seedIdle(), await seedIdle()]
  await called.add()
  const { calls } = await called.claim(noonMs, { leaseSeconds: 3600 })
  await setWaitedFor(waited.campaign, noonMs + 40 * minuteMs)
  await lookEachMinute(noonMs, noonMs + 39 * minuteMs)
  expect([await raisedIn(called.companyId), await raisedIn(waited.companyId)]).toEqual([[], []])

  await called.report(noonMs + 39.5 * minuteMs, [{ callId: calls[0]?.callId ?? '', outcome: 'answered' }])
  await lookEachMinute(noonMs + 40 * minuteMs, noonMs + 49 * minuteMs)
  expect([await raisedIn(called.companyId), await raisedIn(waited.companyId)]).toEqual([[], []])
  await look(noonMs + 50 * minuteMs)
  for (const { companyId } of [called, waited])
    expect(await loggedIn(companyId)).toEqual([['raised', 'no_agent', null, iso(noonMs + 40 * minuteMs)]])
})

it('An alert that no agent calls sees a call that began and ended between two looks', async () => {
  const world = await seedIdle({ ...openSettings, outcomes: { no_answer: { minutes: 1 } } })
  await world.add()
  const call = async (atMs: number) => {
    const { calls } = await world.claim(atMs)
    await world.report(atMs + 1000, [{ callId: calls[0]?.callId ?? '', outcome: 'answered' }])
  }
  await call(noonMs + minuteMs)
  await lookEachMinute(noonMs + 2 * minuteMs, noonMs + 9 * minuteMs)
  await world.add({}, noonMs)
  await call(noonMs + 9.5 * minuteMs)
  await lookEachMinute(noonMs + 10 * minuteMs, noonMs + 19 * minuteMs)
  expect(await raisedIn(world.companyId)).toEqual([])
  await look(noonMs + 20 * minuteMs)
  await look(noonMs + 21 * minuteMs)
  await call(noonMs + 21.5 * minuteMs)
  await look(noonMs + 22 * minuteMs)
  const sinceMs = noonMs + 10 * minuteMs
  expect(await loggedIn(world.companyId)).toEqual([
    ['raised', 'no_agent', null, iso(sinceMs)],
    ['cleared', 'no_agent', null, iso(sinceMs)],
  ])
})

it('An alert that no agent calls is for open hours: raised ten minutes after they begin, and cleared when they end', async () => {
  const world = await seedCallingWorld(office)
  await world.add({}, noonMs + 4 * hourMs + 55 * minuteMs)
  const nineMs = noonMs + 21 * hourMs
  for (const atMs of [5 * hourMs + 5 * minuteMs, 12 * hourMs, 21 * hourMs + 9 * minuteMs])
    await look(noonMs + atMs)
  expect(await raisedIn(world.companyId)).toEqual([])
  await look(nineMs + 10 * minuteMs)
  await look(nineMs + 8 * hourMs - 1)
  expect(await raisedIn(world.companyId)).toEqual(['no_agent'])
  await look(nineMs + 8 * hourMs)
  expect(await loggedIn(world.companyId)).toEqual([
    ['raised', 'no_agent', null, iso(nineMs)],
    ['cleared', 'no_agent', null, iso(nineMs)],
  ])
})

it('An alert that no agent calls counts the hours of the lead’s own zone, and those of appointments', async () => {
  const [zoned, appointed, neither] = await Promise.all([1, 2, 3].map(() => seedCallingWorld(office)))
  const eveningMs = noonMs + 7 * hourMs
  await zoned?.add({ timeZone: 'America/New_York' }, eveningMs)
  await appointed?.add({ scheduledFor: iso(eveningMs + 1) }, eveningMs)
  await neither?.add({}, eveningMs)
  await look(eveningMs + 11 * minuteMs)
  const raised = [zoned, appointed, neither].map((world) => raisedIn(world?.companyId ?? ''))
  expect(await Promise.all(raised)).toEqual([['no_agent'], ['no_agent'], []])
})

it('An alert that no agent calls is raised for no lead that is not due, no paused campaign and none without a zone', async () => {
  const [later, paused, unset] = [
    await seedCallingWorld(),
    await seedIdle(),
    await seedIdle({ timeZone: null }),
  ]
  await later.add({ scheduledFor: iso(noonMs + 2 * hourMs) })
  await paused.change({ paused: true })
  await look(noonMs + hourMs)
  for (const { companyId } of [later, paused, unset]) expect(await raisedIn(companyId)).toEqual([])
  await paused.change({ paused: false }, noonMs + hourMs)
  await look(noonMs + hourMs + 9 * minuteMs)
  expect(await raisedIn(paused.companyId)).toEqual([])
  await look(noonMs + hourMs + 10 * minuteMs)
  expect(await raisedIn(paused.companyId)).toEqual(['no_agent'])
})

it('An alert that no agent calls is cleared when the campaign is archived, and raised ten minutes after that ends', async () => {
  const world = await seedIdle()
  await look(noonMs + hourMs)
  expect(await raisedIn(world.companyId)).toEqual(['no_agent'])
  await world.change({ archived: true }, noonMs + hourMs)
  await lookEachMinute(noonMs + hourMs + minuteMs, noonMs + hourMs + 15 * minuteMs)
  expect(await raisedIn(world.companyId)).toEqual([])
  await world.change({ archived: false }, noonMs + 2 * hourMs)
  await look(noonMs + 2 * hourMs + 9 * minuteMs)
  expect(await raisedIn(world.companyId)).toEqual([])
  await look(noonMs + 2 * hourMs + 10 * minuteMs)
  expect(await raisedIn(world.companyId)).toEqual(['no_agent'])
})

it('An alert that no agent calls is found behind leads that are not due, of any priority and lane', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 300, { rank: '10 + i % 60', due: `${noonMs + dayMs}` })
  await fillQueue(world.campaign, 300, { rank: 'i % 60', due: `${noonMs + dayMs}`, lane: `'Asia/Tokyo'` })
  await look(noonMs + hourMs)
  expect(await raisedIn(world.companyId)).toEqual([])
  await fillQueue(world.campaign, 1, { rank: '3', due: `${noonMs}`, lane: `'Asia/Tokyo'`, phone: `'+1999'` })
  await look(noonMs + hourMs)
  expect(await loggedIn(world.companyId)).toEqual([['raised', 'no_agent', null, iso(noonMs)]])
})

it('An alert that no agent calls is since the earliest of all priorities, appointments included', async () => {
  const at = async (...dues: (readonly [rank: number, minutes: number])[]) => {
    const { campaign, companyId } = await seedCallingWorld()
    for (const [i, [rank, minutes]] of dues.entries())
      await fillQueue(campaign, 1, {
        rank: `${rank}`,
        due: `${noonMs + minutes * minuteMs}`,
        phone: `'+199${i}'`,
      })
    return companyId
  }
  const found = await Promise.all([
    at([101, 30], [90, 20], [50, 10], [0, 25]),
    at([101, 5], [90, 20], [50, 25]),
    at([90, 5], [50, 90], [0, 15]),
    at([90, 80], [50, 90], [0, 15]),
  ])
  await look(noonMs + hourMs)
  const since = (await Promise.all(found.map(loggedIn))).map((logged) => logged.map((entry) => entry[3]))
  expect(since).toEqual([10, 5, 5, 15].map((minutes) => [iso(noonMs + minutes * minuteMs)]))
})

it('An alert that no agent calls is looked for in 500 campaigns a minute, in turn', async () => {
  const companyId = await seedCompany()
  await companyDb.batch([
    companyDb
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
         insert into campaigns (number, id, company_id, name, created_at_ms)
         select ${lastSeededNumber} + i, 'c' || i, ?1, 'c', 0 from n`,
      )
      .bind(companyId),
    companyDb
      .prepare(
        `insert into calling_settings (campaign_number, paused, time_zone, calling_hours, appointment_hours,
           closed_dates, max_attempts, lease_seconds, outcomes, version)
         select number, 0, 'UTC', ?2, ?2, '[]', 3, 600, '{}', 1 from campaigns where company_id = ?1`,
      )
      .bind(companyId, JSON.stringify(openSettings.callingHours)),
    companyDb
      .prepare(
        `insert into leads (seq, campaign_number, phone_number, created_at_ms, token, queue_rank, due_at_ms)
         select (number << 32) + 1, number, '+12025550100', ?2, 'seed0000000', 0, ?2 from campaigns
           where company_id = ?1`,
      )
      .bind(companyId, noonMs),
  ])
  const counts: number[] = []
  for (let minute = 0; minute < 3; minute++) {
    await look(noonMs + hourMs)
    counts.push((await raisedIn(companyId)).length)
  }
  expect(counts.every((count, i) => count - (counts[i - 1] ?? 0) <= 500)).toBe(true)
  await look(noonMs + hourMs)
  expect((await raisedIn(companyId)).length).toBe(1100)
  await look(noonMs + hourMs)
  expect((await loggedIn(companyId)).length).toBe(1100)
  await companyDb
    .prepare('update leads set due_at_ms = null where phone_number = ?1')
    .bind('+12025550100')
    .run()
  for (let minute = 0; minute < 4; minute++) await look(noonMs + hourMs)
  expect(await raisedIn(companyId)).toEqual([])
})

it('An alert about a failure is raised once a webhook has failed for ten minutes, and cleared when it is well or disabled', async () => {
  const world = await seedCallingWorld()
  const add = (id: string) =>
    companyDb
      .prepare(
        `insert into webhooks (id, company_id, campaign_number, url, types, include, passed_number, created_at_ms,
           failing_since_ms) values (?1, ?2, null, 'https://example.com/', '[]', '[]', 0, 0, ?3)`,
      )
      .bind(id, world.companyId, noonMs)
      .run()
  const [one, other] = [`wh_one_${world.companyId}`, `wh_other_${world.companyId}`]
  await add(one)
  await add(other)
  await look(noonMs + 10 * minuteMs - 1)
  expect(await raisedIn(world.companyId)).toEqual([])
  await lookEachMinute(noonMs + 10 * minuteMs, noonMs + 12 * minuteMs)
  expect(await raisedIn(world.companyId)).toEqual([`webhook_failing ${one}`, `webhook_failing ${other}`])
  await companyDb.prepare('update webhooks set failing_since_ms = null where id = ?1').bind(one).run()
  await companyDb.prepare('update webhooks set disabled_at_ms = 1 where id = ?1').bind(other).run()
  await lookEachMinute(noonMs + 13 * minuteMs, noonMs + 14 * minuteMs)
  expect(await raisedIn(world.companyId)).toEqual([])
  const logged = await loggedIn(world.companyId)
  expect(logged.map(([change]) => change)).toEqual(['raised', 'raised', 'cleared', 'cleared'])
  expect(logged[0]).toEqual(['raised', 'webhook_failing', one, iso(noonMs)])
})

it('An alert about a failure is raised while an agent gets no leads, over its probes, and cleared when it works', async () => {
  const world = await seedCallingWorld({ ...openSettings, leaseSeconds: 60, maxAttempts: 50 })
  await fillQueue(world.campaign, 100)
  for (let i = 0; i < 5; i++) await world.claim(noonMs + i * 1000, { maxCalls: 4, agent: 'seat 7' })
  const blockedMs = noonMs + 2 * minuteMs
  await settleEverything(blockedMs)
  await look(blockedMs)
  expect(await raisedIn(world.companyId)).toEqual(['agent_failing seat 7'])
  await look(blockedMs + 10.5 * minuteMs)
  // The block is over, and the probe is called.
  const { calls } = await world.claim(blockedMs + 11 * minuteMs, { maxCalls: 4, agent: 'seat 7' })
  await look(blockedMs + 11 * minuteMs)
  expect(await raisedIn(world.companyId)).toEqual(['agent_failing seat 7'])
  await world.report(blockedMs + 11.5 * minuteMs, [{ callId: calls[0]?.callId ?? '', outcome: 'answered' }])
  await look(blockedMs + 12 * minuteMs)
  expect((await loggedIn(world.companyId)).filter(([, kind]) => kind === 'agent_failing')).toEqual([
    ['raised', 'agent_failing', 'seat 7', iso(blockedMs)],
    ['cleared', 'agent_failing', 'seat 7', iso(blockedMs)],
  ])
})

it('An alert about a failure is raised when a key has sent 900 requests in a clock hour, and cleared in the next', async () => {
  const { companyId, campaign } = await seedCallingWorld()
  const { id: keyId } = await seedKey({ companyId, campaign })
  const use = (code: string, requests: number, atMs: number) =>
    addUses(companyDb, [{ keyId, code, requests, lastUsedAtMs: atMs }], atMs)
  await use('', 800, noonMs)
  await use('', 800, noonMs - 1)
  await use('lead_not_found', 99, noonMs)
  await look(noonMs + minuteMs)
  expect(await raisedIn(companyId)).toEqual([])
  await use('lead_not_found', 1, noonMs + minuteMs)
  await lookEachMinute(noonMs + 2 * minuteMs, noonMs + 4 * minuteMs)
  expect(await raisedIn(companyId)).toEqual([`key_limit ${keyId}`])
  await look(noonMs + hourMs)
  await look(noonMs + hourMs + minuteMs)
  expect(await loggedIn(companyId)).toEqual([
    ['raised', 'key_limit', keyId, iso(noonMs + 2 * minuteMs)],
    ['cleared', 'key_limit', keyId, iso(noonMs + 2 * minuteMs)],
  ])
  const [entry] = (await entriesOf(companyId)).filter(({ type }) => type === 'alert.raised')
  expect(entry?.campaignNumber).toBe(campaign.number)
})

it('The look for alerts logs each change once when the answer to its first try is lost', async () => {
  const world = await seedIdle()
  const losing = () => databaseLosingAnswers(1).DB
  await look(noonMs + hourMs, losing())
  await look(noonMs + hourMs, losing())
  await world.claim(noonMs + hourMs)
  await look(noonMs + hourMs, losing())
  expect((await loggedIn(world.companyId)).map(([change]) => change)).toEqual(['raised', 'cleared'])
})

it('The look for alerts takes two trips to the database, and reads no lead that it need not', async () => {
  const world = await seedIdle()
  await fillQueue(world.campaign, 5_000, { rank: '7' })
  const { DB, trips } = watchedDatabase()
  await look(noonMs + hourMs, DB)
  expect(trips.length).toBe(2)
  // A few rows for each campaign of the tests before; none for each of the 5,000 leads.
  const before = await campaignsWithLeads()
  expect(trips[0]?.results[0]?.meta.rows_read).toBeLessThan(60 * before)
})

it('The look for alerts reads two rows for each rank of a queue, whatever stands behind it', async () => {
  const read = async () => {
    const { DB, trips } = watchedDatabase()
    await look(noonMs + hourMs, DB)
    return trips[0]?.results[0]?.meta.rows_read ?? Number.NaN
  }
  await seedIdle()
  const before = await read()
  await fillQueue((await seedIdle()).campaign, 5_050, { rank: 'i % 101' })
  // A campaign, its settings, its lane and its leases, and in each rank the first lead.
  expect((await read()) - before).toBeLessThan(2 * 101 + 60)
})

it('The look for alerts searches leads, alerts and hours by an index or their key', async () => {
  await seedIdle()
  const { DB, trips } = watchedDatabase()
  await look(noonMs + hourMs, DB)
  const [watched, raise] = trips[0]?.statements ?? []
  if (watched === undefined || raise === undefined) throw new Error('nothing was read')
  const scans = (await planOf(watched)).filter((line) => /^SCAN (l|a|h|c|s)\b/.test(line))
  expect(scans).toEqual([])
  const ofKeys = (await planOf(raise)).filter((line) => /\b(h|k)\b/.test(line))
  expect(ofKeys).toEqual([
    expect.stringMatching(/^SEARCH k USING PRIMARY KEY/),
    expect.stringContaining('SEARCH h USING INDEX key_hours_hour'),
    expect.stringMatching(/^SEARCH k USING/),
    // Of sources: by its uses, and the key that it has now.
    expect.stringContaining('SEARCH h USING INDEX key_hours_hour'),
    expect.stringMatching(/^SEARCH k USING/),
    expect.stringMatching(/^SEARCH k USING INDEX sqlite_autoindex_api_keys_1 \(id=\?\)$/),
    // Of sources whose clock is asked for.
    expect.stringMatching(/^SEARCH k EXISTS USING INDEX sqlite_autoindex_api_keys_1 \(id=\?\)$/),
  ])
})

it('The look for alerts shows its events to keys with the right to manage alone', async () => {
  const world = await seedIdle()
  await look(noonMs + hourMs)
  const typesFor = async (key: string) => {
    const { events } = dataOf(await api(key).request('GET', '/api/v1/events'), 200) as {
      events: { type: string; data: object }[]
    }
    return events.filter(({ type }) => type.startsWith('alert.')).map(({ data }) => data)
  }
  const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  const since = iso(noonMs)
  expect(await typesFor(key)).toEqual([
    { campaignId: world.campaignId, kind: 'no_agent', subject: null, since },
  ])
  expect([await typesFor(world.readKey), await typesFor(world.writeKey)]).toEqual([[], []])
})
