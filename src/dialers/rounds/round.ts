// What one round of a dialer works with.
import type { WaitedCampaign } from '../../campaigns/waited-campaign.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import type { DialerMemory } from '../dialer-memory.ts'
import type { Provider } from '../provider.ts'
import type { DialerToRun } from '../store/run-dialer.ts'

/** Requests to the provider. */
export const requestsAtOnce = 5

export type Run = {
  readonly db: D1Database
  readonly memory: DialerMemory
  readonly campaign: WaitedCampaign
  readonly dialer: DialerToRun
  readonly provider: Provider
  readonly hashes: NumberHashes
  readonly now: () => number
  /** The URL for nudges of one call. */
  readonly endUrl: (callId: string) => string | undefined
  /** The round before failed, or there was none in this life of the object. */
  readonly mustTidy: boolean
}

export function accessOf({ dialer, campaign, now }: Run) {
  const { keyId } = dialer
  return { keyId, companyId: campaign.companyId, actor: keyId, requestId: null, nowMs: now() }
}
