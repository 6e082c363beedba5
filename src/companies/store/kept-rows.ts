// What a restore must not take back: who has said no since, who was called, who was erased, which keys have ended, and which
// URLs of sources. Read in ranges before the restore and written again after it, so that nobody is called who must not be.
// Written twice, it changes nothing more. Erasures are in kept-erasures.ts.
//
// Leads that were created since are gone: their calls stay in the memory of numbers, by hash.
import { getTableName, type SQL, sql } from 'drizzle-orm'
import { leaveWith } from '../../access/store/directory.ts'
import { apiKeys, campaigns, companies, members } from '../../access/store/tables.ts'
import { returnHeldOf } from '../../campaigns/store/minute-cursors.ts'
import { param, statement } from '../../database/database.ts'
import { primaryKeyOf } from '../../database/primary-key.ts'
import { numberOfErased } from '../../leads/store/emptied.ts'
import { dequeuedCounts, dequeueSuppressed } from '../../leads/store/queue.ts'
import { campaignAt } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { calls } from '../../ledger/calls/tables.ts'
import { consents, consentTexts, numberLog } from '../../ledger/consent/tables.ts'
import { addCounts, countColumns } from '../../ledger/hours/counts.ts'
import { appendAlways, entryColumns, theOperator } from '../../ledger/log/append.ts'
import { companiesRestored, type RestoreNames } from '../../ledger/log/begin-epoch.ts'
import { insertRetained, isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import { insertNumberCalls } from '../../ledger/suppression/number-calls.ts'
import { spellingsOf } from '../../ledger/suppression/spellings.ts'
import {
  numberCalls,
  retainedHashes,
  suppressedHashes,
  suppressions,
} from '../../ledger/suppression/tables.ts'
import { sources } from '../../sources/store/tables.ts'
import { leadsOfNumbers } from '../../suppression/store/suppress.ts'
import { erasedLeads, erasedNumbers } from './kept-erasures.ts'
import {
  at,
  type Complete,
  insert,
  isCampaign,
  isOfCompany,
  isSince,
  itemAs,
  items,
  type KeptTable,
  keptTable,
  list,
  valuesOf,
  wholeRows,
} from './kept-table.ts'
import { columnsOf, names, otherColumns } from './row-ranges.ts'

// A number that must not be called in a campaign that is gone is suppressed in the whole company: the campaign may be
// created again, and its leads sent again.
const suppressedIn = sql`iif(${isCampaign(at(2), at(0))}, ${at(2)}, 0)`
const suppressed = leadsOfNumbers(sql`(select ${at(0)} as company_id, ${at(1)} as phone_number,
    ${suppressedIn} as campaign_number from ${items})`)

const insertSuppressions = (columns: readonly string[]) => [
  insert(
    suppressions,
    columns,
    columns.map((_, index) => (index === 2 ? suppressedIn : at(index))),
    sql`true`,
    // One that was removed and added again since is the later one.
    sql`on conflict do update set ${otherColumns(columns, primaryKeyOf(suppressions))}
      where excluded.created_at_ms > suppressions.created_at_ms`,
  ),
  addCounts(dequeuedCounts(suppressed)),
  dequeueSuppressed(suppressed),
]

const insertRetainedHashes = (columns: readonly string[]) => [
  insert(
    retainedHashes,
    columns,
    columns.map((_, index) => at(index)),
    isCampaign(at(1), at(0)),
  ),
  insert(
    suppressedHashes,
    ['company_id', 'number_hash', 'created_at_ms'],
    [at(0), at(2), at(4)],
    sql`not ${isCampaign(at(1), at(0))}`,
  ),
]

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
  'number_hash',
]
const callColumns = columnsOf(calls)
const [tokenAt, versionAt, erasedAt] = [callColumns.length, callColumns.length + 1, callColumns.length + 2]
const stateAt = erasedAt + 1
const hashAt = stateAt + leadState.length
const check = at(hashAt + 1)
const spellingHashesAt = hashAt + 2
const call = (column: string) => at(callColumns.indexOf(column))
const ofLead = (column: string) => sql.raw(`(select l.${column} from leads as l where l.seq = t.seq)`)

/** The lead was there at the moment of the restore. */
const sameLead = sql`cross join ${leads} as l on l.seq = ${call('seq')} and l.token = ${at(tokenAt)}
  and ${at(erasedAt)} is null`
