// Wakes the dialers of campaigns in which a lead may have become callable. Nobody waits for it, and a lost wake-up
// costs a minute.

import type { CompanyEnv } from '../../base/database/company-store.ts'
import { ringCampaigns } from '../../queue/calling/bell/ring-campaigns.ts'
import { readNotice, type WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'
import { maxWoken, wakeSenders } from '../webhooks/wake-senders.ts'
import { listWorking } from './store/run-dialer.ts'
import { listGates } from './store/run-gate.ts'
import { forgetLostTests } from './store/test-call.ts'

export const dialerOf = (env: Env, { companyId, number }: WaitedCampaign) =>
  env.DIALERS.getByName(`${companyId}/${number}`)

/** Since when the work of a dialer is due and not done. Null: nothing is late. */
type DueDialer = WaitedCampaign & { readonly dueSinceMs: number | null }

const wakeAll = async (
  env: CompanyEnv,
  campaigns: readonly WaitedCampaign[],
): Promise<readonly DueDialer[]> => {
  const woken = await Promise.allSettled(
    campaigns.map(async (campaign) => ({
      ...campaign,
      dueSinceMs: (await dialerOf(env, campaign).wake(campaign, env.storeName ?? null)) ?? null,
    })),
  )
  return woken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/** The gate of a campaign is an object of the same class. */
export const gateOf = (env: Env, { companyId, number }: WaitedCampaign) =>
  env.DIALERS.getByName(`${companyId}/${number}/gate`)

async function wakeGates(env: CompanyEnv, campaigns: readonly WaitedCampaign[]): Promise<void> {
  const storeName = env.storeName ?? null
  await Promise.allSettled(campaigns.map((campaign) => gateOf(env, campaign).wakeGate(campaign, storeName)))
}

/**
 * Wakes the dialers and the gates of these campaigns, except the dialer or gate of one that acts itself. Never throws.
 */
export async function wakeDialers(
  env: CompanyEnv,
  notices: readonly string[],
  exceptDialer: number | null = null,
  exceptGate: number | null = null,
): Promise<void> {
  const found = notices.map(readNotice)
  const plain = ({ companyId, number }: WaitedCampaign) => ({ companyId, number })
  const gates = found.filter(({ hasGate, number }) => hasGate && number !== exceptGate).map(plain)
  const dialers = found.filter(({ hasDialer, number }) => hasDialer && number !== exceptDialer).map(plain)
  await Promise.all([wakeGates(env, gates), wakeAll(env, dialers)])
}

/** What a commit of the object of a dialer or a gate gives notice of. No round waits for it. */
export function tellOthers(
  ctx: DurableObjectState,
  env: CompanyEnv,
  listeners: ReadonlySet<string>,
  waiting: ReadonlySet<string>,
  ...except: readonly [exceptDialer: number | null, exceptGate?: number]
): void {
  const notices = [...waiting]
  ctx.waitUntil(wakeSenders(env, [...listeners]))
  ctx.waitUntil(ringCampaigns(env, notices))
  ctx.waitUntil(wakeDialers(env, notices, ...except))
}

/** Each minute. Throws DatabaseUnavailable. */
export async function wakeWorking(env: CompanyEnv): Promise<readonly DueDialer[]> {
  await forgetLostTests(env.DB, Date.now())
  await wakeGates(env, await listGates(env.DB, maxWoken))
  return wakeAll(env, await listWorking(env.DB, maxWoken, Date.now()))
}
