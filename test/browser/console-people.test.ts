// The console for people: the focus is never lost, unsaved changes are asked about, what a key may not do is not shown,
// and a network that recovers is noticed.
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectFit, goTo, goToSection, hasFocus, press, takePicture } from './console-page.ts'
import { api, openAs, openConsole, server } from './started.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const phoneNumber = '+14155550170'
let leadId: string
beforeAll(async () => {
  await api('PATCH', '/campaigns/demo', { timeZone: 'Asia/Tokyo' })
  const lead = { campaignId: 'demo', phoneNumber, scheduledFor: '2027-01-15T09:30:00+01:00' }
  leadId = (await api<{ leadId: string }>('POST', '/leads', lead)).data.leadId
})

const open = async (prepare?: (page: Page) => Promise<unknown>) =>
  (await openAs('manage', prepare && { prepare })).page

it('The focus moves on wherever its element is removed', async () => {
  const page = await open()
  await hasFocus(page.getByRole('heading', { name: 'Demo' }))
  await goTo(page, 'Leads')
  await page.getByRole('link', { name: phoneNumber }).press('Enter')
  const title = page.getByRole('heading', { name: phoneNumber })
  await hasFocus(title)

  const change = page.getByRole('button', { name: 'Change', exact: true })
  await change.press('Enter')
  await hasFocus(page.getByLabel('External id', { exact: true }))
  await page.getByLabel('Priority').fill('12')
  await page.getByLabel('Priority').press('Enter')
  await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor()
  await hasFocus(change)

  const suppress = page.getByRole('button', { name: 'Do not call…' })
  await suppress.press('Enter')
  await hasFocus(page.getByRole('group', { name: `Add ${phoneNumber} to the do-not-call list?` }))
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await hasFocus(suppress)

  await page.getByRole('button', { name: 'Show change history' }).press('Enter')
  await hasFocus(page.getByRole('heading', { name: 'Calls' }))

  await goToSection(page, 'Limits')
  const limits = page.getByRole('region', { name: 'Limits' })
  await limits.getByLabel('Max attempts per lead').fill('4')
  await limits.getByRole('button', { name: 'Save' }).press('Enter')
  await limits.getByText('Saved.').waitFor()
  await hasFocus(limits.getByRole('button', { name: 'Save' }))
  await goToSection(page, 'Webhooks')
  await page.getByRole('button', { name: 'Add a webhook' }).press('Enter')
  await hasFocus(page.getByLabel('URL'))
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await hasFocus(page.getByRole('heading', { name: 'Webhooks' }))
})

it('Unsaved changes are asked about before another page, a reload and the end of the session', async () => {
  const page = await open()
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.type())
    await dialog.dismiss()
  })
  await goToSection(page, 'Limits')
  const attempts = page.getByRole('region', { name: 'Limits' }).getByLabel('Max attempts per lead')
  await attempts.fill('7')
  const question = page.getByRole('group', { name: 'You have unsaved changes' })

  await goTo(page, 'Overview')
  await hasFocus(question)
  expect(page.url()).toMatch(/#\/demo\/settings\/limits$/)
  await expectFit(page, 'a question about unsaved changes')
  await takePicture(page, 'unsaved-1440-light')
  await press(page, 'Stay')
  await hasFocus(page.getByRole('link', { name: 'Overview' }))
  expect([await question.count(), await attempts.inputValue()]).toEqual([0, '7'])

  await page.evaluate('setTimeout(() => location.reload(), 0)')
  await expect.poll(() => dialogs).toEqual(['beforeunload'])
  expect(await attempts.inputValue()).toBe('7')

  await press(page, 'Sign out')
  await press(page, 'Stay')
  expect(await attempts.inputValue()).toBe('7')

  await goTo(page, 'Leads')
  await press(page, 'Discard')
  await page.getByRole('heading', { name: 'Leads' }).waitFor()
  expect(page.url()).toMatch(/#\/demo\/leads$/)
  await goToSection(page, 'Limits')
  expect(await attempts.inputValue()).not.toBe('7')
  await goTo(page, 'Overview')
  await page.getByRole('heading', { name: 'Demo' }).waitFor()
})

