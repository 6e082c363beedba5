// The console of a local service that was started with --clock: the bar that shows its clock and runs it, and an
// overview that moves along. Of other services no page has it.
import { expect, it, onTestFinished } from 'vitest'
import { LeadIntake } from '../../src/sdk/src/lead-intake.ts'
import { dirOfTest, freePort, startServer } from '../admin/project.ts'
import { launchBrowser } from './browser.ts'
import * as consolePage from './console-page.ts'
import { expectFit } from './console-page.ts'

const dayMs = 86_400_000

it('The bar of the clock runs a local service ahead, and the overview moves along', {
  timeout: 300_000,
}, async () => {
  const [browser, server] = await Promise.all([
    launchBrowser(),
    startServer(dirOfTest(), await freePort(), onTestFinished, ['--clock']),
  ])
  onTestFinished(() => browser.close())
  const apiKey = /manage key +(lk_\w+)/.exec(server.printed)?.[1] ?? ''
  const client = new LeadIntake({ baseUrl: server.base, apiKey })
  await client.campaigns.update('demo', { timeZone: 'UTC' })
  await client.campaigns.dialer.set('demo', { preset: 'pretend', enabled: true })
  const scheduledFor = new Date(Date.now() + dayMs / 2).toISOString()
  await client.leads.create({ campaignId: 'demo', phoneNumber: '+14155550100', scheduledFor })
  const { page, complaints } = await consolePage.openConsole(browser, server as never, apiKey)
  const bar = page.getByRole('region', { name: 'Test clock' })
  const shownMs = async () => Date.parse((await bar.locator('time').getAttribute('datetime')) ?? '')
  const isStill = () => bar.getByRole('button', { name: 'A day' }).waitFor({ timeout: 120_000 })
  await expectFit(page, 'clock')

  const beganAtMs = await shownMs()
  expect(Math.abs(beganAtMs - Date.now())).toBeLessThan(60_000)
  await bar.getByRole('button', { name: 'Next event' }).click()
  await expect.poll(async () => (await shownMs()) - beganAtMs, { timeout: 60_000 }).toBeGreaterThan(60_000)
  await isStill()
  await bar.getByRole('button', { name: 'A day' }).click()
  await expect.poll(shownMs, { timeout: 60_000 }).toBeGreaterThan(beganAtMs + dayMs)
  await isStill()
  const concluded = page
    .getByRole('row', { name: /a call succeeded/ })
    .getByRole('cell')
    .first()
  // The demo brings leads of its own.
  const { status } = await client.campaigns.stats('demo')
  expect(status.concluded).toBeGreaterThan(0)
  await expect.poll(() => concluded.textContent(), { timeout: 60_000 }).toBe(String(status.concluded))
  await bar.getByRole('button', { name: 'Two weeks' }).click()
  await bar.getByRole('button', { name: 'Pause' }).click()
  await isStill()
  expect(complaints).toEqual([])
})
