// One Durable Object for each webhook: its cursor in the log of its company, what failed and is tried again, and what was
// delivered. It is poked when something was logged, and by the minute's cron when it lags.
import { DurableObject } from 'cloudflare:workers'

export class WebhookSender extends DurableObject<Env> {
  /** Something may be there to send. */
  async poke(_webhookId: string): Promise<void> {}
}
