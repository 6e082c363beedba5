// Columns that say who must not be called: what they say of a row, and how its numbers come onto the list. They do before
// the first lead is sent, and no row of such a number is sent, wherever in the file it stands.
import { limits } from '../../limits.ts'
import { answerOf, valueSays } from '../no/judge.ts'
import { metadataSays } from '../no/posted-names.ts'
import type { Column, Meaning } from './columns.ts'
import { saidReader } from './held/said-cells.ts'

/** Where the numbers are suppressed; `skip`: nowhere, their rows are left out. */
export const doNotCallScopes = ['company', 'campaign', 'skip'] as const
export type DoNotCallScope = (typeof doNotCallScopes)[number]

/** Of each suppression that comes from a file. */
export const doNotCallReason = 'do-not-call column of an import'

export const saysDoNotCall = 'the row says do not call'
export const anotherSaysDoNotCall = 'another row of this number says do not call'
export const unclearDoNotCall = 'do-not-call: yes or no?'
export const anotherMaySayDoNotCall = 'another row of this number may say do not call: correct that row first'

type Said = 'yes' | 'no' | 'unclear'
type ReadSaid = (cell: string) => Said

const readers: Readonly<Partial<Record<Meaning, (header: string) => ReadSaid>>> = {
  doNotCall: () => (cell) => {
    const answer = answerOf(cell, 'no')
    return answer === 'nothing' ? 'no' : answer
  },
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
    return typeof metadata === 'object' && metadata !== null && metadataSays(metadata) !== null
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

/** Whether any row can say no. */
export const maySayNo = (columns: readonly Column[]) => readersOf(columns).length > 0

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

/** Of several columns, one yes is enough. `unclear`: one is neither yes nor no, or a no may have moved. */
export function readDoNotCall(columns: readonly Column[], cells: readonly string[]): Said {
  let said: Said = hasMovedNo(columns, cells) ? 'unclear' : 'no'
  for (const { at, read } of readersOf(columns)) {
    const word = read(cells[at] ?? '')
    if (word === 'yes') return word
    if (word === 'unclear') said = word
  }
  return said
}

/** A batch that is too large for so many campaigns is repeated in smaller ones. */
export async function inBatches(
  repeated: Iterable<string>,
  work: (batch: readonly string[]) => Promise<unknown>,
  isTooMany: (error: unknown) => boolean,
): Promise<void> {
  const numbers = [...new Set(repeated)]
  let maxNumbers: number = limits.phoneNumbersPerSuppression
  for (let done = 0; done < numbers.length; ) {
    const batch = numbers.slice(done, done + maxNumbers)
    try {
      await work(batch)
      done += batch.length
    } catch (error) {
      if (!isTooMany(error) || batch.length === 1) throw error
      maxNumbers = Math.ceil(batch.length / 2)
    }
  }
}
