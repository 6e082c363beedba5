// Who calls, set in a real browser by keyboard: the pretend dialer calls a lead, and a voice provider's form is judged
// by the service. Leaves pictures in dist/screenshots for people to look at.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectFit, goTo, type Look, takePicture } from './console-page.ts'
import { api, openAs, server } from './started.ts'

async function openCalling(campaignId: string, look: Look = {}) {
  await server.addCampaign(campaignId)
  const watched = await openAs('manage', look)
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
  await page.keyboard.press('ArrowUp')
  await page.getByRole('radio', { name: 'Pretend calls' }).and(page.locator(':checked')).waitFor()
  await page.getByLabel('Speed (optional)').fill('101')
  await page.getByLabel('Calls at once').fill('2')
  await save(page)
  await page.getByText('variables.speed must be an integer between 1 and 100').waitFor()
  expect((await dialer()).status).toBe(404)
  await page.getByLabel('Speed (optional)').fill('4')
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect((await dialer()).data).toMatchObject({
    ...{ enabled: true, maxLive: 2, preset: 'pretend', variables: { speed: '4' } },
  })
  const state = page.getByRole('region', { name: 'State' })
  const readState = async () => {
    await state.getByRole('button', { name: 'Refresh' }).press('Enter')
    return state.textContent()
  }
  const moved = { timeout: 30_000 }
  const phone = page.getByRole('region', { name: 'Call my phone' })
  await expect.poll(readState, moved).toMatch(/Calling.*1 live call/)
  await expect.poll(readState, moved).toMatch(/On\. Nothing to call right now.*0 live calls/)
  const { data: called } = await api<{ lead: { status: string } }>('GET', `/leads/${created.leadId}`)
  expect(called.lead.status).toBe('concluded')

  await page.getByRole('button', { name: /^Save and start: \d+ leads? can be called now$/ }).waitFor()
  await page.getByLabel('On: call leads').uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await save(page)
  await state.getByText('Off: it starts no calls').waitFor()
  expect((await dialer()).data).toMatchObject({ enabled: false, variables: { speed: '4' } })

  const ownNumber = phone.getByLabel('Your number')
  // As other boxes read numbers: national ones by a country, and nothing is sent before.
  await ownNumber.fill('(202) 555-0104')
  await ownNumber.press('Enter')
  await phone.getByText('Has no country code, and no country is chosen.').waitFor()
  const country = phone.getByLabel('These numbers are from')
  await country.fill('United States')
  await country.press('Enter')
  await ownNumber.fill('(415) 555-0')
  await ownNumber.press('Enter')
  await phone.getByText('Too short or too long for United States').waitFor()
  await ownNumber.fill('(202) 555-0104')
  await ownNumber.press('Enter')
  await phone.getByText('This rings now.').waitFor()
  await takePicture(page, 'calling-own-phone')
  await phone.getByText(/^Ended: not interested · 20 s/).waitFor(moved)
  const requests = phone.getByRole('region', { name: 'Recent requests' })
  await requests.getByRole('cell', { name: 'test', exact: true }).waitFor()
  expect(await requests.textContent()).not.toContain('5550104')
  await expectFit(page, 'a test call that has ended')

  await page.getByRole('radio', { name: 'Your own agents' }).check()
  await page.getByRole('button', { name: 'Remove the dialer…' }).press('Enter')
  const question = page.getByRole('group', { name: 'Remove the dialer' })
  expect((await dialer()).status).toBe(200)
  await expectFit(page, 'the question before a dialer is removed')
  await question.getByRole('button', { name: 'Yes, remove it' }).click()
  await page.getByText('Removed.').waitFor()
  expect((await dialer()).status).toBe(404)
  expect(faultsIn(complaints)).toEqual([])
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
    await page.getByText('not yet proven by a call').waitFor()
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
  },
)

/** A voice provider on this machine, which refuses its key until a test lets it answer. */
async function openProvider() {
  const answers = { status: 401 }
  const provider = createServer((_, response) => {
    response.writeHead(answers.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 'bad_key', message: 'No such key' }))
  })
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  const { port } = provider.address() as AddressInfo
  return { answers, url: `http://127.0.0.1:${port}`, close: () => provider.close() }
}

