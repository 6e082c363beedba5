// How a template reads an answer: JSON Pointers as in RFC 6901, own members only, and conditions.
import { expect, it } from 'vitest'
import { holds } from '../../../src/channels/dialers/template/condition.ts'
import {
  allAt,
  findPointerProblem,
  firstAt,
  valueAt,
  valuesAt,
} from '../../../src/channels/dialers/template/pointer.ts'
import type { Conditions } from '../../../src/channels/dialers/template/template.ts'

/** The example of RFC 6901, section 5. */
const rfc = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'k"l': 6, ' ': 7, 'm~n': 8 }

it.each([
  ['/foo', rfc.foo],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/m~0n', 8],
  ['', rfc],
  ['/foo/2', undefined],
  ['/foo/-', undefined],
  ['/foo/00', undefined],
  ['/foo/length', undefined],
  ['/foo/0/length', undefined],
  ['/constructor', undefined],
  ['/__proto__', undefined],
])('The pointer %j leads to an own member, or nowhere', (pointer, value) => {
  expect(valueAt(rfc, pointer)).toEqual(value)
})

it.each([
  ['', null],
  ['/a/0/b~0~1', null],
  ['a', 'must be a JSON Pointer, such as /call/id'],
  ['/a~', 'must write ~ as ~0 and / as ~1'],
  ['/a~2', 'must write ~ as ~0 and / as ~1'],
  ['/a'.repeat(32), null],
  ['/a'.repeat(33), 'must have at most 32 steps'],
])('The text %j is judged as a pointer', (text, problem) => expect(findPointerProblem(text)).toBe(problem))

it('Of several pointers the first that is there wins, and one whose variable is missing is left out', () => {
  const answer = { a: null, outputs: { 'x/y': { b: 1 } }, c: 2 }
  const pointers = ['/a', '/outputs/{{variables.id}}/b', '/c']
  expect(firstAt(answer, pointers, { id: 'x/y' })).toBe(1)
  expect(firstAt(answer, pointers, {})).toBe(2)
  expect(firstAt(answer, pointers, { id: 'outputs/x' })).toBe(2)
  expect(firstAt({}, pointers, {})).toBeUndefined()
})

const extracted = {
  data: { 'Lead quality': { outcome: { objective: 'busy' } }, Contact: { outcome: 'later', mail: null } },
  turns: [{ role: 'bot' }, { role: 'user' }],
  '*': 1,
}
it.each([
  ['/data/*/outcome', [{ objective: 'busy' }, 'later']],
  ['/data/*/outcome/objective', ['busy']],
  ['/data/*/mail', [null]],
  ['/data/*/*', [{ objective: 'busy' }, 'later', null]],
  ['/turns/*/role', ['bot', 'user']],
  ['/data/*/none', []],
  ['/data/outcome', []],
])('The step * of the pointer %j is any one member', (pointer, values) => {
  expect(allAt(extracted, pointer)).toEqual(values)
  expect(valueAt(extracted, pointer)).toEqual(values[0])
})

it('No more than a thousand members are looked at', () => {
  const many = Array.from({ length: 1100 }, () => Array.from({ length: 1100 }, () => 1))
  expect(allAt(many, '/*/*')).toHaveLength(1000)
})

it('A null that is written as a text is nothing', () => {
  expect(valuesAt({ a: 'null', b: ' NULL ', c: 'nullable', d: 0 }, ['/a', '/b', '/c', '/d'], {})).toEqual([
    'nullable',
    0,
  ])
})

const answer = {
  status: 'ended',
  code: 20003,
  codeText: '20003',
  nothing: null,
  isOver: false,
  isTold: 'true',
  message: ['too short', 'Over Concurrency Limit'],
  turns: [{ role: 'system' }, { role: 'user' }],
}

it.each<[name: string, isTrue: boolean, conditions: Conditions]>([
  ['in a list', true, { at: '/status', in: ['failed', 'ended'] }],
  ['not in a list', false, { at: '/status', in: ['failed'] }],
  ['a number', true, { at: '/code', equals: 20003 }],
  ['a number as a text', true, { at: '/codeText', equals: 20003 }],
  ['a text as a number', true, { at: '/code', in: ['20003'] }],
  ['a boolean', true, { at: '/isOver', equals: false }],
  ['a boolean as a text', true, { at: '/isOver', equals: 'false' }],
  ['a text as a boolean', true, { at: '/isTold', equals: true }],
  ['another boolean', false, { at: '/isTold', equals: false }],
  ['a boolean, but no number', false, { at: '/isOver', equals: 0 }],
  ['a list, but not its text', false, { at: '/message', equals: 'too short,Over Concurrency Limit' }],
  ['there', true, { at: '/isOver', notNull: true }],
  ['null', false, { at: '/nothing', notNull: true }],
  ['absent', false, { at: '/absent', notNull: true }],
  ['a part of a text', true, { at: '/status', contains: 'nde' }],
  ['a part of one of a list of texts', true, { at: '/message', contains: 'oncurrency' }],
  ['a part of none', false, { at: '/message', contains: 'should not exist' }],
  ['no text at all', false, { at: '/code', contains: '2' }],
  ['above a number', true, { at: '/code', above: 20002.5 }],
  ['not above itself', false, { at: '/code', above: 20003 }],
  ['a text that is a number', true, { at: '/codeText', above: 0 }],
  ['a text that is none', false, { at: '/status', above: -1 }],
  ['a boolean, which is no number', false, { at: '/isTold', above: -1 }],
  ['nothing, which is above nothing', false, { at: '/nothing', above: -1 }],
  ['any one of several', true, { at: '/turns/*/role', equals: 'user' }],
  ['none of several', false, { at: '/turns/*/role', equals: 'bot' }],
  ['one item of a list', true, { at: '/turns', some: { at: '/role', in: ['user'] } }],
  ['no item of a list', false, { at: '/turns', some: { at: '/role', equals: 'bot' } }],
  ['no list', false, { at: '/status', some: { at: '/role', in: ['user'] } }],
  [
    'one of two',
    true,
    [
      { at: '/absent', notNull: true },
      { at: '/code', equals: 20003 },
    ],
  ],
  [
    'none of two',
    false,
    [
      { at: '/absent', notNull: true },
      { at: '/code', equals: 1 },
    ],
  ],
  [
    'all of two',
    true,
    {
      all: [
        { at: '/status', equals: 'ended' },
        { at: '/code', equals: 20003 },
      ],
    },
  ],
  [
    'one of two, where all are needed',
    false,
    {
      all: [
        { at: '/status', equals: 'ended' },
        { at: '/code', equals: 1 },
      ],
    },
  ],
  ['all of two, or another', true, [{ all: [{ at: '/code', equals: 1 }] }, { at: '/isOver', notNull: true }]],
])('A condition: %s', (_, isTrue, conditions) => expect(holds(conditions, answer)).toBe(isTrue))

it('The first 1,000 items of a list are looked at, and no more', () => {
  const listed = (silent: number) => ({ turns: [...Array(silent).fill({ role: 'bot' }), { role: 'user' }] })
  const talked = { at: '/turns', some: { at: '/role', equals: 'user' } }
  expect([holds(talked, listed(999)), holds(talked, listed(1000))]).toEqual([true, false])
})

it('Without a condition, and without an answer, nothing holds', () => {
  expect([holds(null, answer), holds([], answer), holds({ at: '', notNull: true }, undefined)]).toEqual([
    false,
    false,
    false,
  ])
})
