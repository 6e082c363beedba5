// The alerts that a dialer raises, and when they are cleared.
import { beforeEach, expect, it } from 'vitest'
import { loggedIn, raisedIn } from '../../support/alerts/alerts.ts'
import { companyDb } from '../../support/database/store.ts'
import { lasting, secret, seedDialer, templateAt } from '../../support/dialers/dialer-world.ts'
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
