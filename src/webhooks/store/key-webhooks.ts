// The webhooks that an API key created, for an operator who revokes the key: listing and disabling them. Otherwise a
// webhook created with a leaked key would outlive the key.
import { sql } from 'drizzle-orm'
import type { KeyNames } from '../../access/store/rights.ts'
import { apiKeys } from '../../access/store/tables.ts'
import { param, runBatch, statement } from '../../database/database.ts'
import { appendAlways, entryColumns, theOperator } from '../../ledger/log/append.ts'
import { webhooks } from '../../ledger/log/tables.ts'
import { waits } from '../../limits.ts'

/** A key within its grace period keeps its webhooks, as does one whose rotation was refused. */
const ofEndedKey = sql`w.created_by = ${param('keyId')} and w.company_id in (
  select ${apiKeys.companyId} from ${apiKeys}
  where ${apiKeys.id} = ${param('keyId')}
    and (${apiKeys.revokedAtMs} is not null or ${apiKeys.expiresAtMs} <= ${param('nowMs')}))
  and (${param('successorId')} is null
    or exists (select 1 from ${apiKeys} as successor where successor.id = ${param('successorId')}))`

/** For the batch that ends the key, after the statement that ends it. A repeated try finds them disabled already. */
export const disableWebhooksOfKey = [
  appendAlways(
    sql`select ${entryColumns({
      type: 'webhook.disabled',
      companyId: sql`w.company_id`,
      campaignNumber: sql`w.campaign_number`,
      data: sql`json_object('webhookId', w.id, 'reason', 'key_revoked')`,
    })} from ${webhooks} as w
      where ${ofEndedKey} and w.disabled_at_ms is null`,
    theOperator,
  ),
  sql`update ${webhooks} set disabled_at_ms = ${param('nowMs')}, disabled_reason = 'key_revoked'
    where disabled_at_ms is null and id in (select w.id from ${webhooks} as w where ${ofEndedKey})`,
].map(statement<KeyNames | 'successorId'>)

export type WebhookOfKey = {
  readonly webhookId: string
  readonly url: string
  readonly disabledReason: string | null
}

const ofKey = statement<'keyId'>(sql`select w.id as "webhookId", w.url, w.disabled_reason as "disabledReason"
  from ${apiKeys}
  cross join ${webhooks} as w on w.company_id = ${apiKeys.companyId} and w.created_by = ${apiKeys.id}
  where ${apiKeys.id} = ${param('keyId')}
  order by w.created_at_ms, w.id`)

/** The oldest first. Throws DatabaseUnavailable. */
export async function listWebhooksOfKey(db: D1Database, keyId: string): Promise<readonly WebhookOfKey[]> {
  const { rows } = await runBatch(db, [ofKey(db, { keyId })], waits.administrationMs)
  return rows[0] as WebhookOfKey[]
}
