import { beforeAll, describe, expect, it, vi } from 'vitest'
import { expectFit, hasFocus, press, takePicture } from './console-page.ts'
import {
  addManyLeads,
  find,
  hostile,
  numberOf,
  numbersIn,
  ofZoe,
  open,
  openLeads,
  searchBox,
} from './many-leads.ts'
import { api, openConsole, server } from './started.ts'

const zoe = '+4917612345678'

beforeAll(async () => {
  await addManyLeads()
  await api('PATCH', '/campaigns/demo', { timeZone: 'Europe/Berlin' })
  const lead = { campaignId: 'demo', phoneNumber: zoe, externalId: 'CRM-7', metadata: ofZoe }
  await api('POST', '/leads', lead)
  const found = async () => (await api<{ leads: object[] }>('GET', '/leads/search?q=zoe')).data.leads.length
  await vi.waitFor(async () => expect(await found()).toBe(2), { timeout: 20_000, interval: 500 })
})

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
})

it('Pages of leads are turned by keyboard alone, newest first, and stay after a lead was open', async () => {
  const all = Array.from({ length: 120 }, (_, index) => numberOf(119 - index))
  const { page } = await open()
  await openLeads(page, 'spring')
  await page.getByText(/^1 to 50 of [0-9,]+, newest first./).waitFor()
  const next = page.getByRole('button', { name: 'Next' })
  await next.press('Enter')
  await page.getByText('51 to 100 of 121, newest first.').waitFor()
  await hasFocus(next)
  expect(await numbersIn(page)).toEqual(all.slice(50, 100))
  await page.getByRole('link', { name: all[60] ?? '' }).press('Enter')
  await page.getByRole('heading', { name: all[60] ?? '' }).waitFor()
  await page.goBack()
  await hasFocus(page.getByRole('link', { name: all[60] ?? '' }))
  expect(await numbersIn(page)).toEqual(all.slice(50, 100))
  await next.press('Enter')
  await page.getByText('101 to 121 of 121, newest first.').waitFor()
  expect(await next.getAttribute('aria-disabled')).toBe('true')
  const previous = page.getByRole('button', { name: 'Previous' })
  await previous.press('Enter')
  await page.getByText('51 to 100 of 121, newest first.').waitFor()
  await previous.press('Enter')
  await page.getByText(/^1 to 50 of [0-9,]+, newest first./).waitFor()
  expect(await numbersIn(page)).toEqual(all.slice(0, 50))
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
})

it('A key that reads selects nothing, one of a campaign finds its own leads, an agent opens one', async () => {
  const keyOf = async (scope: string, campaignId?: string) => {
    const { data } = await api<{ key: string }>('POST', '/keys', { name: scope, scope, campaignId })
    return data.key
  }
  const reading = await openConsole(await keyOf('read'))
  await reading.page.getByRole('link', { name: 'Find leads' }).click()
  await find(reading.page, 'zoe')
  await reading.page.getByText('2 leads').waitFor()
  expect(await reading.page.getByRole('checkbox').count()).toBe(0)
  await reading.page.getByRole('link', { name: zoe }).click()
  await reading.page.getByText('Received').first().waitFor()
  expect(await reading.page.getByRole('button', { name: /Call|Change|Erase|Do not/ }).count()).toBe(0)

  const own = await openConsole(await keyOf('manage', 'spring'))
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

  const agent = await openConsole(await keyOf('agent', 'spring'))
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
    },
  )
})
