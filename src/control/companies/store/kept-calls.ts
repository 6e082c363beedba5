// Calls since the time of a restore: what became of them, and of their leads, is written again. Leads that were created
// since are gone: their calls stay in the memory of numbers, by hash, where a do-not-call still finds them. Of one of
// them that could still be reported, nobody knows how it ends, so its number is suppressed, as in the erasure of a
// lead.
import { getTableName, type SQL, sql } from 'drizzle-orm'
import { param } from '../../../base/database/database.ts'
import { primaryKeyOf } from '../../../base/database/primary-key.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { hasConsentRecords } from '../../../base/ledger/consent/kept-consents.ts'
import { logSuppressed, logSuppressedAgain, lostReason } from '../../../base/ledger/consent/number-log.ts'
import { addCounts, countColumns } from '../../../base/ledger/hours/counts.ts'
import { theSystem } from '../../../base/ledger/log/append.ts'
import {
  insertCheck,
  insertHashes,
  insertRetained,
  isHashedForCompany,
  isPepperLost,
} from '../../../base/ledger/suppression/hashed-numbers.ts'
import { insertLostCalls } from '../../../base/ledger/suppression/lost-calls.ts'
import { insertNumberCalls } from '../../../base/ledger/suppression/number-calls.ts'
import { erasureMark, insertNumbers } from '../../../base/ledger/suppression/numbers.ts'
import { returnHeldOf } from '../../../queue/campaigns/store/minute-cursors.ts'
import { isReportable, outcomeOfOpen } from '../../../queue/erasure/store/forget-leads.ts'
import { carryHashes, hashedSpellings, hashOfKey } from '../../../queue/erasure/store/number-memory.ts'
import { numberOfErased } from '../../../queue/leads/store/emptied.ts'
import { dequeuedCounts, dequeueSuppressed } from '../../../queue/leads/store/queue.ts'
import { campaignAt } from '../../../queue/leads/store/row.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { leadsOfNumbers } from '../../../queue/suppression/store/suppress.ts'
import {
  at,
  type Complete,
  insert,
  isCampaign,
  isOfCompany,
  isSince,
  itemAs,
  items,
  keptTable,
  list,
  valuesOf,
} from './kept-table.ts'
import { columnsOf, names, otherColumns } from './row-ranges.ts'

/** What a call leaves in its lead. */
const leadState = [
  'status',
  'attempts',
  'attempts_forgiven',
  'queue_rank',
  'due_at_ms',
  'lease_expires_at_ms',
  'claim_token',
  'finished_at_ms',
  'moved_to_ms',
  'held_due_at_ms',
  'gate_asks_at_ms',
  'number_hash',
]
/** The hash of a number with calls of other leads may have been written by the range before. */
const stateIn = (column: string) =>
  column === 'number_hash' ? 'coalesce(state.number_hash, leads.number_hash)' : `state.${column}`

const callColumns = columnsOf(calls)
const [tokenAt, versionAt, erasedAt] = [callColumns.length, callColumns.length + 1, callColumns.length + 2]
const stateAt = erasedAt + 1
const hashAt = stateAt + leadState.length
const check = at(hashAt + 1)
const spellingsAt = hashAt + 2
const call = (column: string) => at(callColumns.indexOf(column))
const stateOf = (column: string) => at(stateAt + leadState.indexOf(column))
const ofLead = (column: string) => sql.raw(`(select l.${column} from leads as l where l.seq = t.seq)`)

/** The lead was there at the moment of the restore. */
const sameLead = sql`cross join ${leads} as l on l.seq = ${call('seq')} and l.token = ${at(tokenAt)}
  and ${at(erasedAt)} is null`
const isGone = sql`${isOfCompany(call('company_id'))} and not exists (select 1 from ${leads} as l
  where l.seq = ${call('seq')} and l.token = ${at(tokenAt)})`
/** Only the restore has taken it. */
const isLost = sql`${isGone} and ${at(erasedAt)} is null`
const isLeadGone = sql`${isLost} and ${at(hashAt)} <> ''`

