// Errors: what a body, a path and a method may be, at every endpoint of the catalogue, and the messages of create and
// bulk. What every failure says is in every-answer.test.ts; which comes first when several apply is in
// order-of-checks.test.ts; every kind of wrong value is in ../unit/lead-input.test.ts.
import { beforeEach, describe, expect, it } from 'vitest'
import { endpoints, methodsOf, paths } from '../../support/catalogue/catalogue.ts'
import type { Endpoint, Method, Sent } from '../../support/catalogue/endpoint.ts'
import { makeKey, send } from '../../support/catalogue/sending.ts'
import { api, type Body } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { stopClock } from '../../support/run/clock.ts'
import { newPhone, newPhones, seedKey, seedWorld } from '../../support/world.ts'

beforeEach(stopClock)

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
/** Metadata whose JSON is this long. */
const metadataOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

const withBodies = endpoints.filter(({ maxBytes }) => maxBytes !== undefined)
const ofBodies = withBodies.map((endpoint) => [endpoint.name, endpoint] as const)

/** A right request's body, as bytes to spoil, and how it is sent by a key of its own, which may be ten times. */
async function bodyOf(endpoint: Endpoint) {
  const world = await seedWorld()
  const sent = await endpoint.request(world)
  const { key } = await makeKey(endpoint, world)
  return {
    json: JSON.stringify(sent.body),
    sendBody: (body: Body, headers: Sent['headers'] = {}) => send(endpoint, key, { ...sent, body, headers }),
  }
}

it.each<[string, object]>([
  ['an externalId of 255 characters', { externalId: 'x'.repeat(255) }],
  ['metadata of 16384 bytes', { metadata: metadataOf(16384) }],
  ['metadata 32 levels deep', { metadata: nested(32) }],
  ['metadata that only reads like deep nesting', { metadata: { a: '{'.repeat(100) } }],
])('Validation of a create takes what is just within the limits: %s', async (_, fields) => {
  const { campaignId, writeKey } = await seedWorld()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), ...fields }), 201)
})

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
])('Validation of a bulk refuses %s', async (_, body, message) => {
  const { writeKey } = await seedWorld()
  expectFailure(await api(writeKey).importLeads(body), 400, message, 'invalid_field')
})

it('Validation of a bulk puts the item’s path before the message for the last of 1000 leads, too', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const leads: object[] = newPhones(1000).map((phoneNumber) => ({ phoneNumber }))
  leads[999] = { phoneNumber: newPhone(), priority: 1.5 }
  const message = 'leads[999].priority must be an integer between 0 and 100'
  expectFailure(await api(writeKey).importLeads({ campaignId, leads }), 400, message)
})

describe('Bodies', () => {
  const notJson: [string, Body][] = [
    ['cut off', '{"campaignId":"c"'],
    ['empty', ''],
    ['followed by more', '{} {}'],
    ['with a trailing comma', '{"a":1,}'],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['words', 'hello'],
  ]
  it.each(ofBodies)('A body must be valid JSON: %s', async (_, endpoint) => {
    const { sendBody } = await bodyOf(endpoint)
    for (const [, body] of notJson)
      expectFailure(await sendBody(body), 400, 'Request body must be valid JSON', 'invalid_json')
  })

  it.each(ofBodies)('A body must be a JSON object: %s', async (_, endpoint) => {
    const { sendBody } = await bodyOf(endpoint)
    for (const body of ['[]', 'null', '"text"', '7', 'true'])
      expectFailure(await sendBody(body), 400, 'Request body must be a JSON object')
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'A body may come as %s',
    async (type) => {
      const { campaignId, writeKey } = await seedWorld()
      const lead = { campaignId, phoneNumber: newPhone() }
      dataOf(await api(writeKey).createLead(lead, { 'content-type': type }), 201)
    },
  )

  const otherTypes = [
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
  ]
  it.each(ofBodies)('A body must come as application/json: %s', async (_, endpoint) => {
    const { json, sendBody } = await bodyOf(endpoint)
    for (const type of otherTypes) {
      const answer = await sendBody(new TextEncoder().encode(json), { 'content-type': type })
      expectFailure(answer, 415, 'Content-Type must be application/json', 'unsupported_media_type')
    }
  })

  it.each(ofBodies)('A body may be so large, and not a byte larger: %s', async (_, endpoint) => {
    const { json, sendBody } = await bodyOf(endpoint)
    const largest = json.padEnd(endpoint.maxBytes ?? 0)
    expectFailure(await sendBody(`${largest} `), 413, 'Request body too large', 'body_too_large')
    dataOf(await sendBody(largest), endpoint.success)
  })

  it.each(ofBodies)(
    'A body is measured as it arrives when its length is not announced: %s',
    async (_, endpoint) => {
      const { json, sendBody } = await bodyOf(endpoint)
      const largest = json.padEnd(endpoint.maxBytes ?? 0)
      const stream = (text: string) => new Blob([text]).stream()
      expectFailure(await sendBody(stream(`${largest} `)), 413, 'Request body too large')
      dataOf(await sendBody(stream(largest)), endpoint.success)
    },
  )
})

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
])('The service answers 404 on a path that is not there: %s', async (path) => {
  const { companyId } = await seedWorld()
  const { key } = await seedKey({ companyId })
  for (const method of ['GET', 'POST', 'DELETE'])
    expectFailure(await api(key).request(method, path), 404, 'Not found', 'not_found')
})

it.each(paths.map((endpoint) => [endpoint.path, endpoint] as const))(
  'The service answers 405 with Allow on a method that %s has not',
  async (path, endpoint) => {
    const world = await seedWorld()
    const sent = await endpoint.request(world)
    const allowed = methodsOf(path)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method as Method)) continue
      const answer = await api(world.writeKey).request(method, sent.path)
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allowed.join(', ')])
      expect(answer.headers.get('x-error-code')).toBe('method_not_allowed')
      if (method !== 'HEAD') expectFailure(answer, 405, 'Method not allowed')
    }
  },
)
