// Numbers and dates as people write them, in a real browser: a file of 5,000 leads, compared with
// the truth.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { messyFile } from '../support/leads/messy-file.ts'
import { expectFit, type Look, takePicture } from './console-page.ts'
import { askApi, openAs, pick, server } from './started.ts'

const open = (look?: Look) => openAs('manage', look)

const slow = { timeout: 60_000 }
const checked = (page: Page) => page.getByRole('heading', { name: 'Check before importing' }).waitFor(slow)

async function figures(page: Page): Promise<Record<string, number>> {
  const words = await page.locator('.import dl.totals dt').allTextContents()
  const values = await page.locator('.import dl.totals dd').allTextContents()
  const numberOf = (text = '') => Number(/^[\d,]*/.exec(text)?.[0].replaceAll(',', ''))
  return Object.fromEntries(words.map((word, index) => [word, numberOf(values[index])]))
}

type Leads = { leads: { phoneNumber: string; scheduledFor?: string }[]; nextCursor: string | null }

async function storedLeads(key: string, campaignId: string): Promise<Leads['leads']> {
  const all: Leads['leads'] = []
  for (let cursor = ''; ; ) {
    const { data } = await askApi<Leads>(key, 'GET', `/leads?campaignId=${campaignId}&limit=1000${cursor}`)
    all.push(...data.leads)
    if (data.nextCursor === null) return all
    cursor = `&cursor=${encodeURIComponent(data.nextCursor)}`
  }
}

async function addCampaign(key: string, id: string): Promise<void> {
  const body = { id, name: `Campaign ${id}`, timeZone: 'Europe/Berlin' }
  const { status } = await askApi(key, 'POST', '/campaigns', body)
  expect(status).toBe(201)
}

it('A file as people have it comes in after one choice of country, and each row that does not is named', async () => {
  const { page, key, complaints, strays } = await open()
  await addCampaign(key, 'messy')
  const { csv, rows } = messyFile(7)
  const fresh = rows.filter(({ isClear, isRepeated }) => isClear && !isRepeated)
  const refused = rows.filter(({ isClear }) => !isClear)
  const repeated = rows.filter(({ isRepeated }) => isRepeated).length
  const [one, two] = fresh
  for (const { number } of [one, two].filter((row) => row !== undefined))
    await askApi(key, 'POST', '/leads', { campaignId: 'messy', phoneNumber: number })
  await page.goto(`${server.base}/console#/messy/import`)
  await pick(page, 'messy.csv', csv)
  await checked(page)
  const national = rows.filter(({ cell, isClear }) => isClear && !cell.includes('+'))
  // The country is offered, and not used: numbers without a country code are errors.
  await page.getByRole('button', { name: 'Choose Germany' }).waitFor()
  expect((await figures(page)).Invalid).toBe(refused.length + national.length)
  await page.getByRole('button', { name: 'Choose Germany' }).click()
  await expect
    .poll(() => figures(page), slow)
    .toEqual({ Rows: 5000, 'New or existing': fresh.length, Repeated: repeated, Invalid: refused.length })
  const real = rows.filter(({ number }) => number !== null).length
  expect((fresh.length + repeated) / real).toBeGreaterThan(0.95)

  // Each kind of change with its count, before and after.
  const changes = page.getByRole('region', { name: 'Changed numbers' }).locator('tbody tr')
  // But for the one that is off unless a person turns it on.
  const made = changes.filter({ hasNotText: 'Off: these rows are invalid' })
  const counts = await made.locator('td.number').allTextContents()
  const changed = rows.filter(({ cell, number, isClear }) => isClear && cell !== number)
  expect(counts.map((text) => Number(text.replace(',', ''))).reduce((sum, one) => sum + one)).toBe(
    changed.length,
  )
  for (const example of await made.locator('li').allTextContents()) {
    const [before, after] = example.split(' → ')
    expect(changed.some(({ cell, number }) => cell.trim() === before?.trim() && number === after)).toBe(true)
  }
  await takePicture(page, 'numbers-changed-1440-light')
  await expectFit(page, 'changed numbers')

  // The switch, by keyboard.
  const tick = page.getByRole('checkbox', { name: 'Country code added' })
  await tick.focus()
  await page.keyboard.press('Space')
  await page.getByText('Off: these rows are invalid.', { exact: true }).waitFor(slow)
  await checked(page)
  const without = await figures(page)
  expect(without.Invalid).toBeGreaterThan(refused.length + 1000)
  await tick.press('Space')
  await expect.poll(async () => (await figures(page)).Invalid, slow).toBe(refused.length)

  // Which exist, asked of the service only when a person says so.
  await page.getByText('Uses 5 requests of your key').waitFor()
  await page.getByRole('button', { name: 'Count existing leads' }).click()
  const expected = { New: fresh.length - 2, Existing: 2, Repeated: repeated, Invalid: refused.length }
  await expect.poll(() => figures(page), slow).toEqual({ Rows: 5000, ...expected })
  expect(await storedLeads(key, 'messy')).toHaveLength(2)
  await page.getByRole('button', { name: `Import ${expected.New.toLocaleString('en')} new leads` }).click()
  await page
    .getByText(`Finished. ${refused.length} of 5,000 rows were not imported`)
    .waitFor({ timeout: 110_000 })
  const { New: created, ...others } = expected
  expect(await figures(page)).toEqual({ 'Rows done': 5000, Created: created, ...others })
  await takePicture(page, 'numbers-finished-1440-light')
  await expectFit(page, 'finished import')
  const stored = (await storedLeads(key, 'messy')).map(({ phoneNumber }) => phoneNumber)
  expect(stored.sort()).toEqual(fresh.map(({ number }) => number).sort())

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download invalid rows' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => Number(/;(\d+);[^;]+$/.exec(line)?.[1]))).toEqual(refused.map(({ row }) => row))
  for (const [index, line] of lines.entries()) {
    expect(line).toMatch(/;"?Phone number [^;]+\."?$/)
    const cell = refused[index]?.cell ?? ''
    // What a spreadsheet would evaluate is escaped, and so are quotation marks.
    if (/^[\w. ]+$/.test(cell)) expect(line).toContain(`;${cell};`)
  }
  expect({ complaints, strays }).toEqual({ complaints: [], strays: [] })
  await page.close()
}, 240_000)

