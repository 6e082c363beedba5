// One operation on the page: what it is for, what is sent and answered, what can go wrong, and beside it a request to
// paste and the answer to expect. The form that sends it is in try-form.ts.

import type { Document, Header, Operation, Parameter, Response } from '../openapi/document.ts'
import { resolve } from '../openapi/document.ts'
import type { JsonSchema, Properties } from '../openapi/json-schema.ts'
import { jsonValue } from '../samples/code-values.ts'
import { codeBlock } from './code-block.ts'
import { failuresTable, messagesOf } from './failures-of-operation.ts'
import { type Html, html } from './html.ts'
import { markdown, markdownLine } from './markdown.ts'
import { type Direction, field, fieldsOf } from './schema-fields.ts'
import { tryForm } from './try-form.ts'

export type Place = {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** True: it is not asked of us, but told by us. */
  readonly isEvent: boolean
}

export function operationSection(document: Document, place: Place, commonHeaders: readonly string[]): Html {
  const { method, path, operation, isEvent } = place
  return html`<details class="operation" id="${operation.operationId}">
<summary>${methodOf(place)} <h3>${operation.summary}</h3> ${!isEvent && html`<code>${path}</code>`}</summary>
<div class="columns">
<div>
${markdown(operation.description)}
${scopesOf(operation)}
${parametersOf(document, operation, 'path', 'In the path')}
${parametersOf(document, operation, 'query', 'In the query')}
${bodyOf(document, operation, isEvent ? 'answered' : 'sent')}
${parametersOf(document, operation, 'header', 'Headers')}
${isEvent ? wantedAnswers(document, operation) : answersOf(document, operation, commonHeaders)}
${!isEvent && failuresTable(document, operation)}
${!isEvent && messagesOf(document, operation)}
</div>
<div class="side">
${samplesOf(operation)}
${examplesOf(document, operation, isEvent)}
${!isEvent && tryForm(document, method, path, operation)}
</div>
</div>
</details>`
}

export function methodOf({ method, isEvent }: Place): Html {
  const word = isEvent ? 'event' : method
  return html`<span class="method ${word}">${word.toUpperCase()}</span>`
}

function scopesOf({ security }: Operation): Html | undefined {
  const scopes = (security ?? []).flatMap((one) => Object.values(one).flat())
  if (scopes.length === 0) return undefined
  const names = scopes.map((scope, index) => html`${index > 0 && ', '}<code>${scope}</code>`)
  return html`<p class="rule">Scope of the key: ${names}.</p>`
}

function parametersOf(
  document: Document,
  { parameters = [] }: Operation,
  place: Parameter['in'],
  title: string,
): Html | undefined {
  const all = parameters.map((one) => resolve<Parameter>(document, one))
  const items = all
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, description, example, required }) => {
      const told = { ...schema, description, examples: [example] }
      return field(document, name, told, required && 'required', 'sent')
    })
  return items.length === 0 ? undefined : html`<h4>${title}</h4><ul class="fields">${items}</ul>`
}

function bodyOf(document: Document, { requestBody }: Operation, direction: Direction): Html | undefined {
  const schema = requestBody?.content['application/json']?.schema
  return schema && html`<h4>Body</h4>${described(document, schema, direction)}`
}

function described(document: Document, schema: JsonSchema, direction: Direction): Html {
  const { description } = resolve(document, schema) as JsonSchema
  const fields = fieldsOf(document, schema, direction)
  return html`${typeof description === 'string' && html`<p>${markdownLine(description)}</p>`}${fields}`
}

function answersOf(document: Document, { responses }: Operation, commonHeaders: readonly string[]) {
  return successesOf(document, responses).map(([status, response]) => {
    const { description, content = {}, headers = {} } = response
    const data = dataOf(document, content['application/json']?.schema)
    const others = Object.keys(content).filter((type) => type !== 'application/json')
    const own = Object.entries(headers).filter(([name]) => !commonHeaders.includes(name))
    return html`<h4>Answer ${status}</h4>
<p>${markdownLine(description)}${data !== undefined && html` <code>data</code> has:`}</p>
${data && described(document, data, 'answered')}
${others.map((type) => html`<p>Also as <code>${type}</code>, when <code>Accept</code> asks for it.</p>`)}
${own.length > 0 && html`<details class="members"><summary>Headers</summary>${headersOf(document, own)}</details>`}`
  })
}

/** Of an event: what its receiver may answer. */
function wantedAnswers(document: Document, { responses }: Operation): Html {
  const items = Object.entries(responses).map(([status, response]) => {
    const { description } = resolve<Response>(document, response)
    const name = status === 'default' ? 'any other' : status
    return html`<li><div class="field"><code>${name}</code></div><p>${markdownLine(description)}</p></li>`
  })
  return html`<h4>Your answer</h4><ul class="fields">${items}</ul>`
}

export const successesOf = (document: Document, responses: Operation['responses']) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, response]) => [status, resolve<Response>(document, response)] as const)

/** What is in the envelope. */
function dataOf(document: Document, schema: JsonSchema | undefined): JsonSchema | undefined {
  const { properties } = schema === undefined ? {} : (resolve(document, schema) as JsonSchema)
  return (properties as Properties | undefined)?.data
}

export function headersOf(document: Document, headers: readonly (readonly [string, object])[]): Html {
  const items = headers.map(([name, header]) => {
    const { description, required } = resolve(document, header as Header)
    return html`<li><div class="field"><code>${name}</code>${
      !required && html` <span class="mark">may be absent</span>`
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
  return html`<div class="code"><div class="bar"><div role="group" aria-label="Language of the samples">${buttons}</div></div>${blocks}</div>`
}

function examplesOf(document: Document, operation: Operation, isEvent: boolean): readonly Html[] {
  const contents = isEvent
    ? [['Body', operation.requestBody?.content] as const]
    : successesOf(document, operation.responses).map(
        ([status, { content }]) => [`Answer ${status}`, content] as const,
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
