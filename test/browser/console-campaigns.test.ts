// The campaigns of a company in the console: an empty company is led to its first call, campaigns are listed, created
// and archived, and Home opens what there is. By keyboard alone where it says so.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { makeKey } from '../../src/base/access/api-key.ts'
import type { Scope } from '../../src/base/access/scope.ts'
import { createCompany, createKey } from '../support/companies/administration.ts'
import { workbook } from '../support/leads/workbook.ts'
import { expectFit, hasFocus, look as lookAt, pressKey, tabTo, takePicture } from './console-page.ts'
import { askApi, openConsole, pick, server } from './started.ts'

const callingHours = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
)

let companies = 0

/** A company without campaigns and its manager's key. */
async function emptyCompany() {
  const companyId = `empty-${++companies}`
  await createCompany(server.db, { id: companyId, name: 'Acme', createdAtMs: Date.now() })
  const addKey = async (scope: Scope, campaignId: string | null = null) => {
    const { key, material } = makeKey()
    const rights = { companyId, campaignId, scope, name: 'Console' } as const
    await createKey(server.db, { ...material, ...rights, expiresAtMs: null, nowMs: Date.now() })
    return key
  }
  const key = await addKey('manage')
  const api = <Data>(method: string, path: string, body?: unknown, by = key) =>
    askApi<Data>(by, method, path, body)
  const addCampaigns = async (count: number) => {
    for (let i = 1; i <= count; i++)
      await api('POST', '/campaigns', { id: `campaign-${i}`, name: `Campaign ${i}`, timeZone: 'UTC' })
  }
  return { key, api, addKey, addCampaigns }
}

/** A browser reports the 404 that says that there is no dialer. */
const faultsIn = (complaints: readonly string[]) =>
  complaints.filter((text) => !text.includes('status of 404'))

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name, exact: true })

async function fill(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** From above, and as narrow as windows are. */
async function look(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, 0)')
  await lookAt(page, `campaigns-${name}`, 320)
}

