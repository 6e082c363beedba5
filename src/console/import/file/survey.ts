// Checks a whole file before anything is sent: counts, the problems of invalid rows (each, and by cause), and the first rows for a preview.
import type { NumberedRow } from '../../../leads/file/csv-rows.ts'
import { openGroups } from '../../../leads/file/groups.ts'
import { see } from '../../../leads/file/tally.ts'
import { type Check, type PreviewRow, type Problem, previewColumns, previewRows } from '../import-messages.ts'
import type { JudgeRow } from './judge-rows.ts'

export async function survey(
  all: AsyncIterable<NumberedRow>,
  judge: JudgeRow,
  shorten: (cell: string) => string,
): Promise<Check> {
  const problems: Problem[] = []
  const causes = openGroups<string>()
  const preview: PreviewRow[] = []
  const seen = new Set<number>()
  let [rows, repeated] = [0, 0]
  for await (const one of all) {
    rows++
    const { row, cells } = one
    const judged = judge(one)
    const problem = 'problem' in judged ? judged.problem : null
    if (problem !== null) {
      problems.push({ row, problem })
      causes.add(problem, { row, value: shorten(judged.phoneNumber) })
    } else if (see(seen, judged.phoneNumber)) repeated++
    if (preview.length < previewRows)
      preview.push({ row, cells: cells.slice(0, previewColumns).map(shorten), problem })
  }
  const invalid = problems.length
  return { rows, valid: rows - invalid, invalid, repeated, preview, problems, causes: causes.all() }
}
