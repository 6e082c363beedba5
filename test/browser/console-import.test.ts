// The console's import in a real browser: files that are mapped, corrected and made to break it, and 100,000 rows that
// are paused, reloaded and resumed, while the page stays responsive.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectFit, goTo, longestTaskOf, signIn, takePicture } from './console-page.ts'
import { askApi, browser, openAs, pick, server } from './started.ts'

/** People notice longer ones. */
const longestTaskMs = 100

async function openImport(prepare?: (page: Page) => Promise<unknown>) {
  const watched = await openAs('manage', prepare && { prepare })
  watched.page.on('dialog', () => watched.page.evaluate('window.hasRun = 1'))
  await goTo(watched.page, 'Import')
  return watched
}

async function expectResponsive(page: Page, work: () => Promise<unknown>): Promise<void> {
  expect(await longestTaskOf(browser, page, work)).toBeLessThanOrEqual(longestTaskMs)
}

const checked = (page: Page) => page.getByRole('heading', { name: 'Check before importing' }).waitFor(slow)

/** For a check of 100,000 rows. */
const slow = { timeout: 60_000 }

/** The number under a label. */
async function figure(page: Page, word: string): Promise<number> {
  const text = await page.locator(`.import dl > div:has(dt:text-is("${word}")) dd`).textContent()
  return Number(/^[\d,]*/.exec(text ?? '')?.[0].replaceAll(',', ''))
}

/** Of American numbers. Nothing is imported before. */
async function chooseClock(page: Page): Promise<void> {
  const label =
    /^[\d,]+ numbers of the United States would be called by UTC: 09:00 there is 0[45]:00 in New York\.$/
  await page.getByText('First choose above by whose clock to call: United States').waitFor(slow)
  await page.getByLabel(label).selectOption('America/Los_Angeles')
  await checked(page)
}

