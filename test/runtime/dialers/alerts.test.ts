// The alerts that a dialer raises, and when they are cleared.
import { beforeEach, expect, it } from 'vitest'
import { loggedIn, raisedIn } from '../../support/alerts/alerts.ts'
import { companyDb } from '../../support/database/store.ts'
import { lasting, secret, seedDialer, templateAt } from '../../support/dialers/dialer-world.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const ended = { state: 'ended', reason: 'answered', talked: true, seconds: 7, analysis: {} }

it('An account that is refused stops the dialer, is an alert, and is forgotten when the dialer is enabled', async () => {
  let hasCredit = false
  const { add, run, starts, shown, companyId } = await seedDialer((sent) =>
    hasCredit ? lasting(sent) : Response.json({ message: 'no credit on 4711' }, { status: 402 }),
  )
  await add()
  await run()
  expect((await shown('GET')).state).toMatchObject({
    ...{ status: 'stopped', reason: 'account', live: 0 },
    lastProblem: { status: 402, message: 'no credit on ####' },
  })
  await run(3600)
  expect(starts()).toHaveLength(1)
  await runCron()
  expect(await raisedIn(companyId)).toContain('dialer_stopped account')
  hasCredit = true
  expect((await shown('PATCH', { enabled: true })).state.status).not.toBe('stopped')
  await run()
  expect(starts()).toHaveLength(2)
  await runCron()
  expect(await raisedIn(companyId)).not.toContain('dialer_stopped account')
  expect((await loggedIn(companyId)).map(([what]) => what)).toEqual(
    expect.arrayContaining(['raised', 'cleared']),
  )
})

it('Why a dialer stopped is an alert also after it was switched off, until it is changed or enabled', async () => {
  const refuse = () => Response.json({ message: 'no credit' }, { status: 402 })
  const [one, neighbour] = [await seedDialer(refuse), await seedDialer(refuse)]
  for (const { add, run } of [one, neighbour]) {
    await add()
    await run()
  }
  const expectAlert = async (isThere: boolean) => {
    for (const { run } of [one, neighbour]) await run()
    await runCron()
    expect((await raisedIn(one.companyId)).includes('dialer_stopped account')).toBe(isThere)
    expect(await raisedIn(neighbour.companyId)).toContain('dialer_stopped account')
  }
  await expectAlert(true)
  for (const end of [{ maxLive: 7 }, { secrets: { apiKey: 'another' } }, { enabled: true }]) {
    expect((await one.shown('PATCH', { enabled: false })).state.status).toBe('off')
    await expectAlert(true)
    await one.shown('PATCH', end)
    // It is refused again once it is enabled.
    await expectAlert('enabled' in end)
    await one.shown('PATCH', { enabled: true })
    await expectAlert(true)
  }
})

it('A dialer whose key was revoked has another one once it is switched off, and its alert is cleared', async () => {
  const [one, neighbour] = [await seedDialer(lasting), await seedDialer(lasting)]
  for (const { add, campaign, run } of [one, neighbour]) {
    await add()
    await run()
    await companyDb
      .prepare(`update api_keys set revoked_at_ms = 1 where id = (select key_id from dialers
        where campaign_number = ?1)`)
      .bind(campaign.number)
      .run()
    await run(120)
  }
  await runCron()
  for (const { companyId } of [one, neighbour])
    expect(await raisedIn(companyId)).toContain('dialer_stopped key_revoked')
  expect((await one.shown('PATCH', { enabled: false })).state).toMatchObject({ status: 'off', reason: null })
  await runCron()
  expect(await raisedIn(one.companyId)).not.toContain('dialer_stopped key_revoked')
  expect(await raisedIn(neighbour.companyId)).toContain('dialer_stopped key_revoked')
})

it('An end that the template does not know is an alert for a day, without digits, and is kept no longer', async () => {
  let reason = 'carrier-weather-4711-٤'
  const { add, run, companyId, campaign } = await seedDialer((sent) =>
    sent.method === 'GET' ? Response.json({ ...ended, reason, talked: false }) : lasting(sent),
  )
  await add()
  await run()
  await run(15)
  await runCron()
  expect(await raisedIn(companyId)).toContain('dialer_unmapped carrier-weather-####-_')
  const stored = () =>
    companyDb
      .prepare('select unmapped_reason as reason from dialers where campaign_number = ?1')
      .bind(campaign.number)
      .first<{ reason: string | null }>()
  reason = 'answered'
  await run(86_300)
  expect(await stored()).toEqual({ reason: 'carrier-weather-####-_' })
  await run(100)
  expect(await stored()).toEqual({ reason: null })
  await runCron()
  expect(await raisedIn(companyId)).not.toContain('dialer_unmapped carrier-weather-####-_')
})

