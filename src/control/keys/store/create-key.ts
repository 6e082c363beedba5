// Creates and rotates API keys on behalf of another key, and reads the answer in the same transaction. The key itself
// is not stored, so a repeated request gets everything but the key.
import { type SQL, sql } from 'drizzle-orm'
import type { KeyMaterial } from '../../../base/access/api-key.ts'
import type { KeyRecord } from '../../../base/access/store/key-hours.ts'
import {
  endPredecessor,
  insertKey,
  isMade,
  isOtherKey,
  isWithinScope,
  isWithinTime,
  nextKeyAtMs,
  revokeKeys,
  wantedEnd,
  wantedKey,
  wantedSuccessor,
} from '../../../base/access/store/key-row.ts'
import {
  grantedManager,
  isActiveKey,
  type ManagerAccess,
  type ManagerNames,
  managerVerdict,
  type Refusal,
  type ScopeRefusal,
  scopeRefusalOf,
} from '../../../base/access/store/rights.ts'
import { apiKeys, campaigns } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways, entryColumns } from '../../../base/ledger/log/append.ts'
import type { EntryType } from '../../../base/ledger/log/event-types.ts'
import { type Created, createdBy, logRevoked, readCreated } from './created.ts'

type CreatedKey = Omit<KeyRecord, 'companyId' | 'revokedAtMs' | 'createdBy'>

/** What a new key is made of. The token is null without an Idempotency-Key. */
export type Making = ManagerAccess & KeyMaterial & { readonly requestToken: string | null }

/** `isReplay`: an earlier request has created it. */
export type Made = { readonly kind: 'made'; readonly key: CreatedKey; readonly isReplay: boolean }

type NotMade = {
  readonly kind: 'insufficient_permissions' | 'key_outlives_own' | 'too_many_keys' | 'idempotency_key_reused'
}

/** The company has made as many in an hour as it may. */
export type Limited = { readonly kind: 'keys_limited'; readonly nextAtMs: number }

const madeColumns = sql`made.id, made.name, made.scope, made.hint, made.hash, made.request_token as "requestToken",
    made.created_at_ms as "createdAtMs", made.expires_at_ms as "expiresAtMs",
    (select ${campaigns.id} from ${campaigns} where ${campaigns.number} = made.campaign_number) as "campaignId"`

const joinMade = sql`left join ${apiKeys} as made on made.id = ${param('id')} and made.company_id = asker.company_id`

type MadeRow = Omit<CreatedKey, 'id'> & {
  readonly id: string | null
  readonly hash: string
  readonly requestToken: string | null
}

type Judged = {
  readonly isWithinScope: number
  readonly isWithinTime: number
  readonly nextAtMs: number | null
}

const logKey = (type: EntryType, wanted: SQL, data: SQL, condition = sql`true`) =>
  appendAlways(
    sql`select ${entryColumns({
      type,
      companyId: sql`wanted.company_id`,
      campaignNumber: sql`wanted.campaign_number`,
      data,
    })} from ${wanted} as wanted where ${condition}`,
  )

const createdKey = sql`json_object('keyId', wanted.id, 'scope', wanted.scope)`

/** The placeholders of both, with their further ones. */
type MakeNames = ManagerNames | ActorNames | 'id' | 'hash' | 'hint' | 'requestToken'

const createSteps = [
  logKey('key.created', wantedKey, createdKey, sql`${param('operated')} is null`),
  logKey('key.created_by_operator', wantedKey, createdKey, sql`${param('operated')} is not null`),
  insertKey(wantedKey),
  sql`select verdict.number, ${isWithinScope(sql`${param('scope')}`)} as "isWithinScope",
    ${isWithinTime(wantedEnd)} as "isWithinTime", ${nextKeyAtMs(sql`asker.company_id`)} as "nextAtMs",
    ${madeColumns}
  from ${managerVerdict} as verdict
  cross join ${grantedManager('manage')} as asker
  ${joinMade}`,
].map(statement<MakeNames | 'campaignId' | 'scope' | 'name' | 'expiresAtMs'>)

export type NewKey = Pick<CreatedKey, 'name' | 'scope' | 'campaignId' | 'expiresAtMs'>

