// The columns of which a person has to say whether they say who must not be called: the header may be about e-mail, or asks
// whether one may be called, or cells say it for themselves. Found in the whole file, whatever its columns are used for.
import { answerOf, nameSays } from '../../no/judge.ts'
import { type HeardMeaning, isAdded, type Meaning, plainHeader } from '../columns.ts'
import { type GroupedRow, openGroups } from '../groups.ts'
import { saidReader } from './said-cells.ts'

type DoubtKind = 'maybe' | 'permission' | 'value'

export type Doubt = {
  /** Of the column. */
  readonly place: number
  readonly header: string
  readonly kind: DoubtKind
  /** Of the cells that would count as a no. */
  readonly count: number
  readonly first: readonly GroupedRow[]
}

/** What the column is, if the cells count. */
export const noOfDoubt: Readonly<Record<DoubtKind, 'doNotCall' | HeardMeaning>> = {
  maybe: 'doNotCall',
  permission: 'doNotCallIfNo',
  value: 'doNotCallIfSaid',
}

/** What is said of one, as a sentence after the column's name. */
export function describeDoubt({ kind, count, first }: Doubt): string {
  const cells = count === 1 ? '1 cell says' : `${count} cells say`
  if (kind === 'maybe') return 'may say who must not be called, or be about e-mail'
  if (kind === 'permission') return `asks whether people may be called, and ${cells} no`
  return `says do not call in ${count === 1 ? '1 cell' : `${count} cells`}, such as “${first[0]?.value ?? ''}”`
}

/** Remembered of a column, so that a status that thousands of rows have is read once. */
const rememberedCells = 1_000
const shownChars = 40

export function openDoubts(headers: readonly string[]) {
  const columns = headers.flatMap((header, place) => {
    const kind = isAdded(header) ? null : kindOf(header)
    return kind === null ? [] : [{ place, kind, isNo: remembered(readerOf(kind, header)) }]
  })
  const groups = openGroups<`${number}`>()
  return {
    add(row: number, cells: readonly string[]): void {
      for (const { place, isNo } of columns) {
        const cell = cells[place] ?? ''
        if (cell !== '' && isNo(cell))
          groups.add(`${place}`, { row, value: cell.trim().slice(0, shownChars) })
      }
    },
    all(): readonly Doubt[] {
      const found = groups.all()
      return columns.flatMap(({ place, kind }) => {
        const { count = 0, first = [] } = found.find(({ name }) => name === `${place}`) ?? {}
        const header = plainHeader(headers[place] ?? '')
        return count > 0 || kind === 'maybe' ? [{ place, header, kind, count, first }] : []
      })
    },
  }
}

/** `isSaid`: whether a person has said what the column of this place is. */
export const stillOpen = (
  doubts: readonly Doubt[],
  meanings: readonly Meaning[],
  isSaid: (place: number) => boolean,
) =>
  doubts.filter(({ place, kind }) => {
    const meaning = meanings[place] ?? 'ignore'
    return !isSaid(place) && (meaning === 'ask' || (kind !== 'maybe' && ['keep', 'ignore'].includes(meaning)))
  })

function kindOf(header: string): DoubtKind | null {
  const said = nameSays(plainHeader(header))
  return said === 'no' ? null : (said ?? 'value')
}

function readerOf(kind: DoubtKind, header: string): (cell: string) => boolean {
  if (kind === 'permission') return (cell) => answerOf(cell, 'permission') === 'no'
  if (kind === 'maybe') return (cell) => ['yes', 'unclear'].includes(answerOf(cell, 'maybe'))
  return saidReader(header)
}

function remembered(read: (cell: string) => boolean): (cell: string) => boolean {
  const known = new Map<string, boolean>()
  return (cell) => {
    const before = known.get(cell)
    if (before !== undefined) return before
    const now = read(cell)
    if (known.size < rememberedCells && cell.length <= shownChars) known.set(cell, now)
    return now
  }
}
