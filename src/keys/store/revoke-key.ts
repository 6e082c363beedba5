// Revokes an API key on behalf of another, or of the operator, with what it created where that is requested.
import { sql } from 'drizzle-orm'
import { createdKeys, isOtherKey, revokeKeys } from '../../access/store/key-row.ts'
import {
  grantedManager,
  isActiveKey,
  type KeyNames,
  type ManagerAccess,
  type ManagerNames,
} from '../../access/store/rights.ts'
import { apiKeys } from '../../access/store/tables.ts'
import { param, runBatch, runSteps, statement } from '../../database/database.ts'
import { type ActorNames, theOperator } from '../../ledger/log/append.ts'
import { webhooks } from '../../ledger/log/tables.ts'
import { waits } from '../../limits.ts'
import { disableWebhooks } from '../../webhooks/store/key-webhooks.ts'
import {
  type Created,
  createdBy,
  logRevoked,
  type RevokedWith,
  readCreated,
  seenKey,
  selectKeys,
} from './created.ts'

const withCreated = sql`${param('withCreated')}`
const use = 'manage to revoke'
const created = createdBy({ use, endsAll: withCreated, endsWebhooks: withCreated })
const ending = sql`(select k.id from (${seenKey(use)}) as k where k.id <> ${param('keyId')} union ${created.endingKeys})`

const revokeSteps = [
  logRevoked(ending),
  revokeKeys(ending),
  ...created.endWebhooks,
  ...created.selects,
  sql`select k.id, k.revoked_at_ms as "revokedAtMs"
  from ${grantedManager(use)} as asker left join ${apiKeys} as k on ${isOtherKey(sql`k`)}`,
].map(statement<ManagerNames | ActorNames | 'otherId' | 'withCreated'>)

type Revoked = {
  readonly kind: 'revoked'
  readonly revokedAtMs: number
  readonly created: Created
}

/** A key that was revoked before keeps its time. Throws DatabaseUnavailable. */
export async function revokeKey(
  db: D1Database,
  access: ManagerAccess,
  otherId: string,
  withCreated: boolean,
): Promise<Revoked | { readonly kind: 'key_refused' } | { readonly kind: 'missing' }> {
  const values = { ...access, otherId, withCreated: withCreated ? 1 : 0 }
  const { rows } = await runSteps(db, revokeSteps, values)
  const row = rows.at(-1)?.[0] as { id: string | null; revokedAtMs: number } | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.id === null) return { kind: 'missing' }
  return { kind: 'revoked', revokedAtMs: row.revokedAtMs, created: readCreated(rows.slice(-3)) }
}

const ofOperator = createdKeys(sql`${param('keyId')}`, sql`''`)
const activeOfOperator = sql`(select k.id from ${apiKeys} as k where k.id in ${ofOperator} and ${isActiveKey(sql`k`)})`

/** For the operator's batch that revokes key `keyId`: ends the keys that it created, and their webhooks. */
export const revokeCreatedKeys = [
  // Before the keys end: of those that are active.
  ...disableWebhooks(sql`select w.id from ${webhooks} as w where w.created_by in ${ofOperator}`, theOperator),
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
