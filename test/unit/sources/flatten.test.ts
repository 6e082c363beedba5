// A post as names and texts: each line a structure that some form, ad or CRM sends.
import { expect, it } from 'vitest'
import { flatten } from '../../../src/channels/sources/flatten.ts'
import { readPost } from '../../../src/channels/sources/read-post.ts'

const pairsOf = (root: object) => {
  const flat = flatten(root as Record<string, unknown>)
  if ('problem' in flat) return flat.problem
  return Object.fromEntries(flat.entries.map(({ name, value }) => [name, value]))
}
const leftOutOf = (root: object) => {
  const flat = flatten(root as Record<string, unknown>)
  return 'problem' in flat ? flat.problem : flat.leftOut
}

it.each<[what: string, root: object, expected: object]>([
  ['numbers and flags', { a: 1, b: true, c: 0.5 }, { a: '1', b: 'true', c: '0.5' }],
  ['what is empty', { a: null, b: '', c: {}, d: [], e: [null, ''] }, {}],
  ['objects in objects', { a: { b: { c: 'x' } } }, { 'a.b.c': 'x' }],
  [
    'a value behind a name',
    { properties: { phone: { value: '1', versions: [{ value: '0' }] } } },
    { 'properties.phone': '1' },
  ],
  ['a value alone', { value: 'x' }, { value: 'x' }],
  [
    'a value behind a dot in a name',
    { 'phone.value': '1', 'a.b': { value: '2' } },
    { phone: '1', 'a.b': '2' },
  ],
  ['a list of one text', { a: ['x'] }, { a: 'x' }],
  ['a list of texts', { a: ['x', null, 7, true] }, { a: 'x, 7, true' }],
  ['a list of objects', { a: [{ b: 1 }, { b: 2 }] }, { 'a.0.b': '1', 'a.1.b': '2' }],
  ['a list of lists', { a: [['x', 'y'], ['z']] }, { 'a.0': 'x, y', 'a.1': 'z' }],
  [
    'named values',
    {
      f: [
        { label: 'Phone', value: '1' },
        { label: 'Name', value: 'A' },
      ],
    },
    { 'f.Phone': '1', 'f.Name': 'A' },
  ],
  ['values that have a title and a key', { f: [{ key: 'k', title: 'T', answer: 'x' }] }, { 'f.T': 'x' }],
  ['values named by a field', { f: [{ field: { ref: 'r' }, type: 'email', email: 'e' }] }, { 'f.r': 'e' }],
  ['an ad', { d: [{ column_id: 'PHONE_NUMBER', string_value: '1' }] }, { 'd.PHONE_NUMBER': '1' }],
  [
    'named values as members',
    { f: { x: { title: 'Phone', value: '1' }, y: { title: 'Name', value: 'A' } } },
    { 'f.Phone': '1', 'f.Name': 'A' },
  ],
  [
    'one member that has no name',
    { f: { x: { title: 'Phone', value: '1' }, y: 'z' } },
    { 'f.x.title': 'Phone', 'f.x': '1', 'f.y': 'z' },
  ],
  ['a named value that is a list', { f: [{ label: 'L', value: ['x', 'y'] }] }, { 'f.L': 'x, y' }],
  ['a named value that is an object', { f: [{ label: 'L', value: { a: 1 } }] }, { 'f.L.a': '1' }],
  [
    'names that are repeated',
    {
      f: [
        { label: 'L', value: 'x' },
        { label: 'L', value: 'y' },
        { label: 'L', value: 'z' },
      ],
    },
    { 'f.L': 'x', 'f.L (2)': 'y', 'f.L (3)': 'z' },
  ],
  ['JSON as text, once', { raw: '{"a":{"b":"{\\"c\\":1}"}}' }, { 'raw.a.b': '{"c":1}' }],
  ['JSON as text that is none', { raw: '{"a"' }, { raw: '{"a"' }],
  ['the first value that is not empty', { f: [{ label: 'L', value: null, values: ['x'] }] }, { 'f.L': 'x' }],
  [
    'names that are numbered already',
    {
      f: [
        { label: 'L', value: 'x' },
        { label: 'L', value: 'y' },
        { label: 'L (2)', value: 'z' },
      ],
    },
    { 'f.L': 'x', 'f.L (2)': 'y', 'f.L (2) (2)': 'z' },
  ],
  [
    'a person or a deal that has a number, whatever else it has',
    {
      lead: { name: 'Ada', text: 'Hello', phone: '+4917112345678' },
      deal: { title: 'Big', value: 5000, person: { mobile: '+4917112345678' } },
    },
    {
      ...{ 'lead.name': 'Ada', 'lead.text': 'Hello', 'lead.phone': '+4917112345678' },
      ...{ 'deal.title': 'Big', deal: '5000', 'deal.person.mobile': '+4917112345678' },
    },
  ],
  ['what is stored nowhere', { 'a\0b': 'x\0y\ud800' }, { ab: 'xy\ufffd' }],
])('A post opens %s', (_, root, expected) => {
  expect(pairsOf(root)).toEqual(expected)
})

