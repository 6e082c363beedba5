// Alarms that the platform has dropped: they stand in the past, and nothing runs them. The clock is years ahead, so no
// alarm goes off but those that a test runs.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { armAlarm, replaceAlarm } from '../../src/base/alarm.ts'
import type { CompanyStore } from '../../src/control/companies/company-object.ts'
import { tendStores } from '../../src/control/companies/tend-stores.ts'
import { loggedIn, raisedIn } from '../support/alerts/alerts.ts'
import { seedCompanyIn, stubOf } from '../support/companies/own-company.ts'
import { companyDb } from '../support/database/store.ts'
import { seedDialer } from '../support/dialers/dialer-world.ts'
import { runCron } from '../support/run/cron.ts'
import { seedWebhook, startMs, useFutureClock } from '../support/webhooks/webhook.ts'
import { newPhone, seedCampaign } from '../support/world.ts'

beforeEach(useFutureClock)

const minuteMs = 60_000
type Stub = DurableObjectStub<CompanyStore>

const alarmOf = (stub: DurableObjectStub<undefined>) =>
  runInDurableObject(stub, (_: DurableObject, { storage }) => storage.getAlarm())

async function runIfDue(stub: DurableObjectStub<undefined>): Promise<void> {
  const atMs = await alarmOf(stub)
  if (atMs !== null && atMs <= Date.now() + 1) await runDurableObjectAlarm(stub)
}

async function eachMinute(minutes: number, work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    vi.setSystemTime(Date.now() + minuteMs)
    await work()
  }
}

it('A dialer whose alarm was dropped is woken by the next minute, which leaves the alarm of another as it is', async () => {
  const [stuck, other] = [await seedDialer(), await seedDialer()]
  await stuck.run()
  await other.run()
  await stuck.add()
  const dropped = (await alarmOf(stuck.object as never)) as number
  vi.setSystemTime(dropped + 5_000)
  await stuck.object.nudge(null)
  await runCron()
  expect(await alarmOf(stuck.object as never)).toBe(dropped)
  vi.setSystemTime(dropped + 5_001)
  await other.add()
  const pending = await alarmOf(other.object as never)
  await runCron()
  expect(await alarmOf(stuck.object as never)).toBe(Date.now() + 1)
  expect(await alarmOf(other.object as never)).toBe(pending)
  await stuck.run(1)
  expect(stuck.starts()).toHaveLength(1)
})

it('A dialer whose alarm is not run for ten minutes raises an alert, cleared once it is; another raises none', async () => {
  const [stuck, other] = [await seedDialer(), await seedDialer()]
  await stuck.run()
  await other.run()
  await stuck.add()
  const dueAt = new Date((await alarmOf(stuck.object as never)) as number).toISOString()
  const minute = async () => {
    await runCron()
    await other.run()
  }
  await eachMinute(9, minute)
  expect(await raisedIn(stuck.companyId)).not.toContain('dialer_stalled')
  await eachMinute(3, minute)
  expect(await raisedIn(stuck.companyId)).toContain('dialer_stalled')
  expect(await raisedIn(other.companyId)).toEqual([])
  await stuck.run()
  await eachMinute(1, minute)
  expect(await raisedIn(stuck.companyId)).not.toContain('dialer_stalled')
  expect((await loggedIn(stuck.companyId)).filter(([, kind]) => kind === 'dialer_stalled')).toEqual([
    ['raised', 'dialer_stalled', null, dueAt],
    ['cleared', 'dialer_stalled', null, dueAt],
  ])
})

it('A stalled dialer that is switched off stays one alert, until no call of it can be left; that of another company stays', async () => {
  const [stuck, other] = [await seedDialer(), await seedDialer()]
  for (const dialer of [stuck, other]) {
    await dialer.run()
    await dialer.add()
    await dialer.run(1)
    expect(dialer.starts()).toHaveLength(1)
  }
  await eachMinute(13, runCron)
  await stuck.shown('PATCH', { enabled: false })
  await eachMinute(12, runCron)
  const changes = async ({ companyId }: typeof stuck) =>
    (await loggedIn(companyId)).filter(([, kind]) => kind === 'dialer_stalled').map(([change]) => change)
  expect(await changes(stuck)).toEqual(['raised'])
  await eachMinute(2, async () => {
    vi.setSystemTime(Date.now() + 24 * 60 * minuteMs)
    await runCron()
  })
  expect(await changes(stuck)).toEqual(['raised', 'cleared'])
  expect(await changes(other)).toEqual(['raised'])
})

it('A webhook whose alarm was dropped is found within five minutes, also where nothing new is logged', async () => {
  let status = 500
  const [stuck, other] = [await seedWebhook({}, () => status), await seedWebhook({}, () => 500)]
  for (const webhook of [stuck, other]) {
    await webhook.log(1)
    await webhook.run()
  }
  // Both have passed the end of the log, and wait for their second attempt.
  await runCron()
  await eachMinute(9, async () => {
    await runCron()
    await runIfDue(other.sender() as never)
  })
  expect(await alarmOf(stuck.sender() as never)).toBeGreaterThan(startMs + 3 * minuteMs)
  expect(await raisedIn(stuck.companyId)).toEqual([])
  await eachMinute(11, async () => {
    await runCron()
    await runIfDue(other.sender() as never)
  })
  expect(await raisedIn(stuck.companyId)).toEqual([`webhook_stalled ${stuck.webhookId}`])
  expect(await raisedIn(other.companyId)).toEqual([])
  status = 204
  await stuck.runNext()
  expect(stuck.received()).toEqual([1, 1])
  await eachMinute(5, runCron)
  expect(await raisedIn(stuck.companyId)).toEqual([])
})

