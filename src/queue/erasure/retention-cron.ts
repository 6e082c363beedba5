// The cron's part of erasure: each minute it erases leads whose retention has ended, and deletes remembered calls that
// no limit counts any more. How much one minute does is decided here, what erasing means in the store.

import { numberHashes } from '../../base/ledger/suppression/number-hash.ts'
import { campaignsWithRetention } from '../campaigns/store/minute-cursors.ts'
import { pauseFor } from '../leads/store/search-index.ts'
import { forgetOldCalls } from './store/number-memory.ts'
import { retainChunk } from './store/retain.ts'

/**
 * Over all campaigns; the rest waits for the next minute. A chunk in which leads are erased counts once, one that is
 * only looked through, and has ten times as many leads, five times.
 */
const effortPerMinute = 50
const effortOf = (hasErased: boolean) => (hasErased ? 1 : 5)

/**
 * A part of a round through the campaigns' final leads. Returns the campaigns that are left of the round, for `left` of
 * the next part; none given: a round begins. Without the pepper, leads whose numbers must be remembered are kept, and
 * that is logged. Throws DatabaseUnavailable.
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
  const all = await campaignsWithRetention(db)
  let campaigns = left.length === 0 ? all : all.filter((campaign) => left.includes(campaign))
  for (let effort = 0; effort < effortPerMinute; ) {
    const [campaign, ...others] = campaigns
    if (campaign === undefined) break
    const beganAtMs = Date.now()
    const retained = await retainChunk(db, campaign, nowMs, hashesOf)
    effort += effortOf(retained.hasErased)
    held += retained.held
    campaigns = retained.hasErased ? [...others, campaign] : others
    midway[retained.isMidway ? 'add' : 'delete'](campaign)
    if (retained.hasErased) await pauseFor(Date.now() - beganAtMs)
  }
  if (held > 0) console.error({ event: 'retention_held', problem: pepperProblem, leads: held })
  return [...new Set([...midway, ...campaigns])]
}

const pepperProblem = 'SUPPRESSION_PEPPER is missing, or not the one that numbers were suppressed with'