/** Throws DatabaseUnavailable, as every function here. */
export async function createKey(
  db: D1Database,
  making: Making,
  key: NewKey,
): Promise<ScopeRefusal | Made | NotMade | Limited> {
  const { rows } = await runSteps(db, createSteps, { ...making, ...key })
  const row = rows.at(-1)?.[0] as (MadeRow & Judged & { number: number | null }) | undefined
  const refusal = scopeRefusalOf(row, key.campaignId)
  if (refusal !== null || row === undefined) return refusal ?? { kind: 'key_refused' }
  return readMade(row, making) ?? whyNot(row)
}

// A repeated request ends nothing, and names what the first one ended.
const created = createdBy({
  use: 'manage',
  withMembers: true,
  successor: sql`${param('id')}`,
  endsAll: sql`(${param('withCreated')} and ${isMade})`,
  endsWebhooks: sql`(${param('endsAtMs')} <= ${param('nowMs')} and ${isMade})`,
  endedAtMs: sql`(select made.created_at_ms from ${apiKeys} as made where made.id = ${param('id')})`,
})

const rotateSteps = [
  logKey(
    'key.rotated',
    wantedSuccessor,
    sql`json_object('keyId', ${param('otherId')}, 'newKeyId', wanted.id)`,
  ),
  insertKey(wantedSuccessor),
  endPredecessor,
  logRevoked(sql`(${created.endingKeys})`),
  revokeKeys(sql`(${created.endingKeys})`),
  ...created.endMembers,
  ...created.endWebhooks,
  ...created.selects,
  sql`select old.id as "oldId", old.is_dialer as "isDialer", old.source_id as "sourceId",
    old.expires_at_ms as "oldExpiresAtMs", ${isActiveKey(sql`old`)} as "isOldActive",
    ${isWithinScope(sql`old.scope`)} as "isWithinScope", 1 as "isWithinTime",
    ${nextKeyAtMs(sql`asker.company_id`)} as "nextAtMs", ${madeColumns}
  from ${grantedManager('manage')} as asker
  left join ${apiKeys} as old on ${isOtherKey(sql`old`)}
  ${joinMade}`,
].map(statement<MakeNames | 'otherId' | 'endsAtMs' | 'withCreated'>)

type Rotated = Made & { readonly previousExpiresAtMs: number; readonly created: Created }

type Replaced = { readonly otherId: string; readonly endsAtMs: number; readonly withCreated: boolean }

/**
 * The successor has the same rights. The other key expires at `endsAtMs`, if not before. Its webhooks end when that is
 * now, and all that it created when `withCreated` is true.
 */
export async function rotateKey(
  db: D1Database,
  making: Making,
  other: Replaced,
): Promise<
  | Refusal
  | Rotated
  | NotMade
  | Limited
  | { readonly kind: 'key_not_found' | 'key_inactive' | 'key_of_dialer' | 'key_of_source' }
> {
  const { rows } = await runSteps(db, rotateSteps, {
    ...making,
    ...other,
    withCreated: other.withCreated ? 1 : 0,
  })
  type Row = MadeRow &
    Judged & {
      oldId: string | null
      isDialer: number
      sourceId: string | null
      oldExpiresAtMs: number
      isOldActive: number
    }
  const row = rows.at(-1)?.[0] as Row | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.oldId === null) return { kind: 'key_not_found' }
  if (row.isDialer === 1) return { kind: 'key_of_dialer' }
  if (row.sourceId !== null) return { kind: 'key_of_source' }
  const made = readMade(row, making)
  if (made?.kind === 'made')
    return { ...made, previousExpiresAtMs: row.oldExpiresAtMs, created: readCreated(rows.slice(-4)) }
  if (made !== null) return made
  return row.isOldActive === 1 ? whyNot(row) : { kind: 'key_inactive' }
}

/** Null: there is none. The hash is this request's own, also in a second try. */
function readMade(row: MadeRow, { hash: ownHash, requestToken: ownToken }: Making): Made | NotMade | null {
  const { id, name, scope, campaignId, hint, createdAtMs, expiresAtMs, hash, requestToken } = row
  if (id === null) return null
  const isReplay = hash !== ownHash
  if (isReplay && requestToken !== ownToken) return { kind: 'idempotency_key_reused' }
  return { kind: 'made', isReplay, key: { id, name, scope, campaignId, hint, createdAtMs, expiresAtMs } }
}

function whyNot({ isWithinScope, isWithinTime, nextAtMs }: Judged): NotMade | Limited {
  if (isWithinScope === 0) return { kind: 'insufficient_permissions' }
  if (isWithinTime === 0) return { kind: 'key_outlives_own' }
  return nextAtMs === null ? { kind: 'too_many_keys' } : { kind: 'keys_limited', nextAtMs }
}
