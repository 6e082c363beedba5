// The failures in the API description: what each one means. base/http/errors.ts owns statuses, messages and codes;
// operation.ts and the areas decide which failures an operation has.

import { failureBody } from '../../base/http/envelope.ts'
import { describeProblem, type Failure, type Problem } from '../../base/http/errors.ts'
import { limits } from '../../base/limits.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { type HeaderName, withHeaders } from './headers.ts'
import { exactObject, type JsonSchema, reference } from './json-schema.ts'
import { prose } from './prose.ts'

export type Kind = Problem['kind']

const mebibytes = limits.bulkBodyMaxBytes / 1024 / 1024
const reportMebibytes = limits.reportBodyMaxBytes / 1024 / 1024
const leadLocation = `/api/v1/leads/${exampleIds.lead}`

/** Kinds of problems that say more than their kind. */
type Detailed = {
  [K in Kind]: { readonly kind: K } extends Extract<Problem, { kind: K }> ? never : K
}[Kind]

const details: { readonly [K in Detailed]: Extract<Problem, { kind: K }> } = {
  rate_limited: { kind: 'rate_limited', retryAfterSeconds: 12 },
  method_not_allowed: { kind: 'method_not_allowed', allow: ['GET', 'HEAD'] },
  invalid_field: { kind: 'invalid_field', message: 'campaignId is required' },
  unknown_parameter: { kind: 'unknown_parameter', sent: 'dryrun', known: 'dryRun' },
  lead_exists: { kind: 'lead_exists', location: leadLocation },
}

/** A problem of this kind, as an example. */
const exampleOf = (kind: Kind): Problem =>
  (details as Partial<Record<Kind, Problem>>)[kind] ?? ({ kind } as Problem)

