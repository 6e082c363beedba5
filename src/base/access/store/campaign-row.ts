// Writes the rows of campaigns, as part of another area's transaction, and numbers them.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import { campaignNumbers, campaigns, companies } from './tables.ts'

/** A value: numbers are unique among the campaigns of all stores, and none is used twice. */
export const nextCampaignNumber = sql`(select max(
    coalesce((select max(every.number) from ${campaigns} as every), 0),
    coalesce((select max(used.last) from ${campaignNumbers} as used), 0)) + 1)`

/**
 * The number of a new campaign. Placeholder `reservedNumber`: of a company with a store of its own, the one that D1
 * has reserved (reserveIn in directory.ts). Null: the next one in D1.
 */
export const newCampaignNumber = sql`coalesce(${param('reservedNumber')}, ${nextCampaignNumber})`

/** A value. */
export const lastCampaignNumber = sql`(select coalesce(max(every.number), 0) from ${campaigns} as every)`

/** A condition: the company may have one more. Numbers are never used again, so archived ones count. */
export const hasCampaignRoom = (companyId: SQL) => sql`(select count(*) from ${campaigns} as every
    where every.company_id = ${companyId})
  < (select coalesce(owner.max_campaigns, ${sql.raw(`${limits.campaignsPerCompany}`)}) from ${companies} as owner
    where owner.id = ${companyId})`

/** `granted` is a table expression with `company_id`. Placeholders `id`, `name`, `archived` and `nowMs`. */
export const insertCampaign = (granted: SQL) => sql`insert into ${campaigns}
    (number, id, company_id, name, created_at_ms, archived_at_ms)
  select ${newCampaignNumber}, ${param('id')}, granted.company_id, ${param('name')}, ${param('nowMs')},
    iif(${param('archived')}, ${param('nowMs')}, null)
  from ${granted} as granted
  where true
  on conflict do nothing
  returning number`

/** `granted` is a table expression with `number`. Placeholders `name` and `archived`, null: unchanged; and `nowMs`. */
export const changeCampaignRow = (granted: SQL) => sql`update ${campaigns}
  set name = coalesce(${param('name')}, name),
    archived_at_ms = case ${param('archived')} when 1 then coalesce(archived_at_ms, ${param('nowMs')})
      when 0 then null else archived_at_ms end
  where (${param('name')} is not null or ${param('archived')} is not null)
    and ${campaigns.number} in (select granted.number from ${granted} as granted)`
