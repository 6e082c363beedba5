// The members of a JSON Schema as a list: name, type, description, constraints. Nested members are collapsed.
import type { JsonSchema, Properties } from '../../openapi/json-schema.ts'
import { type Html, html } from '../html.ts'
import { markdownLine } from '../markdown.ts'

/** Requests mark the members that are required, responses those that are optional. */
export type Direction = 'request' | 'response'

/** Separated by commas. */
export const codesOf = (texts: readonly string[]): readonly Html[] =>
  texts.map((text, index) => html`${index > 0 && ', '}<code>${text}</code>`)

/** Undefined if the schema has no members. */
export function fieldsOf(schema: JsonSchema, direction: Direction): Html | undefined {
  const { properties, variants, required } = shapeOf(schema)
  if (variants.length > 1) {
    const lists = variants.map((variant) => html`<li>${fieldsOf(variant, direction)}</li>`)
    return html`<p class="rule">One of:</p><ul class="variants">${lists}</ul>`
  }
  const members = Object.entries(properties)
  if (members.length === 0) return undefined
  if (areAlike(Object.values(properties))) {
    const [, first] = members[0] as [string, JsonSchema]
    return html`<p class="rule">All members have the same schema: ${codesOf(Object.keys(properties))}.</p>
      ${rulesOf(first)}${fieldsOf(first, direction)}`
  }
  const items = members.map(([name, member]) => {
    const isRequired = required.includes(name)
    const mark = direction === 'request' ? isRequired && 'required' : !isRequired && 'optional'
    return field(name, member, mark, direction)
  })
  return html`<ul class="fields">${items}</ul>`
}

/** One member, or one parameter. */
export function field(name: string, schema: JsonSchema, mark: string | false, direction: Direction): Html {
  const { description } = schema
  const members = fieldsOf(schema, direction)
  const { docs } = shapeOf(schema)
  return html`<li>
<div class="field"><code>${name}</code> <span class="type">${typeOf(schema)}</span>${
    mark !== false && html` <span class="mark">${mark}</span>`
  }</div>
${typeof description === 'string' && html`<p>${markdownLine(description)}</p>`}
${rulesOf(schema)}
${docs && html`<p><a href="${docs.url}">${docs.description}</a></p>`}
${members && html`<details class="members"><summary>Members of <code>${name}</code></summary>${members}</details>`}
</li>`
}

type Shape = {
  readonly properties: Properties
  readonly required: readonly string[]
  readonly variants: readonly JsonSchema[]
  /** Where the members are explained, which are not listed then. */
  readonly docs?: { readonly url: string; readonly description: string }
}

/** Looks through arrays and nullable types. */
function shapeOf({ items, oneOf, anyOf, properties, required, externalDocs }: JsonSchema): Shape {
  if (externalDocs !== undefined)
    return { properties: {}, required: [], variants: [], docs: externalDocs as Shape['docs'] & {} }
  const choices = ((oneOf ?? anyOf ?? []) as readonly JsonSchema[]).filter(({ type }) => type !== 'null')
  const inner = choices.length === 1 ? choices[0] : items
  if (inner !== undefined) return shapeOf(inner as JsonSchema)
  return {
    properties: (properties ?? {}) as Properties,
    required: (required ?? []) as readonly string[],
    variants: choices,
  }
}

/** Many members with the same schema are described once. */
function areAlike([first, ...others]: readonly JsonSchema[]): boolean {
  const text = JSON.stringify(first)
  return others.length > 2 && others.every((other) => JSON.stringify(other) === text)
}

function typeOf({ type, items, oneOf, anyOf, const: only, format }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only)
  const choices = (oneOf ?? anyOf) as readonly JsonSchema[] | undefined
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  const types = [type ?? 'anything'].flat() as string[]
  const names = types.map((name) => {
    if (name === 'array' && items !== undefined) return `array of ${typeOf(items as JsonSchema)}`
    return name === 'string' && format === 'date-time' ? 'timestamp' : name
  })
  return names.join(' or ')
}

function rulesOf(schema: JsonSchema): Html | undefined {
  const { enum: choices, minimum, maximum, minLength, maxLength, minItems, maxItems, examples } = schema
  const values = (choices as readonly unknown[] | undefined)?.filter((choice) => choice !== null)
  // An example adds nothing to a list of values or a boolean.
  const isPlain = values !== undefined || schema.type === 'boolean'
  const one = isPlain ? undefined : (examples as readonly unknown[] | undefined)?.[0]
  const rules = [
    values && html`One of ${codesOf(values.map(String))}.`,
    range(minimum, maximum, ''),
    range(minLength === 1 ? 0 : minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    one !== undefined && html`Example: <code>${typeof one === 'string' ? one : JSON.stringify(one)}</code>`,
  ].filter((rule) => rule !== undefined && rule !== false)
  return rules.length === 0 ? undefined : html`<p class="rule">${rules.map((rule) => html`${rule} `)}</p>`
}

function range(min: unknown, max: unknown, unit: string): string | false {
  const isMin = typeof min === 'number' && (min > 0 || unit === '')
  // zod gives every integer this maximum.
  const isMax = typeof max === 'number' && max < Number.MAX_SAFE_INTEGER
  if (isMin && isMax) return `${min} to ${max.toLocaleString('en')}${unit}.`
  if (isMax) return `At most ${max.toLocaleString('en')}${unit}.`
  return isMin && min > 0 && `At least ${min}${unit}.`
}
