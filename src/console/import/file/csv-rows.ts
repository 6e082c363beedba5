// A CSV file as rows of cells, in bounded memory: reads pieces of bytes, and gives the rows that are whole. What a
// column means, and whether a row is a lead, is decided elsewhere.
/// <reference path="../../papaparse.d.ts" />
import Papa from 'papaparse'

export type NumberedRow = {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly row: number
  readonly cells: readonly string[]
}

/** What is not CSV, in a sentence for whoever picked the file. */
export class UnreadableFile extends Error {}

const delimiters = [',', ';', '\t', '|']
/** A row that is longer is a quotation mark that nobody closed. */
const maxRowChars = 48 * 1024 * 1024
const maxRowsAtOnce = 2_000

export type Form = { readonly delimiter: string; readonly newline: '\r\n' | '\n' | '\r' }

/** The header comes first. Empty lines are passed over, and counted. Throws UnreadableFile. */
export async function* readCsv(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly NumberedRow[]> {
  let text = ''
  let row = 1
  // A row that is longer than a piece is read again only when twice as much is there.
  let nextChars = 0
  let form: Form | null = null
  for await (const piece of decoded(pieces)) {
    text += piece
    if (text.length < nextChars) continue
    form ??= formOf(text, true)
    if (form === null) continue
    const { data, end } = parse(text, form, true)
    text = text.slice(end)
    nextChars = text.length * 2
    if (text.length > maxRowChars) {
      throw new UnreadableFile(`Row ${row + data.length} does not end: a quotation mark is not closed.`)
    }
    yield* numbered(data, row)
    row += data.length
  }
  if (text !== '') yield* numbered(parse(text, form ?? formOf(text, false), false).data, row)
}

/** How the file is written. Throws UnreadableFile. */
export async function readForm(pieces: AsyncIterable<Uint8Array>): Promise<Form> {
  let text = ''
  for await (const piece of decoded(pieces)) {
    text += piece
    const form = formOf(text, true)
    if (form !== null) return form
  }
  return formOf(text, false)
}

function parse(text: string, form: Form, isMoreToCome: boolean) {
  const { data, meta } = new Papa.Parser(form).parse(text, 0, isMoreToCome)
  return { data, end: isMoreToCome ? meta.cursor : text.length }
}

/** Enough to be sure of, where no line ends. */
const firstLineMaxChars = 64 * 1024

/**
 * As the first line has it, line ends in quotes aside: a file has one kind. Null: it cannot be told yet, for a line feed
 * may follow a carriage return.
 */
function formOf(text: string, isMoreToCome: true): Form | null
function formOf(text: string, isMoreToCome: false): Form
function formOf(text: string, isMoreToCome: boolean): Form | null {
  const bare = text.slice(0, 1_000_000).replace(/"[^"]*"/g, '')
  const [, line = bare, newline] = /^([^\r\n]*)(\r\n|\n|\r(?=[\s\S]))/.exec(bare) ?? []
  if (newline === undefined && isMoreToCome && bare.length < firstLineMaxChars) return null
  const cellsBy = (delimiter: string) => line.split(delimiter).length
  const delimiter = delimiters.reduce((best, one) => (cellsBy(one) > cellsBy(best) ? one : best))
  return { delimiter, newline: (newline ?? '\n') as Form['newline'] }
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
    throw new UnreadableFile('The file is not in UTF-8. Save it as "CSV UTF-8", and pick it again.')
  }
}
