// Rings for campaigns after a commit. Disconnected clients consume a ring, so the caller looks a second later
// whether a lead can still be leased, and then rings again, for twice as many. No request waits for it.
import { scheduler } from 'node:timers/promises'
import { limits } from '../../../base/limits.ts'
import { readNotice, type WaitedNotice } from '../../campaigns/waited-campaign.ts'
import { ring } from './bell-client.ts'
import { readOutlook } from './store/outlook.ts'
import { nextRingCount, ringCount } from './waiters.ts'

const secondLookMs = 1_000

/** Rings for those of the notices that agents wait for. Never throws. */
export async function ringCampaigns(env: Env, notices: readonly string[]): Promise<void> {
  const waited = notices.map(readNotice).filter(({ agentsWait }) => agentsWait)
  await Promise.allSettled(waited.map((notice) => ringUntilLeased(env, notice)))
}

async function ringUntilLeased(env: Env, { fromMs, ...campaign }: WaitedNotice): Promise<void> {
  const inMs = (fromMs ?? 0) - Date.now()
  // All who wait now have left by then.
  if (inMs > limits.waitMaxSeconds * 1000) return
  if (inMs > 0) await scheduler.wait(inMs)
  for (let count: number | null = ringCount; count !== null; count = nextRingCount(count)) {
    const answer = await ring(env, campaign, count)
    if (answer === null || answer.left === 0) return
    await scheduler.wait(secondLookMs)
    const { canLease } = await readOutlook(env.DB, campaign, Date.now())
    if (!canLease) return
  }
}
