// Telling the senders of webhooks that there is something to send, after it was committed. Nobody waits for it, and one
// that is lost costs a minute: the cron looks for senders that lag.
import { listLagging, noteTold, type Passed } from './store/sending.ts'

/** An invocation may ask so many objects at most; the others wait for the next minute. */
const maxPokes = 900

/** Never throws. */
export async function pokeSenders(env: Env, webhookIds: readonly string[]): Promise<void> {
  await Promise.allSettled(webhookIds.map(async (id) => env.WEBHOOK_SENDERS.getByName(id).poke(id)))
}

/**
 * What the cron does each minute: pokes the senders that may lag, and notes for all of them together how far they have
 * come, so that none has to write that after each page. Throws DatabaseUnavailable.
 */
export async function pokeLagging(env: Env): Promise<void> {
  const lagging = await listLagging(env.DB, maxPokes)
  const poked = await Promise.allSettled(
    lagging.map(async ({ webhookId, end }) => env.WEBHOOK_SENDERS.getByName(webhookId).poke(webhookId, end)),
  )
  const passed = lagging.flatMap(({ webhookId }, i): readonly Passed[] => {
    const number = poked[i]?.status === 'fulfilled' ? poked[i].value : null
    return typeof number === 'number' ? [[webhookId, number]] : []
  })
  await noteTold(env.DB, passed)
}
