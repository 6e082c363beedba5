// Bodies and queries as only an attacker spoils them: answered by a 4xx that says what is wrong, or stored exactly as
// they were sent. What any client may get wrong is in test/spec/protocol/errors.test.ts, what no HTTP client can send
// in test/hard/framing.ts.
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { api, type Body, type Lead } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { newPhone, seedWorld, storedPhones } from '../support/world.ts'

type World = Awaited<ReturnType<typeof seedWorld>>

const utf8 = (text: string) => new TextEncoder().encode(text)
const good = ({ campaignId }: World, more = '') =>
  `{"campaignId":"${campaignId}","phoneNumber":"${newPhone()}"${more}}`
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const wide = (keys: number) => `{${Array.from({ length: keys }, (_, key) => `"k${key}":0`).join()}}`

type Spoilt = [
  name: string,
  body: (world: World) => Body,
  status: number,
  error: string | null,
  headers?: Record<string, string | null>,
]

const invalidJson = 'Request body must be valid JSON'
const wrongType = 'Content-Type must be application/json'
const tooLarge = 'metadata must be at most 16384 bytes'
const tooDeep = 'metadata must be nested at most 32 levels deep'

const spoilt: Spoilt[] = [
  ['of spaces', () => ' \r\n\t', 400, invalidJson],
  ['with a byte-order mark', (world) => `\ufeff${good(world)}`, 201, null],
  ['with two byte-order marks', (world) => `\ufeff\ufeff${good(world)}`, 400, invalidJson],
  ['in UTF-16', (world) => new Uint8Array(Buffer.from(good(world), 'utf16le')), 400, invalidJson],
  [
    'with a byte that is not UTF-8',
    (world) => Uint8Array.from([...utf8(good(world)).slice(0, -2), 0xff, 0x22, 0x7d]),
    400,
    invalidJson,
  ],
  [
    'with an overlong encoding',
    (world) => Uint8Array.from([...utf8(good(world)).slice(0, -2), 0xc0, 0xaf, 0x22, 0x7d]),
    400,
    invalidJson,
  ],
  [
    'with a surrogate in UTF-8',
    (world) => Uint8Array.from([...utf8(good(world)).slice(0, -2), 0xed, 0xa0, 0x80, 0x22, 0x7d]),
    400,
    invalidJson,
  ],
  [
    'with a control character in a text',
    (world) => good(world, ',"externalId":"a\u0001b"'),
    400,
    invalidJson,
  ],
  ['with a comment', (world) => `${good(world)}//`, 400, invalidJson],
  ['compressed', (world) => gzipSync(good(world)), 415, wrongType, { 'content-encoding': 'gzip' }],
  ['said to be compressed', (world) => good(world), 415, wrongType, { 'content-encoding': 'gzip' }],
  ['compressed and not said to be', (world) => gzipSync(good(world)), 400, invalidJson],
  [
    'nested 30,000 levels',
    () => '['.repeat(30_000) + ']'.repeat(30_000),
    400,
    'Request body must be a JSON object',
  ],
  ['nested 30,000 levels and cut', () => '['.repeat(30_000), 400, invalidJson],
  ['with metadata of 8,000 levels', (world) => good(world, `,"metadata":${nested(8_000)}`), 400, tooDeep],
  ['with metadata of 10,000 levels', (world) => good(world, `,"metadata":${nested(10_000)}`), 400, tooLarge],
  [
    'with metadata of 100,000 keys',
    (world) => good(world, `,"metadata":${wide(100_000)}`),
    413,
    'Request body too large',
  ],
  ['with 5,000 foreign keys', (world) => good(world, `,${wide(5_000).slice(1, -1)}`), 201, null],
  [
    'with a prototype for its fields',
    ({ campaignId }) => `{"__proto__":{"campaignId":"${campaignId}","phoneNumber":"+15550001111"}}`,
    400,
    'campaignId is required',
  ],
  ['of an empty type', good, 415, 'Content-Type must be application/json', { 'content-type': '' }],
]

