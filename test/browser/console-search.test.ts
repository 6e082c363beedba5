// Leads in the console: found by each form of a search, listed by pages, selected and requeued, suppressed, erased, and
// exported; and what a key may not do is not shown.
import { readFileSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Server, startServer } from '../docs/server.ts'
import { launchBrowser } from './browser.ts'
import { askApi, expectFit, openConsole, takePicture } from './console-page.ts'

let browser: Browser
let server: Server
let api: <Data>(method: string, path: string, body?: unknown) => Promise<{ status: number; data: Data }>

const zoe = '+4917612345678'
const hostile = '+4917612349999'
const hostileName = '<img src=x onerror="window.hasRun=1">'
/** Not found by their words. */
const numberOf = (index: number) => `+1415555${String(2000 + index)}`

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startServer()
  const { key } = await server.addKey('manage')
  api = (method, path, body) => askApi(server, key, method, path, body)
  await api('POST', '/campaigns', { id: 'spring', name: 'Spring', timeZone: 'Europe/Berlin' })
  await api('PATCH', '/campaigns/demo', { timeZone: 'Europe/Berlin' })
  const lead = { externalId: 'CRM-7', metadata: { name: 'Zoë Müller', email: 'zoe@example.com' } }
  await api('POST', '/leads', {
    campaignId: 'spring',
    phoneNumber: '+4917612340000',
    metadata: lead.metadata,
  })
  await api('POST', '/leads', { campaignId: 'demo', phoneNumber: zoe, ...lead })
  const metadata = { name: hostileName, note: "x;=cmd|' /C calc'!A0", n: 12345678901234567890n }
  await fetch(`${server.base}/api/v1/leads`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body:
      `{"campaignId":"demo","phoneNumber":"${hostile}","externalId":"@sum(1)",` +
      `"metadata":{"name":${JSON.stringify(hostileName)},"note":"${metadata.note}","n":${metadata.n}}}`,
  })
  const leads = Array.from({ length: 120 }, (_, index) => ({ phoneNumber: numberOf(index) }))
  await api('POST', '/leads/bulk', { campaignId: 'spring', leads })
  const found = async () => (await api<{ leads: object[] }>('GET', '/leads/search?q=zoe')).data.leads.length
  await vi.waitFor(async () => expect(await found()).toBe(2), { timeout: 20_000, interval: 500 })
})
afterAll(async () => {
  await browser?.close()
  await server?.harness.close()
})

type Look = Parameters<typeof openConsole>[3]
const open = async (look?: Look) => openConsole(browser, server, (await server.addKey('manage')).key, look)
const openLeads = (page: Page, campaignId: string) => page.evaluate(`location.hash = '#/${campaignId}/leads'`)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const searchBox = (page: Page) => page.getByRole('searchbox')
const numbersIn = (page: Page) => page.getByRole('rowheader').allTextContents()
const hasFocus = (wanted: Locator) =>
  expect.poll(() => wanted.evaluate((one) => one.matches(':focus'))).toBe(true)
async function find(page: Page, text: string): Promise<void> {
  await searchBox(page).fill(text)
  await searchBox(page).press('Enter')
}

it.each(['+49 (176) 1234-5678', '0049 176 12345678', '0176 12345678', '17612345678', 'crm-7'])(
  'A search in a campaign opens the one lead that is named, and keeps the list behind it: %s',
  async (text) => {
    const { page } = await open()
    await openLeads(page, 'demo')
    await page.getByRole('row').filter({ hasText: hostile }).waitFor()
    await find(page, text)
    await page.getByRole('heading', { name: zoe }).waitFor()
    await page.getByText('Zoë Müller').first().waitFor()
    await page.getByRole('link', { name: '← Leads' }).click()
    await hasFocus(page.getByRole('link', { name: zoe }))
    expect([await searchBox(page).inputValue(), await numbersIn(page)]).toEqual([text, [zoe]])
    await page.close()
  },
)

it.each(['5678', 'mül', 'ZOE mul', 'zoe@ex'])(
  'A search in a campaign lists what begins or ends so: %s',
  async (text) => {
    const { page } = await open()
    await openLeads(page, 'demo')
    await page.getByRole('row').filter({ hasText: hostile }).waitFor()
    await find(page, text)
    await page.getByText('1 lead, newest first.').waitFor()
    expect(await numbersIn(page)).toEqual([zoe])
    const row = page.getByRole('row').filter({ hasText: zoe })
    expect((await row.textContent()) ?? '').toMatch(/Zoë Müller.*New.*0/)
    expect(await row.getByTitle('raw').count()).toBe(1)
    // What was typed is in no address and no storage.
    const kept = JSON.stringify(
      await page.evaluate('[location.href, { ...localStorage }, Object.keys(sessionStorage), history.state]'),
    )
    expect(kept).not.toContain(text)
    expect(kept).toContain('["lead-intake-key"]')
    await page.close()
  },
)

