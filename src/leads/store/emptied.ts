// Emptying leads: what erasing leaves of one is its place, its time and its token. The row stays, because the next lead's
// place is the last place + 1: a last lead that was removed would give its place, and its cursor, to somebody else.
import { type SQL, sql } from 'drizzle-orm'
import { changeableNames, storedFields } from '../fields.ts'
import { columnNameOf, toColumn } from './row.ts'
import { leads } from './tables.ts'

/** In place of its number, which a new lead of the campaign may have. */
export const numberOfErased = (seq: SQL) => sql`'erased:' || ${seq}`

/** What an erased lead has for a claim's token: whether its number was suppressed with it. No call has such a token. */
const erasedAndSuppressed = sql.raw(`'suppressed'`)
export const wasSuppressed = sql`(${leads.erasedAtMs} is not null and ${leads.claimToken} is ${erasedAndSuppressed})`

const nothing = storedFields({})
const emptyFields = changeableNames.map((field) => {
  const empty = sql.raw(nothing[field] === null ? 'null' : `${nothing[field]}`)
  return sql`${sql.identifier(leads[columnNameOf(field)].name)} = ${toColumn(field, empty)}`
})

/**
 * `seqs` is a select of places, `isSuppressed` says whether their numbers are. An erased lead has a rank: one without is
 * looked for in the queue (D50). Placeholder `nowMs`.
 */
export const emptyLeads = (seqs: SQL, isSuppressed: SQL) => sql`update ${leads}
  set phone_number = ${numberOfErased(sql`${leads.seq}`)}, ${sql.join(emptyFields, sql`, `)},
    status = 'raw', queue_rank = 0, due_at_ms = null, lease_expires_at_ms = null,
    request_key = null, claim_token = iif(${isSuppressed}, ${erasedAndSuppressed}, null), finished_at_ms = null,
    moved_to_ms = null, number_hash = null, erased_at_ms = ${sql.placeholder('nowMs')}, version = ${leads.version} + 1
  where ${leads.seq} in (${seqs}) and ${leads.erasedAtMs} is null returning 1 as emptied`

/** Final leads from before there was a time of their end count from now on. `seqs` is a select of places. */
export const finishOld = (seqs: SQL) => sql`update ${leads} set finished_at_ms = ${sql.placeholder('nowMs')}
  where ${leads.seq} in (${seqs}) and ${leads.finishedAtMs} is null`

/** Leads whose number has calls that are remembered by its hash. `found` is a select of `seq` and `number_hash`. */
export const setNumberHashes = (found: SQL) => sql`update ${leads} set number_hash = found.number_hash
  from (select * from (${found}) limit -1) as found where ${leads.seq} = found.seq`