it.each([
  [1440, 'dark'],
  [320, 'light'],
  [320, 'dark'],
] as const)('A file as people have it fits %d px, %s', async (width, scheme) => {
  const { page, complaints } = await open({ width, scheme })
  await page.goto(`${server.base}/console#/demo/import`)
  await pick(page, `look-${width}.csv`, messyFile(3).csv)
  await checked(page)
  await page.getByRole('button', { name: 'Choose Germany' }).click()
  await page.getByRole('checkbox', { name: 'Country code added' }).waitFor(slow)
  await checked(page)
  await expectFit(page, 'import')
  await takePicture(page, `numbers-import-${width}-${scheme}`)
  await page.screenshot({
    path: join(
      import.meta.dirname,
      `../../dist/screenshots/console-numbers-import-full-${width}-${scheme}.png`,
    ),
    fullPage: true,
  })
  expect(complaints).toEqual([])
})

it('A file as people have it has its premium-rate and satellite numbers named before it is imported', async () => {
  const { page, key } = await open()
  await addCampaign(key, 'costly')
  await page.goto(`${server.base}/console#/costly/import`)
  await pick(page, 'costly.csv', 'Telefon\n+4930999801\n+61147123456\n+499001234567\n')
  await checked(page)
  await page
    .getByText(
      '2 numbers are premium-rate or satellite, so a call can be expensive: row 3 +61147123456, row 4 +499001234567',
    )
    .waitFor()
})

it('A file as people have it keeps its first lead without a header, whatever the delimiter, and says so', async () => {
  const { page, key } = await open()
  await addCampaign(key, 'headless')
  await page.goto(`${server.base}/console#/headless/import`)
  await pick(page, 'headless.csv', '\uFEFFAda\t+49 171 1234567\nBob\t+49 30 1234567\n')
  await checked(page)
  await page.getByText('No header: the first row is imported as a lead.').waitFor()
  await expect.poll(() => figures(page)).toEqual({ Rows: 2, New: 2, Existing: 0, Repeated: 0, Invalid: 0 })
  // A person knows better.
  await page.getByLabel('The first row is a header').check()
  await page.getByText('Choose the column with the phone number.').waitFor()
  await page.getByLabel('The first row is a header').uncheck()
  await page.getByRole('button', { name: 'Import 2 new leads' }).click()
  await page.getByText('Done. Every row is a lead of the campaign.').waitFor()
  expect((await storedLeads(key, 'headless')).map(({ phoneNumber }) => phoneNumber)).toEqual([
    '+491711234567',
    '+49301234567',
  ])
})

