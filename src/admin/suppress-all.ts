// Suppresses any number of phone numbers, or lifts that, in portions that the store takes (D57). Where the numbers come
// from, and what the operator is told, is in commands/suppression.ts.
import { asOperator } from '../access/store/named.ts'
import type { ScopeRefusal } from '../access/store/rights.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { limits } from '../limits.ts'
import { onceUnlocked } from './database.ts'
import { hashesOf, type OfPlace, pepperMissing } from './deploy/pepper.ts'
import { CommandFailed } from './deploy/wrangler.ts'
import { removeForCompany, suppressForCompany } from './operator-store.ts'
import type { Suppression } from './suppression-file.ts'

export type SuppressionTally = {
  readonly added: number
  readonly existing: number
  readonly removedFromQueue: number
  readonly liveCalls: readonly string[]
}

export type SuppressionOutcome<One extends Suppression> = SuppressionTally & {
  /** Given before, for the same campaign. */
  readonly repeated: number
  readonly refused: readonly { readonly suppression: One; readonly message: string }[]
}

/** What can be added is, and the rest comes back. Throws CommandFailed or DatabaseUnavailable where it is all for one cause. */
export async function suppressAll<One extends Suppression>(
  db: D1Database,
  companyId: string,
  suppressions: readonly One[],
): Promise<SuppressionOutcome<One>> {
  const keyOf = ({ campaignId, phoneNumber }: One) => JSON.stringify([campaignId, phoneNumber])
  const once = [...Map.groupBy(suppressions, keyOf).values()].flatMap(([first]) => first ?? [])
  const alike = Map.groupBy(once, ({ campaignId, reason }) => JSON.stringify([campaignId, reason]))
  let tally: SuppressionTally = { added: 0, existing: 0, removedFromQueue: 0, liveCalls: [] }
  const refused: { suppression: One; message: string }[] = []
  let failure: Error | null = null
  for (const [key, group] of alike) {
    const [campaignId, reason] = JSON.parse(key) as [string | null, string | null]
    const numbers = group.map(({ phoneNumber }) => phoneNumber)
    let done = 0
    try {
      // The next statement would meet the same database.
      if (failure instanceof DatabaseUnavailable) throw failure
      await inPortions(numbers, async (phoneNumbers) => {
        const who = { companyId, ...asOperator() }
        const outcome = await onceUnlocked(() =>
          suppressForCompany(db, who, { phoneNumbers, campaignId, reason }),
        )
        if (outcome.kind === 'too_many') return false
        if (outcome.kind !== 'suppressed') throw refusalOf(outcome, companyId, campaignId)
        done += phoneNumbers.length
        tally = {
          added: tally.added + outcome.added,
          existing: tally.existing + outcome.existing,
          removedFromQueue: tally.removedFromQueue + outcome.removedFromQueue,
          liveCalls: [...tally.liveCalls, ...outcome.liveCalls],
        }
        return true
      })
    } catch (error) {
      if (!(error instanceof CommandFailed || error instanceof DatabaseUnavailable)) throw error
      failure = error
      refused.push(...group.slice(done).map((suppression) => ({ suppression, message: error.message })))
    }
  }
  const isOneCause = new Set(refused.map(({ message }) => message)).size === 1
  if (failure !== null && isOneCause && refused.length === once.length) throw failure
  return { ...tally, repeated: suppressions.length - once.length, refused }
}

/** How many were suppressed for exactly this company or campaign. Throws CommandFailed. */
export async function liftAll(
  db: D1Database,
  place: OfPlace,
  companyId: string,
  campaignId: string | null,
  numbers: readonly string[],
): Promise<number> {
  const [who, hashes] = [{ companyId, ...asOperator() }, hashesOf(place, companyId)]
  let lifted = 0
  await inPortions(numbers, async (phoneNumbers) => {
    const outcome = await removeForCompany(db, who, { phoneNumbers, campaignId }, hashes)
    if (outcome.kind === 'too_many') return false
    if (outcome.kind === 'pepper_lost') throw pepperMissing(place)
    if (outcome.kind !== 'removed') throw refusalOf(outcome, companyId, campaignId)
    lifted += outcome.removed
    return true
  })
  return lifted
}

/** `work` says false to a portion that is too large for so many campaigns: then it comes again in smaller ones. */
async function inPortions(
  repeated: readonly string[],
  work: (portion: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const numbers = [...new Set(repeated)]
  let most: number = limits.phoneNumbersPerSuppression
  for (let done = 0; done < numbers.length; ) {
    const portion = numbers.slice(done, done + most)
    if (await work(portion)) done += portion.length
    else if (portion.length > 1) most = Math.ceil(portion.length / 2)
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
