// Fragments of SQL that keep what runs without a key from writing to companies that a move has frozen
// (companies.frozen_at_ms). And the statements with which a move freezes and switches. Keys are checked in rights.ts.
import { type Column, type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { nextCampaignNumber } from './campaign-row.ts'
import {
  apiKeys,
  campaignNumbers,
  campaigns,
  companies,
  frozen,
  members,
  refuseAs,
  storeKeys,
} from './tables.ts'

/** A table expression of ids. While nothing moves it reads one empty index. */
const movingCompanies = sql`(select moving.id from ${companies} as moving
  where moving.frozen_at_ms is not null)`

/** A table expression of numbers. */
const movingCampaigns = sql`(select held.number from ${campaigns} as held
  where held.company_id in ${movingCompanies})`

/** A table expression of ids: of keys and members of those companies, whatever number of them all others have. */
export const movingKeys = sql`(select own.id from ${movingCompanies} as moving
  cross join ${apiKeys} as own on own.company_id = moving.id
  union all select own.id from ${movingCompanies} as moving
  cross join ${members} as own on own.company_id = moving.id)`

/** What runs without a key may write to this company; all of them may be read. */
export const isWritableCompany = (companyId: SQL | Column): SQL => sql`${companyId} not in ${movingCompanies}`

/** The same for what belongs to a campaign. */
export const isWritableCampaign = (number: SQL | Column): SQL => sql`${number} not in ${movingCampaigns}`

/** The same of a row of companies itself. */
export const isWritable = sql`${companies.frozenAtMs} is null`

/** The number of the first campaign after this one that may not be written; null: all may. */
export const firstNotWritable = (afterNumber: SQL): SQL =>
  sql`(select min(m.number) from ${movingCampaigns} as m where m.number > ${afterNumber})`

/**
 * A statement for the batch of one company: it raises an error while a move has frozen it, so that nothing is written.
 */
export const refuseWhileMoving = (companyId: SQL): SQL =>
  sql`select iif(${isWritableCompany(sql`(${companyId})`)}, 1, ${refuseAs(frozen)})`

// A move's own statements: each runs only where `condition` holds, in one transaction with the others of its step.
// Placeholders `companyId`, and where named `nowMs` and `toStore`.

const isCompany = sql`${companies.id} = ${param('companyId')}`
const isKeyOfCompany = sql`${apiKeys.companyId} = ${param('companyId')}`

/** From then on its keys may only read, and nothing without a key writes to it. Placeholder `nowMs`. */
export const freezeCompany = (condition: SQL): readonly [SQL, SQL] => [
  sql`update ${companies} set frozen_at_ms = coalesce(frozen_at_ms, ${param('nowMs')}) where ${isCompany}
    and ${condition}`,
  sql`update ${apiKeys} set frozen = 1 where ${isKeyOfCompany} and frozen = 0 and ${condition}`,
]

/** Unfreezes the company. */
export const unfreezeCompany = (condition: SQL): readonly [SQL, SQL] => [
  sql`update ${companies} set frozen_at_ms = null where ${isCompany} and ${condition}`,
  sql`update ${apiKeys} set frozen = 0 where ${isKeyOfCompany} and frozen = 1 and ${condition}`,
]

/**
 * D1 becomes its directory. Nothing runs on the rows that it leaves, which stay frozen until they are deleted, and no
 * number of its campaigns is used again. Placeholder `toStore`.
 */
export const switchToOwn = (condition: SQL): readonly SQL[] => [
  sql`insert into ${storeKeys} (hash, key_id, company_id, revoked_at_ms, session_ends_at_ms)
    select ${apiKeys.hash}, ${apiKeys.id}, ${apiKeys.companyId}, ${apiKeys.revokedAtMs},
      iif(${apiKeys.memberId} is null, null, ${apiKeys.expiresAtMs}) from ${apiKeys}
    where ${isKeyOfCompany} and ${condition}
    on conflict do update set revoked_at_ms = excluded.revoked_at_ms`,
  sql`update ${apiKeys} set frozen = 2 where ${isKeyOfCompany} and ${condition}`,
  sql`insert into ${campaignNumbers} (id, last) select 1, ${nextCampaignNumber} - 1 where ${condition}
    on conflict do update set last = max(last, excluded.last)`,
  sql`update ${companies} set store = ${param('toStore')} where ${isCompany} and ${condition}`,
]

/** D1 has it again. A key that was revoked meanwhile in the directory alone stays revoked. */
export const switchToShared = (condition: SQL): readonly SQL[] => [
  sql`update ${apiKeys} set frozen = 0, revoked_at_ms = coalesce(revoked_at_ms, (select marked.revoked_at_ms
      from ${storeKeys} as marked where marked.hash = ${apiKeys.hash}))
    where ${isKeyOfCompany} and frozen = 2 and ${condition}`,
  sql`delete from ${storeKeys} where ${storeKeys.companyId} = ${param('companyId')} and ${condition}`,
  sql`update ${companies} set store = null, frozen_at_ms = null where ${isCompany} and ${condition}`,
]
