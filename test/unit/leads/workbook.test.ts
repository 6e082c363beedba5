// An Excel workbook as rows of text: its cells, its sheets, and what is refused without being unpacked.
import { expect, it, onTestFinished, vi } from 'vitest'
import { dateReader } from '../../../src/queue/leads/file/cells/date-cell.ts'
import { numberReader } from '../../../src/queue/leads/file/cells/phone-cell.ts'
import { UnreadableFile } from '../../../src/queue/leads/file/csv-rows.ts'
import { readWorkbook } from '../../../src/queue/leads/file/workbook/read-workbook.ts'
import { workbookLimits } from '../../../src/queue/leads/file/workbook/workbook-limits.ts'
import { pieces, rowsOf } from '../../support/leads/lead-file.ts'
import { type TestCell, workbook, zipOf } from '../../support/leads/workbook.ts'

async function read(bytes: Uint8Array<ArrayBuffer>, sheet?: string, hidden?: 'keep' | 'skip') {
  const reading = await readWorkbook(pieces(bytes, 1000), { sheet, hidden })
  if (reading.kind === 'sheet') return reading.names as never
  if (reading.kind === 'hidden') return reading as never
  return rowsOf(new Uint8Array(await new Blob([...reading.pieces]).arrayBuffer()), 1000)
}

const ofSheet = (...rows: TestCell[][]) => workbook([{ name: 'Leads', rows }])
const raw = (attributes: string, content: string) => ({ attributes, content })

it.each<[what: string, cell: TestCell, text: string]>([
  ['a text', 'Müller; "Söhne" & Co.', 'Müller; "Söhne" & Co.'],
  ['a text with a line end', 'a\nb', 'a\nb'],
  ['a text that looks like a formula', '=1+1', '=1+1'],
  ['a text with a zero in front', '0171 1234567', '0171 1234567'],
  ['a text within the sheet', raw('t="inlineStr"', '<is><t>Zoë 🙂</t></is>'), 'Zoë 🙂'],
  ["a formula's text", raw('t="str"', '<f>A1</f><v>+491711234567</v>'), '+491711234567'],
  ['a whole number', 491711234567, '491711234567'],
  ['a whole number in the form of other makers', raw('', '<v>4.91711234567E11</v>'), '491711234567'],
  ['a number of 15 digits', raw('', '<v>999999999999999</v>'), '999999999999999'],
  ['a number of 16 digits, which was rounded', raw('', '<v>4917112345678901</v>'), '4.917112345678901E+15'],
  ['a fraction', raw('', '<v>0.30000000000000004</v>'), '0.3'],
  ['a negative number', -5, '-5'],
  ['a date with a time', new Date('2026-12-01T10:00:00Z'), '2026-12-01T10:00:00'],
  ['a time that is no exact fraction of a day', new Date('2026-12-01T10:20:40Z'), '2026-12-01T10:20:40'],
  ['a date alone', new Date('2026-12-01T00:00:00Z'), '2026-12-01T00:00:00'],
  ['a date as text, which has no zone', raw('t="d"', '<v>2026-07-01T10:00:00</v>'), '2026-07-01T10:00:00'],
  ['yes', true, 'TRUE'],
  ['no', false, 'FALSE'],
  ['an error, which is not an empty cell', raw('t="e"', '<v>#N/A</v>'), '#N/A'],
  ['an empty cell', null, ''],
])('A cell of a workbook becomes a text: %s', async (_, cell, text) => {
  const rows = await read(await ofSheet(['phone', 'a', 'b'], ['x', cell, 'y']))
  expect(rows).toEqual([
    { row: 1, cells: ['phone', 'a', 'b'] },
    { row: 2, cells: ['x', text, 'y'] },
  ])
})

