// The rows that were not imported, as a CSV file in the format of the original, with the reason of each. It can be
// corrected and imported again: a later import ignores the columns that are added here.
import type { Format, NumberedRow } from '../../../queue/leads/file/csv-rows.ts'
import { reportLine } from '../../../queue/leads/file/report-lines.ts'
import { csvFile } from '../../ui/text-file.ts'
import type { JudgeRow } from './judge-rows.ts'

/** `fromService`: problems that the service found, by row. */
export async function invalidRowsFile(
  headers: readonly string[],
  rows: AsyncIterable<NumberedRow>,
  judge: JudgeRow,
  fromService: ReadonlyMap<number, string>,
  format: Format,
): Promise<Blob> {
  const lines = [reportLine(headers, headers, ['importRow', 'importReason'], format)]
  for await (const row of rows) {
    const judged = judge(row)
    if ('problem' in judged && judged.no != null) continue
    const problem = 'problem' in judged ? judged.problem : fromService.get(row.row)
    if (problem !== undefined) lines.push(reportLine(headers, row.cells, [`${row.row}`, problem], format))
  }
  return csvFile(lines)
}
