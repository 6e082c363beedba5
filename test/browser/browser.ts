// A real browser without a window: finds Chromium on this machine, installs nothing, and records a page's requests and
// complaints. Checks accessibility with axe.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

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
      'No Chromium found. Install it (Debian: apt-get install chromium; macOS: brew install --cask ' +
        'chromium), or set CHROMIUM to its program.',
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
  /** Console errors and warnings, uncaught errors, failed requests. */
  readonly complaints: readonly string[]
  /** Requests to other origins. */
  readonly strays: readonly string[]
}

/** A page with its own storage. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  return watch(await context.newPage(), origin)
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** All violations that axe finds. It is loaded by the debugger, past the page's policy. */
export async function barriersOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const violations = (await page.evaluate('axe.run().then((results) => results.violations)')) as {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length}, such as ${nodes[0]?.html}`)
}

export const overflowOf = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
