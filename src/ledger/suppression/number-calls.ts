// When numbers were called whose leads were erased since, by their hash (number-hash.ts). What is written there and for how
// long is decided in src/erasure/store/number-memory.ts. Nobody is suppressed by it.
import { type SQL, sql } from 'drizzle-orm'
import { numberCalls } from './tables.ts'

/** True while calls of erased leads are remembered in the company. */
export const hasNumberCalls = (companyId: SQL) => sql`exists (select 1 from ${numberCalls}
  where ${numberCalls.companyId} = ${companyId})`

/** The hash, if calls of the number are remembered by it; else null. It may be empty: then nothing was hashed. */
export const hashOfCalls = (
  companyId: SQL,
  hash: SQL,
) => sql`iif(${hash} <> '' and exists (select 1 from ${numberCalls}
  where ${numberCalls.companyId} = ${companyId} and ${numberCalls.numberHash} = ${hash}), ${hash}, null)`

/** `found` is a select of the three columns. */
export const insertNumberCalls = (
  found: SQL,
) => sql`insert into ${numberCalls} (company_id, number_hash, called_at_ms)
  ${found} on conflict do nothing`

/** A limit of the work of one minute. */
const forgottenPerRun = sql.raw('5000')

/** Placeholder `nowMs`. */
export const forgetOldNumberCalls = (keptMs: SQL) => sql`delete from ${numberCalls}
  where (company_id, number_hash, called_at_ms) in (
    select old.company_id, old.number_hash, old.called_at_ms from ${numberCalls} as old
    where old.called_at_ms <= ${sql.placeholder('nowMs')} - ${keptMs} limit ${forgottenPerRun})`
