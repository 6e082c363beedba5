// Taking numbers out of metadata, whose other values stay as they were sent.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutNumbers } from '../../../src/queue/leads/store/mentions/without-numbers.ts'

const number = '+14155550123'
const isGone = (each: string) => each === number

it.each([
  ['{"a":"+14155550123"}', '{}'],
  ['{"a":"+1 (415) 555-0123","b":1}', '{"b":1}'],
  ['{ "a" : 1.0 , "b":"+14155550123" , "c" : [ 1 , 2 ] }', '{"a":1.0,"c":[ 1 , 2 ]}'],
  ['["x","+1.415.555.0123",["+14155550123"]]', '["x",[]]'],
  ['{"a":{"b":{"c":{"d":["+14155550123"]}}},"e":"\\u00e9"}', '{"a":{"b":{"c":{"d":[]}}},"e":"\\u00e9"}'],
  ['{"a":"\\u002b14155550123"}', '{}'],
  ['{"a":"+14155550123","a":"x"}', '{"a":"x"}'],
  ['{"a\\"b":2,"+14155550123":"+1415555 0123"}', '{"a\\"b":2}'],
])('Of %s there is left %s', (metadata, left) => {
  expect(withoutNumbers(metadata, isGone)).toBe(left)
})

it.each([
  '{"a":"+14155550124"}',
  '{"a":"14155550123","b":14155550123,"+14155550123":"x"}',
  '{"a":"ask +14155550123"}',
  '{ "a" : [ 1e400 , -0 ] }',
])('Nothing of %s is changed', (metadata) => {
  expect(withoutNumbers(metadata, isGone)).toBe(metadata)
})

it('What is left parses to the values that are no such number, in their order', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(number, '+1 415 555 0123', 'x', 'é"\\', '', null, true, 7),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 3 }), tie('any'), { maxKeys: 4 }),
    ),
  })).any
  const without = (each: unknown): unknown => {
    const isLeft = (one: unknown) => one !== number && one !== '+1 415 555 0123'
    if (Array.isArray(each)) return each.filter(isLeft).map(without)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(
      Object.entries(each)
        .filter(([, one]) => isLeft(one))
        .map(([name, one]) => [name, without(one)]),
    )
  }
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ maxLength: 3 }), value),
      fc.constantFrom(0, 2),
      (metadata, space) => {
        const left = withoutNumbers(JSON.stringify(metadata, null, space), isGone)
        expect(JSON.parse(left)).toEqual(JSON.parse(JSON.stringify(without(metadata))))
      },
    ),
  )
})
