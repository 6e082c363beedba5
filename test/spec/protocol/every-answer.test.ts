// The rules about every answer that the catalogue knows, of whichever endpoint: all are asked for once, and every rule
// judges them. What failures say (D3, D10), the envelope (D1), the headers (D23, D31, D32), that the API description is
// true, and that companies are kept apart by the statements themselves. A new rule about all answers belongs here.
import type { Schema } from '@cfworker/json-schema'
import { beforeEach, describe, expect, it } from 'vitest'
import { isValid, notSeen, operations, violations } from '../../contract/document.ts'
import { type Answered, allCases, answersOf, answerTo, isAsked } from '../../support/catalogue/answers.ts'
import { endpoints, keyedEndpoints } from '../../support/catalogue/catalogue.ts'
import type { Said } from '../../support/catalogue/endpoint.ts'
import { guardedTables, isGuarded, lacks } from '../../support/catalogue/rights.ts'
import { companyDb } from '../../support/database/store.ts'
import { breaches } from '../../support/http/every-answer.ts'
import { rateLimitOf } from '../../support/http/expectations.ts'
import { stopClock } from '../../support/run/clock.ts'

beforeEach(stopClock)

const named = allCases.map((one) => [one.name, one] as const)
const asked = keyedEndpoints.filter(isAsked)
const keyed = asked.map(({ name }) => name)
const ofOperator = asked.filter(({ isForOperator }) => isForOperator).map(({ name }) => name)
const described = operations.filter(({ operationId }) =>
  endpoints.some((one) => one.name === operationId && isAsked(one)),
)
const ofCompanies = keyed.filter((name) => !ofOperator.includes(name))

/** The status, message and code of its rule, and no data. */
function expectRefusal({ answer, hasData = false }: Answered, [status, error, code]: Said) {
  const isHead = answer.asked.method === 'HEAD'
  const said = [answer.status, answer.body?.error, answer.headers.get('x-error-code')]
  expect(said).toEqual([status, isHead ? undefined : error, code])
  if (isHead) return expect(answer.text).toBe('')
  const data = hasData ? expect.any(Object) : null
  expect(answer.body).toEqual({ success: false, data, error: expect.stringMatching(/^[ -~]+$/) })
}

/** Success, data and error, and nothing else. */
function expectSuccess({ answer, status }: Answered): void {
  const isJson = answer.body !== null
  expect([answer.status, answer.body]).toEqual([
    status,
    isJson ? { success: true, data: expect.any(Object), error: null } : null,
  ])
  const type = answer.headers.get('content-type')
  if (!isJson) expect(answer.asked.method === 'HEAD' ? answer.text : type).toMatch(/^$|^text\/csv;/)
  expect(answer.headers.get('x-error-code')).toBeNull()
}

/** X-RateLimit headers are on every answer under /api. */
function expectRateLimit({ answer, limit, isFree = false, answeredAtMs }: Answered) {
  if (limit === null) return expect(answer.headers.get('x-ratelimit-limit')).toBeNull()
  const shown = rateLimitOf(answer)
  expect(shown.limit).toBe(limit)
  if (answer.status === 429) expect(shown.remaining).toBe(0)
  else if (isFree) expect(shown.remaining).toBe(limit)
  else expect(shown.remaining).toBeLessThan(limit)
  const secondsAhead = shown.resetSeconds - answeredAtMs / 1000
  expect(secondsAhead).toBeGreaterThan(-1)
  expect(secondsAhead).toBeLessThanOrEqual(shown.limit === 1000 ? 3601 : 61)
}

it.each(named)('An answer has its status, envelope and headers, and is not cached: %s', async (_, one) => {
  const answered = await answerTo(one)
  if (one.said === null) expectSuccess(answered)
  else expectRefusal(answered, one.said)
  const { answer } = answered
  const header = (name: string) => answer.headers.get(name)
  expect(breaches(answer.asked, { ...answer, header }, { isFaulty: one.status >= 500 })).toEqual([])
  expectRateLimit(answered)
})

it('A request id is on every answer, a new one each time', async () => {
  const ids = await Promise.all(
    allCases.map(async (one) => (await answerTo(one)).answer.headers.get('x-request-id')),
  )
  for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{1,128}$/)
  expect(new Set(ids).size).toBe(allCases.length)
})

describe.each(described.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'Answers of %s',
  (_, operation) => {
    it('The answers are those that are described, each of them and no other', async () => {
      const all = (await answersOf(operation.operationId)).map(({ answer }) => answer)
      const answers = all.filter(({ asked }) => asked.method === operation.method)

      expect(answers.flatMap((answer) => violations(operation, answer))).toEqual([])
      expect(notSeen(operation, answers)).toEqual([])
    })
  },
)

