// Fragments on the rows of API keys: creating, rotating and revoking them on behalf of another key, for the statements
// of control/keys/store/. None of them gives a key more rights than the one that asks: its scope, its campaign, its
// end.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import { includesScope, keyScopes } from '../scope.ts'
import { grantedManager, isActiveKey, managerVerdict } from './rights.ts'
import { apiKeys, isOfService, members } from './tables.ts'

/** Pairs of a scope and one within it. */
export const scopePairs = sql.raw(
  keyScopes
    .flatMap((scope) =>
      keyScopes.filter((other) => includesScope(scope, other)).map((other) => `('${scope}', '${other}')`),
    )
    .join(', '),
)

/** Conditions on the key that asks, as `asker`. */
export const isWithinScope = (scope: SQL) => sql`(asker.scope, ${scope}) in (values ${scopePairs})`
export const isWithinTime = (expiresAtMs: SQL) =>
  sql`(asker.expires_at_ms is null or coalesce(${expiresAtMs} <= asker.expires_at_ms, 0))`

/** Left out, the new key ends with the one that asks. */
export const wantedEnd = sql`coalesce(${param('expiresAtMs')}, asker.expires_at_ms)`

const isNew = sql`not exists (select 1 from ${apiKeys} as own where own.id = ${param('id')})`

const hasRoom = (companyId: SQL, but = sql`true`) => sql`(select count(*) from ${apiKeys} as other
    where other.company_id = ${companyId} and not ${isOfService(sql`other`)} and other.member_id is null
      and ${isActiveKey(sql`other`)} and ${but})
  < ${sql.raw(`${limits.keysPerCompany}`)}`

/**
 * Of the newest keys that the company made itself, the one that must be an hour old before the next: when that is;
 * null: there are not so many, or the operator asks, who is not limited.
 */
export const nextKeyAtMs = (
  companyId: SQL,
) => sql`(select recent.created_at_ms + ${sql.raw(`${limits.hourMs}`)}
  from ${apiKeys} as recent
  where ${param('operated')} is null and recent.company_id = ${companyId} and not ${isOfService(sql`recent`)}
    and recent.created_by <> 'operator' and recent.created_by not glob 'op_*'
    and recent.created_at_ms > ${param('nowMs')} - ${sql.raw(`${limits.hourMs}`)}
  order by recent.created_at_ms desc
  limit 1 offset ${sql.raw(`${limits.newKeysPerHourPerCompany - 1}`)})`

/** The new key that a request asks for; no row when it may not be. Placeholders of the insert, and `campaignId`. */
export const wantedKey = sql`(select ${param('id')} as id, verdict.company_id,
    nullif(verdict.number, 0) as campaign_number,
    ${param('scope')} as scope, ${param('name')} as name, ${wantedEnd} as expires_at_ms, null as successor_of
  from ${managerVerdict} as verdict
  cross join ${grantedManager('manage')} as asker
  where verdict.number is not null
    and ${isWithinScope(sql`${param('scope')}`)}
    and ${isWithinTime(wantedEnd)}
    and ${hasRoom(sql`verdict.company_id`)}
    and ${nextKeyAtMs(sql`verdict.company_id`)} is null
    and ${isNew})`

/** Another key of the asker's company, and of its campaign where it has one; no session. Placeholder `otherId`. */
export const isOtherKey = (key: SQL) => sql`${key}.id = ${param('otherId')} and ${key}.member_id is null
  and ${key}.company_id = asker.company_id
  and (asker.campaign_number is null or ${key}.campaign_number = asker.campaign_number)`

