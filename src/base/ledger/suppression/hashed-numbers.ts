// Numbers suppressed by hash only (number-hash.ts), in a company or in one campaign: conditions and statements for
// other areas' transactions. Placeholders: `pepperCheck`, and `spellings`, a JSON array of all spellings of a number,
// each with its hash.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { retainedHashes, suppressedHashes } from './tables.ts'

/** The number with this hash must not be called in the whole company. */
export const isHashedForCompany = (companyId: SQL, hash: SQL) => sql`exists (select 1 from ${suppressedHashes}
  where ${suppressedHashes.companyId} = ${companyId} and ${suppressedHashes.numberHash} = ${hash})`

/** The number with this hash must not be called in the company, or in any of its campaigns. */
export const isHashedAnywhere = (companyId: SQL, hash: SQL) => sql`(${isHashedForCompany(companyId, hash)}
  or exists (select 1 from ${retainedHashes}
    where ${retainedHashes.companyId} = ${companyId} and ${retainedHashes.numberHash} = ${hash}))`

/** The number with this hash must not be called in this campaign, whatever holds in the company. */
export const isRetained = (
  companyId: SQL,
  hash: SQL,
  campaignNumber: SQL,
) => sql`exists (select 1 from ${retainedHashes}
    where ${retainedHashes.companyId} = ${companyId} and ${retainedHashes.numberHash} = ${hash}
      and ${retainedHashes.campaignNumber} = ${campaignNumber})`

/** The number with this hash must not be called in the campaign. */
export const isHashed = (companyId: SQL, hash: SQL, campaignNumber: SQL) => sql`(${hash} <> ''
  and (${isHashedForCompany(companyId, hash)} or ${isRetained(companyId, hash, campaignNumber)}))`

/** True after retention too: insertRetained stores the pepper's check here. */
export const hasHashes = (companyId: SQL) => sql`exists (select 1 from ${suppressedHashes}
  where ${suppressedHashes.companyId} = ${companyId})`

const ofRequest = sql`${param('pepperCheck')}`

/**
 * The company has hashes, and the pepper is missing or another one: it is unknown which numbers must not be called, so
 * no lead may be called or stored. `check` is the pepper's, of this company.
 */
export const isPepperLost = (companyId: SQL, check = ofRequest) =>
  sql`(${hasHashes(companyId)} and not ${isHashedForCompany(companyId, check)})`

/** Stores the hashes of placeholder `spellings` and the pepper's check. `companies` selects `company_id`. */
export const insertHash = (companies: SQL) =>
  insertHashes(sql`select company.company_id, item.value ->> 1 as number_hash from (${companies}) as company
    cross join json_each(json_insert(${param('spellings')}, '$[#]', json_array(null, ${param('pepperCheck')})))
      as item`)

/** `hashes` selects `company_id` and `number_hash`. */
export const insertHashes = (hashes: SQL) => sql`insert into ${suppressedHashes}
    (company_id, number_hash, created_at_ms)
  select distinct hashed.company_id, hashed.number_hash, ${param('nowMs')} from (${hashes}) as hashed
  where true
  on conflict do nothing`

/**
 * Stores the pepper's check alone, with hashes in another table. `companies` selects `company_id`, and what `check`
 * needs.
 */
export const insertCheck = (companies: SQL, check = ofRequest) =>
  insertHashes(sql`select company.company_id, ${check} as number_hash from (${companies}) as company`)

/** `hashes` selects the two columns of the primary key. */
export const deleteHashes = (hashes: SQL) => sql`delete from ${suppressedHashes}
  where (company_id, number_hash) in (${hashes})
  returning number_hash as "numberHash"`

/**
 * Two statements of one batch: suppress numbers in a campaign by hash, and store the pepper's check. `numbers` selects
 * `company_id`, `campaign_number`, `number_hash` and `reason`, and what `check` needs.
 */
export const insertRetained = (numbers: SQL, check = ofRequest): readonly [SQL, SQL] => [
  sql`insert into ${retainedHashes} (company_id, campaign_number, number_hash, reason, created_at_ms)
    select numbers.company_id, numbers.campaign_number, numbers.number_hash, numbers.reason, ${param('nowMs')}
    from (${numbers}) as numbers
    where true
    on conflict do nothing`,
  insertCheck(numbers, check),
]

/** `hashes` selects company, campaign and hash. */
export const deleteRetained = (hashes: SQL) => sql`delete from ${retainedHashes}
  where (company_id, campaign_number, number_hash) in (${hashes})
  returning number_hash as "numberHash"`
