// Which of the first steps are done, by what the API says. Pure.
import type { CampaignOverview, Key, Statistics } from '../../sdk/src/models.ts'
import { endOf } from '../settings/keys/key-words.ts'

/** A key that sends leads to the campaign, and is not the console's own. Null: to any campaign. */
export function hasWriteKey(
  keys: readonly Pick<Key, 'keyId' | 'scope' | 'campaignId' | 'revokedAt' | 'expiresAt'>[],
  ownId: string,
  campaignId: string | null,
  nowMs: number,
): boolean {
  return keys.some(
    (key) =>
      key.keyId !== ownId &&
      key.scope === 'write' &&
      endOf(key) > nowMs &&
      (campaignId === null || (key.campaignId ?? campaignId) === campaignId),
  )
}

type Counted = Pick<Statistics, 'status'> & {
  readonly series: readonly Pick<Statistics['series'][number], 'created' | 'claimed'>[]
  readonly queue: Pick<Statistics['queue'], 'leased' | 'agentsWaiting'>
}

export const hasLead = ({ status, series }: Omit<Counted, 'queue'>) =>
  Object.values(status).some((count) => count > 0) || series.some(({ created }) => created > 0)

/** One has claimed, or waits for leads now. */
export const hasAgent = ({ status, series, queue }: Counted) =>
  queue.leased > 0 ||
  (queue.agentsWaiting ?? 0) > 0 ||
  status.attempting + status.concluded > 0 ||
  series.some(({ claimed }) => claimed > 0)

/** One calls as soon as there is a lead. */
export const hasDialer = (dialer: CampaignOverview['dialer']) =>
  dialer !== null && dialer.status !== 'off' && dialer.status !== 'stopped'
