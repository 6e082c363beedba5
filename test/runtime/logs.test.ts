// The log and the metrics: one record per request with the fields that an operator needs, and the same as a data
// point. What they never hold is in canaries.test.ts.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { seedAgent } from '../support/calling/agent.ts'
import { databaseFailing, watchedDatabase } from '../support/database/database.ts'
import { isOfD1 } from '../support/database/store.ts'
import { api, health } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { limiterFailing } from '../support/rate-limits/limiter.ts'
import { brokenMetrics, catchLogs, catchMetrics } from '../support/run/logs.ts'
import { newPhone, newPhones, seedWorld, storedPhones } from '../support/world.ts'

let metrics: ReturnType<typeof catchMetrics>
beforeEach(() => {
  metrics = catchMetrics()
})

/** Fails where nobody expects it. */
const explodingDatabase = {
  prepare: () => {
    throw new TypeError('cannot read properties of undefined')
  },
}

describe('The log', () => {
  it('The log has one record per request, with all that an operator needs', async () => {
    const { campaignId, writeKey, writeKeyId } = await seedWorld()
    const { records } = catchLogs()
    const client = api(writeKey, {
      headers: { 'x-request-id': 'my-request' },
      cf: { colo: 'FRA', country: 'DE' },
    })
    const [a, b] = newPhones(2) as [string, string]
    const leads = [a, b, a].map((phone) => ({ phoneNumber: phone }))
    dataOf(await client.importLeads({ campaignId, leads }), 200)
    const time = expect.any(Number)
    expect(records).toEqual([
      {
        event: 'request',
        requestId: 'my-request',
        method: 'POST',
        route: '/api/v1/leads/bulk',
        status: 200,
        errorCode: undefined,
        durationMs: time,
        limiterMs: time,
        databaseMs: time,
        keyId: writeKeyId,
        campaignId,
        leadsCreated: 2,
        leadsSkipped: 1,
        problems: undefined,
        colo: 'FRA',
        country: 'DE',
      },
    ])
  })

  it.each([
    ['a list', 'GET', '/api/v1/leads?campaignId=none', '/api/v1/leads', 403, 'campaign_denied'],
    ['a path that is not there', 'GET', '/api/v1/nothing', '/api/v1/*', 404, 'not_found'],
    ['a wrong method', 'PUT', '/api/v1/leads', '/api/v1/leads', 405, 'method_not_allowed'],
    ['a path outside', 'GET', '/elsewhere', '/*', 404, 'not_found'],
  ])(
    'The log has the route’s pattern, the status and the error code: %s',
    async (_, method, path, route, status, code) => {
      const { readKey } = await seedWorld()
      const { records } = catchLogs()
      await api(readKey).request(method, path)
      expect(records).toMatchObject([{ method, route, status, errorCode: code }])
    },
  )

  it('The log has the same request id as the answer', async () => {
    const { records } = catchLogs()
    const { headers: sent } = await health()
    expect(records[0]?.requestId).toBe(sent.get('x-request-id'))
  })

  it('The log names a campaign only once the key has been granted it', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const { records } = catchLogs()
    await api(writeKey).listLeads({ campaignId: 'none' })
    await api(writeKey).listLeads({ campaignId })
    expect(records.map((record) => record.campaignId)).toEqual([undefined, campaignId])
  })

  it('The log does not count the time for which a claim was held as its duration', async () => {
    const agent = await seedAgent()
    const { records } = catchLogs()
    const { METRICS, points } = metrics
    const { DB, trips } = watchedDatabase()
    const body = { campaignId: agent.campaignId, waitSeconds: 25 }
    const claim = () =>
      api(agent.agentKey, { bindings: { DB, METRICS } }).request('POST', '/api/v1/calls/claim', body)
    // The clock alone, without timers: the wait has begun once its second try is answered.
    vi.useFakeTimers({ toFake: ['Date'] })
    const waiting = claim()
    const isClaim = ({ sql }: { sql: string }) => sql.startsWith('insert into claims')
    const triesAnswered = () =>
      trips.filter(({ results, statements }) => results.length > 0 && statements.some(isClaim)).length
    while (triesAnswered() < 2) await new Promise((resolve) => setTimeout(resolve, 10))
    vi.setSystemTime(Date.now() + 7_000)
    await agent.add()
    await waiting
    await claim()
    const claims = records.filter(({ route }) => route === '/api/v1/calls/claim')
    expect(claims).toMatchObject([{ durationMs: 0, waitedMs: 7_000 }, { durationMs: 0 }])
    // It was answered at once.
    expect(claims[1]).not.toHaveProperty('waitedMs')
    expect(points.map(({ doubles }) => [doubles?.[1], doubles?.[8]])).toEqual([
      [0, 7_000],
      [0, 0],
    ])
  })

  const failures: readonly (readonly [what: string, bindings: object, problem: string])[] = [
    ['a database that refuses', { DB: databaseFailing('D1_ERROR: whatever').DB }, 'database unknown'],
    [
      'a database that is overloaded',
      { DB: databaseFailing('D1 DB is overloaded').DB },
      'database overloaded',
    ],
    ['a limiter that fails', limiterFailing(), 'limiter error'],
  ]
  const unforeseen: typeof failures = isOfD1('unforeseen')
    ? []
    : [['an error that nobody foresaw', { DB: explodingDatabase }, 'unexpected TypeError']]

  it.each([...failures, ...unforeseen])(
    'The log says what failed behind the answer: %s',
    async (_, bindings, problem) => {
      const { campaignId, writeKey } = await seedWorld()
      await api(writeKey).listLeads({ campaignId })
      const { records } = catchLogs()
      await api(writeKey, { bindings }).createLead({ campaignId, phoneNumber: newPhone() })
      expect(records).toMatchObject([{ problems: [problem] }])
    },
  )
})

it('Metrics are one data point per request, with what the log holds, each at its fixed place', async () => {
  const { campaignId, writeKey, writeKeyId } = await seedWorld()
  const { METRICS, points } = metrics
  const client = api(writeKey, { bindings: { METRICS }, cf: { colo: 'FRA', country: 'DE' } })
  const repeated = { phoneNumber: newPhone() }
  dataOf(await client.importLeads({ campaignId, leads: [repeated, repeated] }), 200)
  await client.listLeads({ campaignId: 'none' })
  const time = expect.any(Number)
  expect(points).toEqual([
    {
      indexes: [writeKeyId],
      blobs: ['POST', '/api/v1/leads/bulk', '', writeKeyId, campaignId, 'FRA', 'DE'],
      doubles: [200, time, time, time, 1, 1, 0, 0, 0],
    },
    {
      indexes: [writeKeyId],
      blobs: ['GET', '/api/v1/leads', 'campaign_denied', writeKeyId, '', 'FRA', 'DE'],
      doubles: [403, time, time, time, 0, 0, 0, 0, 0],
    },
  ])
})

it('Metrics are written for a request without a key', async () => {
  const { METRICS, points } = metrics
  await health({ bindings: { METRICS } })
  expect(points).toMatchObject([{ indexes: ['none'], blobs: ['GET', '/api/health', '', '', '', '', ''] }])
})

it.each([
  ['refuses', brokenMetrics],
  ['is not there', undefined],
])('Metrics are not worth a lead: a dataset that %s changes no answer', async (_, METRICS) => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const phone = newPhone()
  const client = api(writeKey, { bindings: { METRICS } })
  dataOf(await client.createLead({ campaignId, phoneNumber: phone }), 201)
  expect(await storedPhones(campaign)).toEqual([phone])
  expect((await client.createLead({ campaignId, phoneNumber: phone })).status).toBe(409)
})
