// The page of the API in a real browser, as people use it: in wide and narrow windows, light and dark, by the pointer
// and by the keyboard alone. Leaves screenshots in dist/screenshots to look at.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../docs/server.ts'
import { barriersOf, openPage, overflowOf, type WatchedPage } from './browser.ts'
import { browser, server } from './started.ts'

const widths = [320, 390, 1440, 2560]
const narrow = 860

async function openDocs(width = 1440, colorScheme: 'light' | 'dark' = 'light', path = '/docs') {
  const viewport = { width, height: 900 }
  const opened = await openPage(browser, server.base, { viewport, colorScheme })
  await opened.page.goto(server.base + path)
  return opened
}

async function close({ page, complaints, strays }: WatchedPage): Promise<void> {
  expect(complaints).toEqual([])
  expect(strays).toEqual([])
  await page.context().close()
}

const screenshot = (page: Page, name: string) =>
  page.screenshot({ path: join(projectDir, `dist/screenshots/docs-${name}.png`) })

const allOpen = (page: Page) =>
  page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")

describe.each(widths.flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const]))(
  'The page of the API, %i px wide and %s',
  (width, scheme) => {
    it('The page fits, and has no barrier, with an operation opened and with everything opened', async () => {
      const opened = await openDocs(width, scheme)
      const { page } = opened
      await screenshot(page, `${scheme}-${width}-top`)
      expect(await overflowOf(page)).toBe(0)

      if (width < narrow) {
        await page.evaluate('scrollTo(0, 5000)')
        await page.getByRole('button', { name: 'Contents' }).click()
        // Below the head, and in sight.
        const search = await page.getByRole('searchbox').boundingBox()
        expect(search?.y).toBeGreaterThan(57)
        expect(search?.y).toBeLessThan(200)
        await screenshot(page, `${scheme}-${width}-contents`)
      }
      await page.getByRole('navigation').getByRole('link', { name: 'Create a lead' }).click()
      await page.locator('#createLead .try > summary').click()
      await screenshot(page, `${scheme}-${width}-operation`)
      expect(await overflowOf(page)).toBe(0)
      expect(await barriersOf(page)).toEqual([])

      await allOpen(page)
      expect(await overflowOf(page)).toBe(0)
      expect(await barriersOf(page)).toEqual([])
      await close(opened)
    })
  },
)

it.each([1440, 390])(
  'The page of the API creates a lead for real, lists it, and reads it by its id, %i px wide',
  async (width) => {
    const opened = await openDocs(width)
    const { page } = opened
    const phoneNumber = `+1415555${String(width).padStart(4, '0')}`
    const send = async (operationId: string) => {
      await page.goto(`${server.base}/docs#${operationId}`)
      const part = page.locator(`#${operationId} .try`)
      await part.locator('> summary').click()
      return part
    }

    const create = await send('createLead')
    await create.getByLabel('API key').fill(server.keys.write)
    await create.getByLabel('Body').fill(JSON.stringify({ campaignId: 'demo', phoneNumber }))
    await create.getByRole('button', { name: 'Send' }).click()
    const status = create.getByText(/^POST \/api\/v1\/leads: 201 in \d+ ms$/)
    await status.waitFor()
    await expect.poll(async () => (await status.boundingBox())?.y).toBeLessThan(900)
    await screenshot(page, `${width}-created`)
    expect(await overflowOf(page)).toBe(0)

    const list = await send('listLeads')
    await list.getByLabel('phoneNumber').fill(phoneNumber)
    await list.getByRole('button', { name: 'Send' }).click()
    await list.locator('.answer').getByText(phoneNumber).waitFor()

    const read = await send('getLead')
    await read.getByRole('button', { name: 'Send' }).click()
    await read.locator('.answer').getByText(phoneNumber).waitFor()
    await read.getByText('Headers').click()
    await read.getByText('x-ratelimit-remaining').waitFor()
    await close(opened)
  },
)

it('The page of the API keeps the key in the tab, and nowhere else', async () => {
  const opened = await openDocs(1440, 'light', '/docs#createLead')
  const { page } = opened
  await page.locator('#createLead .try > summary').click()
  await page.locator('#createLead').getByLabel('API key').fill(server.keys.read)
  await page.reload()
  const second = await page.context().newPage()
  await second.goto(`${server.base}/docs`)
  const values = (one: Page) =>
    one.evaluate("[...new Set([...document.querySelectorAll('.key')].map((input) => input.value))]")
  expect([await values(page), await values(second)]).toEqual([[server.keys.read], ['']])
  expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}')
  await close(opened)
})

