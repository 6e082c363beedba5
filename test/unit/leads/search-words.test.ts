// The words that metadata is found by, and what a search looks for.
import { expect, it, vi } from 'vitest'
import { indexOf, readSearch, wordsOf } from '../../../src/queue/leads/search-words.ts'

it.each<[string, unknown, string[]]>([
  ['names, without case and diacritics', { name: 'Ärzte Łódź' }, ['arzte', 'lodz']],
  ['an address whole, and its words', { mail: 'Ada@Acme.io' }, ['@ada@acme_io', 'ada', 'acme', 'io']],
  [
    'an address among text',
    { note: 'write to <ada@acme.io>, soon' },
    ['@ada@acme_io', 'write', 'to', 'ada', 'acme', 'io', 'soon'],
  ],
  ['no address without a name', { handle: '@acme' }, ['acme']],
  [
    'short values before long ones',
    { note: 'called twice last week', name: 'Ada' },
    ['ada', 'called', 'twice', 'last', 'week'],
  ],
  [
    'an address before short values',
    { a: 'Ada', note: 'ask b@x.io about it' },
    ['@b@x_io', 'ada', 'ask', 'b', 'x', 'io', 'about', 'it'],
  ],
  ['of a long text, those of its start', { note: `${'ab '.repeat(70)}end` }, ['ab']],
  [
    'a number whole, and its digits, before short values',
    { a: 'Ada', partner: '+49 (0)171/234-5678' },
    ['#876543217194', 'ada', '49', '0', '171', '234', '5678'],
  ],
  ['no number without a plus', { a: '0171 2345678' }, ['0171', '2345678']],
  [
    'no number with more than separators',
    { a: '+49171234567x', b: '+4917123/+4930' },
    ['49171234567x', '4917123', '4930'],
  ],
  ['values to depth 2', { a: { b: 'two' }, c: { d: { e: 'three' } } }, ['two']],
])('The words of metadata are %s', (_, metadata, words) => {
  expect(wordsOf(JSON.stringify(metadata))).toEqual(words)
})

it('A number of which only the beginning is read is no number: that would be somebody else’s', () => {
  const handles = Array.from({ length: 26 }, () => `@${'x'.repeat(36)}`)
  const [whole, cut] = ['+4930123456789', '+49 (0) 30 / 12 34 - 56 78 90 12 . 34 5']
  expect(handles.join('').length + whole.length + cut.length).toBeGreaterThan(1_000)
  const words = wordsOf(JSON.stringify({ handles, whole, cut }))
  expect(words.filter((word) => word.startsWith('#'))).toEqual(['#9876543210394'])
})

it.each(['x', 'x@', 'é', ' @', 'x.'])(
  'A million times %j takes one pass, and gives 24 words at most',
  (text) => {
    const words = wordsOf(JSON.stringify({ note: text.repeat(1_000_000) }))
    expect(words.length).toBeLessThanOrEqual(24)
    for (const word of words) expect([...word].length).toBeLessThanOrEqual(33)
  },
)

it.each<[string, unknown]>([
  [
    '16 KiB of combining marks',
    { note: `a${'\u0301\u0323'.repeat(2_700)}`, name: '\u0323\u0301'.repeat(2_000) },
  ],
  ['characters that become 18 each', { note: '\ufdfa'.repeat(5_000) }],
  ['64 short values of them', Array.from({ length: 64 }, () => '\ufdfa'.repeat(11))],
  ['1,500 short values', Array.from({ length: 1_500 }, (_, place) => `é${place}`)],
  ['1,500 objects of one value', Array.from({ length: 1_500 }, (_, place) => ({ a: `é${place}` }))],
  ['100 long texts', Array.from({ length: 100 }, () => 'ǖ '.repeat(80))],
])('Of a lead at most 64 texts and 1,000 units are decomposed, and 24 words remain: %s', (_, metadata) => {
  const decomposing = vi.spyOn(String.prototype, 'normalize')
  const words = wordsOf(JSON.stringify(metadata))
  const units = decomposing.mock.contexts.map((text) => String(text).length)
  const longer = decomposing.mock.results.map(({ value }) => Math.min(String(value).length, 200))
  decomposing.mockRestore()
  expect(units.length).toBeLessThanOrEqual(64)
  expect(units.every((each) => each <= 200)).toBe(true)
  expect(units.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1_000)
  // Marks are not counted, and one text that passes the bound is folded whole.
  expect(longer.reduce((sum, each) => sum + each, 0)).toBeLessThan(2_000)
  expect(words.length).toBeLessThanOrEqual(24)
  for (const word of words) expect([...word].length).toBeLessThanOrEqual(33)
})

