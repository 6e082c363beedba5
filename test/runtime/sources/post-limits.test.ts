// Who is charged for a post: the source, and of those that are refused or dropped the address there, too.
import { beforeEach, expect, it, vi } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import { databaseThat } from '../../support/database/database.ts'
import { randomAddress } from '../../support/http/api.ts'
import { watchedLimiter } from '../../support/rate-limits/limiter.ts'
import { leadsOf, newMobile, seedSource, send } from '../../support/sources/source-world.ts'

const startMs = Date.UTC(2036, 6, 7, 12)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }))

const { refusedPostsPerMinute, refusedPostsPerHour, sourcePostsPerMinute, minuteMs, hourMs } = limits

const junk = { phone: 'junk' }
const bots = () => ({ phone: newMobile(), _gotcha: 'x' })
const good = () => ({ phone: newMobile() })

type Sent = Parameters<typeof send>[2]
const post = (url: string, fields: Record<string, string>, sent: Sent = {}) =>
  send(url, { body: new URLSearchParams(fields) }, sent)
const statusOf = async (...of: Parameters<typeof post>) => (await post(...of)).status
const times = (count: number, work: () => Promise<number>) =>
  Promise.all(Array.from({ length: count }, () => work()))
const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length

it.each<[what: string, fields: () => Record<string, string>, status: number]>([
  ['junk', () => junk, 400],
  ['what a trap drops', bots, 200],
])('A visitor who posts %s as fast as he can leaves room for the next visitor', async (_, fields, status) => {
  const [own, other] = [await seedSource(), await seedSource()]
  const address = randomAddress()
  const statuses = await times(2 * sourcePostsPerMinute, () => statusOf(own.url, fields(), { address }))
  expect(countOf(statuses, status)).toBe(refusedPostsPerMinute)
  expect(countOf(statuses, 429)).toBe(2 * sourcePostsPerMinute - refusedPostsPerMinute)
  const room = sourcePostsPerMinute - refusedPostsPerMinute
  expect(await times(room, () => statusOf(own.url, good()))).toEqual(Array(room).fill(200))
  expect(await leadsOf(own.campaign)).toHaveLength(room)
  expect(await statusOf(other.url, good(), { address })).toBe(200)
  vi.setSystemTime(startMs + minuteMs)
  expect(await statusOf(own.url, good(), { address })).toBe(200)
})

it('Junk of one address is 200 an hour for a source', async () => {
  const { url } = await seedSource()
  const address = randomAddress()
  for (let minute = 0; minute < refusedPostsPerHour / refusedPostsPerMinute; minute++) {
    vi.setSystemTime(startMs + minute * minuteMs)
    const statuses = await times(refusedPostsPerMinute, () => statusOf(url, junk, { address }))
    expect(statuses).toEqual(Array(refusedPostsPerMinute).fill(400))
  }
  vi.setSystemTime(startMs + 11 * minuteMs)
  const refused = await post(url, junk, { address })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([
    429,
    `${(hourMs - 11 * minuteMs) / 1000}`,
  ])
  expect(await statusOf(url, good())).toBe(200)
  vi.setSystemTime(startMs + hourMs)
  expect(await statusOf(url, junk, { address })).toBe(400)
})

it('Posts of one network are junk of one address, and those of its neighbour are not', async () => {
  const { url } = await seedSource()
  const network = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}`
  await times(refusedPostsPerMinute, () => statusOf(url, junk, { address: `${network}:1::1` }))
  expect(await statusOf(url, junk, { address: `${network}:1:2:3:4:5` })).toBe(429)
  expect(await statusOf(url, junk, { address: `${network}:2::1` })).toBe(400)
})

it('Posts that are stored, or whose lead is there, count for the source alone', async () => {
  const { url } = await seedSource()
  const address = randomAddress()
  const phone = newMobile()
  const posts = sourcePostsPerMinute / 2
  const statuses = [
    ...(await times(posts, () => statusOf(url, good(), { address }))),
    ...(await times(posts, () => statusOf(url, { phone }, { address }))),
  ]
  expect(statuses).toEqual(Array(2 * posts).fill(200))
  expect(await statusOf(url, good())).toBe(429)
})

it('An old URL takes nothing from the new one, and counts as a request without a valid key', async () => {
  const own = await seedSource()
  const { url } = await own.shown('POST', undefined, '/rotate')
  const address = randomAddress()
  const old = await times(sourcePostsPerMinute, () => statusOf(own.url, good(), { address }))
  expect(old).toEqual(Array(sourcePostsPerMinute).fill(404))
  const refused = await post(own.url, good(), { address })
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"unknown";q=60;w=60'])
  const statuses = await times(sourcePostsPerMinute, () => statusOf(url, good(), { address }))
  expect(statuses).toEqual(Array(sourcePostsPerMinute).fill(200))
})

it('A post asks one limiter, once; and where it has no room, no store, either', async () => {
  const own = await seedSource()
  const address = randomAddress()
  let trips = 0
  const { DB } = databaseThat((run) => {
    trips++
    return run()
  })
  const { RATE_LIMITER, calls } = watchedLimiter()
  const bindings = { DB, RATE_LIMITER }
  const asked = async (fields: Record<string, string>) => {
    trips = 0
    calls.length = 0
    const status = await statusOf(own.url, fields, { address, bindings })
    return [status, calls.map(({ subject }) => subject), trips]
  }
  const subject = `source:${own.sourceId}`
  expect(await asked(good())).toEqual([200, [subject], 2])
  // One that reads the source, and one that notes what was wrong.
  expect(await asked(junk)).toEqual([400, [subject], 2])
  for (let posts = 1; posts < refusedPostsPerMinute; posts++) expect((await asked(junk))[0]).toBe(400)
  expect(await asked(junk)).toEqual([429, [], 0])
  expect(await asked(good())).toEqual([429, [], 0])
  const left = sourcePostsPerMinute - refusedPostsPerMinute - 1
  expect(await times(left, () => statusOf(own.url, good()))).toEqual(Array(left).fill(200))
  vi.setSystemTime(startMs + 1)
  expect(await statusOf(own.url, good())).toBe(429)
})