it.each(spoilt)('A body %s is answered with its rule', async (_, body, status, error, headers = {}) => {
  const world = await seedWorld()
  const answer = await api(world.writeKey).createLead(body(world), headers)
  if (error === null) dataOf(answer, status)
  else expectFailure(answer, status, error)
  expect(await storedPhones(world.campaign)).toHaveLength(status === 201 ? 1 : 0)
})

it('A body of a bulk with 100,000 keys of metadata is refused, and one as deep as it is long', async () => {
  const { campaignId, writeKey, campaign } = await seedWorld()
  const bulk = (metadata: string) =>
    `{"campaignId":"${campaignId}","leads":[{"phoneNumber":"${newPhone()}","metadata":${metadata}}]}`
  expectFailure(await api(writeKey).importLeads(bulk(wide(100_000))), 400, `leads[0].${tooLarge}`)
  expectFailure(await api(writeKey).importLeads(bulk(nested(400_000))), 400, `leads[0].${tooLarge}`)
  expect(await storedPhones(campaign)).toEqual([])
})

it('A body of a bulk holds at most 500,000 objects and arrays, which is what a Worker has the memory for', async () => {
  const { campaignId, writeKey, campaign } = await seedWorld()
  const arrays = (count: number) => '['.repeat(count) + ']'.repeat(count)
  const notAnObject = 'Request body must be a JSON object'
  expectFailure(await api(writeKey).importLeads(arrays(500_000)), 400, notAnObject)
  expectFailure(await api(writeKey).importLeads(arrays(500_001)), 413, 'Request body too large')
  const body = `{"campaignId":"${campaignId}","leads":[${'{},'.repeat(2_000_000)}{}]}`
  expectFailure(await api(writeKey).importLeads(body), 413, 'Request body too large')
  expect(await storedPhones(campaign)).toEqual([])
})

it('A body with names repeated counts each one’s last value, and pollutes no prototype', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [first, last] = [newPhone(), newPhone()]
  const metadata =
    '{ "__proto__" : {"polluted":1}, "constructor":{"prototype":{"polluted":1}}, "a":-0, "a":1e400 }'
  const lead = `"phoneNumber":"${first}","metadata":{"x":1},"phoneNumber":"${last}","m\\u0065tadata":${metadata}`
  dataOf(await api(writeKey).createLead(`{"campaignId":"none","campaignId":"${campaignId}",${lead}}`), 201)
  const listed = await api(writeKey).listLeads({ campaignId })
  expect(dataOf(listed, 200).leads.map((each: Lead) => each.phoneNumber)).toEqual([last])
  expect(listed.text).toContain(`"metadata":${metadata}`)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

it('A body with leads repeated counts the last, with the metadata of the last', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [a, b, c] = [newPhone(), newPhone(), newPhone()]
  const leads = [
    `[{"phoneNumber":"${a}","metadata":{"of":"a"}},{"phoneNumber":"${a}","metadata":{"of":"a"}}]`,
    `[{"phoneNumber":"${b}"},{"phoneNumber":"${c}","metadata":{"of":"c"}}]`,
  ]
  const body = `{"leads":${leads[0]},"campaignId":"${campaignId}","leads":${leads[1]}}`
  expect(dataOf(await api(writeKey).importLeads(body), 200).created).toBe(2)
  const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
  expect(stored.map((lead) => [lead.phoneNumber, lead.metadata])).toEqual([
    [b, undefined],
    [c, { of: 'c' }],
  ])
})

it.each([
  'campaignId=ID&campaignId=ID',
  'campaignId=ID&status=raw&status=raw',
  'campaignId=ID&limit=1&limit=2',
  'campaignId=ID&campaignId=',
])('A query that repeats a parameter is refused: %s', async (query) => {
  const { campaignId, readKey } = await seedWorld()
  expect((await api(readKey).listLeads(query.replaceAll('ID', campaignId))).status).toBe(400)
})

it.each([
  'campaignId=%',
  'campaignId=%zz',
  'campaignId=%00',
  'campaignId=%ff',
  '%63ampaignId=x',
  '&&==&',
  '?',
])('A query that is badly encoded is refused: %s', async (query) => {
  const { readKey } = await seedWorld()
  const { status } = await api(readKey).request('GET', `/api/v1/leads?${query}`)
  expect([400, 403]).toContain(status)
})