async function download(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    page.getByRole('button', { name: 'Download invalid rows' }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

it('An import stores valid rows, returns the rest with reasons, and stores those once they are corrected', async () => {
  const { page, key, complaints } = await openImport()
  const tooLarge = `"{""note"":""${'x'.repeat(17_000)}""}"`
  const rows = [
    'Mobile phone,Full name,meta,rank',
    '+4930999001,Ada,,10',
    '030 999 002,"=HYPERLINK(""https://evil.example"")",,10',
    `+4930999003,Grace,${tooLarge},10`,
    '+4930999004,Alan,,500',
    '+4930999001,Ada again,,10',
  ]
  await pick(page, 'people.csv', rows.join('\n'))
  await checked(page)
  await page.getByLabel('meta', { exact: true }).selectOption('Metadata (JSON)')
  await page.getByLabel('rank', { exact: true }).selectOption('Priority')
  await page.getByLabel('Priority: 1 unusable, such as “500”').selectOption('Leave this row out')
  await checked(page)
  // The service is asked once no choice is open.
  await page.getByText('Count existing leads').waitFor()
  await page.getByLabel('Metadata (JSON): 1 unusable').selectOption('Leave this row out')
  await expect.poll(() => figure(page, 'New'), slow).toBe(1)
  expect(await figure(page, 'Rows')).toBe(5)
  expect([
    await figure(page, 'Existing'),
    await figure(page, 'Repeated'),
    await figure(page, 'Invalid'),
  ]).toEqual([0, 1, 3])
  const causes = page.getByRole('region', { name: 'Invalid rows by cause' }).locator('tbody tr')
  expect(await causes.allTextContents()).toEqual([
    expect.stringMatching(/^1Phone number has no country code.+Row 3: 030 999 002$/),
    expect.stringMatching(/^1Metadata.+16 KiB\.Row 4: /),
    expect.stringMatching(/^1Priority.+Row 5: 500$/),
  ])
  await page.getByText('Each invalid row').click()
  const errors = page.getByRole('region', { name: 'Invalid rows', exact: true })
  expect(await errors.locator('tbody tr').allTextContents()).toEqual([
    expect.stringMatching(/^3030 999 002Phone number has no country code/),
    expect.stringMatching(/^4.+Metadata/),
    expect.stringMatching(/^5500Priority/),
  ])
  // Nothing is sent before a person confirms.
  const listed = () =>
    askApi<{ leads: { phoneNumber: string; metadata?: object }[] }>(key, 'GET', '/leads?campaignId=demo')
  expect((await listed()).data.leads).toEqual([])

  // Errors can be downloaded before anything is sent, those of the service too.
  const early = await download(page)
  await page.getByRole('button', { name: 'Import 1 new lead', exact: true }).click()
  await page.getByText('Finished. 3 of 5 rows were not imported').waitFor()
  expect(await page.getByText('Done.').count()).toBe(0)
  expect([
    await figure(page, 'Created'),
    await figure(page, 'Existing'),
    await figure(page, 'Repeated'),
    await figure(page, 'Invalid'),
  ]).toEqual([1, 0, 1, 3])
  const [lead, ...others] = (await listed()).data.leads
  expect([lead?.phoneNumber, lead?.metadata, others]).toEqual(['+4930999001', { 'Full name': 'Ada' }, []])

  const rejected = await download(page)
  expect(rejected.split('\n').map((line) => line.split(',').at(-2))).toEqual(
    early.split('\n').map((line) => line.split(',').at(-2)),
  )
  expect(rejected).toMatch(/^\uFEFFMobile phone,Full name,meta,rank,importRow,importReason\n/)
  expect(rejected).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
  expect(rejected).toContain('Metadata must be')
  const corrected = rejected
    .replace('030 999 002', "'+4930999002")
    .replace(',500,', ',50,')
    .replace(tooLarge, '')
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await pick(page, 'corrected.csv', corrected)
  await checked(page)
  await page.getByLabel('meta', { exact: true }).selectOption('Metadata (JSON)')
  await page.getByLabel('rank', { exact: true }).selectOption('Priority')
  await expect.poll(() => figure(page, 'New')).toBe(3)
  await page.getByRole('button', { name: 'Import 3 new leads' }).click()
  await page.getByText('Done. Every row is a lead of the campaign.').waitFor()
  expect((await listed()).data.leads.map(({ phoneNumber }) => phoneNumber)).toEqual([
    '+4930999001',
    '+4930999002',
    '+4930999003',
    '+4930999004',
  ])
  await page.getByRole('link', { name: 'Show the new leads' }).click()
  await page.getByRole('link', { name: '+4930999004' }).waitFor()
  expect(complaints).toEqual([])
})

it('An import of a hostile file runs nothing, freezes nothing, and names the problems', async () => {
  const { page, complaints, strays } = await openImport()
  const script = '"<script>window.hasRun=1</script><img src=x onerror=window.hasRun=1>"'
  const nasty = [
    script,
    '"=cmd|\' /C calc\'!A0"',
    '"\u001b]0;owned\u0007\u001b[31m"',
    '"javascript:window.hasRun=1"',
    '"\u202egnp.exe"',
    `"${'a'.repeat(10_000_000)}"`,
  ]
  const lines = nasty.flatMap((cell) => [`${cell},x,y`, `+4930888001,${cell},${cell}`, `x,${cell},+1`])
  await expectResponsive(page, async () => {
    await pick(page, `${script}.csv`, `phone,${script},"${'h'.repeat(5_000)}"\n${lines.join('\n')}\n`)
    await checked(page)
    await page.getByRole('region', { name: 'First rows of the file' }).hover()
    for (let turns = 0; turns < 10; turns++) await page.mouse.wheel(0, 200)
  })
  expect(await figure(page, 'Rows')).toBe(18)
  expect([await figure(page, 'Repeated'), await figure(page, 'Invalid')]).toEqual([4, 13])
  await expectFit(page, 'nasty file')
  await page.getByLabel(/^Metadata \(JSON\): 1 unusable/).selectOption('Leave this row out')
  await expect.poll(() => figure(page, 'New'), slow).toBe(1)
  await page.getByRole('button', { name: 'Import 1 new lead' }).click()
  await page.getByText('Finished. 13 of 18 rows were not imported').waitFor()
  expect(await download(page)).not.toMatch(/(^|[,;\n"])=cmd/)
  await goTo(page, 'Leads')
  await page.getByRole('link', { name: '+4930888001' }).click()
  await page.getByRole('heading', { name: '+4930888001' }).waitFor()
  expect(await page.evaluate('window.hasRun')).toBeUndefined()

  for (const [text, problem] of [
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'UTF-8'],
    [Buffer.from(''), 'empty'],
  ] as const) {
    await goTo(page, 'Import')
    const another = page.getByRole('button', { name: 'Choose another file' })
    await page.getByRole('heading', { name: 'Import leads' }).waitFor()
    if (await another.isVisible()) await another.click()
    await pick(page, 'bad.csv', text)
    await page.getByRole('alert').filter({ hasText: problem }).waitFor()
  }
  expect({ complaints, strays }).toEqual({ complaints: [], strays: [] })
})

it('An import of 100,000 rows is paused, survives a reload and a lost answer, and sends each row once', async () => {
  const allRows = 100_000
  const stored = new Set<string>()
  const keys = new Map<string, string>()
  const answered = new Set<string>()
  let [requests, resent, repeated] = [0, 0, 0]
  // With the rate limit it would take ten minutes: the service is a stub that keeps the rules of keys and duplicates.
  const play = (page: Page) =>
    page.route('**/leads/bulk?*onInvalid=skip', async (route) => {
      requests++
      const body = route.request().postData() ?? ''
      const key = route.request().headers()['idempotency-key'] ?? ''
      if (keys.has(key)) resent++
      expect(keys.get(key) ?? body).toBe(body)
      keys.set(key, body)
      const { leads } = JSON.parse(body) as { leads: { phoneNumber: string }[] }
      expect(leads.length).toBeLessThanOrEqual(1000)
      const results = leads.map(({ phoneNumber }, index) => {
        const status = stored.has(phoneNumber) ? 'skipped' : 'created'
        stored.add(phoneNumber)
        return { index, status, leadId: 'x' }
      })
      if (requests === 20) return route.abort('connectionreset')
      if (requests === 30) return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: {} })
      if (answered.has(key)) repeated++
      answered.add(key)
      return route.fulfill({ json: { success: true, data: { results }, error: null } })
    })
  const lines = ['phone,name,company']
  for (let row = 0; row < allRows; row++) lines.push(`+1${4_152_000_000 + row},Person ${row},"Acme, Inc"`)
  const text = lines.join('\n')

  const { page, key } = await openImport(play)
  await expectResponsive(page, async () => {
    await pick(page, 'many.csv', text)
    await checked(page)
    expect(await figure(page, 'New or existing')).toBe(allRows)
    await chooseClock(page)
    // So many requests only when a person asks for them.
    await page.getByText('Uses 100 requests of your key: it has 10 a minute for imports').waitFor()
    await page.getByText('about 10 minutes: the limit is 10,000 leads a minute').waitFor()
    await page.getByRole('button', { name: 'Import 100,000 leads' }).click()
    await expect.poll(() => requests, { timeout: 30_000 }).toBeGreaterThan(10)
    await goTo(page, 'Overview')
    await page.getByRole('link', { name: /^Import \d+%$/ }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused after').waitFor()
  })
  const paused = requests
  const rowsDone = await figure(page, 'Rows done')
  await takePicture(page, 'import-paused-1440-light')
  expect(rowsDone).toBeGreaterThan(0)

  await page.reload()
  await goTo(page, 'Import')
  const kept = await page.evaluate(`new Promise((resolve) => {
      const asked = indexedDB.open('lead-intake-console')
      asked.onsuccess = () => {
        const all = asked.result.transaction('imports').objectStore('imports').getAll()
        all.onsuccess = () => resolve(JSON.stringify([all.result, { ...localStorage }]))
      }
    })`)
  expect(kept).toContain('many.csv')
  expect(kept).not.toMatch(/\+?1?415\d{6}|Acme|lk_/)
  expect(kept).not.toContain(key)
  expect(requests).toBe(paused)
  await pick(page, 'many.csv', text)
  await page.getByText('An import of this file stopped after').waitFor(slow)
  // With other columns it is another import.
  const column = page.getByLabel('company', { exact: true })
  const asBefore = await column.inputValue()
  await column.selectOption('External id')
  await page.getByRole('button', { name: 'Import 100,000 leads' }).waitFor(slow)
  expect(await page.getByText('An import of this file stopped').count()).toBe(0)
  await column.selectOption(asBefore)
  await page.getByRole('button', { name: /^Resume with/ }).click(slow)
  await page.getByText('Done.').waitFor({ timeout: 120_000 })
  expect([
    await figure(page, 'Rows done'),
    (await figure(page, 'Created')) + (await figure(page, 'Existing')),
  ]).toEqual([allRows, allRows])
  expect(stored.size).toBe(allRows)
  // What was not answered is sent again, more than once when the pause came meanwhile; what was answered is not.
  expect(resent).toBeGreaterThanOrEqual(2)
  expect(repeated).toBe(0)
})

it('An import that stopped resumes for its own company only', async () => {
  let company = 'acme'
  let requests = 0
  const { page } = await openImport(async (page) => {
    await page.route('**/keys/self', async (route) => {
      const { data } = (await (await route.fetch()).json()) as { data: object }
      await route.fulfill({
        json: { success: true, data: { ...data, company: { id: company } }, error: null },
      })
    })
    await page.route('**/leads/bulk?*onInvalid=skip', (route) => {
      if (++requests > 1) return route.fulfill({ status: 400, json: { error: 'Not now' } })
      const { leads } = JSON.parse(route.request().postData() ?? '') as { leads: object[] }
      const results = leads.map((_, index) => ({ index, status: 'created', leadId: 'x' }))
      return route.fulfill({ json: { success: true, data: { results }, error: null } })
    })
  })
  const text = Array.from({ length: 1500 }, (_, row) => `+1${4_152_000_000 + row}\n`).join('')
  await pick(page, 'shared.csv', `phone\n${text}`)
  await chooseClock(page)
  await page.getByRole('button', { name: 'Import 1,500 leads' }).click()
  await page.getByText('Not now').waitFor()
  for (const [next, button] of [
    ['umbra', 'Import 1,500 leads'],
    ['acme', 'Resume with 500 rows'],
  ] as const) {
    company = next
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, (await server.addKey('manage')).key)
    await goTo(page, 'Import')
    await pick(page, 'shared.csv', `phone\n${text}`)
    await page.getByRole('button', { name: button }).waitFor()
  }
})