it('A name from a prototype is a name as any other', () => {
  const flat = flatten(JSON.parse('{"__proto__":{"a":"x"},"constructor":"y"}'))
  expect('entries' in flat && flat.entries.map(({ name, value }) => [name, value])).toEqual([
    ['__proto__.a', 'x'],
    ['constructor', 'y'],
  ])
})

it('Members beside a name and its value are listed as left out, and so are versions and definitions', () => {
  expect(leftOutOf({ f: [{ label: 'L', value: 'x', type: 't', key: 'k', hint: null }] })).toEqual([
    'f.L.type',
    'f.L.key',
  ])
  expect(leftOutOf({ f: [{ label: 'L', value: null }] })).toEqual(['f.L'])
  expect(leftOutOf({ definition: { a: 1 }, a: { versions: [1] } })).toEqual(['definition', 'a.versions'])
})

it('A post is refused that is nested deeper than eight levels, or has more than 300 names', () => {
  const nested = (depth: number): object => (depth === 1 ? { a: 'x' } : { a: nested(depth - 1) })
  expect(pairsOf(nested(8))).toEqual({ 'a.a.a.a.a.a.a.a': 'x' })
  expect(pairsOf(nested(9))).toBe('Request body must be nested at most 8 levels deep')
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 'x']))
  expect(Object.keys(pairsOf(named(300)))).toHaveLength(300)
  expect(pairsOf(named(301))).toBe('Request body must hold at most 300 names')
})

it.each<[form: string, expected: object]>([
  ['a=1&b=x+y%21', { a: '1', b: 'x y!' }],
  ['a=1&a=2&a=3', { a: '1', 'a (2)': '2', 'a (3)': '3' }],
  ['a=&a=2&a=&a=3', { a: '2', 'a (2)': '3' }],
  ['a[]=1&a[]=2', { a: '1, 2' }],
  ['fields[phone][value]=1&fields[name][value]=A', { 'fields.phone': '1', 'fields.name': 'A' }],
  ['fields[x][title]=Phone&fields[x][value]=1&form[id]=f', { 'fields.Phone': '1', 'form.id': 'f' }],
  ['a=1&a[b]=2&a[]=3', { a: '1', 'a[b]': '2', 'a[]': '3' }],
  ['__proto__[a]=1&constructor[prototype][b]=2', { '__proto__.a': '1', 'constructor.prototype.b': '2' }],
  ['[a]=1&a[=2&a]=3', { '[a]': '1', 'a[': '2', 'a]': '3' }],
])('The form %s is opened', async (form, expected) => {
  const read = await readPost(
    'application/x-www-form-urlencoded',
    new TextEncoder().encode(form).buffer as ArrayBuffer,
  )
  expect(read.kind === 'read' && pairsOf(read.root)).toEqual(expected)
})

it('A number of more digits than numbers hold is kept as it was sent, in JSON and in a text of JSON', async () => {
  const body = '{"id":12345678901234567890,"half":0.5,"raw":"{\\"id\\":-98765432109876543210}"}'
  const read = await readPost('application/json', new TextEncoder().encode(body).buffer as ArrayBuffer)
  expect(read.kind === 'read' && pairsOf(read.root)).toEqual({
    ...{ id: '12345678901234567890', half: '0.5', 'raw.id': '-98765432109876543210' },
  })
})
