// Suppresses any number of phone numbers, or removes suppressions, in batches that the store accepts. The numbers, and the
// output, are in commands/suppression.ts.
import { asOperator } from '../access/store/named.ts'
import type { ScopeRefusal } from '../access/store/rights.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { limits } from '../limits.ts'
import { onceUnlocked } from './database.ts'
import { hashesOf, type OfPlace, pepperMissing } from './deploy/pepper.ts'
import { CommandFailed } from './deploy/wrangler.ts'
import { removeSuppressionsForCompany, suppressForCompany } from './operator-store.ts'
import type { Suppression } from './suppression-file.ts'

export type SuppressionTally = {
  readonly added: number
  readonly existing: number
  readonly removedFromQueue: number
  readonly liveCalls: readonly string[]
}

export type SuppressionResult<One extends Suppression> = SuppressionTally & {
  /** In the input more than once, for the same campaign. */
  readonly repeated: number
  readonly failed: readonly { readonly suppression: One; readonly message: string }[]
}

/** Adds what it can, and returns the rest. Throws CommandFailed or DatabaseUnavailable when all fail for one cause. */
export async function suppressAll<One extends Suppression>(
  db: D1Database,
  companyId: string,
  suppressions: readonly One[],
): Promise<SuppressionResult<One>> {
  const keyOf = ({ campaignId, phoneNumber }: One) => JSON.stringify([campaignId, phoneNumber])
  const once = [...Map.groupBy(suppressions, keyOf).values()].flatMap(([first]) => first ?? [])
  const alike = Map.groupBy(once, ({ campaignId, reason }) => JSON.stringify([campaignId, reason]))
  let tally: SuppressionTally = { added: 0, existing: 0, removedFromQueue: 0, liveCalls: [] }
  const failed: { suppression: One; message: string }[] = []
  let lastError: Error | null = null
  for (const [key, group] of alike) {
    const [campaignId, reason] = JSON.parse(key) as [string | null, string | null]
    const numbers = group.map(({ phoneNumber }) => phoneNumber)
    let done = 0
    try {
      // The next statement would fail too.
      if (lastError instanceof DatabaseUnavailable) throw lastError
      await inBatches(numbers, async (phoneNumbers) => {
        const who = { companyId, ...asOperator() }
        const result = await onceUnlocked(() =>
          suppressForCompany(db, who, { phoneNumbers, campaignId, reason }),
        )
        if (result.kind === 'too_many') return false
        if (result.kind !== 'suppressed') throw refusalOf(result, companyId, campaignId)
        done += phoneNumbers.length
        tally = {
          added: tally.added + result.added,
          existing: tally.existing + result.existing,
          removedFromQueue: tally.removedFromQueue + result.removedFromQueue,
          liveCalls: [...tally.liveCalls, ...result.liveCalls],
        }
        return true
      })
    } catch (error) {
      if (!(error instanceof CommandFailed || error instanceof DatabaseUnavailable)) throw error
      lastError = error
      failed.push(...group.slice(done).map((suppression) => ({ suppression, message: error.message })))
    }
  }
  const isOneCause = new Set(failed.map(({ message }) => message)).size === 1
  if (lastError !== null && isOneCause && failed.length === once.length) throw lastError
  return { ...tally, repeated: suppressions.length - once.length, failed }
}

/** Returns how many were suppressed for exactly this company or campaign. Throws CommandFailed. */
export async function removeAll(
  db: D1Database,
  place: OfPlace,
  companyId: string,
  campaignId: string | null,
  numbers: readonly string[],
): Promise<number> {
  const [who, hashes] = [{ companyId, ...asOperator() }, hashesOf(place, companyId)]
  let removed = 0
  await inBatches(numbers, async (phoneNumbers) => {
    const result = await removeSuppressionsForCompany(db, who, { phoneNumbers, campaignId }, hashes)
    if (result.kind === 'too_many') return false
    if (result.kind === 'pepper_lost') throw pepperMissing(place)
    if (result.kind !== 'removed') throw refusalOf(result, companyId, campaignId)
    removed += result.removed
    return true
  })
  return removed
}

/** `work` returns false for a batch that is too large for so many campaigns: it is repeated in smaller ones. */
async function inBatches(
  repeated: readonly string[],
  work: (batch: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const numbers = [...new Set(repeated)]
  let maxNumbers: number = limits.phoneNumbersPerSuppression
  for (let done = 0; done < numbers.length; ) {
    const batch = numbers.slice(done, done + maxNumbers)
    if (await work(batch)) done += batch.length
    else if (batch.length > 1) maxNumbers = Math.ceil(batch.length / 2)
    else throw new CommandFailed('the company has too many campaigns: add --campaign')
  }
}

export function refusalOf(
  { kind }: ScopeRefusal,
  companyId: string,
  campaignId: string | null,
): CommandFailed {
  if (kind === 'key_refused') return new CommandFailed(`unknown company: ${companyId}`)
  return new CommandFailed(`unknown campaign of company ${companyId}: ${campaignId}`)
}
