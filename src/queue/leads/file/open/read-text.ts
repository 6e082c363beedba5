// A file of phone numbers as one text. Nobody is asked for its encoding, because digits are the same in all of them, or
// for what is hidden in it: a number too many is held back rather than one too few.
import { UnreadableFile } from '../csv-rows.ts'
import { openFile } from './open-file.ts'
import type { FileQuestion } from './opened-file.ts'

const maxBytes = 20_000_000

/** `sheet`: of a workbook with several, which are asked for. Throws UnreadableFile. */
export async function readText(file: Blob, sheet?: string): Promise<string | FileQuestion> {
  // Reading only a part would leave numbers that are still called.
  if (file.size > maxBytes) throw new UnreadableFile('the file is larger than 20 MB: split it')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const read = async function* () {
    yield bytes
  }
  const opened = await openFile(read, { encoding: 'windows-1252', sheet, hidden: 'keep' })
  if (opened.kind !== 'text') return opened
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of opened.decode(read())) text += decoder.decode(piece, { stream: true })
  text += decoder.decode()
  if (text.includes('\0')) throw new UnreadableFile('the file is not text: save it as "CSV UTF-8"')
  return text
}
