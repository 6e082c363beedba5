// The numbers of rows that say no, or may say so: each that stands beside the no, in whichever column. No row of such a
// number is sent, before or after it in the file.
import { spellingsOf } from '../../../../base/ledger/suppression/spellings.ts'
import { nameSays } from '../../no/judge.ts'
import {
  asHeldBack,
  type FindNumbers,
  type FoundNumber,
  isE164,
  type NumberReading,
  type ReadNumber,
  withoutScheme,
} from '../cells/number-reading.ts'
import { type Column, isKept, saysNo } from '../columns.ts'
import { isCountryName, type SaidCountry } from '../names/country-names.ts'
import { isOtherPersons, isPhoneName } from '../names/phone-names.ts'
import { isSeen, type SeenNumbers, see } from '../tally.ts'
import { readDoNotCall } from './said-rows.ts'

export type NumberReaders = {
  readonly number?: ReadNumber | undefined
  /**
   * Of rows that say no, which are more than those that are sent, whatever is refused of others. Without one, as
   * `number`.
   */
  readonly numberOfNo?: ReadNumber | undefined
  /** All that stand in a cell beside a no. Without one, as `numberOfNo`. */
  readonly numbersOfNo?: FindNumbers | undefined
}

const isReached = ({ header, name, meaning, isInstead = false }: Column) => {
  if (meaning === 'phoneNumber' || isInstead) return true
  if (saysNo(meaning) || nameSays(header) !== null || isOtherPersons(header)) return false
  return isPhoneName(header) || isPhoneName(name)
}

const countryColumns = new WeakMap<readonly Column[], readonly number[]>()

/** What a row says of the country of its numbers, in columns that nobody has left out. */
export function saidCountry(columns: readonly Column[], cells: readonly string[]): SaidCountry {
  const isOne = ({ header, meaning }: Column) => isKept(meaning) && isCountryName(header)
  const places = countryColumns.get(columns) ?? columns.flatMap((column, at) => (isOne(column) ? [at] : []))
  countryColumns.set(columns, places)
  return places.map((at) => [columns[at]?.header ?? '', cells[at] ?? ''] as const)
}

/** Kept, because each row is read by it. */
const reached = new WeakMap<readonly Column[], readonly number[]>()

/** The columns whose numbers a no of the row is about: the phone number's, and others with a phone's name. */
function reachedPlaces(columns: readonly Column[]): readonly number[] {
  const places = reached.get(columns) ?? columns.flatMap((column, at) => (isReached(column) ? [at] : []))
  reached.set(columns, places)
  return places
}

function numbersIn(cell: string, readers: NumberReaders, said: SaidCountry): readonly FoundNumber[] {
  const { number, numberOfNo = number, numbersOfNo } = readers
  const plain = withoutScheme(cell)
  const asItIs = isE164(plain) ? [{ kind: 'ok', number: plain, country: null } as const] : []
  // Without a reader of all rows, others of it are sent as they are.
  if (number === undefined && asItIs.length > 0) return asItIs
  const reading: NumberReading | undefined = numberOfNo && asHeldBack(numberOfNo(cell, said))
  const found = numbersOfNo?.(cell, said) ?? (reading?.kind === 'ok' ? [reading] : [])
  // A number that no country has is held back all the same.
  return found.length > 0 ? found : asItIs
}

/** Of a row that says no: all numbers that stand beside it, that of the phone number first, with their cells. */
export function numbersBeside(columns: readonly Column[], cells: readonly string[], readers: NumberReaders) {
  const said = saidCountry(columns, cells)
  return reachedPlaces(columns)
    .toSorted((one, other) => rankOf(columns[one]) - rankOf(columns[other]))
    .flatMap((at) =>
      numbersIn(cells[at] ?? '', readers, said).map((found) => ({ ...found, cell: cells[at] ?? '' })),
    )
}

const rankOf = (column: Column | undefined) => (column?.meaning === 'phoneNumber' ? 0 : 1)

/** Numbers of which no row of the file is sent. `unclear`: a row may say no of them; they are not suppressed. */
export type Held = { readonly nos: SeenNumbers; readonly unclear: SeenNumbers }
export const emptyHoldList = (): Held => ({ nos: new Set(), unclear: new Set() })

/** Adds the numbers of which a row says no, or may say so. */
export function collectDoNotCall(
  { nos, unclear }: Held,
  columns: readonly Column[],
  cells: readonly string[],
  readers: NumberReaders = {},
): void {
  const said = readDoNotCall(columns, cells)
  if (said === 'no') return
  // Where cells have moved, the number may have, too.
  const isMoved = said === 'unclear' && cells.length !== columns.length
  const found = isMoved
    ? cells.flatMap((cell) => numbersIn(cell, readers, []))
    : numbersBeside(columns, cells, readers)
  for (const { number } of found) see(said === 'yes' ? nos : unclear, number)
}

/** What another row says of the number, in whichever spelling; null: nothing. */
export function saidElsewhere(number: string, { nos, unclear }: Held): 'no' | 'unclear' | null {
  if (nos.size + unclear.size === 0) return null
  const isIn = (some: SeenNumbers) => spellingsOf(number).some((spelling) => isSeen(some, spelling))
  return isIn(nos) ? 'no' : isIn(unclear) ? 'unclear' : null
}
