// Errors: each message of the contract and of D10, its status (D3) and its code (D32). Which comes first when
// several apply is in order-of-checks.test.ts.
import { describe, expect, it } from 'vitest'
import { api, type Body } from '../support/api.ts'
import { dataOf, expectFailure } from '../support/expectations.ts'
import { newPhone, newPhones, seedKey, seedWorld, storedPhones } from '../support/world.ts'

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
/** Metadata whose JSON is this long. */
const metadataOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

const required = [undefined, null, '']

describe('Validation of a create', () => {
  it.each<[field: string, message: string, value: unknown]>([
    ...required.map((value): [string, string, unknown] => ['campaignId', 'campaignId is required', value]),
    ...required.map((value): [string, string, unknown] => ['phoneNumber', 'phoneNumber is required', value]),
    ['campaignId', 'campaignId must be a string of at most 128 characters', 7],
    ['campaignId', 'campaignId must be a string of at most 128 characters', 'x'.repeat(129)],
    ['phoneNumber', 'phoneNumber must be in E.164 format', '0151'],
    ['externalId', 'externalId must be a string of at most 255 characters', 'x'.repeat(256)],
    ['externalId', 'externalId must be a string of at most 255 characters', 7],
    ['metadata', 'metadata must be an object', 'x'],
    ['metadata', 'metadata must be at most 16384 bytes', metadataOf(16385)],
    ['metadata', 'metadata must be at most 16384 bytes', { a: 'ä'.repeat(8189) }],
    ['metadata', 'metadata must be nested at most 32 levels deep', nested(33)],
    ['scheduledFor', 'scheduledFor must be an ISO 8601 timestamp with a UTC offset', 'soon'],
    ['priority', 'priority must be an integer between 0 and 100', 101],
  ])('refuses a bad %s: %s (%#)', async (field, message, value) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const lead = { campaignId, phoneNumber: newPhone(), [field]: value }
    expectFailure(await api(writeKey).createLead(lead), 400, message, 'invalid_field')
    expect(await storedPhones(campaign)).toEqual([])
  })

  it.each<[string, object]>([
    ['an externalId of 255 characters', { externalId: 'x'.repeat(255) }],
    ['metadata of 16384 bytes', { metadata: metadataOf(16384) }],
    ['metadata 32 levels deep', { metadata: nested(32) }],
    ['metadata that only reads like deep nesting', { metadata: { a: '{'.repeat(100) } }],
  ])('takes what is just within the limits: %s', async (_, fields) => {
    const { campaignId, writeKey } = await seedWorld()
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), ...fields }), 201)
  })
})

describe('Validation of a bulk', () => {
  it.each<[string, object, string]>([
    ['no campaignId', { leads: [{}] }, 'campaignId is required'],
    ['no leads', { campaignId: 'c' }, 'leads array is required'],
    ['leads of null', { campaignId: 'c', leads: null }, 'leads array is required'],
    ['leads of text', { campaignId: 'c', leads: 'x' }, 'leads array is required'],
    ['leads of an object', { campaignId: 'c', leads: { 0: {}, length: 1 } }, 'leads array is required'],
    ['no lead', { campaignId: 'c', leads: [] }, 'leads array cannot be empty'],
    ['1001 leads', { campaignId: 'c', leads: Array(1001).fill({}) }, 'Maximum 1000 leads per bulk request'],
    ['a lead without phoneNumber', { campaignId: 'c', leads: [{}] }, 'leads[0].phoneNumber is required'],
    [
      'a lead with an empty phoneNumber',
      { campaignId: 'c', leads: [{ phoneNumber: '+4915112345678' }, { phoneNumber: '' }] },
      'leads[1].phoneNumber is required',
    ],
    ...[null, 'x', 5, true, []].map((item): [string, object, string] => [
      `a lead that is ${JSON.stringify(item)}`,
      { campaignId: 'c', leads: [item] },
      'leads[0].phoneNumber is required',
    ]),
  ])('refuses %s', async (_, body, message) => {
    const { writeKey } = await seedWorld()
    expectFailure(await api(writeKey).importLeads(body), 400, message, 'invalid_field')
  })

  it.each<[string, unknown, string]>([
    ['phoneNumber', '0151', 'phoneNumber must be in E.164 format'],
    ['externalId', 'x'.repeat(256), 'externalId must be a string of at most 255 characters'],
    ['metadata', [], 'metadata must be an object'],
    ['metadata', metadataOf(16385), 'metadata must be at most 16384 bytes'],
    ['metadata', nested(33), 'metadata must be nested at most 32 levels deep'],
    ['scheduledFor', '2027-01-01', 'scheduledFor must be an ISO 8601 timestamp with a UTC offset'],
    ['priority', 1.5, 'priority must be an integer between 0 and 100'],
  ])('puts the item’s path before the message for %s', async (field, value, message) => {
    const { campaignId, writeKey } = await seedWorld()
    const leads: object[] = newPhones(1000).map((phoneNumber) => ({ phoneNumber }))
    leads[999] = { phoneNumber: newPhone(), [field]: value }
    expectFailure(await api(writeKey).importLeads({ campaignId, leads }), 400, `leads[999].${message}`)
  })
})

