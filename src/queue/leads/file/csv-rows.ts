// Reads a CSV file as rows of cells, in bounded memory: pieces of bytes in, complete rows out. What a column means, and
// whether a row is valid, is decided elsewhere.
import { csvText } from '../../../base/csv-cell.ts'

export type NumberedRow = {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly row: number
  /** Without the apostrophes that keep a spreadsheet from evaluating them. */
  readonly cells: readonly string[]
}

/** Not a file that can be read. The message says where, such as `row 7 is not CSV: …`. */
export class UnreadableFile extends Error {}

export type Format = { readonly delimiter: string; readonly newline: string }

const delimiters = [',', ';', '\t', '|']
/** A longer cell has a quotation mark that is never closed. */
const cellMaxChars = 48 * 1024 * 1024

/** Reads UTF-8. The header comes first. Empty lines are skipped, and counted. Throws UnreadableFile. */
export async function* readCsv(
  pieces: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<NumberedRow> {
  const split = rowSplitter(delimiter)
  const decoder = new TextDecoder()
  for await (const piece of pieces) yield* [...split(decoder.decode(piece, { stream: true }))]
  yield* split(decoder.decode())
  yield* split(null)
}

/** The rows of a text. Throws UnreadableFile. */
export function rowsOfText(text: string, delimiter: string, quote?: string): readonly NumberedRow[] {
  const split = rowSplitter(delimiter, quote)
  return [...split(text), ...split(null)]
}

const endsOf = (delimiter: string) => new RegExp(`[${delimiter.replace(/[\]\\^-]/, '\\$&')}\r\n]`, 'g')

/** Takes the pieces of a text, then null, and returns the rows that each of them ends. */
function rowSplitter(given: string, quote = '"') {
  let delimiter = given
  let ends = endsOf(delimiter)
  let row = 1
  let isStart = true
  let cells: string[] = []
  let cell = ''
  /** Where in a cell the text continues; `closed` is behind a quotation mark that may be the first of two. */
  let place: 'start' | 'bare' | 'quoted' | 'closed' = 'start'
  /** A line feed that follows belongs to it. */
  let isAfterReturn = false

  const wrong = (what: string) => new UnreadableFile(`row ${row} is not CSV: ${what}`)
  const add = (text: string) => {
    cell += text
    if (cell.length > cellMaxChars) throw wrong('a quotation mark is never closed')
  }
  function* endRow(): Generator<NumberedRow> {
    cells.push(textOf(cell))
    const [, said] = (isStart && delimiterLine.exec(cells.join(delimiter))) || []
    isStart = false
    if (said !== undefined) {
      delimiter = said
      ends = endsOf(said)
      row--
    } else if (cells.length > 1 || cells[0] !== '') yield { row, cells }
    row++
    cells = []
    cell = ''
    place = 'start'
  }

  return function* (text: string | null): Generator<NumberedRow> {
    if (text === null) {
      if (place === 'quoted') throw wrong('a quotation mark is never closed')
      return yield* endRow()
    }
    for (let at = 0; at < text.length; ) {
      if (isAfterReturn) {
        isAfterReturn = false
        if (text[at] === '\n') at++
      } else if (place === 'quoted') {
        const end = text.indexOf(quote, at)
        add(text.slice(at, end === -1 ? text.length : end))
        at = end === -1 ? text.length : end + 1
        if (end !== -1) place = 'closed'
      } else if (text[at] === quote && place !== 'bare') {
        if (place === 'closed') cell += quote
        place = 'quoted'
        at++
      } else {
        ends.lastIndex = at
        const end = ends.exec(text)?.index ?? text.length
        if (end > at && place === 'closed') throw wrong('text follows a quoted cell')
        if (end > at) place = 'bare'
        add(text.slice(at, end))
        at = end + 1
        if (end === text.length) return
        isAfterReturn = text[end] === '\r'
        if (text[end] === delimiter) {
          cells.push(textOf(cell))
          cell = ''
          place = 'start'
        } else yield* endRow()
      }
    }
  }
}

/** A first line by which exporters tell Excel the delimiter. Spreadsheets do not count it. */
const delimiterLine = /^sep=([^\p{L}\p{N}"\r\n])$/iu

/** `="0171"` is how exporters keep a spreadsheet from changing a text. */
const textOf = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? csvText(cell)

/** The file's delimiter and line ends. */
export async function readFormat(pieces: AsyncIterable<Uint8Array>): Promise<Format> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true })
    // A line feed may follow a carriage return.
    if (/[\r\n][\s\S]/.test(withoutQuoted(text)) || text.length > firstLineMaxChars) break
  }
  return formatOf(text)
}

/** The format is decided by then, even where no line has ended. */
const firstLineMaxChars = 1024 * 1024
const withoutQuoted = (text: string) => text.replace(/"[^"]*"/g, '')

/** From the first line, without line ends in quotes: a file has one kind. */
export function formatOf(text: string): Format {
  const bare = withoutQuoted(text.slice(0, firstLineMaxChars))
  const [, line = bare, newline = '\n'] = /^[\r\n]*([^\r\n]*)(\r\n|\n|\r)/.exec(bare) ?? []
  const [, said] = delimiterLine.exec(/^.*/.exec(text)?.[0].replaceAll('"', '') ?? '') ?? []
  if (said !== undefined) return { delimiter: said, newline }
  const cellsBy = (delimiter: string) => line.split(delimiter).length
  const delimiter = delimiters.reduce((best, one) => (cellsBy(one) > cellsBy(best) ? one : best))
  return { delimiter, newline }
}