it('A manager gets from an empty company and a spreadsheet to a phone that rings and a start, by keyboard alone', async () => {
  const { key, api } = await emptyCompany()
  const { page, complaints, strays } = await openConsole(key)
  await page.getByText('0 of 5 done').waitFor()
  await look(page, 'empty')

  await pressKey(page, button(page, 'Create campaign'))
  for (const problem of [
    'Enter a name',
    'Enter an id, such as spring-2027',
    'Choose a time zone from the list',
  ])
    await page.getByText(problem, { exact: true }).waitFor()
  await fill(page, page.getByLabel('Name', { exact: true }), 'Frühling 2027')
  expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('fruhling-2027')
  await fill(page, page.getByRole('combobox', { name: 'Time zone' }), 'europe/berlin')
  for (const day of ['Sat', 'Sun']) await pressKey(page, button(page, day), 'Space')
  await fill(page, page.getByRole('textbox', { name: 'Calling hours: Every day' }), '0-24')
  await page.getByText('Appointments and callbacks: every day 08:00 to 21:00').waitFor()
  await pressKey(page, page.getByLabel('only within calling hours'), 'Space')
  await look(page, 'create')
  await pressKey(page, button(page, 'Create campaign'))
  await page.getByRole('heading', { level: 1, name: 'Frühling 2027' }).waitFor()
  expect(page.url()).toMatch(/#\/fruhling-2027\/overview$/)
  type Hours = Record<string, unknown>
  const { data: campaign } = await api<{ timeZone: string; callingHours: Hours; appointmentHours: Hours }>(
    'GET',
    '/campaigns/fruhling-2027',
  )
  expect(campaign.timeZone).toBe('Europe/Berlin')
  expect(campaign.callingHours).toMatchObject({ mon: [['00:00', '24:00']], sun: [['00:00', '24:00']] })
  expect(campaign.appointmentHours).toEqual(campaign.callingHours)

  // What a program needs is folded.
  await page.getByText('1 of 5 done').waitFor()
  expect(
    await page
      .getByText(/^curl /)
      .first()
      .isVisible(),
  ).toBe(false)
  await look(page, 'bring-leads')
  await pressKey(page, main(page).getByRole('link', { name: 'Import a file' }))
  const rows = [
    ['Name', 'Telefon'],
    ['Ada', '+493012345601'],
    ['Grace', '+493012345602'],
  ]
  await pick(page, 'kontakte.xlsx', Buffer.from(await workbook([{ name: 'Kontakte', rows }])))
  await pressKey(page, button(page, 'Import 2 new leads'))
  await page.getByText('Done.').waitFor()
  await pressKey(page, page.getByRole('link', { name: 'Overview', exact: true }))

  const steps = main(page).locator('.step')
  // The next one to do opens by itself.
  await pressKey(
    page,
    steps.filter({ hasText: 'Dial or connect' }).getByRole('link', { name: 'Let the service dial' }),
  )
  await pressKey(page, page.getByRole('radio', { name: 'Your own agents' }), 'ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('radio', { name: 'Pretend calls' }).and(page.locator(':checked')).waitFor()
  await page.getByText('It calls 2 leads at once.').waitFor()
  await look(page, 'dialer')
  await pressKey(page, page.getByLabel('On: call leads'), 'Space')
  await pressKey(page, button(page, 'Save'))
  await page.getByText('Off: it starts no calls').waitFor()

  await fill(page, page.getByLabel('Your number'), '+493012345600')
  await page.keyboard.press('Enter')
  await page.getByText('This rings now.').waitFor()
  await page.getByText(/^Ended: /).waitFor({ timeout: 60_000 })
  await pressKey(page, page.locator('summary', { hasText: 'Requests and answers' }))
  await page.getByText('POST https://pretend.invalid/calls').waitFor()
  for (const text of await page.locator('.exchange').allTextContents())
    expect(text).not.toContain('493012345600')
  await look(page, 'phone')

  await pressKey(page, page.getByLabel('On: call leads'), 'Space')
  await pressKey(page, button(page, 'Save and start: 2 leads can be called now'))
  await page.getByText('Saved.', { exact: true }).waitFor()
  await pressKey(page, page.getByRole('link', { name: 'Overview', exact: true }))
  await page.locator('.head .state').waitFor()
  await expect
    .poll(() => page.locator('.head .state').textContent(), { timeout: 30_000 })
    .not.toContain('ready')
  expect(strays).toEqual([])
  expect(faultsIn(complaints)).toEqual([])
})

it('The first steps have what a program needs for developers, and are ticked by what the API says', async () => {
  const { key, api } = await emptyCompany()
  await api('POST', '/campaigns', { id: 'spring', name: 'Spring', timeZone: 'UTC', callingHours })
  const { page } = await openConsole(key)
  const step = (title: string) => main(page).locator('.step').filter({ hasText: title })
  const developers = (title: string) => step(title).locator('summary', { hasText: 'For developers' })
  await pressKey(page, developers('Import a file or make a source'))
  await pressKey(page, step('Import a file').getByRole('button', { name: 'Create key' }))
  await step('Import a file').locator('.secret').waitFor()
  await look(page, 'key-shown')
  const writeKey = (await page.locator('.secret').textContent()) ?? ''
  await pressKey(page, button(page, 'Done'))
  const command = page.getByText(/^curl /)
  expect(await command.textContent()).toContain(`${server.base}/api/v1/leads`)
  expect(await command.textContent()).toContain(writeKey)
  const { stdout } = await promisify(execFile)('sh', ['-c', (await command.textContent()) ?? ''])
  expect(JSON.parse(stdout)).toMatchObject({ success: true })
  await pressKey(page, step('Import a file').getByRole('button', { name: 'Check now' }))
  await page.getByText('2 of 5 done').waitFor()
  await page.getByText('Leads are ready, and no agent is calling').first().waitFor()
  await pressKey(page, developers('Dial or connect'))
  await pressKey(page, step('Dial or connect').getByRole('button', { name: 'Create key' }))
  const agentKey = (await page.locator('.secret').textContent()) ?? ''
  await page.getByText('agent pretend --campaign').waitFor()
  expect(await page.getByText('agent pretend --campaign').textContent()).toContain(agentKey)
  await pressKey(page, button(page, 'Done'))
  const { data } = await api<{ calls: unknown[] }>('POST', '/calls/claim', { campaignId: 'spring' }, agentKey)
  expect(data.calls).toHaveLength(1)
  await pressKey(page, step('Dial or connect').getByRole('button', { name: 'Check now' }))
  await page.getByText('5 of 5 done').waitFor()
  await look(page, 'done')
  await pressKey(page, button(page, 'Show the overview'))
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
})

it('The first steps of who may not manage are to import a file, and whom to ask for the rest', async () => {
  const { api, addKey } = await emptyCompany()
  await api('POST', '/campaigns', { id: 'spring', name: 'Spring', timeZone: 'UTC', callingHours })
  const { page } = await openConsole(await addKey('write'))
  await main(page).getByRole('link', { name: 'Import a file' }).waitFor()
  expect(await main(page).getByRole('link', { name: 'make a source' }).count()).toBe(0)
  for (const what of ['say who calls', 'call a phone as a test', 'start the dialer'])
    expect(await page.getByText(`You cannot ${what}. Ask somebody at Acme`).count()).toBe(1)
})

const tones = { good: 'green', calm: 'grey', wait: 'amber', act: 'red' } as const

it.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('Each state of a campaign has its colour: %d px, %s', async (width, colorScheme) => {
  const { key, api } = await emptyCompany()
  const closed = Object.fromEntries(Object.keys(callingHours).map((day) => [day, []]))
  const states: readonly (readonly [string, keyof typeof tones, object, leads: number, dialer?: object])[] = [
    ['Calling', 'good', {}, 2],
    ['Dialling at its pace', 'good', { callsPerMinute: 1 }, 3, { preset: 'pretend' }],
    ['Paused', 'calm', { paused: true }, 1],
    ['Closed', 'calm', { callingHours: closed, appointmentHours: closed }, 1],
    ['Empty', 'calm', {}, 0],
    ['Uncalled', 'act', {}, 1],
    ['Not set up', 'act', { timeZone: null }, 1],
    ['Held', 'act', { requireConsent: { purpose: 'calls' } }, 1],
  ]
  for (const [index, [name, , settings, leads, dialer]] of states.entries()) {
    const id = `state-${index}`
    await api('POST', '/campaigns', { id, name, timeZone: 'Europe/Berlin', callingHours })
    await api('PATCH', `/campaigns/${id}`, settings)
    for (let lead = 0; lead < leads; lead++)
      await api('POST', '/leads', {
        campaignId: id,
        phoneNumber: `+141555${index}01${String(lead).padStart(2, '0')}`,
      })
    if (dialer !== undefined) await api('PUT', `/campaigns/${id}/dialer`, dialer)
  }
  await api('POST', '/calls/claim', { campaignId: 'state-0' })
  await api('POST', '/calls/claim', { campaignId: 'state-7' })
  const { page } = await openConsole(key)
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  const colourOf = async (name: string) => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    return page.evaluate(`getComputedStyle([...document.querySelectorAll('.campaigns tbody tr')]
      .find((row) => row.querySelector('th').textContent === '${name}').querySelector('.dot')).backgroundColor`)
  }
  const variable = (name: string) =>
    page.evaluate(`(() => { const one = document.createElement('i'); one.style.color = 'var(--${name})';
      document.body.append(one); const { color } = getComputedStyle(one); one.remove(); return color })()`)
  const colours = { good: 'good', calm: 'grey-2', wait: 'wait', act: 'act' }
  await row('Calling').waitFor()
  for (const [name, tone] of states)
    await expect
      .poll(async () => [name, tones[tone], await colourOf(name)], { timeout: 30_000 })
      .toEqual([name, tones[tone], await variable(colours[tone])])
  // One line each.
  const heights = await page
    .locator('.campaigns tbody tr')
    .evaluateAll((all) => all.map((one) => one.clientHeight))
  expect(Math.max(...heights)).toBeLessThanOrEqual(40)
  await expectFit(page, `states at ${width}, ${colorScheme}`)
  await takePicture(page, `states-${width}-${colorScheme}`)
  await page.evaluate(`location.hash = '#/state-1/overview'`)
  await page.locator('.head .state.good').waitFor()
  await takePicture(page, `state-at-its-pace-${width}-${colorScheme}`)
})

it('An empty company says whom to ask to a key that may not create campaigns', async () => {
  const { addKey } = await emptyCompany()
  for (const scope of ['read', 'write', 'agent'] as const) {
    const { page } = await openConsole(await addKey(scope))
    await page.getByText('You cannot create a campaign. Ask somebody at Acme').waitFor()
    expect(await button(page, 'Create campaign').count()).toBe(0)
    await page.close()
  }
})

it('A new campaign says beside the id that another campaign has it, and beside the hours that they are wrong', async () => {
  const { key, addCampaigns } = await emptyCompany()
  await addCampaigns(2)
  const { page } = await openConsole(key)
  await button(page, 'Create a campaign').click()
  await page.getByLabel('Name', { exact: true }).fill('Campaign 1')
  const hours = page.getByRole('textbox', { name: 'Calling hours: Mon to Fri' })
  await hours.fill('18:00-17:00')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await zone.fill('Europe/Berlin')
  expect(await zone.inputValue()).toBe('Europe/Berlin')
  await button(page, 'Create campaign').click()
  await page.getByText('Write hours as 09:00-12:30').waitFor()
  await hasFocus(hours)
  await hours.fill('8:30-17')
  await button(page, 'Create campaign').click()
  await page.getByText('Another campaign has this id. Choose another one').waitFor()
  await expectFit(page, 'a taken id')
  await page.getByRole('link', { name: 'Find leads' }).click()
  await page.getByRole('group', { name: 'You have unsaved changes.' }).waitFor()
  await button(page, 'Stay').click()
  await page.getByLabel('Id', { exact: true }).fill('another')
  await button(page, 'Create campaign').click()
  await page.getByRole('heading', { level: 1, name: 'Campaign 1' }).waitFor()
  expect(page.url()).toMatch(/#\/another\/overview$/)
})

it('The list of campaigns shows the state, the queue and the activity of each, with one request a minute', async () => {
  const { key, api, addCampaigns } = await emptyCompany()
  await addCampaigns(4)
  for (const id of ['campaign-1', 'campaign-2']) {
    await api('PATCH', `/campaigns/${id}`, { callingHours })
    for (const last of [1, 2])
      await api('POST', '/leads', { campaignId: id, phoneNumber: `+1415555018${last}` })
  }
  await api('POST', '/calls/claim', { campaignId: 'campaign-1' })
  await api('PATCH', '/campaigns/campaign-3', { paused: true })
  await api('PATCH', '/campaigns/campaign-4', { timeZone: null })
  const asked: string[] = []
  const { page } = await openConsole(key, {
    prepare: async (one) => {
      await one.clock.install()
      one.on('request', (request) => request.url().includes('/api/') && asked.push(request.url()))
    },
  })
  const rows = page.getByRole('table').locator('tbody tr')
  await rows.first().waitFor()
  const texts = await rows.allTextContents()
  const headers = ['Name', 'State', 'Queue', 'Agents waiting', 'Leads today', 'Calls today', 'Answered today']
  expect((await page.getByRole('columnheader').allTextContents()).slice(0, -1)).toEqual(headers)
  // Queue, agents waiting, leads, calls and answers of today.
  expect(texts[0]).toMatch(/Campaign 1.*being called10210⋯/)
  expect(texts[1]).toMatch(/Campaign 2.*no agent is calling20200⋯/)
  expect(texts[2]).toMatch(/Campaign 3.*Paused/)
  expect(texts[3]).toMatch(/Campaign 4.*Not set up/)
  asked.length = 0
  await page.clock.fastForward(55_000)
  expect(asked).toEqual([])
  await page.clock.fastForward(10_000)
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]).toContain('/campaigns?limit=25&include=overview')
  await look(page, 'list')
  await page.getByRole('link', { name: 'Campaign 3' }).click()
  await page.getByRole('heading', { level: 1, name: 'Campaign 3' }).waitFor()
})

