// The calls of a campaign in the console: why a person was called, last month's calls as a file, what was said, and
// figures by origin. By keyboard where it says so.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { chooseByKeys, look, optionsOf, pressKey, takePicture } from './console-page.ts'
import { api, openAs, openConsole, server } from './started.ts'

const always = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
)
const free = { minGapMinutes: null, per24Hours: null, per7Days: null }
const link = 'https://voice.example/recording'

type Call = { callId: string; outcome: string; claimedAt: string; costAmount: string | null }
type Calls = { calls: Call[]; nextCursor: string | null }

/** Calls of leads of a form and of a key, with what a provider says of some. */
async function seedCalls(id: string) {
  await api('POST', '/campaigns', { id, name: id, timeZone: 'Europe/Berlin', callingHours: always })
  await api('PATCH', `/campaigns/${id}`, { appointmentHours: always, numberLimits: free })
  const path = `/campaigns/${id}/sources`
  const { data: source } = await api<{ url: string }>('POST', path, {
    name: 'Contact form',
    countries: ['DE'],
  })
  const post = new URLSearchParams({ name: 'Ada', phone: '+4915112345601' })
  expect((await fetch(source.url, { method: 'POST', body: post })).status).toBe(200)
  for (const last of [1, 2, 3])
    await api('POST', '/leads', {
      campaignId: id,
      phoneNumber: `+491511234570${last}`,
      metadata: { name: 'Bob' },
    })
  type Claimed = { calls: { callId: string; lead: { phoneNumber: string } }[] }
  const claim = async (agent: string, limit: number) =>
    (await api<Claimed>('POST', '/calls/claim', { campaignId: id, agent, limit })).data.calls
  const claimed = [...(await claim('seat-7', 3)), ...(await claim('seat-8', 1))]
  expect(claimed).toHaveLength(4)
  const details = {
    summary: 'Wants an offer by Friday.',
    transcript: 'Agent: Hello.\nAda: Hello, please send an offer.',
    recordingUrl: link,
    transcriptUrl: 'javascript:alert(1)',
    costAmount: '0.12',
    costCurrency: 'USD',
    mood: 'happy',
  }
  const calls = claimed.map(({ callId, lead }) =>
    lead.phoneNumber.endsWith('601')
      ? { callId, outcome: 'answered', durationSeconds: 96, details }
      : { callId, outcome: 'no_answer', details: { costAmount: 0.01, costCurrency: 'USD' } },
  )
  await api('POST', '/calls/report', { calls })
}

const main = (page: Page) => page.getByRole('main')

it('Why a person was called is answered by two presses, with the name of the form', async () => {
  await seedCalls('why')
  const { page } = await openAs()
  await pressKey(page, page.getByRole('link', { name: 'Find leads' }))
  await page.getByLabel('Name, e-mail, phone number or external id').fill('+4915112345601')
  // The only lead with this number is opened at once.
  await page.keyboard.press('Enter')
  const card = main(page)
  await card.getByText('Contact form', { exact: true }).waitFor()
  await card.getByText('Wants an offer by Friday.').waitFor()
  const recording = card.getByRole('link', { name: 'Open the recording' })
  expect(await recording.getAttribute('href')).toBe(link)
  expect(await recording.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await card.getByRole('link', { name: 'Open the transcript' }).count()).toBe(0)
  await takePicture(page, 'lead-with-call')
})

