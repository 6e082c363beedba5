// A campaign after a day of calls in the console: as bars, and as a sentence and a table for screen readers, with the
// API's numbers. Leaves pictures for the README in dist/screenshots.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectFit, takePicture } from './console-page.ts'
import { playDay } from './played-day.ts'
import { askApi, openConsole, server } from './started.ts'

type Bucket = { start: string; created: number; claimed: number; answered: number }
type Statistics = { status: Record<string, number>; series: Bucket[] }

let key: string

beforeAll(async () => {
  const manage = await server.addKey('manage')
  key = manage.key
  await askApi(key, 'PATCH', '/campaigns/demo', { timeZone: 'America/Los_Angeles' })
  await playDay(server.db, manage.id, 'demo')
  for (const [agent, limit] of Object.entries({ 'seat-1': 1, 'seat-2': 2, 'seat-3': 1 }))
    await askApi(key, 'POST', '/calls/claim', { campaignId: 'demo', limit, agent })
})

const stats = async (query: string) =>
  (await askApi<Statistics>(key, 'GET', `/campaigns/demo/stats${query}`)).data
const sumOf = (series: readonly Bucket[], name: 'created' | 'claimed' | 'answered') =>
  series.reduce((sum, bucket) => sum + bucket[name], 0)
const english = (n: number) => n.toLocaleString('en-GB')

/** The cells of a drawing's table, row by row. */
async function tableOf(page: Page, region: string): Promise<string[][]> {
  const panel = page.getByRole('region', { name: region, exact: true })
  await panel.getByText('As a table').click()
  const rows = await panel.getByRole('table').locator('tbody tr').all()
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()))
}

it('A day of calls is described to a screen reader in a sentence and in a table: the funnel, and the bars', async () => {
  const { status, series } = await stats('')
  expect(sumOf(series, 'claimed')).toBeGreaterThan(500)
  const { page } = await openConsole(key)
  const leads = page.getByRole('region', { name: 'Leads', exact: true })
  const all = Object.values(status).reduce((sum, n) => sum + n, 0)
  const { raw = 0, attempting = 0, concluded = 0, exhausted = 0 } = status
  const funnel =
    `${english(all)} leads: ${english(raw)} new, ${english(attempting)} in progress, ` +
    `${english(concluded)} done, ${english(exhausted)} gave up.`
  await expect.poll(() => leads.ariaSnapshot()).toContain(`img "${funnel}"`)

  const activity = page.getByRole('region', { name: 'Activity' })
  const [created, claimed, answered] = (['created', 'claimed', 'answered'] as const).map((name) =>
    english(sumOf(series, name)),
  )
  const bars = `By hour in Los Angeles: ${created} created, ${claimed} called, ${answered} answered.`
  await expect.poll(() => activity.ariaSnapshot()).toContain(`img "${bars}"`)
  const rows = await tableOf(page, 'Activity')
  expect(rows.map(([, ...cells]) => cells.slice(0, 3))).toEqual(
    series.toReversed().map((bucket) => [bucket.created, bucket.claimed, bucket.answered].map(english)),
  )
})

it('A day of calls is the last of seven days, with a bar for each', async () => {
  const { series } = await stats('?bucket=day')
  const { page } = await openConsole(key)
  await page.getByText('7 days').click()
  const activity = page.getByRole('region', { name: 'Activity' })
  const claimed = english(sumOf(series, 'claimed'))
  await expect.poll(() => activity.ariaSnapshot()).toContain(` ${claimed} called, `)
  const rows = await tableOf(page, 'Activity')
  expect(rows.map(([, ...cells]) => cells.slice(0, 3))).toEqual(
    series.toReversed().map((bucket) => [bucket.created, bucket.claimed, bucket.answered].map(english)),
  )
})

it.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)('A day of calls fits its window, and axe finds nothing: %s, %d px', async (scheme, width) => {
  const { page, complaints } = await openConsole(key, { scheme, width })
  await page.getByRole('region', { name: 'Live calls by agent' }).getByText('seat-2').first().waitFor()
  await expectFit(page, 'a day of calls')
  await takePicture(page, `day-${width}-${scheme}`)
  expect(complaints).toEqual([])
})
