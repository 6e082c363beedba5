// The bytes of a file that is not UTF-8 as UTF-8, which everything else reads. What is not UTF-8 is read as
// Windows-1252 only after a person has seen how its cells come out.
import { readCsv, readFormat, UnreadableFile } from '../csv-rows.ts'
import type { DoubtfulCell, Pieces } from './opened-file.ts'

/** For a file that is not UTF-8: UTF-16 by its byte-order mark, else Windows-1252, so that a person must be asked. */
export type Encoding = 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Throws UnreadableFile. */
export async function* asUtf8(pieces: Pieces, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: false })
  const encoder = new TextEncoder()
  try {
    for await (const piece of pieces) yield encoder.encode(decoder.decode(piece, { stream: true }))
    yield encoder.encode(decoder.decode())
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableFile('the file begins as UTF-16 and is not: save it as "CSV UTF-8"')
  }
}

const shownCells = 5
const shownChars = 40
const isForeign = /\P{ASCII}/u
const isForeignLetter = /(?=\P{ASCII})\p{L}/u

/** Of a file that is not UTF-8: the first different cells with letters outside ASCII, else with other characters. */
export async function doubtfulCells(read: () => Pieces): Promise<readonly DoubtfulCell[]> {
  const utf8 = () => asUtf8(read(), 'windows-1252')
  const { delimiter } = await readFormat(utf8())
  const letters = new Map<string, DoubtfulCell>()
  const others = new Map<string, DoubtfulCell>()
  for await (const { row, cells } of readCsv(utf8(), delimiter)) {
    for (const cell of cells) {
      if (!isForeign.test(cell)) continue
      const hasLetter = isForeignLetter.test(cell)
      const after = aroundFirst(cell, hasLetter ? isForeignLetter : isForeign)
      const found = hasLetter ? letters : others
      if (found.size < shownCells && !found.has(after))
        found.set(after, { row, before: asRead(after), after })
    }
    if (letters.size === shownCells) break
  }
  return [...(letters.size > 0 ? letters : others).values()]
}

function aroundFirst(cell: string, pattern: RegExp): string {
  const start = Math.max(0, cell.search(pattern) - shownChars / 2)
  return cell.slice(start, start + shownChars)
}

/** The bytes behind a text of Windows-1252, as UTF-8. */
function asRead(text: string): string {
  const chars = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return new TextDecoder().decode(Uint8Array.from(text, (char) => chars.indexOf(char)))
}
