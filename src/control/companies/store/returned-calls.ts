// Calls that a restore had taken, and that are back since it is undone. Where somebody has said no meanwhile, the
// number was known by its hash alone: its leads, which are back too, are listed in plain. What was suppressed for such
// a call alone, since nobody knew how it would end, is suppressed no more: it can be reported again.
import { type SQL, sql } from 'drizzle-orm'
import { readRows, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { logSuppressed, lostReason } from '../../../base/ledger/consent/number-log.ts'
import { numberLog } from '../../../base/ledger/consent/tables.ts'
import { addCounts } from '../../../base/ledger/hours/counts.ts'
import { theSystem } from '../../../base/ledger/log/append.ts'
import { deleteHashes, isHashedForCompany } from '../../../base/ledger/suppression/hashed-numbers.ts'
import { erasureMark, insertNumbers, isListed } from '../../../base/ledger/suppression/numbers.ts'
import { spellingsOf } from '../../../base/ledger/suppression/spellings.ts'
import { lostCalls } from '../../../base/ledger/suppression/tables.ts'
import { waits } from '../../../base/limits.ts'
import { dequeuedCounts, dequeueSuppressed } from '../../../queue/leads/store/queue.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { leadsOfNumbers } from '../../../queue/suppression/store/suppress.ts'
import { at, type Complete, itemAs, items, keptTable, valuesOf } from './kept-table.ts'

/** A table expression: the call, as `k`, and its lead, as `l`, unless that is erased. */
const theCall = (companyId: SQL, claimedAtMs: SQL, seq: SQL, token: SQL) => sql`${leads} as l
  cross join ${calls} as k on k.company_id = ${companyId} and k.phone_number = l.phone_number
    and k.claimed_at_ms = ${claimedAtMs} and k.seq = l.seq and k.token = ${token}
  where l.seq = ${seq} and l.erased_at_ms is null`

const callsBack = statement<'rows'>(sql`select distinct item.value ->> 0 as "companyId",
    (select l.phone_number from ${theCall(at(0), at(1), at(2), at(3))}) as "phoneNumber"
  from ${items}`)

/** All spellings of their numbers, each with its hash. */
const spellNumbers: Complete = async (db, rows, hashesOf) => {
  const bound = callsBack(db, { rows: JSON.stringify(rows) })
  type Back = { readonly companyId: string; readonly phoneNumber: string | null }
  const found = await readRows<Back>(db, bound, waits.administrationMs)
  return found.flatMap(({ companyId, phoneNumber }) =>
    phoneNumber === null
      ? []
      : spellingsOf(phoneNumber).map((spelling) => [companyId, spelling, hashesOf(companyId).of(spelling)]),
  )
}

const back = sql`(select ${itemAs(['company_id', 'phone_number', 'number_hash'])} from ${items}) as back`
/** The log knows of lost calls alone. Of what it knows nothing, somebody may have said no. */
const isSupposed = sql`coalesce((select min(no.reason is ${lostReason}) from ${numberLog} as no
  where no.company_id = back.company_id and no.phone_number in (back.phone_number, back.number_hash)
    and no.kind = 'suppression'), 0)`
const said = sql`(select back.company_id, back.phone_number, 0 as campaign_number from ${back}
  where not ${isSupposed})`
/** Claims look at plain numbers alone, and these stand nowhere in plain. */
const unlisted = sql`select distinct said.*, ${lostReason} as reason from ${said} as said
  where not ${isListed(sql`said.company_id`, sql`said.phone_number`)}
    and exists (${leadsOfNumbers(sql`(select said.company_id, said.phone_number, 0 as campaign_number)`)})`

const isStillLost = sql`exists (select 1 from ${lostCalls} as g
  where g.company_id = back.company_id and g.number_hash = back.number_hash
    and not exists (select 1 from ${theCall(sql`g.company_id`, sql`g.claimed_at_ms`, sql`g.seq`, sql`g.token`)}))`

export const returnedCalls = keptTable({
  name: 'returned_calls',
  table: lostCalls,
  values: valuesOf(['company_id', 'claimed_at_ms', 'seq', 'token']),
  isKept: isHashedForCompany(sql`t.company_id`, sql`t.number_hash`),
  write: [
    logSuppressed(unlisted, theSystem.actor),
    insertNumbers(sql`select listed.company_id, listed.phone_number, 0, ${lostReason}, ${erasureMark}, 0
      from (${unlisted}) as listed`),
    addCounts(dequeuedCounts(leadsOfNumbers(said))),
    dequeueSuppressed(leadsOfNumbers(said)),
    deleteHashes(sql`select back.company_id, back.number_hash from ${back}
      where ${isSupposed} and not ${isStillLost}`),
  ],
  complete: spellNumbers,
})