it('A search in a campaign is filtered by state and outcome', async () => {
  const phoneNumber = '+4917612341111'
  const created = await api<{ leadId: string }>('POST', '/leads', {
    campaignId: 'demo',
    phoneNumber,
    priority: 100,
  })
  const { data } = await api<{ calls: { callId: string; lead: { _id: string } }[] }>('POST', '/calls/claim', {
    campaignId: 'demo',
  })
  expect(data.calls[0]?.lead._id).toBe(created.data.leadId)
  await api('POST', '/calls/report', { calls: [{ callId: data.calls[0]?.callId, outcome: 'busy' }] })
  const { page } = await open()
  await openLeads(page, 'demo')
  await page.getByRole('link', { name: hostile }).waitFor()
  for (const typed of ['', '1111']) {
    await find(page, typed)
    await page.getByLabel('Status:').selectOption('In progress')
    await page.getByText('1 lead, newest first.').waitFor()
    expect(await numbersIn(page)).toEqual([phoneNumber])
    const cells = await page
      .getByRole('row')
      .filter({ hasText: phoneNumber })
      .getByRole('cell')
      .allTextContents()
    expect(cells.slice(3, 5)).toEqual(['Busy', '1'])
    expect(cells[5]).toMatch(/\d\d:\d\d/)
    await page.getByLabel('Last outcome:').selectOption('Answered')
    await page.getByText(typed === '' ? 'No leads with this filter.' : 'and this filter').waitFor()
    await page.getByLabel('Last outcome:').selectOption('Busy')
    await page.getByText('1 lead, newest first.').waitFor()
    await page.getByLabel('Status:').selectOption('New')
    await page.getByText(typed === '' ? 'No leads with this filter.' : 'and this filter').waitFor()
    await page.getByLabel('Last outcome:').selectOption('')
    await page.getByLabel('Status:').selectOption('')
  }
  await page.close()
})

it('A search in all campaigns names the campaign, opens a lead there, and is as it was on return', async () => {
  const { page } = await open()
  await page.getByRole('link', { name: 'Find leads' }).click()
  await page.getByText('Search by any form of a number').waitFor()
  await find(page, 'zoe')
  await page.getByText('2 leads, newest first.').waitFor()
  expect(await numbersIn(page)).toEqual([zoe, '+4917612340000'])
  const row = page.getByRole('row').filter({ hasText: '+4917612340000' })
  await row.getByRole('cell', { name: 'spring' }).waitFor()
  await row.getByRole('link').press('Enter')
  await page.getByRole('heading', { name: '+4917612340000' }).waitFor()
  expect(page.url()).toMatch(/#\/spring\/leads\/\w+$/)
  await page.getByRole('link', { name: '← Search results' }).press('Enter')
  await hasFocus(page.getByRole('link', { name: '+4917612340000' }))
  expect([await searchBox(page).inputValue(), await numbersIn(page)]).toEqual([
    'zoe',
    [zoe, '+4917612340000'],
  ])
  await page.close()
})

it('A network that recovers fills the list again, and what was found stays while it is away', async () => {
  const { page } = await open()
  await openLeads(page, 'demo')
  await page.getByRole('link', { name: zoe }).click()
  await page.getByText('Received').first().waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: '← Leads' }).click()
  await page.getByText('Cannot reach the service.', { exact: true }).waitFor()
  await page.getByRole('link', { name: zoe }).waitFor()
  await find(page, 'mül')
  await page.getByText('Cannot reach the service.', { exact: true }).waitFor()
  await page.context().setOffline(false)
  // By itself: "Try again" may be gone before it is pressed.
  await page.getByText('1 lead, newest first.').waitFor({ timeout: 60_000 })
  expect(await numbersIn(page)).toEqual([zoe])
  expect(await page.getByText('Cannot reach the service.', { exact: true }).count()).toBe(0)
  await page.close()
})

