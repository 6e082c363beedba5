// Numbers that are suppressed by their hash alone (number-hash.ts): what others ask of them in their own transactions,
// and how they are listed and lifted. Placeholders: `pepperCheck`, and `numberHash` where one number is meant.
import { type SQL, sql } from 'drizzle-orm'
import { suppressedHashes } from './tables.ts'

const param = sql.placeholder

const isListed = (companyId: SQL, hash: SQL) => sql`exists (select 1 from ${suppressedHashes}
  where ${suppressedHashes.companyId} = ${companyId} and ${suppressedHashes.numberHash} = ${hash})`

/** True when the number with this hash must not be called in the company. */
export const isHashed = isListed

export const hasHashes = (companyId: SQL) => sql`exists (select 1 from ${suppressedHashes}
  where ${suppressedHashes.companyId} = ${companyId})`

/**
 * The company has hashes, and they were made with another pepper, or there is none: nobody can tell any more which
 * numbers must not be called, so nothing may be called, or come in.
 */
export const isPepperLost = (companyId: SQL) =>
  sql`(${hasHashes(companyId)} and not ${isListed(companyId, sql`${param('pepperCheck')}`)})`

/** Lists the hash of the number, and of the pepper beside it. `companies` is a select of `company_id`. */
export const insertHash = (companies: SQL) => sql`insert into ${suppressedHashes}
    (company_id, number_hash, created_at_ms)
  select company_id, item.value, ${param('nowMs')} from (${companies}) as company
  cross join json_each(json_array(${param('numberHash')}, ${param('pepperCheck')})) as item
  where true on conflict do nothing`

/** `hashes` is a select of the key's two columns. */
export const deleteHashes = (hashes: SQL) => sql`delete from ${suppressedHashes}
  where (company_id, number_hash) in (${hashes}) returning number_hash as "numberHash"`
