// The commands that the API description gives: one for each operation with `x-cli`, and what each takes.
import { describeApi } from '../../docs/describe-api.ts'
import type { Cli, CliOption } from '../../docs/openapi/cli.ts'
import {
  type Document,
  isForOperator,
  type Operation,
  type Parameter,
  resolve,
} from '../../docs/openapi/document.ts'
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

export type ApiCommand = (typeof apiCommands)[number]

/** Options that each command has: an input of such a name keeps its whole name. */
const taken = ['url', 'key', 'local', 'json', 'all', 'csv', 'yes', 'help']

function describeCommands() {
  const document = describeApi()
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const { 'x-cli': cli, summary, description, tags, parameters = [] } = operation
      if (cli === undefined) return []
      return {
        cli,
        method: method.toUpperCase() as Call['method'],
        path,
        // Its area.
        about: tags[0] ?? '',
        summary,
        description,
        inputs: inputsOf(document, operation, cli).filter(({ isLeftOut }) => !isLeftOut),
        // A repeated request is recognized by its key.
        isKeyed: parameters.some((one) => resolve<Parameter>(document, one).name === 'Idempotency-Key'),
        isForOperator: isForOperator(operation),
        ...answerOf(document, operation),
      }
    }),
  )
}

function inputsOf(document: Document, { parameters = [], requestBody }: Operation, cli: Cli): Input[] {
  const schema = requestBody?.content['application/json']?.schema
  const { properties = {}, required = [] } = (schema ? resolve(document, schema) : {}) as Partial<BodySchema>
  return [
    ...parameters.flatMap((one) => {
      const { name, in: place, required: isRequired, description, schema } = resolve<Parameter>(document, one)
      if (place === 'header') return []
      return inputOf([name], place, isRequired, { ...resolve(document, schema), description })
    }),
    ...Object.entries(properties).flatMap(([name, property]) => {
      const member = resolve(document, property)
      if (!isFlat(member)) return inputOf([name], 'body', required.includes(name), member)
      const parts = Object.entries(member.properties as Properties)
      return parts.map(([inner, part]) => inputOf([name, inner], 'body', false, part))
    }),
  ]

  /** `campaignId` is `--campaign`, like every id that paths have. */
  function inputOf(
    members: readonly string[],
    place: Input['place'],
    isRequired: boolean,
    schema: JsonSchema,
  ): Input {
    const name = members.at(-1) as string
    const own = cli.options?.[name] ?? {}
    const whole = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase()
    const isOfPath = Object.keys(document.paths).some((path) => path.includes(`{${name}}`))
    const short = isOfPath ? whole.replace(/-id$/, '') : whole
    const option = own.name ?? (taken.includes(short) ? whole : short)
    return { ...own, members, option, place, isRequired, schema }
  }
}

type BodySchema = { readonly properties: Properties; readonly required: readonly string[] }

/** An object of single values: each of them has an option. */
function isFlat({ properties }: JsonSchema): boolean {
  const parts = Object.values((properties ?? {}) as Properties)
  return parts.length > 0 && parts.every((part) => typesOf(part).every((type) => isSingle.includes(type)))
}
const isSingle: readonly unknown[] = ['integer', 'number', 'null']

function answerOf(document: Document, { responses }: Operation) {
  const response = responses[200]
  const schema = response && resolve(document, response).content?.['application/json']?.schema
  const { data } = (schema?.properties ?? {}) as Properties
  const members = Object.entries((data && (resolve(document, data).properties as Properties)) ?? {}).filter(
    ([name]) => !besideLists.includes(name),
  )
  const lists = members.filter(([, member]) => member.type === 'array')
  return {
    // The member that is a list. Null: an answer that has more than its list and its next cursor is one thing.
    list: lists.length === 1 && members.length <= 3 ? (lists[0]?.[0] ?? null) : null,
    // One request does a part; the next one continues.
    hasPages: members.some(([name]) => ['nextCursor', 'next', 'more'].includes(name)),
  }
}

/** Says of the others how far they reach. */
const besideLists: readonly string[] = ['isPartial']

/** None has the version. */
export const apiCommands = describeCommands()
