// Maps the columns of a CSV file by its header. Field names match regardless of case and surrounding spaces; every other
// column goes into the lead's metadata under its header.
import { csvText } from '../../csv-cell.ts'
import { leadCsvHeader } from '../../leads/csv.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'

const fields = ['phoneNumber', 'externalId', 'scheduledFor', 'timeZone', 'priority', 'metadata']

/** Columns that the service adds. Ignored only in a CSV file that it wrote: CRMs have a `status` too. */
const generated = leadCsvHeader
  .trim()
  .split(',')
  .filter((name) => !fields.includes(name))

/** Columns that a report adds. Always ignored, so that a corrected report can be imported. */
export const reportColumns = ['importRow', 'importStatus', 'importReason', 'importLeadId']

export type Column = {
  /** As in the file. */
  readonly header: string
  /** The field, or the member of the metadata. */
  readonly name: string
  readonly kind: 'field' | 'metadata' | 'generated' | 'report'
}

/** Throws CommandFailed when the header is ambiguous or incomplete. */
export function readHeader(cells: readonly string[], columnNames: readonly ColumnName[]): readonly Column[] {
  const headers = cells.map((cell) => csvText(cell).trim())
  const nameless = headers.indexOf('')
  if (nameless !== -1) throw new CommandFailed(`column ${nameless + 1} has no header: name it, or remove it`)
  const names = headers.map((header) => canonical(nameOf(header, columnNames)))
  const missing = columnNames.find(({ header }) => !headers.some((one) => isSameName(one, header)))
  if (missing !== undefined)
    throw new CommandFailed(`there is no column ${missing.header}, only ${headers.join(' | ')}`)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new CommandFailed(`two columns are named ${repeated}`)
  if (!names.includes('phoneNumber')) {
    throw new CommandFailed(
      `there is no column phoneNumber, only ${headers.join(' | ')}: add --map <header>=phoneNumber, or set --delimiter`,
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

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function nameOf(header: string, columnNames: readonly ColumnName[]): string {
  return columnNames.find((given) => isSameName(given.header, header))?.name ?? header
}

/** A known name in its own spelling; any other as it is. */
function canonical(name: string): string {
  return [...fields, ...generated, ...reportColumns].find((known) => isSameName(known, name)) ?? name
}
