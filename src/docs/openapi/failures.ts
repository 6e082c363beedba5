// The failures in the API description: their statuses, messages and codes are those of http/errors.ts; what each
// means is said here, once. Which of them an operation has is for operation.ts and the areas to say.
import type * as z from 'zod/mini'
import { failureBody } from '../../http/envelope.ts'
import { describeProblem, type Failure, type Problem } from '../../http/errors.ts'
import type { Reading } from '../../http/reading.ts'
import { firstMessage } from '../../http/reading.ts'
import { limits } from '../../limits.ts'
import { type HeaderName, withHeaders } from './headers.ts'
import { answered, type JsonSchema } from './json-schema.ts'

export type Kind = Problem['kind']
type Fields = Readonly<Record<string, unknown>>

const mebibytes = limits.bulkBodyMaxBytes / 1024 / 1024
const reportMebibytes = limits.reportBodyMaxBytes / 1024 / 1024
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
    meaning: 'The key’s scope does not allow it, or it is a campaign’s key and this acts on the company.',
  },
  unsupported_media_type: {
    problem: { kind: 'unsupported_media_type' },
    meaning:
      'The body is not sent as `application/json`, has a `charset` other than UTF-8, or has a `Content-Encoding`.',
  },
  body_too_large: {
    problem: { kind: 'body_too_large' },
    meaning: `The body has more than ${limits.leadBodyMaxBytes / 1024} KiB; in a report of calls, more than ${reportMebibytes} MiB; in a bulk, more than ${mebibytes} MiB.`,
  },
  invalid_json: { problem: { kind: 'invalid_json' }, meaning: 'The body is not JSON in UTF-8.' },
  invalid_field: {
    problem: { kind: 'invalid_field', message: 'campaignId is required' },
    meaning: 'The first thing that is wrong in the request, by name. Each operation lists all.',
  },
  unknown_parameter: {
    problem: { kind: 'unknown_parameter', sent: 'dryrun', known: 'dryRun' },
    meaning:
      'A query parameter is one that the operation has but for case, `-` or `_`. Nothing was done. Other unknown parameters are ignored.',
  },
  campaign_denied: {
    problem: { kind: 'campaign_denied' },
    meaning: 'There is no such campaign, or it is not for this key.',
  },
  lead_not_found: {
    problem: { kind: 'lead_not_found' },
    meaning: 'There is no such lead, or it is not for this key.',
  },
  precondition_failed: {
    problem: { kind: 'precondition_failed' },
    meaning: 'The lead has changed since it had one of the tags in `If-Match`. Read it again.',
  },
  webhook_not_found: {
    problem: { kind: 'webhook_not_found' },
    meaning: 'There is no such webhook, or it is not for this key.',
  },
  too_many_webhooks: {
    problem: { kind: 'too_many_webhooks' },
    meaning: `The company has ${limits.webhooksPerCompany} webhooks, which is the most: remove one first.`,
  },
  too_many_secrets: {
    problem: { kind: 'too_many_secrets' },
    meaning: `Beside the newest secret of the webhook, ${limits.endingSecretsMax} earlier ones still sign, which is the most: wait until one ends, or end the newest now.`,
  },
  lead_exists: {
    problem: { kind: 'lead_exists', location: leadLocation },
    meaning: 'The phone number is in the campaign already. `Location` says where. For a sender: done.',
  },
  lead_leased: {
    problem: { kind: 'lead_leased' },
    meaning: 'The lead is being called at this moment.',
  },
  number_suppressed: {
    problem: { kind: 'number_suppressed' },
    meaning: 'The phone number must not be called: lift its suppression first.',
  },
  idempotency_key_reused: {
    problem: { kind: 'idempotency_key_reused' },
    meaning:
      'This `Idempotency-Key` has created leads, or claimed calls, for a request that was not the same, byte for byte. For a sender: nothing of this request is stored.',
  },
  service_unavailable: {
    problem: { kind: 'service_unavailable' },
    meaning:
      'The database did not answer, or is asked too much just now. Send the request again after `Retry-After` seconds.',
  },
  internal_error: { problem: { kind: 'internal_error' }, meaning: 'A fault of the service.' },
}

/** A Markdown table of every failure, for the guide. */
export function failureTable(): string {
  const rows = Object.values(meanings).map(
    ({ problem }) => `| ${describeProblem(problem).status} ${cellsOf(problem)}`,
  )
  return ['| Status | `X-Error-Code` | `error` | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The same of an answer: its status is known. */
function tableOf(problems: readonly Problem[]): string {
  const head = ['| `X-Error-Code` | `error` | Meaning |', '| --- | --- | --- |']
  return [...head, ...problems.map(cellsOf)].join('\n')
}

function cellsOf(problem: Problem): string {
  const { error, code } = describeProblem(problem)
  const message =
    code === 'invalid_field' || code === 'unknown_parameter' ? `\`${error}\`, for example` : `\`${error}\``
  return `| \`${code}\` | ${message} | ${meanings[problem.kind].meaning} |`
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
      return [status, answer(ofStatus, { type: 'string', enum: ofStatus.map(messageOf) }, extra)]
    }),
  )
}

