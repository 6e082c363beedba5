// Fragments on the key of a source: it may write in one campaign, has no end of its own, and nobody has the key itself.
// For the statements of channels/sources/store/.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { grantedKey, isActiveKey } from './rights.ts'
import { apiKeys } from './tables.ts'

/** A condition on a source, by its alias: its key was not revoked. */
export const hasActiveKey = (source: SQL) => sql`exists (select 1 from ${apiKeys} as k
  where k.id = ${source}.key_id and ${isActiveKey(sql`k`)})`

/** `campaign`: as `own`, its number and company_id. Placeholders `newKeyId`, `hash`, `sourceId`, `nowMs`, `actor`. */
export const insertSourceKey = (campaign: SQL, name: SQL) => sql`insert into ${apiKeys}
    (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, created_by, source_id)
  select ${param('newKeyId')}, own.company_id, own.number, 'write', ${name}, ${param('hash')}, '',
    ${param('nowMs')}, ${param('actor')}, ${param('sourceId')}
  from ${campaign} as own
  cross join ${grantedKey('manage')} as asker
  where true
  on conflict do nothing`

const ofSources = (sources: SQL) => sql`source_id in (select own.id from ${sources} as own)
  and company_id in (select own.company_id from ${sources} as own)`

/** `sources`: a table expression with `id` and `company_id`. Placeholder `name`; null: it stays. */
export const nameSourceKeys = (sources: SQL) => sql`update ${apiKeys} set name = ${param('name')}
  where ${param('name')} is not null and ${ofSources(sources)}`

export const revokeSourceKeys = (sources: SQL) => sql`update ${apiKeys} set revoked_at_ms = ${param('nowMs')}
  where revoked_at_ms is null and ${ofSources(sources)}`
