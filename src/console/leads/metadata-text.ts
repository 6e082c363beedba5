// Metadata as JSON text. JavaScript cannot represent all its numbers (12345678901234567890, 1e400), so it is shown,
// changed and sent as text.
import { sourceAt, walkArray, walkObject } from '../../queue/leads/json-source.ts'

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

type Member = readonly [name: string, text: string]

/** The members of a JSON object, or of an array by their place, each with the text of its value; else empty. */
function sourcesOf(json: string): readonly Member[] {
  const members: Member[] = []
  const add = (name: string | number, start: number) => {
    const { text } = sourceAt(json, start)
    members.push([`${name}`, text])
    return start + text.length
  }
  if (json.startsWith('{')) walkObject(json, 0, add)
  if (json.startsWith('[')) walkArray(json, 0, add)
  return members
}

const memberOf = (within: string, wanted: string) =>
  sourcesOf(within).findLast(([name]) => name === wanted)?.[1] ?? ''

/** The metadata of the lead in an answer's body; empty: none. */
export const metadataOf = (text: string): string => ['data', 'lead', 'metadata'].reduce(memberOf, text)

/** The metadata of each lead of a list in an answer's body. */
export const metadataTextsOf = (text: string): readonly string[] =>
  sourcesOf(['data', 'leads'].reduce(memberOf, text)).map(([, lead]) => memberOf(lead, 'metadata'))

/** The members in order, strings without their quotes. */
export const membersOf = (metadata: string): readonly Member[] =>
  sourcesOf(metadata).map(([name, text]) => [name, text.startsWith('"') ? JSON.parse(text) : text])

const maxDepth = 4

/** The same for people: objects member by member, lists of plain values in one line. */
export function readableMembersOf(metadata: string, depth = maxDepth): readonly Member[] {
  return membersOf(metadata).flatMap(([name, text]): readonly Member[] => {
    if (depth > 1 && /^\{\s*"/.test(text))
      return readableMembersOf(text, depth - 1).map(([inner, value]) => [`${name} › ${inner}`, value])
    if (!/^\[\s*[^\s\]]/.test(text)) return [[name, text]]
    const items = membersOf(text).map(([, item]) => item)
    return [[name, items.some((item) => /^[[{]/.test(item)) ? indented(text) : items.join(', ')]]
  })
}

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

/** A member as it is edited: text without its quotes, anything else as JSON. */
export type MetadataRow = {
  readonly name: string
  readonly value: string
  readonly isText: boolean
  readonly isNew: boolean
}

export const rowsOfMetadata = (metadata: string): readonly MetadataRow[] =>
  sourcesOf(metadata).map(([name, text]) => {
    const isText = text.startsWith('"')
    return { name, value: isText ? JSON.parse(text) : indented(text), isText, isNew: false }
  })

/** The JSON of edited members, null without any; or the problem. A number that is edited into words becomes text. */
export function metadataOfRows(
  rows: readonly MetadataRow[],
): { readonly json: string | null } | { readonly problem: string } {
  const members: string[] = []
  const names = new Set<string>()
  for (const { name: written, value, isText, isNew } of rows) {
    const name = isNew ? written.trim() : written
    if (isNew && name === '' && value === '') continue
    if (isNew && name === '') return { problem: `Give the field with “${value}” a name.` }
    if (names.has(name)) return { problem: `Two fields have the name “${name}”.` }
    names.add(name)
    const isNested = !isText && /^\s*[[{]/.test(value)
    if (isNested && !isJson(value)) return { problem: `The value of “${name}” is not JSON.` }
    members.push(`${JSON.stringify(name)}:${!isText && isJson(value) ? value.trim() : JSON.stringify(value)}`)
  }
  return { json: members.length === 0 ? null : `{${members.join(',')}}` }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The JSON of `body` with this metadata, unchanged, added; null clears it. */
export function withMetadata(body: object, metadata: string | null): string {
  const json = JSON.stringify(body).slice(0, -1)
  return `${json}${json === '{' ? '' : ','}"metadata":${metadata}}`
}
