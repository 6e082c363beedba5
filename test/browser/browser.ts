// A real browser without a window: finds Chromium on this machine, installs nothing, and notes all that a page asks
// for and complains about.
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM || usualPlaces.find((path) => existsSync(path))
  if (executablePath === undefined) {
    throw new Error(
      'No Chromium found. Install it (Debian: apt-get install chromium; macOS: brew install --cask chromium), or set CHROMIUM to its program.',
    )
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export type WatchedPage = {
  readonly page: Page
  /** Errors and warnings of the console, uncaught errors, failed requests. */
  readonly complaints: readonly string[]
  /** Where else than to this origin it sent requests. */
  readonly strays: readonly string[]
}

export async function openPage(browser: Browser, origin: string, width: number): Promise<WatchedPage> {
  return watch(await browser.newPage({ viewport: { width, height: 900 } }), origin)
}

export function watch(page: Page, origin: string): WatchedPage {
  const complaints: string[] = []
  const strays: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (asked !== origin && !['data:', 'blob:'].includes(protocol)) strays.push(request.url())
  })
  return { page, complaints, strays }
}
