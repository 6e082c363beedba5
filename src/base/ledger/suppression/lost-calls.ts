// Calls whose lead is gone, and what is left of each: its id, and the hashes of its number. A do-not-call that is
// reported by that id still suppresses the number (src/queue/calling/store/sql/lost-reports.ts).
// src/queue/erasure/store/number-memory.ts decides which calls are kept, and for how long.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../access/store/moving.ts'
import { param } from '../../database/database.ts'
import { lostCalls } from './tables.ts'

export const hasLostCalls = (companyId: SQL) => sql`exists (select 1 from ${lostCalls}
  where ${lostCalls.companyId} = ${companyId})`

/** The number with this hash has any. */
export const isOfLostCall = (companyId: SQL, hash: SQL) => sql`exists (select 1 from ${lostCalls}
  where ${lostCalls.companyId} = ${companyId} and ${lostCalls.numberHash} = ${hash})`

/** `found` selects the columns in their order: for each call a row with each hash of its number. */
export const insertLostCalls = (found: SQL) => sql`insert into ${lostCalls}
    (company_id, number_hash, claimed_at_ms, seq, token, campaign_number, pepper_check)
  ${found} on conflict do nothing`

/** Limits the work of one minute. */
const forgottenPerRun = sql.raw('5000')

/** Placeholder `nowMs`. */
export const forgetOldLostCalls = (keptMs: SQL) => sql`delete from ${lostCalls}
  where (company_id, number_hash, claimed_at_ms, seq, token) in (
    select old.company_id, old.number_hash, old.claimed_at_ms, old.seq, old.token from ${lostCalls} as old
    where old.claimed_at_ms <= ${param('nowMs')} - ${keptMs} and ${isWritableCompany(sql`old.company_id`)}
    limit ${forgottenPerRun})`