it('Pages of leads are turned by keyboard alone, newest first, and stay after a lead was open', async () => {
  const all = Array.from({ length: 120 }, (_, index) => numberOf(119 - index))
  const { page } = await open()
  await openLeads(page, 'spring')
  await page.getByText('Leads 1 to 50, newest first.').waitFor()
  const next = page.getByRole('button', { name: 'Next' })
  await next.press('Enter')
  await page.getByText('Leads 51 to 100, newest first.').waitFor()
  await hasFocus(next)
  expect(await numbersIn(page)).toEqual(all.slice(50, 100))
  await page.getByRole('link', { name: all[60] ?? '' }).press('Enter')
  await page.getByRole('heading', { name: all[60] ?? '' }).waitFor()
  await page.goBack()
  await hasFocus(page.getByRole('link', { name: all[60] ?? '' }))
  expect(await numbersIn(page)).toEqual(all.slice(50, 100))
  await next.press('Enter')
  await page.getByText('Leads 101 to 121, newest first.').waitFor()
  expect(await next.getAttribute('aria-disabled')).toBe('true')
  const previous = page.getByRole('button', { name: 'Previous' })
  await previous.press('Enter')
  await page.getByText('Leads 51 to 100, newest first.').waitFor()
  await previous.press('Enter')
  await page.getByText('Leads 1 to 50, newest first.').waitFor()
  expect(await numbersIn(page)).toEqual(all.slice(0, 50))
  await page.close()
})

describe('A selection', () => {
  const statusOf = async (q: string) =>
    (await api<{ leads: { status: string }[] }>('GET', `/leads/search?q=${q}`)).data.leads.map(
      ({ status }) => status,
    )

  it('A selection is requeued, suppressed and erased, and says what failed and why', async () => {
    const leads = Array.from({ length: 4 }, (_, index) => ({
      phoneNumber: `+1212555300${index}`,
      metadata: { name: 'Grace' },
    }))
    await server.addCampaign('chosen')
    await api('POST', '/leads/bulk', { campaignId: 'chosen', leads })
    const claim = { campaignId: 'chosen', limit: 2 }
    type Claimed = { calls: { callId: string; lead: { phoneNumber: string } }[] }
    const { data } = await api<Claimed>('POST', '/calls/claim', claim)
    const [done, open2] = data.calls
    await api('POST', '/calls/report', { calls: [{ callId: done?.callId, outcome: 'answered' }] })
    const { page } = await open()
    const requests: string[] = []
    page.on(
      'request',
      (request) => request.method() !== 'GET' && requests.push(request.url().replace(/.*v1/, '')),
    )
    await openLeads(page, 'chosen')
    await page.getByText('4 leads, newest first.').waitFor()

    await page.getByLabel('Select all on this page').press('Space')
    await page.getByText('4 selected').waitFor()
    await page.getByLabel('Select +12125553003').press('Space')
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Call again' }).press('Enter')
    await page
      .getByText(`2 leads queued again. Not ${open2?.lead.phoneNumber}: it is being called.`)
      .waitFor()
    expect(await statusOf(done?.lead.phoneNumber.slice(1) ?? '')).toEqual(['attempting'])
    expect(await page.getByText('selected').count()).toBe(0)

    await page.getByLabel('Select +12125553003').check()
    await page.getByLabel('Select +12125553002').check()
    await press(page, 'Do not call…')
    const question = page.getByRole('group', { name: 'Add the numbers of 2 leads to the do-not-call list?' })
    await hasFocus(question)
    await question.getByRole('button', { name: 'In all campaigns' }).press('Enter')
    await page
      .getByText('2 numbers added to the do-not-call list of all campaigns, 0 already there.')
      .waitFor()
    const { data: numbers } = await api<{ suppressions: { phoneNumber: string; campaignId: null }[] }>(
      'GET',
      '/suppressions',
    )
    expect(numbers.suppressions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ phoneNumber: '+12125553002', campaignId: null }),
        expect.objectContaining({ phoneNumber: '+12125553003', campaignId: null }),
      ]),
    )

    for (const number of ['+12125553002', '+12125553003']) {
      const said = (await page.getByRole('row', { name: number }).innerText()).match(/do not call|gave up/gi)
      expect(said).toEqual(['Do not call'])
    }
    await page.getByLabel('Select +12125553003').check()
    await page.getByLabel('Select +12125553002').check()
    await page.getByLabel('Select +12125553001').check()
    await press(page, 'Erase…')
    await press(page, 'Erase 3 leads')
    expect(await statusOf('12125553003')).toHaveLength(1)
    await page.route('**/erasures', async (route) => {
      const { leadId } = route.request().postDataJSON() as { leadId: string }
      const isFirst = requests.filter((path) => path === '/erasures').length === 1
      expect(leadId).toMatch(/^\w{36}$/)
      if (isFirst) return route.fulfill({ status: 503, json: { success: false, error: 'Away.' } })
      return route.continue()
    })
    await press(page, 'Erase permanently')
    await page.getByText('2 people erased. Not +12125553003: ').waitFor()
    expect((await numbersIn(page)).toSorted()).toEqual(['+12125553000', '+12125553003'])
    expect(await statusOf('12125553002')).toEqual([])
    expect(requests).toEqual(['/leads/requeue', '/suppressions', '/erasures', '/erasures', '/erasures'])
    await page.close()
  })
})

