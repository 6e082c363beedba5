// Converts a CSV file to the leads of a bulk request. columns.ts maps the columns; the service validates the leads, so a
// cell that does not fit its column's type is sent as text.
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { csvText } from '../../csv-cell.ts'
import { limits } from '../../limits.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { type Column, readHeader } from './columns.ts'

export type CsvForm = { readonly delimiter: string; readonly columnNames: readonly ColumnName[] }

export type CsvRow = {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly row: number
  /** As in the file, without the apostrophes that keep a spreadsheet from evaluating them. */
  readonly cells: readonly string[]
  readonly phoneNumber: string
} & ({ readonly itemJson: string } | { readonly problem: string })

type Bytes = AsyncIterable<Buffer>

/** Reads row by row, in bounded memory; calls `onHeader` first. Throws CommandFailed if it is not CSV. */
export async function* readRows(
  bytes: Bytes,
  name: string,
  { delimiter, columnNames }: CsvForm,
  onHeader: (columns: readonly Column[]) => void,
): AsyncGenerator<CsvRow> {
  let columns: readonly Column[] | undefined
  for await (const { cells, row } of readRecords(bytes, name, delimiter)) {
    if (columns === undefined) {
      columns = readHeader(cells, columnNames)
      onHeader(columns)
    } else {
      yield readRow(columns, cells.map(csvText), row)
    }
  }
  if (columns === undefined) throw new CommandFailed(`${name} is empty`)
}

type Record = { readonly cells: readonly string[]; readonly row: number }

/** The header comes first. Throws CommandFailed if it is not CSV. */
export async function* readRecords(bytes: Bytes, name: string, delimiter: string): AsyncGenerator<Record> {
  const parser = parse({ delimiter, bom: true, info: true, relax_column_count: true, skip_empty_lines: true })
  const encoding = { isUtf8: true }
  // A read error destroys the parser, which ends the loop below.
  pipeline(checked(bytes, encoding), parser, () => {})
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const row = info.records + info.empty_lines
      // The decoder's replacement for bytes that are not UTF-8. It must not get into the metadata.
      if (!encoding.isUtf8 && record.some((cell) => cell.includes('\uFFFD'))) {
        throw new CommandFailed(`row ${row} of ${name} is not UTF-8: save it as "CSV UTF-8"`)
      }
      yield { cells: record, row }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new CommandFailed(`${name} is not CSV: ${error.message}`)
    throw error
  }
}

type Parsed = {
  readonly record: readonly string[]
  readonly info: { readonly records: number; readonly empty_lines: number }
}

/** Passes the bytes on, and checks whether they are UTF-8: a lead may contain U+FFFD itself, which is valid. */
async function* checked(bytes: Bytes, encoding: { isUtf8: boolean }): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  const decode = (chunk?: Buffer) => {
    try {
      if (encoding.isUtf8) decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      encoding.isUtf8 = false
    }
  }
  for await (const chunk of bytes) {
    decode(chunk)
    yield chunk
  }
  decode()
}

function readRow(columns: readonly Column[], cells: readonly string[], row: number): CsvRow {
  const filled = columns.flatMap((column, index) => (cells[index] ? [{ ...column, cell: cells[index] }] : []))
  const fields = new Map(filled.flatMap(({ kind, name, cell }) => (kind === 'field' ? [[name, cell]] : [])))
  const phoneNumber = fields.get('phoneNumber') ?? ''
  const read = { row, cells, phoneNumber }
  if (cells.length !== columns.length) {
    return { ...read, problem: `the row has ${cells.length} cells, the header ${columns.length}` }
  }
  const lead = {
    phoneNumber,
    externalId: fields.get('externalId'),
    scheduledFor: fields.get('scheduledFor'),
    priority: readInteger(fields.get('priority')),
    timeZone: fields.get('timeZone'),
  }
  const others = filled.flatMap(({ kind, name, cell }) =>
    kind === 'metadata' ? [[name, cell] as const] : [],
  )
  const metadata = mergeMetadata(fields.get('metadata'), others)
  const itemJson = JSON.stringify(lead).slice(0, -1) + (metadata === null ? '}' : `,"metadata":${metadata}}`)
  if (Buffer.byteLength(itemJson) > limits.leadBodyMaxBytes) {
    return { ...read, problem: `the row is larger than ${limits.leadBodyMaxBytes} bytes` }
  }
  return { ...read, itemJson }
}

function readInteger(cell: string | undefined): number | string | undefined {
  return cell !== undefined && /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell
}

/**
 * The JSON text of the column `metadata` unchanged, so that numbers keep all their digits, followed by the other columns
 * that it does not have. Null: no metadata.
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
