// The budget of a request: how many calls to the limiter and round trips to the database each costs. Counted on the
// bindings, so that one more call, from any part, fails here.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { seedAgent } from '../support/calling/agent.ts'
import { watchedBells } from '../support/calling/bell.ts'
import { fillQueue, suppressFirst } from '../support/calling/calling.ts'
import { watchedDatabase } from '../support/database/database.ts'
import { mistyped } from '../support/database/seed.ts'
import { companyDb, isOfD1 } from '../support/database/store.ts'
import { type Answer, api, health } from '../support/http/api.ts'
import { times } from '../support/http/expectations.ts'
import { watchedLimiter } from '../support/rate-limits/limiter.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../support/run/clock.ts'
import {
  newPhone,
  newPhones,
  revokeKey,
  seedKey,
  seedLeads,
  seedWorld,
  spendBulks,
  spendHour,
  unknownKey,
} from '../support/world.ts'

withRealLimiters()

type World = Awaited<ReturnType<typeof seedWorld>>
type Bindings = { DB: D1Database; RATE_LIMITER: unknown }

const create = ({ campaignId, writeKey }: World, bindings: Bindings) =>
  api(writeKey, { bindings }).createLead({ campaignId, phoneNumber: newPhone() })
const bulk = ({ campaignId, writeKey }: World, bindings: Bindings) =>
  api(writeKey, { bindings }).importLeads({
    campaignId,
    leads: newPhones(1000).map((phoneNumber) => ({ phoneNumber })),
  })
const list = ({ campaignId, writeKey }: World, bindings: Bindings) =>
  api(writeKey, { bindings }).listLeads({ campaignId })

/** What the request cost, and how it ended. */
async function costOf(ask: (bindings: Bindings) => Promise<Answer>) {
  const { DB, trips } = watchedDatabase()
  const { RATE_LIMITER, calls } = watchedLimiter()
  const { status } = await ask({ DB, RATE_LIMITER })
  return { status, limiterCalls: calls.length, roundTrips: trips.length }
}

/** Makes the isolate remember the key. */
async function warm(world: World) {
  await api(world.writeKey).listLeads({ campaignId: world.campaignId })
}

it('The budget is one limiter call and one round trip: a claim, and a report with a claim', async () => {
  const agent = await seedAgent()
  const ask = (path: string, body: object) =>
    costOf((bindings) => api(agent.agentKey, { bindings }).request('POST', `/api/v1/calls/${path}`, body))
  // Writes the opening hours of two weeks, once.
  const { callId } = await agent.call()
  await agent.add()
  const { campaignId } = agent
  const claimed = await ask('claim', { campaignId })
  const reported = await ask('report', { calls: [{ callId, outcome: 'busy' }], claim: { campaignId } })
  for (const cost of [claimed, reported])
    expect(cost).toEqual({ status: 200, limiterCalls: 1, roundTrips: 1 })
})

it('The budget is one limiter call and one round trip: an overview', async () => {
  const agent = await seedAgent()
  await agent.call()
  await fillQueue(agent.campaign, 2_000)
  const { DB, trips } = watchedDatabase()
  const { RATE_LIMITER, calls } = watchedLimiter()
  const client = api(agent.manageKey, { bindings: { DB, RATE_LIMITER } })
  await client.request('GET', '/api/v1/campaigns')
  const [callsBefore, tripsBefore] = [calls.length, trips.length]
  const { status } = await client.request('GET', `${agent.campaignPath}/overview`)
  expect({
    status,
    limiterCalls: calls.length - callsBefore,
    roundTrips: trips.length - tripsBefore,
  }).toEqual({
    status: 200,
    limiterCalls: 1,
    roundTrips: 1,
  })
  expect(trips.at(-1)?.statements.length).toBe(7)
})

it('The budget is 40 statements at most: a report of 100 calls with details and a claim, when nothing is prepared', async () => {
  const agent = await seedAgent()
  const leads = newPhones(150).map((phoneNumber) => ({ phoneNumber }))
  await api(agent.writeKey).importLeads({ campaignId: agent.campaignId, leads })
  const { calls } = await agent.claim({ limit: 100 })
  await agent.claim({ limit: 20 })
  await companyDb
    .prepare(
      `update leads set lease_expires_at_ms = 1 where seq in (select seq from leads
         where campaign_number = ?1 and lease_expires_at_ms is not null order by seq desc limit 20)`,
    )
    .bind(agent.campaign.number)
    .run()
  // The next claim has to write other openings.
  await agent.change({ callingHours: { mon: [['00:00', '23:00']] } })
  // Quotes make them longer on their way than anything else.
  const details = { text: '"'.repeat(8_180) }
  const items = calls.map(({ callId }) => ({ callId, outcome: 'busy', details, doNotCall: true }))
  const { DB, trips } = watchedDatabase()
  const { key } = await seedKey({ companyId: agent.companyId, scope: 'agent' })
  const body = { calls: items, claim: { campaignId: agent.campaignId, limit: 100 } }
  const answer = await api(key, { bindings: { DB } }).request('POST', '/api/v1/calls/report', body)
  expect(answer.body).toMatchObject({
    success: true,
    data: { claim: { calls: [], reason: 'waiting', retryAfterSeconds: 1 } },
  })
  // The key, the report with its claim, the leases, and the openings.
  expect(trips).toHaveLength(4)
  expect(trips.flatMap((trip) => trip.statements).length).toBeLessThanOrEqual(40)
  expect((await agent.claim({ limit: 100 })).calls).toHaveLength(30)
})

