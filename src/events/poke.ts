// Telling the senders of webhooks that there is something to send, after it was committed. Nobody waits for it, and one
// that is lost costs a minute: the cron looks for senders that lag.

/** Never throws. */
export async function pokeSenders(env: Env, webhookIds: readonly string[]): Promise<void> {
  await Promise.allSettled(webhookIds.map((id) => env.WEBHOOK_SENDERS.getByName(id).poke(id)))
}
