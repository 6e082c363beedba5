// The rows that were not imported, as a CSV file with their own cells and the reason, written as the file that they came
// in, to be mended and imported again: a later import ignores the columns that are added here.

import { csvCellOf, textOfCell } from '../../ui/csv-cell.ts'
import type { Form, NumberedRow } from './csv-rows.ts'
import type { JudgeRow } from './judge-rows.ts'

/** `refused`: what the service refused, by row. */
export async function rejectedFile(
  headers: readonly string[],
  rows: AsyncIterable<readonly NumberedRow[]>,
  judge: JudgeRow,
  refused: ReadonlyMap<number, string>,
  { delimiter, newline }: Form,
): Promise<Blob> {
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => csvCellOf(textOfCell(cell))).join(delimiter)}${newline}`
  const kept = headers.map((header, index) => ({ header, index })).filter(({ header }) => !isAdded(header))
  const parts: string[] = [line([...kept.map(({ header }) => header), 'importRow', 'importReason'])]
  for await (const portion of rows) {
    for (const row of portion) {
      const judged = judge(row)
      const problem = 'problem' in judged ? judged.problem : refused.get(row.row)
      if (problem === undefined) continue
      // A row with too many cells keeps them all, behind the reason.
      const cells = kept.map(({ index }) => row.cells[index] ?? '')
      parts.push(line([...cells, String(row.row), problem, ...row.cells.slice(headers.length)]))
    }
  }
  // Spreadsheets take a file for UTF-8 by its mark.
  return new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })
}

const isAdded = (header: string) => /^import(Row|Status|Reason|LeadId)$/i.test(header.trim())
