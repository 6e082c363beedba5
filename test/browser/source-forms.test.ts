// Forms without a script that post to a source, in a real browser, from a file and from a page.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { press } from './console-page.ts'
import { api, browser, server } from './started.ts'

const campaignId = 'from-forms'
const text = 'I agree to be called.'

beforeAll(async () => {
  await server.addCampaign(campaignId)
})

type Leads = { leads: { phoneNumber: string; metadata?: Record<string, string> }[] }
const leads = async () => (await api<Leads>('GET', `/leads?campaignId=${campaignId}`)).data.leads

async function makeForm(more: object = {}): Promise<string> {
  const consent = { purpose: 'offers', text, field: 'call-me' }
  const body = { name: 'Form', countries: ['DE'], consent, ...more }
  const { data } = await api<{ url: string }>('POST', `/campaigns/${campaignId}/sources`, body)
  return `<!doctype html><title>Shop</title>
<form method="post" action="${data.url}">
  <input name="name" placeholder="Name">
  <input name="phone" type="tel" placeholder="Phone" required>
  <label><input name="call-me" type="checkbox" value="yes"> I agree to be called</label>
  <input name="_gotcha" style="display: none">
  <button>Call me</button>
</form>`
}

/** The address of a page with this text, on a disk or on a website. */
async function served(page: string, where: 'file' | 'http'): Promise<string> {
  if (where === 'file') {
    const dir = mkdtempSync(join(tmpdir(), 'lead-intake-form-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    writeFileSync(join(dir, 'form.html'), page)
    return `file://${join(dir, 'form.html')}`
  }
  const website = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  )
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void website.close())
  return `http://127.0.0.1:${(website.address() as AddressInfo).port}/contact`
}

it.each(['file', 'http'] as const)(
  'A form without a script posts a lead with its consent, from a page by %s',
  async (where) => {
    const digits = where === 'file' ? '1234567' : '1234568'
    const address = await served(await makeForm(), where)
    const page = await browser.newPage()
    const fill = async (phone: string) => {
      await page.goto(address)
      await page.getByPlaceholder('Name').fill('Ada')
      await page.getByPlaceholder('Phone').fill(phone)
      await page.getByLabel('I agree to be called').check()
      await press(page, 'Call me')
    }
    await fill(`0171 ${digits}`)
    await page.getByText('Thank you. We will call you.').waitFor()
    const phoneNumber = `+49171${digits}`
    expect((await leads()).filter((lead) => lead.phoneNumber === phoneNumber)).toMatchObject([
      { metadata: { name: 'Ada', 'call-me': 'yes' } },
    ])
    type Consents = { consents: { text: string; source?: { url?: string } }[] }
    const { data } = await api<Consents>('POST', '/consents/search', { phoneNumber })
    const url = where === 'http' ? new URL(address).origin : null
    expect(data.consents.map((one) => [one.text, one.source?.url ?? null])).toEqual([[text, url]])

    await fill(`0171 ${digits}`)
    await page.getByText('Thank you. We will call you.').waitFor()
    expect((await leads()).filter((lead) => lead.phoneNumber === phoneNumber)).toHaveLength(1)

    await fill('0900 1234567')
    await page.getByText('This phone number cannot be called').waitFor()
    await page.goBack()
    expect(await page.getByPlaceholder('Name').inputValue()).toBe('Ada')
  },
)

it('A form takes the browser to the page that its source names', async () => {
  const thanks = await served('<!doctype html><title>Thanks</title><h1>Thanks</h1>', 'http')
  const redirectUrl = 'https://shop.example.com/thanks'
  const address = await served(await makeForm({ redirectUrl }), 'http')
  const page = await browser.newPage()
  await page.route(redirectUrl, (route) => route.fulfill({ status: 302, headers: { location: thanks } }))
  await page.goto(address)
  await page.getByPlaceholder('Phone').fill('0171 1234569')
  await press(page, 'Call me')
  await page.getByRole('heading', { name: 'Thanks' }).waitFor()
})