it('The list of campaigns has pages', async () => {
  const { key, addCampaigns } = await emptyCompany()
  await addCampaigns(27)
  const { page } = await openConsole(key)
  const rows = page.getByRole('table').locator('tbody tr')
  await page.getByRole('link', { name: 'Campaign 25', exact: true }).waitFor()
  expect(await rows.count()).toBe(25)
  await button(page, 'Next').click()
  await page.getByRole('link', { name: 'Campaign 27', exact: true }).waitFor()
  expect(await rows.count()).toBe(2)
  await button(page, 'Previous').click()
  await page.getByRole('link', { name: 'Campaign 1', exact: true }).waitFor()
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectFit(page, `pages of campaigns at ${width}`)
    await takePicture(page, `campaigns-pages-${width}`)
  }
  // A name on another page is found too.
  await page.getByLabel('Filter by name or id').fill('campaign 2')
  await page.getByRole('link', { name: 'Campaign 27', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Campaign 27' }).waitFor()
})

it('The list of campaigns is filtered by name and state, and sorted by a column, by keyboard alone', async () => {
  const { key, api, addCampaigns } = await emptyCompany()
  await addCampaigns(3)
  await api('PATCH', '/campaigns/campaign-2', { paused: true, name: 'Übersee' })
  await api('PATCH', '/campaigns/campaign-3', { callingHours })
  for (const last of [1, 2])
    await api('POST', '/leads', { campaignId: 'campaign-3', phoneNumber: `+1415555019${last}` })
  const { page } = await openConsole(key)
  const names = page.getByRole('rowheader')
  const shown = (wanted: readonly string[]) => expect.poll(() => names.allTextContents()).toEqual(wanted)
  // Busy ones first.
  await shown(['Campaign 3', 'Campaign 1', 'Übersee'])
  // Numbers begin with the largest, and turn round.
  await pressKey(page, button(page, 'Leads today'))
  await shown(['Campaign 3', 'Campaign 1', 'Übersee'])
  await pressKey(page, button(page, 'Leads today'))
  await shown(['Campaign 1', 'Übersee', 'Campaign 3'])
  await pressKey(page, button(page, 'Name'))
  await shown(['Campaign 1', 'Campaign 3', 'Übersee'])
  expect(await page.locator('th[aria-sort]').allTextContents()).toEqual(['Name'])
  await look(page, 'sorted')
  await fill(page, page.getByLabel('Filter by name or id'), 'übER')
  await shown(['Übersee'])
  await page.getByText('1 of 3 campaigns').waitFor()
  await fill(page, page.getByLabel('Filter by name or id'), 'campaign-2')
  await shown(['Übersee'])
  await fill(page, page.getByLabel('Filter by name or id'), ' ')
  await page.getByLabel('State', { exact: true }).selectOption('Needs attention')
  await shown(['Campaign 3'])
  await page.getByLabel('State', { exact: true }).selectOption('Closed or waiting')
  await shown(['Campaign 1', 'Übersee'])
  await page.getByLabel('State', { exact: true }).selectOption('Calling')
  await page.getByText('No campaign with this filter.').waitFor()
})

it('The list of campaigns shows 25 without scrolling in a window of 1440 by 900', async () => {
  const { key, addCampaigns } = await emptyCompany()
  await addCampaigns(25)
  const { page } = await openConsole(key)
  await page.getByRole('link', { name: 'Campaign 25', exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(960)
  const last = await page.getByRole('link', { name: 'Campaign 25', exact: true }).boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(900)
})

it('The list of campaigns archives a campaign after a question, and restores it', async () => {
  const { key, api, addCampaigns } = await emptyCompany()
  await addCampaigns(2)
  const { page } = await openConsole(key)
  const choose = async (action: string) => {
    await pressKey(page, button(page, 'Actions for Campaign 1'))
    await pressKey(page, button(page, action))
  }
  const archived = async () =>
    (await api<{ archived: boolean }>('GET', '/campaigns/campaign-1')).data.archived
  await choose('Archive…')
  const question = /It starts no calls and refuses new leads. Its leads stay readable/
  await page.getByRole('group', { name: question }).waitFor()
  await look(page, 'archive')
  await pressKey(page, button(page, 'Cancel'))
  expect(await archived()).toBe(false)
  await choose('Archive…')
  await pressKey(page, button(page, 'Archive'))
  await page.getByText('Campaign 1 is archived.').waitFor()
  await page.getByRole('link', { name: 'Campaign 1', exact: true }).waitFor({ state: 'detached' })
  expect(await archived()).toBe(true)

  await page.getByLabel('State', { exact: true }).selectOption('Archived')
  await choose('Restore…')
  await pressKey(page, button(page, 'Restore'))
  await page.getByText('Campaign 1 is restored.').waitFor()
  await page.getByText('No campaign is archived.').waitFor()
  expect(await archived()).toBe(false)
  await look(page, 'no-archive')
})

it('The list of campaigns offers a key that only reads neither creation nor archiving', async () => {
  const { addKey, addCampaigns } = await emptyCompany()
  await addCampaigns(2)
  const { page } = await openConsole(await addKey('read'))
  await page.getByRole('link', { name: 'Campaign 2' }).waitFor()
  expect(await button(page, 'Create a campaign').count()).toBe(0)
  expect(await button(page, /^Actions for /).count()).toBe(0)
})

it('Home is the overview of the only campaign, the list of several, and the own campaign of a key that has one', async () => {
  const { key, addKey, addCampaigns } = await emptyCompany()
  await addCampaigns(1)
  const { page } = await openConsole(key)
  await page.getByRole('heading', { level: 1, name: 'Campaign 1' }).waitFor()
  await page.close()
  await addCampaigns(2)
  const { page: many } = await openConsole(key)
  await many.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  await many.close()
  const { page: own } = await openConsole(await addKey('manage', 'campaign-2'))
  await own.getByRole('heading', { level: 1, name: 'Campaign 2' }).waitFor()
  expect(await own.getByRole('navigation', { name: 'Company' }).getByRole('link').allTextContents()).toEqual([
    'Find leads',
  ])
  await own.evaluate(`location.hash = '#campaigns'`)
  await own.getByRole('heading', { level: 1, name: 'Campaign 2' }).waitFor()
  await expect.poll(() => own.url()).toMatch(/#\/campaign-2\/overview$/)
})

it('Home says that the campaigns cannot be read, and tries again', async () => {
  const { key, addCampaigns } = await emptyCompany()
  await addCampaigns(2)
  let failures = 0
  const { page } = await openConsole(key, {
    prepare: (one) =>
      one.route('**/api/v1/campaigns?limit=2', (route) =>
        ++failures === 1 ? route.fulfill({ status: 500, body: '' }) : route.continue(),
      ),
  })
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  expect(failures).toBe(2)
})
