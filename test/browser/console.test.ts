// The console in a real browser, as people use it: compared with the API, in every width and both color schemes, by
// keyboard alone, with keys of every scope, and while keys and networks fail. Its import is in console-import.test.ts.
// Leaves pictures in dist/screenshots for people to look at.
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { playAgent } from '../../src/admin/pretend/play-agent.ts'
import { revokeKey } from '../support/companies/administration.ts'
import { expectFit, goTo, goToSection, hasFocus, signIn, takePicture } from './console-page.ts'
import { api, openAs, openConsole, server } from './started.ts'

type Claimed = { calls: { callId: string; lead: { _id: string; phoneNumber: string } }[] }
const hostile = '<script>window.hasRun=1</script><img src=x onerror="window.hasRun=1">'

beforeAll(async () => {
  const leads = Array.from({ length: 300 }, (_, index) => ({
    phoneNumber: `+1415555${String(index).padStart(4, '0')}`,
    externalId: `crm-${index}`,
    priority: index % 100,
    metadata: { name: `Ada ${index}`, note: hostile, [hostile]: 1 },
  }))
  await api('POST', '/leads/bulk', { campaignId: 'demo', leads })
  await api('POST', '/suppressions', { phoneNumbers: ['+14155550299'], campaignId: 'demo', reason: hostile })
  const { data } = await api<Claimed>('POST', '/calls/claim', {
    campaignId: 'demo',
    limit: 12,
    agent: 'anna',
  })
  const outcomes = ['answered', 'no_answer', 'busy', 'not_interested']
  const calls = data.calls
    .slice(0, 8)
    .map(({ callId }, index) => ({ callId, outcome: outcomes[index % 4], details: { note: hostile } }))
  await api('POST', '/calls/report', { calls })
})

const headOf = (page: Page) => page.getByRole('region', { name: 'Demo' })
/** What the queue has. */
const inQueue = (page: Page) => page.getByRole('row', { name: 'In the queue' }).getByRole('cell').first()

describe.each([320, 390, 1440, 2560])('The console %d px wide', (width) => {
  it.each(['light', 'dark'] as const)(
    'The console fits its window, and axe finds nothing on any page (%s)',
    async (scheme) => {
      const { key } = await server.addKey('manage')
      const { page, complaints, strays } = await openConsole(key, { width, scheme })
      const picture = (name: string) => takePicture(page, `${name}-${width}-${scheme}`)
      await headOf(page).waitFor()
      await page.getByRole('button', { name: 'Show blocked leads' }).click()
      await page.getByText('Refresh').first().waitFor()
      for (const table of await page.getByText('As a table').all()) await table.click()
      await expectFit(page, 'overview')
      await picture('overview')

      await goTo(page, 'Leads')
      await page.getByLabel('Phone number or external id').fill('crm-99')
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByRole('heading', { name: '+14155550099' }).waitFor()
      await page.getByRole('button', { name: 'Erase…' }).click()
      await expectFit(page, 'lead')
      await picture('lead')
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await expectFit(page, 'lead that is changed')

      await goTo(page, 'Import')
      const csv = `Phone,Name,${'Column that is long '.repeat(5)}\n+4930123400,${hostile},x\n030 1,"=1+1",y\n`
      await page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      await page.getByRole('heading', { name: 'Check before importing' }).waitFor()
      await expectFit(page, 'import')
      await picture('import')

      await goToSection(page, 'Do-not-call')
      await page.getByRole('button', { name: 'Remove +14155550299' }).click()
      await expectFit(page, 'do-not-call numbers')
      await goToSection(page, 'Webhooks')
      await page.getByRole('button', { name: 'Add a webhook' }).click()
      await expectFit(page, 'settings')
      const tabs = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
      const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()))
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
      expect((boxes.at(-1)?.x ?? 0) + (boxes.at(-1)?.width ?? 0)).toBeLessThan(width)
      await picture('settings')

      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('API key').waitFor()
      await page.getByText('let you sign in with your company’s account').waitFor()
      // A manager has no use for a path of the source code.
      expect(await page.locator('main').textContent()).not.toMatch(/\bsrc\/|\.md\b/)
      await expectFit(page, 'sign-in')
      expect(await page.evaluate('window.hasRun')).toBeUndefined()
      expect({ complaints, strays }).toEqual({ complaints: [], strays: [] })
    },
  )
})

it('What the console shows is what the API says, after an agent has played', async () => {
  const stop = new AbortController()
  const agent = await server.addKey('agent')
  const played = playAgent(
    {
      campaign: 'demo',
      url: server.base,
      key: agent.key,
      name: 'pretend',
      speed: 600,
      concurrency: 5,
      seed: 7,
    },
    stop.signal,
  )
  setTimeout(() => stop.abort(), 4_000)
  await played
  const { data: campaign } = await api<{ queue: { queued: number; leased: number } }>(
    'GET',
    '/campaigns/demo',
  )
  const { data: open } = await api<{ calls: unknown[] }>('GET', '/calls?campaignId=demo&limit=100')
  const { page } = await openAs()
  await headOf(page).waitFor()
  expect(await inQueue(page).textContent()).toBe(campaign.queue.queued.toLocaleString('en-GB'))
  expect(campaign.queue.leased).toBe(open.calls.length)
  const rows = page.getByRole('region', { name: 'Live calls by agent' }).locator('tbody tr')
  expect(await rows.count()).toBe(open.calls.length)
  const { data } = await api<{ status: Record<string, number> }>('GET', '/campaigns/demo/stats?bucket=hour')
  const leads = page.getByRole('region', { name: 'Leads', exact: true })
  for (const [name, count] of Object.entries(data.status)) {
    const row = leads.getByRole('row').filter({ has: page.getByTitle(name, { exact: true }) })
    expect(await row.getByRole('cell').first().textContent()).toBe(count.toLocaleString('en-GB'))
  }
})

