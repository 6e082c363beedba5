// Reports the rows that an import did not create: in a CSV file, or in lines on stderr. The file has the rows' own
// columns, so that it can be corrected and imported. It is written under a temporary name and renamed at the end.
import { stat } from 'node:fs'
import { type FileHandle, link, open, realpath, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { reportColumns } from '../../queue/leads/file/columns.ts'
import { reportLine } from '../../queue/leads/file/report-lines.ts'
import type { Tally, Verdict } from '../../queue/leads/file/tally.ts'
import { CommandFailed } from '../command-failed.ts'
import { counted, type StatusLine } from '../text/print.ts'
import type { LeadRow } from './lead-rows.ts'
import type { Progress } from './progress.ts'
import type { Source } from './source.ts'

export type JudgedRow = { readonly row: LeadRow; readonly verdict: Verdict }

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

/** `ofRows`: the total, while rows remain. */
export function tallyText(tally: Tally, ofRows?: number): string {
  const { rows, created, existing, repeated, invalid, do_not_call: held = 0 } = tally
  const done = ofRows === undefined ? counted(rows, 'row') : `${rows}/${counted(ofRows, 'row')}`
  const all = `${done}: ${created} created, ${existing} existing, ${repeated} repeated, ${invalid} invalid`
  return held === 0 ? all : `${all}, ${held} not to be called`
}

type ReportPlace = { readonly file: string; readonly mayOverwrite: boolean }

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

type ReportedImport = {
  readonly importId: string
  readonly headers: readonly string[]
  readonly delimiter: string
  readonly earlier: Progress | null
}

/** Continues the report of an earlier run, if it still exists. Throws CommandFailed. */
export async function reportInFile(
  place: ReportPlace,
  { importId, headers, delimiter, earlier }: ReportedImport,
  { log }: StatusLine,
): Promise<Report> {
  const file = `${place.file}.${importId.slice(0, 8)}.part`
  const { handle, bytes: keptBytes } = await openPart(file, earlier)
  const format = { delimiter, newline: '\r\n' }
  let bytes = keptBytes
  const write = async (text: string) => {
    bytes += (await handle.write(text, bytes)).bytesWritten
  }
  if (bytes === 0) {
    if (earlier !== null)
      log(`the report starts after row ${earlier.tally.rows + 1}: an earlier run reported the rest`)
    await write(reportLine(headers, headers, reportColumns, format))
  }
  return {
    written: () => ({ file, bytes }),
    add: async (rows) => {
      const lines = rows.flatMap(({ row, verdict: { status, reason, leadId } }) =>
        status === 'created'
          ? []
          : [reportLine(headers, row.cells, [`${row.row}`, status, reason, leadId ?? ''], format)],
      )
      if (lines.length > 0) await write(lines.join(''))
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
