// The source text of values inside a JSON document. Parsing and writing JSON again loses what JavaScript cannot
// hold (1e400, -0, 12345678901234567890, the order of numeric keys); metadata has to come back as it was sent,
// so its text is cut out of the request body. Works on text that JSON.parse has accepted, and trusts it.

/** From `start` up to, not including, `end`. */
export type Span = { readonly start: number; readonly end: number }

/** The value's text, and how many objects and arrays deep it is. */
export type JsonSource = { readonly text: string; readonly depth: number }

export function sourceAt(json: string, span: Span): JsonSource {
  return { text: json.slice(span.start, span.end), depth: depthOf(json, span) }
}

/** The span of the whole document's value. */
export function documentSpan(json: string): Span {
  const start = skipSpace(json, 0)
  return { start, end: skipValue(json, start) }
}

/** The span of an object's member, the last one where a name repeats, as JSON.parse has it; or null. */
export function memberSpan(json: string, object: Span, name: string): Span | null {
  let found: Span | null = null
  let at = skipSpace(json, object.start + 1)
  while (json[at] === '"') {
    const nameEnd = skipString(json, at)
    const start = skipSpace(json, skipSpace(json, nameEnd) + 1)
    const end = skipValue(json, start)
    if (isString(json, at, nameEnd, name)) found = { start, end }
    at = skipSpace(json, end)
    if (json[at] === ',') at = skipSpace(json, at + 1)
  }
  return found
}

/** The spans of an array's elements. */
export function elementSpans(json: string, array: Span): Span[] {
  const spans: Span[] = []
  let at = skipSpace(json, array.start + 1)
  while (json[at] !== ']') {
    const end = skipValue(json, at)
    spans.push({ start: at, end })
    at = skipSpace(json, end)
    if (json[at] === ',') at = skipSpace(json, at + 1)
  }
  return spans
}

function isString(json: string, start: number, end: number, value: string): boolean {
  const text = json.slice(start + 1, end - 1)
  return text === value || (text.includes('\\') && JSON.parse(`"${text}"`) === value)
}

function skipSpace(json: string, from: number): number {
  let at = from
  while (json.charCodeAt(at) <= 32) at++
  return at
}

function skipString(json: string, from: number): number {
  for (let at = from + 1; ; at++) {
    at = json.indexOf('"', at)
    let backslashes = 0
    while (json[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
}

function skipValue(json: string, from: number): number {
  const first = json[from]
  if (first === '"') return skipString(json, from)
  if (first === '{' || first === '[') return skipNested(json, from, () => {})
  let at = from
  while (at < json.length && !/[\s,\]}]/.test(json[at] as string)) at++
  return at
}

function depthOf(json: string, span: Span): number {
  let deepest = 0
  if (json[span.start] === '{' || json[span.start] === '[') {
    skipNested(json, span.start, (depth) => {
      deepest = Math.max(deepest, depth)
    })
  }
  return deepest
}

function skipNested(json: string, from: number, onEnter: (depth: number) => void): number {
  let depth = 0
  for (let at = from; ; at++) {
    switch (json[at]) {
      case '"':
        at = skipString(json, at) - 1
        break
      case '{':
      case '[':
        onEnter(++depth)
        break
      case '}':
      case ']':
        if (--depth === 0) return at + 1
    }
  }
}
