// JSON Schema for the API description. Requests come from the zod schemas; an area adds descriptions, and keywords that
// zod cannot express. Responses have no zod schema: the contract test compares them with real ones. Areas import all of
// it as `s`.
import * as z from 'zod/mini'
import { firstMessage } from '../../base/http/reading.ts'
import { timestampPattern, unixMsPattern } from '../../base/timestamp.ts'
import { prose } from './prose.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Properties = Readonly<Record<string, JsonSchema>>

/** Refers to a component schema. The linter of the description reports names that do not exist. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** An object with these members and no others, some of which may be absent. */
export function objectWithout(optional: readonly string[], properties: Properties) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', additionalProperties: false, required, properties }
}
/** An object with all of these members and no others. */
export const exactObject = (properties: Properties) => objectWithout([], properties)

/** ISO 8601, or Unix milliseconds. */
export const instantPattern = `${timestampPattern.source}|${unixMsPattern.source}`

/** Makes schemas of one kind. Each is called with its description, or is the tag of one on several lines. */
export const described =
  <const Kind extends JsonSchema>(kind: Kind) =>
  (description: string | TemplateStringsArray, ...values: readonly unknown[]) => ({
    ...kind,
    description: typeof description === 'string' ? description : prose(description, ...values),
  })

export const text = described({ type: 'string' })
export const textOrNull = described({ type: ['string', 'null'] })
export const flag = described({ type: 'boolean' })
/** A flag of a query, which zod reads as a text. */
export const queryFlag = described({ type: 'boolean', enum: undefined })
export const time = described({ type: 'string', format: 'date-time' })
export const timeOrNull = described({ type: ['string', 'null'], format: 'date-time' })
export const count = described({ type: 'integer', minimum: 0 })
export const countOrNull = described({ type: ['integer', 'null'], minimum: 0 })
/** Codes with their meanings. Typed by the owner of the codes, a table lacks none. */
export const codes = (meanings: Readonly<Record<string, string>>, introduction = '') => ({
  type: 'string',
  enum: Object.keys(meanings),
  description: [
    introduction,
    ...Object.entries(meanings).map(([code, meaning]) => `\`${code}\`: ${meaning}.`),
  ]
    .join(' ')
    .trim(),
})
export const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema.type, 'null'].flat(),
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
})
export const oneOf = (values: readonly string[]) => described({ type: 'string', enum: values })
export const oneOfOrNull = (values: readonly string[]) =>
  described({ type: ['string', 'null'], enum: [...values, null] })
/** A component schema by its name, or this one. */
export const arrayOf = (items: string | JsonSchema) => ({
  type: 'array',
  items: typeof items === 'string' ? reference(items) : items,
})
export const array = (items: JsonSchema) => described(arrayOf(items))

/** An integer of at least 1 for clients, although zod reads the text of the query. */
export const queryNumber = (maximum: number) =>
  described({ type: 'integer', pattern: undefined, minimum: 1, maximum })
export const pageCursor = { description: 'The `nextCursor` of the previous page. Opaque.' }
/** The parameters of a list in pages, whose default is the maximum. */
export const pageOf = (what: string, maximum: number) => ({
  limit: queryNumber(maximum)`The maximum number of ${what}. Default: ${maximum.toLocaleString('en')}.`,
  cursor: pageCursor,
})
export const nextCursor = textOrNull('The `cursor` of the next page. Null on the last page.')

const schemaOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** The members of a zod object, each without the null that means "not set". `extras` are keywords by member. */
function fieldsOf(schema: z.ZodMiniType, extras: Properties) {
  const object = schemaOf(schema)
  return Object.entries(object.properties ?? {}).map(([name, property]) => {
    const { isNullable, value } = withoutNull(property as JsonSchema)
    const isRequired = !isNullable && object.required?.includes(name) === true
    return { name, schema: { ...value, ...extras[name] } as JsonSchema, isNullable, isRequired }
  })
}

function withoutNull(schema: JsonSchema): { value: JsonSchema; isNullable: boolean } {
  if (Array.isArray(schema.type)) return { value: { ...schema, type: schema.type[0] }, isNullable: true }
  const { anyOf, ...rest } = schema as { anyOf?: JsonSchema[] }
  if (anyOf?.at(-1)?.type !== 'null') return { value: schema, isNullable: false }
  return { value: { ...rest, ...anyOf[0] }, isNullable: true }
}

/** A request's body, from its zod schema. `extras` has words for each member, or its schema has: else it throws. */
export function describeBody(schema: z.ZodMiniType, description: string, extras: Properties) {
  const fields = fieldsOf(schema, extras)
  const silent = fields.find(({ schema }) => schema.description === undefined)
  if (silent !== undefined) throw new Error(`"${description}" has no words for its member ${silent.name}`)
  return {
    type: 'object',
    description,
    // Create and bulk ignore unknown members; all other operations refuse them.
    ...(schemaOf(schema).additionalProperties === false && { additionalProperties: false }),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map(({ name, schema, isNullable }) => [name, isNullable ? orNull(schema) : schema]),
    ),
  }
}

/**
 * The parameters of a query, from its zod schema, each with an example, unless only a response gives its values. Empty
 * means "not set" for most.
 */
export function describeQuery(query: z.ZodMiniObject, extras: Properties) {
  const parameters = fieldsOf(query, extras).map(({ name, schema, isRequired }) => {
    const { description, examples, ...rest } = schema
    const example = (examples as readonly unknown[] | undefined)?.[0] ?? defaultExample(rest)
    const mayBeEmpty = z.safeParse(query.shape[name] as z.ZodMiniType, '').success
    return {
      name,
      in: 'query' as const,
      required: isRequired,
      ...(mayBeEmpty && { allowEmptyValue: true }),
      description: description as string,
      schema: rest,
      ...(example !== undefined && { example }),
    }
  })
  return { parameters, refusals: refusalsOf(query, wrongText) }
}

/** Too long for every parameter, and of no other form. */
const wrongText = '?'.repeat(5000)

/** What the service says to a request without members, and to each member with this value. */
export function refusalsOf(schema: z.ZodMiniType, wrong: unknown): string[] {
  const members = Object.values('shape' in schema ? (schema as z.ZodMiniObject).shape : {})
  const tries = [
    z.safeParse(schema, {}),
    ...members.map((member) => z.safeParse(member as z.ZodMiniType, wrong)),
  ]
  return tries.flatMap(({ error }) => (error ? [firstMessage(error)] : []))
}

/** For parameters without examples. A test requires a valid example for every parameter. */
function defaultExample({ enum: choices, type, maximum }: JsonSchema): unknown {
  if (Array.isArray(choices)) return choices[0]
  if (type === 'boolean') return true
  return typeof maximum === 'number' ? Math.min(maximum, 100) : undefined
}

/** Request fields as responses have them: never null, because a field that is not set is absent. */
export const responseFields = (schema: z.ZodMiniType, extras: Properties): Properties =>
  Object.fromEntries(fieldsOf(schema, extras).map((field) => [field.name, field.schema]))
