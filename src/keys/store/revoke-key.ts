// Revokes an API key on behalf of another, and names the active keys and webhooks that it has created; `withCreated` ends
// these too, in the same transaction. The key that asks is never revoked.
import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../access/scope.ts'
import { createdKeys, isOtherKey, revokeKeys } from '../../access/store/key-row.ts'
import { grantedKey, isActiveKey, type KeyAccess, type KeyNames } from '../../access/store/rights.ts'
import { apiKeys, campaigns } from '../../access/store/tables.ts'
import { param, runBatch, runSteps, statement } from '../../database/database.ts'
import { type ActorNames, appendAlways, entryColumns, theOperator } from '../../ledger/log/append.ts'
import { webhooks } from '../../ledger/log/tables.ts'
import { waits } from '../../limits.ts'
import { disableWebhooks } from '../../webhooks/store/key-webhooks.ts'

/** The key's id when the asker may see it. */
const revoked = sql`select k.id
  from ${grantedKey('manage')} as asker
  cross join ${apiKeys} as k on ${isOtherKey(sql`k`)}`

const created = sql`select made.id from (${revoked}) as root
  cross join ${createdKeys(sql`${param('otherId')}`, sql`${param('keyId')}`)} as made`

/** Those that end: the key, and with it what it has created and is active. */
const ending = sql`(select k.id from ${apiKeys} as k
  where k.id <> ${param('keyId')}
    and (k.id in (${revoked}) or (${param('withCreated')} and k.id in (${created}) and ${isActiveKey(sql`k`)})))`

const logRevoked = (ids: SQL, by?: typeof theOperator) =>
  appendAlways(
    sql`select ${entryColumns({
      type: 'key.revoked',
      companyId: sql`k.company_id`,
      campaignNumber: sql`k.campaign_number`,
      data: sql`json_object('keyId', k.id)`,
    })} from ${apiKeys} as k where k.revoked_at_ms is null and k.id in ${ids}`,
    by,
  )

const keyColumns = sql`k.id as "keyId", k.name, k.scope, ${campaigns.id} as "campaignId",
    k.expires_at_ms as "expiresAtMs", k.revoked_at_ms as "revokedAtMs"`

/** Active, or ended by this request. */
const selectKeys = (ids: SQL) => sql`select ${keyColumns}
  from ${apiKeys} as k left join ${campaigns} on ${campaigns.number} = k.campaign_number
  where k.id in (${ids}) and (${isActiveKey(sql`k`)} or k.revoked_at_ms = ${param('nowMs')})
  order by k.created_at_ms, k.id`

/** `ids` are keys that created them. */
const selectWebhooks = (ids: SQL) => sql`select w.id as "webhookId", w.url, ${campaigns.id} as "campaignId",
    w.disabled_at_ms as "disabledAtMs"
  from ${webhooks} as w left join ${campaigns} on ${campaigns.number} = w.campaign_number
  where w.created_by in (${ids}) and (w.disabled_at_ms is null or w.disabled_at_ms = ${param('nowMs')})
  order by w.created_at_ms, w.id`

/** The keys whose webhooks are named, and end: not those of the key that asks. */
const creators = sql`select creator.id from (${revoked} union ${created}) as creator
  where creator.id <> ${param('keyId')}`
const creatorsEnding = sql`select creator.id from (${creators}) as creator where ${param('withCreated')}`

const revokeSteps = [
  logRevoked(ending),
  revokeKeys(ending),
  ...disableWebhooks(creatorsEnding),
  selectKeys(created),
  selectWebhooks(creators),
  sql`select k.id, k.revoked_at_ms as "revokedAtMs"
  from ${grantedKey('manage')} as asker left join ${apiKeys} as k on ${isOtherKey(sql`k`)}`,
].map(statement<KeyNames | ActorNames | 'otherId' | 'withCreated'>)

export type RevokedWith = {
  readonly keyId: string
  readonly name: string
  readonly scope: Scope
  readonly campaignId: string | null
  readonly expiresAtMs: number | null
  /** Null: it still works. */
  readonly revokedAtMs: number | null
}

export type WebhookEnded = {
  readonly webhookId: string
  readonly url: string
  readonly campaignId: string | null
  readonly disabledAtMs: number | null
}

export type Revoked = {
  readonly kind: 'revoked'
  readonly revokedAtMs: number
  readonly keys: readonly RevokedWith[]
  readonly webhooks: readonly WebhookEnded[]
}

/** A key that was revoked before keeps its time. Throws DatabaseUnavailable. */
export async function revokeKey(
  db: D1Database,
  access: KeyAccess,
  otherId: string,
  withCreated: boolean,
): Promise<Revoked | { readonly kind: 'key_refused' } | { readonly kind: 'missing' }> {
  const values = { ...access, otherId, withCreated: withCreated ? 1 : 0 }
  const { rows } = await runSteps(db, revokeSteps, values)
  const [keys, hooks, found] = rows.slice(-3)
  const row = found?.[0] as { id: string | null; revokedAtMs: number } | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.id === null) return { kind: 'missing' }
  return {
    kind: 'revoked',
    revokedAtMs: row.revokedAtMs,
    keys: keys as RevokedWith[],
    webhooks: hooks as WebhookEnded[],
  }
}

const ofOperator = createdKeys(sql`${param('keyId')}`, sql`''`)
const activeOfOperator = sql`(select k.id from ${apiKeys} as k where k.id in ${ofOperator} and ${isActiveKey(sql`k`)})`

/** For the operator's batch that revokes key `keyId`: ends the keys that it created, and their webhooks. */
export const revokeCreatedKeys = [
  // Before the keys end: of those that are active.
  ...disableWebhooks(sql`select made.id from ${ofOperator} as made`, theOperator),
  logRevoked(activeOfOperator, theOperator),
  revokeKeys(activeOfOperator),
].map(statement<KeyNames>)

const listOfOperator = statement<KeyNames>(selectKeys(sql`select made.id from ${ofOperator} as made`))

/** The keys that a key created and that are active, or ended at `nowMs`. Throws DatabaseUnavailable. */
export async function listCreatedKeys(
  db: D1Database,
  keyId: string,
  nowMs: number,
): Promise<readonly RevokedWith[]> {
  const { rows } = await runBatch(db, [listOfOperator(db, { keyId, nowMs })], waits.administrationMs)
  return rows[0] as RevokedWith[]
}
