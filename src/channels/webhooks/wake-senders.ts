// Wakes the senders of webhooks after entries were committed. Nobody waits for it, and a lost wake-up costs a minute:
// the cron finds senders that lag.
import type { CompanyEnv } from '../../base/database/company-store.ts'
import { listLagging, notePassed, type Passed } from './store/sending.ts'

/** An invocation may call so many objects at most; the others wait for the next minute. */
export const maxWoken = 900

/** Never throws. */
export async function wakeSenders(env: CompanyEnv, webhookIds: readonly string[]): Promise<void> {
  await Promise.allSettled(
    webhookIds.map(async (id) => env.WEBHOOK_SENDERS.getByName(id).wake(id, null, env.storeName)),
  )
}

/** What these have read may be no longer so: an erasure, or a change of the webhook. Never throws. */
export async function outdateSenders(env: CompanyEnv, webhookIds: readonly string[]): Promise<void> {
  await Promise.allSettled(webhookIds.map(async (id) => env.WEBHOOK_SENDERS.getByName(id).readAgain()))
}

/** What a sender said of its work: due since then, and not done. Null: nothing is late. */
type DueWebhook = {
  readonly webhookId: string
  readonly companyId: string
  readonly campaignNumber: number
  readonly dueSinceMs: number | null
}

/**
 * Each minute the cron wakes the senders that may lag, and saves for all of them together how far they have come, so
 * that none has to write that after each page. Every five minutes it wakes each: an alarm for what is sent again may
 * have been dropped. Throws DatabaseUnavailable.
 */
export async function wakeLagging(env: CompanyEnv): Promise<readonly DueWebhook[]> {
  // A store of its own may run once an hour only (control/companies/store/next-work.ts).
  const isAtOnce = typeof env.storeName === 'string'
  const lagging = await listLagging(env.DB, { maxWebhooks: maxWoken, isAtOnce }, Date.now())
  const woken = await Promise.allSettled(
    lagging.map(async ({ webhookId, end }) =>
      env.WEBHOOK_SENDERS.getByName(webhookId).wake(webhookId, end, env.storeName),
    ),
  )
  const passed = lagging.flatMap(({ webhookId }, i): readonly Passed[] => {
    const number = woken[i]?.status === 'fulfilled' ? woken[i].value : null
    return typeof number === 'number' ? [[webhookId, number]] : []
  })
  await notePassed(env.DB, passed)
  const asked = lagging.filter(({ isTurn }) => isTurn)
  const said = await Promise.allSettled(
    asked.map(async ({ webhookId }) => env.WEBHOOK_SENDERS.getByName(webhookId).dueSince()),
  )
  return asked.flatMap((one, i) => {
    const answer = said[i]
    return answer?.status === 'fulfilled' ? [{ ...one, dueSinceMs: answer.value }] : []
  })
}
