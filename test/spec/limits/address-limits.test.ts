// Limits, the rates of an address: health, and requests without a valid key (D26, D27).
import { beforeEach, expect, it, vi } from 'vitest'
import { api, health, randomAddress } from '../../support/http/api.ts'
import {
  dataOf,
  expectFailure,
  isLimited,
  rateLimitOf,
  retryAfterOf,
  times,
} from '../../support/http/expectations.ts'
import { withRealLimiters } from '../../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../../support/run/clock.ts'
import { revokeKey, seedKey, seedWorld, unknownKey } from '../../support/world.ts'

withRealLimiters()

const t0 = 1_800_000_000_000
const secondMs = 1000
const minuteMs = 60_000

beforeEach(stopClock)

it('Requests without a valid key are 60 a minute for each address, then 429', async () => {
  vi.setSystemTime(t0)
  const address = randomAddress()
  const guesses = ['nonsense', null, unknownKey()]
  const { companyId } = await seedWorld()
  const revoked = await seedKey({ companyId })
  await revokeKey(revoked.id)
  for (let i = 0; i < 60; i++) {
    const answer = await api([...guesses, revoked.key][i % 4] as string, { address }).listLeads({})
    expect([answer.status, rateLimitOf(answer)]).toEqual([
      401,
      { limit: 60, remaining: 59 - i, resetSeconds: (t0 + minuteMs) / secondMs },
    ])
  }
  for (const key of [...guesses, revoked.key]) isLimited(await api(key, { address }).listLeads({}))
  expectFailure(await api(null).listLeads({}), 401, 'Invalid or inactive API key')
  vi.setSystemTime(t0 + minuteMs)
  expectFailure(await api(null, { address }).listLeads({}), 401, 'Invalid or inactive API key')
})

it('Requests without a valid key do not hold up a valid key, or health, on the same address', async () => {
  vi.setSystemTime(t0)
  const { campaignId, readKey } = await seedWorld()
  const address = randomAddress()
  await times(60, () => api(null, { address }).listLeads({}))
  isLimited(await api(null, { address }).listLeads({}))
  dataOf(await api(readKey, { address }).listLeads({ campaignId }), 200)
  expect((await health({ address })).status).toBe(200)
})

it('Health request rate is 60 requests a minute for each address, then 429', async () => {
  vi.setSystemTime(t0)
  const address = randomAddress()
  for (const answer of await times(60, () => health({ address }))) expect(answer.status).toBe(200)
  const refused = await health({ address })
  isLimited(refused)
  expect(retryAfterOf(refused)).toBe(60)
  expect((await health()).status).toBe(200)
  vi.setSystemTime(t0 + minuteMs - 1)
  isLimited(await health({ address }))
  vi.setSystemTime(t0 + minuteMs)
  expect((await health({ address })).status).toBe(200)
})

it.each<[string, string[], boolean]>([
  ['one IPv4 address', ['192.0.2.7', '192.0.2.7'], true],
  ['two IPv4 addresses', ['192.0.2.8', '192.0.2.9'], false],
  ['one IPv6 /64', ['2001:db8:1:1::1', '2001:0DB8:1:1:ffff:ffff:ffff:ffff'], true],
  ['two IPv6 /64s', ['2001:db8:1:2::1', '2001:db8:1:3::1'], false],
])('Health request rate is shared, or not, by %s', async (_, [first, second], isShared) => {
  const before = rateLimitOf(await health({ address: first as string })).remaining
  const after = rateLimitOf(await health({ address: second as string })).remaining
  expect(before - after).toBe(isShared ? 1 : 0)
})

it('Health request rate believes CF-Connecting-IP only', async () => {
  const address = randomAddress()
  const forged = (name: string, i: number) => health({ address, headers: { [name]: `192.0.2.${i}` } })
  const names = ['x-forwarded-for', 'x-real-ip', 'true-client-ip', 'forwarded']
  const answers = []
  for (const [i, name] of names.entries()) answers.push(await forged(name, i))
  expect(answers.map((answer) => rateLimitOf(answer).remaining)).toEqual([59, 58, 57, 56])
})

it('Health request rate is one shared bucket for requests of unknown address, never a bypass', async () => {
  vi.setSystemTime(t0)
  // Straight to the Worker: on the way, a local server would add an address.
  const nameless = [null, 'unknown', 'not-an-address'].map(
    (address) => () => health({ address, bindings: {} }),
  )
  for (let i = 0; i < 60; i++) expect((await nameless[i % 3]?.())?.status).toBe(200)
  for (const ask of nameless) isLimited(await ask())
})
