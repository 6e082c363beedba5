// The cron's part of alerts: each minute it looks at the next campaigns and at everything that fails, and raises and
// clears alerts. Each is logged once, when it is raised, and once when it is cleared.
import { scheduler } from 'node:timers/promises'
import type { CompanyEnv } from '../../base/database/company-store.ts'
import { collectNotices } from '../../base/database/notices.ts'
import { limits } from '../../base/limits.ts'
import { wakeSenders } from '../../channels/webhooks/wake-senders.ts'
import { judgeCampaign } from './no-agent.ts'
import { isStalled, judgeStalled, type Looked } from './stalled.ts'
import { type AlertChange, lookForAlerts, writeChanges } from './store/look.ts'
import type { WatchedCampaign } from './store/watched-campaigns.ts'

/** Judging them takes some milliseconds. Then other requests of the isolate come between. */
const lanesAtOnce = 400

/**
 * `storeBytes`: the size of a company's own store; 0: companies share D1. `looked`: what objects said of their work.
 * Throws DatabaseUnavailable.
 */
export async function alertByTheMinute(
  db: D1Database,
  nowMs: number,
  storeBytes = 0,
  looked: readonly Looked[] = [],
): Promise<void> {
  const { campaigns, toRaise, toClear, stalled } = await lookForAlerts(db, nowMs, storeBytes)
  const changes: AlertChange[] = [
    ...toRaise.map((alert) => ({ ...alert, change: 'raised' as const })),
    ...toClear.map((alert) => ({ ...alert, change: 'cleared' as const })),
    ...judgeStalled(looked, stalled, nowMs),
  ]
  let lanes = 0
  for (const campaign of campaigns) {
    changes.push(...changeOf(campaign, nowMs))
    lanes += campaign.idle?.dueLanes.length ?? 0
    if (lanes < lanesAtOnce) continue
    lanes = 0
    await scheduler.wait(0)
  }
  // Fewer than could be: those were the last ones.
  const isRound = campaigns.length < limits.campaignsPerLook
  await writeChanges(db, changes, isRound ? 0 : (campaigns.at(-1)?.campaignNumber ?? 0), nowMs)
}

/** The look by the store's own alarm clears it. Throws DatabaseUnavailable. */
export async function alertStalledStore(
  env: CompanyEnv,
  companyId: string,
  sinceMs: number,
  nowMs: number,
): Promise<void> {
  if (!isStalled(sinceMs, nowMs)) return
  const listeners = new Set<string>()
  const alert = { kind: 'store_stalled', companyId, campaignNumber: 0, subject: '', sinceMs } as const
  await writeChanges(collectNotices(env.DB, { listeners }), [{ ...alert, change: 'raised' }], null, nowMs)
  await wakeSenders(env, [...listeners])
}

function changeOf({ companyId, campaignNumber, idle, noted }: WatchedCampaign, nowMs: number): AlertChange[] {
  const alert = { kind: 'no_agent', companyId, campaignNumber, subject: '' } as const
  const found = judgeCampaign(idle, noted, nowMs)
  if (found === noted) return []
  if (found === null) return noted === null ? [] : [{ ...alert, sinceMs: noted.sinceMs, change: 'cleared' }]
  const { sinceMs, callsCounted, isRaised } = found
  return [{ ...alert, sinceMs, callsCounted, change: isRaised ? 'raised' : 'noted' }]
}
