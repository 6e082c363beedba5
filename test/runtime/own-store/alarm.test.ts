// What a company's own store does without a request, by its alarm alone: all that the cron does for D1. The clock is
// years ahead, so that no alarm goes off but those that a test runs.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { nameOf, watchedBells } from '../../support/calling/bell.ts'
import {
  databaseIn,
  newStore,
  type OwnCompany,
  seedCompanyIn,
  stubOf,
} from '../../support/companies/own-company.ts'
import { databaseFailing } from '../../support/database/database.ts'
import { insertCompanies, insertLeads, newPhone } from '../../support/database/seed.ts'
import { api } from '../../support/http/api.ts'
import { catchLogs } from '../../support/run/logs.ts'
import { openReceiver } from '../../support/webhooks/receiver.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2035, 0, 15, 12) }))

type Stub = DurableObjectStub<CompanyStore>

const objectOf = (store: string | null) => stubOf(store) as unknown as Stub
const alarmOf = (store: string | null) =>
  runInDurableObject(objectOf(store), (_: CompanyStore, { storage }) => storage.getAlarm())

/** Moves the clock to each alarm until this time, and runs it. Returns how many. */
async function runUntil(store: string | null, endsAtMs: number): Promise<number> {
  for (let alarms = 0; ; alarms++) {
    const atMs = await alarmOf(store)
    if (atMs === null || atMs > endsAtMs) {
      vi.setSystemTime(endsAtMs)
      return alarms
    }
    vi.setSystemTime(Math.max(atMs, Date.now()))
    await runDurableObjectAlarm(objectOf(store))
  }
}
const runFor = (store: string | null, ms: number) => runUntil(store, Date.now() + ms)

/** What the object finds around it, in place of its own. */
const setEnv = (store: string | null, more: object) =>
  runInDurableObject(
    objectOf(store),
    (object: CompanyStore) => void Object.assign(object, { env: { ...env, ...more } }),
  )

async function addLead({ ask, campaignId }: OwnCompany, more: object = {}) {
  const { leadId } = await ask('POST', '/api/v1/leads', { campaignId, phoneNumber: newPhone(), ...more }, 201)
  return leadId as string
}

async function claim({ ask, campaignId }: OwnCompany) {
  const { calls } = await ask('POST', '/api/v1/calls/claim', { campaignId, limit: 1 })
  return (calls as { callId: string; leaseExpiresAt: string }[])[0] as {
    callId: string
    leaseExpiresAt: string
  }
}

const raised = async ({ db }: OwnCompany) =>
  (await db.prepare('select kind from alerts where raised_at_ms is not null').all()).results.map(
    ({ kind }) => kind,
  )

it('The alarm of a store is not set by what only reads, and none is left once there is nothing to do', async () => {
  const store = newStore('idle')
  const db = databaseIn(store)
  await db.prepare('select * from companies').all()
  expect(await alarmOf(store)).toBeNull()
  await insertCompanies(db, ['idle']).run()
  expect(await alarmOf(store)).toBe(Date.now() + minuteMs)
  expect(await runFor(store, hourMs)).toBe(1)
  expect(await alarmOf(store)).toBeNull()
})

it('The alarm of a store is set by a write within a minute, and by none after it later than that', async () => {
  const company = await seedCompanyIn('own')
  await runFor(company.store, dayMs)
  await addLead(company)
  const first = (await alarmOf(company.store)) as number
  expect(first).toBeLessThanOrEqual(Date.now() + minuteMs)
  vi.setSystemTime(Date.now() + minuteMs / 2)
  await addLead(company)
  expect(await alarmOf(company.store)).toBe(first)
})

it('The alarm of a store comes seldom while no lead waits and no call is open', async () => {
  const company = await seedCompanyIn('own')
  await runFor(company.store, dayMs)
  expect(await runFor(company.store, dayMs)).toBeLessThanOrEqual(26)
})

