// The lines of a report about rows of a CSV file: in the file's own format, with the rows' own cells, so that it can be
// corrected and imported.
import { csvCellForPeople } from '../../../base/csv-cell.ts'
import { isAdded } from './columns.ts'
import type { Format } from './csv-rows.ts'

/**
 * A row with what the report adds to it; of the headers themselves, the header. What an earlier report added is
 * replaced.
 */
export function reportLine(
  headers: readonly string[],
  cells: readonly string[],
  added: readonly string[],
  { delimiter, newline }: Format,
): string {
  const own = headers.flatMap((header, index) => (isAdded(header) ? [] : [cells[index] ?? '']))
  // Extra cells stay behind the header's columns: nothing of the row is lost, and it does not look corrected.
  const line = [...own, ...added, ...cells.slice(headers.length)]
  return line.map((cell) => cellOf(cell, delimiter)).join(delimiter) + newline
}

function cellOf(text: string, delimiter: string): string {
  const cell = csvCellForPeople(text)
  return cell.includes(delimiter) && !cell.startsWith('"') ? `"${cell}"` : cell
}
