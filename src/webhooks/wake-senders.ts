// Telling the senders of webhooks that there is something to send, after it was committed. Nobody waits for it, and one
// that is lost costs a minute: the cron looks for senders that lag.
import { listLagging, notePassed, type Passed } from './store/sending.ts'

/** An invocation may ask so many objects at most; the others wait for the next minute. */
const maxWoken = 900

/** Never throws. */
export async function wakeSenders(env: Env, webhookIds: readonly string[]): Promise<void> {
  await Promise.allSettled(webhookIds.map(async (id) => env.WEBHOOK_SENDERS.getByName(id).wake(id)))
}

/**
 * What the cron does each minute: pokes the senders that may lag, and notes for all of them together how far they have
 * come, so that none has to write that after each page. Throws DatabaseUnavailable.
 */
export async function wakeLagging(env: Env): Promise<void> {
  const lagging = await listLagging(env.DB, maxWoken)
  const woken = await Promise.allSettled(
    lagging.map(async ({ webhookId, end }) => env.WEBHOOK_SENDERS.getByName(webhookId).wake(webhookId, end)),
  )
  const passed = lagging.flatMap(({ webhookId }, i): readonly Passed[] => {
    const number = woken[i]?.status === 'fulfilled' ? woken[i].value : null
    return typeof number === 'number' ? [[webhookId, number]] : []
  })
  await notePassed(env.DB, passed)
}
