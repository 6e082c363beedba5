// The settings of a campaign and of the company in the console, beyond what console-work.test.ts changes: each
// section's address, the time zone by keyboard alone, and every section in each window and color scheme.
import { describe, expect, it } from 'vitest'
import { expectFit, goTo, goToSection, press, takePicture } from './console-page.ts'
import { askApi, openConsole, server } from './started.ts'

const manageKey = async () => (await server.addKey('manage')).key
const settings = async () =>
  (await askApi<Record<string, unknown>>(await manageKey(), 'GET', '/campaigns/demo')).data

it('A time zone is searched and picked by keyboard alone, and is not set by other text', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { page, complaints } = await openConsole(await manageKey(), {
      width: 320,
      scheme,
    })
    await goTo(page, 'Settings')
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    const hours = page.getByRole('region', { name: 'When to call' })
    await zone.focus()
    await zone.fill('Mars')
    for (const text of ['Mars', 'europe/ber']) {
      await zone.fill(text)
      await zone.press('Tab')
      await hours.getByText('Choose a time zone from the list').first().waitFor()
      expect(await hours.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    }
    await expectFit(page, `a time zone that is not chosen, ${scheme}`)
    await zone.focus()
    expect(await page.locator('datalist option[value="America/New York"]').count()).toBe(1)
    // As the browser completes it.
    await zone.fill('America/New York')
    await takePicture(page, `zone-${scheme}`)
    expect(await zone.inputValue()).toBe('America/New_York')
    await hours.getByRole('button', { name: 'Save' }).click()
    await hours.getByText('Saved.').waitFor()
    expect((await settings()).timeZone).toBe('America/New_York')
    expect(complaints).toEqual([])
    await page.close()
    await askApi(await manageKey(), 'PATCH', '/campaigns/demo', { timeZone: 'UTC' })
  }
})

it('Unsaved changes of a form can be saved from the question before leaving, and not while a field has a problem', async () => {
  const { page } = await openConsole(await manageKey())
  await goToSection(page, 'Limits')
  const attempts = page.getByLabel('Max attempts per lead')
  await attempts.fill('99')
  await page.getByRole('link', { name: 'Outcomes' }).click()
  const question = page.getByRole('group', { name: 'You have unsaved changes' })
  await question.getByRole('button', { name: 'Save' }).click()
  await question.getByText('Not saved. Correct the marked fields first.').waitFor()
  expect(page.url()).toMatch(/#\/demo\/settings\/limits$/)
  await takePicture(page, 'not-saved-1440-light')
  await question.getByRole('button', { name: 'Stay' }).click()
  await attempts.fill('9')
  await page.getByRole('link', { name: 'Outcomes' }).click()
  await question.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Outcomes' }).waitFor()
  expect(page.url()).toMatch(/#\/demo\/settings\/outcomes$/)
  expect((await settings()).maxAttempts).toBe(9)

  await page.getByLabel('Minutes after: Busy').fill('55')
  await press(page, 'Sign out')
  await question.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('API key').waitFor()
  expect((await settings()).outcomes).toMatchObject({ busy: { minutes: 55 } })
})

it('A webhook gets other events, a new secret and past events only after a question or a form', async () => {
  const key = await manageKey()
  const api = <Data>(method: string, path: string, body?: unknown) => askApi<Data>(key, method, path, body)
  const { page, complaints } = await openConsole(key)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await goToSection(page, 'Webhooks')
  await press(page, 'Add a webhook')
  await press(page, 'Add')
  await page.getByText('Enter the address of the receiver, with https://').waitFor()
  await page.getByLabel('URL').fill('http://127.0.0.1:9/events')
  await page.getByLabel('Only for Demo').check()
  await press(page, 'Add')
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? ''
  await press(page, 'Copy the secret')
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  await press(page, 'Done')
  type Webhook = { webhookId: string; types: string[] | null; campaignId: string | null }
  const list = async () => (await api<{ webhooks: Webhook[] }>('GET', '/webhooks')).data.webhooks
  const read = async () => (await list())[0]
  expect(await read()).toMatchObject({ campaignId: 'demo' })

  const webhook = page.getByRole('article', { name: 'http://127.0.0.1:9/events' })
  await webhook.getByText('Only for Demo').waitFor()
  await webhook.getByRole('button', { name: 'Change events' }).click()
  const form = page.getByRole('form', { name: 'Change events' })
  for (const type of ['call.reported', 'lead.concluded', 'lead.exhausted'])
    await form.getByLabel(type).uncheck()
  await form.getByText('Choose at least one event').waitFor()
  await form.getByLabel('lead.erased').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await webhook.getByText('Saved.').waitFor()
  await webhook.getByText('Events: lead.erased').waitFor()
  expect((await read())?.types).toEqual(['lead.erased'])

  await webhook.getByRole('button', { name: 'Change events' }).click()
  await form.getByRole('radio', { name: 'All events' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await webhook.getByText('Events: all').waitFor()
  expect((await read())?.types).toBeNull()

  const before = asked.length
  for (const [button, cancelled] of [
    ['Send again…', 'Send the events of the last 24 hours again?'],
    ['New secret…', 'Create a new secret?'],
  ] as const) {
    await webhook.getByRole('button', { name: button }).click()
    await page.getByRole('group', { name: cancelled }).getByRole('button', { name: 'Cancel' }).click()
  }
  expect(asked.length).toBe(before)
  await webhook.getByRole('button', { name: 'Send again…' }).click()
  await press(page, 'Yes, send them again')
  await webhook.getByText('Sending the events of the last 24 hours again.').waitFor()
  await webhook.getByRole('button', { name: 'New secret…' }).click()
  await press(page, 'Yes, create a new secret')
  expect(await page.getByText(/^whsec_/).textContent()).not.toBe(secret)
  await webhook.getByText('The old secret stays valid until').waitFor()
  expect(complaints).toEqual([])
  await api('DELETE', `/webhooks/${(await read())?.webhookId}`)
})

describe.each([320, 1440])('The settings in a window %d px wide', (width) => {
  it.each(['light', 'dark'] as const)(
    'Settings fit in every section, and axe finds nothing (%s)',
    async (scheme) => {
      const key = await manageKey()
      const { page, complaints, strays } = await openConsole(key, { width, scheme })
      const sections = page.getByRole('navigation', { name: 'Sections' })
      const visit = async (name: string) => {
        await sections.getByRole('link', { name, exact: true }).click()
        await page.getByRole('region').getByRole('heading', { level: 2 }).first().waitFor()
        if (name === 'Webhooks') await press(page, 'Add a webhook')
        await expectFit(page, `${name} at ${width}`)
        await takePicture(page, `settings-${name.toLowerCase().replaceAll(' ', '-')}-${width}-${scheme}`)
      }
      await goTo(page, 'Settings')
      for (const name of ['Hours', 'Limits', 'Outcomes', 'Do-not-call', 'Webhooks', 'Keys']) await visit(name)
      await page.getByRole('link', { name: 'Company' }).click()
      for (const name of ['Do-not-call', 'Webhooks', 'Your access', 'Keys']) await visit(name)
      expect({ complaints, strays }).toEqual({ complaints: [], strays: [] })
    },
  )
})
