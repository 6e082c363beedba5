// Fragments of SQL that check the rights of an API key. They are part of each statement that reads or writes leads, so
// that a right is checked in the transaction that uses it (D29).
import { type SQL, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { param, runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { type KeyScope, keyScopes, type Right, rights } from '../scope.ts'
import { isLogRead } from './company-log.ts'
import {
  apiKeys,
  campaigns,
  companies,
  isHere,
  isOfKey,
  keyEndsAtMs,
  mayOperate,
  mayWrite,
  storeKeys,
} from './tables.ts'

// The views that check a right, as statements name them. views/tables.ts makes them, for migrations alone: a view of
// Drizzle brings its query builder into the Worker.

export const keyRightsColumns = {
  id: text('id').notNull(),
  companyId: text('company_id').notNull(),
  campaignNumber: integer('campaign_number'),
  scope: text('scope', { enum: keyScopes }).notNull(),
  expiresAtMs: integer('expires_at_ms'),
  endsAtMs: integer('ends_at_ms').notNull(),
  frozen: integer('frozen').notNull(),
}

/**
 * Each key with its end. What checks a right reads this view or the next one (rights.ts). Once the company is
 * elsewhere, what asks for the end fails.
 */
export const keyRights = sqliteTable('key_rights', keyRightsColumns)

export const campaignRightsColumns = {
  keyId: text('key_id').notNull(),
  scope: text('scope', { enum: keyScopes }).notNull(),
  endsAtMs: integer('ends_at_ms').notNull(),
  number: integer('number').notNull(),
  id: text('id').notNull(),
  companyId: text('company_id').notNull(),
  archivedAtMs: integer('archived_at_ms'),
  frozen: integer('frozen').notNull(),
}

/** Each key with each campaign that it reaches. */
export const campaignRights = sqliteTable('campaign_rights', campaignRightsColumns)

/** What a request needs to know of its key. */
export type ApiKey = {
  readonly id: string
  /** With an operator's key the one that the request is about. */
  readonly companyId: string
  readonly scope: KeyScope
  readonly expiresAtMs: number | null
  /** Whose session it is. Null: it is a key. */
  readonly memberId: string | null
  /** Whether somebody reads the log of its company. */
  readonly isLogRead: 0 | 1
}

/** Who acts, and when: written to the log. */
type Actor = {
  /** The key's id, a session's member, `operator` or `system`. */
  readonly actor: string
  readonly requestId: string | null
  readonly nowMs: number
}

/** The values of the fragments' placeholders; and the key's company, for what only the Worker can compute. */
export type Access = Actor & {
  readonly keyId: string
  readonly companyId: string
  readonly campaignId: string
}

/** The key is no longer active, or has no access to the campaign (D4, D6). */
export type Refusal = { readonly kind: 'key_refused' } | { readonly kind: 'campaign_denied' }

/** The placeholders of grantedKey and grantedCampaigns. */
export type KeyNames = 'keyId' | 'nowMs'
/** Those of the other fragments here. */
export type AccessNames = KeyNames | 'campaignId'

/** Neither revoked nor expired. `key` is the table or an alias. */
export const isActiveKey = (key: SQL) => sql`${keyEndsAtMs(key)} > ${param('nowMs')}`

export const isActive = isActiveKey(sql`${apiKeys}`)

const isRequested = sql`${campaigns.id} = ${param('campaignId')}`

/** What a statement does with the right: `manage to read` needs the scope `manage`, and writes nothing. */
export type Use = Right | `${Right} to read`

const readers: readonly Use[] = ['look', 'read']

/**
 * Whether the key of a row of a view is this one, active or `orElse`, and has the right. In a company that moves,
 * nobody may write.
 */
function hasRight(use: Use, keyId: SQL, orElse?: SQL): SQL {
  const scopes = rights[use.split(' ')[0] as Right].map((scope) => `'${scope}'`).join(', ')
  const isReading = readers.includes(use) || use.endsWith(' to read')
  const isActive = sql`ends_at_ms > ${param('nowMs')}`
  return sql`${keyId} = ${param('keyId')} and ${orElse ? sql`(${isActive} or ${orElse})` : isActive}
    and scope in (${sql.raw(scopes)})
    ${isReading ? sql`` : sql`and ${mayWrite}`}`
}

// The views have the names of the tables here, so that a condition `which` is the same for both.
const campaignRow = sql`from ${campaignRights} as ${campaigns}`
const keyRow = sql`from ${keyRights} as ${apiKeys}`
const columns = sql`${campaigns.number}, ${campaigns.id}, ${campaigns.companyId}`

/** The requested campaign, unless it is archived: for `which`, where leads are stored. */
export const isTakingLeads = sql`${isRequested} and ${campaigns.archivedAtMs} is null`

/** A condition. An archived campaign counts as paused. */
export const isArchived = (number: SQL) => sql`exists (select 1 from ${campaigns} as archived
  where archived.number = ${number} and archived.archived_at_ms is not null)`

/** A table expression: one row, `number`, `id` and `company_id`, when the access is granted; none otherwise. */
export const grantedCampaign = (right: Use, which = isRequested) =>
  sql`(select ${columns} ${campaignRow} where ${hasRight(right, sql`key_id`)} and ${which})`

/** A table expression: every campaign that the key has this right to, none when the key is refused. */
export const grantedCampaigns = (right: Use) => grantedCampaign(right, sql`true`)

/**
 * A table expression: no row when the key is refused, a row of nulls when the campaign is denied. `which` chooses the
 * campaign; by default the one of placeholder `campaignId`.
 */
export const accessVerdict = (right: Use, which = isRequested) =>
  sql`(select ${columns} ${keyRow}
    left join ${campaigns} on ${which} and ${isOfKey}
    where ${hasRight(right, sql`${apiKeys.id}`)})`

/** A table expression: the key's company, its campaign or null, scope and end; no row when the key is refused. */
export const grantedKey = (right: Use) =>
  sql`(select company_id, campaign_number, scope, expires_at_ms ${keyRow}
    where ${hasRight(right, sql`${apiKeys.id}`)})`

/**
 * The same as grantedKey for an agent; and for the service itself (placeholder `actor` is `system`), which records what
 * the calls of a dialer came to, after its key was revoked.
 */
export const recordingKey = sql`(select company_id, campaign_number, scope, expires_at_ms ${keyRow}
    where ${hasRight(
      'agent',
      sql`${apiKeys.id}`,
      sql`(${param('actor')} = 'system' and exists (
      select 1 from ${apiKeys} as own where own.id = ${param('keyId')} and own.is_dialer = 1))`,
    )})`

/**
 * A table expression for acting on a campaign or, with a null `campaignId`, on the whole company, as number 0: no row
 * when the key is refused, a null `number` when the campaign is denied, or the company because the key is a campaign's.
 */
export const scopeVerdict = (right: Use) =>
  sql`(select ${apiKeys.companyId}, case when ${param('campaignId')} is not null
      then ${campaigns.number} when ${apiKeys.campaignNumber} is null then 0 end as number
    ${keyRow}
    left join ${campaigns} on ${isRequested} and ${isOfKey}
    where ${hasRight(right, sql`${apiKeys.id}`)})`

/** Access of a request that names no campaign. */
export type KeyAccess = Omit<Access, 'campaignId'>

/** `operated`: the company that the operator acts on, whose key was checked in D1; null: a key of the company asks. */
export type ManagerAccess = KeyAccess & { readonly operated: string | null }
export type ManagerNames = KeyNames | 'operated'

export type ManagerUse = keyof typeof operatorMay

const operatorMay = { manage: mayOperate, 'manage to read': isHere, 'manage to revoke': isHere } as const

/**
 * The same as grantedKey for a key that manages, or for the operator, who is one without an end. A move does not keep
 * the operator from revoking a key.
 */
export const grantedManager = (use: ManagerUse) =>
  sql`(select company_id, campaign_number, scope, expires_at_ms ${keyRow}
    where ${hasRight(use === 'manage to revoke' ? 'manage' : use, sql`${apiKeys.id}`)}
    union all
    select ${companies.id}, null, 'manage', null from ${companies}
    where ${companies.id} = ${param('operated')} and ${operatorMay[use]})`

/** The same as scopeVerdict. */
export const managerVerdict = sql`(select ${apiKeys.companyId}, case when ${param('campaignId')} is not null
      then ${campaigns.number} when ${apiKeys.campaignNumber} is null then 0 end as number
    from ${grantedManager('manage')} as ${apiKeys}
    left join ${campaigns} on ${isRequested} and ${isOfKey})`

/** A row of accessVerdict or scopeVerdict. */
export type Verdict = { readonly number: number | null }

export const isRefused = <Row extends Verdict>(
  verdict: Row | undefined,
): verdict is undefined | (Row & { readonly number: null }) => verdict?.number == null

/** From a verdict that refuses. */
export const refusalOf = (verdict: Verdict | undefined): Refusal => ({
  kind: verdict === undefined ? 'key_refused' : 'campaign_denied',
})

/** Company denied: a campaign's key may not act on the whole company. */
export type ScopeRefusal = Refusal | { readonly kind: 'company_denied' }

/** It is unknown which numbers must not be called (base/ledger/suppression/hashed-numbers.ts). */
export type PepperLost = { readonly kind: 'pepper_lost' }

/** From a row of scopeVerdict; null: granted. */
export function scopeRefusalOf(verdict: Verdict | undefined, campaignId: string | null): ScopeRefusal | null {
  if (!isRefused(verdict)) return null
  return verdict !== undefined && campaignId === null ? { kind: 'company_denied' } : refusalOf(verdict)
}

const activeKeyByHash = statement<'hash' | 'nowMs'>(
  sql`select ${apiKeys.id}, ${apiKeys.companyId} as "companyId", ${apiKeys.scope},
      ${apiKeys.expiresAtMs} as "expiresAtMs", ${apiKeys.memberId} as "memberId",
      ${isLogRead(sql`${apiKeys.companyId}`)} as "isLogRead", null as store
    from ${apiKeys}
    where ${apiKeys.hash} = ${param('hash')} and ${isActive}
    union all
    select ${storeKeys.keyId}, ${storeKeys.companyId}, null, null, null, null, ${companies.store}
    from ${storeKeys}
    cross join ${companies} on ${companies.id} = ${storeKeys.companyId}
    where ${storeKeys.hash} = ${param('hash')} and ${storeKeys.revokedAtMs} is null and ${companies.store} is not null`,
)

/** Elsewhere: the key's company has the store of this name. */
type FoundKey =
  | { readonly kind: 'active'; readonly apiKey: ApiKey }
  | { readonly kind: 'elsewhere'; readonly store: string }
  | { readonly kind: 'unknown' }

/** Looks up an active key by its hash in one store. Throws DatabaseUnavailable. */
export async function findApiKey(db: D1Database, hash: string, nowMs: number): Promise<FoundKey> {
  const { rows } = await runBatch(db, [activeKeyByHash(db, { hash, nowMs })], waits.keyLookUpMs)
  const row = rows[0]?.[0] as (ApiKey & { readonly store: string | null }) | undefined
  if (row === undefined) return { kind: 'unknown' }
  const { store, ...apiKey } = row
  return store === null ? { kind: 'active', apiKey } : { kind: 'elsewhere', store }
}
