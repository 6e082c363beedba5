// Endpoints, availability check: who may ask, what is checked, and the bodies (D28). Its limit is in limits.test.ts;
// that a database which hangs is given up in time, in ../runtime/faults.test.ts.
import { expect, it, vi } from 'vitest'
import { databaseFailing, watchedDatabase } from '../../support/database/database.ts'
import { health } from '../../support/http/api.ts'
import { expectFailure, rateLimitOf } from '../../support/http/expectations.ts'
import { withRealLimiters } from '../../support/rate-limits/quick-limiters.ts'

withRealLimiters()

it('GET /api/health needs no key, and answers 200 with what was checked', async () => {
  vi.setSystemTime('2027-03-01T09:30:00.250Z')
  const answer = await health()
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    success: true,
    data: {
      status: 'ok',
      timestamp: '2027-03-01T09:30:00.250Z',
      version: expect.stringMatching(/^2\.\d+\.\d+$/),
      checks: { database: { status: 'ok', latencyMs: expect.any(Number) } },
    },
    error: null,
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

it('GET /api/health looks at no key: a wrong one changes nothing', async () => {
  expect((await health({ headers: { 'x-api-key': 'nonsense' } })).status).toBe(200)
})

it('GET /api/health runs a query on a table, and reads no row', async () => {
  const { DB, trips } = watchedDatabase()
  await health({ bindings: { DB } })
  expect(trips.flatMap((trip) => trip.statements)).toHaveLength(1)
  expect(trips[0]?.statements[0]?.sql).toMatch(/^\s*select\b/i)
  expect(trips[0]?.results[0]?.meta.rows_read).toBe(0)
})

it.each([
  ['refuses', databaseFailing('D1_ERROR: refused')],
  ['is overloaded', databaseFailing('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')],
])('GET /api/health answers 503 with what was seen when the database %s', async (_, { DB }) => {
  const answer = await health({ bindings: { DB } })
  expect(answer.status).toBe(503)
  expect(answer.body).toEqual({
    success: false,
    data: {
      status: 'error',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: expect.any(String),
      checks: { database: { status: 'error', latencyMs: expect.any(Number) } },
    },
    error: 'Service temporarily unavailable',
  })
  expect(answer.headers.get('x-error-code')).toBe('service_unavailable')
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  rateLimitOf(answer)
})

it('GET /api/health answers HEAD as it answers GET, without a body', async () => {
  const well = await health({ method: 'HEAD' })
  expect([well.status, well.text]).toEqual([200, ''])
  const ill = await health({ method: 'HEAD', bindings: { DB: databaseFailing('D1_ERROR: refused').DB } })
  expect([ill.status, ill.text]).toEqual([503, ''])
  for (const answer of [well, ill]) {
    expect(answer.headers.get('cache-control')).toBe('no-store')
    rateLimitOf(answer)
  }
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('GET /api/health does not take %s', async (method) => {
  const answer = await health({ method })
  expectFailure(answer, 405, 'Method not allowed', 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe('GET, HEAD')
})
