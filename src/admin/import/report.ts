// Reports the rows that an import did not create: in a CSV file, or in lines on stderr. The file has the rows' own columns,
// so that it can be corrected and imported. It is written under a temporary name and renamed at the end.
import { stat } from 'node:fs'
import { type FileHandle, link, open, realpath, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { csvCell } from '../../csv-cell.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import type { StatusLine } from '../text/print.ts'
import { type Column, reportColumns } from './columns.ts'
import type { Progress } from './progress.ts'
import type { Source } from './source.ts'
import type { JudgedRow } from './verdict.ts'

export type Report = {
  /** Where it is written and how far; null for lines. */
  readonly written: () => Progress['report']
  readonly add: (rows: readonly JudgedRow[]) => Promise<void>
  /** Renames it to its final name. */
  readonly finish: () => Promise<void>
  readonly discard: () => Promise<void>
  /** In any case. A later run continues an unfinished one. */
  readonly close: () => Promise<void>
}

export function reportInLines({ log }: StatusLine): Report {
  const add = async (rows: readonly JudgedRow[]) => {
    for (const judged of rows) if (judged.verdict.status !== 'created') log(describe(judged))
  }
  const nothing = async () => {}
  return { written: () => null, add, finish: nothing, discard: nothing, close: nothing }
}

function describe({ row, verdict: { status, reason, leadId } }: JudgedRow): string {
  return `row ${row.row} ${status} ${row.phoneNumber}: ${reason}${leadId === null ? '' : ` (${leadId})`}`
}

export type ReportPlace = { readonly file: string; readonly mayOverwrite: boolean }

/** Throws CommandFailed when the report would replace the input, or a file that may not be overwritten. */
export async function findReportPlace(
  file: string,
  mayOverwrite: boolean,
  source: Source,
): Promise<ReportPlace> {
  const found = await promisify(stat)(file, { bigint: true }).catch(() => null)
  if (found === null) return { file, mayOverwrite }
  if (source.isSame(found)) throw new CommandFailed(`the report ${file} is the input`)
  if (!found.isFile()) throw new CommandFailed(`the report ${file} is not a file`)
  if (!mayOverwrite) throw new CommandFailed(`the report ${file} exists: add --overwrite, or name another`)
  // The target of a link, so that the link stays.
  return { file: await realpath(file), mayOverwrite }
}

/** Continues the report of an earlier run, if it still exists. Throws CommandFailed. */
export async function reportInFile(
  place: ReportPlace,
  importId: string,
  columns: readonly Column[],
  delimiter: string,
  earlier: Progress | null,
  { log }: StatusLine,
): Promise<Report> {
  const file = `${place.file}.${importId.slice(0, 8)}.part`
  const { handle, bytes: keptBytes } = await openPart(file, earlier)
  let bytes = keptBytes
  const write = async (text: string) => {
    bytes += (await handle.write(text, bytes)).bytesWritten
  }
  if (bytes === 0) {
    if (earlier !== null)
      log(`the report starts after row ${earlier.tally.rows + 1}: an earlier run reported the rest`)
    const own = columns.filter(({ kind }) => kind !== 'report').map(({ header }) => cellOf(header, delimiter))
    await write(`${[...own, ...reportColumns].join(delimiter)}\r\n`)
  }
  return {
    written: () => ({ file, bytes }),
    add: async (rows) => {
      const reported = rows.filter(({ verdict }) => verdict.status !== 'created')
      if (reported.length > 0) await write(reported.map((one) => lineOf(one, columns, delimiter)).join(''))
    },
    finish: async () => {
      await handle.close()
      await putInPlace(file, place)
    },
    discard: async () => {
      await handle.close()
      await rm(file, { force: true })
    },
    close: () => handle.close(),
  }
}

async function openPart(
  file: string,
  earlier: Progress | null,
): Promise<{ handle: FileHandle; bytes: number }> {
  try {
    if (earlier?.report?.file === file) {
      const handle = await open(file, 'r+').catch(() => null)
      // The rest is about rows that will be reported again.
      if (handle !== null && (await handle.stat()).size >= earlier.report.bytes) {
        await handle.truncate(earlier.report.bytes)
        return { handle, bytes: earlier.report.bytes }
      }
      await handle?.close()
    }
    return { handle: await open(file, 'w'), bytes: 0 }
  } catch (error) {
    throw new CommandFailed(`the report ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

async function putInPlace(part: string, { file, mayOverwrite }: ReportPlace): Promise<void> {
  try {
    // Unlike a rename, a link fails if the file exists by now. Not every file system has links.
    if (!mayOverwrite) await link(part, file).catch(ignoreUnlessThere)
    await rename(part, file)
    await rm(part, { force: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandFailed(`the report cannot be renamed to ${file} (${code}): it is in ${part}`)
  }
}

function ignoreUnlessThere(error: NodeJS.ErrnoException): void {
  if (error.code === 'EEXIST') throw error
}

function lineOf({ row, verdict }: JudgedRow, columns: readonly Column[], delimiter: string): string {
  const own = columns.flatMap(({ kind, name }, index) => {
    const cell = row.cells[index] ?? ''
    if (kind === 'report') return []
    // A phone number keeps its + without an apostrophe.
    return name === 'phoneNumber' && /^\+\d+$/.test(cell) ? [cell] : [cellOf(cell, delimiter)]
  })
  const { status, reason, leadId } = verdict
  const added = [String(row.row), status, cellOf(reason, delimiter), leadId ?? '']
  // Extra cells stay behind the header's columns: nothing of the row is lost, and it does not look corrected.
  const beyond = row.cells.slice(columns.length).map((cell) => cellOf(cell, delimiter))
  return `${[...own, ...added, ...beyond].join(delimiter)}\r\n`
}

function cellOf(text: string, delimiter: string): string {
  const cell = csvCell(text)
  return cell.includes(delimiter) && !cell.startsWith('"') ? `"${cell}"` : cell
}
