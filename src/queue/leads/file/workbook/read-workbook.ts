// Reads a sheet of an Excel workbook (.xlsx) as CSV, which everything else reads.
import { readSheet } from 'read-excel-file/universal'
import { csvCell } from '../../../../base/csv-cell.ts'
import { UnreadableFile } from '../csv-rows.ts'
import type { HiddenCells } from '../open/opened-file.ts'
import { checkedSheet, type Hidden, type Merge } from './check-sheet.ts'
import { sheetsOf } from './sheets.ts'
import { workbookLimits } from './workbook-limits.ts'
import { joined, openZip, storedZip } from './zip.ts'

type Reading =
  /** In pieces of UTF-8. */
  | { readonly kind: 'csv'; readonly pieces: readonly Uint8Array<ArrayBuffer>[] }
  /** One of them must be chosen. */
  | { readonly kind: 'sheet'; readonly names: readonly string[] }
  /** How many have something in them, of which a person must say whether they are read. */
  | HiddenCells

type How = { readonly sheet?: string | undefined; readonly hidden?: 'keep' | 'skip' | undefined }

/** `sheet`: its name; undefined: the only one. Throws UnreadableFile. */
export async function readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  { sheet, hidden: said }: How = {},
): Promise<Reading> {
  const zip = openZip(await gather(bytes), workbookLimits.unpackedMaxBytes)
  const sheets = await sheetsOf(zip)
  const names = sheets.map(({ name }) => name)
  const chosen =
    sheets.length === 1 && sheet === undefined ? sheets[0] : sheets.find(({ name }) => name === sheet)
  if (chosen === undefined && sheet !== undefined)
    throw new UnreadableFile(`there is no sheet ${sheet}, only ${names.join(' | ')}`)
  if (chosen === undefined) return { kind: 'sheet', names }
  const content = await zip.unpack(chosen.path)
  const { sheet: checked, merges, hidden } = checkedSheet(content)
  const files: [string, Uint8Array][] = [[chosen.path, checked]]
  for (const name of chosen.others) {
    const other = await zip.unpack(name)
    if (other !== undefined) files.push([name, other])
  }
  const rows = await rowsOf(storedZip(files), chosen.name)
  copyDown(rows, merges)
  const found = countHidden(rows, hidden)
  if (found.rows + found.columns > 0 && said === undefined) return { kind: 'hidden', ...found }
  return { kind: 'csv', pieces: csvOf(said === 'skip' ? withoutHidden(rows, hidden) : rows) }
}

const isFilled = (cell: Cell | undefined) => cell !== null && cell !== undefined && cell !== ''

const countHidden = (rows: readonly (readonly Cell[])[], hidden: Hidden) => ({
  rows: rows.filter((row, at) => hidden.rows.has(at) && row.some(isFilled)).length,
  columns: [...hidden.columns].filter((at) => rows.some((row) => isFilled(row[at]))).length,
})

/** A row that is left out is an empty one, so that those behind it keep their numbers. */
const withoutHidden = (rows: readonly (readonly Cell[])[], hidden: Hidden) =>
  rows.map((row, at) => (hidden.rows.has(at) ? [] : row.filter((_, place) => !hidden.columns.has(place))))

/** A merged cell holds for each of its rows, as people see it. A row with nothing else, as of a title, stays empty. */
function copyDown(rows: readonly Cell[][], merges: readonly Merge[]): void {
  let left = rows.length * (rows[0]?.length ?? 0)
  for (const { column, first, last } of merges) {
    const value = rows[first]?.[column] ?? null
    if (value === null) continue
    for (const row of rows.slice(first + 1, last + 1)) {
      // No spreadsheet writes merged cells that overlap.
      if (left-- === 0) throw new UnreadableFile('the sheet is damaged')
      if (row.some((cell) => cell !== null)) row[column] = value
    }
  }
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const gathered: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    gathered.push(piece)
    bytes += piece.length
    if (bytes > workbookLimits.maxBytes)
      throw new UnreadableFile(
        `the workbook is larger than ${workbookLimits.maxBytes / 1e6} MB: split it, or save it as "CSV UTF-8"`,
      )
  }
  return joined(gathered)
}

type Cell = string | boolean | Date | null

async function rowsOf(archive: ArrayBuffer, sheet: string): Promise<readonly Cell[][]> {
  try {
    // Its type for a date is the constructor.
    return (await readSheet(archive, sheet, { parseNumber: textOfNumber })) as unknown as Cell[][]
  } catch {
    throw new UnreadableFile(`the sheet ${sheet} cannot be read: save it as "CSV UTF-8"`)
  }
}

/** As a spreadsheet shows it: 15 digits at most. A whole number with more was rounded, and looks so. */
function textOfNumber(text: string): string {
  const number = Number(text)
  if (!Number.isInteger(number)) return Number.isFinite(number) ? `${Number(number.toPrecision(15))}` : text
  return Math.abs(number) < 1e15 ? `${number}` : number.toExponential().replace('e+', 'E+')
}

function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (typeof cell === 'string') return cell
  // A spreadsheet's date has no zone, and its fraction of a day is not exact.
  return new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString().slice(0, 19)
}

const pieceChars = 256 * 1024

function csvOf(rows: readonly (readonly Cell[])[]): readonly Uint8Array<ArrayBuffer>[] {
  const encoder = new TextEncoder()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let [text, bytes] = ['sep=,\r\n', 0]
  const flush = () => {
    const piece = encoder.encode(text) as Uint8Array<ArrayBuffer>
    pieces.push(piece)
    bytes += piece.length
    text = ''
    // A text that is in the workbook once may be in many cells.
    if (bytes > workbookLimits.unpackedMaxBytes) throw new UnreadableFile('the sheet is too large: split it')
  }
  for (const row of rows) {
    const cells = row.map(textOf)
    // An empty row is an empty line, which is counted and skipped.
    text += `${cells.every((cell) => cell === '') ? '' : cells.map(csvCell).join(',')}\r\n`
    if (text.length > pieceChars) flush()
  }
  flush()
  return pieces
}