/** The same for a successor of key `otherId`: it ends with that one, or with the asker if that is earlier. */
export const wantedSuccessor = sql`(select ${param('id')} as id, old.company_id, old.campaign_number, old.scope,
    old.name, coalesce(min(old.expires_at_ms, asker.expires_at_ms), old.expires_at_ms, asker.expires_at_ms)
      as expires_at_ms, old.id as successor_of
  from ${grantedManager('manage')} as asker
  cross join ${apiKeys} as old on ${isOtherKey(sql`old`)}
  where ${isActiveKey(sql`old`)} and not ${isOfService(sql`old`)}
    and ${isWithinScope(sql`old.scope`)}
    and ${hasRoom(sql`old.company_id`, sql`(other.id <> old.id or ${param('endsAtMs')} > ${param('nowMs')})`)}
    and ${nextKeyAtMs(sql`old.company_id`)} is null
    and ${isNew})`

/** `wanted` is wantedKey or wantedSuccessor. Placeholders `hash`, `hint`, `nowMs`, `actor` and `requestToken`. */
export const insertKey = (wanted: SQL) => sql`insert into ${apiKeys}
    (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, expires_at_ms, created_by, request_token,
      successor_of)
  select wanted.id, wanted.company_id, wanted.campaign_number, wanted.scope, wanted.name, ${param('hash')},
    ${param('hint')}, ${param('nowMs')}, wanted.expires_at_ms, ${param('actor')}, ${param('requestToken')},
    wanted.successor_of
  from ${wanted} as wanted
  where true
  on conflict do nothing`

/** A condition: this request has made key `id`, in this try or one before. */
export const isMade = sql`exists (select 1 from ${apiKeys} as made
  where made.id = ${param('id')} and made.hash = ${param('hash')})`

/** Ends the key that this request has made a successor of. */
export const endPredecessor = sql`update ${apiKeys}
  set expires_at_ms = cast(min(coalesce(expires_at_ms, ${param('endsAtMs')}), ${param('endsAtMs')}) as integer)
  where id in (select old.id
    from ${grantedManager('manage')} as asker
    cross join ${apiKeys} as old on ${isOtherKey(sql`old`)}
    where ${isActiveKey(sql`old`)} and not ${isOfService(sql`old`)})
    and ${isMade}`

/**
 * A table expression of ids: a key, and those that rotations replaced by it, by whichever key. Like the next one, it
 * goes no further than one of `stops`, a list of ids.
 */
export const lineage = (keyId: SQL, stops: SQL) => sql`(with recursive line(id) as (
    select ${keyId}
    union
    select k.successor_of from line cross join ${apiKeys} as k on k.id = line.id
    where k.successor_of is not null and k.successor_of not in (${stops}))
  select line.id from line)`

/**
 * A table expression of ids: the keys that a key or its lineage has created, those that they have created or that
 * replaced them by rotation, and so on; and the rest of the lineage. A key that another one made its successor is not
 * among them. `withMembers`: members too, and what these have made.
 */
export const createdKeys = (keyId: SQL, stops: SQL, withMembers = false) => {
  const ofLine = (table: SQL) => sql`select k.id from ${lineage(keyId, stops)} as line
    cross join ${table} as k on k.created_by = line.id where k.id <> ${keyId}`
  const ofMade = (
    table: SQL,
    by: SQL,
  ) => sql`select k.id from made cross join ${table} as k on k.${by} = made.id
    where made.id not in (${stops}) and k.id <> ${keyId}`
  const [keys, people] = [sql`${apiKeys}`, sql`${members}`]
  const made = [
    ofLine(keys),
    ...(withMembers ? [ofLine(people)] : []),
    ofMade(keys, sql`created_by`),
    ofMade(keys, sql`successor_of`),
    ...(withMembers ? [ofMade(people, sql`created_by`)] : []),
  ]
  return sql`(with recursive made(id) as (${sql.join(made, sql` union `)})
  select made.id from made
  union select line.id from ${lineage(keyId, stops)} as line where line.id <> ${keyId})`
}

/** `ids` is a table expression. */
export const revokeKeys = (ids: SQL) => sql`update ${apiKeys} set revoked_at_ms = ${param('nowMs')}
  where revoked_at_ms is null and id in ${ids}`