it('What the console shows is in the time zone of the campaign, and in the reader’s language', async () => {
  await api('PATCH', '/campaigns/demo', { timeZone: 'Asia/Tokyo' })
  const { page } = await openAs('read', {
    locale: 'de-DE',
  })
  const tokyo = new Intl.DateTimeFormat('de-DE', {
    timeZone: 'Asia/Tokyo',
    hour: '2-digit',
    minute: '2-digit',
  })
  const times = [Date.now(), Date.now() + 60_000].map((ms) => tokyo.format(ms))
  const time = headOf(page).locator('dl > div:has(dt:text-is("Time in Tokyo")) dd')
  expect(times).toContain(await time.textContent())
  await page.close()
  await api('PATCH', '/campaigns/demo', { timeZone: 'UTC' })
})

it('A person at the keyboard alone signs in, pauses and resumes', async () => {
  const { key } = await server.addKey('manage')
  const { page } = await openConsole(key)
  await page.getByRole('button', { name: 'Sign out' }).click()
  const press = async (wanted: Locator) => {
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab')
      if ((await wanted.count()) > 0 && (await wanted.evaluate((one) => one.matches(':focus')))) return
    }
    throw new Error('not reached')
  }
  const button = (name: string) => page.getByRole('button', { name })
  await press(page.getByLabel('API key'))
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  await headOf(page).waitFor()
  await press(button('Pause calling'))
  await page.keyboard.press('Enter')
  await headOf(page).getByText('Paused').waitFor()
  expect((await api<{ paused: boolean }>('GET', '/campaigns/demo')).data.paused).toBe(true)
  await press(button('Resume calling'))
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Pause calling' }).waitFor()
  expect((await api<{ paused: boolean }>('GET', '/campaigns/demo')).data.paused).toBe(false)
})

it('A key of one campaign that manages is offered nothing for the whole company', async () => {
  const { page } = await openConsole((await server.addKey('manage', 'demo')).key)
  await page.getByRole('button', { name: 'Pause calling' }).waitFor()
  expect(await page.getByRole('link', { name: 'Company' }).count()).toBe(0)
  await goToSection(page, 'Your access')
  await page.getByText('Full access, one campaign').waitFor()
  await goToSection(page, 'Do-not-call')
  await page.getByRole('heading', { name: 'Do-not-call numbers' }).waitFor()
  expect(await page.getByText('In all campaigns').count()).toBe(0)
  const failures = page.getByRole('region', { name: 'Do-not-call numbers' }).getByRole('alert')
  expect(await failures.filter({ hasText: /./ }).count()).toBe(0)
})

it.each([
  ['read', { Import: 0, 'Pause calling': 0, 'Show blocked leads': 1, 'Live calls': 0 }],
  ['write', { Import: 1, 'Pause calling': 0, 'Show blocked leads': 1, 'Live calls': 0 }],
  ['agent', { Import: 0, 'Pause calling': 0, 'Show blocked leads': 0, 'Live calls': 1 }],
  ['manage', { Import: 1, 'Pause calling': 1, 'Show blocked leads': 1, 'Live calls': 1 }],
] as const)('A key of scope %s is shown what it may do, and no more', async (scope, shown) => {
  const { page } = await openAs(scope)
  const counts = {
    Import: await page.getByRole('link', { name: 'Import' }).count(),
    'Pause calling': await page.getByRole('button', { name: 'Pause calling' }).count(),
    'Show blocked leads': await page.getByRole('button', { name: 'Show blocked leads' }).count(),
    'Live calls': await page.getByRole('heading', { name: 'Live calls' }).count(),
  }
  expect(counts).toEqual(shown)
  await goTo(page, 'Settings')
  await page.getByRole('heading', { name: 'When to call' }).waitFor()
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(scope === 'manage' ? 1 : 0)
  await page.getByRole('link', { name: 'Company' }).click()
  await page.getByRole('link', { name: 'Your access' }).click()
  await page.getByRole('heading', { name: 'Your access' }).waitFor()
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(scope === 'manage' ? 1 : 0)
})

it('A key that is invalid is not let in, and one that is revoked during use ends the session', async () => {
  const { id, key } = await server.addKey('manage')
  const { page } = await openConsole(key)
  await revokeKey(server.db, id, Date.now())
  await page.getByRole('button', { name: 'Show blocked leads' }).click()
  await page.getByRole('alert').filter({ hasText: 'was revoked or has expired' }).waitFor()
  expect(await page.getByText('+1415555').count()).toBe(0)
  expect(await page.evaluate('sessionStorage.length + localStorage.length + document.cookie.length')).toBe(0)
  await hasFocus(page.getByLabel('API key'))
  await page.getByLabel('API key').fill('lk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: "isn't valid" }).waitFor()
  await signIn(page, (await server.addKey('read')).key)
  await headOf(page).waitFor()
})

it('A key survives a reload, and the console shows when the network is lost and when it is back', async () => {
  const { page } = await openAs()
  await page.reload()
  await headOf(page).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Pause calling' }).click()
  await page.getByText('Cannot reach the service. Last update at').waitFor()
  expect(await inQueue(page).textContent()).toMatch(/\d/)
  await takePicture(page, 'broken-1440-light')
  await page.context().setOffline(false)
  await page.getByText('Retrying every 30 seconds').waitFor({ state: 'detached' })
  expect((await api<{ paused: boolean }>('GET', '/campaigns/demo')).data.paused).toBe(false)
})