it('The page of the API is used by the keyboard alone: found, opened, filled in, sent', async () => {
  const opened = await openDocs()
  const { page } = opened
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = () =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()')

  await press('Tab')
  expect(await focused()).toBe('Skip to content')
  await press('/')
  await page.keyboard.type('availability without')
  await press('Enter')
  await page.waitForURL('**/docs#checkHealthBriefly')
  expect(await page.locator('#checkHealthBriefly').getAttribute('open')).not.toBeNull()

  await press('/')
  await page.keyboard.type(' xylophone glockenspiel')
  await page.getByText('Nothing found').waitFor()
  await press('Escape')
  await page.locator('#checkHealth > summary').focus()
  await press('Enter')
  for (let stops = 0; (await focused()) !== 'Try it' && stops < 40; stops++) await press('Tab')
  await press('Enter', 'Tab')
  expect(await focused()).toBe('checkHealth-X-Request-Id')
  await page.keyboard.type('by-keyboard')
  await press('Enter')
  await page.getByText(/^GET \/api\/health: 200/).waitFor()
  await close(opened)
})

it('The page of the API searches the words of operations and of the guide', async () => {
  const opened = await openDocs()
  const { page } = opened
  const shown = async () =>
    (await page.locator('nav li:visible a').allInnerTexts()).map((text) => text.replaceAll('\n', ' '))
  const all = (await shown()).length
  await page.getByRole('searchbox').fill('outside_hours')
  await expect.poll(async () => (await shown()).length).toBeLessThan(all / 2)
  expect(await shown()).toContain('GET Explain why a lead is not called')
  await page.getByRole('searchbox').fill('whole campaign streamed')
  await expect.poll(shown).toContain('Paging')
  await page.getByRole('searchbox').fill('')
  await expect.poll(async () => (await shown()).length).toBe(all)
  await close(opened)
})

it('The page of the API finds an operation first by its name, its id and its path, whatever else mentions it', async () => {
  const opened = await openDocs()
  const { page } = opened
  const first = async (text: string) => {
    await page.getByRole('searchbox').fill(text)
    return async () => (await page.locator('nav li:visible a').first().innerText()).replaceAll('\n', ' ')
  }
  await expect.poll(await first('create a lead')).toBe('POST Create a lead')
  await expect.poll(await first('/api/v1/calls/claim')).toMatch(/^POST Claim/)
  await expect.poll(await first('listLeads')).toBe('GET List the leads of a campaign')
  await expect.poll(await first('create a lead')).toBe('POST Create a lead')
  await expect.poll(await first('get /api/v1/leads')).toBe('GET List the leads of a campaign')
  await close(opened)
})

it('Ranks titles first, and shows a line around each hit', async () => {
  const opened = await openDocs()
  const { page } = opened
  await page.getByRole('searchbox').fill('webhook')
  await page.locator('#results a').first().waitFor()
  const titles = (await page.locator('#results a').allInnerTexts()).map((text) => /webhook/i.test(text))
  expect(titles.indexOf(false)).toBeGreaterThan(3)
  expect(titles.lastIndexOf(true)).toBeLessThan(titles.indexOf(false))
  await page.getByRole('searchbox').fill('outside_hours')
  await page.locator('#results a', { hasText: 'Explain why a lead' }).waitFor()
  for (const line of await page.locator('#results p').allInnerTexts()) expect(line).toContain('outside_hours')
  await close(opened)
})

describe.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('The guides, %i px wide and %s', (width, scheme) => {
  it('The search finds a guide, which fits, has no barrier and searches, too', async () => {
    const opened = await openDocs(width, scheme)
    const { page } = opened
    const search = async (text: string) => {
      await page.keyboard.press('/')
      await page.keyboard.type(text)
      await page.locator('#results a').first().waitFor()
    }
    await search('vapi')
    await screenshot(page, `${scheme}-${width}-search`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.base}/docs/connect/vapi`)
    await screenshot(page, `${scheme}-${width}-guide`)
    expect(await overflowOf(page)).toBe(0)
    expect(await barriersOf(page)).toEqual([])
    expect(await page.getByText(`curl -X PUT ${server.base}/api/v1/campaigns`).isVisible()).toBe(true)

    await page.goto(`${server.base}/docs/connect`)
    await screenshot(page, `${scheme}-${width}-guides`)
    expect(await overflowOf(page)).toBe(0)
    expect(await barriersOf(page)).toEqual([])
    await search('create a lead')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.base}/docs#createLead`)
    await page.locator('#createLead .try').waitFor()
    await close(opened)
  })
})