it('The budget is 40 statements at most: a claim that writes openings, and looks at many blocked leads', async () => {
  const agent = await seedAgent()
  await fillQueue(agent.campaign, 700)
  await suppressFirst(agent.campaign)
  const { DB, trips } = watchedDatabase()
  const { key } = await seedKey({ companyId: agent.companyId, scope: 'agent' })
  const body = { campaignId: agent.campaignId, limit: 100 }
  const answer = await api(key, { bindings: { DB } }).request('POST', '/api/v1/calls/claim', body)
  expect(answer.body).toMatchObject({ success: true, data: { calls: [], reason: 'waiting' } })
  expect(trips).toHaveLength(4)
  expect(trips.flatMap((trip) => trip.statements).length).toBeLessThanOrEqual(40)
})

it('The budget is one limiter call, one bell call and three trips with a remembered key: a claim that waits', async () => {
  const agent = await seedAgent()
  await agent.add()
  await agent.claim()
  const { CAMPAIGN_BELLS, rings, registered } = watchedBells()
  const cost = await costOf((bindings) =>
    api(agent.agentKey, { bindings: { ...bindings, CAMPAIGN_BELLS } }).request(
      'POST',
      '/api/v1/calls/claim',
      {
        campaignId: agent.campaignId,
        waitSeconds: 1,
      },
    ),
  )
  expect(cost).toEqual({ status: 200, limiterCalls: 1, roundTrips: 3 })
  expect([registered.length, rings.length]).toEqual([1, 0])
})

it('The budget is 40 statements at most: a claim with an unknown key that writes openings, looks at many leads and waits', async () => {
  const agent = await seedAgent()
  await fillQueue(agent.campaign, 700)
  await suppressFirst(agent.campaign)
  const { DB, trips } = watchedDatabase()
  const { RATE_LIMITER, calls } = watchedLimiter()
  const { CAMPAIGN_BELLS, rings, registered } = watchedBells()
  const { key } = await seedKey({ companyId: agent.companyId, scope: 'agent' })
  const body = { campaignId: agent.campaignId, limit: 100, waitSeconds: 1 }
  const answer = await api(key, { bindings: { DB, RATE_LIMITER, CAMPAIGN_BELLS } }).request(
    'POST',
    '/api/v1/calls/claim',
    body,
  )
  expect(answer.body).toMatchObject({ success: true, data: { calls: [] } })
  expect(registered).toHaveLength(1)
  expect(calls).toHaveLength(1)
  // Its timer rings, and looks a second later, unless the wait is over.
  expect(rings.length).toBeLessThanOrEqual(1)
  expect(trips.flatMap((trip) => trip.statements).length).toBeLessThanOrEqual(40)
})

it.each([
  ['create', 201, create],
  ['bulk of 1000 leads', 200, bulk],
  ['list', 200, list],
] as const)('The budget is one limiter call and one round trip: %s', async (_, status, ask) => {
  const world = await seedWorld()
  await warm(world)
  const cost = await costOf((bindings) => ask(world, bindings))
  expect(cost).toEqual({ status, limiterCalls: 1, roundTrips: 1 })
})

it('The budget is one limiter call and one round trip: a key that asks what it is', async () => {
  const world = await seedWorld()
  await warm(world)
  const cost = await costOf((bindings) =>
    api(world.writeKey, { bindings }).request('GET', '/api/v1/keys/self'),
  )
  expect(cost).toEqual({ status: 200, limiterCalls: 1, roundTrips: 1 })
})

it('The budget is one limiter call and one round trip: list of 1000 leads', async () => {
  const world = await seedWorld()
  await seedLeads(
    world.campaign,
    newPhones(1000).map((phoneNumber) => ({ phoneNumber })),
  )
  await warm(world)
  const cost = await costOf((bindings) => list(world, bindings))
  expect(cost).toEqual({ status: 200, limiterCalls: 1, roundTrips: 1 })
})

it('The budget is one limiter call and one round trip: health', async () => {
  const cost = await costOf((bindings) => health({ bindings }))
  expect(cost).toEqual({ status: 200, limiterCalls: 1, roundTrips: 1 })
})

