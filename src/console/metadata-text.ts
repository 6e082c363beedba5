// Metadata as JSON text. JavaScript cannot hold all that it may have (12345678901234567890, 1e400), so it is shown, changed
// and sent as the text that it is.
import { memberSource, sourceAt, walkObject } from '../leads/json-source.ts'

/** Of the lead in the body of an answer; empty where it has none. */
export function metadataOf(text: string): string {
  const memberOf = (within: string, name: string) =>
    within.startsWith('{') ? (memberSource(within, name)?.text ?? '') : ''
  return ['data', 'lead', 'metadata'].reduce(memberOf, text)
}

/** Its members in order, texts without their quotes. */
export function membersOf(metadata: string): readonly (readonly [name: string, value: string])[] {
  const members: [string, string][] = []
  if (metadata === '') return members
  walkObject(metadata, 0, (name, start) => {
    const { text } = sourceAt(metadata, start)
    members.push([name, text.startsWith('"') ? JSON.parse(text) : text])
    return start + text.length
  })
  return members
}

/** With a line for each member; between the spaces nothing changes. */
export function indented(json: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s"{}[\],:]+/g) ?? []
  return tokens
    .map((token) => {
      if (token === '{' || token === '[') {
        depth++
        return token + line()
      }
      if (token === '}' || token === ']') {
        depth--
        return line() + token
      }
      return token === ',' ? token + line() : token === ':' ? ': ' : token
    })
    .join('')
}

/** Why it cannot be metadata; null: it can. */
export function faultOfMetadata(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? null : 'Metadata must be a JSON object.'
  } catch {
    return 'Metadata is not JSON.'
  }
}

/** The JSON of `body`, and in it this metadata as it stands; null clears it. */
export function withMetadata(body: object, metadata: string | null): string {
  const json = JSON.stringify(body).slice(0, -1)
  return `${json}${json === '{' ? '' : ','}"metadata":${metadata}}`
}
