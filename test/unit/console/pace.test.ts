// How often the console asks for a campaign: sooner after a change and during calls, within a third of what its key has
// left.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { countSent, noteChange, onChange, useOfKey } from '../../../src/console/service/activity.ts'
import { openClient } from '../../../src/console/service/client.ts'
import { roundEveryMs, testEveryMs, type Use } from '../../../src/console/service/pace.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]
const quotaOf = (remaining: number, resetSeconds = 3_600) => ({ limit: 1_000, remaining, resetSeconds })
const every = (use: Partial<Use> = {}, hasLiveCalls = false, perRound = 1) =>
  roundEveryMs({ quota: quotaOf(1_000), sent: 0, changedAtMs: null, ...use }, hasLiveCalls, perRound, now)

it('The overview asks every minute, every 15 s while calls are live, and every 5 s for two minutes after a change', () => {
  expect(every()).toBe(minuteMs)
  expect(every({}, true)).toBe(15 * secondMs)
  for (const hasLiveCalls of [true, false]) {
    expect(every({ changedAtMs: now }, hasLiveCalls)).toBe(5 * secondMs)
    expect(every({ changedAtMs: now - 2 * minuteMs + 1 }, hasLiveCalls)).toBe(5 * secondMs)
  }
  expect(every({ changedAtMs: now - 2 * minuteMs })).toBe(minuteMs)
  expect(every({ quota: null, changedAtMs: now })).toBe(5 * secondMs)
})

it('The overview asks no sooner than every minute where more would take a third of what the key has left', () => {
  expect(every({ quota: quotaOf(180), changedAtMs: now })).toBe(5 * secondMs)
  expect(every({ quota: quotaOf(179), changedAtMs: now })).toBeGreaterThanOrEqual(minuteMs)
  // What it has sent itself is left again within the hour.
  expect(every({ quota: quotaOf(700), sent: 260, changedAtMs: now })).toBe(5 * secondMs)
  expect(every({ quota: quotaOf(700), sent: 261, changedAtMs: now })).toBe(minuteMs)
  // An open lead is read with each round.
  expect(every({ quota: quotaOf(900), sent: 30 }, true, 5)).toBe(minuteMs)
  expect(every({ quota: quotaOf(90) })).toBe(2 * minuteMs)
  expect(every({ quota: quotaOf(0) })).toBe(hourMs)
  expect(every({ quota: quotaOf(0, 300) })).toBe(5 * minuteMs)
})

it.each([
  ['one request', 1],
  ['five', 5],
])(
  'In no hour does a page that is changed all the time take more than a third of its key, with %s a round',
  (_, perRound) => {
    for (const others of [0, 300, 700, 940]) {
      const limit = 1_000 - others
      const sent: number[] = []
      for (let atMs = now; atMs < now + 3 * hourMs; ) {
        for (let request = 0; request < perRound; request++) sent.push(atMs)
        const own = sent.filter((ms) => ms > atMs - hourMs).length
        expect(own).toBeLessThanOrEqual(Math.max(limit / 3, perRound) + perRound)
        const use = { quota: quotaOf(Math.max(0, limit - own)), sent: own, changedAtMs: atMs }
        atMs += roundEveryMs(use, true, perRound, atMs)
      }
    }
  },
)

it('In no hour does a page with an endless test call take more than a third of its key', () => {
  for (const others of [0, 300, 700]) {
    const limit = 1_000 - others
    const sent: number[] = []
    let [roundAtMs, readAtMs] = [now, now]
    while (Math.min(roundAtMs, readAtMs) < now + 3 * hourMs) {
      const atMs = Math.min(roundAtMs, readAtMs)
      // The test call is read with each round, and with its requests to the provider.
      const isRound = roundAtMs === atMs
      for (let request = 0; request < (isRound ? 3 : 2); request++) sent.push(atMs)
      const own = sent.filter((ms) => ms > atMs - hourMs).length
      expect(own).toBeLessThanOrEqual(limit / 3 + 3)
      const use = { quota: quotaOf(limit - own), sent: own, changedAtMs: now }
      if (isRound) roundAtMs += roundEveryMs(use, false, 3, atMs)
      readAtMs = atMs + testEveryMs(use, atMs)
    }
    expect(sent.filter((ms) => ms < now + minuteMs).length).toBeGreaterThan(others === 700 ? 0 : 20)
  }
})

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const answer = (status: number) =>
  new Response(JSON.stringify({ success: true, data: {}, error: null }), {
    status,
    headers: { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '812', 'x-ratelimit-reset': '0' },
  })

it('A change is what a request of this page changes, and no read, not even one whose question is in a body', async () => {
  let status = 200
  vi.stubGlobal('fetch', async () => answer(status))
  const client = openClient('https://leads.example.com', 'lk_1', () => {})
  let told = 0
  const end = onChange(() => told++)
  await client.campaigns.overview('demo')
  await client.consents.search('+14155550123')
  await client.campaigns.dialer.check('demo')
  expect([useOfKey().changedAtMs, told]).toEqual([null, 0])
  await client.campaigns.update('demo', { paused: false })
  expect([useOfKey().changedAtMs, told]).toEqual([now, 1])
  vi.setSystemTime(now + 5 * minuteMs)
  status = 409
  await client.leads.requeue('lead').catch(() => {})
  expect([useOfKey().changedAtMs, told]).toEqual([now, 1])
  noteChange()
  expect([useOfKey().changedAtMs, told]).toEqual([now + 5 * minuteMs, 2])
  end()
  noteChange()
  expect(told).toBe(2)
})

it('What a page has sent counts for an hour, with what its key has left, and another key begins anew', async () => {
  vi.stubGlobal('fetch', async () => answer(200))
  const client = openClient('https://leads.example.com', 'lk_1', () => {})
  await client.campaigns.overview('demo')
  vi.setSystemTime(now + 30 * minuteMs)
  await client.campaigns.overview('demo')
  expect(useOfKey()).toMatchObject({ sent: 2, quota: { remaining: 812 } })
  expect(countSent(now, now + minuteMs)).toBe(1)
  vi.setSystemTime(now + hourMs)
  expect(useOfKey().sent).toBe(1)
  openClient('https://leads.example.com', 'lk_2', () => {})
  expect(useOfKey()).toEqual({ sent: 0, quota: null, changedAtMs: null })
})
