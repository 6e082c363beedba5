// Compares real responses with the API description: every difference, in either direction, is a violation. Sends no
// requests and knows no operation by name.
import { dereference, type Schema, validate } from '@cfworker/json-schema'
import { describeApi } from '../../src/docs/describe-api.ts'
import { type Header as AnyHeader, resolve } from '../../src/docs/openapi/document.ts'

type Described = { readonly [member: string]: unknown; readonly $ref?: string }
type Header = { readonly required: boolean; readonly schema: Schema }
type DescribedResponse = {
  readonly headers: Readonly<Record<string, Described>>
  readonly content?: Content
}
type Content = Readonly<Record<string, { readonly schema: Schema; readonly examples?: Examples }>>
export type Operation = {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Described[]
  readonly requestBody?: { content: { 'application/json': { schema: Schema; examples: Examples } } }
  readonly responses: Readonly<Record<string, DescribedResponse>>
}
type Examples = Readonly<Record<string, { readonly value: unknown }>>

const document = describeApi()

export const { info } = document

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const { parameters = [], responses } = operation
    const known = {
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((parameter) => resolve(document, parameter)),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, resolve(document, response)]),
      ),
    }
    return known as unknown as Operation
  }),
)

export function operationNamed(operationId: string): Operation {
  const found = operations.find((operation) => operation.operationId === operationId)
  if (found === undefined) throw new Error(`No operation ${operationId}`)
  return found
}

/** The types of events that webhooks send. */
export const types = Object.keys(document.webhooks)

type SentEvent = {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: { readonly type: string }
}

/** The differences between an event that a webhook sent and the description. */
export function eventViolations({ headers, text, body: { type } }: SentEvent): readonly string[] {
  const described = document.webhooks[type]?.post as unknown as Operation | undefined
  if (described?.requestBody === undefined) return [`${type} is not described`]
  const inHeaders = described.parameters.flatMap(({ name, schema }) =>
    problems(schema as Schema, headers[name as string]).map((problem) => `${name}: ${problem}`),
  )
  const inBody = problems(described.requestBody.content['application/json'].schema, JSON.parse(text))
  return [...inHeaders, ...inBody].map((violation) => `${type}: ${violation} in ${text}`)
}

/** Headers that HTTP adds. */
const transportHeaders = ['content-type', 'content-length', 'transfer-encoding', 'date']

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** The differences between a response and the description. */
export function violations(operation: Operation, answer: Answer): readonly string[] {
  const response = operation.responses[answer.status]
  if (response === undefined) return [`${answer.status} is not described: ${answer.text}`]
  const found = [...headerViolations(response, answer.headers), ...bodyViolations(response, answer)]
  return found.map((violation) => `${operation.operationId} ${answer.status}: ${violation}`)
}

/** What is described, but in none of the responses: statuses, optional headers, error messages. */
export function notSeen(operation: Operation, answers: readonly Answer[]): string[] {
  return Object.keys(operation.responses).flatMap((status) => {
    // It has no envelope, as the answers of the catalogue have.
    if (status === '304') return []
    const sent = answers.filter((answer) => String(answer.status) === status)
    if (sent.length === 0) return [status]
    const headers = optionalHeaders(operation, status).filter((name) => {
      const having = sent.filter((answer) => answer.headers.has(name)).length
      return having === 0 || having === sent.length
    })
    const errors = describedErrors(operation, status).filter(
      (described) => !sent.some(({ text }) => isValid(described, JSON.parse(text).error)),
    )
    return [...headers, ...errors.map((error) => JSON.stringify(error))].map(
      (missing) => `${status} ${missing}`,
    )
  })
}

function optionalHeaders(operation: Operation, status: string): string[] {
  return Object.entries(headersOf(operation.responses[status] as DescribedResponse)).flatMap(
    // Hints are sent for some causes of a status only: spec/protocol/hints.test.ts has them all.
    ([name, { required }]) => (required || name === 'x-error-hint' ? [] : [name]),
  )
}

/** Schemas of the texts, and the pattern, that the description gives for `error` with this status. */
function describedErrors(operation: Operation, status: string): readonly Schema[] {
  if (Number(status) < 400) return []
  const schema = operation.responses[status]?.content?.['application/json']?.schema
  const error = schema?.properties?.error as Schema | undefined
  return choicesOf(error)
}

const choicesOf = (error: Schema | undefined): readonly Schema[] => {
  if (error === undefined) return []
  const examples = (error.examples ?? []).map((text: unknown) => ({ const: text }))
  const { 'x-pattern': pattern } = resolve(document, error) as { readonly 'x-pattern'?: string }
  return pattern === undefined ? examples : [...examples, { pattern }]
}

export function isValid(schema: Schema, value: unknown): boolean {
  return problems(schema, value).length === 0
}

function headersOf(response: DescribedResponse): Record<string, Header> {
  const headers = Object.entries(response.headers).map(([name, header]) => [
    name.toLowerCase(),
    resolve(document, header as unknown as AnyHeader),
  ])
  return Object.fromEntries(headers)
}

function headerViolations(response: DescribedResponse, sent: Headers): string[] {
  const described = headersOf(response)
  const unknown = [...sent.keys()].filter((name) => !(name in described) && !transportHeaders.includes(name))
  const wrong = Object.entries(described).flatMap(([name, { required, schema }]) => {
    const value = sent.get(name)
    if (value === null) return required ? [`header ${name} is missing`] : []
    return problems(schema, readAs(schema, value)).map((problem) => `header ${name}: ${value}: ${problem}`)
  })
  return [...unknown.map((name) => `header ${name} is not described`), ...wrong]
}

function bodyViolations(response: DescribedResponse, { headers, text }: Answer): string[] {
  if (response.content === undefined) return text === '' ? [] : ['a body is not described']
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const described = response.content[type]
  if (described === undefined) return [`content type ${type} is not described`]
  const found = problems(described.schema, type === 'application/json' ? JSON.parse(text) : text)
  return [...found, ...textViolations(described.schema, text)]
}

/** The description allows any text of an error, and gives every one that there is. */
function textViolations(schema: Schema, text: string): string[] {
  const choices = choicesOf(schema.properties?.error as Schema | undefined)
  if (choices.length === 0 || choices.some((choice) => isValid(choice, JSON.parse(text).error))) return []
  return [`the text of the error is not described: ${text}`]
}

/** Converts the text of a header or query parameter to the type of its schema. */
export function readAs(schema: Schema, text: string): unknown {
  if (schema.type === 'integer') return /^(0|[1-9]\d*)$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/**
 * By their addresses. The description is walked through once: for each schema anew, it took most of these tests' time.
 */
const components = dereference({ components: { schemas: document.components.schemas } } as Schema)
const dereferenced = new WeakSet<Schema>()

function problems(schema: Schema, value: unknown): string[] {
  // Gives each reference within the schema its address.
  if (!dereferenced.has(schema)) dereference(schema)
  dereferenced.add(schema)
  const { errors } = validate(value, schema, '2020-12', components)
  return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
}
