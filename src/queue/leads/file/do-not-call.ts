// What becomes of rows that say no: in which words that is said, and how their numbers come onto the list, before the
// first lead is sent. Which rows say it is in held/said-rows.ts, which is large by the judge's words.
import { limits } from '../../../base/limits.ts'

/** Where the numbers are suppressed; `skip`: nowhere, their rows are left out. */
export const doNotCallScopes = ['company', 'campaign', 'skip'] as const
export type DoNotCallScope = (typeof doNotCallScopes)[number]

/** The reason of each suppression that comes from a file. */
export const doNotCallReason = 'do-not-call column of an import'

export const saysDoNotCall = 'the row says do not call'
export const anotherSaysDoNotCall = 'another row of this number says do not call'
export const unclearDoNotCall = 'do-not-call: yes or no?'
export const anotherMaySayDoNotCall = 'another row of this number may say do not call: correct that row first'

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
