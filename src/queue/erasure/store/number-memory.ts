// Remembers a week of calls of erased leads, by the hash of the phone's key: their times, which the limits of the phone
// still count, the end of a lease that one had, and their ids, since a do-not-call may still be reported by one
// (base/ledger/suppression/lost-calls.ts). Other leads of the phone carry the hash, so that a claim finds the times
// (number-limits.ts), and a do-not-call the leads. Nothing is kept without a pepper.
import { type SQL, sql } from 'drizzle-orm'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { forgetOldLostCalls, insertLostCalls } from '../../../base/ledger/suppression/lost-calls.ts'
import {
  forgetOldNumberCalls,
  hashOfCalls,
  insertNumberCalls,
} from '../../../base/ledger/suppression/number-calls.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { spellingsOf } from '../../../base/ledger/suppression/spellings.ts'
import { setNumberHashes } from '../../leads/store/emptied.ts'
import { leads } from '../../leads/store/tables.ts'
import { leadsJoined } from '../../suppression/store/suppress.ts'

/** The longest time that a limit looks back, and a do-not-call is heard. */
const rememberedMs = sql.raw(`${7 * 86_400_000}`)

/** Calls of a lead that are remembered. */
const isRecent = (companyId: SQL, phoneNumber: SQL, seq: SQL) => sql`k.company_id = ${companyId}
  and k.phone_number = ${phoneNumber} and k.claimed_at_ms > ${param('nowMs')} - ${rememberedMs}
  and k.seq = ${seq}`

/** True when forgetting the lead would forget calls that must be remembered. */
export const hasRecentCalls = (companyId: SQL, phoneNumber: SQL, seq: SQL) =>
  sql`exists (select 1 from ${calls} as k where ${isRecent(companyId, phoneNumber, seq)})`

const isRecentOfLost = isRecent(sql`lost.company_id`, sql`lost.phone_number`, sql`lost.seq`)

/** All spellings of their numbers, with the hash of the phone's key. */
const withRecentCalls = (found: SQL) => sql`(select lost.seq as lost_seq, lost.company_id,
    spelling.value ->> 0 as phone_number, ${hashOfKey(sql`lost.spellings`)} as number_hash, 0 as campaign_number
  from (${found}) as lost
  cross join json_each(lost.spellings) as spelling
  where lost.number_hash <> '' and exists (select 1 from ${calls} as k where ${isRecentOfLost}))`

/** When the lease of a lost lead with its call `k` ends, while that is open. */
const liveUntilMs = sql`iif(k.outcome is null, (select l.lease_expires_at_ms from ${leads} as l
      where l.seq = lost.seq and l.claim_token = k.token), null)`

/**
 * Goes before forgetLeads in its batch. `found` selects, besides what that needs, `campaign_number`, `number_hash`,
 * which may be null where no call is recent, `spellings` (hashedSpellings), and `pepper_check`. `joined` joins the
 * leads of numbers.
 */
export const rememberCalls = (found: SQL, joined = leadsJoined): readonly SQL[] => [
  insertNumberCalls(sql`select k.company_id, ${hashOfKey(sql`lost.spellings`)}, k.claimed_at_ms, ${liveUntilMs},
      k.inbound is not null
    from (${found}) as lost
    cross join ${calls} as k on ${isRecentOfLost}
    where lost.number_hash <> '' and (k.outcome is not 'released' or k.inbound is not null)`),
  insertLostCalls(sql`select k.company_id, spelling.value ->> 1, k.claimed_at_ms, k.seq, k.token, lost.campaign_number,
      lost.pepper_check
    from (${found}) as lost
    cross join ${calls} as k on ${isRecentOfLost}
    cross join json_each(lost.spellings) as spelling
    where lost.number_hash <> ''`),
  setNumberHashes(sql`select l.seq, wanted.number_hash from ${joined(withRecentCalls(found))}
    where l.seq <> wanted.lost_seq`),
]

/** Each spelling of a number's phone with its hash, the key first: JSON. */
export const hashedSpellings = (phoneNumber: string, { of }: NumberHashes) =>
  JSON.stringify(spellingsOf(phoneNumber).map((spelling) => [spelling, of(spelling)]))

/** A value: the hash of the phone's key. */
export const hashOfKey = (spellings: SQL) => sql`(${spellings} ->> '$[0][1]')`

/**
 * All leads of `numbers` carry the hash, where calls are stored under it. `numbers` selects `company_id`,
 * `phone_number` and `number_hash`, which may be empty.
 */
export const carryHashes = (numbers: SQL) =>
  setNumberHashes(
    sql`select l.seq, wanted.number_hash from ${leadsJoined(sql`(
    select distinct own.company_id, own.phone_number, own.number_hash, 0 as campaign_number
    from (${numbers}) as own
    where ${hashOfCalls(sql`own.company_id`, sql`own.number_hash`)} is not null)`)}`,
  )

const forgetOld = [forgetOldNumberCalls(rememberedMs), forgetOldLostCalls(rememberedMs)].map(
  statement<'nowMs'>,
)

/** Deletes some of the calls that are older than a week. Throws DatabaseUnavailable. */
export async function forgetOldCalls(db: D1Database, nowMs: number): Promise<void> {
  await runSteps(db, forgetOld, { nowMs })
}