it('The calls of a campaign are a table with filters and a card each, and last month’s are exported as the API counts them', async () => {
  await seedCalls('calls')
  const { key } = await server.addKey('manage')
  const { page, complaints, strays } = await openConsole(key)
  await page.evaluate(`location.hash = '#/calls/calls'`)
  const rows = page.getByRole('region', { name: 'Calls of the campaign' }).locator('tbody tr')
  await rows.first().waitFor()
  expect(await rows.count()).toBe(4)
  await main(page).getByLabel('Came from:').selectOption('Contact form')
  await expect.poll(() => rows.count()).toBe(1)
  expect(await rows.allTextContents()).toEqual([
    expect.stringMatching(/\+4915112345601Answered1:36seat-70\.12 USDWants an offer by Friday\.$/),
  ])
  await pressKey(page, rows.first().getByRole('button'))
  const card = page.getByRole('region', { name: 'Call of +4915112345601' })
  await card.getByText('Contact form').waitFor()
  await pressKey(page, card.locator('summary', { hasText: 'Transcript' }))
  await card.getByText('Ada: Hello, please send an offer.').waitFor()
  await look(page, 'calls')
  await main(page).getByLabel('Outcome:').selectOption('no_answer')
  await page.getByText('No calls with this filter.').waitFor()
  await main(page).getByLabel('Came from:').selectOption('All')
  await expect.poll(() => rows.count()).toBe(3)
  await main(page).getByLabel('Outcome:').selectOption('')
  await expect.poll(() => rows.count()).toBe(4)

  // Who called, among those who have called in this campaign.
  const by = main(page).getByLabel('By:')
  await expect.poll(() => optionsOf(by)).toEqual(['All', 'The dialer', 'seat-7', 'seat-8'])
  await chooseByKeys(page, by, 'seat-8')
  await expect.poll(() => rows.count()).toBe(1)
  expect(await rows.allTextContents()).toEqual([expect.stringContaining('seat-8')])
  await chooseByKeys(page, by, 'The dialer')
  await page.getByText('No calls with this filter.').waitFor()
  await chooseByKeys(page, by, 'All')
  await expect.poll(() => rows.count()).toBe(4)

  // Last month, which has none; and the month of these calls.
  await pressKey(page, main(page).getByRole('button', { name: 'Last month' }))
  await page.getByText('No calls with this filter.').waitFor()
  const [first, last] = [
    await page.getByLabel('From', { exact: true }).inputValue(),
    await page.getByLabel('Until', { exact: true }).inputValue(),
  ]
  expect(first).toMatch(/-01$/)
  expect(last.slice(0, 7)).toBe(first.slice(0, 7))
  await page.getByLabel('From', { exact: true }).fill('')
  await page.getByLabel('Until', { exact: true }).fill('')
  await expect.poll(() => rows.count()).toBe(4)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    main(page).getByRole('button', { name: 'Export CSV' }).click(),
  ])
  await page.getByText('4 calls saved.').waitFor()
  const csv = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  const { data } = await api<Calls>('GET', '/campaigns/calls/calls')
  expect(data.nextCursor).toBeNull()
  expect(csv.slice(1).map((line) => data.calls.find(({ callId }) => line.includes(callId))?.callId)).toEqual(
    data.calls.map(({ callId }) => callId),
  )
  expect([complaints, strays]).toEqual([[], []])
})

it('The figures of a campaign are a table by origin and outcome with costs, and campaigns stand side by side', async () => {
  await seedCalls('sums')
  const { page } = await openAs()
  await page.evaluate(`location.hash = '#/sums/overview'`)
  await main(page).getByText('Figures by day, outcome, origin and agent').click()
  await main(page).getByRole('button', { name: 'Came from' }).click()
  const rows = page.getByRole('region', { name: 'Figures' }).locator('tbody tr')
  await rows.filter({ hasText: 'Contact form' }).waitFor()
  const texts = await rows.allTextContents()
  expect(texts.find((text) => text.startsWith('Contact form'))).toBe('Contact form111100%10.12 USD0.12 USD')
  await rows.last().scrollIntoViewIfNeeded()
  await look(page, 'figures')
  await page.evaluate(`location.hash = '#campaigns'`)
  await main(page).getByRole('button', { name: 'Compare' }).click()
  const own = page
    .getByRole('region', { name: 'Campaigns side by side' })
    .getByRole('row')
    .filter({ hasText: 'sums' })
  await own.getByText('0.15 USD').first().waitFor()
  expect(await own.textContent()).toBe('sums44125%10.15 USD0.15 USD')
  await look(page, 'side-by-side')
})