it('The alarm of a store settles a lease that ran out, as soon as its grace is over', async () => {
  const company = await seedCompanyIn('own')
  const leadId = await addLead(company)
  const { leaseExpiresAt } = await claim(company)
  await runUntil(company.store, Date.parse(leaseExpiresAt) + minuteMs)
  const { calls } = await company.ask('GET', `/api/v1/leads/${leadId}/calls`)
  expect(calls).toMatchObject([{ outcome: 'unknown' }])
})

it('The alarm of a store rings for the claims that wait for a lead of such a lease', async () => {
  const company = await seedCompanyIn('own')
  const { CAMPAIGN_BELLS, rings } = watchedBells()
  await setEnv(company.store, { CAMPAIGN_BELLS })
  await addLead(company)
  const { leaseExpiresAt } = await claim(company)
  await company.ask('PATCH', `/api/v1/campaigns/${company.campaignId}`, {
    outcomes: { unknown: { minutes: 0 } },
  })
  await company.db
    .prepare('update calling_settings set waited_for_until_ms = ?1')
    .bind(Date.now() + dayMs)
    .run()
  await runUntil(company.store, Date.parse(leaseExpiresAt) + minuteMs)
  expect(rings.map(({ name }) => name)).toContain(nameOf(company.campaign))
})

it('The alarm of a store erases what its campaign keeps no longer, within the hour', async () => {
  const company = await seedCompanyIn('own')
  await company.ask('PATCH', `/api/v1/campaigns/${company.campaignId}`, { retentionDays: 1 })
  const leadId = await addLead(company)
  const { callId } = await claim(company)
  await company.ask('POST', '/api/v1/calls/report', { calls: [{ callId, outcome: 'answered' }] })
  const status = async () =>
    (await api(company.keyOf('read').key).request('GET', `/api/v1/leads/${leadId}`)).status
  await runFor(company.store, dayMs - hourMs)
  expect(await status()).toBe(200)
  await runFor(company.store, 2 * hourMs + 2 * minuteMs)
  expect(await status()).toBe(404)
})

it('The alarm of a store erases each minute until it has been through all campaigns and leads, and then rests', async () => {
  const company = await seedCompanyIn('own')
  const { ask, db, campaign, campaignId } = company
  const others = Array.from({ length: 24 }, (_, index) => `${campaignId}-${index}`)
  for (const id of others) await ask('POST', '/api/v1/campaigns', { id, name: id }, 201)
  for (const id of [campaignId, ...others])
    await ask('PATCH', `/api/v1/campaigns/${id}`, { retentionDays: 30 })
  const { results } = await db.prepare('select number from campaigns').all<{ number: number }>()
  const concluded = (count: number) =>
    Array.from({ length: count }, () => ({ phoneNumber: newPhone(), status: 'concluded' }))
  for (const { number } of results) await insertLeads(db, number, concluded(1)).run()
  await insertLeads(db, campaign.number, concluded(2_500)).run()
  // The last ones of the long campaign are old, and those of the others.
  await db.prepare('update leads set finished_at_ms = ?1, due_at_ms = null').bind(Date.now()).run()
  const old =
    'update leads set finished_at_ms = 1 where seq in (select max(seq) from leads group by campaign_number)'
  await db.prepare(old).run()
  const left = () => db.prepare('select count(*) as n from leads where finished_at_ms = 1').first<number>('n')
  expect(await left()).toBe(25)
  await runFor(company.store, hourMs + 10 * minuteMs)
  expect(await left()).toBe(0)
  // Each hour a round of three minutes.
  expect(await runFor(company.store, 5 * hourMs)).toBeLessThan(30)
})

it('The alarm of a store recounts statistics', async () => {
  const company = await seedCompanyIn('own')
  await addLead(company)
  const { callId } = await claim(company)
  await company.ask('POST', '/api/v1/calls/report', { calls: [{ callId, outcome: 'answered' }] })
  const counted = () => company.db.prepare('select sum(d_raw) as n from campaign_hours').first<number>('n')
  const before = await counted()
  await company.db.prepare('update campaign_hours set d_raw = d_raw + 7').run()
  expect(await counted()).not.toBe(before)
  await runFor(company.store, 2 * dayMs)
  expect(await counted()).toBe(before)
})

