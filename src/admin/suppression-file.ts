// The CSV file of `suppression import`: a number in each row, optionally with a reason and a campaign. Other columns are
// ignored, so that the output of `suppression list --csv` can be imported, and so can the file of rows that were not added.
import { writeFile } from 'node:fs/promises'
import { csvCell, csvText } from '../csv-cell.ts'
import { judge } from '../http/reading.ts'
import { text } from '../http/schemas.ts'
import { phoneNumber } from '../leads/fields.ts'
import { limits } from '../limits.ts'
import { CommandFailed } from './deploy/wrangler.ts'
import { reportColumns } from './import/columns.ts'
import { readRecords } from './import/csv.ts'
import { openSource } from './import/source.ts'

/** Null: the value of the command's option. */
export type Suppression = {
  readonly phoneNumber: string
  readonly campaignId: string | null
  readonly reason: string | null
}

/** As in the file; `row` as a spreadsheet numbers it. */
export type NumberRow = Suppression & { readonly row: number; readonly cells: readonly string[] }

export type RejectedRow = Pick<NumberRow, 'row' | 'cells' | 'phoneNumber'> & { readonly message: string }

export type SuppressionFile = {
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
    for await (const { cells: escaped, row } of readRecords(source.read(), source.name, delimiter)) {
      const cells = escaped.map(csvText)
      if (header === undefined) {
        header = { headers: cells, places: readHeader(cells, source.name) }
        continue
      }
      const [number = '', campaignId = '', reason = ''] = header.places.map((place) =>
        (cells[place] ?? '').trim(),
      )
      const readings = [judge(phoneNumber, number), judge(reasonText, reason)]
      const wrong = readings.find((reading) => !reading.isValid)
      if (wrong !== undefined && !wrong.isValid)
        rejected.push({ row, cells, phoneNumber: number, message: wrong.message })
      else
        numbers.push({
          row,
          cells,
          phoneNumber: number,
          campaignId: campaignId || null,
          reason: reason || null,
        })
    }
    if (header === undefined) throw new CommandFailed(`${source.name} is empty`)
    return { headers: header.headers, numbers, rejected }
  } finally {
    await source.close()
  }
}

/** Where each column is; -1: nowhere. */
function readHeader(headers: readonly string[], name: string): readonly number[] {
  const places = columns.map((column) =>
    headers.findIndex((header) => header.trim().toLowerCase() === column.toLowerCase()),
  )
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
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => cellOf(cell, delimiter)).join(delimiter)}\r\n`
  const kept = [...headers.keys()].filter((place) => !reportColumns.includes((headers[place] ?? '').trim()))
  const lines = [
    line([...kept.map((place) => headers[place] ?? ''), 'importRow', 'importReason']),
    ...rejected.map(({ row, cells, message }) =>
      // Extra cells stay behind the header's columns.
      line([...kept.map((place) => cells[place] ?? ''), `${row}`, message, ...cells.slice(headers.length)]),
    ),
  ]
  return writeNew(file.replace(/(\.(csv|tsv|txt))?$/i, ''), lines.join(''))
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

function cellOf(cell: string, delimiter: string): string {
  // A phone number keeps its + without an apostrophe.
  if (/^\+\d+$/.test(cell)) return cell
  const text = csvCell(cell)
  return text.includes(delimiter) && !text.startsWith('"') ? `"${text}"` : text
}
