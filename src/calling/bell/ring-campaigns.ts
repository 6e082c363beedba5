// Rings for campaigns after a commit. Clients that have left swallow a ring, so the caller looks a second later
// whether a lead can still be leased, and then rings again, for twice as many. No request waits for it.
import { scheduler } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { ring, type WaitedCampaign } from './bell-client.ts'
import { readOutlook } from './store/outlook.ts'
import { nextRingCount, ringCount } from './waiters.ts'

const secondLookMs = 1_000

/** `atMs`: not before this time. */
type Ringing = readonly [companyId: string, number: number, atMs?: number | null]

/** Each campaign is JSON of a Ringing. Never throws. */
export async function ringCampaigns(env: Env, campaigns: readonly string[]): Promise<void> {
  await Promise.allSettled(campaigns.map((text) => ringUntilLeased(env, JSON.parse(text) as Ringing)))
}

async function ringUntilLeased(env: Env, [companyId, number, atMs]: Ringing): Promise<void> {
  const campaign: WaitedCampaign = { companyId, number }
  const inMs = (atMs ?? 0) - Date.now()
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
