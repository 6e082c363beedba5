// Who calls, set in a real browser by keyboard: the pretend dialer calls a lead, and a voice provider's form is judged by the
// service. Leaves pictures in dist/screenshots for people to look at.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, startServer } from '../docs/server.ts'
import { launchBrowser } from './browser.ts'
import { askApi, expectFit, goTo, openConsole, takePicture } from './console-page.ts'

let browser: Browser
let server: Server
let key: string

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startServer()
  key = (await server.addKey('manage')).key
})
afterAll(async () => {
  await browser?.close()
  await server?.harness.close()
})

const api = <Data>(method: string, path: string, body?: unknown) =>
  askApi<Data>(server, key, method, path, body)

async function openCalling(campaignId: string, look: Parameters<typeof openConsole>[3] = {}) {
  await server.addCampaign(campaignId)
  const watched = await openConsole(browser, server, key, look)
  await watched.page.evaluate(`location.hash = '#/${campaignId}'`)
  await goTo(watched.page, 'Calling')
  await watched.page
    .getByRole('radio', { name: 'Your own agents' })
    .and(watched.page.locator(':checked'))
    .waitFor()
  return watched
}

/** By keyboard alone. */
async function save(page: Page) {
  await page.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
}

/** A browser reports the 404 that says that there is no dialer. */
const faultsIn = (complaints: readonly string[]) =>
  complaints.filter((text) => !text.includes('status of 404') && !text.includes('status of 400'))

type Dialer = { enabled: boolean; maxLive: number; preset: string; variables: object; secrets: object }

it('The pretend dialer is set by a form, calls a lead, is turned off, and is removed after a question', async () => {
  const { page, complaints } = await openCalling('pretend-calls')
  const dialer = () => api<Dialer | null>('GET', '/campaigns/pretend-calls/dialer')
  const lead = { campaignId: 'pretend-calls', phoneNumber: '+12025550100' }
  const { data: created } = await api<{ leadId: string }>('POST', '/leads', lead)
  await page.getByRole('radio', { name: 'Your own agents' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('radio', { name: 'Pretend calls' }).and(page.locator(':checked')).waitFor()
  await page.getByLabel('Speed (optional)').fill('101')
  await page.getByLabel('Calls at once').fill('2')
  await save(page)
  await page.getByText('variables.speed must be an integer between 1 and 100').waitFor()
  expect((await dialer()).status).toBe(404)
  await page.getByLabel('Speed (optional)').fill('20')
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect((await dialer()).data).toMatchObject({
    ...{ enabled: true, maxLive: 2, preset: 'pretend', variables: { speed: '20' } },
  })
  const called = async () =>
    (await api<{ lead: { status: string } }>('GET', `/leads/${created.leadId}`)).data.lead.status
  await expect.poll(called, { timeout: 30_000 }).toBe('concluded')
  const state = page.getByRole('region', { name: 'State' })
  await state.getByRole('button', { name: 'Refresh' }).click()
  await state.getByText('On, and no lead is to be called now').waitFor()

  await page.getByLabel('On: call leads').uncheck()
  await save(page)
  await state.getByText('Off: it starts no calls').waitFor()
  expect((await dialer()).data).toMatchObject({ enabled: false, variables: { speed: '20' } })

  await page.getByRole('radio', { name: 'Your own agents' }).check()
  await page.getByRole('button', { name: 'Remove the dialer…' }).press('Enter')
  const question = page.getByRole('group', { name: 'Remove the dialer' })
  expect((await dialer()).status).toBe(200)
  await expectFit(page, 'the question before a dialer is removed')
  await question.getByRole('button', { name: 'Yes, remove it' }).click()
  await page.getByText('Removed.').waitFor()
  expect((await dialer()).status).toBe(404)
  expect(faultsIn(complaints)).toEqual([])
  await page.close()
})

it.each([
  [1440, 'light'],
  [320, 'dark'],
] as const)(
  'A provider is set by its fields, and a missing secret is named beside its field: %d px, %s',
  async (width, scheme) => {
    const campaignId = `provider-${width}`
    const { page, complaints } = await openCalling(campaignId, { width, scheme })
    const dialer = async () => (await api<Dialer>('GET', `/campaigns/${campaignId}/dialer`)).data
    await page.getByRole('radio', { name: 'Retell' }).check()
    await page.getByLabel('Phone number (required)').fill('+14155550123')
    await save(page)
    await page.getByText('secrets.apiKey is required').waitFor()
    const secret = page.getByLabel('API key (required)')
    await secret.and(page.locator(':focus')).waitFor()
    await expectFit(page, 'a missing secret')
    await takePicture(page, `calling-missing-${width}-${scheme}`)

    await page.getByLabel('On: call leads').uncheck()
    await secret.fill('key-of-a-test-1a2b')
    await save(page)
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(await secret.inputValue()).toBe('')
    await page.getByText('…1a2b is saved. A new one replaces it.').waitFor()
    await page.getByLabel('Agent (optional)').fill('agent-1')
    await page.getByLabel('Phone number (required)').fill('+14155550199')
    await save(page)
    await expect.poll(dialer).toMatchObject({
      ...{ enabled: false, preset: 'retell', secrets: { apiKey: { hint: '…1a2b' } } },
      variables: { fromNumber: '+14155550199', agentId: 'agent-1' },
    })
    await page.getByLabel('Agent (optional)').fill('')
    await secret.fill('key-of-a-test-3c4d')
    await save(page)
    await expect.poll(dialer).toMatchObject({ secrets: { apiKey: { hint: '…3c4d' } } })
    expect((await dialer()).variables).toEqual({ fromNumber: '+14155550199' })
    await expectFit(page, 'a provider')
    await takePicture(page, `calling-${width}-${scheme}`)

    await page.getByRole('radio', { name: 'Vapi' }).check()
    expect(await page.getByText('is saved. A new one').count()).toBe(0)
    expect(await page.getByLabel('API key (required)').inputValue()).toBe('')
    expect(faultsIn(complaints)).toEqual([])
    await page.close()
  },
)

it('A template of the customer is shown and not changed, and a key that may not manage has no such page', async () => {
  await server.addCampaign('own-template')
  const template = {
    auth: null,
    start: { method: 'POST', url: 'https://calls.example.com/calls', body: { to: '{{lead.phoneNumber}}' } },
    started: { id: '/id' },
    status: {
      ...{ method: 'GET', url: 'https://calls.example.com/calls/{{provider.id}}' },
      ...{ over: { at: '/status', in: ['ended'] }, reason: ['/reason'], outcomes: { done: 'answered' } },
    },
  }
  const set = { preset: 'custom', template, enabled: false }
  const path = '/campaigns/own-template/dialer'
  const put = await api<Dialer>('PUT', path, set)
  expect(put.status).toBe(200)
  const { page } = await openConsole(browser, server, key)
  await page.evaluate(`location.hash = '#/own-template/calling'`)
  await page.getByText('calls.example.com/calls/{{provider.id}}').waitFor()
  await page.getByLabel('Calls at once').fill('7')
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  await expectFit(page, 'a template')
  expect((await api<Dialer>('GET', path)).data).toMatchObject({ ...set, maxLive: 7 })
  await page.close()

  const reading = await openConsole(browser, server, (await server.addKey('read')).key)
  await reading.page.evaluate(`location.hash = '#/own-template/calling'`)
  await reading.page.getByRole('heading', { name: 'own-template', level: 1 }).waitFor()
  expect(await reading.page.getByRole('link', { name: 'Calling' }).count()).toBe(0)
  await reading.page.close()
})
