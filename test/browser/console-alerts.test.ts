// What is wrong, at a glance, in a real browser: the state of the campaign, the bar of alerts on each of its pages,
// agents that wait, webhooks that fail, and what a campaign without leads shows. Leaves pictures in dist/screenshots.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectFit, goTo, type Look, takePicture } from './console-page.ts'
import { api, askApi, openConsole, server } from './started.ts'

let key: string

const sinceMs = Date.now() - 25 * 60_000
const noAgent = /Leads are ready, and no agent is calling, since \d\d:\d\d in UTC/

beforeAll(async () => {
  await server.addCampaign('unused')
  key = (await server.addKey('manage')).key
  await api('PATCH', '/campaigns/demo', { timeZone: 'UTC' })
  const leads = Array.from({ length: 40 }, (_, index) => ({ phoneNumber: `+1415555${1000 + index}` }))
  await api('POST', '/leads/bulk', { campaignId: 'demo', leads })
  // As the cron and the sender of webhooks leave them.
  const run = (sql: string, ...values: (string | number | null)[]) =>
    server.db
      .prepare(sql)
      .bind(...values)
      .run()
  const campaign = await server.db
    .prepare(`select number, company_id as "companyId" from campaigns where id = 'demo'`)
    .first<{ number: number; companyId: string }>()
  if (campaign === null) throw new Error('no campaign')
  const { number, companyId } = campaign
  await run(
    `insert into webhooks (id, company_id, campaign_number, url, types, include, passed_number, created_at_ms,
       failing_since_ms, disabled_at_ms)
     values ('wh_failing', ?, ?, 'https://crm.invalid/hooks', '["leads.created"]', '[]', 0, 1, ?, null)`,
    companyId,
    number,
    sinceMs,
  )
  const raise = (kind: string, subject: string) =>
    run(
      `insert into alerts (kind, campaign_number, company_id, subject, since_ms, raised_at_ms)
       values (?, ?, ?, ?, ?, ?)`,
      kind,
      number,
      companyId,
      subject,
      sinceMs,
      sinceMs,
    )
  for (const [kind, subject] of [
    ['no_agent', ''],
    ['webhook_failing', 'wh_failing'],
    ['agent_failing', 'seat-7'],
    ['key_limit', 'key_of_a_crm'],
  ] as const)
    await raise(kind, subject)
})

const bar = (page: Page) => page.locator('.notices')
const openDemo = async (look: Look = {}, as = key) => {
  const watched = await openConsole(as, look)
  await watched.page.evaluate(`location.hash = '#/demo'`)
  await watched.page.getByRole('heading', { name: 'Demo', level: 1 }).waitFor()
  return watched
}

it('A campaign that needs attention says so once on every page, with since when, what to do and where', async () => {
  const { page } = await openDemo()
  await expect.poll(() => page.getByText(noAgent).count()).toBe(1)
  expect(await page.locator('.head .state.act').count()).toBe(1)
  expect(await page.locator('.state.good').count()).toBe(0)
  await page.getByText(/^Failing: \d+ events? waiting$/).waitFor()
  expect(await page.getByText('Up to date').count()).toBe(0)
  for (const name of ['Leads', 'Import', 'Connect', 'Settings'] as const) {
    await goTo(page, name)
    await expect.poll(() => bar(page).getByText(noAgent).count()).toBe(1)
    for (const sentence of [/webhook has been failing since \d\d:\d\d/, /Agent seat-7/, /key_of_a_crm/])
      expect(await bar(page).getByText(sentence).count()).toBe(1)
  }
  await bar(page).getByRole('link', { name: 'How to start an agent' }).click()
  await page.getByRole('list', { name: 'Guides to call leads' }).waitFor()
  await bar(page).getByRole('link', { name: 'Open webhooks' }).click()
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
})

it.each([
  [1440, 'light'],
  [1440, 'dark'],
  [320, 'light'],
  [320, 'dark'],
] as const)(
  'A campaign that needs attention fits its window, and axe finds nothing: %d px, %s',
  async (width, scheme) => {
    const { page, complaints } = await openDemo({ width, scheme })
    await page.getByText(noAgent).waitFor()
    await expectFit(page, 'alerts on the overview')
    await takePicture(page, `alerts-overview-${width}-${scheme}`)
    await goTo(page, 'Leads')
    await bar(page).getByText(noAgent).waitFor()
    await expectFit(page, 'alerts on another page')
    await takePicture(page, `alerts-leads-${width}-${scheme}`)
    expect(complaints).toEqual([])
  },
)

it('A campaign that needs attention is not red any more once an agent waits or calls, and counts them', async () => {
  const agent = await server.addKey('agent')
  const claim = { campaignId: 'demo', limit: 2, agent: 'seat-1' }
  await askApi(agent.key, 'POST', '/calls/claim', claim)
  const { page } = await openDemo()
  await page.locator('.head .state.good').waitFor()
  expect(await page.getByText('no agent is calling').count()).toBe(0)
  const calls = page.getByRole('region', { name: 'Live calls by agent' })
  const duration = () => calls.locator('tbody tr').first().locator('td').last().textContent()
  const first = await duration()
  expect(first).toMatch(/^\d+:\d\d$/)
  // It counts up, and nothing but the round is requested.
  const asked: string[] = []
  page.on('request', (request) => /\/api\/(?!.*overview)/.test(request.url()) && asked.push(request.url()))
  await expect.poll(duration, { timeout: 10_000 }).not.toBe(first)
  expect(asked).toEqual([])
})

it('A key that may not see alerts is shown the state, and no bar', async () => {
  const { page } = await openDemo({}, (await server.addKey('read')).key)
  await page.locator('.head .state').waitFor()
  expect(await bar(page).locator('.alerts').count()).toBe(0)
})

it('A campaign that never had a lead shows the first steps in place of zeros and an empty chart', async () => {
  const { page } = await openConsole(key)
  await page.evaluate(`location.hash = '#/unused'`)
  await page.getByRole('heading', { name: 'unused', level: 1 }).waitFor()
  expect(await page.getByRole('heading', { name: 'Activity' }).count()).toBe(0)
  expect(await page.getByText('In the queue').count()).toBe(0)
  await expectFit(page, 'first steps')
  await takePicture(page, 'unused-1440-light')
})
