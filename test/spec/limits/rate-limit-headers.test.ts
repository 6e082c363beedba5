// Limits, the headers: X-RateLimit-* under /api, and Retry-After on 429 (D23-D25). That every answer has them is in
// every-answer.test.ts.
import { beforeEach, expect, it, vi } from 'vitest'
import { databaseFailing } from '../../support/database/database.ts'
import { api, health } from '../../support/http/api.ts'
import { rateLimitOf } from '../../support/http/expectations.ts'
import { withRealLimiters } from '../../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../../support/run/clock.ts'
import { newPhone, seedWorld, spendBulks, spendHour } from '../../support/world.ts'

withRealLimiters()

const t0 = 1_800_000_000_000
const secondMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000

beforeEach(stopClock)

type World = Awaited<ReturnType<typeof seedWorld>>
const bulk = (world: World) =>
  api(world.writeKey).importLeads({ campaignId: world.campaignId, leads: [{ phoneNumber: newPhone() }] })
const list = (world: World) => api(world.readKey).listLeads({ campaignId: world.campaignId })
const down = { bindings: { DB: databaseFailing('D1_ERROR: refused').DB } }

it('X-RateLimit headers are on a first request that meets a database which is down', async () => {
  const world = await seedWorld()
  const answer = await api(world.readKey, down).listLeads({ campaignId: world.campaignId })
  expect(answer.status).toBe(503)
  rateLimitOf(answer)
})

it('X-RateLimit headers are on 429, with nothing remaining', async () => {
  const world = await seedWorld()
  await spendHour(world.readKeyId, 1000)
  const refused = await list(world)
  expect([refused.status, rateLimitOf(refused)]).toMatchObject([429, { limit: 1000, remaining: 0 }])
})

it('X-RateLimit headers count Remaining down, and show when the oldest unit leaves its window', async () => {
  const world = await seedWorld()
  const resetSeconds = (t0 + hourMs) / secondMs
  for (const [i, atMs] of [t0, t0 + 10 * minuteMs, t0 + 20 * minuteMs].entries()) {
    vi.setSystemTime(atMs)
    expect(rateLimitOf(await list(world))).toEqual({ limit: 1000, remaining: 999 - i, resetSeconds })
  }
  vi.setSystemTime(t0 + hourMs - 1)
  expect(rateLimitOf(await list(world)).remaining).toBe(996)
  vi.setSystemTime(t0 + hourMs)
  const after = rateLimitOf(await list(world))
  expect(after).toEqual({ limit: 1000, remaining: 996, resetSeconds: resetSeconds + 10 * 60 })
})

it.each([
  [0, 0],
  [1, 1],
  [999, 1],
])(
  'X-RateLimit headers show Reset in Unix seconds, rounded up: %d ms past the second',
  async (offsetMs, seconds) => {
    const world = await seedWorld()
    vi.setSystemTime(t0 + offsetMs)
    expect(rateLimitOf(await list(world)).resetSeconds).toBe((t0 + hourMs) / secondMs + seconds)
  },
)

it('X-RateLimit headers are those of the window with the fewest remaining', async () => {
  vi.setSystemTime(t0)
  const world = await seedWorld()
  expect(rateLimitOf(await bulk(world))).toMatchObject({ limit: 10, remaining: 9 })
  await spendHour(world.writeKeyId, 991)
  expect(rateLimitOf(await bulk(world))).toMatchObject({ limit: 1000, remaining: 7 })
})

it('X-RateLimit headers are, on 429, those of the window that refuses', async () => {
  vi.setSystemTime(t0)
  const world = await seedWorld()
  await spendHour(world.writeKeyId, 980)
  await spendBulks(world.writeKeyId, 10)
  expect(rateLimitOf(await bulk(world))).toEqual({
    limit: 10,
    remaining: 0,
    resetSeconds: (t0 + minuteMs) / secondMs,
  })
})

it('X-RateLimit headers are, on 429 by two windows, those of the longer wait', async () => {
  vi.setSystemTime(t0)
  const world = await seedWorld()
  await spendHour(world.writeKeyId, 990)
  await spendBulks(world.writeKeyId, 10)
  const refused = await bulk(world)
  expect(rateLimitOf(refused)).toEqual({
    limit: 1000,
    remaining: 0,
    resetSeconds: (t0 + hourMs) / secondMs,
  })
  expect(refused.headers.get('retry-after')).toBe('3600')
  vi.setSystemTime(t0 + hourMs - minuteMs)
  await spendBulks(world.writeKeyId, 0)
  expect((await bulk(world)).headers.get('retry-after')).toBe('60')
})

it.each([
  [0, 0],
  [0, 1],
  [0, 999],
  [1, 0],
  [250, 750],
  [750, 250],
  [999, 998],
  [500, 500],
])(
  'Retry-After is exact: then it succeeds, a second earlier it fails (spent at %d ms, asked at %d ms)',
  async (spentAtMs, askedAtMs) => {
    const world = await seedWorld()
    vi.setSystemTime(t0 + spentAtMs)
    await spendBulks(world.writeKeyId, 10)
    const askedMs = t0 + 17 * secondMs + askedAtMs
    vi.setSystemTime(askedMs)
    const refused = await bulk(world)
    const retryAfter = refused.headers.get('retry-after') as string
    expect([refused.status, retryAfter]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)])
    // It agrees with Reset to the second.
    const retryAtSeconds = askedMs / secondMs + Number(retryAfter)
    expect(Math.abs(rateLimitOf(refused).resetSeconds - retryAtSeconds)).toBeLessThan(1)

    vi.setSystemTime(askedMs + (Number(retryAfter) - 1) * secondMs)
    expect((await bulk(world)).status).toBe(429)
    vi.setSystemTime(askedMs + Number(retryAfter) * secondMs)
    expect((await bulk(world)).status).toBe(200)
  },
)

it('Retry-After is at least 1, also in the last millisecond', async () => {
  const world = await seedWorld()
  vi.setSystemTime(t0)
  await spendHour(world.readKeyId, 1000)
  vi.setSystemTime(t0 + hourMs - 1)
  const refused = await list(world)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  vi.setSystemTime(t0 + hourMs)
  expect((await list(world)).status).toBe(200)
})

it('Retry-After counts down while a refusal is repeated', async () => {
  const world = await seedWorld()
  vi.setSystemTime(t0)
  await spendHour(world.readKeyId, 1000)
  for (const elapsed of [0, 1, 600, 3598, 3599]) {
    vi.setSystemTime(t0 + elapsed * secondMs)
    const refused = await list(world)
    expect(refused.headers.get('retry-after')).toBe(String(3600 - elapsed))
    expect(rateLimitOf(refused).resetSeconds).toBe((t0 + hourMs) / secondMs)
  }
})

it('Retry-After is on no answer that succeeds', async () => {
  const world = await seedWorld()
  for (const answer of [await list(world), await bulk(world), await health()])
    expect(answer.headers.get('retry-after')).toBeNull()
})

it('Retry-After shows the hour when it has filled since a bulk was refused for its minute', async () => {
  const world = await seedWorld()
  await spendBulks(world.writeKeyId, 10)
  expect(rateLimitOf(await bulk(world)).limit).toBe(10)
  await spendHour(world.writeKeyId, 990)
  // No object admits so many in less.
  vi.setSystemTime(Date.now() + 250)
  const answer = await bulk(world)
  expect([answer.status, rateLimitOf(answer).limit, answer.headers.get('retry-after')]).toEqual([
    429,
    1000,
    '3600',
  ])
})