/** In the order in which a request is checked: key, rate limit, path and method, scope, body, campaign (D8). */
const meanings: Readonly<Record<Kind, string>> = {
  invalid_api_key:
    'The key is missing, malformed, unknown, revoked or expired. The response is the same for all.',
  rate_limited:
    'A rate limit is reached. This request does not count. Send it again after `Retry-After` seconds.',
  not_found: 'The path does not exist.',
  method_not_allowed: 'The path does not support this method. `Allow` lists the methods it supports.',
  insufficient_permissions: 'The key’s scope does not allow this.',
  unsupported_media_type:
    'The body is not `application/json`, has a `charset` other than UTF-8, or has a `Content-Encoding`.',
  body_too_large: prose`The body is larger than ${limits.leadBodyMaxBytes / 1024} KiB (call reports:
    ${reportMebibytes} MiB, bulk requests: ${mebibytes} MiB).`,
  invalid_json: 'The body is not valid JSON in UTF-8.',
  invalid_field:
    'Names the first invalid field, such as `leads[3].phoneNumber`, and its rule. Each operation has examples.',
  unknown_parameter: prose`A query parameter differs from a known one only by case, \`-\` or \`_\`, or is the
    beginning of one (three letters or more); or it would change what is done (\`dryRun\`, \`onInvalid\`,
    \`results\`, \`limit\`, \`cursor\`, \`createdAfter\`, \`createdBefore\`, and typing errors of these), and the
    operation does not know it. Nothing was done. Other unknown parameters are ignored.`,
  company_key_required: prose`The key is for one campaign, and this concerns the whole company. Send a
    company-wide key, or, where the request has a \`campaignId\`, set it to the campaign of the key.`,
  campaign_denied:
    'The campaign does not exist, the key has no access to it, or leads are sent to an archived campaign.',
  company_not_found: 'The company does not exist.',
  company_exists: 'There is already a company with this `id`.',
  company_there: 'The company is already in such a store.',
  company_moving: 'The company is moving to the other store.',
  company_emptying: prose`The company has just moved. What it left is deleted from five minutes after the switch on:
    send this again once the move has \`endedAt\`.`,
  company_moved: 'The move has switched, and can no longer be aborted. Move the company back instead.',
  move_not_found: 'The company has never moved, or, to abort, is not moving.',
  store_shared: 'Only a company with a store of its own can be restored alone.',
  restore_refused: prose`The platform has no such state of the store, the company came to it later, or an
    earlier restore has taken that time back and is to be undone first. The reason is in the log of the service.`,
  campaign_exists: 'The company already has a campaign with this `id`.',
  too_many_campaigns: prose`The company has as many campaigns as it may have, archived ones included:
    ${limits.campaignsPerCompany.toLocaleString('en')}, unless the operator of the service has set another
    number.`,
  consent_not_found: 'The company has no such consent.',
  lead_not_found: 'The lead does not exist, or the key has no access to it.',
  precondition_failed: 'The lead no longer matches any `ETag` in `If-Match`. Read it again.',
  key_not_found: 'The API key does not exist, or the key that you send has no access to it.',
  key_inactive: 'The API key is revoked or expired, and cannot be rotated.',
  key_is_own: 'A key cannot revoke itself. Send another key.',
  key_of_dialer:
    'The key belongs to the dialer of a campaign, which makes its own. Revoking it stops the dialer.',
  key_of_source: 'The key belongs to a source, which makes its own. Revoking it disables the source.',
  key_outlives_own:
    'The new key would end later than the key that you send, so that you would gain a right by it.',
  grace_too_short: `A key that rotates itself needs \`graceSeconds\` of at least ${limits.ownKeyGraceMinSeconds}.`,
  too_many_keys: `The company already has ${limits.keysPerCompany} active keys, the maximum. Revoke one first.`,
  member_not_found: 'The member does not exist, was removed, or the key has no access to it.',
  member_exists: 'The company already has a member with this `email`.',
  too_many_members: `The company already has ${limits.membersPerCompany} members, the maximum. Remove one first.`,
  last_manager: prose`The last member who manages the whole company cannot be removed or get another role by a
    member. Add another one first, or use a key.`,
  not_signed_in: 'Only of `/console/session`: nobody has signed in, or it cannot be verified.',
  session_not_found: 'Only of `/console/session`: the key is not a session.',
  dialer_not_found: 'The campaign has no dialer, or it was removed.',
  gate_not_found: 'The campaign has no gate.',
  source_not_found: 'The source does not exist, or it is of another campaign.',
  source_disabled: 'Of a post: the source is disabled, its key was revoked, or its campaign is archived.',
  too_many_sources: `The campaign already has ${limits.sourcesPerCampaign} sources, the maximum. Remove one first.`,
  turnstile_failed:
    'Of a post: the source requires a token of Turnstile, and this one is missing or not valid.',
  test_not_found: 'There is no such test call, or it ended more than an hour ago.',
  test_running: 'A test call of this dialer is running. Wait until it has ended.',
  number_in_call: 'The phone number is being called right now.',
  test_number_suppressed:
    'The phone number is suppressed, in the company or the campaign: no test call may ring it.',
  webhook_not_found: 'The webhook does not exist, or the key has no access to it.',
  too_many_webhooks: `The company already has ${limits.webhooksPerCompany} webhooks, the maximum. Delete one first.`,
  too_many_secrets: prose`Besides the newest secret, ${limits.endingSecretsMax} earlier secrets still sign, the
    maximum. Wait until one expires, or rotate with \`previousExpiresAt\` set to now.`,
  lead_exists:
    'The phone number is already in the campaign. `Location` is the lead. Treat the request as done.',
  lead_leased: 'The lead is being called right now.',
  number_suppressed: 'The phone number is suppressed. Remove the suppression first.',
  idempotency_key_reused: prose`This \`Idempotency-Key\` was used with a different request, compared byte for
    byte. Nothing in this request was stored.`,
  service_unavailable:
    'The database is unavailable or overloaded, or no more claims can wait. Send the request again ' +
    'after `Retry-After` seconds.',
  internal_error: 'A bug in the service.',
}

