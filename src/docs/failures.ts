// The failures in the API description: their statuses, messages and codes are those of errors.ts.
import { failureBody } from '../http/envelope.ts'
import { describeProblem, type Failure, type Problem } from '../http/errors.ts'
import { limits } from '../limits.ts'
import { type HeaderName, withHeaders } from './headers.ts'
import { failureWith, type JsonSchema, reference } from './schemas.ts'

type Kind = Problem['kind']

const mebibytes = limits.bulkBodyMaxBytes / 1024 / 1024
const leadLocation = '/api/v1/leads/1a1fb47365400000100000001nTelzbbSjlh'

/** Every kind of failure with what it means, in the order in which a request is checked (D8). */
const meanings: {
  readonly [K in Kind]: { readonly problem: Problem & { kind: K }; readonly meaning: string }
} = {
  invalid_api_key: {
    problem: { kind: 'invalid_api_key' },
    meaning: 'The key is missing, malformed, unknown, revoked or expired. All alike.',
  },
  rate_limited: {
    problem: { kind: 'rate_limited', retryAfterSeconds: 12 },
    meaning: 'A window is spent. The request counted in none. Send it again after `Retry-After` seconds.',
  },
  not_found: { problem: { kind: 'not_found' }, meaning: 'No such path.' },
  method_not_allowed: {
    problem: { kind: 'method_not_allowed', allow: ['GET', 'HEAD'] },
    meaning: 'Not with this method. `Allow` says which.',
  },
  insufficient_permissions: {
    problem: { kind: 'insufficient_permissions' },
    meaning: 'A key of read scope cannot create leads.',
  },
  unsupported_media_type: {
    problem: { kind: 'unsupported_media_type' },
    meaning: 'The body is not sent as JSON.',
  },
  body_too_large: {
    problem: { kind: 'body_too_large' },
    meaning: `The body has more than ${limits.leadBodyMaxBytes / 1024} KiB; in a bulk, more than ${mebibytes} MiB.`,
  },
  invalid_json: { problem: { kind: 'invalid_json' }, meaning: 'The body is not JSON in UTF-8.' },
  invalid_field: {
    problem: { kind: 'invalid_field', message: 'campaignId is required' },
    meaning: 'The first thing that is wrong in the request, by name. The answers of each operation list all.',
  },
  campaign_denied: {
    problem: { kind: 'campaign_denied' },
    meaning: 'There is no such campaign, or it is not for this key.',
  },
  lead_not_found: {
    problem: { kind: 'lead_not_found' },
    meaning: 'There is no such lead, or it is not for this key.',
  },
  lead_exists: {
    problem: { kind: 'lead_exists', location: leadLocation },
    meaning: 'The phone number is in the campaign already. `Location` says where. For a sender: done.',
  },
  idempotency_key_reused: {
    problem: { kind: 'idempotency_key_reused' },
    meaning: 'This `Idempotency-Key` has created leads for a request that was not the same.',
  },
  service_unavailable: {
    problem: { kind: 'service_unavailable' },
    meaning: 'The database did not answer. Send the request again after `Retry-After` seconds.',
  },
  internal_error: { problem: { kind: 'internal_error' }, meaning: 'A fault of the service.' },
}

/** A Markdown table of every failure. */
export function failureTable(): string {
  const rows = Object.values(meanings).map(({ problem, meaning }) => {
    const { status, error, code } = describeProblem(problem)
    const message = code === 'invalid_field' ? `\`${error}\`, for example` : `\`${error}\``
    return `| ${status} | ${message} | \`${code}\` | ${meaning} |`
  })
  return ['| Status | `error` | `X-Error-Code` | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

const extraHeaders: Partial<Record<Failure['status'], readonly HeaderName[]>> = {
  409: ['LocationOfExisting'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The answers of an operation for these kinds of failure, by status. */
export function failures(...kinds: readonly Kind[]): Record<string, object> {
  const byStatus = Map.groupBy(kinds, (kind) => describeProblem(meanings[kind].problem).status)
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const hasLocation = status !== 409 || ofStatus.includes('lead_exists')
      const extra = hasLocation ? (extraHeaders[status] ?? []) : []
      const error = {
        type: 'string',
        enum: ofStatus.map((kind) => describeProblem(meanings[kind].problem).error),
      }
      return [status, answer(ofStatus, error, extra)]
    }),
  )
}

/** The 400 of an operation: these messages of its schemas, and with a body, what is no JSON. */
export function invalidInput(schema: JsonSchema, message: string, hasBody: boolean): Record<string, object> {
  const kinds: readonly Kind[] = hasBody ? ['invalid_json', 'invalid_field'] : ['invalid_field']
  return { 400: answer(kinds, schema, [], { kind: 'invalid_field', message }) }
}

/** The failed health check, which tells what it saw (D28). */
export function failedHealth(): Record<string, object> {
  const { description, headers } = answer(['service_unavailable'], {}, ['Retry-After'])
  const { error } = describeProblem({ kind: 'service_unavailable' })
  const schema = failureWith({ type: 'string', enum: [error] }, reference('Health'))
  return { 503: { description, headers, content: { 'application/json': { schema } } } }
}

function answer(kinds: readonly Kind[], error: JsonSchema, extra: readonly HeaderName[], instance?: Problem) {
  const examples = kinds.map((kind) => {
    const problem = instance?.kind === kind ? instance : meanings[kind].problem
    const { error } = describeProblem(problem)
    return [kind, { summary: error, value: failureBody(error) }]
  })
  return {
    description: kinds.map((kind) => meanings[kind].meaning).join(' Or: '),
    headers: { 'X-Error-Code': codeAmong(kinds), ...withHeaders(...extra) },
    content: { 'application/json': { schema: failureWith(error), examples: Object.fromEntries(examples) } },
  }
}

function codeAmong(kinds: readonly Kind[]) {
  const description = 'What went wrong, for machines.'
  return { required: true, description, schema: { type: 'string', enum: kinds } }
}
