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
  /**
   * Resolves when the starts are answered, or have taken so long that live calls must not wait for them: they go on then,
   * and another round follows their answers.
   */
  readonly waitForStarts: (starts: Promise<unknown>) => Promise<void>
}

export function accessOf({ dialer, campaign, now }: Run) {
  const { keyId } = dialer
  return { keyId, companyId: campaign.companyId, actor: keyId, requestId: null, nowMs: now() }
}
