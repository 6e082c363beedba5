// Requests as nobody should send them, as fast-check arbitraries: odd paths, methods, headers and queries, around the
// bodies of odd-bodies.ts. Sends nothing.
import fc from 'fast-check'
import { anything, bulkText, createText, mangled, oddTexts, type Targets } from './odd-bodies.ts'

export type OddRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-8',
      'APPLICATION/JSON;CHARSET="UTF-8"',
      'application/json; charset=latin1',
      'application/json, application/json',
      'application/jsonp',
      'text/plain',
      'multipart/form-data; boundary=x',
      '',
    ),
  },
)

/** Header values: visible and Latin-1 characters, as far as HTTP lets them pass. */
const headerText = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  }),
  fc.string({
    unit: fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 20,
  }),
  fc.constantFrom(
    'x'.repeat(128),
    'x'.repeat(129),
    'x'.repeat(255),
    'x'.repeat(256),
    '{"a":1}',
    '%0d%0aX: 1',
    ',',
  ),
)

const rarely = <Value>(weight: number, value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

function headers({ keys }: Targets): fc.Arbitrary<Record<string, string>> {
  return fc
    .record({
      'x-api-key': fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom<string | undefined>(...keys) },
        { weight: 1, arbitrary: headerText },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
      'content-type': contentType,
      'x-request-id': rarely(4, headerText),
      'idempotency-key': rarely(6, headerText),
      accept: rarely(
        4,
        fc.oneof(
          fc.constantFrom('text/csv', '*/*', 'text/csv;q=0.5, application/json', 'text/html', ';;q=x'),
          headerText,
        ),
      ),
      'content-encoding': rarely(40, fc.constantFrom('gzip', 'br', 'identity', 'x')),
    })
    .map((all) =>
      Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    )
}

function query({ campaignIds }: Targets): fc.Arbitrary<string> {
  const encoded = fc.oneof(
    fc.constantFrom(...oddTexts).map((value) => encodeURIComponent(value.toWellFormed())),
    fc.constantFrom(
      '%',
      '%zz',
      '%00',
      '%ff%fe',
      '%E0%A4%A',
      '+',
      '&',
      '=',
      'raw',
      '1',
      '1000',
      '1001',
      '0',
      '-1',
      'true',
      'a%20b',
      '00000000000000',
      'ffffffffffffff',
      '00000100000001',
      '0',
      '999999999999999',
      '+010000-01-01T00:00:00Z',
    ),
  )
  const name = fc.constantFrom(
    'campaignId',
    'status',
    'limit',
    'cursor',
    'phoneNumber',
    'externalId',
    'createdAfter',
    'createdBefore',
    'results',
    'onInvalid',
    'dryRun',
    '__proto__',
    'constructor',
    'campaignId[]',
    '%63ampaignId',
    '',
  )
  const odd = fc.array(
    fc.tuple(name, encoded).map(([key, value]) => `${key}=${value}`),
    { maxLength: 3 },
  )
  return fc
    .tuple(rarely(1, fc.constantFrom(...campaignIds)), odd)
    .map(([campaignId, more]) =>
      [...(campaignId === undefined ? [] : [`campaignId=${campaignId}`]), ...more].join('&'),
    )
}

/** `/` is not among them: it leads a person to the documentation. */
export const oddPaths = [
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v2/leads',
  '/api/v1/leads/',
  '/api/v1/leads/bulk/',
  '/api/v1//leads',
  '//api/v1/leads',
  '/API/V1/LEADS',
  '/api/v1/Leads',
  '/api/v1/%6ceads',
  '/api/v1%2fleads',
  '/api/v1/leads%00',
  '/api/v1/leads/../leads',
  '/api/v1/./leads',
  '/api/v1/leads;x=1',
  '/api/v1/leads/%',
  '/api/v1/leads/%ff',
  '/api/v1/leads/bulk/1',
  '/api/v1/leads/0000000000000000000000000zzzzzzzzzzz',
  '/api/v1/leads/fffffffffffffffffffffffffAAAAAAAAAAA',
  '/api/v1/leads/__proto__',
  '/api/health/',
  '/api/health/x',
  '/api/Health',
  '/openapi.json/x',
  '/.env',
  `/api/v1/${'x'.repeat(2_000)}`,
] as const

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Any request that HTTP itself lets pass. */
export function oddRequest(targets: Targets): fc.Arbitrary<OddRequest> {
  const shape = (method: fc.Arbitrary<string>, path: fc.Arbitrary<string>, body: fc.Arbitrary<string>) =>
    fc
      .record({
        method,
        path,
        query: rarely(2, query(targets)),
        headers: headers(targets),
        body: mangled(body),
      })
      .map(({ method, path, query, headers, body }) => ({
        method,
        path: query === undefined ? path : `${path}?${query}`,
        headers,
        body: withBody.has(method) ? body : undefined,
      }))
  const list = fc
    .record({
      query: query(targets),
      headers: headers(targets),
      method: fc.constantFrom('GET', 'GET', 'HEAD'),
    })
    .map(({ query, headers, method }) => ({
      method,
      path: `/api/v1/leads?${query}`,
      headers,
      body: undefined,
    }))
  const post = fc.constant('POST')
  const anyMethod = fc.constantFrom(...methods)
  return fc.oneof(
    { weight: 10, arbitrary: shape(post, fc.constant('/api/v1/leads'), createText(targets)) },
    { weight: 6, arbitrary: shape(post, fc.constant('/api/v1/leads/bulk'), bulkText(targets)) },
    { weight: 5, arbitrary: list },
    { weight: 3, arbitrary: shape(anyMethod, fc.constantFrom(...oddPaths), createText(targets)) },
    {
      weight: 2,
      arbitrary: shape(
        anyMethod,
        fc.constantFrom('/api/v1/leads', '/api/v1/leads/bulk', '/api/health'),
        anything,
      ),
    },
  )
}
