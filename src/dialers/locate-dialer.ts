// In which store the dialer of a campaign is, and what a round needs of it: a company may have moved since the last one.
import { findStoreName } from '../access/store/directory.ts'
import type { WaitedCampaign } from '../campaigns/waited-campaign.ts'
import { envOfStore } from '../database/company-env.ts'
import { DatabaseUnavailable, storeMoved } from '../database/database.ts'
import { type DialerToRun, readDialerToRun } from './store/run-dialer.ts'

type Located =
  | { readonly kind: 'here'; readonly dialer: DialerToRun }
  /** Null: in D1. */
  | { readonly kind: 'elsewhere'; readonly storeName: string | null }
  | { readonly kind: 'gone' }

/** `storeName`: where the company was last found. Throws DatabaseUnavailable. */
export async function locateDialer(
  env: Env,
  campaign: WaitedCampaign,
  storeName: string | null,
): Promise<Located> {
  let hasLeft = false
  const dialer = await readDialerToRun(envOfStore(env, storeName).DB, campaign).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailable) || error.reason !== storeMoved) throw error
    hasLeft = true
    return null
  })
  if (dialer !== null && !dialer.isElsewhere) return { kind: 'here', dialer }
  const foundIn = await findStoreName(env.DB, campaign.companyId)
  if (foundIn === storeName && hasLeft) throw new DatabaseUnavailable(storeMoved)
  return foundIn === storeName && dialer === null
    ? { kind: 'gone' }
    : { kind: 'elsewhere', storeName: foundIn }
}
