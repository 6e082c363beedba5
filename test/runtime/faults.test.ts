// When parts fail: the database (D33) and the limiter (D34), at every endpoint, and the object of a dialer. Every
// answer is whole and comes within 6 seconds; the hanging cases run side by side, on real timers.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { databaseOf } from '../../src/base/database/company-store.ts'
import { runBatch } from '../../src/base/database/database.ts'
import { databaseFailing, databaseThat, hangingDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { seedDialer } from '../support/dialers/dialer-world.ts'
import { type Answer, api, health, type Options, randomAddress } from '../support/http/api.ts'
import { dataOf, expectFailure, rateLimitOf } from '../support/http/expectations.ts'
import { hangingLimiter, limiterFailing, limiterFailingTimes } from '../support/rate-limits/limiter.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../support/run/clock.ts'
import { catchLogs } from '../support/run/logs.ts'
import { withTimeLimits } from '../support/run/patience.ts'
import { newPhone, newPhones, revokeKey, seedLeads, seedWorld, storedPhones } from '../support/world.ts'

withRealLimiters()

type World = Awaited<ReturnType<typeof seedWorld>>
type Ask = (world: World, bindings: Options['bindings']) => Promise<Answer>

const create: Ask = ({ campaignId, writeKey }, bindings = {}) =>
  api(writeKey, { bindings }).createLead({ campaignId, phoneNumber: newPhone() })
const bulk: Ask = ({ campaignId, writeKey }, bindings = {}) =>
  api(writeKey, { bindings }).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] })
const list: Ask = ({ campaignId, writeKey }, bindings = {}) =>
  api(writeKey, { bindings }).listLeads({ campaignId })
const invalid: Ask = ({ writeKey }, bindings = {}) => api(writeKey, { bindings }).createLead({})
const unhealthy: Ask = (_, bindings = {}) => health({ bindings })

const endpoints = { create, bulk, list, health: unhealthy }
const successes = { create: 201, bulk: 200, list: 200, health: 200 }
type Endpoint = keyof typeof endpoints
const names = Object.keys(endpoints) as Endpoint[]

/** Makes the isolate remember the key. */
async function warmWorld(): Promise<World> {
  const world = await seedWorld()
  dataOf(await list(world, undefined), 200)
  return world
}

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body?.success, answer.body?.error]).toEqual([
    503,
    false,
    'Service temporarily unavailable',
  ])
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(answer.headers.get('x-error-code')).toBe('service_unavailable')
  rateLimitOf(answer)
}

describe('A database that fails', () => {
  const messages = [
    ['refuses', 'D1_ERROR: refused'],
    ['is overloaded', 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'],
    ['loses the connection every time', 'D1_ERROR: Network connection lost.'],
    ['has no tables', 'D1_ERROR: no such table: leads: SQLITE_ERROR'],
  ] as const
  const cases = messages.flatMap(([how, message]) => names.map((name) => [how, name, message] as const))

  it.each(cases)(
    'A database that fails is answered with 503, never 500: it %s, %s',
    async (_, name, message) => {
      const world = await warmWorld()
      expectUnavailable(await endpoints[name](world, { DB: databaseFailing(message).DB }))
      expect(await storedPhones(world.campaign)).toEqual([])
    },
  )

  it.each(['create', 'bulk', 'list'] as const)(
    'A database that fails is answered with 503 when it leaves a key unchecked, never 401: %s',
    async (name) => {
      const world = await seedWorld()
      expectUnavailable(await endpoints[name](world, { DB: databaseFailing('D1_ERROR: refused').DB }))
      await revokeKey(world.writeKeyId)
      expectUnavailable(await endpoints[name](world, { DB: databaseFailing('D1_ERROR: refused').DB }))
    },
  )

  it('A database without tables makes health 503, and the log says what to do', async () => {
    const logs = catchLogs()
    // As `wrangler dev` alone finds it in a fresh clone.
    const DB = databaseOf((statements) =>
      runInDurableObject(env.WEBHOOK_SENDERS.getByName('without tables'), (_, { storage }) =>
        statements.map(([text, values]) => ({
          results: storage.sql.exec(text, ...values).toArray(),
          meta: { changes: 0, rows_read: 0, rows_written: 0 },
        })),
      ),
    )
    expect((await health({ bindings: { DB } })).status).toBe(503)
    expect((await health()).status).toBe(200)
    expect(logs.text()).toContain('no tables: run npm start, or wrangler d1 migrations apply DB --local')
  })

  it('A database that fails keeps its error as the cause, and the log has the reason alone', async () => {
    const failed = runBatch(companyDb, [companyDb.prepare('select number from nowhere')])
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/^Database unavailable: no tables: /),
      cause: { message: expect.stringContaining('no such table: nowhere') },
    })
    const logs = catchLogs()
    const { campaignId, writeKey } = await warmWorld()
    const { DB } = databaseFailing('D1_ERROR: near "+14155550199": syntax error')
    await api(writeKey, { bindings: { DB } }).listLeads({ campaignId })
    expect(logs.text()).toContain('database unknown')
    expect(logs.text()).not.toContain('14155550199')
  })

  it('A database that fails is answered with 503 even to many requests from one address', async () => {
    const address = randomAddress()
    const { DB } = databaseFailing('D1_ERROR: refused')
    const { campaignId, writeKey } = await seedWorld()
    for (let i = 0; i < 70; i++)
      expectUnavailable(await api(writeKey, { address, bindings: { DB } }).listLeads({ campaignId }))
  })

  it('A database that fails does not keep a malformed key from its 401', async () => {
    const bindings = { DB: databaseFailing('D1_ERROR: refused').DB }
    expectFailure(await api('nonsense', { bindings }).listLeads({}), 401, 'Invalid or inactive API key')
  })

  it('A database that fails breaks off a list that has begun, so that nobody takes a part for the whole', async () => {
    const { campaign, campaignId, readKey } = await seedWorld()
    await seedLeads(
      campaign,
      newPhones(1500).map((phoneNumber) => ({ phoneNumber })),
    )
    const { DB, trips } = databaseThat((run) =>
      trips.length > 2 ? Promise.reject(new Error('D1_ERROR: refused')) : run(),
    )
    await expect(api(readKey, { bindings: { DB } }).listLeads({ campaignId })).rejects.toThrow()
    expect(trips.length).toBeGreaterThan(2)
  })

  it('A database that fails breaks off a list whose key is revoked while it is read', async () => {
    const { campaign, campaignId, readKey, readKeyId } = await seedWorld()
    await seedLeads(
      campaign,
      newPhones(1500).map((phoneNumber) => ({ phoneNumber })),
    )
    const { DB, trips } = databaseThat(async (run) => {
      if (trips.length === 3) await revokeKey(readKeyId)
      return run()
    })
    await expect(api(readKey, { bindings: { DB } }).listLeads({ campaignId })).rejects.toThrow()
  })
})

