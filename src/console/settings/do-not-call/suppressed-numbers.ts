// Adds many do-not-call numbers, in requests that are small enough for the API.

import { limits } from '../../../base/limits.ts'
import type { NumbersSuppressed } from '../../../sdk/src/models.ts'
import { settle } from '../../service/answer.ts'
import type { Client } from '../../service/client.ts'

/** `left`: the numbers from the first failed request on, and why. They can be sent again safely. */
export type Added = Pick<NumbersSuppressed, 'added' | 'existing'> & {
  readonly left: readonly string[]
  readonly error: string | null
}

export async function addNumbers(
  client: Client,
  numbers: readonly string[],
  target: { readonly campaignId?: string },
): Promise<Added> {
  let [added, existing] = [0, 0]
  let most: number = limits.phoneNumbersPerSuppression
  for (let done = 0; done < numbers.length; ) {
    const phoneNumbers = numbers.slice(done, done + most)
    const { status, data, error } = await settle(
      client.suppressions.add({ phoneNumbers, reason: 'console', ...target }),
    )
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