/** A Markdown table of every failure, for the guide. */
export function failureTable(): string {
  const problems = (Object.keys(meanings) as Kind[]).map(exampleOf)
  const rows = problems.map((problem) => `| ${describeProblem(problem).status} ${cellsOf(problem)}`)
  return ['| Status | `X-Error-Code` | `error` | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The same without the status, which the response has. */
function tableOf(problems: readonly Problem[]): string {
  const head = ['| `X-Error-Code` | `error` | Meaning |', '| --- | --- | --- |']
  return [...head, ...problems.map(cellsOf)].join('\n')
}

function cellsOf(problem: Problem): string {
  const { error, code } = describeProblem(problem)
  const message =
    code === 'invalid_field' || code === 'unknown_parameter' ? `\`${error}\`, for example` : `\`${error}\``
  return `| \`${code}\` | ${message} | ${meanings[problem.kind]} |`
}

const extraHeaders: Partial<Record<Failure['status'], readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  409: ['LocationOfExisting'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The responses of an operation for these kinds of failure, by status. */
export function failures(...kinds: readonly Kind[]): Record<string, object> {
  const byStatus = Map.groupBy(kinds, (kind) => describeProblem(exampleOf(kind)).status)
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const hasLocation = status !== 409 || ofStatus.includes('lead_exists')
      const extra = hasLocation ? (extraHeaders[status] ?? []) : []
      return [status, failureResponse(ofStatus, errorText(ofStatus.map(messageOf)), extra)]
    }),
  )
}

/**
 * The 400 of an operation, with examples. With a body it includes invalid JSON; with query parameters it includes a
 * misspelled parameter.
 */
export function invalidRequest(texts: readonly string[], hasBody: boolean, hasQuery: boolean) {
  const kinds: readonly Kind[] = [
    ...(hasBody ? (['invalid_json'] as const) : []),
    'invalid_field',
    ...(hasQuery ? (['unknown_parameter'] as const) : []),
  ]
  const example: Problem = { kind: 'invalid_field', message: texts[0] as string }
  return { 400: failureResponse(kinds, { ...reference('InvalidRequest'), examples: texts }, [], example) }
}

const forPeople =
  'For people, and may be worded otherwise in a later version: `X-Error-Code` is for machines.'

export const failureSchemas = {
  InvalidRequest: {
    type: 'string',
    description: prose`The first thing that is wrong: the path of a member or the name of a parameter, then the
      rule that it breaks. ${forPeople}`,
    'x-pattern':
      '^(?:Maximum \\d+ .+|Unknown query parameter .+|[A-Za-z_][\\w.[\\]-]*(?: [a-z][\\w.]*)* ' +
      '(?:must|is|cannot|names) .+)$',
  },
}

/**
 * Examples: a client that allows these texts alone would break when a wording improves. The tests do allow them alone.
 */
const errorText = (texts: readonly string[]): JsonSchema => ({
  type: 'string',
  description: forPeople,
  examples: [...new Set(texts)],
})

/** A failure that has `data` too: the 503 of the health check (D28). */
export function failureWithData(kind: Kind, data: JsonSchema, exampleData: object): Record<string, object> {
  const { status, error } = describeProblem(exampleOf(kind))
  const { description, headers } = failureResponse([kind], {}, extraHeaders[status] ?? [])
  const schema = failureSchema(errorText([error]), data)
  const example = { success: false, data: exampleData, error }
  return { [status]: { description, headers, content: { 'application/json': { schema, example } } } }
}

/** The response for one status: a table of its failures, and one of them as an example. */
function failureResponse(
  kinds: readonly Kind[],
  error: JsonSchema,
  extra: readonly HeaderName[],
  instance?: Problem,
) {
  const problems = kinds.map((kind) => (instance?.kind === kind ? instance : exampleOf(kind)))
  const example = failureBody(describeProblem(instance ?? (problems[0] as Problem)).error)
  return {
    description: tableOf(problems),
    headers: { 'X-Error-Code': codeAmong(kinds), ...withHeaders('X-Error-Hint', ...extra) },
    content: { 'application/json': { schema: failureSchema(error), example } },
  }
}

function failureSchema(error: JsonSchema, data: JsonSchema = { type: 'null' }) {
  return exactObject({ success: { const: false }, data, error })
}

const messageOf = (kind: Kind) => describeProblem(exampleOf(kind)).error

function codeAmong(kinds: readonly Kind[]) {
  const description = 'The machine-readable error code.'
  const codes = kinds.map((kind) => describeProblem(exampleOf(kind)).code)
  return { required: true, description, schema: { type: 'string', enum: codes } }
}