const isGone = sql`${isOfCompany(call('company_id'))} and not exists (select 1 from ${leads} as l
  where l.seq = ${call('seq')} and l.token = ${at(tokenAt)})`
const isLeadGone = sql`${isGone} and ${at(erasedAt)} is null and ${at(hashAt)} <> ''`

/** Of the use of a consent, what an erasure leaves of a call. */
const leftOfCall: Readonly<Record<string, SQL>> = {
  phone_number: numberOfErased(sql`(${call('seq')})`),
  provider_call_id: sql`null`,
  outcome: sql`coalesce(${call('outcome')}, 'unknown')`,
  ended_at_ms: sql`coalesce(${call('ended_at_ms')}, ${param('nowMs')})`,
}
const states = sql`select distinct l.seq, l.campaign_number, l.status as status_before, ${at(versionAt)} as version,
    ${itemAs(leadState, stateAt)}
  from ${items} ${sameLead}`

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
    leadState.map((column) => `${column} = state.${column}`).join(', '),
  )}, version = max(leads.version, state.version) + 1
    from (select * from (${states}) limit -1) as state
    where leads.seq = state.seq`,
  insert(
    calls,
    callColumns,
    callColumns.map((column) => leftOfCall[column] ?? call(column)),
    sql`${call('consent_id')} is not null and (${at(erasedAt)} is not null or ${isGone})`,
  ),
  returnHeldOf(
    sql`select state.campaign_number from (${states}) as state where state.held_due_at_ms is not null`,
  ),
  // For the limits of a number whose lead comes in again, and for one that has refused.
  insertNumberCalls(sql`select ${call('company_id')}, ${at(hashAt)}, ${call('claimed_at_ms')} from ${items}
    where ${isLeadGone} and ${call('outcome')} is not 'released'`),
  ...insertRetained(
    sql`select ${call('company_id')} as company_id, ${campaignAt(call('seq'))} as campaign_number,
      spelling.value as number_hash, 'not_interested' as reason, ${check} as pepper_check
    from ${items}
    cross join json_each(${at(spellingHashesAt)}) as spelling
    where ${isLeadGone} and ${call('outcome')} = 'not_interested'
      and ${isCampaign(campaignAt(call('seq')), call('company_id'))} and not ${isPepperLost(call('company_id'), check)}`,
    sql`company.pepper_check`,
  ),
]

/** The hash of its number, the check of the pepper, and the hashes of all spellings of the number (D70), JSON. */
const hashCalls: Complete = async (_, rows, hashesOf) =>
  rows.map((row) => {
    const [companyId, phoneNumber] = row as [string, string]
    const hashes = hashesOf(companyId)
    const ofSpellings = JSON.stringify(spellingsOf(phoneNumber).map(hashes.of))
    return [...row, hashes.of(phoneNumber), hashes.pepperCheck, ofSpellings]
  })

const memberColumns = [
  'id',
  'company_id',
  'scope',
  'campaign_number',
  'changed_at_ms',
  'removed_at_ms',
  'erased_at_ms',
]

const endKeys = sql`update ${sql.raw(getTableName(apiKeys))}
  set revoked_at_ms = coalesce(api_keys.revoked_at_ms, ended.revoked_at_ms),
    expires_at_ms = min(coalesce(api_keys.expires_at_ms, ended.expires_at_ms), ended.expires_at_ms)
  from (select ${at(0)} as id, ${at(3)} as company_id, ${at(1)} as revoked_at_ms,
    coalesce(${at(2)}, (select k.expires_at_ms from api_keys as k where k.id = ${at(0)})) as expires_at_ms
    from ${items}) as ended
  where api_keys.id = ended.id and api_keys.company_id = coalesce(ended.company_id, api_keys.company_id)`

const sourceColumns = ['id', 'company_id', 'version', 'is_enabled', 'removed_at_ms']

/** A URL that was replaced, disabled or removed since stays so. */
const closeSources = sql`update ${sql.raw(getTableName(sources))}
  set version = max(sources.version, closed.version), is_enabled = min(sources.is_enabled, closed.is_enabled),
    removed_at_ms = coalesce(sources.removed_at_ms, closed.removed_at_ms)
  from (select ${itemAs(sourceColumns)} from ${items}) as closed
  where sources.id = closed.id and sources.company_id = closed.company_id`

// One whose campaign is gone is removed: his rights were of that alone.
const isCampaignGone = sql`kept.campaign_number is not null
  and not ${isCampaign(sql`kept.campaign_number`, sql`kept.company_id`)}`
const keepMembers = sql`update ${sql.raw(getTableName(members))}
  set scope = kept.scope, changed_at_ms = kept.changed_at_ms,
    campaign_number = iif(${isCampaignGone}, members.campaign_number, kept.campaign_number),
    removed_at_ms = iif(${isCampaignGone}, coalesce(kept.removed_at_ms, ${param('nowMs')}), kept.removed_at_ms),
    email = iif(kept.erased_at_ms is null, members.email, null),
    name = iif(kept.erased_at_ms is null, members.name, null), erased_at_ms = kept.erased_at_ms
  from (select ${itemAs(memberColumns)} from ${items}) as kept
  where members.id = kept.id and members.company_id = kept.company_id`

const forgetMembers = leaveWith(sql`select gone.id, gone.company_id from ${items}
  cross join ${members} as gone on gone.id = ${at(0)} and gone.company_id = ${at(1)}
  where gone.removed_at_ms is not null`)

/** A consent that was hashed since is hashed again. */
const insertConsents = (columns: readonly string[]) => [
  insert(
    consents,
    columns,
    columns.map((_, index) => at(index)),
    sql`true`,
    sql`on conflict (company_id, id) do update set ${otherColumns(columns, ['company_id', 'id'])}`,
  ),
]

const isSinceOrHashed = sql`(${isSince('stored_at_ms')} or ${isSince('hashed_at_ms')})`

/** In this order: a suppression takes leads from the queue, and a call says what became of its lead. */
export const keptTables: readonly KeptTable[] = [
  keptTable({
    table: apiKeys,
    values: valuesOf(['id', 'revoked_at_ms', 'expires_at_ms', 'company_id']),
    isKept: sql`(${isSince('revoked_at_ms')} or t.expires_at_ms is not null)`,
    write: [endKeys],
  }),
  keptTable({
    table: sources,
    values: valuesOf(sourceColumns),
    isKept: isSince('changed_at_ms'),
    write: [closeSources],
  }),
  keptTable({
    table: members,
    values: valuesOf(memberColumns),
    isKept: sql`(${isSince('changed_at_ms')} or ${isSince('removed_at_ms')} or ${isSince('erased_at_ms')})`,
    write: [keepMembers, forgetMembers],
  }),
  wholeRows({
    table: suppressions,
    isKept: isSince('created_at_ms'),
    write: insertSuppressions,
  }),
  wholeRows({
    table: suppressedHashes,
    isKept: isSince('created_at_ms'),
  }),
  wholeRows({
    table: retainedHashes,
    isKept: isSince('created_at_ms'),
    write: insertRetainedHashes,
  }),
  wholeRows({
    table: consentTexts,
    isKept: isSince('stored_at_ms'),
  }),
  wholeRows({
    table: consents,
    key: ['company_id', 'id'],
    isKept: isSinceOrHashed,
    write: insertConsents,
  }),
  wholeRows({
    table: numberLog,
    isKept: isSinceOrHashed,
  }),
  // A week of them: an erasure since may have stored an older call.
  wholeRows({
    table: numberCalls,
    isKept: sql`true`,
  }),
  // Those of an erased lead are forgotten with it, except the uses of consents.
  keptTable({
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
  }),
  erasedLeads,
  erasedNumbers,
]

/** Once all is written: the held leads of restored companies return, and are judged by the settings that are back. */
export const judgeHeld = statement<RestoreNames>(
  returnHeldOf(sql`select c.number from ${campaigns} as c
    where c.company_id in ${companiesRestored}
      and exists (select 1 from ${leads} as l where l.campaign_number = c.number and l.held_due_at_ms is not null)`),
)

export const logRestored = statement<RestoreNames | 'nowMs'>(
  appendAlways(
    sql`select ${entryColumns({
      type: 'company.restored',
      companyId: sql`c.id`,
      data: sql`json_object('restoredTo',
        strftime('%Y-%m-%dT%H:%M:%fZ', ${param('restoredToMs')} / 1000.0, 'unixepoch'))`,
    })} from ${companies} as c where c.id in ${companiesRestored}`,
    theOperator,
  ),
)
