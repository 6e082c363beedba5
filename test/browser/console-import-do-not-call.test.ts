// The console's import of a file with a column that says who must not be called, in a real browser: what the check asks
// and says, and that the list comes before the leads.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectFit, goTo } from './console-page.ts'
import { askApi, openAs, openConsole, pick, server } from './started.ts'

const figures = async (page: Page) =>
  (await page.locator('.import dl.totals').allTextContents()).map((text) => text.replace(/\s+/g, ''))

const file = (header: string, no = 'yes') =>
  [
    `phone,name,${header}`,
    '+49 30 777001,Ada,',
    '+49 30 777002,Bob,no',
    `+4930777001,Ada,${no}`,
    '+4930777003,Cy,perhaps',
    `0155,Di,${no}`,
    '+4930777002,Bob,',
  ].join('\n')

async function choose(page: Page, column: string, meaning: string): Promise<void> {
  await page.getByLabel(column, { exact: true }).selectOption(meaning)
}

type Suppressed = { suppressions: { phoneNumber: string; campaignId: string | null; reason: string }[] }
const listed = async (key: string, query = '') =>
  (await askApi<Suppressed>(key, 'GET', `/suppressions${query}`)).data.suppressions.map(
    ({ phoneNumber, campaignId, reason }) => [phoneNumber, campaignId, reason],
  )
const leadsOf = async (key: string) =>
  (await askApi<{ leads: { phoneNumber: string }[] }>(key, 'GET', '/leads?campaignId=demo')).data.leads.map(
    ({ phoneNumber }) => phoneNumber,
  )

it('A column that may say no is asked about, its numbers are on the list before the first lead, and no row of them is sent', async () => {
  const { page, key, complaints } = await openAs('manage')
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'POST' && !search.includes('dryRun')) sent.push(pathname)
  })
  await goTo(page, 'Import')
  await pick(page, 'crm.csv', file('Opt out'))
  await page.getByText('Does the column “Opt out” say who must not be called?').waitFor()
  await page
    .getByRole('alert')
    .filter({ hasText: 'Say whether the column Opt out is about calls.' })
    .waitFor()
  expect(await page.getByRole('heading', { name: 'Check before importing' }).count()).toBe(0)
  await expectFit(page, 'asked about a column')

  await page.getByRole('button', { name: 'Yes, do not call' }).click()
  await page
    .getByText('2 rows not to be called: 1 number, which is put on the do-not-call list of the company')
    .waitFor()
  await page.getByRole('alert').filter({ hasText: '1 more row says do not call, or may say so' }).waitFor()
  await page.getByRole('button', { name: 'Import 1 new lead', exact: true }).waitFor()
  expect(await figures(page)).toEqual(['Rows6New1Existing0Repeated1Invalid2Donotcall2'])
  await expectFit(page, 'check of a column that says no')
  await page.getByLabel('Rows that say do not call').selectOption('skip')
  await page.getByText('2 rows not to be called: 1 number, whose rows are left out').waitFor()
  await page.getByLabel('Rows that say do not call').selectOption('company')

  // Kept by hand, it is warned of; a header that does not say it clearly is not.
  expect(await page.getByText('looks like one that says who must not be called').count()).toBe(0)
  await page.getByRole('button', { name: 'Import 1 new lead', exact: true }).click()
  await page.getByText('Finished. 2 of 6 rows were not imported').waitFor()
  expect(await figures(page)).toEqual(['Rowsdone6of6Created1Existing0Repeated1Invalid2Donotcall2'])
  expect(sent).toEqual(['/api/v1/suppressions', '/api/v1/leads/bulk'])
  expect(await listed(key)).toEqual([['+4930777001', null, 'do-not-call column of an import']])
  expect(await leadsOf(key)).toEqual(['+4930777002'])
  expect(complaints).toEqual([])
})

it('A header that says no is used as that, and is named in red once a person keeps it as metadata', async () => {
  const { page } = await openAs('manage')
  await goTo(page, 'Import')
  await pick(page, 'dnc.csv', file('Nicht anrufen', 'ja').replaceAll('777', '666'))
  await page.getByText('2 rows not to be called: 1 number').waitFor()
  const warning = page
    .getByRole('alert')
    .filter({ hasText: 'The column “Nicht anrufen” looks like one that says who must not be called' })
  expect(await warning.count()).toBe(0)
  await choose(page, 'Nicht anrufen', 'keep')
  await warning.waitFor()
  expect(await page.getByText('not to be called:').count()).toBe(0)
})

