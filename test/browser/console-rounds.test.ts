// How often the console asks for a campaign in a real browser: each minute, sooner after a change and while calls are
// live, and never while its page is hidden. How far a key's quota allows that is in test/unit/console/pace.test.ts.
import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { api, openAs, server } from './started.ts'

/** The requests of a page whose clock moves in steps only, each shorter than a request may take. */
async function openTimed() {
  const asked: string[] = []
  let answered = 0
  const { page } = await openAs('manage', {
    prepare: async (page) => {
      await page.clock.install()
      const isApi = (url: string) => new URL(url).pathname.startsWith('/api/')
      page.on('request', (request) => isApi(request.url()) && asked.push(new URL(request.url()).pathname))
      const end = (request: Request) => isApi(request.url()) && answered++
      page.on('requestfinished', end)
      page.on('requestfailed', end)
    },
  })
  /** What is asked meanwhile. */
  const pass = async (minutes: number) => {
    const before = asked.length
    const stepMs = 5_000
    for (let passedMs = 0; passedMs < minutes * 60_000; passedMs += stepMs) {
      await page.clock.runFor(stepMs)
      await expect.poll(() => asked.length - answered, { timeout: 10_000 }).toBe(0)
    }
    return asked.slice(before)
  }
  const showCampaign = async (id: string) => {
    await page.evaluate(`location.hash = '#/${id}'`)
    await page.getByRole('heading', { name: id, level: 1 }).waitFor()
    await page.clock.pauseAt(Date.now() + 30_000)
  }
  return { page, asked, pass, showCampaign }
}

it('What the console shows costs one request a minute: 300 an hour for five managers, and none while the page is hidden', async () => {
  await server.addCampaign('quiet')
  await api('POST', '/leads', { campaignId: 'quiet', phoneNumber: '+14155550170' })
  const { page, asked, pass, showCampaign } = await openTimed()
  await showCampaign('quiet')
  // What is read once, such as keys that end soon.
  await pass(1)
  const rounds = await pass(60)
  expect(new Set(rounds)).toEqual(new Set(['/api/v1/campaigns/quiet/overview']))
  expect(rounds.length).toBeGreaterThanOrEqual(50)
  const managers = 5
  expect(managers * rounds.length).toBeLessThanOrEqual(300)
  const before = asked.length
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`)
  await page.clock.runFor(300_000)
  // The round that was planned before finds the page hidden.
  expect(asked.length).toBe(before)
  await page.evaluate(
    `Object.defineProperty(document, 'hidden', { value: false }); document.dispatchEvent(new ` +
      `Event('visibilitychange'))`,
  )
  await expect.poll(() => asked.length).toBe(before + 1)
})

it('What the console shows is asked every 5 s for two minutes after a change, and every 15 s while calls are live', async () => {
  await server.addCampaign('changing')
  await api('POST', '/leads', { campaignId: 'changing', phoneNumber: '+14155550171' })
  const { page, pass, showCampaign } = await openTimed()
  await showCampaign('changing')
  await page.getByRole('button', { name: 'Pause calling' }).click()
  await page.getByRole('button', { name: 'Resume calling' }).waitFor()
  const rounds = async (minutes: number) =>
    (await pass(minutes)).filter((path) => path.endsWith('/overview')).length
  expect(await rounds(2)).toBeGreaterThanOrEqual(22)
  expect(await rounds(5)).toBeLessThanOrEqual(7)
  await api('PATCH', '/campaigns/changing', { paused: false })
  await api('POST', '/calls/claim', { campaignId: 'changing', limit: 1, agent: 'seat-9' })
  await pass(1)
  const live = await rounds(5)
  expect([live >= 19, live <= 21]).toEqual([true, true])
})
