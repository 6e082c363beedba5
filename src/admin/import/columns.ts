// Maps the columns of a CSV file by its header: as --map says, by the field's own name, and else as the console
// guesses. Every other column goes into the lead's metadata under its header. What only a person can say is asked: the
// command stops.
import {
  type Column,
  fileFields,
  generatedColumns,
  heardMeanings,
  isExport,
  isIgnored,
  isKept,
  isOfConsent,
  isSameName,
  lacksConsentTime,
  type Meaning,
  plainHeader,
  reportColumns,
  saysNo,
  withInstead,
} from '../../queue/leads/file/columns.ts'
import { guessDoNotCall, guessInstead, guessMeanings } from '../../queue/leads/file/guess-columns.ts'
import { type Doubt, describeDoubt, noOfDoubt, stillOpen } from '../../queue/leads/file/held/doubt.ts'
import type { ColumnName } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'

/** False: no column is used instead. Undefined: it is guessed. */
export type OrColumn = string | false | undefined

/** Throws CommandFailed when the header is ambiguous or incomplete. */
export function readHeader(
  cells: readonly string[],
  columnNames: readonly ColumnName[],
  orColumn?: OrColumn,
): readonly Column[] {
  const headers = cells.map(plainHeader)
  const nameless = headers.indexOf('')
  if (nameless !== -1) throw new CommandFailed(`column ${nameless + 1} has no header: name it, or remove it`)
  const names = headers.map((header) => canonical(nameOf(header, columnNames)))
  for (const { header } of columnNames) placeOf(header, headers)
  const repeated = names.find((name, index) => !saysNo(name) && names.indexOf(name) !== index)
  if (repeated !== undefined) throw new CommandFailed(`two columns are named ${repeated}`)
  const isGiven = (header: string) => isNamed(header, columnNames)
  const guesses = guessMeanings(headers.map((header) => (isGiven(header) ? '' : header)))
  const ofExport = isExport(names)
  const meanings = names.map((name, index): Meaning => {
    const header = headers[index] ?? ''
    const field = [...fileFields, ...(isGiven(header) ? heardMeanings : [])].find((one) => one === name)
    if (field !== undefined) return field
    if (isIgnored(name, ofExport)) return 'ignore'
    // A name that the service refuses in metadata.
    if (isGiven(header)) return name !== header && guessDoNotCall(name) === 'doNotCall' ? 'doNotCall' : 'keep'
    const guess = guesses[index] ?? 'keep'
    return guess === 'ask' || saysNo(guess) || !names.includes(guess) ? guess : 'keep'
  })
  if (!meanings.includes('phoneNumber')) {
    throw new CommandFailed(
      `there is no column phoneNumber, only ${headers.join(' | ')}: add --map <header>=phoneNumber, or set --delimiter`,
    )
  }
  if (lacksConsentTime(meanings)) {
    throw new CommandFailed(
      `column ${names.find((_, index) => isOfConsent(meanings[index] ?? 'keep'))} is of a consent, but ` +
        `there is no consentGivenAt: ` +
        'add --map <header>=consentGivenAt',
    )
  }
  const columns = names.map((name, index) => ({
    header: headers[index] ?? '',
    name: saysNo(name) ? (headers[index] ?? '') : name,
    meaning: meanings[index] ?? 'keep',
  }))
  return withInstead(columns, insteadPlace(headers, meanings, orColumn))
}

/** Throws CommandFailed. */
function placeOf(header: string, headers: readonly string[]): number {
  const place = headers.findIndex((one) => isSameName(one, header))
  if (place !== -1) return place
  throw new CommandFailed(`there is no column ${header}, only ${headers.join(' | ')}`)
}

/** -1: none. */
function insteadPlace(headers: readonly string[], meanings: readonly Meaning[], orColumn: OrColumn): number {
  if (orColumn === false) return -1
  if (orColumn === undefined) return guessInstead(headers, meanings)
  const place = placeOf(orColumn, headers)
  if (meanings[place] !== 'phoneNumber') return place
  throw new CommandFailed(`column ${orColumn} is phoneNumber itself: name another with --or-column`)
}

/** The columns whose field was guessed, for a person to check. */
export const guessedColumns = (columns: readonly Column[]): readonly string[] =>
  columns.flatMap(({ header, name, meaning }) =>
    isKept(meaning) || meaning === 'ignore' || isSameName(name, meaning) ? [] : [`${header} is ${meaning}`],
  )

function nameOf(header: string, columnNames: readonly ColumnName[]): string {
  const name = columnNames.find((given) => isSameName(given.header, header))?.name
  return name === undefined || name === 'keep' ? header : name
}

const isNamed = (header: string, columnNames: readonly ColumnName[]) =>
  columnNames.some((given) => isSameName(given.header, header))

/** Throws CommandFailed while nobody has said what columns say that may say who must not be called. */
export function refuseDoubts(
  doubts: readonly Doubt[],
  columns: readonly Column[],
  columnNames: readonly ColumnName[],
): void {
  const meanings = columns.map(({ meaning }) => meaning)
  const open = stillOpen(doubts, meanings, (place) => isNamed(columns[place]?.header ?? '', columnNames))
  if (open.length === 0) return
  const alike = Map.groupBy(open, describeDoubt)
  const said = [...alike].map(
    ([words, some]) => `column ${some.map(({ header }) => header).join(', ')} ${words}`,
  )
  const options = open.flatMap(({ header, kind }) => [
    `--map "${header}=${noOfDoubt[kind]}"`,
    `--map "${header}=keep"`,
  ])
  throw new CommandFailed(`${said.join('; ')}: add one of`, options)
}

/** A known name in its own spelling; any other as it is. */
function canonical(name: string): string {
  return (
    [...fileFields, ...heardMeanings, ...generatedColumns, ...reportColumns].find((known) =>
      isSameName(known, name),
    ) ?? name
  )
}
