// Telling the senders of webhooks that there is something to send, after it was committed. Nobody waits for it, and one
// that is lost costs a minute: the cron looks for senders that lag.
import { listLagging } from './store/sending.ts'

/** An invocation may ask so many objects at most; the others wait for the next minute. */
const maxPokes = 900

/** Never throws. */
export async function pokeSenders(env: Env, webhookIds: readonly string[]): Promise<void> {
  await Promise.allSettled(webhookIds.map(async (id) => env.WEBHOOK_SENDERS.getByName(id).poke(id)))
}

/** What the cron does each minute. Throws DatabaseUnavailable. */
export async function pokeLagging(env: Env): Promise<void> {
  await pokeSenders(env, await listLagging(env.DB, maxPokes))
}
