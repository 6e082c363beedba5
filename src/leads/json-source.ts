// The source text of values inside a JSON document. Parsing and writing JSON again loses what JavaScript cannot
// hold (1e400, -0, 12345678901234567890, the order of numeric keys); metadata has to come back as it was sent,
// so its text is cut out of the request body. One pass over text that JSON.parse has accepted, and trusts it.

/** A value's text, and how many objects and arrays deep it is. A class, so that a schema can tell it from any value. */
export class JsonSource {
  readonly text: string
  readonly depth: number

  constructor(text: string, depth: number) {
    this.text = text
    this.depth = depth
  }
}

/** Is given where a value starts; must return where it ends, as the walks and skips below do. */
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

/** The source of a member of the object that the text is; undefined when it has none of the name. */
export function memberSource(json: string, name: string): JsonSource | undefined {
  return findMember(json, skipSpace(json, 0), name).source
}

/** The same for each object in the array `arrayName` of the object that the text is, by the index of the element. */
export function memberSourcesOfItems(
  json: string,
  arrayName: string,
  name: string,
): readonly (JsonSource | undefined)[] {
  let sources: (JsonSource | undefined)[] = []
  walkObject(json, skipSpace(json, 0), (member, start) => {
    if (member !== arrayName || json[start] !== '[') return skipValue(json, start)
    // Where the array is repeated, JSON.parse has kept the last one, and so does this.
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

/** Of the object at `start`: the last one of the name where it is repeated, as JSON.parse has it. */
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
      // A number or a word ends where what encloses it does.
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
