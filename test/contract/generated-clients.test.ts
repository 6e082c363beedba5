// What generators of clients cannot take, or name badly, is not in the API description: closed lists of error texts,
// optional members with one value, lists without the null that their type has, and nested unions without a name.
import { expect, it } from 'vitest'
import { describeApi } from '../../src/docs/describe-api.ts'

type Node = { readonly [member: string]: unknown }
type SchemaNode = { readonly path: string; readonly node: Node; readonly isOptional: boolean }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every schema and whatever else is an object, without examples, which may contain anything. */
function* placesIn(value: unknown, path = '', isOptional = false): Generator<SchemaNode> {
  if (!isNode(value)) return
  yield { path, node: value, isOptional }
  for (const [name, member] of Object.entries(value)) {
    if (name === 'example' || name === 'examples' || name === 'x-codeSamples') continue
    if (name !== 'properties') {
      const isOfOptionalHeader = name === 'schema' && value.required === false
      yield* placesIn(member, `${path}/${name}`, isOfOptionalHeader)
      continue
    }
    const required = (value.required ?? []) as readonly string[]
    for (const [property, schema] of Object.entries(member as Node))
      yield* placesIn(schema, `${path}/properties/${property}`, !required.includes(property))
  }
}

const places = [...placesIn(describeApi())]
const pathsWhere = (isSo: (place: SchemaNode) => boolean) => places.filter(isSo).map(({ path }) => path)

it('The API description gives the texts of errors as examples, not as a closed list', () => {
  const ofFailure = /\/responses\/(?:[45]\d\d|[A-Z]\w+)\/.*\/properties\/error$/
  const errors = places.filter(({ path }) => ofFailure.test(path))
  expect(errors.length).toBeGreaterThan(30)
  expect(errors.filter(({ node }) => !Array.isArray(node.examples))).toEqual([])
  const isClosed = ({ node }: SchemaNode) =>
    ['enum', 'const', 'pattern', 'anyOf', 'oneOf'].some((word) => word in node)
  expect(errors.filter(isClosed).map(({ path }) => path)).toEqual([])
})

it('The API description has no optional member with a single value', () => {
  expect(places.filter(({ isOptional }) => isOptional).length).toBeGreaterThan(50)
  expect(pathsWhere(({ node, isOptional }) => isOptional && 'const' in node)).toEqual([])
})

it('The API description lists null where a value of a closed list may be null, and nowhere else', () => {
  const allows = (type: unknown) => [type].flat().includes('null')
  const listed = places.filter(({ node }) => Array.isArray(node.enum) && node.type !== undefined)
  expect(listed.filter(({ node }) => allows(node.type)).length).toBeGreaterThan(10)
  const isOdd = ({ node }: SchemaNode) => (node.enum as unknown[]).includes(null) !== allows(node.type)
  expect(listed.filter(isOdd).map(({ path }) => path)).toEqual([])
})

it('The API description has nested unions of named schemas only', () => {
  const unions = places.flatMap(({ path, node }) => {
    const choices = (node.oneOf ?? node.anyOf) as readonly Node[] | undefined
    return choices === undefined ? [] : [{ path, choices }]
  })
  expect(unions.length).toBeGreaterThan(1)
  const unnamed = unions.filter(({ choices }) =>
    choices.some((choice) => !('$ref' in choice) && choice.type !== 'null'),
  )
  // One of two members is required: its choices add no members, so there is nothing to name.
  expect(unnamed.map(({ path }) => path)).toEqual(['/components/schemas/Erasure'])
})
