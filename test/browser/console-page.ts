// The console in a real browser, for its tests: opened with a key, in a window and a color scheme, watched for
// complaints, strays and long tasks, and checked by axe.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { projectDir, type Server } from '../docs/server.ts'
import { type WatchedPage, watch } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Look = {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  readonly locale?: string
  /** Before the console is opened, such as a network of its own. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

export async function openConsole(
  browser: Browser,
  { base }: Server,
  key: string,
  { width = 1440, scheme = 'light', locale = 'en-GB', prepare }: Look = {},
): Promise<WatchedPage> {
  // A colour that fades in would have too little contrast at first.
  const looks = { colorScheme: scheme, reducedMotion: 'reduce', locale } as const
  const page = await browser.newPage({ viewport: { width, height: 900 }, ...looks })
  page.setDefaultTimeout(10_000)
  const watched = watch(page, base)
  await prepare?.(page)
  await page.goto(`${base}/console`)
  await signIn(page, key)
  return watched
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Lead intake' }).waitFor()
}

export async function goTo(
  page: Page,
  name: 'Overview' | 'Leads' | 'Import' | 'Connect' | 'Calling' | 'Settings',
): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
}

/** A section of the campaign's settings. */
export async function goToSection(page: Page, name: string): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click()
}

/** A button by all of its name. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Moves the focus there as a keyboard does. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((one) => one.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The focus does not get there')
}

export async function pressKey(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}

/** What a list offers. */
export const optionsOf = (list: Locator) => list.locator('option').allTextContents()

export async function chooseByKeys(page: Page, list: Locator, option: string): Promise<void> {
  await tabTo(page, list)
  const chosen = await list.evaluate((one) => (one as unknown as { selectedIndex: number }).selectedIndex)
  const steps = (await optionsOf(list)).indexOf(option) - chosen
  for (let step = 0; step < Math.abs(steps); step++)
    await page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp')
}

export const hasFocus = (wanted: Locator) =>
  expect.poll(() => wanted.evaluate((one) => one.matches(':focus'))).toBe(true)

/** The violations that axe finds, by all rules of WCAG 2.2 A and AA and of best practice. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  // A colour that is still fading has too little contrast.
  await page.evaluate(
    'for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()',
  )
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.map(({ id, nodes }) =>
        id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )) as string[]
  return found
}

/** Nothing overflows to the right, and axe finds no violation. */
export async function expectFit(page: Page, name: string): Promise<void> {
  // A page that is being loaded has no heading yet.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const [pageWidth, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
    number,
    number,
  ]
  const { width: wanted } = page.viewportSize() ?? { width }
  expect({ name, pageWidth, violations: await violationsOf(page) }).toEqual({
    name,
    pageWidth: wanted,
    violations: [],
  })
}

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly args: { readonly name?: string }
  /** Microseconds of the processor: other work of the machine makes no task longer. */
  readonly tdur?: number
}

/** The longest task of the page's thread during some work, in milliseconds. */
export async function longestTaskOf(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(threadOf)
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.tdur !== undefined && mainThreads.includes(threadOf(event)),
  )
  if (tasks.length === 0) throw new Error('no task was traced')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

/** For people to look at, in dist/screenshots. */
export const takePicture = (page: Page, name: string) =>
  page.screenshot({ path: join(projectDir, `dist/screenshots/console-${name}.png`) })

/** Wide and narrow, light and dark: nothing overflows, axe finds nothing, and there is a picture of each. */
export async function look(page: Page, name: string, narrow = 390): Promise<void> {
  for (const width of [1440, narrow])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      // Without the transition from one scheme to the other.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectFit(page, `${name} at ${width}, ${colorScheme}`)
      await takePicture(page, `${name}-${width}-${colorScheme}`)
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
}

/** Sends a request to the API directly. */
export async function askApi<Data>(
  { base }: Server,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly data: Data }> {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { data } = (await response.json()) as { data: Data }
  return { status: response.status, data }
}
