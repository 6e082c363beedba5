// Remembers the calls of erased leads that the limits of a number still count: a week of times, by the number's hash.
// Other leads of the number carry the hash, so that a claim finds the times (number-limits.ts). Nothing is kept
// without a pepper.
import { type SQL, sql } from 'drizzle-orm'
import { param, runBatch, statement } from '../../database/database.ts'
import { setNumberHashes } from '../../leads/store/emptied.ts'
import { calls } from '../../ledger/calls/tables.ts'
import {
  forgetOldNumberCalls,
  hashOfCalls,
  insertNumberCalls,
} from '../../ledger/suppression/number-calls.ts'
import { leadsJoined } from '../../suppression/store/suppress.ts'

/** The longest time that a limit looks back. */
const limitsLookBackMs = sql.raw(`${7 * 86_400_000}`)

/** Calls of a lead that a limit still counts. */
const isCounted = (companyId: SQL, phoneNumber: SQL, seq: SQL) => sql`k.company_id = ${companyId}
  and k.phone_number = ${phoneNumber} and k.claimed_at_ms > ${param('nowMs')} - ${limitsLookBackMs}
  and k.seq = ${seq} and k.outcome is not 'released'`

/** True when forgetting the lead would forget calls that a limit still counts. */
export const hasCountedCalls = (companyId: SQL, phoneNumber: SQL, seq: SQL) =>
  sql`exists (select 1 from ${calls} as k where ${isCounted(companyId, phoneNumber, seq)})`

/** `lost` has `seq`, `company_id`, `phone_number` and `number_hash`, which may be null where nothing is counted. */
const isLostCounted = isCounted(sql`lost.company_id`, sql`lost.phone_number`, sql`lost.seq`)
const withCountedCalls = (found: SQL) => sql`(select lost.seq as lost_seq, lost.company_id, lost.phone_number,
    lost.number_hash, 0 as campaign_number from (${found}) as lost
  where lost.number_hash <> '' and exists (select 1 from ${calls} as k where ${isLostCounted}))`

/** Goes before forgetLeads in its batch. */
export const rememberCalls = (found: SQL): readonly SQL[] => [
  insertNumberCalls(sql`select k.company_id, lost.number_hash, k.claimed_at_ms
    from (${found}) as lost
    cross join ${calls} as k on ${isLostCounted}
    where lost.number_hash <> ''`),
  setNumberHashes(sql`select l.seq, wanted.number_hash from ${leadsJoined(withCountedCalls(found))}
    where l.seq <> wanted.lost_seq`),
]

/**
 * All leads of `numbers` carry the hash, where calls are stored under it. `numbers` selects `company_id`, `phone_number` and
 * `number_hash`, which may be empty.
 */
export const carryHashes = (numbers: SQL) =>
  setNumberHashes(
    sql`select l.seq, wanted.number_hash from ${leadsJoined(sql`(
    select distinct own.company_id, own.phone_number, own.number_hash, 0 as campaign_number
    from (${numbers}) as own
    where ${hashOfCalls(sql`own.company_id`, sql`own.number_hash`)} is not null)`)}`,
  )

const forgetOld = statement<'nowMs'>(forgetOldNumberCalls(limitsLookBackMs))

/** Deletes some of the calls that no limit counts any more. Throws DatabaseUnavailable. */
export async function forgetOldCalls(db: D1Database, nowMs: number): Promise<void> {
  await runBatch(db, [forgetOld(db, { nowMs })])
}