it('Hidden rows and columns of a workbook with something in them are asked about, and read or left out', async () => {
  const rows = [
    ['phone', 'note', 'secret', 'name', 'gone'],
    ['1', 'a', 'x', 'Ada', null],
    ['2', 'b', null, 'Bob', null],
    [null, null, null],
    ['4', 'd', 'y', 'Eve', null],
  ]
  const columns =
    '<col min="1" max="1" width="9"/><col min="3" max="3" hidden="1"/><col min="5" max="16384" hidden="true"/>'
  const hidden = await workbook([{ name: 'Leads', rows, hiddenRows: [2, 3], columns }])
  expect(await read(hidden)).toEqual({ kind: 'hidden', rows: 1, columns: 2 })
  expect(await read(hidden, 'Leads', 'skip')).toEqual([
    { row: 1, cells: ['phone', 'note', 'name'] },
    { row: 2, cells: ['1', 'a', 'Ada'] },
    { row: 5, cells: ['4', 'd', 'Eve'] },
  ])
  const kept = await read(hidden, undefined, 'keep')
  expect(kept).toEqual(await read(await workbook([{ name: 'Leads', rows }])))
  expect(kept).toHaveLength(4)
  // Nothing is in them.
  const empty = await workbook([
    { name: 'Leads', rows, hiddenRows: [3], columns: '<col min="6" max="9" hidden="1"/>' },
  ])
  expect(await read(empty)).toEqual(kept)
  expect(
    await read(await workbook([{ name: 'Leads', rows, columns: '<col min="3" max="3" hidden="0"/>' }])),
  ).toEqual(kept)
})

it.each<[cell: TestCell, cause: string]>([
  [raw('', '<v>4917112345678901</v>'), 'rounded'],
  [1711234567, 'lost_zero'],
  [491711234567, 'no_prefix'],
])('A number cell that is no phone number says why: %j', async (cell, cause) => {
  const [, row] = await read(await ofSheet(['phone'], [cell]))
  expect(numberReader('DE')(row?.cells[0] ?? '')).toMatchObject({ kind: 'error', cause })
})

it('A time without a day in a workbook is refused as a date, in both ways of counting days', async () => {
  const times = ['1899-12-30T22:30:00', '1899-12-30T00:00:00', '1899-12-31T01:30:00', '1904-01-01T22:30:00']
  const rows = await read(await ofSheet(...times.map((time) => [new Date(`${time}Z`)])))
  expect(rows.map(({ cells }) => cells[0])).toEqual(times)
  const readDate = dateReader('day-first', 'Europe/Berlin')
  for (const { cells } of rows)
    expect(readDate(cells[0] ?? '')).toEqual({ problem: 'is a time without a day, or in a year before 2000' })
})

it('Rows of a workbook keep their numbers, empty ones counted, and those without cells at its end are not made', async () => {
  const tail = '<row r="1048576" ht="12.8" customHeight="1"/>'
  const rows = [['phone', 'name'], [], [null, null], ['x', null], [null, 'y']] as TestCell[][]
  expect(await read(await workbook([{ name: 'Leads', rows }], tail))).toEqual([
    { row: 1, cells: ['phone', 'name'] },
    { row: 4, cells: ['x', ''] },
    { row: 5, cells: ['', 'y'] },
  ])
})

const merged = (...refs: string[]) =>
  `<mergeCells count="${refs.length}">${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`

it('A merged cell of a workbook holds for each of its rows, and a merged title for none', async () => {
  const rows = [
    ['Our leads', null, null],
    [null, null, null],
    ['phone', 'name', 'DNC'],
    ['1', 'Ann', 'yes'],
    ['2', 'Bob', null],
    ['3', null, 'no'],
    ['4', 'Cy', 'hidden'],
    [null, null, 'x'],
    [null, null, null],
    ['5', 'Di', null],
  ] as TestCell[][]
  const merges = merged('A1:C2', 'C4:C5', 'A6:B6', 'C6:C7', 'A7:B8', 'A10:A12', 'B10:C10')
  const found = await read(await workbook([{ name: 'Leads', rows }], '', merges))
  expect(found.map(({ row, cells }) => [row, ...cells])).toEqual([
    [1, 'Our leads', '', ''],
    [3, 'phone', 'name', 'DNC'],
    [4, '1', 'Ann', 'yes'],
    [5, '2', 'Bob', 'yes'],
    [6, '3', '', 'no'],
    [7, '4', 'Cy', 'no'],
    [8, '4', '', 'x'],
    [10, '5', 'Di', ''],
  ])
})

it('A sheet whose merged cells overlap without end is refused', async () => {
  const merges = merged(...Array.from({ length: 5 }, () => 'A1:A1048576'))
  const rows = [
    ['phone', 'name'],
    ['1', 'Ann'],
    ['2', 'Bob'],
  ]
  await expect(read(await workbook([{ name: 'Leads', rows }], '', merges))).rejects.toThrow(
    new UnreadableFile('the sheet is damaged'),
  )
})

