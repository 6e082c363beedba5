// Disables webhooks for when the API key that created them ends. Otherwise a webhook created with a leaked key would
// outlive the key.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { appendAlways } from '../../ledger/log/append.ts'
import { isSending, webhooks } from '../../ledger/log/tables.ts'
import { webhookEntry } from './endpoints.ts'

/** Those whose ids a select gives. A repeated try finds them disabled already. */
export const disableWebhooks = (ids: SQL) => [
  appendAlways(
    sql`select ${webhookEntry('webhook.disabled', sql`'reason', 'key_revoked'`)} from ${webhooks} as w
      where w.id in (${ids}) and ${isSending(sql`w`)}`,
  ),
  sql`update ${webhooks} set disabled_at_ms = ${param('nowMs')}, disabled_reason = 'key_revoked',
      expires_at_ms = ${param('nowMs')}
    where ${isSending(sql`${webhooks}`)} and id in (${ids})`,
]
