// The types of the finished API description, for code that works on all of it: the code samples, the shared
// responses, the page. Also resolves references. describe-api.ts builds the description.
import type { Cli } from './cli.ts'
import type { JsonSchema } from './json-schema.ts'

export type Reference = { readonly $ref: string }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export type Header = { readonly required: boolean; readonly description: string; readonly schema: JsonSchema }

type MediaType = {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

export type Content = Readonly<Record<string, MediaType>>

export type Response<Elsewhere = Reference> = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Elsewhere>>
  readonly content?: Content
}

export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string }

/** `Elsewhere`: what may be in place of a part. */
export type Operation<Elsewhere = Reference> = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Elsewhere)[]
  readonly requestBody?: { readonly description?: string; readonly content: Content }
  readonly responses: Readonly<Record<string, Response<Elsewhere> | Elsewhere>>
  readonly 'x-cli'?: Cli
  readonly 'x-codeSamples'?: readonly CodeSample[]
}

export type PathItems<Elsewhere = Reference> = Readonly<
  Record<string, Readonly<Record<string, Operation<Elsewhere>>>>
>

export type Document<Elsewhere = Reference> = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: PathItems<Elsewhere>
  readonly webhooks: PathItems<Elsewhere>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Follows a reference; returns anything else as it is. */
export function resolve<Value extends object>(document: Document, value: Value | Reference): Value {
  if (!('$ref' in value)) return value
  const [, , kind = '', name = ''] = (value.$ref as string).split('/')
  const target = document.components[kind]?.[name]
  if (target === undefined) throw new Error(`Nothing is described at ${value.$ref}`)
  return resolve(document, target as Value | Reference)
}

export type WholeDocument = Document<never>
export type WholeOperation = Operation<never>

/** The same with every reference replaced by what it refers to; what is beside a reference counts more. */
export function withoutReferences(document: Document): WholeDocument {
  const replace = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(replace)
    const { $ref, ...own } = value as { readonly $ref?: string }
    const whole = $ref === undefined ? own : { ...resolve(document, { $ref }), ...own }
    return Object.fromEntries(Object.entries(whole).map(([name, member]) => [name, replace(member)]))
  }
  const paths = replace(document.paths) as WholeDocument['paths']
  const webhooks = replace(document.webhooks) as WholeDocument['webhooks']
  return { ...document, paths, webhooks }
}

/** It needs an operator's key, which belongs in no page and no client of a company. */
export const isForOperator = ({ security }: Pick<Operation, 'security'>) =>
  security.some(({ ApiKey }) => ApiKey?.includes('operate'))