/** What an erasure leaves of a call, for the use of a consent. */
const leftOfCall: Readonly<Record<string, SQL>> = {
  phone_number: numberOfErased(sql`(${call('seq')})`),
  provider_call_id: sql`null`,
  outcome: sql`coalesce(${call('outcome')}, ${outcomeOfOpen(call('inbound'))})`,
  ended_at_ms: sql`coalesce(${call('ended_at_ms')}, ${param('nowMs')})`,
}
const states = sql`select distinct l.seq, l.campaign_number, l.status as status_before, ${at(versionAt)} as version,
    ${itemAs(leadState, stateAt)}
  from ${items} ${sameLead}`

/** All spellings of the numbers of calls whose lead is gone. */
const lostSpellings = sql`select ${call('company_id')} as company_id, spelling.value ->> 0 as phone_number,
    spelling.value ->> 1 as number_hash, ${hashOfKey(at(spellingsAt))} as key_hash,
    ${call('claimed_at_ms')} as claimed_at_ms, ${call('seq')} as seq,
    ${call('token')} as token, ${call('outcome')} as outcome, ${campaignAt(call('seq'))} as campaign_number,
    ${check} as pepper_check
  from ${items}
  cross join json_each(${at(spellingsAt)}) as spelling
  where ${isLeadGone}`

const isGonePepperLost = isPepperLost(sql`gone.company_id`, sql`gone.pepper_check`)
const refused = sql`select gone.company_id, gone.campaign_number, gone.number_hash, 'not_interested' as reason,
    gone.pepper_check
  from (${lostSpellings}) as gone
  where gone.outcome = 'not_interested' and not ${isGonePepperLost}`
const refusedInGone = sql`${refused} and not ${isCampaign(sql`gone.campaign_number`, sql`gone.company_id`)}`

/** All spellings of numbers whose call could still be reported. */
const unheard = sql`select ${call('company_id')} as company_id, spelling.value ->> 0 as phone_number,
    spelling.value ->> 1 as number_hash, 0 as campaign_number, ${check} as pepper_check
  from ${items}
  cross join json_each(${at(spellingsAt)}) as spelling
  where ${isLost} and (${call('outcome')} is null or ${isReportable(call('outcome'), call('ended_at_ms'))})`
const hashable = sql`select spelled.* from (${unheard}) as spelled
  where spelled.number_hash <> '' and not ${isPepperLost(sql`spelled.company_id`, sql`spelled.pepper_check`)}`
const [companyId, phoneNumber] = [sql`spelled.company_id`, sql`spelled.phone_number`]
const isHashed = isHashedForCompany(companyId, sql`spelled.number_hash`)
/** Claims look at plain numbers alone. One that has no hash has no other place. */
const isListed = sql`(not ${isHashed}
  or exists (${leadsOfNumbers(sql`(select ${companyId}, ${phoneNumber}, 0 as campaign_number)`)}))`
/** Something of it stays in plain. Else a consent that comes later is withdrawn by its hash. */
const isPlain = sql`(${isListed} or ${hasConsentRecords(companyId, phoneNumber)})`
const suppressUnheard = [
  insertCheck(hashable, sql`company.pepper_check`),
  insertHashes(hashable),
  ...logSuppressedAgain(
    sql`select distinct ${companyId}, ${phoneNumber}, 0 as campaign_number, ${lostReason} as reason, 0 as is_new
      from (${unheard}) as spelled
      where ${isPlain}`,
    theSystem.actor,
  ),
  logSuppressed(
    sql`select distinct ${companyId}, spelled.number_hash as phone_number, 0 as campaign_number, ${lostReason} as reason
      from (${unheard}) as spelled
      where not ${isPlain}`,
    theSystem.actor,
  ),
  insertNumbers(sql`select distinct ${companyId}, ${phoneNumber}, 0, ${lostReason},
      iif(${isHashed}, ${erasureMark}, ${lostReason}), 0
    from (${unheard}) as spelled
    where ${isListed}`),
  addCounts(dequeuedCounts(leadsOfNumbers(sql`(${unheard})`))),
  dequeueSuppressed(leadsOfNumbers(sql`(${unheard})`)),
]

