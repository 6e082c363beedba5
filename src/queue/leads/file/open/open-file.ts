// Opens a file that people have, as CSV in UTF-8. What is anything else is opened by unusual-file.ts, which is large,
// and is loaded only when such a file comes.
import type { FileForm, OpenedFile, Pieces } from './opened-file.ts'

/** `read`: from the beginning. Throws UnreadableFile. */
export async function openFile(read: () => Pieces, form: FileForm): Promise<OpenedFile> {
  if (form.sheet === undefined && (await isPlain(read()))) return { kind: 'text', decode: (pieces) => pieces }
  const { openUnusualFile } = await import('./unusual-file.ts')
  return openUnusualFile(read, form)
}

/** UTF-8, and no archive, which a workbook is. */
async function isPlain(pieces: Pieces): Promise<boolean> {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let start = ''
  try {
    for await (const piece of pieces) {
      const text = strict.decode(piece, { stream: true })
      if (start.length < 4) start += text.slice(0, 4)
      if (start.startsWith('PK\x03\x04')) return false
    }
    strict.decode()
    return true
  } catch {
    return false
  }
}
