// The CSV file of `suppression import`: a number in each row, optionally with a reason and a campaign. Other columns are
// ignored, so that the output of `suppression list --csv` can be imported, and so can the file of rows that were not added.
import { writeFile } from 'node:fs/promises'
import { judge } from '../http/reading.ts'
import { text } from '../http/schemas.ts'
import { phoneNumber } from '../leads/fields.ts'
import { isSameName } from '../leads/file/columns.ts'
import type { NumberedRow } from '../leads/file/csv-rows.ts'
import { reportLine } from '../leads/file/report-lines.ts'
import { limits } from '../limits.ts'
import { CommandFailed } from './deploy/wrangler.ts'
import { openSource, readRows } from './import/source.ts'

/** Null: the value of the command's option. */
export type Suppression = {
  readonly phoneNumber: string
  readonly campaignId: string | null
  readonly reason: string | null
}

type NumberRow = NumberedRow & Suppression
type RejectedRow = NumberedRow & { readonly phoneNumber: string; readonly message: string }

type SuppressionFile = {
  readonly headers: readonly string[]
  readonly numbers: readonly NumberRow[]
  readonly rejected: readonly RejectedRow[]
}

const columns = ['phoneNumber', 'campaignId', 'reason'] as const
const reasonText = text('reason', limits.reasonMaxChars)

/** `-` is stdin. Reads all of it before the first number is suppressed. Throws CommandFailed. */
export async function readSuppressions(file: string, delimiter: string): Promise<SuppressionFile> {
  const source = await openSource(file)
  try {
    const numbers: NumberRow[] = []
    const rejected: RejectedRow[] = []
    let header: { readonly headers: readonly string[]; readonly places: readonly number[] } | undefined
    for await (const { row, cells } of readRows(source, delimiter)) {
      if (header === undefined) {
        header = { headers: cells, places: readHeader(cells, source.name) }
        continue
      }
      const [number = '', campaignId = '', reason = ''] = header.places.map((place) =>
        (cells[place] ?? '').trim(),
      )
      const wrong = [judge(phoneNumber, number), judge(reasonText, reason)].find(({ isValid }) => !isValid)
      const one = { row, cells, phoneNumber: number }
      if (wrong?.isValid === false) rejected.push({ ...one, message: wrong.message })
      else numbers.push({ ...one, campaignId: campaignId || null, reason: reason || null })
    }
    return { headers: header?.headers ?? [], numbers, rejected }
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
