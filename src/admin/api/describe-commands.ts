// The commands that the API description gives: one for each operation with `x-cli`, and what each takes.
import { describeApi } from '../../docs/describe-api.ts'
import type { Cli, CliOption } from '../../docs/openapi/cli.ts'
import { type Document, type Operation, type Parameter, resolve } from '../../docs/openapi/document.ts'
import type { JsonSchema, Properties } from '../../docs/openapi/json-schema.ts'
import type { Call } from '../../sdk/src/lead-intake.ts'
import { typesOf } from './readers.ts'

/** What an operation takes: a parameter, or a member of its body. */
export type Input = CliOption & {
  readonly place: 'path' | 'query' | 'body'
  /** Where it is: `['numberLimits', 'per7Days']`. */
  readonly members: readonly string[]
  readonly option: string
  readonly isRequired: boolean
  readonly schema: JsonSchema
}

export type ApiCommand = {
  readonly cli: Cli
  readonly method: Call['method']
  readonly path: string
  /** Its area. */
  readonly about: string
  readonly summary: string
  readonly description: string
  readonly inputs: readonly Input[]
  /** A repeated request is recognized by its key. */
  readonly isKeyed: boolean
  /** The member of the answer that is a list; null: it is one thing. */
  readonly list: string | null
  /** One request does a part; the next one continues. */
  readonly hasPages: boolean
  readonly scopes: readonly string[]
}

/** Options that each command has: an input of such a name keeps its whole name. */
const taken = ['url', 'key', 'local', 'json', 'all', 'csv', 'yes', 'help']

export function describeCommands(version: string): readonly ApiCommand[] {
  const document = describeApi(version)
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const cli = operation['x-cli']
      return cli === undefined ? [] : [commandOf(document, path, method, operation, cli)]
    }),
  )
}

function commandOf(
  document: Document,
  path: string,
  method: string,
  operation: Operation,
  cli: Cli,
): ApiCommand {
  const parameters = (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one))
  const inputs = [
    ...parameters.flatMap((parameter) =>
      parameter.in === 'header' ? [] : [ofParameter(document, parameter, cli)],
    ),
    ...ofBody(document, operation, cli),
  ]
  return {
    cli,
    method: method.toUpperCase() as Call['method'],
    path,
    about: operation.tags[0] ?? '',
    summary: operation.summary,
    description: operation.description,
    inputs: inputs.filter(({ isLeftOut }) => !isLeftOut),
    isKeyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
    ...answerOf(document, operation),
    scopes: operation.security.flatMap((one) => Object.values(one).flat()),
  }
}

function ofParameter(document: Document, parameter: Parameter, cli: Cli): Input {
  const { name, in: place, required: isRequired, description } = parameter
  const schema = { ...resolve(document, parameter.schema), description }
  return { ...named(document, [name], cli), place: place as 'path' | 'query', isRequired, schema }
}

function ofBody(document: Document, { requestBody }: Operation, cli: Cli): Input[] {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return []
  const { properties, required = [] } = resolve(document, schema) as BodySchema
  return Object.entries(properties).flatMap(([name, property]) => {
    const member = resolve(document, property)
    const isRequired = required.includes(name)
    if (!isFlat(member))
      return [{ ...named(document, [name], cli), place: 'body' as const, isRequired, schema: member }]
    return Object.entries(member.properties as Properties).map(([inner, part]) => ({
      ...named(document, [name, inner], cli),
      place: 'body' as const,
      isRequired: false,
      schema: part,
    }))
  })
}

type BodySchema = JsonSchema & { readonly properties: Properties; readonly required?: readonly string[] }

/** An object of single values: each of them has an option. */
function isFlat({ properties }: JsonSchema): boolean {
  const parts = Object.values((properties ?? {}) as Properties)
  return parts.length > 0 && parts.every((part) => typesOf(part).every((type) => isSingle.includes(type)))
}
const isSingle: readonly unknown[] = ['integer', 'number', 'null']

/** `campaignId` is `--campaign`, like every id that paths have. */
function named({ paths }: Document, members: readonly string[], cli: Cli) {
  const name = members.at(-1) as string
  const own = cli.options?.[name] ?? {}
  const whole = kebabCase(name)
  const isOfPath = Object.keys(paths).some((path) => path.includes(`{${name}}`))
  const short = isOfPath ? whole.replace(/-id$/, '') : whole
  return { ...own, members, option: own.name ?? (taken.includes(short) ? whole : short) }
}

const kebabCase = (name: string) => name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase()

function answerOf(document: Document, { responses }: Operation): Pick<ApiCommand, 'list' | 'hasPages'> {
  const response = responses[200]
  const schema = response && resolve(document, response).content?.['application/json']?.schema
  const { data } = (schema?.properties ?? {}) as Properties
  const members = Object.entries((data && (resolve(document, data).properties as Properties)) ?? {})
  const lists = members.filter(([, member]) => member.type === 'array')
  return {
    // An answer that has more than its list and its next cursor is one thing.
    list: lists.length === 1 && members.length <= 3 ? (lists[0]?.[0] ?? null) : null,
    hasPages: members.some(([name]) => ['nextCursor', 'next', 'more'].includes(name)),
  }
}
