// A CSV file as rows of cells, in bounded memory: reads pieces of bytes, and gives the rows that are whole. What a
// column means, and whether a row is a lead, is decided elsewhere.
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

/** The sign that parts the first line into most cells. */
export function guessDelimiter(firstLine: string): string {
  const cellsBy = (delimiter: string) => Papa.parse<string[]>(firstLine, { delimiter }).data[0]?.length ?? 0
  return delimiters.reduce((best, one) => (cellsBy(one) > cellsBy(best) ? one : best))
}

/** The header comes first. Empty lines are passed over, and counted. Throws UnreadableFile. */
export async function* readCsv(
  pieces: AsyncIterable<Uint8Array>,
  delimiter?: string,
): AsyncGenerator<readonly NumberedRow[]> {
  let text = ''
  let row = 1
  // A row that is longer than a piece is read again only when twice as much is there.
  let nextChars = 0
  let chosen = delimiter
  for await (const piece of decoded(pieces)) {
    text += piece
    if (text.length < nextChars) continue
    chosen ??= guessOf(text)
    const { data, end } = parse(text, chosen, true)
    text = text.slice(end)
    nextChars = text.length * 2
    if (text.length > maxRowChars) {
      throw new UnreadableFile(`Row ${row + data.length} does not end: a quotation mark is not closed.`)
    }
    yield* numbered(data, row)
    row += data.length
  }
  if (text !== '') yield* numbered(parse(text, chosen ?? guessOf(text), false).data, row)
}

const guessOf = (text: string) => guessDelimiter(text.slice(0, 10_000).split(/\r?\n|\r/, 1)[0] ?? '')

function parse(text: string, delimiter: string, isMoreToCome: boolean) {
  const { data, meta } = new Papa.Parser({ delimiter, newline: newlineOf(text) } as never).parse(
    text,
    0,
    isMoreToCome,
  ) as { data: string[][]; meta: { cursor: number } }
  return { data, end: isMoreToCome ? meta.cursor : text.length }
}

/** That of the first line, quoted line breaks aside: a file has one kind. */
function newlineOf(text: string): '\r\n' | '\n' | '\r' {
  const bare = text.slice(0, 1_000_000).replace(/"[^"]*"/g, '')
  const lineFeed = bare.indexOf('\n')
  const carriageReturn = bare.indexOf('\r')
  if (carriageReturn === -1) return '\n'
  if (lineFeed === -1) return carriageReturn === bare.length - 1 ? '\r\n' : '\r'
  return carriageReturn === lineFeed - 1 ? '\r\n' : '\n'
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
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableFile('The file is not in UTF-8. Save it as "CSV UTF-8", and pick it again.')
  }
}
