// One operation on the page: description, request, responses and failures, with code samples and example responses
// beside them. The form that sends it is in try-form.ts.

import {
  type Document,
  type Header,
  isForOperator,
  type Operation,
  type Parameter,
  type Response,
  resolve,
} from '../openapi/document.ts'
import type { JsonSchema, Properties } from '../openapi/json-schema.ts'
import { jsonValue } from '../samples/code-values.ts'
import { codeBlock } from './code-block.ts'
import { failuresTable, messagesOf } from './failures-of-operation.ts'
import { type Html, html } from './html.ts'
import { markdown, markdownLine } from './markdown.ts'
import { type Direction, field, fieldsOf } from './schema-fields.ts'
import { tryForm } from './try-form.ts'

export type PageOperation = {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** True: a request that a webhook sends. */
  readonly isEvent: boolean
}

export function operationSection(
  document: Document,
  shown: PageOperation,
  commonHeaders: readonly string[],
): Html {
  const { method, path, operation, isEvent } = shown
  return html`<details class="operation" id="${operation.operationId}">
<summary>${methodOf(shown)} <h3>${operation.summary}</h3> ${!isEvent && html`<code>${path}</code>`}</summary>
<div class="columns">
<div>
${markdown(operation.description)}
${scopesOf(operation)}
${parametersOf(document, operation, 'path', 'Path parameters')}
${parametersOf(document, operation, 'query', 'Query parameters')}
${bodyOf(document, operation, isEvent ? 'response' : 'request')}
${parametersOf(document, operation, 'header', 'Headers')}
${isEvent ? expectedResponses(document, operation) : responsesOf(document, operation, commonHeaders)}
${!isEvent && failuresTable(document, operation)}
${!isEvent && messagesOf(document, operation)}
</div>
<div class="side">
${samplesOf(operation)}
${examplesOf(document, operation, isEvent)}
${!isEvent && !isForOperator(operation) && tryForm(document, method, path, operation)}
</div>
</div>
</details>`
}

/** What the search finds of it. What operations have alike is found in the guide: headers, and errors with their codes. */
export const searchedText = (
  document: Document,
  { operation, isEvent }: PageOperation,
  commonHeaders: readonly string[],
): Html =>
  html`${markdown(operation.description)}
${parametersOf(document, operation, 'path', 'Path parameters')}
${parametersOf(document, operation, 'query', 'Query parameters')}
${bodyOf(document, operation, isEvent ? 'response' : 'request')}
${!isEvent && responsesOf(document, operation, commonHeaders)}
${!isEvent && messagesOf(document, operation)}`

export function methodOf({ method, isEvent }: PageOperation): Html {
  const word = isEvent ? 'event' : method
  return html`<span class="method ${word}">${word.toUpperCase()}</span>`
}

function scopesOf({ security }: Operation): Html | undefined {
  const scopes = (security ?? []).flatMap((one) => Object.values(one).flat())
  if (scopes.length === 0) return undefined
  const names = scopes.map((scope, index) => html`${index > 0 && ', '}<code>${scope}</code>`)
  return html`<p class="rule">Key scope: ${names}.</p>`
}

function parametersOf(
  document: Document,
  { parameters = [] }: Operation,
  shown: Parameter['in'],
  title: string,
): Html | undefined {
  const all = parameters.map((one) => resolve<Parameter>(document, one))
  const items = all
    .filter((parameter) => parameter.in === shown)
    .map(({ name, schema, description, example, required }) => {
      const whole = { ...schema, description, examples: [example] }
      return field(document, name, whole, required && 'required', 'request')
    })
  return items.length === 0 ? undefined : html`<h4>${title}</h4><ul class="fields">${items}</ul>`
}

function bodyOf(document: Document, { requestBody }: Operation, direction: Direction): Html | undefined {
  const schema = requestBody?.content['application/json']?.schema
  return schema && html`<h4>Body</h4>${describe(document, schema, direction)}`
}

function describe(document: Document, schema: JsonSchema, direction: Direction): Html {
  const { description } = resolve(document, schema) as JsonSchema
  const fields = fieldsOf(document, schema, direction)
  return html`${typeof description === 'string' && html`<p>${markdownLine(description)}</p>`}${fields}`
}

function responsesOf(document: Document, { responses }: Operation, commonHeaders: readonly string[]) {
  return successesOf(document, responses).map(([status, response]) => {
    const { description, content = {}, headers = {} } = response
    const data = dataOf(document, content['application/json']?.schema)
    const others = Object.keys(content).filter((type) => type !== 'application/json')
    const own = Object.entries(headers).filter(([name]) => !commonHeaders.includes(name))
    return html`<h4>Response ${status}</h4>
<p>${markdownLine(description)}${data !== undefined && html` <code>data</code>:`}</p>
${data && describe(document, data, 'response')}
${others.map((type) => html`<p>Also available as <code>${type}</code>, by the <code>Accept</code> header.</p>`)}
${own.length > 0 && html`<details class="members"><summary>Headers</summary>${headersOf(document, own)}</details>`}`
  })
}

/** How the receiver of an event can respond. */
function expectedResponses(document: Document, { responses }: Operation): Html {
  const items = Object.entries(responses).map(([status, response]) => {
    const { description } = resolve<Response>(document, response)
    const name = status === 'default' ? 'other' : status
    return html`<li><div class="field"><code>${name}</code></div><p>${markdownLine(description)}</p></li>`
  })
  return html`<h4>Your response</h4><ul class="fields">${items}</ul>`
}

export const successesOf = (document: Document, responses: Operation['responses']) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, response]) => [status, resolve<Response>(document, response)] as const)

/** The schema of `data` in the envelope. */
function dataOf(document: Document, schema: JsonSchema | undefined): JsonSchema | undefined {
  const { properties } = schema === undefined ? {} : (resolve(document, schema) as JsonSchema)
  return (properties as Properties | undefined)?.data
}

export function headersOf(document: Document, headers: readonly (readonly [string, object])[]): Html {
  const items = headers.map(([name, header]) => {
    const { description, required } = resolve(document, header as Header)
    return html`<li><div class="field"><code>${name}</code>${
      !required && html` <span class="mark">optional</span>`
    }</div><p>${markdownLine(description)}</p></li>`
  })
  return html`<ul class="fields">${items}</ul>`
}

const languagesOf: Readonly<Record<string, string>> = { Shell: 'sh', TypeScript: 'ts', Python: 'python' }

function samplesOf({ summary, 'x-codeSamples': samples = [] }: Operation): Html | undefined {
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

function examplesOf(document: Document, operation: Operation, isEvent: boolean): readonly Html[] {
  const contents = isEvent
    ? [['Body', operation.requestBody?.content] as const]
    : successesOf(document, operation.responses).map(
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