describe('An export', () => {
  const rowsOf = (text: string) => text.replace('\uFEFF', '').trim().split('\r\n')
  let fileName = ''
  const save = async (page: Page) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')])
    fileName = file.suggestedFilename()
    return rowsOf(readFileSync(await file.path(), 'utf8'))
  }

  it('An export has exactly the leads of the filter, no formula, and every digit', async () => {
    const { page, complaints } = await open()
    await openLeads(page, 'spring')
    await page.getByText('Leads 1 to 50').waitFor()
    const [header, ...rows] = await save(page)
    await page.getByText('121 leads saved.').waitFor()
    expect(header).toMatch(
      /^_id,campaignId,phoneNumber,externalId,status,lastOutcome,dueAt,attempts,.+,timeZone,/,
    )
    expect(fileName).toBe('leads-spring.csv')
    const dueAt = header?.split(',').indexOf('dueAt') ?? -1
    expect(rows.filter((row) => !/^\d{4}-.+T.+Z$/.test(row.split(',')[dueAt] ?? ''))).toEqual([])
    expect(rows.map((row) => row.split(',')[2])).toEqual([
      ...Array.from({ length: 120 }, (_, index) => numberOf(119 - index)),
      '+4917612340000',
    ])
    const { data } = await api<{ events: { type: string }[] }>('GET', '/events?types=leads.exported')
    expect(data.events).toHaveLength(1)

    await page.getByRole('link', { name: 'Find leads' }).click()
    await find(page, '9999')
    await page.getByText('1 lead, newest first.').waitFor()
    await page.getByText(hostileName).waitFor()
    const [found, lead, ...others] = await save(page)
    expect([found?.includes(',lastOutcome,dueAt,'), others, fileName]).toEqual([true, [], 'leads.csv'])
    expect(lead).toContain(`,demo,${hostile},'@sum(1),`)
    expect(lead).toContain('12345678901234567890')
    // A spreadsheet that splits at semicolons runs nothing either.
    expect(lead).toContain(`x;'=cmd|' /C calc'!A0`)
    expect(await page.evaluate('window.hasRun')).toBeUndefined()
    // Chromium reports a stream that was read to its end as aborted.
    expect(complaints.filter((text) => !/leads\?.* net::ERR_ABORTED$/.test(text))).toEqual([])
    await page.close()
  })
})

it('An open lead is called back at a time in its own zone, and now', async () => {
  await server.addCampaign('later')
  const lead = { campaignId: 'later', phoneNumber: '+12125554001', timeZone: 'America/New_York' }
  const { leadId } = (await api<{ leadId: string }>('POST', '/leads', lead)).data
  const scheduled = async () =>
    (await api<{ lead: { scheduledFor?: string } }>('GET', `/leads/${leadId}`)).data.lead.scheduledFor
  const { page, complaints } = await open()
  await page.evaluate(`location.hash = '#/later/leads/${leadId}'`)
  await page.getByText('Can be called now').or(page.getByText('Outside calling hours')).waitFor()
  expect(await page.getByRole('button', { name: 'Call now' }).count()).toBe(0)
  const opener = page.getByRole('button', { name: 'Call back at…' })
  await opener.press('Enter')
  const field = page.getByLabel('Call back at (time in New York)')
  await hasFocus(field)
  await field.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Choose a date and a time.' }).waitFor()
  await field.fill('2030-03-10T02:30')
  await press(page, 'Save')
  await page.getByRole('alert').filter({ hasText: 'The clocks in New York skip this time.' }).waitFor()
  await field.fill('2020-01-15T09:30')
  await press(page, 'Save')
  await page.getByRole('alert').filter({ hasText: 'Choose a time in the future.' }).waitFor()
  expect(await scheduled()).toBeUndefined()
  await field.fill('2030-01-15T09:30')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Call back 15 Jan 2030, 09:30 in New York.' }).waitFor()
  await hasFocus(opener)
  expect(await scheduled()).toBe('2030-01-15T14:30:00.000Z')
  await press(page, 'Call now')
  await page.getByText('Due now').waitFor()
  expect(Date.parse((await scheduled()) ?? '')).toBeLessThan(Date.parse('2030-01-01T00:00:00Z'))
  await page.getByRole('button', { name: 'Call now' }).waitFor({ state: 'detached' })

  await press(page, 'Change')
  const time = page.getByLabel('Scheduled for (time in New York)')
  await time.fill('2030-07-01T18:00')
  await page.getByLabel('Time zone of the person').fill('Berlin')
  await press(page, 'Save')
  await page.getByRole('alert').filter({ hasText: 'Choose a time zone from the list' }).waitFor()
  await page.getByLabel('Time zone of the person').fill('Europe/Berlin')
  await press(page, 'Save')
  await page.getByText('Saved.').waitFor()
  expect(await scheduled()).toBe('2030-07-01T22:00:00.000Z')
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  await page.close()
})

