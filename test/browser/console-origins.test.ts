// The list of leads in the console, filtered by where they came from: by kind, and by source, key and person in their
// names. By keyboard where it says so.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { chooseByKeys, look, optionsOf } from './console-page.ts'
import { api, openConsole, server } from './started.ts'

const kinds = ['All', 'Sources', 'Imports', 'API']

/** Posts a form to a source of the campaign. */
async function seedSource(campaignId: string, name: string, phoneNumber: string): Promise<void> {
  const path = `/campaigns/${campaignId}/sources`
  const { data } = await api<{ url: string }>('POST', path, { name, countries: ['DE'] })
  const body = new URLSearchParams({ name: 'Ada', phone: phoneNumber })
  expect((await fetch(data.url, { method: 'POST', body })).status).toBe(200)
}

async function seedLead(campaignId: string, phoneNumber: string, key: string, file?: string): Promise<void> {
  const response = await fetch(`${server.base}/api/v1/leads`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      ...(file !== undefined && { 'x-import-name': file }),
    },
    body: JSON.stringify({ campaignId, phoneNumber, metadata: { name: 'Bob' } }),
  })
  expect(response.status).toBe(201)
}

const main = (page: Page) => page.getByRole('main')

it('The list of leads is filtered by where they came from, in names, by keyboard alone', async () => {
  const id = 'origins'
  for (const one of [id, 'origins-beside']) await server.addCampaign(one)
  await seedSource(id, 'Contact form', '+4915112345801')
  await seedSource('origins-beside', 'Form of others', '+4915112345809')
  const crm = await server.addKey('write')
  const [manager, reader] = [await server.addKey('manage'), await server.addKey('read')]
  await seedLead(id, '+4915112345802', crm.key)
  await seedLead(id, '+4915112345803', crm.key)
  await seedLead(id, '+4915112345804', manager.key, 'kontakte.xlsx')
  const { data: ada } = await api<{ memberId: string }>('POST', '/members', {
    email: 'ada@acme.example',
    name: 'Ada',
    scope: 'write',
    campaignId: null,
  })

  const { page, complaints, strays } = await openConsole(manager.key)
  await page.evaluate(`location.hash = '#/${id}/leads'`)
  const rows = page.getByRole('table', { name: 'Leads' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(4)
  const origin = main(page).getByLabel('Came from:')
  await expect.poll(() => optionsOf(origin)).toContain('By Ada')
  const offered = await optionsOf(origin)
  expect(offered.slice(0, 5)).toEqual([...kinds, 'Contact form'])
  expect(offered).not.toContain('Form of others')
  const values = await origin
    .locator('option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')))
  expect(values).toEqual(expect.arrayContaining([crm.id, manager.id, ada.memberId]))
  expect(values).not.toContain(reader.id)

  const shown = async () =>
    (await rows.locator('th').allTextContents()).map((text) => text.slice(-1)).toSorted()
  await chooseByKeys(page, origin, 'Contact form')
  await expect.poll(shown).toEqual(['1'])
  await chooseByKeys(page, origin, 'Imports')
  await expect.poll(shown).toEqual(['4'])
  await chooseByKeys(page, origin, 'API')
  await expect.poll(shown).toEqual(['2', '3'])
  await origin.selectOption(crm.id)
  await expect.poll(shown).toEqual(['2', '3'])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    main(page).getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const csv = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(
    csv
      .slice(1)
      .map((line) => /\+49\d+/.exec(line)?.[0].slice(-1))
      .toSorted(),
  ).toEqual(['2', '3'])
  await chooseByKeys(page, origin, 'By Ada')
  await main(page).getByText('No leads with this filter.').waitFor()

  // It is kept while a lead is open, and a search has it as well.
  await chooseByKeys(page, origin, 'Sources')
  await expect.poll(shown).toEqual(['1'])
  await rows.getByRole('link').click()
  await main(page).getByText('Contact form', { exact: true }).waitFor()
  await page.getByRole('link', { name: '← Leads' }).click()
  await expect.poll(() => origin.inputValue()).toBe('source')
  await main(page).getByRole('searchbox').fill('Bob')
  await page.keyboard.press('Enter')
  await main(page)
    .getByText(/and this filter/)
    .waitFor()
  await main(page).getByRole('searchbox').fill('Ada')
  await page.keyboard.press('Enter')
  await expect.poll(shown).toEqual(['1'])

  await chooseByKeys(page, origin, 'Contact form')
  await look(page, 'leads-by-origin')
  // Chromium reports a stream that was read to its end as aborted.
  expect(complaints.filter((text) => !/leads\?.* net::ERR_ABORTED$/.test(text))).toEqual([])
  expect(strays).toEqual([])

  const { page: own } = await openConsole(reader.key)
  await own.evaluate(`location.hash = '#/${id}/leads'`)
  await own.getByRole('table', { name: 'Leads' }).waitFor()
  expect(await optionsOf(main(own).getByLabel('Came from:'))).toEqual(kinds)
})
