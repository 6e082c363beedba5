// Opens a file that is not CSV in UTF-8: in another encoding, or an Excel workbook. Where only a person can say how it
// is read, it asks.
import { UnreadableFile } from '../csv-rows.ts'
import { readWorkbook } from '../workbook/read-workbook.ts'
import { asUtf8, doubtfulCells, type Encoding } from './encoding.ts'
import type { FileForm, OpenedFile, Pieces } from './opened-file.ts'

/** `read`: from the beginning. Throws UnreadableFile. */
export async function openUnusualFile(
  read: () => Pieces,
  { encoding: said, sheet, hidden }: FileForm,
): Promise<OpenedFile> {
  const start = await startOf(read())
  if (begins(start, oldWorkbook))
    throw new UnreadableFile(
      'an Excel workbook of before 2007, or with a password, is not read: save it as .xlsx ' +
        'without one, or as "CSV UTF-8"',
    )
  if (begins(start, archive)) {
    const reading = await readWorkbook(read(), { sheet, hidden })
    if (reading.kind !== 'csv') return reading
    return {
      kind: 'text',
      decode: async function* () {
        yield* reading.pieces
      },
    }
  }
  if (sheet !== undefined)
    throw new UnreadableFile(`there is no sheet ${sheet}: the file is no Excel workbook`)
  const encoding = encodingOf(start)
  if (encoding === 'windows-1252' && said !== encoding)
    return { kind: 'encoding', cells: await doubtfulCells(read) }
  return { kind: 'text', decode: (pieces) => asUtf8(pieces, encoding) }
}

/** What a workbook begins with, and one in its form before 2007. */
const [archive, oldWorkbook] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const begins = (start: readonly number[], mark: readonly number[]) =>
  mark.every((byte, place) => start[place] === byte)

function encodingOf(start: readonly number[]): Encoding {
  if (begins(start, [0xff, 0xfe])) return 'utf-16le'
  return begins(start, [0xfe, 0xff]) ? 'utf-16be' : 'windows-1252'
}

async function startOf(pieces: Pieces): Promise<readonly number[]> {
  let start: readonly number[] = []
  for await (const piece of pieces) {
    start = [...start, ...piece.subarray(0, 4)]
    if (start.length >= 4) break
  }
  return start
}
