// Maps the columns of a CSV file by its header. Field names match regardless of case and surrounding spaces; every other
// column goes into the lead's metadata under its header.
import {
  type Column,
  fileFields,
  generatedColumns,
  isExport,
  isIgnored,
  isOfConsent,
  isSameName,
  lacksConsentTime,
  type Meaning,
  reportColumns,
} from '../../leads/file/columns.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'

/** Throws CommandFailed when the header is ambiguous or incomplete. */
export function readHeader(cells: readonly string[], columnNames: readonly ColumnName[]): readonly Column[] {
  const headers = cells.map((cell) => cell.trim())
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
  const meaningOf = (name: string): Meaning =>
    fileFields.find((field) => field === name) ?? (isIgnored(name, isExport(names)) ? 'ignore' : 'keep')
  if (lacksConsentTime(names.map(meaningOf))) {
    throw new CommandFailed(
      `column ${names.find((name) => isOfConsent(meaningOf(name)))} is of a consent, but there is no consentGivenAt: ` +
        'add --map <header>=consentGivenAt',
    )
  }
  return names.map((name, index) => ({ header: headers[index] ?? '', name, meaning: meaningOf(name) }))
}

function nameOf(header: string, columnNames: readonly ColumnName[]): string {
  return columnNames.find((given) => isSameName(given.header, header))?.name ?? header
}

/** A known name in its own spelling; any other as it is. */
function canonical(name: string): string {
  return (
    [...fileFields, ...generatedColumns, ...reportColumns].find((known) => isSameName(known, name)) ?? name
  )
}
