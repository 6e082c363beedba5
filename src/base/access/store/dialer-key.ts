// Fragments on the key of a dialer: it has the scope of an agent and no end of its own, and nobody has the key itself.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { isWritableCompany } from './moving.ts'
import { grantedKey, isActiveKey } from './rights.ts'
import { apiKeys, campaigns } from './tables.ts'

/** Whether a dialer has claimed the call `k`. */
export const isOfDialer = sql`exists (select 1 from ${apiKeys} as own where own.id = k.key_id and own.is_dialer)`

/** Its id while it is active, of `own.key_id`. */
export const activeDialerKey = sql`(select k.id from ${apiKeys} as k
  where k.id = own.key_id and ${isActiveKey(sql`k`)})`

/** `campaign`: as `own`, its number, company_id and key_id. No row of it: nothing is done. */
export const renewDialerKey = (campaign: SQL) => sql`update ${apiKeys}
  set created_by = ${param('actor')}, expires_at_ms = null
  from ${campaign} as own
  cross join ${grantedKey('manage')} as asker
  where ${apiKeys.id} = ${activeDialerKey} and ${apiKeys.companyId} = own.company_id`

/** A new one, where none is active. Placeholders `newKeyId`, `hash`, `nowMs` and `actor`. */
export const insertDialerKey = (campaign: SQL) => sql`insert into ${apiKeys}
    (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, created_by, is_dialer)
  select ${param('newKeyId')}, own.company_id, own.number, 'agent', 'dialer', ${param('hash')}, '', ${param('nowMs')},
    ${param('actor')}, 1
  from ${campaign} as own
  cross join ${grantedKey('manage')} as asker
  where ${activeDialerKey} is null
  on conflict do nothing`

/** `keyId`: a select of one id. */
export const revokeDialerKey = (keyId: SQL) => sql`update ${apiKeys}
  set revoked_at_ms = coalesce(revoked_at_ms, ${param('nowMs')})
  where id = (${keyId}) and ${isWritableCompany(apiKeys.companyId)}`

/**
 * The key of a dialer that a restore took away with its row, as one that has ended: by it, the service records what its
 * calls came to. Nothing where the campaign is gone, too. Nobody has revoked it, so it ends with the restore:
 * isOfLostDialer.
 */
export const insertEndedDialerKey = sql`insert into ${apiKeys}
    (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, created_by, revoked_at_ms, is_dialer)
  select ${param('keyId')}, c.company_id, c.number, 'agent', 'dialer', ${param('hash')}, '', ${param('nowMs')},
    'system',
    ${param('nowMs')}, 1
  from ${campaigns} as c
  where c.number = ${param('number')} and c.company_id = ${param('companyId')}
    and ${isWritableCompany(sql`c.company_id`)}
  on conflict do nothing`

/** For keys as `key`. */
export const isOfLostDialer = (key: SQL) =>
  sql`(${key}.is_dialer = 1 and ${key}.revoked_at_ms = ${key}.created_at_ms)`