/** Refusals of what no schema can express: queries and headers, sizes in bytes, times, one member beside another. */
const beyondSchemas = [
  /^(?:Idempotency-Key|X-Import-Name|Unknown query|results|onInvalid|dryRun|withCreated|url must (?!be an? ))/,
  /NUL|bytes|levels deep|given twice|windows that|a date such as|that of the campaign|use \w+$/,
  /^(?:variables|secrets)\.\w+ (?:is required|must be an integer)|^template must not/,
  new RegExp(
    'the future|from now|the last|minute ago|times campaigns|callbackAt is required|' +
      'the id of the company|for a store of its own',
  ),
  /cannot both be sent|need take: true|not named by a header|user name or password|IPv4 or IPv6|by whose clock numbers/,
]

describe('A body that the service reads', () => {
  const withBody = described.filter(({ requestBody }) => requestBody !== undefined)

  it.each(withBody.map((operation) => [operation.operationId, operation] as const))(
    'A body that the service reads is valid by its schema exactly if it is accepted: %s',
    async (name, { requestBody }) => {
      const schema = requestBody?.content['application/json'].schema as Schema
      for (const { answer, said, name: its } of await answersOf(name)) {
        const { body = {} } = answer.asked
        const isRead =
          answer.status < 300 ||
          (said?.[2] === 'invalid_field' && !beyondSchemas.some((one) => one.test(said[1])))
        // An empty text means "not set" (D10), and a bulk may skip what is invalid.
        const isLenient =
          JSON.stringify(body).includes('""') || its.includes('skip') || /dry run|result of each/.test(its)
        if (isRead && !(isLenient && said === null))
          expect([isValid(schema, JSON.parse(JSON.stringify(body))), its, said]).toEqual([
            said === null,
            its,
            said,
          ])
      }
    },
  )
})

it('The catalogue has the operations of the description, with their methods and paths', () => {
  const described = operations.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`)
  const known = endpoints.map(
    ({ name, method, path }) => `${name} ${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(known.toSorted()).toEqual(described.toSorted())
})

// The statements are caught on their way to the database, so that none can be forgotten, and no table either.

it.each(ofCompanies)(
  'A statement on what belongs to a company names the key’s right, whichever it is: %s',
  async (name) => {
    const tables = await guardedTables()
    const found = (await answersOf(name)).flatMap(({ statements }) => statements.map(({ sql }) => sql))
    const onCompanies = [...new Set(found)].filter((sql) => isGuarded(sql, tables))
    expect(tables).toContain('leads')
    expect(onCompanies).not.toEqual([])
    for (const sql of onCompanies) expect({ sql, lacks: lacks(sql) }).toEqual({ sql, lacks: [] })
  },
)

it.each(ofOperator)(
  'A statement on what belongs to a company comes after the look-up of the operator’s key, which decides: %s',
  async (name) => {
    const isLookUp =
      /operator_keys\.hash = \? and operator_keys\.revoked_at_ms is null and operator_keys\.expires_at_ms > \?/
    for (const { name: asked, status, statements } of await answersOf(name)) {
      const [first, ...others] = statements.map(({ sql }) => sql.replaceAll(/\?\d+/g, '?'))
      // A company's key is looked up as everywhere.
      if (first !== undefined && !first.includes('api_keys.hash'))
        expect([asked, first]).toEqual([asked, expect.stringMatching(isLookUp)])
      if ([401, 429].includes(status)) expect([asked, others]).toEqual([asked, []])
    }
  },
)

it.each(keyed)(
  'A statement on what belongs to a company writes nothing when its request is refused: %s',
  async (name) => {
    const refused = (await answersOf(name)).filter(({ said }) => said !== null)
    const wrote = refused.flatMap(({ name, statements }) =>
      statements.filter(({ rowsChanged }) => rowsChanged > 0).map(({ sql }) => ({ name, sql })),
    )
    expect(wrote).toEqual([])
  },
)

it('The log, after all of the catalogue holds no phone number, key, reason or metadata', async () => {
  for (const name of keyed) await answersOf(name)
  // Of all tests before it, too. What a provider calls its call is not ours (runtime/dialers/object.test.ts).
  const query = "select distinct type, json_remove(data, '$.providerCallId') as data from events"
  const { results } = await companyDb.prepare(query).all<{ type: string; data: string }>()
  expect(new Set(results.map(({ type }) => type)).size).toBeGreaterThan(3)
  const personal =
    /\+[1-9]\d{6,}|lk_|whsec_|asked|opt-out|"(metadata|details|externalId)":|"reason":(?!"(?:gone|dead|key_revoked)")/
  expect(results.filter(({ data }) => personal.test(data))).toEqual([])
})
