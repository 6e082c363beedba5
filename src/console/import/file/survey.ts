// Checks a whole file before anything is sent: counts, the problems of invalid rows, and the first rows for a preview.

import { type Check, type PreviewRow, type Problem, previewColumns, previewRows } from '../import-messages.ts'
import type { NumberedRow } from './csv-rows.ts'
import type { JudgeRow } from './judge-rows.ts'

export async function survey(
  rows: AsyncIterable<readonly NumberedRow[]>,
  judge: JudgeRow,
  shorten: (cell: string) => string,
): Promise<Check> {
  const problems: Problem[] = []
  const preview: PreviewRow[] = []
  // Stored as numbers, a third of the size of strings: 15 digits are exact.
  const seen = new Set<number>()
  let [all, repeated] = [0, 0]
  for await (const portion of rows) {
    for (const row of portion) {
      all++
      const judged = judge(row)
      const problem = 'problem' in judged ? judged.problem : null
      if (problem !== null) problems.push({ row: row.row, problem })
      else if ('phoneNumber' in judged) {
        const number = Number(judged.phoneNumber)
        if (seen.has(number)) repeated++
        seen.add(number)
      }
      if (preview.length < previewRows) {
        preview.push({ row: row.row, cells: row.cells.slice(0, previewColumns).map(shorten), problem })
      }
    }
  }
  return {
    rows: all,
    valid: all - problems.length,
    invalid: problems.length,
    repeated,
    preview,
    problems,
  }
}
