// The keys of the company as an operator sees them, with the API's figures.
import { expect, it } from 'vitest'
import { revokeKey } from '../support/companies/administration.ts'
import { expectFit, goTo, goToSection } from './console-page.ts'
import { askApi, openConsole, server } from './started.ts'

type Key = { keyId: string; requests: number; refused: Record<string, number> }

it('The keys of the company are shown with their requests, refusals by code and last use, as the API has them', async () => {
  const [write, manage, ended] = await Promise.all([
    server.addKey('write', 'demo'),
    server.addKey('manage'),
    server.addKey('read'),
  ])
  await revokeKey(server.db, ended.id, Date.now())
  const lead = { campaignId: 'demo', phoneNumber: '+14155550177' }
  for (const body of [lead, lead, { ...lead, campaignId: 'none' }])
    await askApi(write.key, 'POST', '/leads', body)

  // Uses are written ten seconds after the first.
  const find = async () => {
    const { data } = await askApi<{ keys: Key[] }>(manage.key, 'GET', '/keys')
    return data.keys.find(({ keyId }) => keyId === write.id)
  }
  await expect.poll(find, { timeout: 30_000, interval: 1_000 }).toMatchObject({
    requests: 3,
    refused: { lead_exists: 1, campaign_denied: 1 },
  })

  const { page } = await openConsole(manage.key)
  await goToSection(page, 'Keys')
  const row = page.getByRole('listitem').filter({ hasText: write.key.slice(0, 7) })
  // Its campaign by name, once that is known.
  await row.getByText(/write · Demo/).waitFor()
  expect(await row.textContent()).toMatch(/3 requests.*last \d\d:\d\d.*2 refused \(67%\).*lead exists 1/)
  expect(await page.getByText('revoked').isVisible()).toBe(false)
  await page.getByText('1 ended key').click()
  await page.getByText('revoked').waitFor()
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectFit(page, `keys at ${width}`)
  }
})

it('The keys of the company are those of its campaign to a key that manages one, and not shown to a key that manages none', async () => {
  const shown = async (key: string) => {
    const { page } = await openConsole(key)
    await goTo(page, 'Settings')
    await page.getByRole('heading', { name: 'When to call' }).waitFor()
    const isThere = (await page.getByRole('link', { name: 'Keys', exact: true }).count()) === 1
    if (isThere) await goToSection(page, 'Keys')
    if (isThere) await page.getByText('manage · demo').first().waitFor()
    const rows = await page.locator('.keys > li').allTextContents()
    await page.close()
    return { isThere, ofAll: rows.filter((row) => row.includes('all campaigns')).length, rows: rows.length }
  }
  const { rows, ...manager } = await shown((await server.addKey('manage', 'demo')).key)
  expect([manager, rows > 1]).toEqual([{ isThere: true, ofAll: 0 }, true])
  const writer = await shown((await server.addKey('write')).key)
  expect(writer.isThere).toBe(false)
})

it('A used key that ends within two weeks is warned of on a campaign, and a key of a dialer cannot be rotated', async () => {
  const [ending, manage] = await Promise.all([server.addKey('write', 'demo'), server.addKey('manage')])
  const endsAtMs = Date.now() + 10 * 86_400_000
  await server.db
    .prepare('update api_keys set expires_at_ms = ?2 where id = ?1')
    .bind(ending.id, endsAtMs)
    .run()
  await askApi(ending.key, 'GET', '/leads?campaignId=demo')
  const isUsed = async () => {
    const { data } = await askApi<{ keys: { keyId: string; lastUsedAt: string | null }[] }>(
      manage.key,
      'GET',
      '/keys',
    )
    return data.keys.find(({ keyId }) => keyId === ending.id)?.lastUsedAt
  }
  await expect.poll(isUsed, { timeout: 30_000, interval: 1_000 }).toBeTruthy()
  const dialer = { preset: 'pretend', enabled: false }
  expect((await askApi(manage.key, 'PUT', '/campaigns/demo/dialer', dialer)).status).toBe(200)

  const { page } = await openConsole(manage.key)
  await page.getByText(/, which a system used in the last week, ends /).waitFor()
  await goToSection(page, 'Keys')
  const rowOf = (text: string) => page.locator('.keys > li').filter({ hasText: text })
  await rowOf(ending.key.slice(0, 7)).getByText('Ends soon').waitFor()
  const ofDialer = rowOf('calls for the dialer')
  expect(await ofDialer.isVisible()).toBe(false)
  await page.getByText(/^\d+ keys? of dialers and sources$/).click()
  await ofDialer.getByRole('button', { name: /^Revoke/ }).waitFor()
  expect(await ofDialer.getByRole('button', { name: /^Rotate/ }).count()).toBe(0)
  expect((await askApi(manage.key, 'DELETE', '/campaigns/demo/dialer')).status).toBe(200)
})