describe('A part that hangs', () => {
  withTimeLimits()

  // That the times are short enough is in unit/limits.test.ts.
  it('A part that hangs is given up by every endpoint, whichever part it is', async () => {
    const [warm, other, cold] = await Promise.all([warmWorld(), warmWorld(), seedWorld()])
    const { DB } = hangingDatabase()
    const { RATE_LIMITER } = hangingLimiter()
    const everywhere = (world: World, bindings: Options['bindings']) =>
      names.map((name) => endpoints[name](world, bindings))
    const [databaseHangs, bothHang, coldHangs, coldBothHang, recheckHangs, limiterHangs] = await Promise.all([
      Promise.all(everywhere(warm, { DB })),
      Promise.all(everywhere(warm, { DB, RATE_LIMITER })),
      Promise.all(everywhere(cold, { DB })),
      Promise.all(everywhere(cold, { DB, RATE_LIMITER })),
      invalid(warm, { DB, RATE_LIMITER }),
      Promise.all(everywhere(other, { RATE_LIMITER })),
    ])
    for (const answer of [databaseHangs, bothHang, coldHangs, coldBothHang, recheckHangs].flat())
      expectUnavailable(answer)
    expect(limiterHangs.map((answer) => answer.status)).toEqual(names.map((name) => successes[name]))
  })
})

it.each(names)(
  'A limiter that fails does not stop a request, which carries the headers of a window in memory: %s',
  async (name) => {
    const { records } = catchLogs()
    const answer = await endpoints[name](await warmWorld(), limiterFailing())
    dataOf(answer, successes[name])
    const { limit, remaining } = rateLimitOf(answer)
    expect(remaining).toBe(limit - 1)
    expect(records.at(-1)).toMatchObject({ status: successes[name], problems: ['limiter error'] })
  },
)

it('A limiter that fails does not let more through than the window holds: bulk', async () => {
  stopClock()
  const world = await warmWorld()
  for (let i = 0; i < 10; i++) expect((await bulk(world, limiterFailing())).status).toBe(200)
  const refused = await bulk(world, limiterFailing())
  expectFailure(refused, 429, 'Rate limit exceeded')
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await create(world, limiterFailing())).status).toBe(201)
})

it('A limiter that fails does not let more through than the window holds: health', async () => {
  stopClock()
  const address = randomAddress()
  for (let i = 0; i < 60; i++)
    expect((await health({ address, bindings: limiterFailing() })).status).toBe(200)
  expectFailure(await health({ address, bindings: limiterFailing() }), 429, 'Rate limit exceeded')
})

it('A limiter that fails does not let a bad key in', async () => {
  const answer = await api('nonsense', { bindings: limiterFailing() }).listLeads({})
  expectFailure(answer, 401, 'Invalid or inactive API key')
})

it('A limiter that fails is asked once more when the platform says that this is safe, and then no fault is logged', async () => {
  const { records } = catchLogs()
  const { RATE_LIMITER, calls } = limiterFailingTimes(1)
  expect((await create(await warmWorld(), { RATE_LIMITER })).status).toBe(201)
  expect(calls).toHaveLength(2)
  expect(records.at(-1)).not.toMatchObject({ problems: expect.anything() })
})

it.each([
  ['overloaded', { retryable: true, overloaded: true }],
  ['not safe to ask again', { retryable: false }],
])('A limiter that fails is asked once only when it is %s', async (_, marks) => {
  const { RATE_LIMITER, calls } = limiterFailing(marks)
  expect((await create(await warmWorld(), { RATE_LIMITER })).status).toBe(201)
  expect(calls).toHaveLength(1)
})

it('A limiter that fails decides again as soon as it is back', async () => {
  const world = await warmWorld()
  await create(world, limiterFailing())
  const answer = await create(world, {})
  // The list that warmed the key, and this one: what was admitted meanwhile is not known to the object.
  expect(rateLimitOf(answer)).toMatchObject({ limit: 1000, remaining: 998 })
})

it.each<[how: string, nudge: () => Promise<never>]>([
  ['restarts', () => Promise.reject(new Error('reset because its code was updated'))],
  ['does not answer', () => new Promise(() => {})],
])('A nudge is 503 with a time to wait while its dialer %s, and is taken afterwards', async (_, nudge) => {
  const { shown } = await seedDialer()
  const { pathname } = new URL((await shown('GET')).endUrl)
  const bindings = { DIALERS: { getByName: () => ({ nudge }) } }
  expectUnavailable(await api(null, { bindings }).request('POST', pathname))
  expect((await api(null).request('POST', pathname)).status).toBe(202)
})
