// How keys are used: written by the hour, and listed with the keys of a company or a campaign.
import { sql } from 'drizzle-orm'
import { DatabaseUnavailable, databaseUnavailable, runBatch, statement } from '../../database/database.ts'
import { limits, waits } from '../../limits.ts'
import { withTimeLimit } from '../../time-limit.ts'
import type { Scope } from '../scope.ts'
import { grantedKey, type KeyAccess } from './rights.ts'
import { apiKeys, campaigns, keyHours } from './tables.ts'

const param = sql.placeholder
const { hourMs } = limits

/** How long uses are kept, and counted in what is listed: seven days, in whole hours. */
const keptHours = 7 * 24
/** What is not counted any more is before it. */
export const firstHour = (nowMs: number) => Math.floor(nowMs / hourMs) - keptHours + 1

/** Since when uses are counted, Unix ms. */
export const usesSinceMs = (nowMs: number) => firstHour(nowMs) * hourMs

/** Requests of a key that were answered alike. */
export type KeyUse = {
  readonly keyId: string
  /** Of the refusal; empty: there was none. */
  readonly code: string
  readonly requests: number
  readonly lastUsedAtMs: number
}

const insertUses = statement(sql`insert into ${keyHours} (key_id, hour, code, requests, last_used_at_ms)
  select value ->> 'keyId', (value ->> 'lastUsedAtMs') / ${sql.raw(`${hourMs}`)}, value ->> 'code',
    value ->> 'requests', value ->> 'lastUsedAtMs'
  from json_each(${param('uses')}) where true
  on conflict (key_id, hour, code) do update set requests = requests + excluded.requests,
    last_used_at_ms = max(last_used_at_ms, excluded.last_used_at_ms)`)

const deleteOldUses = statement(sql`delete from ${keyHours}
  where key_id in (select value ->> 'keyId' from json_each(${param('uses')})) and hour < ${param('firstHour')}`)

/**
 * Adds to the hours in which the uses were, and forgets those of the same keys that are too old. Tried once, unlike all
 * else: after a lost answer it would count twice. Throws DatabaseUnavailable.
 */
export async function addUses(db: D1Database, uses: readonly KeyUse[], nowMs: number): Promise<void> {
  const values = { uses: JSON.stringify(uses), firstHour: firstHour(nowMs) }
  const work = db.batch([insertUses(db, values), deleteOldUses(db, values)]).catch((error) => {
    throw databaseUnavailable(error)
  })
  await withTimeLimit(work, waits.storeMs, () => new DatabaseUnavailable('timeout'))
}

export type KeyRecord = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly companyId: string
  /** Null: the key is company-wide. */
  readonly campaignId: string | null
  readonly hint: string
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
}

export type UsedKey = KeyRecord & {
  readonly lastUsedAtMs: number | null
  readonly requests: number
  /** Of them, by the code of the refusal. */
  readonly refused: Readonly<Record<string, number>>
}

const maxKeys = 1_000

/** Columns of a key, and of each code how often and when last it was answered so, as JSON text. Placeholder `firstHour`. */
export const usedKeyColumns = sql`${apiKeys.id}, ${apiKeys.name}, ${apiKeys.scope},
  ${apiKeys.companyId} as "companyId", ${campaigns.id} as "campaignId", ${apiKeys.hint},
  ${apiKeys.createdAtMs} as "createdAtMs", ${apiKeys.expiresAtMs} as "expiresAtMs", ${apiKeys.revokedAtMs} as "revokedAtMs",
  (select json_group_array(json_array(code, requests, last_used_at_ms)) from (
    select code, sum(requests) as requests, max(last_used_at_ms) as last_used_at_ms from ${keyHours}
    where key_id = ${apiKeys.id} and hour >= ${param('firstHour')} group by code)) as uses`

const keyIsGranted = statement(sql`select 1 from ${grantedKey('manage')}`)

const keysOf = statement(sql`select ${usedKeyColumns}
  from ${grantedKey('manage')} as granted join ${apiKeys} on ${apiKeys.companyId} = granted.company_id
    and (granted.campaign_number is null or ${apiKeys.campaignNumber} = granted.campaign_number)
  left join ${campaigns} on ${campaigns.number} = ${apiKeys.campaignNumber}
  order by ${apiKeys.createdAtMs} desc, ${apiKeys.id} limit ${sql.raw(`${maxKeys}`)}`)

/**
 * The keys of the key's company, or of its campaign where it has one, the newest first, and how they were used. Throws
 * DatabaseUnavailable.
 */
export async function listUsedKeys(
  db: D1Database,
  access: KeyAccess,
): Promise<{ readonly kind: 'key_refused' } | { readonly kind: 'found'; readonly keys: readonly UsedKey[] }> {
  const values = { ...access, firstHour: firstHour(access.nowMs) }
  const { rows } = await runBatch(db, [keyIsGranted(db, values), keysOf(db, values)])
  if (rows[0]?.length === 0) return { kind: 'key_refused' }
  return { kind: 'found', keys: readUsedKeys(rows[1]) }
}

/** Rows of usedKeyColumns. */
export function readUsedKeys(rows: readonly unknown[] = []): UsedKey[] {
  return (rows as (KeyRecord & { readonly uses: string })[]).map(({ uses, ...key }) => {
    const found = JSON.parse(uses) as [code: string, requests: number, lastUsedAtMs: number][]
    return {
      ...key,
      lastUsedAtMs: found.length === 0 ? null : Math.max(...found.map(([, , lastUsedAtMs]) => lastUsedAtMs)),
      requests: found.reduce((sum, [, requests]) => sum + requests, 0),
      refused: Object.fromEntries(
        found.filter(([code]) => code !== '').map(([code, requests]) => [code, requests]),
      ),
    }
  })
}
