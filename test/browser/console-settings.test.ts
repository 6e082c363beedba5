// The settings of a campaign and of the company in the console, beyond what console-work.test.ts changes: each section's
// address, the time zone by keyboard alone, and every section in each window and color scheme.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, startServer } from '../docs/server.ts'
import { launchBrowser } from './browser.ts'
import { askApi, expectFit, goTo, openConsole, takePicture } from './console-page.ts'

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

const manageKey = async () => (await server.addKey('manage')).key
const settings = async () =>
  (await askApi<Record<string, unknown>>(server, await manageKey(), 'GET', '/campaigns/demo')).data

describe('A time zone', () => {
  it('is searched and picked by keyboard alone, and is not set by other text', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints } = await openConsole(browser, server, await manageKey(), {
        width: 320,
        scheme,
      })
      await goTo(page, 'Settings')
      const zone = page.getByRole('combobox', { name: 'Time zone' })
      const hours = page.getByRole('region', { name: 'When to call' })
      await zone.focus()
      await zone.fill('Mars')
      await page.getByText('No time zone has this name').waitFor()
      await zone.press('Tab')
      await hours.getByText('Choose a time zone from the list').first().waitFor()
      expect(await hours.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
      await expectFit(page, `a time zone that is not chosen, ${scheme}`)
      await zone.focus()
      await zone.fill('new y')
      await page.getByRole('option', { name: 'America/New York' }).waitFor()
      await expectFit(page, `time zones, ${scheme}`)
      await takePicture(page, `zone-${scheme}`)
      await zone.fill('america/')
      await zone.press('ArrowUp')
      await zone.press('ArrowDown')
      await zone.press('ArrowDown')
      const active = await zone.getAttribute('aria-activedescendant')
      const second = (await page.locator(`[id="${active}"]`).textContent()) ?? ''
      await zone.press('Enter')
      expect(await zone.inputValue()).toBe(second.replaceAll(' ', '_'))
      await hours.getByRole('button', { name: 'Save' }).click()
      await hours.getByText('Saved.').waitFor()
      expect((await settings()).timeZone).toBe(second.replaceAll(' ', '_'))
      expect(complaints).toEqual([])
      await page.close()
      await askApi(server, await manageKey(), 'PATCH', '/campaigns/demo', { timeZone: 'UTC' })
    }
  })
})
