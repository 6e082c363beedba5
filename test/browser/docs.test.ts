// The reference page in a real browser, as a person uses it, in a wide and in a narrow window. Leaves screenshots in
// dist/screenshots to look at.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectDir, type Server, startServer } from '../docs/server.ts'
import { launchBrowser, openPage } from './browser.ts'

let browser: Browser
let server: Server
beforeAll(async () => {
  browser = await launchBrowser()
  server = await startServer()
})
afterAll(async () => {
  await browser?.close()
  await server?.harness.close()
})

async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const dialog = page.locator('.dialog-ux .modal-ux')
  await dialog.getByRole('textbox').fill(key)
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
}

/** Opens the operation's part of the page, which may be filled in and sent. */
async function openOperation(page: Page, operationId: string) {
  const operation = page.locator(`#operations-Leads-${operationId}`)
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('.execute').waitFor()
  return operation
}

describe.each([
  ['wide', 1440],
  ['narrow', 390],
])('The reference page in a %s window', (name, width) => {
  it('takes a key, creates a lead, and shows it in the list, without a complaint or a request elsewhere', async () => {
    const { page, complaints, strays } = await openPage(browser, server.base, width)
    const screenshot = (part: string) =>
      page.screenshot({ path: join(projectDir, `dist/screenshots/${name}-${part}.png`) })
    const phoneNumber = `+1415555${String(width).padStart(4, '0')}`

    await page.goto(server.base)
    expect(page.url()).toBe(`${server.base}/docs`)
    await page.locator('.opblock').first().waitFor()
    await screenshot('top')
    const pageWidth = await page.evaluate('document.documentElement.scrollWidth')
    expect(pageWidth).toBe(width)

    await giveKey(page, server.keys.write)

    const create = await openOperation(page, 'createLead')
    await create.locator('.body-param__text').fill(JSON.stringify({ campaignId: 'demo', phoneNumber }))
    await create.locator('.execute').click()
    await create.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor()
    await create.scrollIntoViewIfNeeded()
    await screenshot('create')
    await create.locator('.opblock-summary-control').click()

    const list = await openOperation(page, 'listLeads')
    await list.locator('.execute').click()
    await list.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
    expect(await list.locator('.live-responses-table').textContent()).toContain(phoneNumber)
    await list.locator('.live-responses-table').scrollIntoViewIfNeeded()
    await screenshot('list')

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(complaints).toEqual([])
    expect(strays).toEqual([])
    await page.close()
  })
})
