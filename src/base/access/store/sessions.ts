// Fragments that write the rows of members, and those of their sessions, which are keys: for the statements of
// control/members/store/, and for those that end a key which has made members. A session has the scope and the campaign
// of its member, and is neither listed nor counted among keys.
import { type SQL, sql } from 'drizzle-orm'
import { param, runBatch, statement } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import { scopePairs } from './key-row.ts'
import { isWritableCompany } from './moving.ts'
import { grantedManager, isActiveKey } from './rights.ts'
import { apiKeys, mayWrite, members, storeKeys } from './tables.ts'

/** `wanted` selects `id`, `company_id`, `campaign_number` and `scope`. */
export const insertMembers = (wanted: SQL) => sql`insert into ${members}
    (id, company_id, campaign_number, email, name, scope, created_at_ms, created_by)
  select m.id, m.company_id, m.campaign_number, ${param('email')}, ${param('name')}, m.scope, ${param('nowMs')},
    ${param('actor')}
  from (${wanted}) as m
  where true
  on conflict do nothing`

/** `changed`, as `m`, selects `id`, `company_id` and what `columns` sets. */
export const changeMembers = (columns: SQL, changed: SQL) => sql`update ${members} set ${columns}
  from (select * from (${changed}) limit -1) as m
  where ${members.id} = m.id and ${members.companyId} = m.company_id`

/** `member`: a select of its row, no row of which makes none. Placeholders `keyId`, `hash`, `nowMs` and `endsAtMs`. */
export const insertSession = (member: SQL) => sql`insert into ${apiKeys}
    (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, expires_at_ms, member_id)
  select ${param('keyId')}, m.company_id, m.campaign_number, m.scope, 'session', ${param('hash')}, '',
    ${param('nowMs')}, ${param('endsAtMs')}, m.id
  from (${member}) as m
  where true
  on conflict do nothing`

/** Ends those whose ids a select gives. Deleted a day after their end, which is why that is moved too. */
export const endSessions = (ids: SQL) => sql`update ${apiKeys}
  set revoked_at_ms = ${param('nowMs')}, expires_at_ms = ${param('nowMs')}
  where ${apiKeys.memberId} is not null and ${isActiveKey(sql`${apiKeys}`)} and ${apiKeys.id} in (${ids})`

/** The newest may live. `member` selects its row. */
export const endOldest = (member: SQL) =>
  endSessions(sql`select k.id from (${member}) as m
    cross join ${apiKeys} as k on k.member_id = m.id
    where ${isActiveKey(sql`k`)}
    order by k.created_at_ms desc, k.id = ${param('keyId')} desc
    limit -1 offset ${sql.raw(`${limits.sessionsPerMember}`)}`)

/** Pairs of a scope and one within it. */
export const includesScopes = (scope: SQL, other: SQL) => sql`(${scope}, ${other}) in (values ${scopePairs})`

/** Ends the sessions of a member that may do more than he may by now. Placeholder `otherId`. */
export const endSessionsBeyond = endSessions(sql`select k.id from ${grantedManager('manage')} as asker
    cross join ${members} as m on m.id = ${param('otherId')} and m.company_id = asker.company_id
    cross join ${apiKeys} as k on k.member_id = m.id
    where (m.removed_at_ms is not null or not (${includesScopes(sql`m.scope`, sql`k.scope`)}
        and (m.campaign_number is null or k.campaign_number is m.campaign_number)))`)

// In a company that moves it would be lost.
const endOwn = statement<'keyId' | 'nowMs'>(
  endSessions(sql`select own.id from ${apiKeys} as own where own.id = ${param('keyId')} and ${mayWrite}`),
)

/** Throws DatabaseUnavailable, as the next one does. */
export async function endSession(db: D1Database, keyId: string, nowMs: number): Promise<void> {
  await runBatch(db, [endOwn(db, { keyId, nowMs })])
}

const sessionsPerRun = sql.raw('1000')
const isOld = (endsAtMs: SQL) => sql`${endsAtMs} < ${param('nowMs')} - ${sql.raw(`${limits.dayMs}`)}`

const deleteOld = [
  sql`delete from ${apiKeys} where id in (select old.id from ${apiKeys} as old
    where old.member_id is not null and ${isOld(sql`old.expires_at_ms`)} and ${isWritableCompany(sql`old.company_id`)}
    limit ${sessionsPerRun})`,
  sql`delete from ${storeKeys} where hash in (select old.hash from ${storeKeys} as old
    where old.session_ends_at_ms is not null and ${isOld(sql`old.session_ends_at_ms`)} limit ${sessionsPerRun})`,
].map(statement<'nowMs'>)

/** Deletes the sessions of all companies of a store, a day after their end. */
export async function deleteOldSessions(db: D1Database, nowMs: number): Promise<void> {
  await runBatch(
    db,
    deleteOld.map((step) => step(db, { nowMs })),
  )
}
