// What else the cron does each minute: it erases leads that their campaign keeps no longer, and forgets calls of erased leads
// that no limit counts any more. How much of that one minute does is decided here; what erasing one means, in the store.

import { campaignsWithRetention } from '../campaigns/store/retention.ts'
import { numberHashes } from '../ledger/suppression/number-hash.ts'
import { forgetOldCalls } from './store/number-memory.ts'
import { retainChunk } from './store/retain.ts'

/** Over all campaigns. What is left waits for the next minute. */
const maxChunks = 10

/** Without the pepper, leads whose numbers must be remembered are not erased, and the log says so. Throws DatabaseUnavailable. */
export async function retainByTheMinute(
  db: D1Database,
  nowMs: number,
  pepper: string | undefined,
): Promise<void> {
  await forgetOldCalls(db, nowMs)
  const hashesOf = (companyId: string) => numberHashes(pepper, companyId)
  let held = 0
  // In another order each minute, so that none waits for all before it for good.
  let campaigns = shuffled(await campaignsWithRetention(db))
  for (let chunks = 0; campaigns.length > 0 && chunks < maxChunks; ) {
    const again: number[] = []
    for (const campaign of campaigns.slice(0, maxChunks - chunks)) {
      chunks++
      const retained = await retainChunk(db, campaign, nowMs, hashesOf)
      held += retained.held
      if (retained.hasErased) again.push(campaign)
    }
    campaigns = again
  }
  if (held > 0) console.error({ event: 'retention_held', fault: pepperFault, leads: held })
}

const pepperFault = 'SUPPRESSION_PEPPER is missing, or not the one that numbers were suppressed with'

const shuffled = <Value>(values: readonly Value[]) =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
