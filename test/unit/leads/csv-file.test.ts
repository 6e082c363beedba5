// A CSV file as rows: its forms, its size, and what cannot be read.
import { expect, it } from 'vitest'
import { csvHeaderWith } from '../../../src/queue/leads/csv.ts'
import { fileFields, generatedColumns, isOfConsent } from '../../../src/queue/leads/file/columns.ts'
import { UnreadableFile } from '../../../src/queue/leads/file/csv-rows.ts'
import { rowsOf } from '../../support/leads/lead-file.ts'

it.each<[name: string, text: string, cells: string[][]]>([
  [
    'a mark, umlauts and emoji across pieces',
    '\uFEFFphone,näme\n+1,Zoë 🙂\n',
    [
      ['phone', 'näme'],
      ['+1', 'Zoë 🙂'],
    ],
  ],
  [
    'semicolons and CRLF',
    'a;b\r\n1;"2;3"\r\n',
    [
      ['a', 'b'],
      ['1', '2;3'],
    ],
  ],
  [
    'tabs and no last line end',
    'a\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'line ends and doubled quotes in a cell',
    'a,b\n"x\ny","say ""hi"""\n',
    [
      ['a', 'b'],
      ['x\ny', 'say "hi"'],
    ],
  ],
  [
    'escape sequences and control characters',
    'a,b\n\u001b[31mred,\u0000\n',
    [
      ['a', 'b'],
      ['\u001b[31mred', '\u0000'],
    ],
  ],
  [
    'a first line that tells the delimiter',
    'sep=;\r\na,b;c\r\n1;2\r\n',
    [
      ['a,b', 'c'],
      ['1', '2'],
    ],
  ],
  [
    'a first line in quotation marks that tells the delimiter',
    '\uFEFF"sep=|"\na,b|c\n1|2\n',
    [
      ['a,b', 'c'],
      ['1', '2'],
    ],
  ],
  [
    'formulas that are a text',
    'a,b\n="+491711234567","=""0171"""\n',
    [
      ['a', 'b'],
      ['+491711234567', '0171'],
    ],
  ],
  [
    'lines that end with CR alone',
    'a,b\r1,2\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
])('A CSV file is read in pieces of any size: %s', async (_, text, cells) => {
  for (const size of [1, 2, 3, 5, 1000]) {
    expect((await rowsOf(text, size)).map((row) => row.cells)).toEqual(cells)
  }
})

it('A CSV file numbers its rows as a spreadsheet does, empty lines counted', async () => {
  expect((await rowsOf('a\n1\n\n\n2\n')).map(({ row }) => row)).toEqual([1, 2, 5])
})

it('A first line that tells the delimiter is not counted, and is a row anywhere else', async () => {
  expect(await rowsOf('sep=;\na;b\nsep=,;c\n')).toEqual([
    { row: 1, cells: ['a', 'b'] },
    { row: 2, cells: ['sep=,', 'c'] },
  ])
})

it('A CSV file is read with a cell of 10 MB, piece by piece, in linear time', async () => {
  const cell = 'x'.repeat(10_000_000)
  const rows = await rowsOf(`a,b\n1,"${cell}"\n2,y\n`, 65_536)
  expect(rows.map(({ cells }) => cells[1]?.length)).toEqual([1, 10_000_000, 1])
})

it.each([
  ['open at a quotation mark', 'a\n1\n"2\n3\n', /^row 3 is not CSV: .+ never closed/],
  ['followed by text at a quotation mark', 'a\n"1" 2\n', /^row 2 is not CSV: text follows/],
])('A CSV file is refused with its row when it is %s', async (_, text, problem) => {
  for (const size of [1, 1000]) {
    const failed = await rowsOf(text, size).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(UnreadableFile)
    expect((failed as Error).message).toMatch(problem)
  }
})

it('A CSV file may contain the character that stands for wrong bytes, and quotation marks inside of a cell', async () => {
  const rows = await rowsOf('a,b\n\uFFFD,5" pipe\n')
  expect(rows[1]?.cells).toEqual(['\uFFFD', '5" pipe'])
})

it('A CSV file has its cells without the apostrophes that keep a spreadsheet from evaluating them', async () => {
  expect((await rowsOf("'=a,b\n'+1,it's\n")).map(({ cells }) => cells)).toEqual([
    ['=a', 'b'],
    ['+1', "it's"],
  ])
  expect((await rowsOf('a\n"\'=""x"""\n'))[1]?.cells).toEqual(['="x"'])
})

it('A CSV file that the service writes has the columns of a lead and those that are ignored, and no others', () => {
  expect(csvHeaderWith({ withCalling: true, withOrigin: true }).trim().split(',').sort()).toEqual(
    [
      ...fileFields.filter((field) => !isOfConsent(field) && field !== 'doNotCall'),
      ...generatedColumns,
    ].sort(),
  )
})
