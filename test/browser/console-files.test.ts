// Files that are not CSV in UTF-8, in a real browser: the question about letters, the sheets of a workbook, and the
// policy that lets no worker start another.
import { expect, it } from 'vitest'
import { workbook } from '../support/leads/workbook.ts'
import { askApi, openAs, pick, server } from './started.ts'

type Leads = { leads: { phoneNumber: string; metadata?: object }[] }

async function openImport(id: string) {
  const opened = await openAs('manage')
  const body = { id, name: `Campaign ${id}`, timeZone: 'Europe/Berlin' }
  expect((await askApi(opened.key, 'POST', '/campaigns', body)).status).toBe(201)
  await opened.page.goto(`${server.base}/console#/${id}/import`)
  const stored = async () => (await askApi<Leads>(opened.key, 'GET', `/leads?campaignId=${id}`)).data.leads
  return { ...opened, stored }
}

it('A file that is not UTF-8 is imported after a person has seen that its letters read right', async () => {
  const { page, complaints, stored } = await openImport('latin')
  await pick(page, 'latin.csv', Buffer.from('Telefon;Name\r\n+491711234567;Jürgen Weiß\r\n', 'latin1'))
  await page.getByText('Does this read right?').waitFor()
  await page.getByText('J\uFFFDrgen Wei\uFFFD → Jürgen Weiß').waitFor()
  expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Yes, read it so' }).click()
  await page.getByLabel('The first row is a header').uncheck()
  await page.getByLabel('The first row is a header').check()
  await page.getByRole('button', { name: 'Import 1 new lead' }).click()
  await expect
    .poll(stored)
    .toMatchObject([{ phoneNumber: '+491711234567', metadata: { Name: 'Jürgen Weiß' } }])
  expect(complaints).toEqual([])
})

it('A workbook is imported after its sheet is chosen, and a large one needs no worker of its own', async () => {
  const { page, complaints, stored } = await openImport('workbook')
  // Random, so that it does not shrink, and larger than what the library inflates at once.
  const rows = Array.from({ length: 400 }, (_, at) => [
    `+49171${1_000_000 + at}`,
    { attributes: 't="inlineStr"', content: `<is><t>${'ab'.repeat(1000)}${at}</t></is>` },
  ])
  const sheets = [
    { name: 'Notes', rows: [['a']] },
    { name: 'Leads', rows: [['Telefon', 'Note'], ...rows, [1711234567, 'lost']] },
  ]
  await pick(page, 'leads.xlsx', Buffer.from(await workbook(sheets)))
  await page.getByLabel('Which sheet?').selectOption('Leads')
  await page.getByRole('button', { name: 'Choose Germany' }).click()
  await page.getByText('has lost its leading zero').first().waitFor()
  await page.getByRole('button', { name: 'Import 400 new leads' }).click()
  await page.getByText('Finished.').waitFor()
  const leads = await stored()
  expect(leads.map(({ phoneNumber }) => phoneNumber)).toContain('+491711000399')
  expect(complaints).toEqual([])
})

it('Do-not-call numbers of a workbook are shown before they are sent', async () => {
  const { page, complaints } = await openAs('manage')
  await page.goto(`${server.base}/console#company/do-not-call`)
  const sheets = ['2025', '2026'].map((name) => ({ name, rows: [['Phone'], [`+49171123${name}`]] }))
  await pick(page, 'dnc.xlsx', Buffer.from(await workbook(sheets)), 'Import a file')
  await page.getByLabel('Which sheet?').selectOption('2026')
  await page.getByText('Nothing sent yet').waitFor()
  await page.getByRole('cell', { name: '+491711232026' }).waitFor()
  expect(await page.getByText('+491711232025').count()).toBe(0)
  expect(complaints).toEqual([])
})
