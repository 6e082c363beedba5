// The cron's part of erasure: each minute it erases leads whose retention has ended, and deletes remembered calls that
// no limit counts any more. How much one minute does is decided here, what erasing means in the store.

import { campaignsWithRetention } from '../campaigns/store/retention-cursor.ts'
import { numberHashes } from '../ledger/suppression/number-hash.ts'
import { forgetOldCalls } from './store/number-memory.ts'
import { retainChunk } from './store/retain.ts'

/** Over all campaigns. The rest waits for the next minute. */
const maxChunks = 10

/**
 * A part of a round through the campaigns' final leads. Returns the campaigns that are left of the round, for `left` of the
 * next part; none given: a round begins. Without the pepper, leads whose numbers must be remembered are kept, and that is
 * logged. Throws DatabaseUnavailable.
 */
export async function retainByTheMinute(
  db: D1Database,
  nowMs: number,
  pepper: string | undefined,
  left: readonly number[] = [],
): Promise<readonly number[]> {
  await forgetOldCalls(db, nowMs)
  const hashesOf = (companyId: string) => numberHashes(pepper, companyId)
  const midway = new Set<number>()
  let held = 0
  // In random order, so that the last campaigns do not always wait for the first.
  const all = shuffled(await campaignsWithRetention(db))
  let campaigns = left.length === 0 ? all : all.filter((campaign) => left.includes(campaign))
  for (let chunks = 0; campaigns.length > 0 && chunks < maxChunks; ) {
    const visited = campaigns.slice(0, maxChunks - chunks)
    const unfinished = campaigns.slice(visited.length)
    for (const campaign of visited) {
      chunks++
      const retained = await retainChunk(db, campaign, nowMs, hashesOf)
      held += retained.held
      if (retained.hasErased) unfinished.push(campaign)
      midway[retained.isMidway ? 'add' : 'delete'](campaign)
    }
    campaigns = unfinished
  }
  if (held > 0) console.error({ event: 'retention_held', problem: pepperProblem, leads: held })
  return [...new Set([...midway, ...campaigns])]
}

const pepperProblem = 'SUPPRESSION_PEPPER is missing, or not the one that numbers were suppressed with'

const shuffled = <Value>(values: readonly Value[]) =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