/** What the 400 of an operation can say, and one such message as an example. */
export type InvalidInput = {
  readonly messages: readonly string[]
  readonly example: string
  /** Of the items of an array in the body: the array's name and their place come before the message. */
  readonly items?: { readonly array: string; readonly item: string; readonly messages: readonly string[] }
  /** Messages that name what was sent. */
  readonly patterns?: readonly { readonly pattern: string; readonly description: string }[]
}

/**
 * The 400 of an operation; one with a body may also get what is no JSON, and one with parameters in its query what is
 * said of a name that is almost theirs.
 */
export function invalidInput(
  { messages, example, items, patterns = [] }: InvalidInput,
  hasBody: boolean,
  parameters: readonly string[],
) {
  const isAsked = parameters.length > 0
  const kinds: readonly Kind[] = [
    ...(hasBody ? (['invalid_json'] as const) : []),
    'invalid_field',
    ...(isAsked ? (['unknown_parameter'] as const) : []),
  ]
  const all = hasBody ? [messageOf('invalid_json'), ...messages] : messages
  const others = [
    ...(items === undefined ? [] : [ofItems(items)]),
    ...patterns,
    ...(isAsked ? [almostKnown(parameters)] : []),
  ]
  const error = others.length === 0 ? { enum: all } : { anyOf: [{ enum: all }, ...others] }
  return {
    400: answer(kinds, { type: 'string', ...error }, [], { kind: 'invalid_field', message: example }),
  }
}

const almostKnown = (parameters: readonly string[]): JsonSchema => ({
  pattern: `^Unknown query parameter [A-Za-z_-]+, did you mean (?:${parameters.join('|')})\\?$`,
  description: 'A parameter of the query that is almost known, by its name.',
})

function ofItems({ array, item, messages }: Required<InvalidInput>['items']): JsonSchema {
  return {
    pattern: `^${array}\\[\\d+\\]\\.(?:${messages.map(literal).join('|')})$`,
    description: `The first invalid ${item}, by its place.`,
  }
}

/** A text as a part of a pattern. */
export const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A member that is not known, by its name. `paths`: patterns of what may stand before it. */
export const unknownMember = (...paths: readonly string[]) => ({
  pattern: `^${paths.length === 0 ? '' : `(?:${paths.join('|')})?`}(?:[A-Za-z_]\\w{0,39}|A member) is not a member$`,
  description: 'A member that is not known, by its name.',
})

/** What reading says to each of these inputs. One that is valid is a mistake here. */
export function messagesOf(
  inputs: readonly unknown[],
  read: (input: unknown) => Reading<unknown> | undefined,
): readonly string[] {
  const messages = inputs.map((input) => {
    const reading = read(input)
    if (reading?.isValid !== false) throw new Error(`Valid after all: ${JSON.stringify(input)}`)
    return reading.message
  })
  return [...new Set(messages)]
}

/** What the schema of a query says to each of these. */
export function queryMessages(schema: z.ZodMiniType, inputs: readonly unknown[]): readonly string[] {
  return messagesOf(inputs, (input) => {
    const { error } = schema.safeParse(input)
    return error && { isValid: false, message: firstMessage(error) }
  })
}

/** A query for each parameter of the schema, with that one given more than once. */
export function givenTwice({ shape }: { readonly shape: object }, others: object = {}): readonly Fields[] {
  return Object.keys(shape).map((name) => ({ ...others, [name]: ['x', 'x'] }))
}

/** A failure that tells data nevertheless (D28). */
export function failureWithData(kind: Kind, data: JsonSchema, exampleData: object): Record<string, object> {
  const { status, error } = describeProblem(meanings[kind].problem)
  const { description, headers } = answer([kind], {}, extraHeaders[status] ?? [])
  const schema = failureSchema({ type: 'string', enum: [error] }, data)
  const example = { success: false, data: exampleData, error }
  return { [status]: { description, headers, content: { 'application/json': { schema, example } } } }
}

/** Once for each status: the failures that have it in a table, and one of them as an example. */
function answer(kinds: readonly Kind[], error: JsonSchema, extra: readonly HeaderName[], instance?: Problem) {
  const problems = kinds.map((kind) => (instance?.kind === kind ? instance : meanings[kind].problem))
  const example = failureBody(describeProblem(instance ?? (problems[0] as Problem)).error)
  return {
    description: tableOf(problems),
    headers: { 'X-Error-Code': codeAmong(kinds), ...withHeaders(...extra) },
    content: { 'application/json': { schema: failureSchema(error), example } },
  }
}

/** The envelope of a failure with one of these messages. */
function failureSchema(error: JsonSchema, data: JsonSchema = { type: 'null' }) {
  return answered({ success: { const: false }, data, error })
}

const messageOf = (kind: Kind) => describeProblem(meanings[kind].problem).error

function codeAmong(kinds: readonly Kind[]) {
  const description = 'What went wrong, for machines.'
  return { required: true, description, schema: { type: 'string', enum: kinds } }
}
