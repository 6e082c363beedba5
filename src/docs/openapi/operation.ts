// What all operations of the API description have in common, so that an area states only what is specific to an
// operation. Failures are in failures.ts, headers in headers.ts.
import type * as z from 'zod/mini'
import { keyScopes, type Right, rights } from '../../base/access/scope.ts'
import { leadIdPattern } from '../../queue/leads/lead.ts'
import { exampleIds } from '../samples/example-ids.ts'
import type { Cli } from './cli.ts'
import type { Parameter, Reference } from './document.ts'
import { failures, invalidRequest, type Kind } from './failures.ts'
import { type HeaderName, withHeaders } from './headers.ts'
import {
  arrayOf,
  type describeQuery,
  exactObject,
  type JsonSchema,
  nextCursor,
  type Properties,
  reference,
  refusalsOf,
} from './json-schema.ts'

/** `route` is method and path: `GET /api/v1/leads`. */
type AreaOperation = { readonly route: string; readonly summary: string }

/** One area of the API: a section of the page, and the schemas that its operations refer to. */
export type Area = {
  readonly tag: { readonly name: string; readonly description: string }
  /** By `operationId`. */
  readonly operations: Readonly<Record<string, AreaOperation>>
  readonly schemas: Properties
  /** Requests that the service sends, by event type. */
  readonly webhooks?: Readonly<Record<string, object>>
}

export const requestId = { $ref: '#/components/parameters/RequestId' }
export const ifMatch = { $ref: '#/components/parameters/IfMatch' }
export const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' }
export const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' }
export const importName = { $ref: '#/components/parameters/ImportName' }

type Examples = Readonly<Record<string, { readonly summary?: string; readonly data: object }>>

/** JSON content: this data in the envelope, with examples. `others` are further examples, by key. */
export const json = (data: JsonSchema, example?: object, others: Examples = {}) => ({
  'application/json': {
    schema: exactObject({ success: { const: true }, data, error: { type: 'null' } }),
    ...(example && { examples: inEnvelopes({ response: { data: example }, ...others }) }),
  },
})

function inEnvelopes(examples: Examples) {
  const entries = Object.entries(examples).map(([name, { data, ...words }]) => [
    name,
    { ...words, value: { success: true, data, error: null } },
  ])
  return Object.fromEntries(entries)
}

export const response = (description: string, content: object, ...headers: readonly HeaderName[]) => ({
  description,
  headers: withHeaders(...headers),
  content,
})

/** The response of a success: its data, an example of it, and the headers that not every response has. */
const success =
  (status: number) =>
  (
    description: string,
    data: JsonSchema,
    example: object,
    headers: readonly HeaderName[] = [],
    others?: Examples,
  ): Readonly<Record<number, object>> => ({
    [status]: response(description, json(data, example, others), ...headers),
  })
export const ok = success(200)
export const created = success(201)
export const accepted = success(202)

/** A list: what `member` of the data has, and an example of its items. */
export const list = (description: string, member: string, schema: string, items: readonly object[]) =>
  ok(description, exactObject({ [member]: arrayOf(schema) }), { [member]: items })

/** A list in pages. */
export const page = (description: string, member: string, schema: string, items: readonly object[]) =>
  ok(description, exactObject({ [member]: arrayOf(schema), nextCursor }), {
    [member]: items,
    nextCursor: null,
  })

/** A body with this schema, which reads `input`. Each example is its summary and its value. */
export const body = (
  name: string,
  input: z.ZodMiniType | null,
  examples: Readonly<Record<string, readonly [string, object]>>,
) => ({
  content: {
    schema: reference(name),
    examples: Object.fromEntries(
      Object.entries(examples).map(([key, [summary, value]]) => [key, { summary, value }]),
    ),
  },
  refusals: input === null ? [] : refusalsOf(input, {}),
})

