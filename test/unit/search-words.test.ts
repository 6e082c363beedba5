// The words that metadata is found by, and what a search looks for.
import { describe, expect, it } from 'vitest'
import { readSearch, wordsOf } from '../../src/leads/search-words.ts'

describe('The words of metadata', () => {
  it.each<[string, unknown, string[]]>([
    ['names, without case and diacritics', { name: 'Ärzte Łódź' }, ['arzte', 'lodz']],
    ['an address whole, and its words', { mail: 'Ada@Acme.io' }, ['@ada@acme.io', 'ada', 'acme', 'io']],
    [
      'an address among text',
      { note: 'write to <ada@acme.io>, soon' },
      ['@ada@acme.io', 'write', 'to', 'ada', 'acme', 'io', 'soon'],
    ],
    ['no address without a name', { handle: '@acme' }, ['acme']],
    [
      'short values before long ones',
      { note: 'called twice last week', name: 'Ada' },
      ['ada', 'called', 'twice', 'last', 'week'],
    ],
    ['values to depth 2', { a: { b: 'two' }, c: { d: { e: 'three' } } }, ['two']],
  ])('are %s', (_, metadata, words) => {
    expect(wordsOf(JSON.stringify(metadata))).toEqual(words)
  })

  it.each(['x', 'x@', 'é', ' @', 'x.'])(
    'A million times %j takes one pass, and gives 12 words at most',
    (text) => {
      const words = wordsOf(JSON.stringify({ note: text.repeat(1_000_000) }))
      expect(words.length).toBeLessThanOrEqual(12)
      for (const word of words) expect([...word].length).toBeLessThanOrEqual(33)
    },
  )
})

it('A search for an address looks for it whole, and for the other words beside it', () => {
  expect(readSearch('Ada ada@acme.io').words).toEqual(['@ada@acme.io', 'ada'])
})
