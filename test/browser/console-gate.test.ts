// The gate of a campaign in the console's settings, against a host of this machine: it is set, tried, changed and
// removed. And a call that came in, on the page of its lead.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { goToSection, look, pressKey } from './console-page.ts'
import { api, openAs, server } from './started.ts'

/** By the last digit of the number that is asked about. */
const answers: Readonly<Record<string, object>> = {
  1: { status: 'clear' },
  2: { status: 'clear', listed: true },
  3: { status: 'in_meeting' },
}

/** A register that answers 500 about numbers that it does not know. */
async function openRegister() {
  const asked: string[] = []
  const register = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { phone } = JSON.parse(text) as { phone: string }
    asked.push(phone)
    const answer = answers[phone.slice(-1)]
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  await once(register.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void register.close())
  return { asked, url: `http://127.0.0.1:${(register.address() as AddressInfo).port}/check` }
}

type Gate = { suppress: string; ask: { url: string }; secrets: Record<string, unknown> }

it('A gate is set, tried with a number, changed and removed in the settings of its campaign', async () => {
  const campaignId = 'console-gate'
  await server.addCampaign(campaignId)
  const { asked, url } = await openRegister()
  const path = `/campaigns/${campaignId}/gate`
  const { page } = await openAs()
  await page.evaluate(`location.hash = '#/${campaignId}/overview'`)
  await goToSection(page, 'Gate')
  const card = page.getByRole('region', { name: 'Gate', exact: true })
  const field = (name: string) => card.getByLabel(name, { exact: true })
  const save = card.getByRole('button', { name: 'Save' })

  // What is wrong is said beside its field: what is no JSON here, the rest by the service.
  await field('Ask').fill('{')
  await card.getByText('Line 1: this is no JSON').waitFor()
  const ask = {
    method: 'POST',
    url,
    headers: { authorization: 'Bearer {{secrets.token}}' },
    body: { phone: '{{lead.phoneNumber}}' },
  }
  await field('Ask').fill(JSON.stringify(ask))
  await field('No, when').fill('{"pointer":"listed","equals":true}')
  await field('Later, when').fill('{"pointer":"/status","in":["in_meeting"]}')
  await field('Yes, when').fill('{"pointer":"/status","equals":"clear"}')
  await field('New secrets').fill('{"token":"secret-of-a-test-1a2b"}')
  await pressKey(page, save)
  await expect.poll(() => field('No, when').getAttribute('aria-invalid')).toBe('true')
  expect(await field('Yes, when').getAttribute('aria-invalid')).toBe('false')
  await field('No, when').fill('{"pointer":"/listed","equals":true}')
  expect(await card.getByLabel('A number to try').count()).toBe(0)
  await pressKey(page, save)
  await card.getByText('It asks.').waitFor()
  const { data: set } = await api<Gate>('GET', path)
  expect([set.ask.url, set.suppress, Object.keys(set.secrets)]).toEqual([url, 'none', ['token']])
  expect(await card.textContent()).not.toContain('secret-of-a-test')

  const number = field('A number to try')
  const tryIt = async (phoneNumber: string, said: string) => {
    await number.fill(phoneNumber)
    await page.keyboard.press('Enter')
    await card.getByText(said, { exact: true }).waitFor()
  }
  await tryIt('+49 151 1234 5601', 'Yes: the number may be called, by /status.')
  await tryIt('+4915112345602', 'No: its lead would end, by /listed.')
  await tryIt('+4915112345603', 'Later: its lead would wait, by /status.')
  await tryIt('+4915112345604', 'No answer that can be read (500).')
  expect(asked).toEqual([1, 2, 3, 4].map((last) => `+491511234560${last}`))
  const { data: list } = await api<{ suppressions: unknown[] }>(
    'GET',
    `/suppressions?campaignId=${campaignId}`,
  )
  expect(list.suppressions).toEqual([])

  // Of the choices, that for the whole company is the one to think about.
  const warning = card.getByText('A wrong no then keeps every campaign from calling the number')
  const suppress = card.getByLabel('After a no, suppress the number')
  await suppress.selectOption('campaign')
  expect(await warning.count()).toBe(0)
  await suppress.selectOption('company')
  await warning.waitFor()
  await look(page, 'gate')
  await pressKey(page, save)
  await expect.poll(async () => (await api<Gate>('GET', path)).data.suppress).toBe('company')

  await pressKey(page, card.getByRole('button', { name: 'Remove the gate' }))
  await expect.poll(async () => (await api('GET', path)).status).toBe(404)
  await number.waitFor({ state: 'detached' })
})

it('The page of a lead and the calls of its campaign show a call that came in, with its direction', async () => {
  const campaignId = 'console-inbound'
  await server.addCampaign(campaignId)
  const { key } = await server.addKey('agent', campaignId)
  const from = '+4915112345611'
  const { data: lead } = await api<{ leadId: string }>('POST', '/leads', { campaignId, phoneNumber: from })
  const ask = async (path: string, body: object) => {
    const response = await fetch(`${server.base}/api/v1/calls/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return (await response.json()) as { data: { call: { callId: string } } }
  }
  const { data } = await ask('inbound', { from, to: '+4930555', take: true })
  const report = { callId: data.call.callId, outcome: 'answered', durationSeconds: 61 }
  await ask('report', { calls: [{ ...report, details: { summary: 'Wants to be called on Friday.' } }] })

  const { page } = await openAs()
  await page.evaluate(`location.hash = '#/${campaignId}/leads/${lead.leadId}'`)
  const entry = page.getByRole('listitem').filter({ hasText: 'Wants to be called on Friday.' })
  await entry.waitFor()
  expect(await entry.textContent()).toMatch(/Answered, 1:01 · inbound/)
  expect(await entry.textContent()).not.toContain('attempt')
  await look(page, 'lead-inbound')

  await page.evaluate(`location.hash = '#/${campaignId}/calls'`)
  const calls = page.getByRole('region', { name: 'Calls of the campaign' })
  await pressKey(page, calls.getByRole('row').last().getByRole('button'))
  await page.getByText('Inbound: the person rang').waitFor()
})
