// A column that says who must not be called: what it says of a row, and how its numbers come onto the list. They do before
// the first lead is sent, and no row of such a number is sent, wherever in the file it stands.
import { limits } from '../../limits.ts'
import { readYesNo } from './cells/yes-no.ts'
import type { Column } from './columns.ts'

/** Where the numbers are suppressed; `skip`: nowhere, their rows are left out. */
export const doNotCallScopes = ['company', 'campaign', 'skip'] as const
export type DoNotCallScope = (typeof doNotCallScopes)[number]

/** Of each suppression that comes from a file. */
export const doNotCallReason = 'do-not-call column of an import'

export const saysDoNotCall = 'the row says do not call'
export const anotherSaysDoNotCall = 'another row of this number says do not call'
export const unclearDoNotCall = 'do-not-call: yes or no?'
export const anotherMaySayDoNotCall = 'another row of this number may say do not call: correct that row first'

/** Whether cells may have moved, and a yes with them: the row is longer or shorter than the header. */
export const hasMovedYes = (columns: readonly Column[], cells: readonly string[]) =>
  cells.length !== columns.length &&
  columns.some(({ meaning }) => meaning === 'doNotCall') &&
  cells.some((cell) => readYesNo(cell) === 'yes')

/** Of several columns, one yes is enough. `unclear`: one is neither yes nor no, or a yes may have moved. */
export function readDoNotCall(
  columns: readonly Column[],
  cells: readonly string[],
): 'yes' | 'no' | 'unclear' {
  let said: 'no' | 'unclear' = hasMovedYes(columns, cells) ? 'unclear' : 'no'
  for (const [at, { meaning }] of columns.entries()) {
    if (meaning !== 'doNotCall') continue
    const word = readYesNo(cells[at] ?? '')
    if (word === 'yes') return 'yes'
    if (word === null) said = 'unclear'
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
