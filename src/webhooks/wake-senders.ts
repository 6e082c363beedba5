// Wakes the senders of webhooks after entries were committed. Nobody waits for it, and a lost wake-up costs a minute:
// the cron finds senders that lag.
import type { CompanyEnv } from '../database/company-store.ts'
import { listLagging, notePassed, type Passed } from './store/sending.ts'

/** An invocation may call so many objects at most; the others wait for the next minute. */
export const maxWoken = 900

/** Never throws. */
export async function wakeSenders(env: CompanyEnv, webhookIds: readonly string[]): Promise<void> {
  await Promise.allSettled(
    webhookIds.map(async (id) => env.WEBHOOK_SENDERS.getByName(id).wake(id, null, env.storeName)),
  )
}

/**
 * Each minute the cron wakes the senders that may lag, and saves for all of them together how far they have come, so
 * that none has to write that after each page. Throws DatabaseUnavailable.
 */
export async function wakeLagging(env: CompanyEnv): Promise<void> {
  const lagging = await listLagging(env.DB, maxWoken, Date.now())
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
}
