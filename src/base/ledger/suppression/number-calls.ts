// Calls of erased leads, by the hash of the phone's key (number-hash.ts). They suppress nothing.
// src/queue/erasure/store/number-memory.ts decides what is stored, and for how long.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../access/store/moving.ts'
import { param } from '../../database/database.ts'
import { isPepperLost } from './hashed-numbers.ts'
import { hasLostCalls, isOfLostCall } from './lost-calls.ts'
import { numberCalls } from './tables.ts'

/** The company has calls of leads that are gone. */
const hasNumberCalls = (companyId: SQL) => sql`(exists (select 1 from ${numberCalls}
  where ${numberCalls.companyId} = ${companyId}) or ${hasLostCalls(companyId)})`

/**
 * Leads cannot be stored: the pepper is lost, or their numbers are not hashed and there are hashes to compare with.
 * Remembered calls do not require the right pepper: with another they are not found, and expire after a week.
 */
export const cannotStore = (companyId: SQL) => sql`(${isPepperLost(companyId)}
  or (${param('pepperCheck')} is null and ${hasNumberCalls(companyId)}))`

/** The hash when calls are stored under it, else null. An empty hash means: not hashed. */
export const hashOfCalls = (companyId: SQL, hash: SQL) => sql`iif(${hash} <> '' and (exists (
    select 1 from ${numberCalls}
    where ${numberCalls.companyId} = ${companyId} and ${numberCalls.numberHash} = ${hash})
  or ${isOfLostCall(companyId, hash)}), ${hash}, null)`

/** `found` selects the five columns. */
export const insertNumberCalls = (
  found: SQL,
) => sql`insert into ${numberCalls} (company_id, number_hash, called_at_ms, live_until_ms,
    is_inbound)
  ${found} on conflict do nothing`

/** Limits the work of one minute. */
const forgottenPerRun = sql.raw('5000')

/** Placeholder `nowMs`. */
export const forgetOldNumberCalls = (keptMs: SQL) => sql`delete from ${numberCalls}
  where (company_id, number_hash, called_at_ms) in (
    select old.company_id, old.number_hash, old.called_at_ms from ${numberCalls} as old
    where old.called_at_ms <= ${param('nowMs')} - ${keptMs} and ${isWritableCompany(sql`old.company_id`)}
    limit ${forgottenPerRun})`
