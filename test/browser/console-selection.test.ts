// Many leads in the console: a selection that is requeued, suppressed and erased, and an export.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasFocus, press } from './console-page.ts'
import {
  addManyLeads,
  find,
  hostile,
  hostileName,
  numberOf,
  numbersIn,
  open,
  openLeads,
} from './many-leads.ts'
import { api, server } from './started.ts'

beforeAll(async () => {
  await addManyLeads()
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
    await page.getByText(/^1 to 50 of/).waitFor()
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
  })
})
