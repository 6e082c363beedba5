// Leads for the tests of lists: Zoë and 120 others of a second campaign, and one whose words are made to break a page.
import type { Page } from 'playwright-core'
import type { Look } from './console-page.ts'
import { askApi, openAs, server } from './started.ts'

export const hostile = '+4917612349999'
export const hostileName = '<img src=x onerror="window.hasRun=1">'
export const ofZoe = { name: 'Zoë Müller', email: 'zoe@example.com' }
/** Not found by their words. */
export const numberOf = (index: number) => `+1415555${String(2000 + index)}`

export async function addManyLeads() {
  const { key } = await server.addKey('manage')
  await askApi(key, 'POST', '/campaigns', { id: 'spring', name: 'Spring', timeZone: 'Europe/Berlin' })
  const zoe = { campaignId: 'spring', phoneNumber: '+4917612340000', metadata: ofZoe }
  await askApi(key, 'POST', '/leads', zoe)
  const metadata = { name: hostileName, note: "x;=cmd|' /C calc'!A0", n: 12345678901234567890n }
  await fetch(`${server.base}/api/v1/leads`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body:
      `{"campaignId":"demo","phoneNumber":"${hostile}","externalId":"@sum(1)",` +
      `"metadata":{"name":${JSON.stringify(hostileName)},"note":"${metadata.note}","n":${metadata.n}}}`,
  })
  const leads = Array.from({ length: 120 }, (_, index) => ({ phoneNumber: numberOf(index) }))
  await askApi(key, 'POST', '/leads/bulk', { campaignId: 'spring', leads })
}

export const open = (look?: Look) => openAs('manage', look)
export const openLeads = (page: Page, campaignId: string) =>
  page.evaluate(`location.hash = '#/${campaignId}/leads'`)
export const searchBox = (page: Page) => page.getByRole('searchbox')
export const numbersIn = (page: Page) => page.getByRole('rowheader').allTextContents()

export async function find(page: Page, text: string): Promise<void> {
  await searchBox(page).fill(text)
  await searchBox(page).press('Enter')
}
