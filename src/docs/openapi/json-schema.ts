// JSON Schema for the API description. What may be sent is what the zod schemas say; the words of an area add what
// they cannot express and what is for people. What is answered has no zod schema: the contract test holds it to real
// answers. Knows no area and no operation.
import * as z from 'zod/mini'
import { timestampPattern, unixMsPattern } from '../../timestamp.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Properties = Readonly<Record<string, JsonSchema>>

/** A component schema, by its name in the area that has it. The linter of the description finds one that is not. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** An object of an answer: it has these members and no others. */
export function answered(properties: Properties, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', additionalProperties: false, required, properties }
}

/** ISO 8601, or Unix milliseconds. */
export const instantPattern = `${timestampPattern.source}|${unixMsPattern.source}`

export const count = (description: string) => ({ type: 'integer', minimum: 0, description })

type Field = { readonly schema: JsonSchema; readonly isNullable: boolean; readonly isRequired: boolean }

const schemaOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** The members of a zod object, each without the null that stands for "not set". `words` are by member. */
function describeFields(schema: z.ZodMiniType, words: Properties): Readonly<Record<string, Field>> {
  const object = schemaOf(schema)
  const fields = Object.entries(object.properties ?? {}).map(([name, property]) => {
    const { isNullable, value } = withoutNull(property as JsonSchema)
    const isRequired = !isNullable && object.required?.includes(name) === true
    return [name, { schema: { ...value, ...words[name] }, isNullable, isRequired }]
  })
  return Object.fromEntries(fields)
}

function withoutNull(schema: JsonSchema): { value: JsonSchema; isNullable: boolean } {
  if (Array.isArray(schema.type)) return { value: { ...schema, type: schema.type[0] }, isNullable: true }
  const { anyOf, ...rest } = schema as { anyOf?: JsonSchema[] }
  if (anyOf?.at(-1)?.type !== 'null') return { value: schema, isNullable: false }
  return { value: { ...rest, ...anyOf[0] }, isNullable: true }
}

/** A request's body, from its zod schema. */
export function describeBody(schema: z.ZodMiniType, words: Properties, description: string) {
  const fields = Object.entries(describeFields(schema, words))
  return {
    type: 'object',
    description,
    // Where any other is refused; create and bulk ignore what they do not know.
    ...(schemaOf(schema).additionalProperties === false && { additionalProperties: false }),
    required: fields.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    properties: Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        field.isNullable ? { ...field.schema, type: [field.schema.type, 'null'] } : field.schema,
      ]),
    ),
  }
}

/** The parameters of a query, from its zod schema, each with an example. Most are not set when they are empty. */
export function describeQuery(query: z.ZodMiniObject, words: Properties) {
  return Object.entries(describeFields(query, words)).map(([name, { schema, isRequired }]) => {
    const { description, examples, ...rest } = schema
    const example = (examples as readonly unknown[] | undefined)?.[0] ?? usualExample(rest)
    const mayBeEmpty = z.safeParse(query.shape[name] as z.ZodMiniType, '').success
    return {
      name,
      in: 'query',
      required: isRequired,
      ...(mayBeEmpty && { allowEmptyValue: true }),
      description,
      schema: rest,
      example,
    }
  })
}

/** Where the words give none. A test wants one of every parameter, and that it is valid. */
function usualExample({ enum: choices, type, maximum }: JsonSchema): unknown {
  if (Array.isArray(choices)) return choices[0]
  if (type === 'boolean') return true
  return typeof maximum === 'number' ? Math.min(maximum, 100) : undefined
}

/** What is answered of a field that was sent: never null, since what is not set is left out. */
export function fieldsAsAnswered(schema: z.ZodMiniType, words: Properties): Properties {
  const fields = Object.entries(describeFields(schema, words))
  return Object.fromEntries(fields.map(([name, field]) => [name, field.schema]))
}
