// 100,000 rows through the console in a real browser, into the real service and its limits: paused, reloaded in the
// middle, and resumed. It takes ten minutes, by the limit of 10,000 leads a minute.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../browser/browser.ts'
import { askApi, goTo, longestTaskOf, openConsole } from '../browser/console-page.ts'
import { startServer } from '../docs/server.ts'
import type { Report } from './report.ts'

const rows = 100_000
const longestTaskMs = 100
const minuteMs = 60_000

export async function importWhole(): Promise<Report> {
  const browser = await launchBrowser()
  const server = await startServer()
  const dir = await mkdtemp(join(tmpdir(), 'lead-intake-whole-'))
  try {
    const file = join(dir, 'many.csv')
    const lines = Array.from({ length: rows }, (_, i) => `+1${4_150_000_000 + i},Person ${i},"Acme, Inc"`)
    await writeFile(file, ['phone,name,company', ...lines].join('\n'))
    const { key } = await server.addKey('manage')
    const { page } = await openConsole(browser, server, key)
    page.setDefaultTimeout(minuteMs)
    await goTo(page, 'Import')
    const beganAtMs = Date.now()
    const taskMs: number[] = []
    const watched = async (work: () => Promise<unknown>) =>
      void taskMs.push(await longestTaskOf(browser, page, work))

    await watched(async () => {
      await page.getByLabel('CSV file').setInputFiles(file)
      await page.getByRole('button', { name: 'Import 100,000 leads' }).click()
      await rowsDone(page, 5_000)
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused after').waitFor()
    })
    await page.getByRole('button', { name: 'Resume' }).click()
    await rowsDone(page, 25_000)
    await page.reload()
    await goTo(page, 'Import')
    await page.getByLabel('CSV file').setInputFiles(file)
    await watched(async () => {
      await page.getByRole('button', { name: /^Resume with/ }).click()
      await rowsDone(page, 40_000)
    })
    await page.getByText('Done.').waitFor({ timeout: 20 * minuteMs })
    const minutes = (Date.now() - beganAtMs) / minuteMs

    const path = '/campaigns/demo/stats?bucket=day'
    const { data } = await askApi<{ status: { raw: number } }>(server, key, 'GET', path)
    const numbers = await server.db
      .prepare('select count(distinct phone_number) as n from leads')
      .first<{ n: number }>()
    const longest = Math.max(...taskMs)
    return {
      name: 'import',
      figures: {
        'leads stored, each number once': `${data.status.raw}, ${numbers?.n}`,
        'minutes, with a pause and a reload': minutes.toFixed(1),
        'longest task of the page': `${Math.round(longest)} ms`,
      },
      broken: [
        ...(data.status.raw === rows && numbers?.n === rows ? [] : ['not every row is stored once']),
        ...(longest <= longestTaskMs ? [] : ['the page was not quick']),
      ],
    }
  } finally {
    await browser.close()
    await server.harness.close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Until so many rows are sent. */
async function rowsDone(page: Page, wanted: number): Promise<void> {
  const done = page.locator('.import dl > div:has(dt:text-is("Rows done")) dd')
  for (;;) {
    const text = (await done.textContent()) ?? ''
    if (Number(/^[\d,]*/.exec(text)?.[0].replaceAll(',', '')) >= wanted) return
    await page.waitForTimeout(500)
  }
}