it('The alarm of a store raises an alert, and clears it', async () => {
  const company = await seedCompanyIn('own')
  await addLead(company)
  await runFor(company.store, 15 * minuteMs)
  expect(await raised(company)).toEqual(['no_agent'])
  await claim(company)
  await runFor(company.store, 2 * minuteMs)
  expect(await raised(company)).toEqual([])
})

it('The alarm of a store wakes the sender of a webhook that was not woken', async () => {
  const company = await seedCompanyIn('own')
  const receiver = openReceiver()
  const webhook = { url: receiver.url, types: ['campaign.changed'] }
  const { webhookId } = await company.ask('POST', '/api/v1/webhooks', webhook, 201)
  const sender = env.WEBHOOK_SENDERS.getByName(webhookId as string)
  await runDurableObjectAlarm(sender)
  await runFor(company.store, minuteMs)
  await company.db
    .prepare(
      `insert into events (company_id, number, at_ms, type, actor, data)
         select ?1, max(number) + 1, ?2, 'campaign.changed', 'operator', '{"n":1}' from events`,
    )
    .bind(company.companyId, Date.now())
    .run()
  await runFor(company.store, 2 * minuteMs)
  await runDurableObjectAlarm(sender)
  expect(receiver.received.map(({ body }) => body.data.n)).toContain(1)
})

describe('An alarm', () => {
  const unreachable = { getByName: () => ({ wake: () => Promise.reject(new Error('away')) }) }

  it('An alarm keeps working while D1, the senders and the bells do not answer', async () => {
    const company = await seedCompanyIn('own')
    const { DB } = databaseFailing('D1_ERROR: Network connection lost.')
    await setEnv(company.store, { DB, WEBHOOK_SENDERS: unreachable, CAMPAIGN_BELLS: unreachable })
    const leadId = await addLead(company)
    const { leaseExpiresAt } = await claim(company)
    await runUntil(company.store, Date.parse(leaseExpiresAt) + minuteMs)
    expect(await alarmOf(company.store)).not.toBeNull()
    const { calls } = await company.ask('GET', `/api/v1/leads/${leadId}/calls`)
    expect(calls).toMatchObject([{ outcome: 'unknown' }])
  })

  it('An alarm never throws when one of its jobs fails: the others run, it is logged, and the next alarm is set', async () => {
    const company = await seedCompanyIn('own')
    const leadId = await addLead(company)
    const { leaseExpiresAt } = await claim(company)
    await company.db.prepare('alter table alerts rename to alerts_away').run()
    const logs = catchLogs()
    await runUntil(company.store, Date.parse(leaseExpiresAt) + minuteMs)
    expect(logs.records).toContainEqual(expect.objectContaining({ event: 'alerting_failed' }))
    expect(logs.records).toContainEqual(expect.objectContaining({ event: 'company_alarm_failed' }))
    const { calls } = await company.ask('GET', `/api/v1/leads/${leadId}/calls`)
    expect(calls).toMatchObject([{ outcome: 'unknown' }])
    const next = (await alarmOf(company.store)) as number
    expect(next).toBeLessThanOrEqual(Date.now() + minuteMs)
  })

  it('An alarm never throws when all of them fail', async () => {
    const store = newStore('broken')
    const db = databaseIn(store)
    await insertCompanies(db, ['broken']).run()
    await runInDurableObject(objectOf(store), (_: CompanyStore, { storage }) => {
      for (const table of ['leads', 'alerts', 'webhooks', 'recounts']) storage.sql.exec(`drop table ${table}`)
    }).catch(() => {})
    catchLogs()
    for (let i = 0; i < 3; i++) {
      vi.setSystemTime(Date.now() + minuteMs)
      expect(await runDurableObjectAlarm(objectOf(store))).toBe(true)
    }
  })
})