it('An unmapped end is an alert for a day, also while the dialer is off, until the template is changed', async () => {
  const { add, run, companyId, shown, url } = await seedDialer((sent) =>
    sent.method === 'GET'
      ? Response.json({ ...ended, reason: 'carrier-weather', talked: false })
      : lasting(sent),
  )
  await add()
  await run()
  await run(15)
  await runCron()
  expect(await raisedIn(companyId)).toContain('dialer_unmapped carrier-weather')
  for (const change of [{ enabled: false }, { maxLive: 7 }, { enabled: true }]) {
    await shown('PATCH', change)
    await runCron()
    expect(await raisedIn(companyId)).toContain('dialer_unmapped carrier-weather')
    await run()
    await runCron()
    expect(await raisedIn(companyId)).toContain('dialer_unmapped carrier-weather')
  }
  const template = { ...templateAt(url), started: { id: '/id' } }
  await shown('PATCH', { template, secrets: { apiKey: secret } })
  await run()
  await runCron()
  expect(await raisedIn(companyId)).not.toContain('dialer_unmapped carrier-weather')
})

it('A dialer that is off is in the overview and the list while only its calls are live, and says which start is confirmed', async () => {
  let isUp = true
  const agent = await seedDialer((sent) => (isUp ? lasting(sent) : Response.json({}, { status: 500 })))
  const { add, run, shown, claim, campaignPath, manager, another } = agent
  const other = await another()
  await other.call()
  type Shown = { dialer: object | null; liveCalls: { leadId: string; dialledAt: string | null }[] }
  const overview = async () => dataOf(await manager.request('GET', `${campaignPath}/overview`), 200) as Shown
  const dialers = async () => {
    const { campaigns } = dataOf(await manager.request('GET', '/api/v1/campaigns?include=overview'), 200) as {
      campaigns: Shown[]
    }
    const { dialer } = await overview()
    expect(campaigns.map((campaign) => campaign.dialer)).toEqual([dialer, null])
    return dialer
  }
  const confirmed = await add()
  await run()
  isUp = false
  const refused = await add()
  await run()
  expect(await dialers()).toEqual({ status: 'running', reason: null })
  await shown('PATCH', { enabled: false })
  expect(await dialers()).toEqual({ status: 'off', reason: null })
  const { liveCalls } = await overview()
  const dialledAt = new Map(liveCalls.map((call) => [call.leadId, call.dialledAt]))
  expect(dialledAt.get(confirmed.leadId)).toMatch(/Z$/)
  expect(dialledAt.get(refused.leadId)).toBeNull()
  await add()
  await claim({ limit: 1 })
  expect(await dialers()).toBeNull()
})

it('A dialer that understands nothing of twenty calls with talk is an alert, until it understands one', async () => {
  let analysis: object = {}
  const reply = (of: () => object) => (sent: Parameters<typeof lasting>[0]) =>
    sent.method === 'GET' ? Response.json({ ...ended, analysis: of() }) : lasting(sent)
  const settings = { maxLive: 20 }
  const one = await seedDialer(
    reply(() => analysis),
    settings,
  )
  const neighbour = await seedDialer(
    reply(() => ({ doNotCall: false })),
    settings,
  )
  const call = async (times: number) => {
    for (const { add, run } of [one, neighbour]) {
      for (let i = 0; i < times; i++) await add()
      await run(0, 8)
      for (let i = 0; i < 14; i++) await run(15, 2)
    }
  }
  const heard = async () => (await one.shown('GET')).heard
  const isRaised = async () => {
    await runCron()
    expect((await raisedIn(neighbour.companyId)).filter((what) => what.startsWith('dialer_hears'))).toEqual(
      [],
    )
    return (await raisedIn(one.companyId)).includes('dialer_hears_nothing')
  }
  expect(await heard()).toEqual({ talked: 0, understood: 0 })
  await call(19)
  expect(await heard()).toEqual({ talked: 19, understood: 0 })
  expect(await isRaised()).toBe(false)
  await call(1)
  expect(await heard()).toEqual({ talked: 20, understood: 0 })
  expect(await isRaised()).toBe(true)
  expect((await neighbour.shown('GET')).heard).toEqual({ talked: 20, understood: 20 })
  analysis = { outcome: 'busy' }
  await call(1)
  // Also of those that are still asked for.
  expect(await heard()).toEqual({ talked: 21, understood: 21 })
  expect(await isRaised()).toBe(false)
}, 60_000)
