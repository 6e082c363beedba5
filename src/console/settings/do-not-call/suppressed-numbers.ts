// Sends many numbers to be suppressed, in requests of a size that the API takes.
import type { Ask } from '../../service/api.ts'

export const numbersPerRequest = 1000

type Tally = { readonly added: number; readonly existing: number }

/** `left`: from the request on that was refused, and why. Sent again, what is there is left as it is. */
export type Added = Tally & { readonly left: readonly string[]; readonly error: string | null }

export async function addNumbers(
  ask: Ask,
  numbers: readonly string[],
  target: { readonly campaignId?: string },
): Promise<Added> {
  let [added, existing, most] = [0, 0, numbersPerRequest]
  for (let done = 0; done < numbers.length; ) {
    const phoneNumbers = numbers.slice(done, done + most)
    const body = { phoneNumbers, reason: 'console', ...target }
    const { status, data, error } = await ask<Tally>('POST', '/suppressions', { body })
    if (data !== null) {
      added += data.added
      existing += data.existing
      done += phoneNumbers.length
      // A company with many campaigns takes fewer at once.
    } else if (status === 400 && phoneNumbers.length > 1) most = Math.ceil(phoneNumbers.length / 2)
    else return { added, existing, left: numbers.slice(done), error }
  }
  return { added, existing, left: [], error: null }
}