const writeCalls = [
  sql`insert into ${sql.raw(getTableName(calls))} (${names(callColumns)})
    select ${list(callColumns.map(call))} from ${items} ${sameLead}
    where true
    on conflict do update set ${otherColumns(callColumns, primaryKeyOf(calls))}`,
  addCounts(
    sql`select ${countColumns({
      campaignNumber: sql`state.campaign_number`,
      statusBefore: sql`state.status_before`,
      statusAfter: sql`state.status`,
    })} from (${states}) as state`,
  ),
  sql`update ${sql.raw(getTableName(leads))} set ${sql.raw(
    leadState.map((column) => `${column} = ${stateIn(column)}`).join(', '),
  )}, version = max(leads.version, state.version) + 1, gate_version = null, gate_until_ms = null,
    gate_refused_by = null
    from (select * from (${states}) limit -1) as state
    where leads.seq = state.seq`,
  insert(
    calls,
    callColumns,
    callColumns.map((column) => leftOfCall[column] ?? call(column)),
    sql`${call('consent_id')} is not null and (${at(erasedAt)} is not null or ${isGone})
      and not exists (select 1 from ${calls} as own where own.company_id = ${call('company_id')}
        and own.consent_id = ${call('consent_id')} and own.claimed_at_ms = ${call('claimed_at_ms')}
        and own.seq = ${call('seq')})`,
  ),
  returnHeldOf(
    sql`select state.campaign_number from (${states}) as state where state.held_due_at_ms is not null`,
  ),
  // For the limits of a phone, of its other leads and of one that comes in again; while its call may be live, for all
  // of them.
  insertNumberCalls(sql`select ${call('company_id')}, ${hashOfKey(at(spellingsAt))}, ${call('claimed_at_ms')},
      iif(${call('outcome')} is null and ${stateOf('claim_token')} = ${call('token')},
      ${stateOf('lease_expires_at_ms')}, null), ${call('inbound')} is not null
    from ${items}
    where ${isLeadGone} and (${call('outcome')} is not 'released' or ${call('inbound')} is not null)`),
  // For a do-not-call that is reported after the restore.
  insertLostCalls(sql`select gone.company_id, gone.number_hash, gone.claimed_at_ms, gone.seq, gone.token,
      gone.campaign_number, gone.pepper_check
    from (${lostSpellings}) as gone
    where not ${isGonePepperLost}`),
  carryHashes(
    sql`select gone.company_id, gone.phone_number, gone.key_hash as number_hash from (${lostSpellings}) as gone`,
  ),
  ...insertRetained(
    sql`${refused} and ${isCampaign(sql`gone.campaign_number`, sql`gone.company_id`)}`,
    sql`company.pepper_check`,
  ),
  // As kept-rows.ts has it of those that retention has refused: the campaign may be created again.
  insertCheck(refusedInGone, sql`company.pepper_check`),
  insertHashes(refusedInGone),
  ...suppressUnheard,
]

/** The hash of its number, the check of the pepper, and all spellings of the number (D70), each with its hash, JSON. */
const hashCalls: Complete = async (_, rows, hashesOf) =>
  rows.map((row) => {
    const [companyId, phoneNumber] = row as [string, string]
    const hashes = hashesOf(companyId)
    return [...row, hashes.of(phoneNumber), hashes.pepperCheck, hashedSpellings(phoneNumber, hashes)]
  })

/** Those of an erased lead are forgotten with it, except the uses of consents. */
export const keptCalls = keptTable({
  table: calls,
  values: [
    ...valuesOf(callColumns),
    ...['token', 'version', 'erased_at_ms', ...leadState].map(
      (column) => [`lead_${column}`, ofLead(column)] as const,
    ),
  ],
  isKept: sql`iif(${ofLead('erased_at_ms')} is null,
    ${isSince('claimed_at_ms')} or ${isSince('ended_at_ms')} or t.outcome is null,
    t.consent_id is not null and ${isSince('claimed_at_ms')})`,
  write: writeCalls,
  complete: hashCalls,
})