it('A webhook whose sender fails for ten minutes by a fault of ours raises an alert; another of the company does not', async () => {
  const stuck = await seedWebhook()
  const other = await seedWebhook({}, undefined, stuck)
  await runInDurableObject(stuck.sender(), (sender) => {
    Object.assign(sender, { env: { ...env, WEBHOOK_ROOT: '' } })
  })
  await stuck.log(1)
  await eachMinute(20, async () => {
    await runCron()
    await runIfDue(stuck.sender() as never)
    await runIfDue(other.sender() as never)
  })
  expect(await raisedIn(stuck.companyId)).toEqual([`webhook_stalled ${stuck.webhookId}`])
  await runInDurableObject(stuck.sender(), (sender) => void Object.assign(sender, { env }))
  await stuck.ask('PATCH', '', { disabled: true })
  await eachMinute(1, runCron)
  expect(await raisedIn(stuck.companyId)).toEqual([])
})

it('An alert that a webhook is stalled, or fails, is over once it has another campaign, and another company’s stays', async () => {
  const [stuck, other] = [await seedWebhook(), await seedWebhook()]
  const to = await seedCampaign(stuck.companyId)
  for (const { sender } of [stuck, other])
    await runInDurableObject(sender(), (one) => {
      Object.assign(one, { env: { ...env, WEBHOOK_ROOT: '' } })
    })
  await companyDb
    .prepare('update webhooks set failing_since_ms = ?1 where id in (?2, ?3)')
    .bind(startMs - 20 * minuteMs, stuck.webhookId, other.webhookId)
    .run()
  for (const webhook of [stuck, other]) {
    await webhook.log(1)
    await webhook.wake()
  }
  await eachMinute(20, runCron)
  const alertsOf = ({ webhookId }: typeof stuck) => [
    `webhook_failing ${webhookId}`,
    `webhook_stalled ${webhookId}`,
  ]
  for (const webhook of [stuck, other]) expect(await raisedIn(webhook.companyId)).toEqual(alertsOf(webhook))
  await stuck.ask('PATCH', '', { campaignId: to.id })
  await eachMinute(6, runCron)
  expect(await raisedIn(stuck.companyId)).toEqual(alertsOf(stuck))
  const places = companyDb.prepare('select distinct campaign_number from alerts where company_id = ?1')
  expect((await places.bind(stuck.companyId).raw()).flat()).toEqual([to.number])
  await runInDurableObject(stuck.sender(), (sender) => void Object.assign(sender, { env }))
  await stuck.runNext()
  await stuck.runNext()
  await eachMinute(6, runCron)
  expect(await raisedIn(stuck.companyId)).toEqual([])
  expect(await raisedIn(other.companyId)).toEqual(alertsOf(other))
})

it('A store whose alarm was dropped is found within five minutes, and raises an alert after ten; another raises none', async () => {
  const [stuck, other] = [await seedCompanyIn('own'), await seedCompanyIn('own')]
  const stub = (company: typeof stuck) => stubOf(company.store) as unknown as Stub
  const raised = async ({ db }: typeof stuck) =>
    (await db.prepare('select kind from alerts where raised_at_ms is not null').all()).results
  for (const company of [stuck, other]) {
    await runDurableObjectAlarm(stub(company))
    const { campaignId } = company
    await company.ask('POST', '/api/v1/leads', { campaignId, phoneNumber: newPhone() }, 201)
    await stub(company).tend(company.companyId)
  }
  const droppedMs = (await alarmOf(stub(stuck) as never)) as number
  const minute = async () => {
    await tendStores(env)
    await runDurableObjectAlarm(stub(other))
  }
  await eachMinute(6, minute)
  expect(await alarmOf(stub(stuck) as never)).toBeGreaterThan(droppedMs)
  expect(await raised(stuck)).toEqual([])
  await eachMinute(10, minute)
  expect(await raised(stuck)).toEqual([{ kind: 'store_stalled' }])
  expect(await raised(other)).not.toContainEqual({ kind: 'store_stalled' })
  await runDurableObjectAlarm(stub(stuck))
  expect(await raised(stuck)).not.toContainEqual({ kind: 'store_stalled' })
})

it('A write to a store whose alarm was dropped sets it again', async () => {
  const { store, ask, campaignId } = await seedCompanyIn('own')
  const stub = stubOf(store) as never
  const droppedMs = (await alarmOf(stub)) as number
  vi.setSystemTime(droppedMs + 6_000)
  await ask('POST', '/api/v1/leads', { campaignId, phoneNumber: newPhone() }, 201)
  expect(await alarmOf(stub)).toBe(Date.now() + 1)
})

it('An alarm of the past, which might be dropped where an alarm sets it, is set for a moment later, and earlier ones stay', async () => {
  const { store } = await seedCompanyIn('own')
  await runInDurableObject(stubOf(store) as unknown as Stub, async (_: CompanyStore, { storage }) => {
    const armed = async (atMs: number) => {
      await armAlarm(storage, atMs)
      return (await storage.getAlarm()) as number
    }
    await storage.deleteAlarm()
    expect(await armed(Date.now() - 60_000)).toBe(Date.now() + 1)
    expect(await armed(Date.now() + 60_000)).toBe(Date.now() + 1)
    await replaceAlarm(storage, Date.now() - 1)
    expect(await storage.getAlarm()).toBe(Date.now() + 1)
    await replaceAlarm(storage, Date.now() + 60_000)
    expect(await armed(Date.now() + 30_000)).toBe(Date.now() + 30_000)
  })
})
