// The source text of values inside a JSON document, held against documents that are built piece by piece, so
// that the text of every value in them is known beforehand.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  skipSpace,
  skipValue,
  sourceAt,
  walkArray,
  walkObject,
} from '../../../src/queue/leads/json-source.ts'

type Node = { readonly text: string; readonly depth: number } & (
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'array'; readonly elements: readonly Node[] }
  | { readonly kind: 'other' }
)
type Member = { readonly nameText: string; readonly value: Node }

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 })
const stringText = fc
  .array(
    fc.constantFrom(
      ...['a', '"', '\\', '\\\\', '/', '\n', '\u0000', '\ud800', '😀', 'é', ' '].map((char) => {
        return JSON.stringify(char).slice(1, -1)
      }),
      ...['{', '}', '[', ']', ',', ':', '\\/', '\\u0041', '\\u005c', '\\u0022', '\\uD83D\\uDE00', '\u2028'],
    ),
    { maxLength: 6 },
  )
  .map((parts) => `"${parts.join('')}"`)
const nameText = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"__proto__"', '"constructor"', '"metadata"', '"1"', '""'),
  stringText,
)
const plain = fc.oneof(
  stringText,
  fc.constantFrom('0', '-0', '1e400', '-1.5E-7', '12345678901234567890', '1.0', 'true', 'false', 'null'),
  fc.integer().map(String),
)
const leaf: fc.Arbitrary<Node> = plain.map((text) => ({ kind: 'other', text, depth: 0 }))

const deepest = (nodes: readonly Node[]) => Math.max(0, ...nodes.map(({ depth }) => depth))

const { node, object } = fc.letrec<{ node: Node; object: Node; array: Node }>((tie) => ({
  node: fc.oneof({ maxDepth: 5, withCrossShrink: true }, leaf, tie('object'), tie('array')),
  object: fc
    .tuple(fc.array(fc.tuple(nameText, tie('node'), space, space, space, space), { maxLength: 5 }), space)
    .map(([parts, inside]): Node => {
      const texts = parts.map(([name, { text }, a, b, c, d]) => `${a}${name}${b}:${c}${text}${d}`)
      const members = parts.map(([nameText, value]) => ({ nameText, value }))
      const depth = 1 + deepest(members.map(({ value }) => value))
      return { kind: 'object', text: `{${texts.join(',') || inside}}`, depth, members }
    }),
  array: fc
    .tuple(fc.array(fc.tuple(tie('node'), space, space), { maxLength: 5 }), space)
    .map(([parts, inside]): Node => {
      const texts = parts.map(([{ text }, a, b]) => `${a}${text}${b}`)
      const elements = parts.map(([element]) => element)
      const text = `[${texts.join(',') || inside}]`
      return { kind: 'array', text, depth: 1 + deepest(elements), elements }
    }),
}))

/** Walks the value at `start`, expects it to be the node to its very leaves, and returns where it ends. */
function expectNode(json: string, start: number, node: Node): number {
  const end = start + node.text.length
  expect(skipValue(json, start)).toBe(end)
  expect(sourceAt(json, start)).toEqual({ text: node.text, depth: node.depth })
  if (node.kind === 'object') {
    let index = 0
    const walked = walkObject(json, start, (name, valueStart) => {
      const member = node.members[index++] as Member
      expect(name).toBe(JSON.parse(member.nameText))
      return expectNode(json, valueStart, member.value)
    })
    expect([walked, index]).toEqual([end, node.members.length])
  }
  if (node.kind === 'array') {
    let count = 0
    const walked = walkArray(json, start, (index, elementStart) => {
      expect(index).toBe(count++)
      return expectNode(json, elementStart, node.elements[index] as Node)
    })
    expect([walked, count]).toEqual([end, node.elements.length])
  }
  return end
}

it('Every JSON document yields the exact source, the depth and the end of every value in it, in order', () => {
  const property = fc.property(space, node, space, (before, node, behind) => {
    const json = before + node.text + behind
    JSON.parse(json)
    const start = skipSpace(json, 0)
    expect(start).toBe(before.length)
    expect(skipSpace(json, expectNode(json, start, node))).toBe(json.length)
  })
  fc.assert(property, { numRuns: 500 })
})

it('Every JSON document yields last, for each name, the source of the value that JSON.parse keeps', () => {
  const property = fc.property(object, ({ text }) => {
    const kept = new Map<string, string>()
    walkObject(text, 0, (name, start) => {
      const source = sourceAt(text, start)
      kept.set(name, source.text)
      return start + source.text.length
    })
    const parsed = JSON.parse(text) as object
    expect([...kept.keys()].sort()).toEqual(Object.getOwnPropertyNames(parsed).sort())
    for (const [name, source] of kept) {
      const { value } = Object.getOwnPropertyDescriptor(parsed, name) as PropertyDescriptor
      expect(JSON.stringify(JSON.parse(source))).toBe(JSON.stringify(value))
    }
  })
  fc.assert(property, { numRuns: 500 })
})

it('Every JSON document written by JSON.stringify has the depth of the value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  const property = fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', '\t'), (value, indent) => {
    const json = JSON.stringify(value, null, indent)
    expect(sourceAt(json, 0)).toEqual({ text: json, depth: depthOf(value) })
  })
  fc.assert(property, { numRuns: 300 })
})

it.each([
  { name: 'a number larger than JavaScript holds', text: '1e400', depth: 0 },
  { name: 'a number with more digits', text: '-12345678901234567890.0', depth: 0 },
  { name: 'a string with a quote and a backslash at its end', text: '"a\\"\\\\"', depth: 0 },
  { name: 'an empty object', text: '{}', depth: 1 },
  { name: 'an empty array with space in it', text: '[ \n ]', depth: 1 },
  { name: 'brackets inside strings', text: '{"[{":"}]","\\"":["]"]}', depth: 2 },
  { name: 'a name that repeats', text: '{"a":[[1]],"a":2}', depth: 3 },
  { name: 'keys in an order JavaScript would change', text: '{"2":1,"1":2,"__proto__":{}}', depth: 2 },
])('The source of a value is untouched for $name', ({ text, depth }) => {
  for (const [before, after] of [
    ['', ''],
    ['[', ']'],
    ['{"metadata":', '}'],
    ['[0 , ', ' ,0]'],
  ] as const) {
    expect(sourceAt(before + text + after, before.length)).toEqual({ text, depth })
  }
})

it('The source of a value is found in an object nested 100,000 levels deep, without recursion', () => {
  const text = `${'{"a":'.repeat(100_000)}[]${'}'.repeat(100_000)}`
  expect(sourceAt(text, 0)).toEqual({ text, depth: 100_001 })
})
