// Use of keys by the hour: writes it, and lists the keys of a company or campaign with it.
import { type SQL, sql } from 'drizzle-orm'
import { number, param, runBatch, runOnce, statement } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import type { Scope } from '../scope.ts'
import { actorName } from './actor-name.ts'
import { movingKeys } from './moving.ts'
import { grantedManager, isActiveKey, type ManagerAccess, type ManagerNames } from './rights.ts'
import { apiKeys, campaigns, isOfService, keyHours } from './tables.ts'

const { hourMs } = limits

/** Uses are kept and counted for seven days, in whole hours; those of sources, which are posts, for thirty. */
const keptHours = 7 * 24
const postsKeptHours = 30 * 24
/** Earlier hours no longer count. */
export const firstHour = (nowMs: number) => Math.floor(nowMs / hourMs) - keptHours + 1
export const firstHourOfPosts = (nowMs: number) => Math.floor(nowMs / hourMs) - postsKeptHours + 1

export const usesSinceMs = (nowMs: number) => firstHour(nowMs) * hourMs

/** Requests of a key with the same answer code. */
export type KeyUse = {
  readonly keyId: string
  /** `X-Error-Code`; empty for a success. */
  readonly code: string
  readonly requests: number
  readonly lastUsedAtMs: number
}

// Uses during a move are not counted.
const insertUses = statement<'uses'>(sql`
  insert into ${keyHours} (key_id, hour, code, requests, last_used_at_ms)
  select value ->> 'keyId', (value ->> 'lastUsedAtMs') / ${sql.raw(`${hourMs}`)}, value ->> 'code',
    value ->> 'requests', value ->> 'lastUsedAtMs'
  from json_each(${param('uses')})
  where value ->> 'keyId' not in ${movingKeys}
  on conflict (key_id, hour, code) do update set requests = requests + excluded.requests,
    last_used_at_ms = max(last_used_at_ms, excluded.last_used_at_ms)`)

const deleteOldUses = statement<'uses' | 'firstHour'>(sql`delete from ${keyHours}
  where key_id in (select value ->> 'keyId' from json_each(${param('uses')})) 
    and hour < ${param('firstHour')} - iif((select k.source_id from ${apiKeys} as k where k.id = key_id) is null, 0,
      ${number(postsKeptHours - keptHours)})
    and key_id not in ${movingKeys}`)

/**
 * Adds uses to their hours, and deletes old hours of the same keys. Has no retry: after a lost answer it would count
 * twice. Throws DatabaseUnavailable.
 */
export async function addUses(db: D1Database, uses: readonly KeyUse[], nowMs: number): Promise<void> {
  const values = { uses: JSON.stringify(uses), firstHour: firstHour(nowMs) }
  await runOnce(db, [insertUses(db, values), deleteOldUses(db, values)])
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
  /** The id of an API key, a member or an operator's key, or `operator`; null: unknown. */
  readonly createdBy: string | null
}

export type UsedKey = KeyRecord & {
  /** The key whose rotation made it; null: none. */
  readonly successorOf: string | null
  /** 1: of a dialer, whose claims are its requests. */
  readonly isDialer: number
  /** The source that works with it. Null: none does. */
  readonly sourceId: string | null
  /** The name of the member that created it. */
  readonly actorName: string | null
  readonly lastUsedAtMs: number | null
  readonly requests: number
  /** How many of them were refused, by code. */
  readonly refused: Readonly<Record<string, number>>
}

/** Columns of an OwnKey but the company's name. */
export const keyColumns = sql`${apiKeys.id}, ${apiKeys.name}, ${apiKeys.scope},
  ${apiKeys.companyId} as "companyId", ${campaigns.id} as "campaignId",
  ${apiKeys.createdAtMs} as "createdAtMs", ${apiKeys.expiresAtMs} as "expiresAtMs"`

/**
 * A value: the uses of a key as JSON of `[code, requests, lastUsedAtMs]`. Nothing is gathered of a key without any.
 * Placeholder `firstHour`.
 */
const usesOf = (keyId: SQL) => {
  const counted = sql`from ${keyHours} where key_id = ${keyId} and hour >= ${param('firstHour')}`
  return sql`iif(exists (select 1 ${counted}), (
    select json_group_array(json_array(code, requests, last_used_at_ms)) from (
      select code, sum(requests) as requests, max(last_used_at_ms) as last_used_at_ms ${counted}
      group by code)), '[]')`
}

/** Columns of a UsedKey but its uses. */
const usedKeyColumns = sql`${keyColumns}, ${apiKeys.hint}, ${apiKeys.revokedAtMs} as "revokedAtMs",
  ${apiKeys.createdBy} as "createdBy", ${apiKeys.successorOf} as "successorOf", ${apiKeys.isDialer} as "isDialer",
  ${apiKeys.sourceId} as "sourceId",
  ${actorName(sql`${apiKeys.createdBy}`)} as "actorName"`

const isGranted = statement<ManagerNames>(sql`select 1 from ${grantedManager('manage to read')}`)

/** Active keys come before others: there are at most as many of them (limits.keysPerCompany). */
const keysOf = statement<ManagerNames | 'firstHour'>(sql`select listed.*, ${usesOf(sql`listed.id`)} as uses
  from (select ${usedKeyColumns}
    from ${grantedManager('manage to read')} as granted
    cross join ${apiKeys} on ${apiKeys.companyId} = granted.company_id and ${apiKeys.memberId} is null
      and (granted.campaign_number is null or ${apiKeys.campaignNumber} = granted.campaign_number)
    left join ${campaigns} on ${campaigns.number} = ${apiKeys.campaignNumber}
    order by ${isActiveKey(sql`${apiKeys}`)} desc, ${isOfService(sql`${apiKeys}`)}, ${apiKeys.createdAtMs} desc,
      ${apiKeys.id}
    limit ${sql.raw(`${limits.keysPerCompany}`)}) as listed`)

/**
 * The keys of the asker's company, or only of its campaign, newest first; all that are active. Throws
 * DatabaseUnavailable.
 */
export async function listUsedKeys(
  db: D1Database,
  access: ManagerAccess,
): Promise<{ readonly kind: 'key_refused' } | { readonly kind: 'found'; readonly keys: readonly UsedKey[] }> {
  const values = { ...access, firstHour: firstHour(access.nowMs) }
  const { rows } = await runBatch(db, [isGranted(db, values), keysOf(db, values)])
  if (rows[0]?.length === 0) return { kind: 'key_refused' }
  const keys = readUsedKeys(rows[1]).sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1))
  return { kind: 'found', keys }
}

/** Reads rows of usedKeyColumns. */
function readUsedKeys(rows: readonly unknown[] = []): UsedKey[] {
  return (rows as (Omit<UsedKey, 'lastUsedAtMs' | 'requests' | 'refused'> & { readonly uses: string })[]).map(
    ({ uses, ...key }) => {
      const found = JSON.parse(uses) as [code: string, requests: number, lastUsedAtMs: number][]
      return {
        ...key,
        lastUsedAtMs:
          found.length === 0 ? null : Math.max(...found.map(([, , lastUsedAtMs]) => lastUsedAtMs)),
        requests: found.reduce((sum, [, requests]) => sum + requests, 0),
        refused: Object.fromEntries(
          found.filter(([code]) => code !== '').map(([code, requests]) => [code, requests]),
        ),
      }
    },
  )
}
