// Suppresses any number of phone numbers, in batches that the service accepts. The numbers, and the
// output, are in commands/suppression.ts.
import { inBatches } from '../queue/leads/file/do-not-call.ts'
import { InvalidFieldError, LeadIntakeError } from '../sdk/src/lead-intake.ts'
import { CommandFailed } from './command-failed.ts'
import { describeError, type Service } from './service.ts'
import type { Suppression } from './suppression-file.ts'

type SuppressionTally = {
  readonly added: number
  readonly existing: number
  readonly removedFromQueue: number
  readonly liveCalls: readonly string[]
}

type SuppressionResult<One extends Suppression> = SuppressionTally & {
  /** In the input more than once, for the same campaign. */
  readonly repeated: number
  readonly failed: readonly { readonly suppression: One; readonly message: string }[]
}

/** Numbers for so many campaigns. */
export const isTooMany = (error: unknown) =>
  error instanceof InvalidFieldError && error.field === 'phoneNumbers'

/** The first of several for the same number and campaign. */
export function onceOf<One extends Suppression>(suppressions: readonly One[]): readonly One[] {
  const keyOf = ({ campaignId, phoneNumber }: One) => JSON.stringify([campaignId, phoneNumber])
  return [...Map.groupBy(suppressions, keyOf).values()].flatMap(([first]) => first ?? [])
}

/** Adds what it can, and returns the rest. Throws LeadIntakeError when all fail for one cause. */
export async function suppressAll<One extends Suppression>(
  { client, url }: Service,
  suppressions: readonly One[],
): Promise<SuppressionResult<One>> {
  const once = onceOf(suppressions)
  const alike = Map.groupBy(once, ({ campaignId, reason }) => JSON.stringify([campaignId, reason]))
  let tally: SuppressionTally = { added: 0, existing: 0, removedFromQueue: 0, liveCalls: [] }
  const failed: { suppression: One; message: string }[] = []
  let lastError: LeadIntakeError | null = null
  for (const [key, group] of alike) {
    const [campaignId, reason] = JSON.parse(key) as [string | null, string | null]
    const numbers = group.map(({ phoneNumber }) => phoneNumber)
    let done = 0
    try {
      // The next request would fail too.
      if (lastError !== null && (lastError.status === 0 || lastError.status >= 500)) throw lastError
      const add = async (phoneNumbers: readonly string[]) => {
        const result = await client.suppressions.add({ phoneNumbers: [...phoneNumbers], campaignId, reason })
        done += phoneNumbers.length
        tally = {
          added: tally.added + result.added,
          existing: tally.existing + result.existing,
          removedFromQueue: tally.removedFromQueue + result.removedFromQueue,
          liveCalls: [...tally.liveCalls, ...result.liveCalls],
        }
      }
      await inBatches(numbers, add, isTooMany)
    } catch (error) {
      if (isTooMany(error)) throw new CommandFailed('the company has too many campaigns: add --campaign')
      if (!(error instanceof LeadIntakeError)) throw error
      lastError = error
      const message = describeError(url, error)
      failed.push(...group.slice(done).map((suppression) => ({ suppression, message })))
    }
  }
  const isOneCause = new Set(failed.map(({ message }) => message)).size === 1
  if (lastError !== null && isOneCause && failed.length === once.length) throw lastError
  return { ...tally, repeated: suppressions.length - once.length, failed }
}
