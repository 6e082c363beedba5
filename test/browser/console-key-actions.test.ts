// Keys created, rotated and revoked in the console, and what the API says of them afterwards. A key that is shown once
// is in the page only.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectFit, goToSection, press, signIn, takePicture } from './console-page.ts'
import { askApi, openAs, openConsole, server } from './started.ts'

type Key = {
  keyId: string
  name: string
  scope: string
  campaignId: string | null
  expiresAt: string | null
  revokedAt: string | null
}
const self = async (key: string) => (await askApi<{ key: Key }>(key, 'GET', '/keys/self')).data?.key
const statusOf = async (key: string) => (await askApi(key, 'GET', '/keys/self')).status
const keysCard = (page: Page) => page.getByRole('region', { name: 'Keys' })

/** The key that is shown once. */
const shownKey = async (page: Page) => (await page.getByText(/^lk_\w{30,}$/).textContent()) ?? ''

/** Everything that outlives a page. */
const stored = (page: Page) =>
  page.evaluate(
    `JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, history.state])`,
  )

const openKeys = async (page: Page) => {
  await page.getByRole('link', { name: 'Company' }).click()
  await page.getByRole('link', { name: 'Keys' }).click()
  await keysCard(page).getByText('Requests in the last 7 days').waitFor()
}

const createKey = async (page: Page, name: string, scope: string) => {
  await press(page, 'Create a key')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('radio', { name: new RegExp(`^${scope}`) }).check()
  await press(page, 'Create key')
  await page.getByRole('group', { name: 'The new key' }).waitFor()
  return shownKey(page)
}

it('A key that is created in the console works, is stored nowhere, and is not shown again', async () => {
  const own = await server.addKey('manage')
  const { page, complaints } = await openConsole(own.key)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openKeys(page)
  await press(page, 'Create a key')
  await press(page, 'Create key')
  for (const problem of ['Enter who uses the key', 'Choose what the key may do'])
    await page.getByText(problem).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('HubSpot')
  await page.getByRole('radio', { name: /^write/ }).check()
  await page.getByRole('radio', { name: 'Only one campaign' }).check()
  await page.getByLabel('Id of the campaign').fill('demo')
  await page.getByLabel('Last day').fill('2020-01-01')
  await press(page, 'Create key')
  await page.getByText('Choose a day from today on').waitFor()
  await page.getByLabel('Last day').fill('2099-12-31')
  await press(page, 'Create key')
  const key = await shownKey(page)
  const created = await self(key)
  expect(created).toMatchObject({ name: 'HubSpot', scope: 'write', campaignId: 'demo' })
  expect(created?.expiresAt).toMatch(/^2099-12-31T|^2100-01-01T/)

  await press(page, 'Copy the key')
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  expect(await stored(page)).not.toContain(key)
  expect(await stored(page)).toContain(own.key)

  // Leaving asks first, and afterwards it is gone.
  await page.getByRole('link', { name: 'Do-not-call' }).click()
  const question = page.getByRole('group', { name: "You can't see it again" })
  await question.getByRole('button', { name: 'Stay' }).click()
  expect(await shownKey(page)).toBe(key)
  await page.getByRole('link', { name: 'Do-not-call' }).click()
  await question.getByRole('button', { name: 'Yes, leave' }).click()
  await page.getByRole('heading', { name: 'Do-not-call numbers' }).waitFor()
  await page.getByRole('link', { name: 'Keys' }).click()
  await keysCard(page).getByText('HubSpot').waitFor()
  expect(await page.content()).not.toContain(key)
  expect(await stored(page)).not.toContain(key)
  expect(complaints).toEqual([])

  const other = await createKey(page, 'Second', 'read')
  await press(page, 'Done')
  expect(await page.content()).not.toContain(other)
})

