// Reads a CSV file as rows of cells, in bounded memory: pieces of bytes in, complete rows out. What a column means, and
// whether a row is valid, is decided elsewhere.
/// <reference path="../../papaparse.d.ts" />
import Papa from 'papaparse'

export type NumberedRow = {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly row: number
  readonly cells: readonly string[]
}

/** Not a CSV file. The message is for the person who chose it. */
export class UnreadableFile extends Error {}

const delimiters = [',', ';', '\t', '|']
/** A longer row has a quotation mark that is never closed. */
const maxRowChars = 48 * 1024 * 1024
const maxRowsAtOnce = 2_000

export type Format = { readonly delimiter: string; readonly newline: '\r\n' | '\n' | '\r' }

/** The header comes first. Empty lines are skipped, and counted. Throws UnreadableFile. */
export async function* readCsv(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly NumberedRow[]> {
  let text = ''
  let row = 1
  // A row longer than a piece is parsed again only when twice as much text is there: linear time.
  let nextChars = 0
  let format: Format | null = null
  for await (const piece of decoded(pieces)) {
    text += piece
    if (text.length < nextChars) continue
    format ??= formatOf(text, true)
    if (format === null) continue
    const { data, end } = parse(text, format, true)
    text = text.slice(end)
    nextChars = text.length * 2
    if (text.length > maxRowChars) {
      throw new UnreadableFile(`Row ${row + data.length} has a quotation mark that is never closed.`)
    }
    yield* numbered(data, row)
    row += data.length
  }
  if (text !== '') yield* numbered(parse(text, format ?? formatOf(text, false), false).data, row)
}

/** The file's delimiter and line ends. Throws UnreadableFile. */
export async function readFormat(pieces: AsyncIterable<Uint8Array>): Promise<Format> {
  let text = ''
  for await (const piece of decoded(pieces)) {
    text += piece
    const format = formatOf(text, true)
    if (format !== null) return format
  }
  return formatOf(text, false)
}

function parse(text: string, format: Format, isMoreToCome: boolean) {
  const { data, meta } = new Papa.Parser(format).parse(text, 0, isMoreToCome)
  return { data, end: isMoreToCome ? meta.cursor : text.length }
}

/** The format is decided by then, even where no line has ended. */
const firstLineMaxChars = 64 * 1024

/**
 * From the first line, without line ends in quotes: a file has one kind. Null: not known yet, because a line feed may
 * follow a carriage return.
 */
function formatOf(text: string, isMoreToCome: true): Format | null
function formatOf(text: string, isMoreToCome: false): Format
function formatOf(text: string, isMoreToCome: boolean): Format | null {
  const bare = text.slice(0, 1_000_000).replace(/"[^"]*"/g, '')
  const [, line = bare, newline] = /^([^\r\n]*)(\r\n|\n|\r(?=[\s\S]))/.exec(bare) ?? []
  if (newline === undefined && isMoreToCome && bare.length < firstLineMaxChars) return null
  const cellsBy = (delimiter: string) => line.split(delimiter).length
  const delimiter = delimiters.reduce((best, one) => (cellsBy(one) > cellsBy(best) ? one : best))
  return { delimiter, newline: (newline ?? '\n') as Format['newline'] }
}

function* numbered(data: readonly string[][], firstRow: number): Generator<readonly NumberedRow[]> {
  const rows = data
    .map((cells, index) => ({ row: firstRow + index, cells }))
    .filter(({ cells }) => cells.length > 1 || (cells[0] ?? '') !== '')
  for (let start = 0; start < rows.length; start += maxRowsAtOnce) {
    yield rows.slice(start, start + maxRowsAtOnce)
  }
}

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  try {
    for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableFile('The file is not UTF-8. Save it as "CSV UTF-8" and choose it again.')
  }
}