it('A page whose search cannot be loaded says so, and searches when it can', async () => {
  const opened = await openDocs(1440, 'light', '/docs/connect')
  const { page } = opened
  await page.route('**/docs/search.json', (route) => route.fulfill({ status: 503, body: '' }))
  await page.getByRole('searchbox').fill('vapi')
  await page.getByText('The search could not be loaded. Try again.').waitFor()
  await page.unroute('**/docs/search.json')
  await page.getByRole('searchbox').fill('vap')
  await page.locator('#results a', { hasText: 'Vapi' }).first().waitFor()
  // The browser itself complains about the 503, and nothing else.
  expect(opened.complaints[0]).toContain('503')
  for (const complaint of opened.complaints) expect(complaint).toMatch(/503|search\.json/)
  await page.context().close()
})

it.each([1440, 390])(
  'The page of the API leaves the search by Escape, to where one was, %i px wide',
  async (width) => {
    const opened = await openDocs(width)
    const { page } = opened
    const was =
      width < narrow ? page.getByRole('button', { name: 'Contents' }) : page.locator('#checkHealth > summary')
    await was.focus()
    await page.keyboard.press('/')
    await page.keyboard.type('claim')
    await page.keyboard.press('Escape')
    expect(await was.evaluate((one) => one.matches(':focus'))).toBe(true)
    expect(await page.locator('#results').isVisible()).toBe(false)
    expect(await page.getByRole('searchbox').isVisible()).toBe(width >= narrow)
    await close(opened)
  },
)

it('The page of the API shows a sample in each language, of this very origin, and stays with the one chosen', async () => {
  const opened = await openDocs(1440, 'light', '/docs#createLead')
  const { page } = opened
  const sample = () => page.locator('#createLead .sample:visible').innerText()
  const names = { curl: 'curl -X POST', TypeScript: 'client.leads.create(', Python: 'requests.post(' }
  for (const [name, start] of Object.entries(names)) {
    await page.locator('#createLead').getByRole('button', { name, exact: true }).click()
    expect(await sample()).toContain(start)
    expect(await sample()).toContain(server.base)
  }
  await page.reload()
  expect(await sample()).toContain(names.Python)
  await close(opened)
})

it('The page of the API has a long list of members once, and shows it at every operation that has it', async () => {
  const opened = await openDocs(1440, 'light', '/docs#claimCalls')
  const { page } = opened
  const namesIn = (operationId: string, part = '') =>
    page.locator(`#${operationId} ${part} > .fields > li > .field > code`).allInnerTexts()
  await page.locator('#getCampaign > summary').click()
  await expect.poll(() => namesIn('getCampaign', '.columns > div')).toContain('paused')
  // Members of members, too, as if they had been there.
  const membersOf = (name: string) =>
    page.locator('#claimCalls .members > summary', { hasText: new RegExp(`^Members of ${name}$`) })
  expect(await page.locator('#claimCalls .same').count()).toBeGreaterThan(0)
  await membersOf('calls').click()
  await membersOf('lead').click()
  const ofLead = page.locator('#claimCalls .members .members > .fields > li > .field > code')
  await expect.poll(() => ofLead.allInnerTexts()).toContain('phoneNumber')
  expect(await page.locator('#claimCalls .same:visible').count()).toBe(0)
  const ids = await page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
  expect(ids).toHaveLength(new Set(ids as string[]).size)
  await close(opened)
})

it('The page of the API reads without scripts', async () => {
  const opened = await openPage(browser, server.base, { javaScriptEnabled: false })
  await opened.page.goto(`${server.base}/docs`)
  await opened.page.locator('#createLead > summary').click()
  await opened.page
    .locator('#createLead .sample', { hasText: 'curl -X POST https://leads.example.com' })
    .waitFor()
  expect(await opened.page.getByText('Try it').first().isVisible()).toBe(false)
  // The address opens what it names all the same.
  const sample = opened.page.locator('#listLeads .sample', { hasText: 'curl' })
  expect(await sample.isVisible()).toBe(false)
  await opened.page.goto(`${server.base}/docs#listLeads`)
  await sample.waitFor()
  // So does a link to members that another operation has, too.
  await opened.page.goto(`${server.base}/docs#getCampaign`)
  await opened.page.locator('#getCampaign .same a').first().click()
  await opened.page.locator('#createCampaign').getByText('Response 201').first().waitFor()
  await close(opened)
})
