// Numbers that are suppressed by their hash alone (number-hash.ts), in a company or, where retention kept them, in one of its
// campaigns: what others ask of them in their own transactions, and how they are listed and removed. Placeholders:
// `pepperCheck`, and `numberHash` where one number is meant.
import { type SQL, sql } from 'drizzle-orm'
import { hasNumberCalls } from './number-calls.ts'
import { retainedHashes, suppressedHashes } from './tables.ts'

const param = sql.placeholder

const isListed = (companyId: SQL, hash: SQL) => sql`exists (select 1 from ${suppressedHashes}
  where ${suppressedHashes.companyId} = ${companyId} and ${suppressedHashes.numberHash} = ${hash})`

/** True when the number with this hash must not be called in the whole company. */
export const isHashedForCompany = isListed

const isRetained = (
  companyId: SQL,
  hash: SQL,
  campaignNumber: SQL,
) => sql`exists (select 1 from ${retainedHashes}
  where ${retainedHashes.companyId} = ${companyId} and ${retainedHashes.numberHash} = ${hash}
    and ${retainedHashes.campaignNumber} = ${campaignNumber})`

/** True when the number with this hash must not be called in the campaign. */
export const isHashed = (companyId: SQL, hash: SQL, campaignNumber: SQL) => sql`(${hash} <> ''
  and (${isListed(companyId, hash)} or ${isRetained(companyId, hash, campaignNumber)}))`

/** A company that retained a number has the check of its pepper among these: see insertRetained. */
export const hasHashes = (companyId: SQL) => sql`exists (select 1 from ${suppressedHashes}
  where ${suppressedHashes.companyId} = ${companyId})`

/**
 * The company has hashes, and they were made with another pepper, or there is none: nobody can tell any more which
 * numbers must not be called, so nothing may be called, or come in.
 */
export const isPepperLost = (companyId: SQL) =>
  sql`(${hasHashes(companyId)} and not ${isListed(companyId, sql`${param('pepperCheck')}`)})`

/**
 * Leads cannot be stored: the pepper is lost, or their numbers were not hashed and there is something to compare them with.
 * Remembered calls alone need no pepper: without theirs they are not found, and a week later they are gone.
 */
export const cannotTakeIn = (companyId: SQL) => sql`(${isPepperLost(companyId)}
  or (${param('pepperCheck')} is null and ${hasNumberCalls(companyId)}))`

/** Lists the hash of the number, and of the pepper beside it. `companies` is a select of `company_id`. */
export const insertHash = (companies: SQL) => sql`insert into ${suppressedHashes}
    (company_id, number_hash, created_at_ms)
  select company_id, item.value, ${param('nowMs')} from (${companies}) as company
  cross join json_each(json_array(${param('numberHash')}, ${param('pepperCheck')})) as item
  where true on conflict do nothing`

/** `hashes` is a select of the key's two columns. */
export const deleteHashes = (hashes: SQL) => sql`delete from ${suppressedHashes}
  where (company_id, number_hash) in (${hashes}) returning number_hash as "numberHash"`

/**
 * Two statements, in one batch: numbers are suppressed in a campaign by their hash, and the hash of the pepper is listed
 * beside them. `numbers` is a select of `company_id`, `campaign_number`, `number_hash` and `reason`.
 */
export const insertRetained = (numbers: SQL): readonly [SQL, SQL] => [
  sql`insert into ${retainedHashes} (company_id, campaign_number, number_hash, reason, created_at_ms)
    select numbers.company_id, numbers.campaign_number, numbers.number_hash, numbers.reason, ${param('nowMs')}
    from (${numbers}) as numbers where true on conflict do nothing`,
  sql`insert into ${suppressedHashes} (company_id, number_hash, created_at_ms)
    select distinct numbers.company_id, ${param('pepperCheck')}, ${param('nowMs')}
    from (${numbers}) as numbers where true on conflict do nothing`,
]

/** `hashes` is a select of the key's three columns: company, campaign, hash. */
export const deleteRetained = (hashes: SQL) => sql`delete from ${retainedHashes}
  where (company_id, campaign_number, number_hash) in (${hashes}) returning number_hash as "numberHash"`