type KeyedOperation = {
  readonly summary: string
  readonly description: string
  readonly query?: ReturnType<typeof describeQuery>
  /** Headers. */
  readonly parameters?: readonly Reference[]
  readonly body?: ReturnType<typeof body>
  /** No body means the same as an empty object. */
  readonly isBodyOptional?: boolean
  /** The successful responses, by status. */
  readonly responses: Readonly<Record<number, object>>
  /** Texts of its 400 that do not follow from the schemas of its body and query. */
  readonly refusals?: readonly string[]
  /** The failures that only some operations have, besides those of the path. */
  readonly failures?: readonly Kind[]
  /** Its command. The names of the columns are separated by spaces. */
  readonly cli?: Omit<Cli, 'columns'> & { readonly columns?: string }
}

const inPath = (name: string, description: string, example: string, form = {}) => ({
  name,
  in: 'path' as const,
  required: true,
  description,
  schema: { type: 'string', ...form },
  example,
})

/** The parameters of paths, and what each can be refused with. */
const pathParameters: readonly (readonly [parameter: Parameter, failures: readonly Kind[]])[] = [
  [
    inPath('leadId', 'The `_id` of the lead.', exampleIds.lead, { pattern: `^${leadIdPattern}$` }),
    ['lead_not_found', 'not_found'],
  ],
  [inPath('campaignId', 'The id of the campaign, percent-encoded.', 'demo'), ['campaign_denied']],
  [inPath('companyId', 'The id of the company.', 'acme'), ['company_not_found']],
  [inPath('keyId', 'The id of the API key.', exampleIds.key), ['key_not_found', 'not_found']],
  [inPath('memberId', 'The id of the member.', exampleIds.member), ['member_not_found', 'not_found']],
  [inPath('consentId', 'The id of the consent.', exampleIds.consent), ['consent_not_found']],
  [inPath('sourceId', 'The id of the source.', exampleIds.source), ['source_not_found']],
  [inPath('testId', 'The id of the test call.', exampleIds.test), ['test_not_found']],
  [inPath('webhookId', 'The id of the webhook.', exampleIds.webhook), ['webhook_not_found']],
]

/** Three texts of its 400, as examples: none that lists many values. The tests ask the service for each. */
function examplesOf400({ refusals = [], body, query }: KeyedOperation) {
  const all = new Set([...refusals, ...(body?.refusals ?? []), ...(query?.refusals ?? [])])
  return [...all].filter((text) => text.length <= 120).slice(0, 3)
}

/** Makes operations that require an API key with this right. */
const needing = (right: Right | 'operate') => (route: string, operation: KeyedOperation) => {
  const {
    summary,
    description,
    query,
    body,
    parameters = [],
    isBodyOptional = false,
    responses,
    cli,
  } = operation
  const ofPath = pathParameters.filter(([{ name }]) => route.includes(`{${name}}`))
  const kinds = [...ofPath.flatMap(([, found]) => found), ...(operation.failures ?? [])]
  const scopes = right === 'operate' ? [right] : rights[right]
  const isRestricted = scopes.length < keyScopes.length
  const hasBody = body !== undefined
  const hasQuery = query !== undefined
  return {
    route,
    summary,
    description,
    ...(cli && { 'x-cli': { ...cli, ...(cli.columns && { columns: cli.columns.split(' ') }) } }),
    security: scopes.map((scope) => ({ ApiKey: [scope] })),
    parameters: [
      ...ofPath.map(([parameter]) => parameter),
      ...(query?.parameters ?? []),
      ...parameters,
      requestId,
    ],
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: { 'application/json': body.content },
      },
    }),
    responses: {
      ...responses,
      ...((hasBody || hasQuery) && invalidRequest(examplesOf400(operation), hasBody, hasQuery)),
      ...failures(
        'invalid_api_key',
        ...(isRestricted ? (['insufficient_permissions'] as const) : []),
        ...kinds,
        ...(hasBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
        'rate_limited',
        'internal_error',
        'service_unavailable',
      ),
    },
  }
}

/** By the right that an operation requires, as in index.ts. */
export const needs = {
  look: needing('look'),
  read: needing('read'),
  write: needing('write'),
  agent: needing('agent'),
  manage: needing('manage'),
  operate: needing('operate'),
}
