// Cells of CSV: what a spreadsheet would run is made harmless, and can be taken back. Lists as CSV are in
// test/spec/leads/list-options.test.ts and test/attack/csv.test.ts.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvCell, csvText } from '../../src/base/csv-cell.ts'

/** As a parser of RFC 4180 reads the one cell. */
const parse = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)

/** Mostly of what matters here. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠;|\t\r\n \'",a') }),
)

it('A cell of CSV gives back the very text that was put into it, whatever it was', () => {
  fc.assert(fc.property(text, (original) => csvText(parse(csvCell(original))) === original))
})

it('A cell of CSV holds no formula, at whatever separators the file is split', () => {
  fc.assert(
    fc.property(text, fc.subarray([';', '\t', '|', '\r', '\n'], { minLength: 1 }), (original, splitAt) => {
      const line = `x${splitAt[0]}${csvCell(original)}${splitAt[0]}y`
      const parts = line.split(new RegExp(`[${splitAt.join('')}]`))
      // Within what was one cell, quotes are no longer what they were: with and without them it must be text.
      return parts.every((part) => !/^[ "]*[=+\-@＝＋－＠]/.test(part))
    }),
  )
})

it.each([
  ['plain', 'plain'],
  ['a=b - c+d@e', 'a=b - c+d@e'],
  ['=1+1', "'=1+1"],
  [' =1', " '=1"],
  ["'=1", "''=1"],
  ["'tis", "'tis"],
  ['\t=1', `"'\t'=1"`],
  ['x;=1+1;y', `"x;'=1+1;y"`],
  ['x|@a', `"x|'@a"`],
  ['x\t＝a', `"x\t'＝a"`],
  ['x;"=1"', `"x;""'=1"""`],
  ['a,b', '"a,b"'],
])('A cell of CSV of %j is %j', (original, cell) => {
  expect(csvCell(original)).toBe(cell)
})

it('A cell of CSV keeps an apostrophe that stands before no formula', () => {
  for (const cell of ["'tis", "it's = 1", "a'=b", "''"]) expect(csvText(cell)).toBe(cell)
})
