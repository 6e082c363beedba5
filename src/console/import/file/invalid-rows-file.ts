// The rows that were not imported, as a CSV file in the format of the original, with the reason of each. It can be corrected
// and imported again: a later import ignores the columns that are added here.

import { csvCell, csvText } from '../../../csv-cell.ts'
import type { Format, NumberedRow } from './csv-rows.ts'
import type { JudgeRow } from './judge-rows.ts'

/** `fromService`: problems that the service found, by row. */
export async function invalidRowsFile(
  headers: readonly string[],
  rows: AsyncIterable<readonly NumberedRow[]>,
  judge: JudgeRow,
  fromService: ReadonlyMap<number, string>,
  { delimiter, newline }: Format,
): Promise<Blob> {
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => csvCell(csvText(cell))).join(delimiter)}${newline}`
  const kept = headers.map((header, index) => ({ header, index })).filter(({ header }) => !isAdded(header))
  const parts: string[] = [line([...kept.map(({ header }) => header), 'importRow', 'importReason'])]
  for await (const portion of rows) {
    for (const row of portion) {
      const judged = judge(row)
      const problem = 'problem' in judged ? judged.problem : fromService.get(row.row)
      if (problem === undefined) continue
      // A row with too many cells keeps them all, after the reason.
      const cells = kept.map(({ index }) => row.cells[index] ?? '')
      parts.push(line([...cells, String(row.row), problem, ...row.cells.slice(headers.length)]))
    }
  }
  // Spreadsheets recognize UTF-8 by the byte order mark.
  return new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })
}

const isAdded = (header: string) => /^import(Row|Status|Reason|LeadId)$/i.test(header.trim())
