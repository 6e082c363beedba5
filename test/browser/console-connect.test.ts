// Connect in a real browser: what is pasted, for each key, and a test lead that arrives, is never leased, and is
// erased. Leaves pictures in dist/screenshots for people to look at.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectFit, goTo, type Look, takePicture } from './console-page.ts'
import { api, askApi, openConsole, server } from './started.ts'

let key: string

const campaignId = 'connect-me'

beforeAll(async () => {
  await server.addCampaign(campaignId)
  key = (await server.addKey('manage')).key
})

const pressTest = (page: Page, name: 'Send a test lead' | 'Erase the test lead') =>
  page.getByRole('button', { name }).click()

async function openConnect(look: Look = {}, as = key) {
  const watched = await openConsole(as, look)
  await watched.page.evaluate(`location.hash = '#/${campaignId}'`)
  await goTo(watched.page, 'Connect')
  await watched.page.getByRole('heading', { name: 'Connect', level: 1 }).waitFor()
  return watched
}

type Found = { leads: { _id: string; phoneNumber: string; status: string }[] }
type Suppressed = { suppressions: { phoneNumber: string; reason: string | null }[] }
const leads = async () => (await api<Found>('GET', `/leads?campaignId=${campaignId}`)).data.leads
const suppressions = async () =>
  (await api<Suppressed>('GET', `/suppressions?campaignId=${campaignId}`)).data.suppressions

const queued = async () =>
  (await api<{ queue: { queued: number } }>('GET', `/campaigns/${campaignId}`)).data.queue.queued

it('A test lead arrives, is claimed by no agent at any time, and is erased without a trace that blocks', async () => {
  const agent = await server.addKey('agent')
  const claimed: object[] = []
  let [claims, isOver] = [0, false]
  const claiming = (async () => {
    while (!isOver) {
      const claim = { campaignId, limit: 100, agent: 'eager' }
      const { data } = await askApi<{ calls: object[] }>(agent.key, 'POST', '/calls/claim', claim)
      claimed.push(...data.calls)
      claims++
      // So that the key's requests last.
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  })()
  const { page, complaints } = await openConnect()
  await pressTest(page, 'Send a test lead')
  const arrived = page.getByRole('status').filter({ hasText: 'Arrived. Stored, and not in the queue.' })
  await arrived.getByText('The number is on the do-not-call list').waitFor()
  const [lead, ...others] = await leads()
  expect(others).toEqual([])
  expect(lead?.phoneNumber).toMatch(/^\+120255501\d\d$/)
  await arrived.getByRole('link', { name: lead?.phoneNumber ?? '' }).waitFor()
  expect(await suppressions()).toMatchObject([{ phoneNumber: lead?.phoneNumber, reason: 'test' }])
  expect(await queued()).toBe(0)
  await takePicture(page, 'connect-test')

  // Another tab, or this one after a reload, finds it.
  await page.reload()
  await arrived.getByText('The number is on the do-not-call list').waitFor()
  const before = claims
  await expect.poll(() => claims).toBeGreaterThan(before + 2)
  await pressTest(page, 'Erase the test lead')
  await page.getByText('Erased. Nothing of it blocks or is called.').waitFor()
  expect(await leads()).toEqual([])
  expect(await suppressions()).toEqual([])
  const after = claims
  await expect.poll(() => claims).toBeGreaterThan(after + 2)
  isOver = true
  await claiming
  expect(claimed).toEqual([])
  // The number is as any other again: a lead with it is queued.
  const { data: another } = await api<{ leadId: string }>('POST', '/leads', {
    campaignId,
    phoneNumber: lead?.phoneNumber,
  })
  expect(await queued()).toBe(1)
  await api('DELETE', `/leads/${another.leadId}`)
  expect(complaints).toEqual([])
})

it('A test lead is not sent when its number could not be suppressed', async () => {
  const { page } = await openConnect({
    prepare: (page) =>
      page.route(/\/suppressions$/, (route) =>
        route.fulfill({
          status: 503,
          json: { success: false, data: null, error: 'Service unavailable' },
          headers: { 'x-error-code': 'unavailable' },
        }),
      ),
  })
  await pressTest(page, 'Send a test lead')
  await page.getByRole('alert').filter({ hasText: 'Service unavailable' }).waitFor()
  expect(await leads()).toEqual([])
})

it('A test lead is not offered to a key that could not erase it, which is shown what it takes', async () => {
  const { page } = await openConnect({}, (await server.addKey('write')).key)
  await page.getByText('the test takes the right to manage').waitFor()
  expect(await page.getByRole('button', { name: 'Send a test lead' }).count()).toBe(0)
  await page.getByText('Your key', { exact: true }).waitFor()
  await expectFit(page, 'connect for a key that writes')
})

it('Connect copies what a system needs, and leads to the guide of each system', async () => {
  const { page } = await openConnect({
    prepare: (page) => page.context().grantPermissions(['clipboard-read', 'clipboard-write']),
  })
  for (const [name, wanted] of [
    ['Copy the command', `{"campaignId":"${campaignId}","phoneNumber":"+14155550123"}`],
    [`Copy ${server.base}/api/v1/leads`, `${server.base}/api/v1/leads`],
    [`Copy ${campaignId}`, campaignId],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain(wanted)
  }
  const guides = page.getByRole('list', { name: /^Guides/ }).getByRole('link')
  const addresses = await guides.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  expect(addresses).toEqual(expect.arrayContaining(['/docs/connect/hubspot', '/docs/connect/agent']))
  for (const address of addresses)
    expect([address, (await page.request.get(server.base + address)).status()]).toEqual([address, 200])
})

it.each([
  [1440, 'light'],
  [320, 'light'],
  [320, 'dark'],
  [1440, 'dark'],
] as const)('Connect fits its window, and axe finds nothing: %d px, %s', async (width, scheme) => {
  const { page, complaints } = await openConnect({ width, scheme })
  await page.getByRole('button', { name: 'Send a test lead' }).waitFor()
  await expectFit(page, 'connect')
  await takePicture(page, `connect-${width}-${scheme}`)
  expect(complaints).toEqual([])
})
