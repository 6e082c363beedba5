// The webhooks that an API key created, for when it is revoked: listing and disabling them. Otherwise a
// webhook created with a leaked key would outlive the key.
import { type SQL, sql } from 'drizzle-orm'
import { lineage } from '../../access/store/key-row.ts'
import type { KeyNames } from '../../access/store/rights.ts'
import { apiKeys } from '../../access/store/tables.ts'
import { param, runBatch, statement } from '../../database/database.ts'
import { appendAlways, entryColumns, theOperator } from '../../ledger/log/append.ts'
import { disabledReason, isSending, webhooks } from '../../ledger/log/tables.ts'
import { waits } from '../../limits.ts'

const ofKeys = lineage(sql`${param('keyId')}`, sql`''`)

/** A key within its grace period keeps its webhooks, as does one whose rotation was refused. */
const ofEndedKey = sql`w.created_by in ${ofKeys} and w.company_id in (
  select ${apiKeys.companyId} from ${apiKeys}
  where ${apiKeys.id} = ${param('keyId')}
    and (${apiKeys.revokedAtMs} is not null or ${apiKeys.expiresAtMs} <= ${param('nowMs')}))
  and (${param('successorId')} is null
    or exists (select 1 from ${apiKeys} as successor where successor.id = ${param('successorId')}))`

/** Disables those of `condition` on alias `w`. A repeated try finds them disabled already. */
const disable = (condition: SQL, by?: typeof theOperator) => [
  appendAlways(
    sql`select ${entryColumns({
      type: 'webhook.disabled',
      companyId: sql`w.company_id`,
      campaignNumber: sql`w.campaign_number`,
      data: sql`json_object('webhookId', w.id, 'reason', 'key_revoked')`,
    })} from ${webhooks} as w
      where ${condition} and ${isSending(sql`w`)}`,
    by,
  ),
  sql`update ${webhooks} set disabled_at_ms = ${param('nowMs')}, disabled_reason = 'key_revoked',
      expires_at_ms = ${param('nowMs')}
    where ${isSending(sql`${webhooks}`)} and id in (select w.id from ${webhooks} as w where ${condition})`,
]

/** Those whose ids a select gives. */
export const disableWebhooks = (ids: SQL, by?: typeof theOperator) => disable(sql`w.id in (${ids})`, by)

/** For the batch that ends the key, after the statement that ends it. */
export const disableWebhooksOfKey = disable(ofEndedKey, theOperator).map(statement<KeyNames | 'successorId'>)

export type WebhookOfKey = {
  readonly webhookId: string
  readonly url: string
  readonly disabledReason: string | null
}

const ofKey = statement<KeyNames>(sql`select w.id as "webhookId", w.url,
    ${disabledReason(sql`w`)} as "disabledReason"
  from ${apiKeys}
  cross join ${webhooks} as w on w.company_id = ${apiKeys.companyId} and w.created_by in ${ofKeys}
  where ${apiKeys.id} = ${param('keyId')}
  order by w.created_at_ms, w.id`)

/** The oldest first. Throws DatabaseUnavailable. */
export async function listWebhooksOfKey(
  db: D1Database,
  keyId: string,
  nowMs: number,
): Promise<readonly WebhookOfKey[]> {
  const { rows } = await runBatch(db, [ofKey(db, { keyId, nowMs })], waits.administrationMs)
  return rows[0] as WebhookOfKey[]
}
