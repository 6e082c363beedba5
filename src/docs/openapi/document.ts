// The API description as those read it who work on the whole of it: the code samples, the answers that operations
// share, the page. Types alone, of what describe-api.ts puts together, and the way from a reference to what it names.
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

export type MediaType = {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

export type Content = Readonly<Record<string, MediaType>>

export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Content
}

export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string }

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly description?: string; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly 'x-codeSamples'?: readonly CodeSample[]
}

export type PathItems = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export type Document = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: PathItems
  readonly webhooks: PathItems
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What is meant: itself, or what its reference names. */
export function resolve<Thing extends object>(document: Document, thing: Thing | Reference): Thing {
  if (!('$ref' in thing)) return thing
  const [, , kind = '', name = ''] = (thing.$ref as string).split('/')
  const found = document.components[kind]?.[name]
  if (found === undefined) throw new Error(`Nothing is described at ${thing.$ref}`)
  return resolve(document, found as Thing | Reference)
}
