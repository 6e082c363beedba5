// What the columns of a CSV file are, by its header. Fields are found regardless of case and of spaces around; every
// column that is none goes into the lead's metadata under its header.
import { csvText } from '../../csv-cell.ts'
import { leadCsvHeader } from '../../leads/csv.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'

const fields = ['phoneNumber', 'externalId', 'scheduledFor', 'timeZone', 'priority', 'metadata']

/** What the service adds to a lead. Ignored in a CSV that it has written, and in no other: CRMs have a `status` too. */
const generated = leadCsvHeader
  .trim()
  .split(',')
  .filter((name) => !fields.includes(name))

/** What a report adds to a row. Always ignored, so that a report that was mended can be imported. */
export const reportColumns = ['importRow', 'importStatus', 'importReason', 'importLeadId']

export type Column = {
  /** As it stands in the file. */
  readonly header: string
  /** Of the field, or of the member of the metadata. */
  readonly name: string
  readonly kind: 'field' | 'metadata' | 'generated' | 'report'
}

/** Throws CommandFailed when it cannot be told what is what. */
export function readHeader(cells: readonly string[], columnNames: readonly ColumnName[]): readonly Column[] {
  const headers = cells.map((cell) => csvText(cell).trim())
  const nameless = headers.indexOf('')
  if (nameless !== -1)
    throw new CommandFailed(`column ${nameless + 1} has no header: name it, or take it out`)
  const names = headers.map((header) => canonical(nameOf(header, columnNames)))
  const lost = columnNames.find(({ header }) => !headers.some((one) => isAlike(one, header)))
  if (lost !== undefined) throw new CommandFailed(`no column ${lost.header}, but ${headers.join(' | ')}`)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new CommandFailed(`two columns are headed ${repeated}`)
  if (!names.includes('phoneNumber')) {
    throw new CommandFailed(
      `no column phoneNumber, but ${headers.join(' | ')}: add --map <header>=phoneNumber, or set --delimiter`,
    )
  }
  const isExport = names.includes('_id') && names.includes('_creationTime')
  return names.map((name, index) => ({ header: headers[index] ?? '', name, kind: kindOf(name, isExport) }))
}

function kindOf(name: string, isExport: boolean): Column['kind'] {
  if (fields.includes(name)) return 'field'
  if (reportColumns.includes(name)) return 'report'
  return isExport && generated.includes(name) ? 'generated' : 'metadata'
}

const isAlike = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function nameOf(header: string, columnNames: readonly ColumnName[]): string {
  return columnNames.find((given) => isAlike(given.header, header))?.name ?? header
}

/** As the known names are written; any other as it is. */
function canonical(name: string): string {
  return [...fields, ...generated, ...reportColumns].find((known) => isAlike(known, name)) ?? name
}
