// Metadata as JSON text. JavaScript cannot represent all its numbers (12345678901234567890, 1e400), so it is shown, changed
// and sent as text.

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

type Member = readonly [name: string, text: string]

/** The members of a JSON object, each with the text of its value; empty for anything else. */
function sourcesOf(json: string): readonly Member[] {
  const members: Member[] = []
  let [depth, name, from] = [0, '', 0]
  for (const { 0: part, index } of json.startsWith('{') ? json.matchAll(token) : []) {
    if (depth === 1 && name !== '' && (part === ',' || part === '}')) {
      members.push([JSON.parse(name), json.slice(from, index).trim()])
      name = ''
    } else if (depth === 1 && part === ':') from = index + 1
    else if (depth === 1 && name === '') name = part
    if (part === '{' || part === '[') depth++
    if (part === '}' || part === ']') depth--
  }
  return members
}

/** The metadata of the lead in an answer's body; empty: none. */
export function metadataOf(text: string): string {
  const memberOf = (within: string, wanted: string) =>
    sourcesOf(within).findLast(([name]) => name === wanted)?.[1] ?? ''
  return ['data', 'lead', 'metadata'].reduce(memberOf, text)
}

/** The members in order, strings without their quotes. */
export const membersOf = (metadata: string): readonly Member[] =>
  sourcesOf(metadata).map(([name, text]) => [name, text.startsWith('"') ? JSON.parse(text) : text])

/** One line a member; only the space between values changes. */
export function indented(json: string): string {
  let [text, last, depth] = ['', '', 0]
  for (const [part] of json.matchAll(token)) {
    const isEnd = part === '}' || part === ']'
    const isBegun = last === '{' || last === '['
    if (isEnd) depth--
    if (isBegun !== isEnd || last === ',') text += `\n${'  '.repeat(depth)}`
    text += part === ':' ? ': ' : part
    if (part === '{' || part === '[') depth++
    last = part
  }
  return text
}

/** Null: it can be metadata. */
export function problemOfMetadata(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? null : 'Metadata must be a JSON object.'
  } catch {
    return 'Metadata is not JSON.'
  }
}

/** The JSON of `body` with this metadata, unchanged, added; null clears it. */
export function withMetadata(body: object, metadata: string | null): string {
  const json = JSON.stringify(body).slice(0, -1)
  return `${json}${json === '{' ? '' : ','}"metadata":${metadata}}`
}
