// Resources, Response envelope: D1, and the headers that every answer has (D31, D32).
import { describe, expect, it } from 'vitest'
import { type Answer, api, health } from '../support/api.ts'
import { databaseFailing } from '../support/database.ts'
import { expectFailure } from '../support/expectations.ts'
import { newPhone, seedWorld, spendHour } from '../support/world.ts'

type World = Awaited<ReturnType<typeof seedWorld>>

const successes: [name: string, status: number, ask: (world: World) => Promise<Answer>][] = [
  ['create', 201, (w) => api(w.writeKey).createLead({ campaignId: w.campaignId, phoneNumber: newPhone() })],
  ['list', 200, (w) => api(w.readKey).listLeads({ campaignId: w.campaignId })],
  [
    'bulk',
    200,
    (w) => api(w.writeKey).importLeads({ campaignId: w.campaignId, leads: [{ phoneNumber: newPhone() }] }),
  ],
  ['health', 200, () => health()],
]

const failures: [name: string, status: number, code: string, ask: (world: World) => Promise<Answer>][] = [
  ['a missing field', 400, 'invalid_field', (w) => api(w.writeKey).createLead({})],
  ['broken JSON', 400, 'invalid_json', (w) => api(w.writeKey).createLead('{')],
  ['a wrong key', 401, 'invalid_api_key', () => api('nonsense').listLeads({ campaignId: 'any' })],
  ['a read key that writes', 403, 'insufficient_permissions', (w) => api(w.readKey).createLead({})],
  [
    'a campaign that is not there',
    403,
    'campaign_denied',
    (w) => api(w.readKey).listLeads({ campaignId: 'none' }),
  ],
  ['an unknown path', 404, 'not_found', (w) => api(w.readKey).request('GET', '/api/v1/nothing')],
  ['a path outside the interface', 404, 'not_found', () => api(null).request('GET', '/elsewhere')],
  ['a wrong method', 405, 'method_not_allowed', (w) => api(w.writeKey).request('DELETE', '/api/v1/leads')],
  ['a wrong method on health', 405, 'method_not_allowed', () => health({ method: 'POST' })],
  ['a duplicate', 409, 'lead_exists', createTwice],
  ['a body too large', 413, 'body_too_large', (w) => api(w.writeKey).createLead(' '.repeat(64 * 1024 + 1))],
  [
    'a body that is not JSON',
    415,
    'unsupported_media_type',
    (w) => api(w.writeKey).createLead('hello', { 'content-type': 'text/plain' }),
  ],
  ['a spent limit', 429, 'rate_limited', listBeyondTheLimit],
  ['a failure nobody foresaw', 500, 'internal_error', listWithoutDatabase],
  ['a database that refuses', 503, 'service_unavailable', listWithDatabaseDown],
]

async function createTwice({ campaignId, writeKey }: World) {
  const lead = { campaignId, phoneNumber: newPhone() }
  await api(writeKey).createLead(lead)
  return api(writeKey).createLead(lead)
}

async function listBeyondTheLimit({ campaignId, readKey, readKeyId }: World) {
  await spendHour(readKeyId, 1000)
  return api(readKey).listLeads({ campaignId })
}

function listWithoutDatabase({ campaignId, readKey }: World) {
  return api(readKey, { bindings: { DB: undefined } }).listLeads({ campaignId })
}

function listWithDatabaseDown({ campaignId, readKey }: World) {
  const { DB } = databaseFailing('D1_ERROR: refused')
  return api(readKey, { bindings: { DB } }).listLeads({ campaignId })
}

describe('Response envelope', () => {
  it.each(successes)('holds success, data and error, and nothing else, on success: %s', async (...row) => {
    const [, status, ask] = row
    const { body, ...answer } = await ask(await seedWorld())
    expect(answer.status).toBe(status)
    expect(body).toEqual({ success: true, data: expect.any(Object), error: null })
    expect(answer.headers.get('x-error-code')).toBeNull()
  })

  it.each(failures)('holds success, data and error, and nothing else, on failure: %s', async (...row) => {
    const [, status, code, ask] = row
    const answer = await ask(await seedWorld())
    expectFailure(answer, status, answer.body?.error as string, code)
    expect(answer.body?.error).toMatch(/^[ -~]+$/)
  })

  it('holds the three keys on an unhealthy answer too, with data that tells what was seen', async () => {
    const { body } = await health({ bindings: { DB: databaseFailing('D1_ERROR: refused').DB } })
    expect(body).toEqual({
      success: false,
      data: expect.any(Object),
      error: 'Service temporarily unavailable',
    })
  })

  it.each([
    ...successes.map(([name, , ask]) => [name, ask] as const),
    ...failures.map(([name, , , ask]) => [name, ask] as const),
  ])('is JSON that nobody caches or sniffs: %s', async (_, ask) => {
    const { headers } = await ask(await seedWorld())
    expect(headers.get('content-type')).toMatch(/^application\/json(; ?charset=utf-8)?$/i)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('Request id', () => {
  it.each([
    ...successes.map(([name, , ask]) => [name, ask] as const),
    ...failures.map(([name, , , ask]) => [name, ask] as const),
  ])('is on every answer, a new one each time: %s', async (_, ask) => {
    const ids = [await ask(await seedWorld()), await ask(await seedWorld())].map(({ headers }) =>
      headers.get('x-request-id'),
    )
    expect(ids[0]).toMatch(/^[\x21-\x7e]{1,128}$/)
    expect(ids[1]).not.toBe(ids[0])
  })

  it.each([
    ['one character', '~'],
    ['128 characters', 'x'.repeat(128)],
    ['punctuation', '!req/42:"a"'],
  ])('is the one the client sent: %s', async (_, id) => {
    const { headers } = await health({ headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toBe(id)
  })

  it('is the one the client sent, on a failure too', async () => {
    const { headers } = await api(null).request('GET', '/api/v1/leads', undefined, { 'x-request-id': 'mine' })
    expect(headers.get('x-request-id')).toBe('mine')
  })

  it.each([
    ['empty', ''],
    ['129 characters', 'x'.repeat(129)],
    ['a space inside', 'a b'],
    ['a tab inside', 'a\tb'],
    ['a delete character', 'a\x7fb'],
  ])('is a new one when what the client sent does not fit: %s', async (_, id) => {
    const sent = (await health({ headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(sent).not.toBe(id)
    expect(sent).toMatch(/^[\x21-\x7e]{1,128}$/)
  })
})
