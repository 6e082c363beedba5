// Revokes an API key on behalf of another, or of the operator, with what it created where that is requested.
import { sql } from 'drizzle-orm'
import { isOtherKey, revokeKeys } from '../../../base/access/store/key-row.ts'
import { grantedManager, type ManagerAccess, type ManagerNames } from '../../../base/access/store/rights.ts'
import { apiKeys } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import { type Created, createdBy, logRevoked, readCreated, seenKey } from './created.ts'

const withCreated = sql`${param('withCreated')}`
const use = 'manage to revoke'
const created = createdBy({ use, withMembers: true, endsAll: withCreated, endsWebhooks: withCreated })
const ending = sql`(select k.id from (${seenKey(use)}) as k where k.id <> ${param('keyId')}
  union ${created.endingKeys})`

const revokeSteps = [
  logRevoked(ending),
  revokeKeys(ending),
  ...created.endMembers,
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
): Promise<Revoked | { readonly kind: 'key_refused' | 'key_not_found' }> {
  const values = { ...access, otherId, withCreated: withCreated ? 1 : 0 }
  const { rows } = await runSteps(db, revokeSteps, values)
  const row = rows.at(-1)?.[0] as { id: string | null; revokedAtMs: number } | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.id === null) return { kind: 'key_not_found' }
  return { kind: 'revoked', revokedAtMs: row.revokedAtMs, created: readCreated(rows.slice(-4)) }
}
