// A CSV file as the leads of a bulk request. Which cell means what is decided here; whether a lead is valid is the
// service's to say, so a cell that cannot be read as its column's type goes there as the text that it is.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { limits } from '../../limits.ts'
import { CommandFailed } from '../wrangler.ts'

export type CsvRow = {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly row: number
  readonly phoneNumber: string
} & ({ readonly itemJson: string } | { readonly problem: string })

/** Columns that are fields of a lead. Every other one goes into its metadata, under its header. */
const fieldNames = ['phoneNumber', 'externalId', 'scheduledFor', 'priority', 'metadata']

/** Reads row by row, in bounded memory. Throws CommandFailed for a file that is not CSV. */
export async function* readCsv(file: string, delimiter: string): AsyncGenerator<CsvRow> {
  let header: readonly string[] | undefined
  for await (const { cells, row } of readRecords(file, delimiter)) {
    if (header === undefined) {
      header = cells.map((cell) => cell.trim())
      requireColumns(header)
    } else {
      yield readRow(header, cells, row)
    }
  }
  if (header === undefined) throw new CommandFailed(`${file} is empty`)
}

type Record = { readonly cells: readonly string[]; readonly row: number }

async function* readRecords(file: string, delimiter: string): AsyncGenerator<Record> {
  const parser = parse({ delimiter, bom: true, info: true, relax_column_count: true, skip_empty_lines: true })
  // An error of reading destroys the parser, and so ends the loop below.
  pipeline(createReadStream(file), parser, () => {})
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const row = info.records + info.empty_lines
      // What the decoder puts in place of bytes that are not UTF-8. Sent on, it would be in the metadata for good.
      if (record.some((cell) => cell.includes('\uFFFD'))) {
        throw new CommandFailed(`row ${row} of ${file} is not UTF-8: save it as "CSV UTF-8"`)
      }
      yield { cells: record, row }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new CommandFailed(`${file} is not CSV: ${error.message}`)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CommandFailed(`no such file: ${file}`)
    throw error
  }
}

type Parsed = {
  readonly record: readonly string[]
  readonly info: { readonly records: number; readonly empty_lines: number }
}

function requireColumns(header: readonly string[]): void {
  if (!header.includes('phoneNumber')) {
    throw new CommandFailed(`no column phoneNumber, but ${header.join(' | ')}: rename it, or set --delimiter`)
  }
  const repeated = header.find((name, index) => name !== '' && header.indexOf(name) !== index)
  if (repeated !== undefined) throw new CommandFailed(`two columns are headed ${repeated}`)
}

function readRow(header: readonly string[], cells: readonly string[], row: number): CsvRow {
  const filled = header.flatMap((name, index) => (cells[index] ? [[name, cells[index]] as const] : []))
  const fields = new Map(filled)
  const phoneNumber = fields.get('phoneNumber') ?? ''
  if (cells.length !== header.length) {
    return { row, phoneNumber, problem: `the row has ${cells.length} cells, the header ${header.length}` }
  }
  const lead = {
    phoneNumber,
    externalId: fields.get('externalId'),
    scheduledFor: fields.get('scheduledFor'),
    priority: readInteger(fields.get('priority')),
  }
  const others = filled.filter(([name]) => name !== '' && !fieldNames.includes(name))
  const metadata = mergeMetadata(fields.get('metadata'), others)
  const itemJson = JSON.stringify(lead).slice(0, -1) + (metadata === null ? '}' : `,"metadata":${metadata}}`)
  if (Buffer.byteLength(itemJson) > limits.leadBodyMaxBytes) {
    return { row, phoneNumber, problem: `the row is larger than ${limits.leadBodyMaxBytes} bytes` }
  }
  return { row, phoneNumber, itemJson }
}

function readInteger(cell: string | undefined): number | string | undefined {
  return cell !== undefined && /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell
}

/**
 * The JSON text of the column `metadata` as it stands, so that numbers keep all their digits, and behind its own
 * members those of the other columns that it does not have. Null: there is nothing.
 */
function mergeMetadata(
  cell: string | undefined,
  others: readonly (readonly [string, string])[],
): string | null {
  if (cell === undefined) return others.length === 0 ? null : JSON.stringify(Object.fromEntries(others))
  const own = parseObject(cell)
  if (own === null) return JSON.stringify(cell)
  const added = others.filter(([name]) => !Object.hasOwn(own, name))
  if (added.length === 0) return cell
  const comma = Object.keys(own).length === 0 ? '' : ','
  return `${cell.trim().slice(0, -1)}${comma}${JSON.stringify(Object.fromEntries(added)).slice(1)}`
}

function parseObject(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
