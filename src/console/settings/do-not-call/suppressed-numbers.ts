// Adds many do-not-call numbers, in requests that are small enough for the API.
import type { NumbersSuppressed } from '../../../sdk/src/models.ts'
import type { Ask } from '../../service/answer.ts'

export const numbersPerRequest = 1000

/** `left`: the numbers from the first failed request on, and why. They can be sent again safely. */
export type Added = Pick<NumbersSuppressed, 'added' | 'existing'> & {
  readonly left: readonly string[]
  readonly error: string | null
}

export async function addNumbers(
  ask: Ask,
  numbers: readonly string[],
  target: { readonly campaignId?: string },
): Promise<Added> {
  let [added, existing, most] = [0, 0, numbersPerRequest]
  for (let done = 0; done < numbers.length; ) {
    const phoneNumbers = numbers.slice(done, done + most)
    const body = { phoneNumbers, reason: 'console', ...target }
    const { status, data, error } = await ask<NumbersSuppressed>('POST', '/suppressions', { body })
    if (data !== null) {
      added += data.added
      existing += data.existing
      done += phoneNumbers.length
      // A company with many campaigns may add fewer at once.
    } else if (status === 400 && phoneNumbers.length > 1) most = Math.ceil(phoneNumbers.length / 2)
    else return { added, existing, left: numbers.slice(done), error }
  }
  return { added, existing, left: [], error: null }
}
