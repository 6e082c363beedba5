// The form that sends an operation. try-it.js makes it work; without scripts it is hidden.

import type { Parameter, WholeOperation } from '../openapi/document.ts'
import { jsonValue } from '../samples/code-values.ts'
import { type Html, html } from './html.ts'

export function tryForm(method: string, path: string, operation: WholeOperation): Html {
  const { operationId, summary, security, parameters = [], requestBody } = operation
  const needsKey = security.length > 0
  const keyId = `${operationId}-key`
  const key = html`<input id="${keyId}" class="key" type="password" autocomplete="off" spellcheck="false"
    placeholder="lk_…" />`
  const fields = parameters.map((parameter) => {
    const id = `${operationId}-${parameter.name}`
    return labelled(id, parameter.name, inputOf(id, parameter))
  })
  return html`<details class="try" data-method="${method}" data-path="${path}">
<summary>Try it</summary>
<form aria-label="Try it: ${summary}">
<p class="rule">Sends a real request to this service.${needsKey && ' The key stays in this tab.'}</p>
${needsKey && labelled(keyId, 'API key', key)}
${fields}
${bodyInput(operationId, requestBody)}
<button type="submit">Send</button>
</form>
<div class="answer" role="status"></div>
</details>`
}

const labelled = (id: string, label: string, input: Html) =>
  html`<div class="input"><label for="${id}">${label}</label>${input}</div>`

function inputOf(id: string, { name, in: place, required, schema, example }: Parameter): Html {
  const choices = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum as string[] | undefined)
  const isRequired = required && html` required`
  if (choices !== undefined) {
    const options = ['', ...choices].map((choice) => html`<option>${choice}</option>`)
    return html`<select id="${id}" name="${name}" data-in="${place}"${isRequired}>${options}</select>`
  }
  // Prefilled because the demo campaign exists. Other examples name things that do not.
  const value = required && name === 'campaignId' && html` value="${String(example)}"`
  return html`<input id="${id}" name="${name}" data-in="${place}" placeholder="${String(example)}"
 autocomplete="off" spellcheck="false"${isRequired}${value} />`
}

function bodyInput(operationId: string, requestBody: WholeOperation['requestBody']): Html | undefined {
  const examples = Object.values(requestBody?.content['application/json']?.examples ?? {})
  const [first] = examples
  if (first === undefined) return undefined
  const options = examples.map(
    ({ summary = 'Example', value }) => html`<option value="${jsonValue(value)}">${summary}</option>`,
  )
  const choice = html`<select id="${operationId}-example" class="example">${options}</select>`
  const rows = Math.min(jsonValue(first.value).split('\n').length + 1, 14)
  return html`${examples.length > 1 && labelled(`${operationId}-example`, 'Example', choice)}
${labelled(
  `${operationId}-body`,
  'Body',
  html`<textarea id="${operationId}-body" class="body" rows="${rows}"
 spellcheck="false" autocomplete="off">${jsonValue(first.value)}</textarea>`,
)}`
}
