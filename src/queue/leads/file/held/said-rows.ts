// Whether a row of a file says that its numbers must not be called: by its columns that say it, or in its metadata.
import { skipSpace, sourceAt } from '../../json-source.ts'
import { answerOf, hear, nameSays, valueSays } from '../../no/judge.ts'
import { judgeName } from '../../no/names.ts'
import { metadataSays } from '../../no/posted-names.ts'
import type { Column, Meaning } from '../columns.ts'
import { saidReader } from './said-cells.ts'

type Said = 'yes' | 'no' | 'unclear'
type ReadSaid = (cell: string) => Said

/** By its header, too: of "TPS", a clear yes counts alone, and of "do not call until" a date that lies ahead. */
const heardUnder =
  (header: string): ReadSaid =>
  (cell) => {
    const [heard] = hear({ [header]: cell }, { values: false })
    return heard === undefined || heard.answer === 'nothing' ? 'no' : heard.answer
  }

/** Undefined: such a column says nothing. */
const readers: Readonly<Partial<Record<Meaning, (header: string) => ReadSaid | undefined>>> = {
  doNotCall: (header) => {
    if (nameSays(header) === 'no') return heardUnder(header)
    return (cell) => {
      const answer = answerOf(cell, 'no')
      return answer === 'nothing' ? 'no' : answer
    }
  },
  keep: (header) => (judgeName(header) === 'until' ? heardUnder(header) : undefined),
  doNotCallIfNo: () => (cell) => (answerOf(cell, 'permission') === 'no' ? 'yes' : 'no'),
  doNotCallIfSaid: (header) => {
    const says = saidReader(header)
    return (cell) => (says(cell) ? 'yes' : 'no')
  },
  metadata: () => (cell) => (saysNoInJson(cell) ? 'yes' : 'no'),
}

/** The service refuses such metadata. */
function saysNoInJson(cell: string): boolean {
  try {
    const metadata: unknown = JSON.parse(cell)
    return (
      typeof metadata === 'object' &&
      metadata !== null &&
      metadataSays(metadata, sourceAt(cell, skipSpace(cell, 0))) !== null
    )
  } catch {
    return false
  }
}

/** Kept, because each row is read by them. */
const ofColumns = new WeakMap<readonly Column[], readonly { at: number; read: ReadSaid }[]>()

function readersOf(columns: readonly Column[]) {
  const known =
    ofColumns.get(columns) ??
    columns.flatMap(({ header, meaning }, at) => {
      const read = readers[meaning]?.(header)
      return read === undefined ? [] : [{ at, read }]
    })
  ofColumns.set(columns, known)
  return known
}

/** The places of columns of which a cell can say no. */
export const doNotCallColumns = (columns: readonly Column[]): readonly number[] =>
  readersOf(columns).map(({ at }) => at)

/** In a cell that has moved, a date is no answer. */
const movedReaders: typeof readers = {
  ...readers,
  doNotCall: () => (cell) => (answerOf(cell, 'maybe') === 'yes' || valueSays(cell) ? 'yes' : 'no'),
}

/** Whether cells may have moved, and a no with them: the row is longer or shorter than the header. */
export const hasMovedNo = (columns: readonly Column[], cells: readonly string[]): boolean =>
  cells.length !== columns.length &&
  columns.some(({ header, meaning }) => {
    const read = movedReaders[meaning]?.(header)
    return read !== undefined && cells.some((cell) => read(cell) === 'yes')
  })

/** One yes in several columns is enough. `unclear`: one is neither yes nor no, or a no may have moved. */
export function readDoNotCall(columns: readonly Column[], cells: readonly string[]): Said {
  let said: Said = hasMovedNo(columns, cells) ? 'unclear' : 'no'
  for (const { at, read } of readersOf(columns)) {
    const word = read(cells[at] ?? '')
    if (word === 'yes') return word
    if (word === 'unclear') said = word
  }
  return said
}
