// What holds of every statement that the stores send, read from its text.
import { describe, expect, it } from 'vitest'
import { everyStatement, selfComparisons } from '../support/database/every-statement.ts'

describe('Every statement', () => {
  const statements = everyStatement()

  it('Every statement compares columns with others, and none with itself', () => {
    expect(statements.length).toBeGreaterThan(700)
    const found = statements.flatMap(({ file, line, text }) =>
      selfComparisons(text).map((comparison) => `${file}:${line} ${comparison}`),
    )
    expect(found).toEqual([])
  })

  it.each([
    [
      'select 1 from events as own where own.company_id = own.company_id',
      ['own.company_id = own.company_id'],
    ],
    ['select 1 from leads where seq >= seq and 1', ['seq >= seq']],
    ['select 1 from leads as l where l.token is l.token', ['l.token is l.token']],
    ['update leads set attempts = attempts + 1 where null is not null', []],
    ['select 1 from leads as l, leads as other where l.seq = other.seq and l.seq = l.seq_of', []],
  ])('A comparison of a column with itself is found in: %s', (text, found) => {
    expect(selfComparisons(text)).toEqual(found)
  })
})
