// The table of an operation's failures, without those of every request or body, and examples of its 400 messages. The
// rows come from the Markdown tables in the descriptions of the responses, which other renderers show too.
import type { WholeOperation } from '../openapi/document.ts'
import type { Properties } from '../openapi/json-schema.ts'
import { type Html, html } from './html.ts'
import { markdownLine } from './markdown.ts'

/** The guide has them: they mean the same everywhere. */
const ofEveryRequest = ['401', '413', '415', '429', '500', '503']

export function failuresTable({ responses }: WholeOperation): Html | undefined {
  const failures = Object.entries(responses).filter(
    ([status]) => Number(status) >= 400 && !ofEveryRequest.includes(status),
  )
  if (failures.length === 0) return undefined
  const rows = failures.flatMap(([status, response]) => {
    const [, , ...lines] = response.description.split('\n')
    return lines.map((line) => {
      const [code = '', message = '', meaning = ''] = line.slice(2, -2).split(' | ')
      return html`<tr><td>${status}</td><td>${markdownLine(code)} ${plain(message)}
        <p>${markdownLine(meaning)}</p></td></tr>`
    })
  })
  return html`<h4>Errors</h4>
<table class="failures"><thead>
<tr><th>Status</th><th><code>X-Error-Code</code>, <code>error</code>, meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

const plain = (markdown: string) => markdown.replaceAll('`', '')

/** Examples of its 400. */
export function messagesOf({ responses }: WholeOperation): Html | undefined {
  const schema = responses[400]?.content?.['application/json']?.schema
  const examples = (schema?.properties as Properties | undefined)?.error?.examples as
    | readonly string[]
    | undefined
  if (examples === undefined) return undefined
  const messages = examples.map((text) => html`<li>${text}</li>`)
  return html`<details class="members"><summary>Messages of 400, for example</summary>
    <ul class="messages">${messages}</ul></details>`
}