it('A file as people have it with dates has them read in the zone of the campaign, once their order is confirmed', async () => {
  const { page, key } = await open()
  await addCampaign(key, 'dates')
  await page.goto(`${server.base}/console#/dates/import`)
  const lines = [
    '+491711234567;24.12.2026 10:00',
    '+491711234568;2026-07-01T10:00:00Z',
    '+491711234569;03.04.2026',
  ]
  await pick(page, 'dates.csv', ['Telefon;Termin', ...lines, '+491711234560;31.02.2026 9:00'].join('\n'))
  await checked(page)
  await expect.poll(async () => (await figures(page)).Invalid).toBe(3)
  await page.getByLabel('Dates without a time zone').selectOption('Day first: 24.12.2026')
  await page.getByText('24.12.2026 10:00 → 2026-12-24T10:00:00+01:00').waitFor()
  await page.getByText('Read as times in Europe/Berlin.').waitFor()
  await expect.poll(() => figures(page)).toMatchObject({ 'New or existing': 3, Invalid: 1 })
  await page.getByLabel('Scheduled for: 1 unusable').selectOption('Leave this row out')
  await expect.poll(() => figures(page)).toMatchObject({ New: 3, Invalid: 1 })
  await page.getByRole('button', { name: 'Import 3 new leads' }).click()
  await page.getByText('Finished. 1 of 4 rows was not imported').waitFor()
  expect((await storedLeads(key, 'dates')).map(({ scheduledFor }) => scheduledFor)).toEqual([
    '2026-12-24T10:00:00+01:00',
    '2026-07-01T10:00:00Z',
    '2026-04-03T00:00:00+02:00',
  ])
})

it.each([
  [1440, 'light'],
  [320, 'dark'],
] as const)(
  'A cell that a lead can do without costs no lead unasked, at %d px, %s',
  async (width, scheme) => {
    const { page, key, complaints } = await open({ width, scheme })
    const campaignId = `cells-${width}`
    await addCampaign(key, campaignId)
    await page.goto(`${server.base}/console#/${campaignId}/import`)
    const lines = ['+491711234567;;high;Ada', '+491711234568;;7;Bob', ';+491711234569;n/a;Eve', ';;5;Max']
    await pick(page, `cells-${width}.csv`, ['Telefon;Mobil;Prio;Name', ...lines].join('\n'))
    await checked(page)
    await expect.poll(() => figures(page)).toMatchObject({ 'New or existing': 1, Invalid: 3 })
    await page.getByText('First choose above what happens to unusable cells: Priority.').waitFor()
    const button = page.getByRole('button', { name: /^Import \d/ })
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel('If the phone number is empty, use').selectOption('Mobil')
    await expect.poll(() => figures(page)).toMatchObject({ 'New or existing': 1, Invalid: 3 })
    const unusable = page.getByLabel('Priority: 2 unusable, such as “high”')
    await expectFit(page, 'unusable cells')
    await page.screenshot({
      path: join(import.meta.dirname, `../../dist/screenshots/console-unusable-cells-${width}-${scheme}.png`),
      fullPage: true,
    })
    await unusable.selectOption('Ignore these cells: priority 0')
    await expect.poll(() => figures(page)).toMatchObject({ New: 3, Invalid: 1 })
    await button.click()
    await page.getByText('Finished. 1 of 4 rows was not imported').waitFor()
    expect(await storedLeads(key, campaignId)).toMatchObject([
      { phoneNumber: '+491711234567', priority: 0 },
      { phoneNumber: '+491711234568', priority: 7 },
      { phoneNumber: '+491711234569', priority: 0, metadata: { Mobil: '+491711234569', Name: 'Eve' } },
    ])
    expect(complaints).toEqual([])
  },
)

it('A file as people have it that is an Excel workbook is named as one', async () => {
  const { page } = await open()
  await page.goto(`${server.base}/console#/demo/import`)
  await pick(page, 'leads.xlsx', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x0a, 0x00]))
  await page.getByRole('alert').filter({ hasText: 'Excel workbook' }).waitFor()
  await page.goto(`${server.base}/console#company/do-not-call`)
  await pick(page, 'leads.xlsx', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x0a, 0x00]), 'Import a file')
  await page.getByRole('alert').filter({ hasText: 'Excel workbook' }).waitFor()
})
