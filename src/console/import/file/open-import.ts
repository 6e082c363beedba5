// Opens the file of an import: its columns, what they seem to mean, and what was chosen for it before. Which file it is
// follows from its bytes, so one that is chosen again continues where it stopped.
import { type Format, readCsv, readFormat, UnreadableFile } from '../../../queue/leads/file/csv-rows.ts'
import type { Pieces } from '../../../queue/leads/file/open/opened-file.ts'
import type { ImportView, Target, ToWorker } from '../import-messages.ts'
import { findImport } from '../import-state.ts'
import { hashFile, hashText, piecesOf } from './file-pieces.ts'

export type Opened = {
  readonly file: File
  readonly decode: (pieces: Pieces) => Pieces
  readonly target: Target
  readonly fileHash: string
  readonly headers: readonly string[]
  readonly format: Format
  readonly hasHeader: boolean
}

const maxColumns = 500
const maxHeaderChars = 20_000

export const loadReaders = () => import('../../../queue/leads/file/readers.ts')

const nothingChosen = { country: null, turnedOff: [], dates: null } as const

export const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)

/** What the page shows of an opened file, or what it must ask first. Throws UnreadableFile. */
type Opening =
  | { readonly question: ImportView['question'] }
  | { readonly opened: Opened; readonly view: Partial<ImportView> }

export async function openImport({
  file,
  target,
  campaignZone,
  hasHeader: isSaid,
  form,
}: Extract<ToWorker, { kind: 'open' }>): Promise<Opening> {
  const { companyId, campaignId } = target
  const { guessInstead, guessMeanings, isHeader, madeHeaders, openFile, openReaders } = await loadReaders()
  const found = await openFile(() => piecesOf(file, () => {}), form)
  if (found.kind !== 'text') return { question: found }
  const { decode } = found
  const read = () => decode(piecesOf(file, () => {}))
  const ofFile = await hashFile(file)
  const how = [form.sheet, form.hidden].filter((part) => part !== undefined).join('/')
  const fileHash = how === '' ? ofFile : await hashText(ofFile + how)
  const format = await readFormat(read())
  const { value: first } = await readCsv(read(), format.delimiter).next()
  if (first === undefined) throw new UnreadableFile('the file is empty')
  const hasHeader = isSaid ?? isHeader(first.cells.map(shorten))
  const headers = hasHeader ? (first.cells as readonly string[]) : madeHeaders(first.cells)
  if (headers.length > maxColumns || headers.join('').length > maxHeaderChars)
    throw new UnreadableFile('the first line must be a header that names the columns')
  const earlier = await findImport(
    (one) =>
      one.companyId === companyId &&
      one.campaignId === campaignId &&
      one.fileHash === fileHash &&
      one.choices.hasHeader === hasHeader &&
      one.meanings.length === headers.length,
  )
  const names = headers.map(shorten)
  const meanings = earlier?.meanings ?? guessMeanings(names)
  const timeZone = campaignZone ?? 'UTC'
  const instead = guessInstead(names, meanings)
  const guessed = { ...nothingChosen, ...(instead !== -1 && { insteadPlace: instead }) }
  const choices = { ...(earlier?.choices ?? guessed), timeZone, campaignZone, hasHeader }
  const { countries } = openReaders(choices)
  return {
    opened: { file, decode, target, fileHash, headers, format, hasHeader },
    view: { headers: names, meanings, choices, countries },
  }
}