it('Nothing is imported when the list fails; a campaign’s key lists in its campaign, also when all rows say no', async () => {
  const { key } = await server.addKey('manage', 'demo')
  const { page } = await openConsole(key)
  let isDown = true
  let bulks = 0
  await page.route('**/api/v1/suppressions', (route) =>
    isDown && route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { success: false, data: null, error: 'Not now' } })
      : route.continue(),
  )
  page.on('request', (request) => {
    if (request.url().endsWith('onInvalid=skip')) bulks++
  })
  await goTo(page, 'Import')
  await pick(page, 'all.csv', 'phone,DNC\n+4930555001,x\n+4930555002,TRUE')
  await page.getByText('2 numbers, which are put on the do-not-call list of the campaign').waitFor()
  const options = page.getByLabel('Rows that say do not call').locator('option')
  expect(await options.count()).toBe(2)
  const send = page.getByRole('button', { name: 'Put 2 numbers on the do-not-call list' })
  await send.click()
  await page
    .getByText('The numbers that say do not call were not suppressed, so no lead was sent: Not now')
    .waitFor()
  expect(bulks).toBe(0)
  isDown = false
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Done. Every row is a lead of the campaign, except 2 rows not to be called.').waitFor()
  const mine = (await listed(key, '?campaignId=demo')).filter(([phoneNumber]) =>
    `${phoneNumber}`.startsWith('+4930555'),
  )
  expect(mine).toEqual([
    ['+4930555001', 'demo', 'do-not-call column of an import'],
    ['+4930555002', 'demo', 'do-not-call column of an import'],
  ])
  expect(bulks).toBe(0)
})

it('A permission and cells that say it are asked about with their count, and a no reaches each phone of its row', async () => {
  const { page, key, complaints } = await openAs('manage')
  await goTo(page, 'Import')
  const rows = [
    'Phone,Mobile,Phone Consent,Status',
    '+4930444001,,yes,New',
    '+4930444002,+49 30 444003 (private),no,New',
    '+4930444004,wa.me/4930444005,,DNC',
    ',+4930444006,yes,New',
    '+4930444003,,,New',
  ]
  await pick(page, 'asked.csv', rows.join('\n'))
  await page
    .getByText(
      'The column “Phone Consent” asks whether people may be called, and 1 cell says no. Does that mean do not call?',
    )
    .waitFor()
  await page
    .getByText('The column “Status” says do not call in 1 cell, such as “DNC”. Does it mean that?')
    .waitFor()
  await page
    .getByText('First say above whether these columns say who must not be called: Phone Consent, Status.')
    .waitFor()
  const send = page.getByRole('button', { name: /^Import \d new leads?$/ })
  expect(await page.getByRole('button', { name: /^Import \d/ }).getAttribute('aria-disabled')).toBe('true')
  await expectFit(page, 'asked about cells')
  expect(
    await page.getByLabel('If the phone number is empty, use').locator('option:checked').textContent(),
  ).toBe('Mobile')

  await page.getByRole('button', { name: 'Do not call these' }).first().click()
  await page.getByRole('button', { name: 'Do not call these' }).click()
  await page.getByText('3 rows not to be called: 4 numbers, which are put on the do-not-call list').waitFor()
  await send.click()
  await page.getByText('Done. Every row is a lead of the campaign, except 3 rows not to be called.').waitFor()
  const mine = (await listed(key)).filter(([phoneNumber]) => `${phoneNumber}`.startsWith('+4930444'))
  expect(mine.map(([phoneNumber]) => phoneNumber).sort()).toEqual(
    [2, 3, 4, 5].map((last) => `+493044400${last}`),
  )
  const leads = (await leadsOf(key)).filter((phoneNumber) => phoneNumber.startsWith('+4930444'))
  expect(leads).toEqual(['+4930444001', '+4930444006'])
  expect(complaints).toEqual([])
})

it('A column that a person keeps as metadata is asked about no more', async () => {
  const { page } = await openAs('manage')
  await goTo(page, 'Import')
  await pick(page, 'kept.csv', 'Phone,Status\n+4930333001,DNC\n+4930333002,New')
  await page.getByRole('button', { name: 'No, keep as metadata' }).click()
  await page.getByRole('button', { name: 'Import 2 new leads', exact: true }).waitFor()
  expect(await page.getByText('says do not call in').count()).toBe(0)
  await choose(page, 'Status', 'doNotCallIfSaid')
  await page.getByText('1 row not to be called: 1 number').waitFor()
})
