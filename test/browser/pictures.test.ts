// The pictures of the console in the README that no other test takes: an import that is done, and a lead in a narrow
// window. All of them are left in dist/screenshots (readme-*, and day-1440-* of console-day.test.ts);
// src/console/pictures has copies.
import { beforeAll, expect, it } from 'vitest'
import { expectFit, goTo, takePicture } from './console-page.ts'
import { askApi, openConsole, server } from './started.ts'

let key: string
const phoneOf = (index: number) => `+4930555${String(index).padStart(4, '0')}`

beforeAll(async () => {
  key = (await server.addKey('manage')).key
  await askApi(key, 'PATCH', '/campaigns/demo', { timeZone: 'Europe/Berlin' })
})

it('An import that is done says what became of each row', async () => {
  const existing = Array.from({ length: 87 }, (_, index) => ({ phoneNumber: phoneOf(index * 10) }))
  await askApi(key, 'POST', '/leads/bulk', { campaignId: 'demo', leads: existing })
  const rows = Array.from(
    { length: 2_400 },
    (_, index) => `${phoneOf(index)},Ada ${index},Acme,crm-${index},10`,
  )
  const repeated = rows.slice(1_000, 1_031)
  const invalid = Array.from(
    { length: 9 },
    (_, index) => `030 555 00${index},Bob ${index},Acme,crm-b${index},10`,
  )
  const csv = ['Phone,Name,Company,CRM ID,Priority', ...rows, ...repeated, ...invalid].join('\n')
  const { page } = await openConsole(key)
  await page.setViewportSize({ width: 1280, height: 800 })
  await goTo(page, 'Import')
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByRole('button', { name: /^Import 2,(400 leads|313 new leads)$/ }).click()
  await page.getByText('Finished. 9 of 2,440 rows were not imported').waitFor({ timeout: 60_000 })
  const figures = await page.locator('.import dl.totals dd').allTextContents()
  expect(figures).toEqual(['2,440 of 2,440', '2,313', '87', '31', '9'])
  await expectFit(page, 'import')
  await takePicture(page, 'readme-import')
})

it('A lead after its call says what follows', async () => {
  const lead = {
    phoneNumber: '+4930666001',
    externalId: 'crm-99',
    priority: 99,
    metadata: { name: 'Ada', company: 'Acme' },
  }
  await askApi(key, 'POST', '/leads', { campaignId: 'demo', ...lead })
  const claim = { campaignId: 'demo', agent: 'seat-1' }
  const { data } = await askApi<{ calls: { callId: string }[] }>(key, 'POST', '/calls/claim', claim)
  const calls = data.calls.map(({ callId }) => ({ callId, outcome: 'no_answer', durationSeconds: 24 }))
  await askApi(key, 'POST', '/calls/report', { calls })
  const { page } = await openConsole(key, { width: 390 })
  await page.setViewportSize({ width: 390, height: 844 })
  await goTo(page, 'Leads')
  await page.getByLabel('Phone number or external id').fill(lead.phoneNumber)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('Waiting before the next attempt').waitFor()
  await expectFit(page, 'lead')
  await page.evaluate('scrollTo(0, 0)')
  await takePicture(page, 'readme-lead')
})
