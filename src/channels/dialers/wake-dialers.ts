// Wakes the dialers of campaigns in which a lead may have become callable. Nobody waits for it, and a lost wake-up
// costs a minute.

import type { CompanyEnv } from '../../base/database/company-store.ts'
import { readNotice, type WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'
import { maxWoken } from '../webhooks/wake-senders.ts'
import { listWorking } from './store/run-dialer.ts'
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

/** Wakes the dialers of these campaigns, except `except`, which acts itself. Never throws. */
export async function wakeDialers(
  env: CompanyEnv,
  notices: readonly string[],
  except: number | null = null,
): Promise<void> {
  const found = notices.map(readNotice).filter(({ hasDialer, number }) => hasDialer && number !== except)
  await wakeAll(
    env,
    found.map(({ companyId, number }) => ({ companyId, number })),
  )
}

/** Each minute. Throws DatabaseUnavailable. */
export async function wakeWorking(env: CompanyEnv): Promise<readonly DueDialer[]> {
  await forgetLostTests(env.DB, Date.now())
  return wakeAll(env, await listWorking(env.DB, maxWoken, Date.now()))
}