it('A workbook with several sheets asks which one, without those that are hidden', async () => {
  const sheets = [
    { name: 'Leads & more', rows: [['phone'], ['a']] },
    { name: 'Übersicht', rows: [['phone'], ['b']] },
    { name: 'codes', rows: [['x']], state: 'veryHidden' },
  ]
  const bytes = await workbook(sheets)
  expect(await read(bytes)).toEqual(['Leads & more', 'Übersicht'])
  expect(await read(bytes, 'Leads & more')).toMatchObject([{}, { cells: ['a'] }])
  expect(await read(bytes, 'Übersicht')).toMatchObject([{}, { cells: ['b'] }])
  await expect(read(bytes, 'codes')).rejects.toThrow('there is no sheet codes, only Leads & more | Übersicht')
  const [first, , hidden] = sheets
  expect(await read(await workbook([first, hidden].flatMap((one) => one ?? [])))).toHaveLength(2)
})

it.each<[what: string, problem: RegExp, rows: TestCell[][], tail?: string]>([
  [
    'a cell in row 100,002',
    /more than 100000 rows/,
    [['a']],
    '<row r="100002"><c r="A100002"><v>1</v></c></row>',
  ],
  [
    'a cell in the last column',
    /more than 500 columns/,
    [['a']],
    '<row r="2"><c r="XFD2"><v>1</v></c></row>',
  ],
  ['a row beyond the last', /damaged/, [['a']], '<row r="999999999"><c r="A2"><v>1</v></c></row>'],
  ['a formula without its result', /formulas without results/, [[raw('', '<f>A1+1</f><v/>')]]],
  ['what is no sheet', /cannot be read/, [[raw('t="s"', '<v>77</v>')]]],
])('A sheet is refused with %s', async (_, problem, rows, tail) => {
  const failed = await read(await workbook([{ name: 'Leads', rows }], tail)).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(UnreadableFile)
  expect((failed as Error).message).toMatch(problem)
})

it('A row 100,001 is read, and a formula whose result is an empty text', async () => {
  const tail = '<row r="100001"><c r="A100001"><v>7</v></c></row>'
  expect(await read(await workbook([{ name: 'Leads', rows: [['a']] }], tail))).toMatchObject([
    { row: 1 },
    { row: 100_001, cells: ['7'] },
  ])
  const [row] = await read(await ofSheet([raw('t="str"', '<f>IF(1,"","x")</f><v></v>'), 'b']))
  expect(row?.cells).toEqual(['', 'b'])
})

const relations =
  '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'

it('An archive that is huge when it is unpacked is refused while it is counted, whatever size it states', async () => {
  let made = 0
  async function* zeros() {
    for (let left = 20; left > 0; left--) yield new Uint8Array(10_000_000)
  }
  const bytes = await zipOf([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>'],
    ['xl/_rels/workbook.xml.rels', relations],
    ['xl/worksheets/sheet1.xml', zeros()],
  ])
  expect(bytes.length).toBeLessThan(1_000_000)
  const inflate = DecompressionStream
  vi.stubGlobal('DecompressionStream', function counted(format: 'deflate-raw') {
    const { readable, writable } = new inflate(format)
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        made += chunk.length
        controller.enqueue(chunk)
      },
    })
    return { readable: readable.pipeThrough(count), writable }
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  await expect(read(bytes)).rejects.toThrow('the workbook is larger than 150 MB when it is unpacked')
  // Stopped there, give or take what was on its way.
  expect(made).toBeGreaterThan(workbookLimits.unpackedMaxBytes)
  expect(made).toBeLessThan(workbookLimits.unpackedMaxBytes + 20_000_000)
})

it('A text that stands once in a workbook and in many cells is refused before it fills the memory', async () => {
  const text = 'x'.repeat(1_000_000)
  const again = raw('t="s"', '<v>0</v>')
  await expect(read(await ofSheet([text], ...Array.from({ length: 300 }, () => [again])))).rejects.toThrow(
    /too large/,
  )
})

it.each<[what: string, bytes: () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>]>([
  ['another archive', () => zipOf([['leads.csv', 'phone']])],
  ['a cut one', async () => (await ofSheet(['a'])).slice(0, 700)],
  ['no archive', () => new Uint8Array(5000)],
  ['nothing', () => new Uint8Array()],
  ['an archive whose content is damaged', async () => (await ofSheet(['a'])).fill(255, 40, 120)],
])('What is no workbook is refused: %s', async (_, bytes) => {
  await expect(read(await bytes())).rejects.toThrow(UnreadableFile)
})
