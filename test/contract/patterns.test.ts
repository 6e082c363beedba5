// Every `pattern` of the API description means the same to every reader: engines differ in flags, and a client that
// is generated from the description checks with it what it sends. examples.test.ts holds the examples against the
// schemas.
import { expect, it } from 'vitest'
import { describeApi } from '../../src/docs/describe-api.ts'

type Place = { readonly at: string; readonly pattern: string; readonly examples: readonly string[] }

const given = (schema: object) =>
  Object.entries(schema).flatMap(([name, value]) =>
    ['example', 'examples', 'default', 'enum', 'const', 'value'].includes(name) ? textsIn(value) : [],
  )
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
const schemasIn = (value: unknown, at = ''): { at: string; schema: object }[] =>
  typeof value === 'object' && value !== null
    ? [
        { at, schema: value },
        ...Object.entries(value).flatMap(([name, each]) => schemasIn(each, `${at}/${name}`)),
      ]
    : []

const schemas = schemasIn(describeApi())
/** Each with the texts that stand beside it. */
const places = schemas.flatMap(({ at, schema }): Place[] => {
  const { pattern, 'x-pattern': textPattern = pattern } = schema as Record<string, unknown>
  return typeof textPattern === 'string' ? [{ at, pattern: textPattern, examples: given(schema) }] : []
})
const patterns = [...new Set(places.map(({ pattern }) => pattern))]
const allExamples = [...new Set(schemas.flatMap(({ schema }) => given(schema)))]

it('Every pattern compiles with and without the flag u, and matches the examples beside it either way', () => {
  expect(places.length).toBeGreaterThan(100)
  for (const { at, pattern, examples } of places) {
    for (const flags of ['', 'u']) {
      const unmatched = examples.filter((example) => !new RegExp(pattern, flags).test(example))
      expect([at, flags, unmatched]).toEqual([at, flags, []])
    }
  }
})

it('No example of the description matches a pattern with one flag only', () => {
  expect(allExamples.length).toBeGreaterThan(500)
  for (const pattern of patterns) {
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
    const differing = allExamples.filter((example) => plain.test(example) !== unicode.test(example))
    expect([pattern, differing]).toEqual([pattern, []])
  }
})

it('No pattern holds what some engines lack: classes of Unicode, names, a look behind, letters outside ASCII', () => {
  const foreign = patterns.filter((pattern) => /\\[pPkuZz]|\(\?<|[^\x20-\x7e\r\n]/.test(pattern))
  expect(foreign).toEqual([])
})