it('An address of an unknown campaign says so, and offers the others', async () => {
  const page = await open()
  await page.evaluate(`location.hash = '#/no-such/leads'`)
  await page.getByRole('heading', { name: 'Campaign not found' }).waitFor()
  await page.getByText('no-such').waitFor()
  await expectFit(page, 'no such campaign')
  await page.getByRole('link', { name: 'All campaigns' }).click()
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  expect(page.url()).toMatch(/#campaigns$/)
  await page.getByRole('link', { name: 'Demo' }).click()
  await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor()
  expect(page.url()).toMatch(/#\/demo\/overview$/)
})

it('A search without a result closes the lead that was open before', async () => {
  const page = await open()
  await goTo(page, 'Leads')
  const search = page.getByLabel('Phone number or external id')
  await search.fill(phoneNumber)
  await search.press('Enter')
  await page.getByText('15 Jan 2027, 17:30 in Tokyo').waitFor()
  await page.getByRole('link', { name: '← Leads' }).click()
  expect(await search.inputValue()).toBe(phoneNumber)
  await search.fill('+14155550199')
  await search.press('Enter')
  await page.getByText('No lead has this number, external id or name').waitFor()
  expect(await page.getByRole('link', { name: phoneNumber }).count()).toBe(0)
  expect(await page.getByRole('heading', { name: phoneNumber }).count()).toBe(0)
})

it('A key of scope agent is shown calls and single leads, nothing that it may not list, and causes no refusal', async () => {
  const { key } = await server.addKey('agent')
  const refused: string[] = []
  const { page } = await openConsole(key, {
    prepare: async (one) =>
      one.on('response', (response) => response.status() >= 400 && refused.push(response.url())),
  })
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  const linksIn = (name: string) => page.getByRole('navigation', { name }).getByRole('link').allTextContents()
  expect(await linksIn('Pages')).toEqual(['Overview', 'Settings'])
  expect(await linksIn('Company')).toEqual(['Campaigns', 'Company'])
  expect(await page.getByText('Last lead').count()).toBe(0)
  await page.evaluate(`location.hash = '#/demo/leads/${leadId}'`)
  await page.getByRole('heading', { name: phoneNumber }).waitFor()
  await page.getByText('Received').first().waitFor()
  expect(await page.getByRole('button', { name: 'Show change history' }).count()).toBe(0)
  await expectFit(page, 'a lead alone')
  for (const hidden of ['leads', 'import']) {
    await page.evaluate(`location.hash = '#/demo/${hidden}'`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
  }
  expect(refused).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  expect(refused).toEqual([])
})

it('A network that recovers fills the panels of Settings and the list of leads again', async () => {
  await api('POST', '/suppressions', { phoneNumbers: ['+14155550171'], campaignId: 'demo' })
  const page = await open()
  // The files of both pages are loaded by now.
  await goTo(page, 'Leads')
  await page.getByRole('link', { name: phoneNumber }).waitFor()
  await goToSection(page, 'Hours')
  await page.context().setOffline(true)
  await goToSection(page, 'Do-not-call')
  const suppressed = page.getByRole('region', { name: 'Do-not-call numbers' })
  await suppressed.getByText('Cannot reach the service.').waitFor()
  await page.context().setOffline(false)
  await suppressed.getByText('+14155550171').waitFor()
  expect(await suppressed.getByText('Cannot reach the service.').count()).toBe(0)

  await page.context().setOffline(true)
  await goToSection(page, 'Webhooks')
  const webhooks = page.getByRole('region', { name: 'Webhooks' })
  await webhooks.getByText('Cannot reach the service.').waitFor()
  await page.context().setOffline(false)
  await webhooks.getByText('No webhooks yet.').waitFor()

  await page.context().setOffline(true)
  await goTo(page, 'Leads')
  await page.getByText('Cannot reach the service.', { exact: true }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: phoneNumber }).waitFor()
})

it('A window 320 px wide shows how long a call has lasted, and the problem of a row, without scrolling', async () => {
  await api('POST', '/leads', { campaignId: 'demo', phoneNumber: '+49151555000001' })
  await api('PATCH', '/campaigns/demo', {
    callingHours: Object.fromEntries(days.map((day) => [day, [['00:00', '24:00']]])),
  })
  await api('POST', '/calls/claim', { campaignId: 'demo', limit: 10, agent: 'agent-with-a-long-name-1' })
  const { key } = await server.addKey('manage')
  const { page } = await openConsole(key, { width: 320 })
  const isWhole = async (box: Locator) =>
    expect(await box.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  const calls = page.getByRole('region', { name: 'Live calls by agent' })
  await calls.getByRole('columnheader', { name: 'Duration' }).waitFor()
  await isWhole(calls)
  await page.getByText('As a table').click()
  await isWhole(page.getByRole('region', { name: 'Activity by hour' }))

  await goTo(page, 'Import')
  const csv = 'Phone;Name;Company;Town\n030 1;Ada;Acme;Berlin\n+4930999100;Eve;Acme;Berlin\n'
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('The import takes less than a minute.').waitFor()
  const wrong = page.getByRole('region', { name: 'First rows of the file' }).getByText('no country code')
  await wrong.scrollIntoViewIfNeeded()
  const seen = await wrong.boundingBox()
  expect((seen?.x ?? 0) + (seen?.width ?? 0)).toBeLessThan(310)
})

it('A secret is gone with its webhook', async () => {
  const page = await open()
  await goToSection(page, 'Webhooks')
  await press(page, 'Add a webhook')
  await page.getByLabel('URL').fill('http://127.0.0.1:9/secret')
  await press(page, 'Add')
  await page.getByText(/^whsec_/).waitFor()
  const webhook = page.getByRole('article', { name: 'http://127.0.0.1:9/secret' })
  await webhook.getByRole('button', { name: 'Remove…' }).click()
  await webhook.getByRole('button', { name: 'Yes, remove it' }).click()
  await page.getByText('No webhooks yet.').waitFor()
  expect(await page.getByText(/whsec_/).count()).toBe(0)
})

it('Seven days are requested by the day, and have seven bars', async () => {
  const asked: string[] = []
  const page = await open(async (one) =>
    one.on(
      'request',
      (request) => /\/overview/.test(request.url()) && asked.push(new URL(request.url()).search),
    ),
  )
  await page.getByRole('button', { name: '7 days' }).click()
  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByText('As a table').click()
  await expect.poll(() => activity.getByRole('table').getByRole('row').count()).toBe(8)
  expect([asked[0], asked.at(-1)]).toEqual(['?bucket=hour&include=leads', '?bucket=day&include=leads'])
})