// printf acme | sha256sum
const mark = '822b33ad'

it('Each word of the index begins with the mark of the company, whatever it is of', () => {
  const lead = {
    phoneNumber: '+4917612345',
    externalId: 'CRM-7/É',
    metadata: '{"name":"Ada L","mail":"a+b@x.io"}',
  }
  expect(indexOf('acme')(lead)).toEqual({
    numberWord: `${mark}_#5432167194`,
    externalWord: `${mark}_=crm_7_e`,
    words: ['@a_b@x_io', 'ada', 'l', 'a', 'b', 'x', 'io'].map((word) => `${mark}_${word}`).join(' '),
  })
  expect(indexOf('acme')({ phoneNumber: '+49', metadata: '{"n":7}' })).toMatchObject({
    externalWord: null,
    words: null,
  })
})

it('A search looks for starts where a word has three letters, and for whole words alone where none has', () => {
  const { whole, starts } = readSearch('acme', 'Al Adam ada@acme.io')
  const texts = ['@ada@acme_io', 'al', 'adam'].map((word) => ` ${mark}_${word}`)
  expect(JSON.parse(whole.words)).toEqual(texts.map((text) => `${text} `))
  expect(JSON.parse(starts?.words ?? '')).toEqual(texts)
  expect(starts?.match).toBe(`"${mark}_ada" AND "${mark}_acme" AND "${mark}_ada"*`)
  expect(readSearch('acme', 'o.ada@ex').starts?.match).toBe(`"${mark}_o" AND "${mark}_ada"`)
  for (const q of ['al', 'a b', '李雷', '"', '\u0301']) expect(readSearch('acme', q).starts).toBeNull()
})

it.each([
  ['Lovelace-By', `"${mark}_=lovelace_by" OR ("${mark}_lovelace" AND "${mark}_by")`, `"${mark}_lov"*`],
  ['a" OR b*', `"${mark}_=a__or_b_" OR ("${mark}_a" AND "${mark}_or" AND "${mark}_b")`, undefined],
  [
    '0176 1234',
    `"${mark}_#4321671"* OR "${mark}_=0176_1234" OR ("${mark}_0176" AND "${mark}_1234")`,
    `"${mark}_017"* AND "${mark}_123"*`,
  ],
  ['"', `"${mark}_=_"`, undefined],
])(
  'A search asks the index for whole words, then for listed starts, for numbers and ids as they are, and quotes all: %s',
  (q, whole, starts) => {
    const search = readSearch('acme', q)
    expect([search.whole.match, search.starts?.match]).toEqual([whole, starts])
  },
)

it('A letter is the same word in each case, and composed or not, in leads and in what is looked for', () => {
  const letters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter(
    // The iota below a Greek letter is a mark, and a letter of its own in capitals.
    (letter) => /\p{Cased}/u.test(letter) && !letter.normalize('NFD').includes('\u0345'),
  )
  const unlike = letters.filter((letter) => {
    const forms = [letter, letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD')]
    const words = forms.flatMap((form) => [
      wordsOf(JSON.stringify([form])).join(),
      (JSON.parse(readSearch('acme', form).whole.words) as string[])
        .map((word) => word.trim().slice(9))
        .join(),
    ])
    return new Set(words).size > 1
  })
  expect(letters.length).toBeGreaterThan(2_500)
  expect(unlike).toEqual([])
})
