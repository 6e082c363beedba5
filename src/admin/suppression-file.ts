// The CSV file of `suppression import`: a number in each row, optionally with a reason and a campaign. Other columns
// are ignored, so that the output of `suppression list --csv` can be imported, and so can the file of rows that were
// not added.
import { writeFile } from 'node:fs/promises'
import { judge } from '../base/http/reading.ts'
import { text } from '../base/http/schemas.ts'
import { limits } from '../base/limits.ts'
import { phoneNumber } from '../queue/leads/fields.ts'
import {
  asHeldBack,
  describeCause,
  type NumberChange,
  withoutScheme,
} from '../queue/leads/file/cells/number-reading.ts'
import { isSameName } from '../queue/leads/file/columns.ts'
import type { NumberedRow } from '../queue/leads/file/csv-rows.ts'
import { type Group, openGroups } from '../queue/leads/file/groups.ts'
import { hasPlus, isLikeNumber } from '../queue/leads/file/header.ts'
import type { FileForm } from '../queue/leads/file/open/opened-file.ts'
import { reportLine } from '../queue/leads/file/report-lines.ts'
import { CommandFailed } from './command-failed.ts'
import { delimiterOf, numberReaderOf } from './import/file-form.ts'
import { openSource, readRows } from './import/source.ts'

/** Null: the value of the command's option. */
export type Suppression = {
  readonly phoneNumber: string
  readonly campaignId: string | null
  readonly reason: string | null
}

export type NumberRow = NumberedRow & Suppression
export type RejectedRow = NumberedRow & { readonly phoneNumber: string; readonly message: string }

type SuppressionFile = {
  readonly delimiter: string
  readonly headers: readonly string[]
  readonly numbers: readonly NumberRow[]
  readonly rejected: readonly RejectedRow[]
  /** How numbers were written that are sent in E.164. */
  readonly changes: readonly Group<NumberChange>[]
}

const columns = ['phoneNumber', 'campaignId', 'reason'] as const
const reasonText = text('reason', limits.reasonMaxChars)

type Form = FileForm & {
  /** Undefined: recognized from the first line. */
  readonly delimiter?: string
  /** Where national numbers are from. Undefined: only E.164 is taken. */
  readonly country?: string
  /** Changes of numbers that are not wanted. */
  readonly refuse?: readonly NumberChange[]
}

/** `-` is stdin. Reads all of it before the first number is suppressed. Throws CommandFailed. */
export async function readSuppressions(file: string, form: Form): Promise<SuppressionFile> {
  const readNumber = await numberReaderOf(form.country, form.refuse)
  const source = await openSource(file, { ...form, hidden: 'keep' })
  try {
    const delimiter = form.delimiter ?? (await delimiterOf(source))
    const numbers: NumberRow[] = []
    const rejected: RejectedRow[] = []
    const changes = openGroups<NumberChange>()
    let header: { readonly headers: readonly string[]; readonly places: readonly number[] } | undefined
    for await (const { row, cells } of readRows(source, delimiter)) {
      if (header === undefined) {
        header = { headers: cells, places: readHeader(cells, source.name) }
        continue
      }
      const [own = '', campaignId = '', reason = ''] = header.places.map((place) =>
        (cells[place] ?? '').trim(),
      )
      // The delimiter may part numbers, too.
      const beyond = cells.slice(header.headers.length).map((cell) => cell.trim())
      for (const number of [own, ...beyond.filter((cell) => hasPlus(cell) || isLikeNumber(cell))]) {
        const reading = asHeldBack(
          readNumber?.(number) ?? { kind: 'ok', number: withoutScheme(number), country: null },
        )
        const one = { row, cells, phoneNumber: number }
        if (reading.kind === 'error') {
          rejected.push({ ...one, message: describeCause(reading) })
          continue
        }
        const read = reading.number
        const wrong = [judge(phoneNumber, read), judge(reasonText, reason)].find(({ isValid }) => !isValid)
        if (wrong?.isValid === false) rejected.push({ ...one, message: wrong.message })
        else {
          if ('changed' in reading && reading.changed !== undefined)
            changes.add(reading.changed, { row, value: number, number: read })
          numbers.push({ ...one, phoneNumber: read, campaignId: campaignId || null, reason: reason || null })
        }
      }
    }
    return { delimiter, headers: header?.headers ?? [], numbers, rejected, changes: changes.all() }
  } finally {
    await source.close()
  }
}

/** Where each column is; -1: nowhere. */
function readHeader(headers: readonly string[], name: string): readonly number[] {
  const places = columns.map((column) => headers.findIndex((header) => isSameName(header, column)))
  if (places[0] === -1)
    throw new CommandFailed(
      `there is no column phoneNumber in ${name}, only ${headers.join(' | ')}: the first row is the header`,
    )
  return places
}

/** Writes the rows with their own cells and the reason into a new file next to the input; returns its path. */
export async function writeRejected(
  file: string,
  headers: readonly string[],
  rejected: readonly RejectedRow[],
  delimiter: string,
): Promise<string> {
  const format = { delimiter, newline: '\r\n' }
  const lines = rejected.map(({ row, cells, message }) =>
    reportLine(headers, cells, [`${row}`, message], format),
  )
  const header = reportLine(headers, headers, ['importRow', 'importReason'], format)
  return writeNew(file.replace(/(\.(csv|tsv|txt))?$/i, ''), header + lines.join(''))
}

/** Never overwrites the file of an earlier import. */
async function writeNew(base: string, content: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = `${base}.rejected${number === 1 ? '' : `-${number}`}.csv`
    try {
      await writeFile(path, content, { flag: 'wx' })
      return path
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw new CommandFailed(`${path} cannot be written (${code})`)
    }
  }
}