it('A refused account is explained in words, its credentials are checked, and its own template is shown unchanged', async () => {
  const { answers, url, close } = await openProvider()
  const [campaignId, path] = ['refused', '/campaigns/refused/dialer']
  await server.addCampaign(campaignId)
  const template = {
    auth: { kind: 'bearer', secret: 'apiKey' },
    start: { method: 'POST', url: `${url}/calls`, body: { to: '{{lead.phoneNumber}}' } },
    started: { id: '/id' },
    notDialled: [{ status: [401], because: 'account' }],
    status: {
      ...{ method: 'GET', url: `${url}/calls/{{provider.id}}`, reason: ['/reason'] },
      ...{ over: { at: '/status', in: ['ended'] }, outcomes: { done: 'answered' } },
    },
    check: { method: 'GET', url: `${url}/me` },
  }
  const { data: set } = await api<Dialer & { template: object }>('PUT', path, {
    ...{ preset: 'custom', template, secrets: { apiKey: 'key-of-a-test-1a2b' } },
  })
  await api('POST', '/leads', { campaignId, phoneNumber: '+12025550101' })
  type State = { state: { status: string } }
  const status = async () => (await api<State>('GET', path)).data.state.status
  await expect.poll(status, { timeout: 20_000 }).toBe('stopped')

  const { page, complaints } = await openAs()
  await page.evaluate(`location.hash = '#/${campaignId}/calling'`)
  await page.getByText('Stopped: the provider refuses the account.').waitFor()
  await page.getByText('the provider answered 401 (bad_key): No such key').waitFor()
  const check = page.getByRole('button', { name: 'Check the credentials' })
  await check.press('Enter')
  await page.getByText('The check failed: the provider answered 401 (bad_key): No such key').waitFor()
  await expectFit(page, 'a dialer that has stopped')
  await takePicture(page, 'calling-stopped')
  answers.status = 200
  await check.press('Enter')
  await page.getByText('The provider accepts the credentials.').waitFor()
  await api('PATCH', `/campaigns/${campaignId}`, { paused: true })
  await page.getByRole('button', { name: 'Start again' }).press('Enter')
  await page.getByText('Started again.').waitFor()
  expect(await status()).not.toBe('stopped')

  // Its template is edited as text, and what is wrong is said at its place.
  const text = page.getByLabel('Template', { exact: true })
  const shown = await text.inputValue()
  expect(JSON.parse(shown)).toEqual(template)
  const selected = () => page.evaluate('getSelection().toString()')
  await text.fill(shown.replace('"/id"', '/id'))
  await save(page)
  await page.getByText(/^Line \d+: this is no JSON$/).waitFor()
  await text.fill(shown.replace('"ended"', '7').replace('"answered"', '"pleased"'))
  await save(page)
  await page.getByText(/^Line \d+: status\.outcomes\.done must be one of/).waitFor()
  expect(await selected()).toBe('"done": "pleased"')
  await expectFit(page, 'a template with an error')
  await takePicture(page, 'calling-template')
  await text.fill(shown)
  await page.getByLabel('Calls at once').fill('7')
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  const { template: kept, secrets } = set
  expect((await api<Dialer>('GET', path)).data).toMatchObject({ template: kept, secrets, maxLive: 7 })
  expect(faultsIn(complaints)).toEqual([])
  await page.close()
  close()
})

it('The first steps lead to who calls, and a key that may not manage has no such page', async () => {
  await server.addCampaign('first-steps')
  const { page } = await openAs()
  await page.evaluate(`location.hash = '#/first-steps'`)
  await page.locator('summary', { hasText: 'Dial or connect' }).press('Enter')
  await page.getByRole('link', { name: 'Let the service dial' }).press('Enter')
  await page.getByRole('heading', { name: 'Calling', level: 1 }).waitFor()
  await page.close()
  const other = await openAs('write')
  await other.page.evaluate(`location.hash = '#/first-steps/calling'`)
  await other.page.getByRole('heading', { name: 'first-steps', level: 1 }).waitFor()
  expect(await other.page.getByRole('link', { name: /^Calling|Let the service dial/ }).count()).toBe(0)
})