describe('Bodies', () => {
  const endpoints = [
    ['create', '/api/v1/leads', 64 * 1024],
    ['bulk', '/api/v1/leads/bulk', 8 * 1024 * 1024],
  ] as const

  it.each<[string, Body]>([
    ['cut off', '{"campaignId":"c"'],
    ['empty', ''],
    ['followed by more', '{} {}'],
    ['with a trailing comma', '{"a":1,}'],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['words', 'hello'],
  ])('must be valid JSON: %s is refused', async (_, body) => {
    const { writeKey } = await seedWorld()
    for (const [, path] of endpoints) {
      const answer = await api(writeKey).request('POST', path, body)
      expectFailure(answer, 400, 'Request body must be valid JSON', 'invalid_json')
    }
  })

  it.each(['[]', 'null', '"text"', '7', 'true'])('must be a JSON object: %s is refused', async (body) => {
    const { writeKey } = await seedWorld()
    for (const [, path] of endpoints) {
      const answer = await api(writeKey).request('POST', path, body)
      expectFailure(answer, 400, 'Request body must be a JSON object')
    }
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'may come as %s',
    async (type) => {
      const { campaignId, writeKey } = await seedWorld()
      const lead = { campaignId, phoneNumber: newPhone() }
      dataOf(await api(writeKey).createLead(lead, { 'content-type': type }), 201)
    },
  )

  it.each([
    ['nothing', null],
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['another charset', 'application/json; charset=latin1'],
    ['what only begins alike', 'application/jsonp'],
  ])('must come as application/json: %s is refused', async (_, type) => {
    const { campaignId, writeKey } = await seedWorld()
    for (const [, path] of endpoints) {
      const body = JSON.stringify({ campaignId, phoneNumber: newPhone() })
      const answer = await api(writeKey).request('POST', path, new TextEncoder().encode(body), {
        'content-type': type,
      })
      expectFailure(answer, 415, 'Content-Type must be application/json', 'unsupported_media_type')
    }
  })

  it.each(endpoints)('may be so large, and not a byte larger: %s', async (endpoint, path, maxBytes) => {
    const { campaignId, writeKey } = await seedWorld()
    const lead = { phoneNumber: newPhone() }
    const json = JSON.stringify({ campaignId, ...(endpoint === 'bulk' ? { leads: [lead] } : lead) })
    const padding = ' '.repeat(maxBytes - json.length)
    const tooLarge = await api(writeKey).request('POST', path, `${json}${padding} `)
    expectFailure(tooLarge, 413, 'Request body too large', 'body_too_large')
    const within = await api(writeKey).request('POST', path, json + padding)
    dataOf(within, endpoint === 'bulk' ? 200 : 201)
  })

  it('are measured as they arrive when their length is not announced', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const json = JSON.stringify({ campaignId, phoneNumber: newPhone() })
    const stream = (text: string) => new Blob([text]).stream()
    const tooLarge = await api(writeKey).createLead(stream(json + ' '.repeat(64 * 1024)))
    expectFailure(tooLarge, 413, 'Request body too large')
    expect(await storedPhones(campaign)).toEqual([])
    dataOf(await api(writeKey).createLead(stream(json)), 201)
  })
})

describe('Paths and methods', () => {
  it.each([
    '/api/v1',
    '/api/v1/',
    '/api/v1/lead',
    '/api/v1/leads/',
    '/api/v1/leads/42',
    '/api/v1/leads/bulk/',
    '/api/v1/Leads',
    '/api/v1/health',
    '/api/leads',
    '/api/health/',
    '/api',
    '/nothing',
  ])('answers 404 on a path that is not there: %s', async (path) => {
    const { companyId } = await seedWorld()
    const { key } = await seedKey({ companyId })
    for (const method of ['GET', 'POST', 'DELETE'])
      expectFailure(await api(key).request(method, path), 404, 'Not found', 'not_found')
  })

  it.each([
    ['/api/v1/leads', ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST'],
    ['/api/v1/leads/bulk', ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'POST'],
  ])('answers 405 with Allow on a method that %s has not', async (path, methods, allow) => {
    const { writeKey } = await seedWorld()
    for (const method of methods) {
      const answer = await api(writeKey).request(method, path)
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow])
      expect(answer.headers.get('x-error-code')).toBe('method_not_allowed')
      if (method !== 'HEAD') expectFailure(answer, 405, 'Method not allowed')
    }
  })
})
