// The source text of values inside a JSON document. Metadata is returned exactly as it was sent, and parsing loses what
// JavaScript cannot hold (1e400, -0, 12345678901234567890, the order of numeric keys): so its text is cut from the
// body, in one pass. Trusts its input: only text that JSON.parse has accepted.

/** A value's text, and its depth in objects and arrays. A class, so that a schema can recognise it. */
export class JsonSource {
  readonly text: string
  readonly depth: number

  constructor(text: string, depth: number) {
    this.text = text
    this.depth = depth
  }
}

/** Receives where a value starts, returns where it ends. */
type Visit<Key> = (key: Key, start: number) => number

/** Visits the members of the object at `start` in order, repeated names included. Returns where it ends. */
export function walkObject(json: string, start: number, visit: Visit<string>): number {
  let at = skipSpace(json, start + 1)
  while (json.charCodeAt(at) !== closingBrace) {
    const nameEnd = skipString(json, at)
    const valueStart = skipSpace(json, skipSpace(json, nameEnd) + 1)
    at = skipSpace(json, visit(readString(json, at, nameEnd), valueStart))
    if (json.charCodeAt(at) === comma) at = skipSpace(json, at + 1)
  }
  return at + 1
}

/** Visits the elements of the array at `start` in order. Returns where it ends. */
export function walkArray(json: string, start: number, visit: Visit<number>): number {
  let at = skipSpace(json, start + 1)
  for (let index = 0; json.charCodeAt(at) !== closingBracket; index++) {
    at = skipSpace(json, visit(index, at))
    if (json.charCodeAt(at) === comma) at = skipSpace(json, at + 1)
  }
  return at + 1
}

/** The source of the value at `start`. */
export function sourceAt(json: string, start: number): JsonSource {
  const { end, depth } = measureValue(json, start)
  return new JsonSource(json.slice(start, end), depth)
}

/** Where the value at `start` ends. */
export function skipValue(json: string, start: number): number {
  return measureValue(json, start).end
}

export function skipSpace(json: string, start: number): number {
  let at = start
  while (json.charCodeAt(at) <= 32) at++
  return at
}

/** The source of the top-level object's member of this name; undefined when it has none. */
export function memberSource(json: string, name: string): JsonSource | undefined {
  return findMember(json, skipSpace(json, 0), name).source
}

/** The same for each object in the top-level array `arrayName`, by index. */
export function memberSourcesOfItems(
  json: string,
  arrayName: string,
  name: string,
): readonly (JsonSource | undefined)[] {
  let sources: (JsonSource | undefined)[] = []
  walkObject(json, skipSpace(json, 0), (member, start) => {
    if (member !== arrayName || json[start] !== '[') return skipValue(json, start)
    // The last of repeated arrays counts, as in JSON.parse.
    sources = []
    return walkArray(json, start, (_, itemStart) => {
      const isObject = json[itemStart] === '{'
      const { end, source } = isObject
        ? findMember(json, itemStart, name)
        : { end: skipValue(json, itemStart), source: undefined }
      sources.push(source)
      return end
    })
  })
  return sources
}

/** The last of repeated members counts, as in JSON.parse. */
function findMember(json: string, start: number, name: string) {
  let source: JsonSource | undefined
  const end = walkObject(json, start, (member, valueStart) => {
    if (member !== name) return skipValue(json, valueStart)
    source = sourceAt(json, valueStart)
    return valueStart + source.text.length
  })
  return { end, source }
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const [openingBracket, closingBracket] = [0x5b, 0x5d]
const [openingBrace, closingBrace] = [0x7b, 0x7d]

function measureValue(json: string, start: number): { end: number; depth: number } {
  let deepest = 0
  let depth = 0
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      at = skipString(json, at) - 1
      if (depth === 0) return { end: at + 1, depth: 0 }
    } else if (code === openingBrace || code === openingBracket) {
      if (++depth > deepest) deepest = depth
    } else if (code === closingBrace || code === closingBracket) {
      // A number or literal ends where the enclosing value does.
      if (depth === 0) return { end: at, depth: 0 }
      if (--depth === 0) return { end: at + 1, depth: deepest }
    } else if (depth === 0 && (code === comma || code <= 32)) {
      return { end: at, depth: 0 }
    }
  }
  return { end: json.length, depth: 0 }
}

function skipString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}

function readString(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end - 1)
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}
