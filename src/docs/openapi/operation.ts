// How an operation of the API description is written: what is the same in all of them stands here once, so that an
// area tells of each operation only what is its own. What can fail is in failures.ts, the headers in headers.ts.
import { keyScopes, type Right, rights } from '../../access/scope.ts'
import type { Parameter } from './document.ts'
import { failures, type InvalidInput, invalidInput, type Kind } from './failures.ts'
import { type HeaderName, withHeaders } from './headers.ts'
import { answered, type JsonSchema, type Properties } from './json-schema.ts'

/** One area of the API: a heading of the page, its paths, and the component schemas that they refer to. */
export type Area = {
  readonly tag: { readonly name: string; readonly description: string }
  readonly paths: Readonly<Record<string, object>>
  readonly schemas: Properties
  /** What the service sends by itself. */
  readonly webhooks?: Readonly<Record<string, object>>
}

export const requestId = { $ref: '#/components/parameters/RequestId' }
export const ifMatch = { $ref: '#/components/parameters/IfMatch' }
export const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' }

type Examples = Readonly<Record<string, { readonly summary?: string; readonly data: object }>>

/** JSON in the envelope, around these data, such as `example`, or such as each of `others`, by a name for machines. */
export const json = (data: JsonSchema, example?: object, others: Examples = {}) => ({
  'application/json': {
    schema: answered({ success: { const: true }, data, error: { type: 'null' } }),
    ...(example && { examples: inEnvelopes({ answer: { data: example }, ...others }) }),
  },
})

function inEnvelopes(examples: Examples) {
  const entries = Object.entries(examples).map(([name, { data, ...words }]) => [
    name,
    { ...words, value: { success: true, data, error: null } },
  ])
  return Object.fromEntries(entries)
}

export const answer = (description: string, content: object, ...headers: readonly HeaderName[]) => ({
  description,
  headers: withHeaders(...headers),
  content,
})

type KeyedOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** The right that it asks for, as in index.ts. */
  readonly right: Right
  readonly parameters: readonly object[]
  readonly body?: { readonly schema: JsonSchema; readonly examples: object }
  /** A request without one means the same as an empty object. */
  readonly isBodyOptional?: boolean
  /** The answers of success, by status. */
  readonly answers: Readonly<Record<number, object>>
  readonly invalid?: InvalidInput
  /** The failures that not every operation of its kind has. */
  readonly refusals: readonly Kind[]
}

/** An operation that needs a key. */
export function keyedOperation(operation: KeyedOperation) {
  const { right, parameters, body, isBodyOptional = false, answers, invalid, refusals, ...words } = operation
  const scopes = rights[right]
  const isForSome = scopes.length < keyScopes.length
  const hasBody = body !== undefined
  const inQuery = parameters.flatMap((one) =>
    'in' in one && one.in === 'query' ? [(one as Parameter).name] : [],
  )
  return {
    ...words,
    security: scopes.map((scope) => ({ ApiKey: [scope] })),
    parameters: [...parameters, requestId],
    ...(hasBody && {
      requestBody: {
        required: !isBodyOptional,
        content: { 'application/json': body },
      },
    }),
    responses: {
      ...answers,
      ...(invalid && invalidInput(invalid, hasBody, inQuery)),
      ...failures(
        'invalid_api_key',
        ...(isForSome ? (['insufficient_permissions'] as const) : []),
        ...refusals,
        ...(hasBody ? (['body_too_large', 'unsupported_media_type'] as const) : []),
        'rate_limited',
        'internal_error',
        'service_unavailable',
      ),
    },
  }
}