it('What a key may not do is not shown: a key that reads selects nothing, one of a campaign finds its own leads, an agent opens one', async () => {
  const keyOf = async (scope: string, campaignId?: string) => {
    const { data } = await api<{ key: string }>('POST', '/keys', { name: scope, scope, campaignId })
    return data.key
  }
  const reading = await openConsole(browser, server, await keyOf('read'))
  await reading.page.getByRole('link', { name: 'Find leads' }).click()
  await find(reading.page, 'zoe')
  await reading.page.getByText('2 leads').waitFor()
  expect(await reading.page.getByRole('checkbox').count()).toBe(0)
  await reading.page.getByRole('link', { name: zoe }).click()
  await reading.page.getByText('Received').first().waitFor()
  expect(await reading.page.getByRole('button', { name: /Call|Change|Erase|Do not/ }).count()).toBe(0)

  const own = await openConsole(browser, server, await keyOf('manage', 'spring'))
  await own.page.getByRole('link', { name: 'Find leads' }).click()
  await find(own.page, 'zoe')
  await own.page.getByText('1 lead,').waitFor()
  expect(await numbersIn(own.page)).toEqual(['+4917612340000'])
  await own.page.getByLabel('Select +4917612340000').check()
  await press(own.page, 'Do not call…')
  expect(await own.page.getByRole('button', { name: 'In all campaigns' }).count()).toBe(0)
  await press(own.page, 'In this campaign')
  await own.page.getByText('1 number added to the do-not-call list of this campaign').waitFor()
  await api('DELETE', '/suppressions', { phoneNumbers: ['+4917612340000'], campaignId: 'spring' })

  const agent = await openConsole(browser, server, await keyOf('agent', 'spring'))
  expect(await agent.page.getByRole('link', { name: 'Find leads' }).count()).toBe(0)
  await agent.page.evaluate("location.hash = '#search'")
  await agent.page.getByText('Your key may not list leads.').waitFor()
  const { leads } = (await api<{ leads: { _id: string }[] }>('GET', '/leads/search?q=zoe&campaignId=spring'))
    .data
  await agent.page.evaluate(`location.hash = '#/spring/leads/${leads[0]?._id}'`)
  await agent.page.getByRole('heading', { name: '+4917612340000' }).waitFor()
  expect(await agent.page.getByRole('link', { name: '← Leads' }).count()).toBe(0)
  expect(await agent.page.getByRole('button', { name: /Call|Change|Erase|Do not/ }).count()).toBe(0)
  for (const { page, complaints } of [reading, own, agent]) {
    expect(complaints).toEqual([])
    await page.close()
  }
})

describe.each([320, 1440])('Leads %d px wide', (width) => {
  it.each(['light', 'dark'] as const)(
    'Leads fit their window, and axe finds nothing (%s)',
    async (scheme) => {
      const { page, complaints } = await open({ width, scheme })
      const look = async (name: string) => {
        await expectFit(page, name)
        await takePicture(page, `${name}-${width}-${scheme}`)
      }
      await openLeads(page, 'demo')
      await page.getByRole('link', { name: hostile }).waitFor()
      await look('leads')
      await page.getByLabel('Select all on this page').check()
      await press(page, 'Erase…')
      await look('leads-selected')
      await press(page, 'Cancel')
      await page.getByRole('link', { name: zoe }).click()
      await press(page, 'Call back at…')
      await look('lead-call-back')
      await press(page, 'Cancel')
      await press(page, 'Change')
      await look('lead-change')
      await press(page, 'Cancel')
      await page.getByRole('link', { name: 'Find leads' }).click()
      await find(page, 'zoe')
      await page.getByText('2 leads').waitFor()
      await look('search')
      expect(await page.evaluate('window.hasRun')).toBeUndefined()
      expect(complaints).toEqual([])
      await page.close()
    },
  )
})
