// The rows of an import's file as leads, and a first reading of all of them, so that a broken file fails before any lead is
// stored.
import { createHash } from 'node:crypto'
import type { Column } from '../../leads/file/columns.ts'
import type { NumberedRow } from '../../leads/file/csv-rows.ts'
import { itemOf, type RowItem } from '../../leads/file/row-item.ts'
import { limits } from '../../limits.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { readHeader } from './columns.ts'
import { readRows, type Source } from './source.ts'

export type CsvForm = { readonly delimiter: string; readonly columnNames: readonly ColumnName[] }

export type LeadRow = NumberedRow & { readonly item: RowItem; readonly phoneNumber: string }

type Listener = {
  readonly onHeader?: (columns: readonly Column[]) => void
  readonly onPiece?: (piece: Buffer) => void
}

/** Row by row, in bounded memory. Throws CommandFailed. */
export async function* readLeads(
  source: Source,
  { delimiter, columnNames }: CsvForm,
  { onHeader = () => {}, onPiece }: Listener = {},
): AsyncGenerator<LeadRow> {
  let columns: readonly Column[] | null = null
  for await (const { row, cells } of readRows(source, delimiter, onPiece)) {
    if (columns === null) {
      columns = readHeader(cells, columnNames)
      onHeader(columns)
    } else {
      const place = columns.findIndex(({ meaning }) => meaning === 'phoneNumber')
      yield { row, cells, item: itemOf(columns, cells), phoneNumber: cells[place] ?? '' }
    }
  }
}

export type Survey = {
  readonly headers: readonly string[]
  readonly rows: number
  /** Bulk requests, about. */
  readonly requests: number
  readonly hash: string
}

/** Throws CommandFailed. */
export async function surveySource(source: Source, form: CsvForm): Promise<Survey> {
  const hash = createHash('sha256')
  let headers: readonly string[] = []
  const onHeader = (columns: readonly Column[]) => {
    headers = columns.map(({ header }) => header)
  }
  let [rows, leads, bytes] = [0, 0, 0]
  for await (const { item } of readLeads(source, form, {
    onHeader,
    onPiece: (piece) => hash.update(piece),
  })) {
    rows++
    if ('problem' in item) continue
    leads++
    bytes += Buffer.byteLength(item.json) + 1
  }
  const requests = Math.ceil(Math.max(leads / limits.leadsPerBulk, bytes / limits.bulkBodyMaxBytes))
  return { headers, rows, requests, hash: hash.digest('hex') }
}
