// What a person does in the console, checked against the API: a lead is found, changed, requeued, suppressed and
// erased; hours are typed; a webhook is created, tested and removed.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { goTo, goToSection, press, takePicture } from './console-page.ts'
import { api, openAs, server } from './started.ts'

const open = async () => (await openAs()).page
const settings = async <Data>() => (await api<Data>('GET', '/campaigns/demo')).data

it('A lead in the console is found, changed as it was read, requeued, suppressed, and erased after two questions', async () => {
  const phoneNumber = '+14155550142'
  const { data } = await api<{ leadId: string }>('POST', '/leads', {
    campaignId: 'demo',
    phoneNumber,
    externalId: 'crm-1',
  })
  const claimed = await api<{ calls: { callId: string }[] }>('POST', '/calls/claim', { campaignId: 'demo' })
  await api('POST', '/calls/report', {
    calls: [{ callId: claimed.data.calls[0]?.callId, outcome: 'answered', durationSeconds: 50 }],
  })
  const read = async () =>
    (await api<{ lead: Record<string, unknown> }>('GET', `/leads/${data.leadId}`)).data?.lead

  const page = await open()
  await goTo(page, 'Leads')
  await page.getByLabel('Phone number or external id').fill('crm-1')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: phoneNumber }).waitFor()
  await page.getByText('The lead is finished; it can be queued again').waitFor()
  // How long the call took, not after which time it was answered.
  await page.getByRole('listitem').filter({ hasText: 'Answered, 0:50' }).waitFor()

  await press(page, 'Change')
  await page.getByLabel('Priority').fill('77')
  // Somebody else is faster: their change is not overwritten.
  await api('PATCH', `/leads/${data.leadId}`, { externalId: 'crm-2' })
  await press(page, 'Save')
  await page.getByRole('alert').filter({ hasText: 'has changed since' }).waitFor()
  await press(page, 'Cancel')
  await page.getByText('crm-2').waitFor()
  await press(page, 'Change')
  await page.getByLabel('Priority').fill('77')
  await press(page, 'Add a field')
  await page.getByLabel('Value of the new field').fill('Ada')
  await press(page, 'Save')
  await page.getByRole('alert').filter({ hasText: 'a name' }).waitFor()
  await page.getByLabel('Name of the new field').fill('name')
  await press(page, 'Save')
  await page.getByRole('button', { name: 'Call again' }).waitFor()
  expect(await read()).toMatchObject({ priority: 77, externalId: 'crm-2' })
  const text = async () => {
    const headers = { 'x-api-key': (await server.addKey('read')).key }
    return (await fetch(`${server.base}/api/v1/leads/${data.leadId}`, { headers })).text()
  }
  expect(await text()).toContain('"metadata":{"name":"Ada"}')
  // A change keeps every digit of the rest.
  const exact = '{"metadata":{"name":"Ada","n":12345678901234567890,"big":1e400}}'
  await fetch(`${server.base}/api/v1/leads/${data.leadId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': server.keys.manage, 'content-type': 'application/json' },
    body: exact,
  })
  await page.reload()
  await press(page, 'Change')
  await page.getByLabel('name', { exact: true }).fill('Bea')
  await press(page, 'Save')
  await page.getByText('Bea').first().waitFor()
  expect(await text()).toContain('"metadata":{"name":"Bea","n":12345678901234567890,"big":1e400}')

  await press(page, 'Call again')
  await page.getByText('Queued again.').waitFor()
  expect((await read())?.status).toBe('attempting')
  await press(page, 'Do not call…')
  await press(page, 'In all campaigns')
  await page.getByText('Added to the do-not-call list.').waitFor()
  const { data: numbers } = await api<{ suppressions: { phoneNumber: string }[] }>('GET', '/suppressions')
  expect(numbers.suppressions.map((one) => one.phoneNumber)).toContain(phoneNumber)

  await press(page, 'Erase…')
  await press(page, 'Erase the person')
  expect((await read())?.phoneNumber).toBe(phoneNumber)
  await press(page, 'Erase permanently')
  const erased = page.getByRole('heading', { name: 'Erased' })
  await erased.waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe(await erased.textContent())
  expect(await page.getByText(phoneNumber).count()).toBe(0)
  expect((await api('GET', `/leads/${data.leadId}`)).status).toBe(404)
})

it('A lead that must not be called says so once, and is taken off the lists of its company and campaign', async () => {
  const phoneNumber = '+14155550144'
  const { data } = await api<{ leadId: string }>('POST', '/leads', { campaignId: 'demo', phoneNumber })
  const claimed = await api<{ calls: { callId: string }[] }>('POST', '/calls/claim', { campaignId: 'demo' })
  const calls = [{ callId: claimed.data.calls[0]?.callId, outcome: 'do_not_call' }]
  await api('POST', '/calls/report', { calls })
  await api('POST', '/suppressions', { phoneNumbers: [phoneNumber], campaignId: 'demo' })
  const page = await open()
  await page.evaluate(`location.hash = '#/demo/leads/${data.leadId}'`)
  const card = page.getByRole('region', { name: phoneNumber })
  const remove = card.getByRole('button', { name: 'Remove from do-not-call…' })
  await remove.waitFor()
  const text = (await card.innerText()).split('Attempts')[0] ?? ''
  expect(text.match(/do not call|do-not-call list|gave up|finished|call again|outside/gi)).toEqual([
    'Do not call',
  ])
  await takePicture(page, 'do-not-call-lead-1440-light')
  await remove.click()
  await press(page, 'Yes, remove it')
  await card.getByRole('status').filter({ hasText: 'Removed. The number can be called again.' }).waitFor()
  await card.getByRole('button', { name: 'Call again' }).waitFor()
  await card.getByText('Gave up').waitFor()
  const { data: numbers } = await api<{ suppressions: { phoneNumber: string }[] }>('GET', '/suppressions')
  expect(numbers.suppressions.map((one) => one.phoneNumber)).not.toContain(phoneNumber)
})

it('A lead that is open is refreshed with every round, and shows its age where that failed', async () => {
  const phoneNumber = '+14155550143'
  const created = await api<{ leadId: string }>('POST', '/leads', { campaignId: 'demo', phoneNumber })
  const { page } = await openAs('manage', {
    prepare: (page) => page.clock.install(),
  })
  await page.evaluate(`location.hash = '#/demo/leads/${created.data.leadId}'`)
  const card = page.getByRole('region', { name: phoneNumber })
  await card.getByText('Attempts').waitFor()
  /** A round costs the key four requests. */
  const roundsUntil = (isSo: () => Promise<boolean>) =>
    expect
      .poll(
        async () => {
          await page.clock.runFor(30_000)
          return isSo()
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe(true)
  const onList = /Remove from do-not-call/
  const shows = (text: RegExp) => async () => text.test((await card.textContent()) ?? '')
  expect(await card.textContent()).not.toMatch(onList)
  await api('POST', '/suppressions', { phoneNumbers: [phoneNumber], campaignId: 'demo' })
  await roundsUntil(shows(onList))

  // An open form stays as it was, while the rest is refreshed.
  await card.getByRole('button', { name: 'Change', exact: true }).click()
  await api('PATCH', `/leads/${created.data.leadId}`, { externalId: 'crm-143' })
  await roundsUntil(shows(/crm-143/))
  expect(await card.getByLabel('External id').inputValue()).toBe('')
  await card.getByRole('button', { name: 'Cancel' }).click()

  await page.route('**/leads/*/calling', (route) => route.fulfill({ status: 503, json: {} }))
  await api('DELETE', '/suppressions', { phoneNumbers: [phoneNumber], campaignId: 'demo' })
  await roundsUntil(shows(/Not refreshed: blockers from \d\d:\d\d in .+Remove from do-not-call/))
  await page.unroute('**/leads/*/calling')
  await roundsUntil(async () => (await card.getByText('Not refreshed').count()) === 0)
  expect(await card.textContent()).not.toMatch(onList)

  await page.route('**/overview?*', (route) => route.fulfill({ status: 503, json: {} }))
  const ofCampaign = page.getByText(/Last update at \d\d:\d\d in/)
  await roundsUntil(async () => (await ofCampaign.count()) === 1)
})

describe('Settings in the console', () => {
  it('Hours are typed for several days at once, and saved as the API has them', async () => {
    const page = await open()
    await goTo(page, 'Settings')
    const row = (place: number) => page.locator('.week-row').nth(place)
    const turn = (place: number, day: string) =>
      row(place).getByRole('button', { name: day, exact: true }).click()
    const save = page.getByRole('region', { name: 'When to call' }).getByRole('button', { name: 'Save' })
    const week = page.getByRole('img', { name: /^Calling hours/ })
    await page.getByRole('group', { name: 'Calling hours: Every day' }).waitFor()
    await press(page, 'Add hours for other days')
    // A day leaves the row that it was in.
    for (const day of ['Mon', 'Sat']) await turn(1, day)
    await row(1).getByRole('textbox').fill('0-20')
    await press(page, 'Add hours for other days')
    await turn(2, 'Tue')
    await row(2).getByRole('textbox').fill('22:00-02:00')
    await row(2).getByText('Write hours as').waitFor()
    expect(await save.isDisabled()).toBe(true)
    await row(2).getByRole('textbox').fill('9-12:30, 13:30-18')
    await turn(0, 'Sun')
    await page.locator('summary', { hasText: 'Appointments and callbacks: every day' }).click()
    await row(3).getByRole('textbox').fill('10-19')
    expect(await week.getAttribute('aria-label')).toBe(
      'Calling hours: Mon, Sat 00:00 to 20:00; Tue 09:00 to 12:30, 13:30 to 18:00; Wed to Fri 00:00 to 24:00. ' +
        'Appointments and callbacks: Every day 10:00 to 19:00.',
    )
    await page.getByLabel('Closed dates').fill('2026-12-25')
    await press(page, 'Add date')
    await page.getByText('Fri, 25 Dec 2026').waitFor()
    await save.click()
    await page.getByText('Saved.').waitFor()
    expect(await settings()).toMatchObject({
      callingHours: {
        mon: [['00:00', '20:00']],
        tue: [
          ['09:00', '12:30'],
          ['13:30', '18:00'],
        ],
        wed: [['00:00', '24:00']],
        sat: [['00:00', '20:00']],
        sun: [],
      },
      appointmentHours: { mon: [['10:00', '19:00']], sun: [['10:00', '19:00']] },
      closedDates: ['2026-12-25'],
    })
  })

  it('Limits and outcomes are changed one by one, and invalid ones are named before they are sent', async () => {
    const page = await open()
    await goToSection(page, 'Limits')
    const limits = page.getByRole('region', { name: 'Limits' })
    await limits.getByLabel('Max attempts per lead').fill('99')
    await limits.getByText('a whole number from 1 to 50').waitFor()
    expect(await limits.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await limits.getByLabel('Max attempts per lead').fill('5')
    await limits.getByLabel('Max calls to a number in 24 hours').fill('')
    await limits.getByRole('button', { name: 'Save' }).click()
    await limits.getByText('Saved.').waitFor()
    await goToSection(page, 'Outcomes')
    const outcomes = page.getByRole('region', { name: 'Outcomes' })
    await outcomes.getByLabel('Minutes after: Busy').fill('45')
    await outcomes.getByLabel('After: Wrong number').selectOption('Call again')
    await outcomes.getByRole('button', { name: 'Save' }).click()
    await outcomes.getByText('Saved.').waitFor()
    expect(await settings()).toMatchObject({
      maxAttempts: 5,
      numberLimits: { minGapMinutes: 15, per24Hours: null, per7Days: 7 },
      outcomes: {
        busy: { class: 'retry', minutes: 45 },
        wrong_number: { class: 'retry', minutes: 60 },
        no_answer: { minutes: 60 },
      },
    })
  })

  it('A webhook is created, its secret shown once, tested, turned off and removed', async () => {
    const page = await open()
    await goToSection(page, 'Webhooks')
    await press(page, 'Add a webhook')
    await page.getByLabel('URL').fill('http://127.0.0.1:9/hooks')
    await press(page, 'Add')
    await page.getByText(/^whsec_/).waitFor()
    await press(page, 'Done')
    expect(await page.getByText(/whsec_/).count()).toBe(0)
    const webhook = page.getByRole('article', { name: 'http://127.0.0.1:9/hooks' })
    await webhook.getByText('Delivering').waitFor()
    await webhook.getByRole('button', { name: 'Test' }).click()
    await webhook
      .getByRole('alert')
      .filter({ hasText: /^Test failed: .+ \(\d+ ms\)$/ })
      .waitFor()
    await webhook.getByRole('button', { name: 'Last deliveries' }).click()
    await webhook.getByText('No deliveries yet.').waitFor()
    await webhook.getByRole('button', { name: 'Turn off' }).click()
    await webhook.getByText('Off since').waitFor()
    await webhook.getByRole('button', { name: 'Remove…' }).click()
    await webhook.getByRole('button', { name: 'Yes, remove it' }).click()
    await page.getByText('No webhooks yet.').waitFor()
    expect((await api<{ webhooks: unknown[] }>('GET', '/webhooks')).data.webhooks).toEqual([])
  })

  it('Numbers are added from any text, exported, and removed after a question', async () => {
    const page = await open()
    await goToSection(page, 'Do-not-call')
    const panel = page.getByRole('region', { name: 'Do-not-call numbers' })
    // In all campaigns, unless a person chooses this one.
    expect(await panel.getByLabel('In all campaigns').isChecked()).toBe(true)
    await panel.getByLabel('In all campaigns').uncheck()
    await panel.getByLabel('Phone numbers').fill('+14155550160; +1 415 555 0161\n(415) 555-0162')
    await panel.getByRole('button', { name: 'Check numbers' }).click()
    await panel.getByRole('button', { name: 'Add 2 numbers' }).click()
    await panel.getByText('2 numbers added, 0 already there, 1 not added.').waitFor()
    expect(await panel.getByLabel('Phone numbers').inputValue()).toBe('(415) 555-0162')
    await panel.getByRole('cell', { name: '(415) 555-0162' }).waitFor()
    await panel.getByLabel('Phone numbers').fill('')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('suppressed.csv')
    await panel.getByRole('button', { name: 'Remove +14155550160' }).click()
    await panel.getByRole('button', { name: 'Yes, remove it' }).click()
    await panel.getByText('Removed. The number can be called again.').waitFor()
    const { data } = await api<{ suppressions: { phoneNumber: string }[] }>(
      'GET',
      '/suppressions?campaignId=demo',
    )
    expect(data.suppressions.map(({ phoneNumber }) => phoneNumber)).toEqual(['+14155550161'])
  })

  it('A file of numbers is shown before it is sent, and what was not added is downloaded', async () => {
    const page = await open()
    await goToSection(page, 'Do-not-call')
    const panel = page.getByRole('region', { name: 'Do-not-call numbers' })
    await panel.getByLabel('In all campaigns').uncheck()
    const text = 'Telefon;Name\n+14155550170;Ada\n0171 1234567;Bob\n+14155550171;Eve\n;Max\n'
    await panel
      .getByLabel('Import a file')
      .setInputFiles({ name: 'dnc.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await panel.getByText('Nothing sent yet').waitFor()
    await panel.getByRole('cell', { name: '+14155550171' }).waitFor()
    await panel.getByRole('cell', { name: '0171 1234567', exact: true }).waitFor()
    const listed = async () =>
      (
        await api<{ suppressions: { phoneNumber: string }[] }>('GET', '/suppressions?campaignId=demo')
      ).data.suppressions.map(({ phoneNumber }) => phoneNumber)
    expect(await listed()).not.toContain('+14155550170')
    await panel.getByRole('button', { name: 'Add 2 numbers' }).click()
    await panel.getByText('2 numbers added, 0 already there, 2 not added.').waitFor()
    expect(await listed()).toEqual(expect.arrayContaining(['+14155550170', '+14155550171']))
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download numbers not added' }).click(),
    ])
    expect(
      readFileSync(await file.path(), 'utf8')
        .replace('\uFEFF', '')
        .split('\r\n'),
    ).toEqual([
      'phoneNumber,importRow,importReason',
      '0171 1234567,3,"Has no country code, and no country is chosen"',
      '";Max",5,No phone number in this row',
      '',
    ])
    await panel.getByRole('button', { name: 'Close' }).click()
  })
})