it('The budget is one limiter call and one round trip: a duplicate, and a campaign that is denied', async () => {
  const world = await seedWorld()
  const lead = { campaignId: world.campaignId, phoneNumber: newPhone() }
  await api(world.writeKey).createLead(lead)
  const duplicate = await costOf((bindings) => api(world.writeKey, { bindings }).createLead(lead))
  expect(duplicate).toEqual({ status: 409, limiterCalls: 1, roundTrips: 1 })
  const denied = await costOf((bindings) => list({ ...world, campaignId: 'none' }, bindings))
  expect(denied).toEqual({ status: 403, limiterCalls: 1, roundTrips: 1 })
})

it.each([
  ['create', 201, create],
  ['bulk of 1000 leads', 200, bulk],
  ['list', 200, list],
] as const)(
  'The budget is one round trip more with a key that is not remembered: %s',
  async (_, status, ask) => {
    const world = await seedWorld()
    const cost = await costOf((bindings) => ask(world, bindings))
    expect(cost).toEqual({ status, limiterCalls: 1, roundTrips: 2 })
  },
)

it('There is no round trip for a request refused with 429', async () => {
  const world = await seedWorld()
  await warm(world)
  await spendBulks(world.writeKeyId, 10)
  expect(await costOf((bindings) => bulk(world, bindings))).toMatchObject({ status: 429, roundTrips: 0 })
  await spendHour(world.writeKeyId, 1000)
  for (const ask of [create, list])
    expect(await costOf((bindings) => ask(world, bindings))).toMatchObject({ status: 429, roundTrips: 0 })
})

it('There is no limiter call either when the isolate remembers the refusal', async () => {
  const world = await seedWorld()
  await warm(world)
  await spendHour(world.writeKeyId, 1000)
  await costOf((bindings) => list(world, bindings))
  const again = await costOf((bindings) => list(world, bindings))
  expect(again).toEqual({ status: 429, limiterCalls: 0, roundTrips: 0 })
})

it('The budget is one limiter call for 50 bulks that their minute refuses', async () => {
  stopClock()
  const world = await seedWorld()
  await spendBulks(world.writeKeyId, 10)
  const { RATE_LIMITER, calls } = watchedLimiter()
  const answers = await times(50, () => bulk(world, { DB: companyDb, RATE_LIMITER }))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
  expect(calls).toHaveLength(1)
})

it('The budget is one limiter call more for a refused bulk when the key has spent a unit of its hour since', async () => {
  stopClock()
  const world = await seedWorld()
  await spendBulks(world.writeKeyId, 10)
  await spendHour(world.writeKeyId, 989)
  await bulk(world, { DB: companyDb, RATE_LIMITER: env.RATE_LIMITER })
  await list(world, { DB: companyDb, RATE_LIMITER: env.RATE_LIMITER })
  const answer = await bulk(world, { DB: companyDb, RATE_LIMITER: env.RATE_LIMITER })
  // The hour is full now, and longer than the minute.
  expect(answer.headers.get('retry-after')).toBe('3600')
})

it('There is no round trip for health beyond its limit', async () => {
  const address = '198.51.100.7'
  for (let i = 0; i < 60; i++) await health({ address })
  const cost = await costOf((bindings) => health({ address, bindings }))
  expect(cost).toMatchObject({ status: 429, roundTrips: 0 })
})

it.each([
  ['none', null],
  ['nonsense', 'nonsense'],
  ['a typo', mistyped(unknownKey())],
])('The budget is the address’s window alone for a malformed key: %s', async (_, key) => {
  const cost = await costOf((bindings) => api(key, { bindings }).listLeads({ campaignId: 'any' }))
  expect(cost).toEqual({ status: 401, limiterCalls: 1, roundTrips: 0 })
})

it.skipIf(isOfD1('lookUps'))('The budget is one look-up for a key that nobody has', async () => {
  const cost = await costOf((bindings) => api(unknownKey(), { bindings }).listLeads({ campaignId: 'any' }))
  expect(cost).toEqual({ status: 401, limiterCalls: 1, roundTrips: 1 })
})

it('The budget is one look-up for a request that is invalid, since its key is checked again', async () => {
  const world = await seedWorld()
  const invalid = (bindings: Bindings) => api(world.writeKey, { bindings }).createLead({})
  expect(await costOf(invalid)).toEqual({ status: 400, limiterCalls: 1, roundTrips: 1 })
  expect(await costOf(invalid)).toEqual({ status: 400, limiterCalls: 1, roundTrips: 1 })
})

it.skipIf(isOfD1('lookUps'))(
  'The budget is one round trip for the first request of a revoked key, and its two windows',
  async () => {
    const world = await seedWorld()
    await warm(world)
    await revokeKey(world.writeKeyId)
    const first = await costOf((bindings) => create(world, bindings))
    expect(first).toEqual({ status: 401, limiterCalls: 2, roundTrips: 1 })
    const second = await costOf((bindings) => create(world, bindings))
    expect(second).toEqual({ status: 401, limiterCalls: 1, roundTrips: 0 })
  },
)
