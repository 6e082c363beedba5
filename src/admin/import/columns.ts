// Maps the columns of a CSV file by its header: as --map says, by the field's own name, and else as the console guesses. Every
// other column goes into the lead's metadata under its header.
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
  plainHeader,
  reportColumns,
} from '../../leads/file/columns.ts'
import { guessMeanings } from '../../leads/file/guess-columns.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'

/** Throws CommandFailed when the header is ambiguous or incomplete. */
export function readHeader(cells: readonly string[], columnNames: readonly ColumnName[]): readonly Column[] {
  const headers = cells.map(plainHeader)
  const nameless = headers.indexOf('')
  if (nameless !== -1) throw new CommandFailed(`column ${nameless + 1} has no header: name it, or remove it`)
  const names = headers.map((header) => canonical(nameOf(header, columnNames)))
  const missing = columnNames.find(({ header }) => !headers.some((one) => isSameName(one, header)))
  if (missing !== undefined)
    throw new CommandFailed(`there is no column ${missing.header}, only ${headers.join(' | ')}`)
  const repeated = names.find((name, index) => name !== 'doNotCall' && names.indexOf(name) !== index)
  if (repeated !== undefined) throw new CommandFailed(`two columns are named ${repeated}`)
  const isGiven = (header: string) => columnNames.some((given) => isSameName(given.header, header))
  const guesses = guessMeanings(headers.map((header) => (isGiven(header) ? '' : header)))
  refuseDoubtful(headers.filter((_, index) => guesses[index] === 'ask'))
  const ofExport = isExport(names)
  const meanings = names.map((name, index): Meaning => {
    const field = fileFields.find((one) => one === name)
    if (field !== undefined) return field
    if (isIgnored(name, ofExport)) return 'ignore'
    const guess = fileFields.find(
      (one) => one === guesses[index] && (one === 'doNotCall' || !names.includes(one)),
    )
    return (!isGiven(headers[index] ?? '') && guess) || 'keep'
  })
  if (!meanings.includes('phoneNumber')) {
    throw new CommandFailed(
      `there is no column phoneNumber, only ${headers.join(' | ')}: add --map <header>=phoneNumber, or set --delimiter`,
    )
  }
  if (lacksConsentTime(meanings)) {
    throw new CommandFailed(
      `column ${names.find((_, index) => isOfConsent(meanings[index] ?? 'keep'))} is of a consent, but there is no consentGivenAt: ` +
        'add --map <header>=consentGivenAt',
    )
  }
  return names.map((name, index) => ({
    header: headers[index] ?? '',
    name,
    meaning: meanings[index] ?? 'keep',
  }))
}

/** The columns whose field was guessed, for a person to check. */
export const guessedColumns = (columns: readonly Column[]): readonly string[] =>
  columns.flatMap(({ header, name, meaning }) =>
    meaning === 'keep' || meaning === 'ignore' || isSameName(name, meaning)
      ? []
      : [`${header} is ${meaning}`],
  )

function nameOf(header: string, columnNames: readonly ColumnName[]): string {
  const name = columnNames.find((given) => isSameName(given.header, header))?.name
  return name === undefined || name === 'keep' ? header : name
}

function refuseDoubtful(headers: readonly string[]): void {
  if (headers.length === 0) return
  const options = headers.flatMap((header) => [`--map "${header}=doNotCall"`, `--map "${header}=keep"`])
  throw new CommandFailed(
    `column ${headers.join(', ')} may say who must not be called, or be about e-mail: add one of`,
    options,
  )
}

/** A known name in its own spelling; any other as it is. */
function canonical(name: string): string {
  return (
    [...fileFields, ...generatedColumns, ...reportColumns].find((known) => isSameName(known, name)) ?? name
  )
}
