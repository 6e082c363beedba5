// The bytes of an import as UTF-8, which are read twice: from a file, or from stdin or a pipe after spooling them to
// disk.
import { createReadStream, fstatSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type NumberedRow, readCsv, UnreadableFile } from '../../queue/leads/file/csv-rows.ts'
import { openFile } from '../../queue/leads/file/open/open-file.ts'
import { describeHidden, type FileForm, type FileQuestion } from '../../queue/leads/file/open/opened-file.ts'
import { CommandFailed } from '../command-failed.ts'

/** npm runs scripts in the project's folder, but a path is relative to the operator's. `-` is stdin. */
export const fromHere = (path: string) => (path === '-' ? path : resolve(process.env.INIT_CWD ?? '.', path))

export type Source = {
  /** For messages. */
  readonly name: string
  /** Whether it is the same file, under any name. */
  readonly isSame: (other: FileIdentity) => boolean
  /** From the beginning, as often as needed. */
  readonly read: () => AsyncIterable<Uint8Array>
  readonly close: () => Promise<void>
}

type FileIdentity = { readonly dev: bigint; readonly ino: bigint }

/** `-` is stdin. Throws CommandFailed. */
export async function openSource(file: string, form: FileForm = {}): Promise<Source> {
  const isStdin = file === '-'
  const name = isStdin ? 'stdin' : file
  const named = isStdin ? null : await openNamed(file)
  const identity = fstatSync(named?.fd ?? 0, { bigint: true })
  const isSame = ({ dev, ino }: FileIdentity) => dev === identity.dev && ino === identity.ino
  // Stdin is spooled even if it is a file: the shell decides its position.
  const handle = named !== null && identity.isFile() ? named : await spool(named)
  try {
    const read = await readerOf(name, () => piecesOf(handle), form)
    return { name, isSame, read, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw namedError(error, name)
  }
}

async function readerOf(name: string, read: Source['read'], form: FileForm): Promise<Source['read']> {
  const opened = await openFile(read, form)
  if (opened.kind === 'text') return () => opened.decode(read())
  throw asked(name, opened)
}

function asked(name: string, question: FileQuestion): CommandFailed {
  if (question.kind === 'sheet')
    return new CommandFailed(
      `${name} has several sheets, and nothing is imported: add one of`,
      question.names.map((sheet) => `--sheet ${JSON.stringify(sheet)}`),
    )
  if (question.kind === 'hidden')
    return new CommandFailed(`${name} has ${describeHidden(question)}, and nothing is imported: add one of`, [
      '--hidden keep  reads them as all others',
      '--hidden skip  leaves them out',
    ])
  return new CommandFailed(
    `${name} is not UTF-8, and nothing is imported. If these cells read right, add --encoding windows-1252; ` +
      'if not, save it as "CSV UTF-8"',
    question.cells.map(({ row, before, after }) => `row ${row}: ${before} is read as ${after}`),
  )
}

/** What is thrown about a file names it. */
function namedError(error: unknown, name: string): unknown {
  if (!(error instanceof UnreadableFile)) return error
  return new CommandFailed(error.message.replace(/^row \d+/, `$& of ${name}`))
}

const pieceBytes = 64 * 1024

/** A stream of the handle would close it when it is not read to its end. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(pieceBytes), 0, pieceBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The header comes first. `onPiece` gets the bytes. Throws CommandFailed when there is none, or they are not CSV. */
export async function* readRows(
  { name, read }: Source,
  delimiter: string,
  onPiece: (piece: Uint8Array) => void = () => {},
): AsyncGenerator<NumberedRow> {
  async function* pieces() {
    for await (const piece of read()) {
      onPiece(piece)
      yield piece
    }
  }
  let isEmpty = true
  try {
    for await (const row of readCsv(pieces(), delimiter)) {
      isEmpty = false
      yield row
    }
  } catch (error) {
    throw namedError(error, name)
  }
  if (isEmpty) throw new CommandFailed(`${name} is empty`)
}

async function openNamed(file: string): Promise<FileHandle> {
  const reasons: Record<string, string> = { ENOENT: 'no such file', EISDIR: 'a directory' }
  try {
    const handle = await open(file)
    if (!(await handle.stat()).isDirectory()) return handle
    await handle.close()
    throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new CommandFailed(`${reasons[code] ?? `cannot be read (${code})`}: ${file}`)
  }
}

/** Into an unlinked file, so that nothing is left, however this process ends. */
async function spool(named: FileHandle | null): Promise<FileHandle> {
  const dir = await mkdtemp(join(tmpdir(), 'lead-import-'))
  try {
    const handle = await open(join(dir, 'rows.csv'), 'wx+', 0o600)
    await rm(dir, { recursive: true }).catch(() => {})
    const from = named === null ? process.stdin : createReadStream('', { fd: named })
    for await (const bytes of from) await handle.writeFile(bytes as Buffer)
    return handle
  } catch (error) {
    throw new CommandFailed(
      `the input cannot be stored in ${tmpdir()} (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}
