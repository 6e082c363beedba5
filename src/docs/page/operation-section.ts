// One operation on the page: description, request, responses and failures, with code samples and example responses
// beside them. The form that sends it is in try-form.ts.

import { type Header, isForOperator, type Parameter, type WholeOperation } from '../openapi/document.ts'
import type { JsonSchema, Properties } from '../openapi/json-schema.ts'
import { jsonValue } from '../samples/code-values.ts'
import { codeBlock } from './code-block.ts'
import { failuresTable, messagesOf } from './failures-of-operation.ts'
import { type Html, html } from './html.ts'
import { codesOf, type Direction, field, fieldsOf } from './lists/schema-fields.ts'
import { markdown, markdownLine } from './markdown.ts'
import { tryForm } from './try-form.ts'

export type PageOperation = {
  readonly method: string
  readonly path: string
  readonly operation: WholeOperation
  /** True: a request that a webhook sends. */
  readonly isEvent: boolean
}

export function operationSection(shown: PageOperation, commonHeaders: readonly string[]): Html {
  const { method, path, operation, isEvent } = shown
  return html`<details class="operation" id="${operation.operationId}">
<summary>${methodOf(shown)} <h3>${operation.summary}</h3> ${!isEvent && html`<code>${path}</code>`}</summary>
<div class="columns">
<div>
${markdown(operation.description)}
${scopesOf(operation)}
${parametersOf(operation, 'path', 'Path parameters')}
${parametersOf(operation, 'query', 'Query parameters')}
${bodyOf(operation, isEvent ? 'response' : 'request')}
${parametersOf(operation, 'header', 'Headers')}
${isEvent ? expectedResponses(operation) : responsesOf(operation, commonHeaders)}
${!isEvent && failuresTable(operation)}
${!isEvent && messagesOf(operation)}
</div>
<div class="side">
${samplesOf(operation)}
${examplesOf(operation, isEvent)}
${!isEvent && !isForOperator(operation) && tryForm(method, path, operation)}
</div>
</div>
</details>`
}

/**
 * What the search finds of it. What operations have alike is found in the guide: headers, and errors with their codes.
 */
export const searchedText = ({ operation, isEvent }: PageOperation, commonHeaders: readonly string[]): Html =>
  html`${markdown(operation.description)}
${parametersOf(operation, 'path', 'Path parameters')}
${parametersOf(operation, 'query', 'Query parameters')}
${bodyOf(operation, isEvent ? 'response' : 'request')}
${!isEvent && responsesOf(operation, commonHeaders)}
${!isEvent && messagesOf(operation)}`

export function methodOf({ method, isEvent }: PageOperation): Html {
  const word = isEvent ? 'event' : method
  return html`<span class="method ${word}">${word.toUpperCase()}</span>`
}

function scopesOf({ security }: WholeOperation): Html | undefined {
  const scopes = (security ?? []).flatMap((one) => Object.values(one).flat())
  if (scopes.length === 0) return undefined
  return html`<p class="rule">Key scope: ${codesOf(scopes)}.</p>`
}

function parametersOf(
  { parameters = [] }: WholeOperation,
  shown: Parameter['in'],
  title: string,
): Html | undefined {
  const items = parameters
    .filter((parameter) => parameter.in === shown)
    .map(({ name, schema, description, example, required }) => {
      const whole = { ...schema, description, examples: [example] }
      return field(name, whole, required && 'required', 'request')
    })
  return items.length === 0 ? undefined : html`<h4>${title}</h4><ul class="fields">${items}</ul>`
}

function bodyOf({ requestBody }: WholeOperation, direction: Direction): Html | undefined {
  const schema = requestBody?.content['application/json']?.schema
  return schema && html`<h4>Body</h4>${describe(schema, direction)}`
}

function describe(schema: JsonSchema, direction: Direction): Html {
  const { description } = schema
  const fields = fieldsOf(schema, direction)
  return html`${typeof description === 'string' && html`<p>${markdownLine(description)}</p>`}${fields}`
}

function responsesOf({ responses }: WholeOperation, commonHeaders: readonly string[]) {
  return successesOf(responses).map(([status, response]) => {
    const { description, content = {}, headers = {} } = response
    const data = dataOf(content['application/json']?.schema)
    const others = Object.keys(content).filter((type) => type !== 'application/json')
    const own = Object.entries(headers).filter(([name]) => !commonHeaders.includes(name))
    return html`<h4>Response ${status}</h4>
<p>${markdownLine(description)}${data !== undefined && html` <code>data</code>:`}</p>
${data && describe(data, 'response')}
${others.map((type) => html`<p>Also available as <code>${type}</code>, by the <code>Accept</code> header.</p>`)}
${own.length > 0 && html`<details class="members"><summary>Headers</summary>${headersOf(own)}</details>`}`
  })
}

/** How the receiver of an event can respond. */
function expectedResponses({ responses }: WholeOperation): Html {
  const items = Object.entries(responses).map(([status, { description }]) =>
    fieldItem(status === 'default' ? 'other' : status, description),
  )
  return html`<h4>Your response</h4><ul class="fields">${items}</ul>`
}

export const successesOf = (responses: WholeOperation['responses']) =>
  Object.entries(responses).filter(([status]) => Number(status) < 400)

/** The schema of `data` in the envelope. */
const dataOf = (schema: JsonSchema | undefined) => (schema?.properties as Properties | undefined)?.data

export function headersOf(headers: readonly (readonly [string, Header])[]): Html {
  const items = headers.map(([name, { description, required }]) =>
    fieldItem(name, description, !required && html` <span class="mark">optional</span>`),
  )
  return html`<ul class="fields">${items}</ul>`
}

const fieldItem = (name: string, description: string, mark: Html | false = false) =>
  html`<li><div class="field"><code>${name}</code>${mark}</div><p>${markdownLine(description)}</p></li>`

const languagesOf: Readonly<Record<string, string>> = { Shell: 'sh', TypeScript: 'ts', Python: 'python' }

function samplesOf({ summary, 'x-codeSamples': samples = [] }: WholeOperation): Html | undefined {
  if (samples.length === 0) return undefined
  const buttons = samples.map(
    ({ lang, label }, index) =>
      html`<button type="button" data-language="${lang}" aria-pressed="${String(index === 0)}">${label}</button>`,
  )
  const blocks = samples.map(({ lang, label, source }) => {
    const block = codeBlock(languagesOf[lang] ?? '', source, `${label}: ${summary}`)
    return html`<div class="sample" data-language="${lang}">${block}</div>`
  })
  const bar = html`<div role="group" aria-label="Language of code samples">${buttons}</div>`
  return html`<div class="code"><div class="bar">${bar}</div>${blocks}</div>`
}

function examplesOf(operation: WholeOperation, isEvent: boolean): readonly Html[] {
  const contents = isEvent
    ? [['Body', operation.requestBody?.content] as const]
    : successesOf(operation.responses).map(
        ([status, { content }]) => [`Response ${status}`, content] as const,
      )
  return contents.flatMap(([title, content]) => {
    const { example, examples = {} } = content?.['application/json'] ?? {}
    const all = example === undefined ? Object.values(examples) : [{ value: example }]
    return all.map(({ summary, value }: { summary?: string; value: unknown }) => {
      const block = codeBlock('json', jsonValue(value), `${title}: ${operation.summary}`)
      if (summary === undefined || isEvent)
        return html`<div class="code"><div class="bar">${title}</div>${block}</div>`
      return html`<details class="code"><summary class="bar">${markdownLine(summary)}</summary>${block}</details>`
    })
  })
}
