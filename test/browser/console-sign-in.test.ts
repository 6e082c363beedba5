// The whole road of a person: `npm start -- --access` in the place of Cloudflare Access, sign-in, people, what a role
// may see, who did it, and the end of a session.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { dirOfTest, freePort, startServer } from '../admin/project.ts'
import { launchBrowser } from './browser.ts'
import { expectFit, press } from './console-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function openContext(): Promise<readonly [BrowserContext, Page]> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return [context, page]
}

async function signIn(page: Page, base: string, email: string): Promise<void> {
  await page.goto(`${base}/console`)
  await press(page, 'Continue with your company’s sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await press(page, 'Continue')
}

const keyIn = (page: Page) =>
  page.evaluate(`sessionStorage.getItem('lead-intake-key')`) as Promise<string | null>

it('People sign in, manage each other, see what their role allows, and are named for what they did', {
  timeout: 600_000,
}, async () => {
  const server = await startServer(dirOfTest(), await freePort(), onTestFinished, ['--access'])
  const { base } = server
  const statusOf = async (key: string | null) =>
    (await fetch(`${base}/api/v1/keys/self`, { headers: { 'x-api-key': key ?? '' } })).status

  expect(server.printed).toContain(`sign in       ${base}/console/session   (as ada@example.com)`)

  const [, stranger] = await openContext()
  await signIn(stranger, base, 'eve@example.com')
  await stranger.getByText('eve@example.com').waitFor()
  expect(await stranger.getByRole('heading').textContent()).toBe('You are not a member')
  expect(await keyIn(stranger)).toBeNull()

  const [, ada] = await openContext()
  await signIn(ada, base, 'Ada@Example.com')
  await ada.getByText('Ada · manage').waitFor()
  const adasKey = await keyIn(ada)
  expect(await statusOf(adasKey)).toBe(200)
  expect(ada.url()).not.toContain('lk_')
  await expectFit(ada, 'the console of a member')
  await ada.goto(`${base}/console#company/people`)
  await press(ada, 'Add a person')
  await ada.getByLabel('E-mail address').fill('grace@example.com')
  await ada.getByLabel('Name (optional)').fill('Grace')
  await ada.getByRole('radio', { name: /^write/ }).check()
  await expectFit(ada, 'the form of a person')
  await press(ada, 'Add')
  await ada.getByText('Added Grace.').waitFor()

  const [, grace] = await openContext()
  await signIn(grace, base, 'grace@example.com')
  await grace.getByText('Grace · write').waitFor()
  const gracesKey = await keyIn(grace)
  await grace.goto(`${base}/console#company/people`)
  await grace.getByRole('link', { name: 'Do-not-call' }).waitFor()
  const sections = grace.getByRole('navigation', { name: 'Sections' })
  expect(await sections.getByRole('link', { name: 'People' }).count()).toBe(0)
  expect(await sections.getByRole('link', { name: 'Keys' }).count()).toBe(0)
  await grace.goto(`${base}/console#/demo/connect`)
  await grace.getByText('A key with scope write').waitFor()
  const suppression = { method: 'POST', body: '{"phoneNumbers":["+14155550123"]}' }
  const headers = { 'x-api-key': gracesKey ?? '', 'content-type': 'application/json' }
  expect((await fetch(`${base}/api/v1/suppressions`, { ...suppression, headers })).status).toBe(200)

  await ada.getByRole('link', { name: 'Activity' }).click()
  await ada.getByText('1 number added to do-not-call').waitFor()
  const entries = ada.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  expect(await entries.first().textContent()).toContain('by Grace')
  await ada.getByLabel('Who').selectOption('Ada')
  await expect.poll(() => entries.first().textContent()).toMatch(/Grace added: write.*by Ada/)
  await expectFit(ada, 'the activity')

  // Another site, whose pages can neither frame the endpoint nor read what it answers.
  const other = base.replace('localhost', '127.0.0.1')
  const [context, visitor] = await openContext()
  await signIn(visitor, base, 'grace@example.com')
  await visitor.getByText('Grace · write').waitFor()
  const page = await context.newPage()
  await page.goto(`${other}/console/session`)
  await page.setContent(`<iframe src="${base}/console/session"></iframe>`)
  await expect.poll(() => page.frames().length).toBe(2)
  const fetched = page.evaluate(
    `fetch('${base}/console/session', { credentials: 'include' }).then((a) => a.text(), (e) => 'refused')`,
  )
  expect(await fetched).toBe('refused')
  expect(await page.frames()[1]?.content()).not.toContain('lead-intake-key')

  await ada.getByRole('link', { name: 'People' }).click()
  await press(ada, 'Remove Grace')
  await ada.getByRole('button', { name: 'Remove', exact: true }).click()
  await ada.getByText('Removed Grace.').waitFor()
  expect(await statusOf(gracesKey)).toBe(401)
  await grace.getByRole('link', { name: 'Campaigns' }).click()
  await grace.getByText('Your session has ended. Sign in again.').waitFor()

  await press(ada, 'Sign out')
  await ada.getByRole('heading', { name: 'Signed out' }).waitFor()
  await expect.poll(() => statusOf(adasKey)).toBe(401)
  expect(await keyIn(ada)).toBeNull()

  const [, operatorKey = ''] = /operator key +(lk_op_\w+)/.exec(server.printed) ?? []
  const second = await fetch(`${base}/api/v1/companies`, {
    method: 'POST',
    headers: { 'x-api-key': operatorKey, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'second', name: 'Second <Ltd>', manager: 'ADA@example.com' }),
  })
  expect(second.status).toBe(201)
  await signIn(ada, base, 'ada@example.com')
  await ada.getByRole('heading', { name: 'Choose a company' }).waitFor()
  expect(await keyIn(ada)).toBeNull()
  await ada.getByRole('link', { name: 'Second <Ltd>' }).click()
  await ada.getByText('ada@example.com · manage · Second <Ltd>').waitFor()
  await expectFit(ada, 'the console of a member of two companies')
  await press(ada, 'Switch company')
  await ada.getByRole('link', { name: 'Demo' }).click()
  await ada.getByText('Ada · manage · Demo').waitFor()
})
