// Empties erased leads: only place, time and token are left. The row stays, because the next lead gets the last place +
// 1: if the last row were deleted, another lead would get its place and its cursor.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../base/database/database.ts'
import { changeableNames } from '../field-table.ts'
import { storedFields } from '../fields.ts'
import { columnNameOf, toColumn } from './field-columns.ts'
import { inNoIndex } from './search-index.ts'
import { leads } from './tables.ts'

/** Replaces the phone number, which a new lead of the campaign may then have. */
export const numberOfErased = (seq: SQL) => sql`'erased:' || ${seq}`

/** An erased lead's claim token: whether its number was suppressed when it was erased. No call has this token. */
export const erasedAndSuppressed = sql.raw(`'suppressed'`)
export const wasSuppressed = sql`(${leads.erasedAtMs} is not null and ${leads.claimToken} is ${erasedAndSuppressed})`

const nothing = storedFields({})
const emptyFields = changeableNames.map((field) => {
  const empty = sql.raw(nothing[field] === null ? 'null' : `${nothing[field]}`)
  return sql`${sql.identifier(leads[columnNameOf(field)].name)} = ${toColumn(field, empty)}`
})

/** `seqs` selects places, `isSuppressed` is whether their numbers are. Placeholder `nowMs`. */
export const emptyLeads = (seqs: SQL, isSuppressed: SQL) => sql`update ${leads}
  set phone_number = ${numberOfErased(sql`${leads.seq}`)}, ${sql.join(emptyFields, sql`, `)},
    status = 'raw', queue_rank = 0, due_at_ms = null, lease_expires_at_ms = null,
    request_key = null, claim_token = iif(${isSuppressed}, ${erasedAndSuppressed}, null), finished_at_ms = null,
    moved_to_ms = null, held_due_at_ms = null, number_hash = null, metadata_erased_at_ms = null,
    gate_version = null, gate_until_ms = null, gate_refused_by = null, gate_asks_at_ms = null,
    origin = substr(${leads.origin}, 1, 1), import_name = null, ${inNoIndex},
    erased_at_ms = ${param('nowMs')}, version = ${leads.version} + 1
  where ${leads.seq} in (${seqs}) and ${leads.erasedAtMs} is null
  returning 1 as emptied`

/** Takes leads out of the search index alone. `seqs` selects places. */
export const unindexLeads = (seqs: SQL) => sql`update ${leads} set ${inNoIndex}
  where ${leads.seq} in (${seqs})
  returning 1 as unindexed`

/** For leads whose phone has remembered calls. `found` selects `seq` and `number_hash`. */
export const setNumberHashes = (found: SQL) => sql`update ${leads} set number_hash = found.number_hash
  from (select * from (${found}) limit -1) as found
  where ${leads.seq} = found.seq`