it('A key that is created in the console never has more than the key of one campaign that creates it', async () => {
  const own = await server.addKey('manage', 'demo')
  const elsewhere = await server.addKey('write')
  const { page } = await openConsole(own.key)
  expect(await page.getByRole('link', { name: 'Company' }).count()).toBe(0)
  await goToSection(page, 'Keys')
  await press(page, 'Create a key')
  await page.getByText('The key has access to this campaign only').waitFor()
  expect(await page.getByRole('radio', { name: 'All campaigns' }).count()).toBe(0)
  await press(page, 'Cancel')
  const key = await createKey(page, 'Agent', 'agent')
  expect(await self(key)).toMatchObject({ scope: 'agent', campaignId: 'demo' })
  const rows = await keysCard(page).getByRole('listitem').allTextContents()
  expect(rows.filter((row) => row.includes('all campaigns'))).toEqual([])
  expect(rows.filter((row) => row.includes(elsewhere.key.slice(0, 7)))).toEqual([])
})

it('A key that is created in the console is created by keyboard alone', async () => {
  const { page } = await openAs()
  await goToSection(page, 'Keys')
  const focus = async (wanted: Locator) => {
    for (let tabs = 0; tabs < 80; tabs++) {
      if ((await wanted.count()) > 0 && (await wanted.evaluate((one) => one.matches(':focus')))) return
      await page.keyboard.press('Tab')
    }
    throw new Error('not reached')
  }
  await focus(page.getByRole('button', { name: 'Create a key' }))
  await page.keyboard.press('Enter')
  await focus(page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await focus(page.getByRole('button', { name: 'Create key' }))
  await page.keyboard.press('Enter')
  const key = await shownKey(page)
  expect(await self(key)).toMatchObject({ name: 'Keyboard', scope: 'write', campaignId: 'demo' })
  await focus(page.getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await page.getByText(key).waitFor({ state: 'detached' })
  await focus(page.getByRole('button', { name: /^Revoke Keyboard/ }))
  await page.keyboard.press('Enter')
  await focus(page.getByLabel('Type the name'))
  await page.keyboard.type('Keyboard')
  await page.keyboard.press('Enter')
  await page.getByText('Revoked “Keyboard”.').waitFor()
  expect(await statusOf(key)).toBe(401)
})

it('A key is rotated after a question, and the old one works until the end of its grace period', async () => {
  const { page } = await openAs()
  await openKeys(page)
  const old = await createKey(page, 'Rotated', 'write')
  await press(page, 'Done')
  await page.getByRole('button', { name: /^Rotate Rotated/ }).click()
  const question = page.getByRole('group', { name: /^Rotate “Rotated”\?/ })
  await question.getByText('The old key works until').last().waitFor()
  await question.getByRole('combobox').selectOption('an hour')
  await press(page, 'Yes, rotate it')
  await page.getByRole('group', { name: 'The new key' }).getByText('The old key works until').waitFor()
  const key = await shownKey(page)
  expect(key).not.toBe(old)
  const [before, after] = [await self(old), await self(key)]
  expect(after).toMatchObject({ name: 'Rotated', scope: 'write', expiresAt: null })
  const leftMs = Date.parse(before?.expiresAt ?? '') - Date.now()
  expect(leftMs > 0 && leftMs <= 3_600_000).toBe(true)
})

it('A key is rotated without grace, with what it created when chosen', async () => {
  const { page } = await openAs()
  await openKeys(page)
  const old = await createKey(page, 'Leaked', 'manage')
  const body = { name: 'Hidden', scope: 'read' }
  const child = await askApi<{ key: string }>(old, 'POST', '/keys', body)
  await press(page, 'Done')
  await press(page, 'Refresh')
  await page.getByRole('button', { name: /^Rotate Leaked/ }).click()
  const question = page.getByRole('group', { name: /^Rotate “Leaked”\?/ })
  await question.getByRole('combobox').selectOption('no longer')
  await page.getByRole('group', { name: /The old key and its webhooks stop at once/ }).waitFor()
  await page.getByText('Key “Hidden”').waitFor()
  await page.getByLabel('End these too').check()
  await press(page, 'Yes, rotate it')
  await page.getByRole('group', { name: 'The new key' }).getByText('The old key has ended').waitFor()
  const key = await shownKey(page)
  expect(await Promise.all([old, child.data.key, key].map(statusOf))).toEqual([401, 401, 200])
})

it('A key is revoked once its name is typed, with what it created when chosen', async () => {
  const own = await server.addKey('manage')
  const { page } = await openConsole(own.key)
  await openKeys(page)
  const creator = await createKey(page, 'Creator', 'manage')
  const child = await askApi<{ key: string }>(creator, 'POST', '/keys', {
    name: 'Child',
    scope: 'read',
  })
  const hook = { url: 'http://127.0.0.1:9/created', types: ['call.reported'] }
  const { data: webhook } = await askApi<{ webhookId: string }>(creator, 'POST', '/webhooks', hook)
  await press(page, 'Done')
  await press(page, 'Refresh')
  const row = keysCard(page).getByRole('listitem').filter({ hasText: 'Child' })
  await row.getByText('by Creator').waitFor()

  // The key in use is not offered its own end.
  const ownRow = keysCard(page).getByRole('listitem').filter({ hasText: 'Your key' })
  expect(await ownRow.getByRole('button').allTextContents()).toEqual(['Rotate…'])

  await page.getByRole('button', { name: /^Revoke Creator/ }).click()
  await page.getByText('Key “Child”').waitFor()
  await page.getByText('Webhook http://127.0.0.1:9/created').waitFor()
  await page.getByLabel('Type the name').fill('creator')
  expect(await page.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true)
  await page.getByLabel('Type the name').press('Enter')
  expect(await statusOf(creator)).toBe(200)
  await takePicture(page, 'revoke-1440-light')
  await page.getByLabel('Type the name').fill('Creator')
  await page.getByLabel('End these too').check()
  await press(page, 'Revoke key')
  await page.getByText('Revoked “Creator” and 2 that it created.').waitFor()
  expect([await statusOf(creator), await statusOf(child.data.key)]).toEqual([401, 401])
  const { data } = await askApi<{ webhooks: { webhookId: string; disabledAt: string | null }[] }>(
    own.key,
    'GET',
    '/webhooks',
  )
  expect(data.webhooks.find(({ webhookId }) => webhookId === webhook.webhookId)?.disabledAt).not.toBeNull()

  await press(page, 'Key history')
  await page.getByRole('list', { name: 'Key history' }).getByText('Creator revoked').waitFor()
})

it('A key that created others is revoked alone when that is chosen', async () => {
  const { page } = await openAs()
  await openKeys(page)
  const creator = await createKey(page, 'Alone', 'manage')
  const child = await askApi<{ key: string }>(creator, 'POST', '/keys', {
    name: 'Stays',
    scope: 'read',
  })
  await press(page, 'Done')
  await press(page, 'Refresh')
  await keysCard(page).getByText('Stays').waitFor()
  await page.getByRole('button', { name: /^Revoke Alone/ }).click()
  await page.getByText('Key “Stays”').waitFor()
  await page.getByLabel('Type the name').fill('Alone')
  await press(page, 'Revoke key')
  await page.getByText('Revoked “Alone”.').waitFor()
  expect([await statusOf(creator), await statusOf(child.data.key)]).toEqual([401, 200])
})

describe.each([320, 1440])('The keys in a window %d px wide', (width) => {
  it.each(['light', 'dark'] as const)(
    'The keys fit their window, and axe finds nothing (%s)',
    async (scheme) => {
      const { key } = await server.addKey('manage')
      const { page, complaints } = await openConsole(key, { width, scheme })
      await openKeys(page)
      await press(page, 'Create a key')
      await press(page, 'Create key')
      await page.getByRole('radio', { name: 'Only one campaign' }).check()
      await expectFit(page, 'a key to create')
      await takePicture(page, `create-key-${width}-${scheme}`)
      await press(page, 'Cancel')
      await createKey(page, 'A key with a rather long name, for the office in Berlin', 'agent')
      await expectFit(page, 'a new key')
      await takePicture(page, `new-key-${width}-${scheme}`)
      await press(page, 'Done')
      await page
        .getByRole('button', { name: /^Rotate A key with/ })
        .first()
        .click()
      await expectFit(page, 'a key to rotate')
      await takePicture(page, `rotate-key-${width}-${scheme}`)
      await page
        .getByRole('button', { name: /^Revoke A key with/ })
        .first()
        .click()
      await expectFit(page, 'a key to revoke')
      await takePicture(page, `revoke-key-${width}-${scheme}`)
      await press(page, 'Cancel')
      await press(page, 'Sign out')
      await signIn(page, key)
      expect(complaints).toEqual([])
    },
  )
})
