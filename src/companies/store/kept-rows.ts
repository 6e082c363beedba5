// What a restore must not take back: who has said no since, who was called, who was erased, and which keys have ended. Read in
// ranges before the restore and written again after it, so that nobody is called who must not be. A row travels as a JSON
// array. Written twice, it changes nothing more.
//
// Leads that were created since are gone: their calls stay in the memory of numbers, by hash.
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys, campaigns, companies } from '../../access/store/tables.ts'
import { returnHeldOf } from '../../campaigns/store/returning.ts'
import { type Bind, param, statement } from '../../database/database.ts'
import { erasedEntries, forgetLeads, forgottenCounts } from '../../erasure/store/forget-leads.ts'
import { erasedAndSuppressed, numberOfErased } from '../../leads/store/emptied.ts'
import { dequeuedCounts, dequeueSuppressed } from '../../leads/store/queue.ts'
import { campaignAt } from '../../leads/store/row.ts'
import { erasedRuns, leads } from '../../leads/store/tables.ts'
import { calls } from '../../ledger/calls/tables.ts'
import { consents, consentTexts, numberLog } from '../../ledger/consent/tables.ts'
import { addCounts, countColumns } from '../../ledger/hours/counts.ts'
import { appendIfListening, theSystem } from '../../ledger/log/append.ts'
import { companiesRestored, type RestoreNames } from '../../ledger/log/begin-epoch.ts'
import { insertRetained } from '../../ledger/suppression/hashed-numbers.ts'
import { insertNumberCalls } from '../../ledger/suppression/number-calls.ts'
import {
  numberCalls,
  retainedHashes,
  suppressedHashes,
  suppressions,
} from '../../ledger/suppression/tables.ts'
import { leadsOfNumbers } from '../../suppression/store/suppress.ts'

type WriteNames = 'rows' | 'nowMs' | 'pepperCheck'

type KeptTable = {
  readonly name: string
  /** The `after` of the first range. */
  readonly start: string
  /** Rows of the next range, each as `row`, JSON; null: it has not changed since. `after` of the last one is the next range's. */
  readonly read: Bind<'after' | 'maxRows' | 'sinceMs'>
  readonly write: readonly Bind<WriteNames>[]
  /** In a row, of one whose hash is appended before it is written. */
  readonly numberAt: { readonly companyId: number; readonly phoneNumber: number } | null
}

type Spec = {
  readonly table: SQLiteTable
  /** `t` is the table. */
  readonly from?: SQL
  readonly key: readonly string[]
  readonly start: readonly (string | number)[]
  /** Values of a row. */
  readonly values: readonly SQL[]
  readonly isKept: SQL
  readonly write: readonly SQL[]
  readonly numberAt?: KeptTable['numberAt']
}

const names = (columns: readonly string[], prefix = '') =>
  sql.raw(columns.map((column) => `${prefix}${column}`).join(', '))
const list = (values: readonly SQL[]) => sql.join([...values], sql`, `)
const t = (column: string) => sql.raw(`t.${column}`)

function keptTable({ table, from, key, start, values, isKept, write, numberAt = null }: Spec): KeptTable {
  const after = sql.join(
    key.map((_, index) => sql`${param('after')} ->> ${sql.raw(`${index}`)}`),
    sql`, `,
  )
  return {
    name: getTableName(table),
    start: JSON.stringify(start),
    numberAt,
    read: statement<'after' | 'maxRows' | 'sinceMs'>(sql`select * from (
      select iif(${isKept}, json_array(${list(values)}), null) as row,
        json_array(${names(key, 't.')}) as after, lead(1) over (order by ${names(key, 't.')}) is null as is_last
      from (select t.* from ${from ?? sql`${table} as t`}
        where (${names(key, 't.')}) > (${after}) and ${param('sinceMs')} is not null
        order by ${names(key, 't.')}
        limit ${param('maxRows')}) as t)
      where row is not null or is_last`),
    write: write.map(statement<WriteNames>),
  }
}

const columnsOf = (table: SQLiteTable) =>
  Object.values(getTableColumns(table))
    .filter(({ generated }) => generated === undefined)
    .map(({ name }) => name)
const isSince = (column: string) => sql`${t(column)} >= ${param('sinceMs')}`

const items = sql`json_each(${param('rows')}) as item`
const at = (index: number) => sql.raw(`item.value ->> ${index}`)
/** The company may be gone, or in another store. */
const isOfCompany = (companyId: SQL) =>
  sql`exists (select 1 from ${companies} where ${companies.id} = ${companyId})`
const isCampaign = (number: SQL) =>
  sql`exists (select 1 from ${campaigns} where ${campaigns.number} = ${number})`

/** Rows as they are, for a table whose first column is `company_id`. */
const insert = (
  table: SQLiteTable,
  columns: readonly string[],
  values: readonly SQL[],
  where: SQL,
  onConflict = sql`on conflict do nothing`,
) =>
  sql`insert into ${sql.raw(getTableName(table))} (${names(columns)})
    select ${list(values)} from ${items}
    where ${isOfCompany(at(0))} and ${where}
    ${onConflict}`

/** What an upsert writes over a row of this key. */
const otherColumns = (columns: readonly string[], key: readonly string[]) =>
  sql.raw(
    columns
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = excluded.${column}`)
      .join(', '),
  )

type Whole = Omit<Spec, 'values' | 'write'> & {
  readonly write?: (columns: readonly string[]) => readonly SQL[]
}

const wholeRows = ({ write, ...spec }: Whole): KeptTable => {
  const columns = columnsOf(spec.table)
  const values = columns.map((_, index) => at(index))
  return keptTable({
    ...spec,
    values: columns.map(t),
    write: write?.(columns) ?? [insert(spec.table, columns, values, sql`true`)],
  })
}

// A number that must not be called in a campaign that is gone is suppressed in the whole company: the campaign may be
// created again, and its leads sent again.
const suppressedIn = sql`iif(${isCampaign(at(2))}, ${at(2)}, 0)`
const suppressed = leadsOfNumbers(sql`(select ${at(0)} as company_id, ${at(1)} as phone_number,
    ${suppressedIn} as campaign_number from ${items})`)

const insertSuppressions = (columns: readonly string[]) => [
  insert(
    suppressions,
    columns,
    columns.map((_, index) => (index === 2 ? suppressedIn : at(index))),
    sql`true`,
  ),
  addCounts(dequeuedCounts(suppressed)),
  dequeueSuppressed(suppressed),
]

const insertRetainedHashes = (columns: readonly string[]) => [
  insert(
    retainedHashes,
    columns,
    columns.map((_, index) => at(index)),
    isCampaign(at(1)),
  ),
  insert(
    suppressedHashes,
    ['company_id', 'number_hash', 'created_at_ms'],
    [at(0), at(2), at(4)],
    sql`not ${isCampaign(at(1))}`,
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
const callKey = ['company_id', 'phone_number', 'claimed_at_ms', 'seq']
const [tokenAt, versionAt, erasedAt] = [callColumns.length, callColumns.length + 1, callColumns.length + 2]
const stateAt = erasedAt + 1
const hashAt = stateAt + leadState.length
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
    ${list(leadState.map((column, index) => sql`${at(stateAt + index)} as ${sql.raw(column)}`))}
  from ${items} ${sameLead}`

const writeCalls = [
  sql`insert into ${sql.raw(getTableName(calls))} (${names(callColumns)})
    select ${list(callColumns.map(call))} from ${items} ${sameLead}
    where true
    on conflict do update set ${otherColumns(callColumns, callKey)}`,
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
  ...insertRetained(sql`select ${call('company_id')} as company_id, ${campaignAt(call('seq'))} as campaign_number,
      ${at(hashAt)} as number_hash, 'not_interested' as reason
    from ${items}
    where ${isLeadGone} and ${call('outcome')} = 'not_interested' and ${isCampaign(campaignAt(call('seq')))}`),
]

/** Leads that were erased, and are back. */
const backAgain = (isSuppressed: 0 | 1) => sql`select l.seq, l.campaign_number, c.company_id, l.phone_number
  from ${items}
  cross join ${leads} as l on l.seq = ${at(0)} and l.token = ${at(1)} and l.erased_at_ms is null
  cross join ${campaigns} as c on c.number = l.campaign_number
  where ${at(2)} = ${sql.raw(`${isSuppressed}`)}`

/** Of numbers whose last lead is erased again: what their log had is kept under the hash. */
const forgetLog = (found: SQL) => sql`delete from ${sql.raw(getTableName(numberLog))}
  where (company_id, phone_number) in (select back.company_id, back.phone_number from (${found}) as back
    where not exists (${leadsOfNumbers(sql`(select back.company_id, back.phone_number, 0 as campaign_number)`)}
      where l.seq not in (select other.seq from (${found}) as other)))`

const eraseAgain = (isSuppressed: 0 | 1) => {
  const found = backAgain(isSuppressed)
  return [
    forgetLog(found),
    appendIfListening(erasedEntries(found), theSystem),
    addCounts(forgottenCounts(found)),
    ...forgetLeads(found, sql.raw(`${isSuppressed}`)),
  ]
}

const endKeys = sql`update ${sql.raw(getTableName(apiKeys))}
  set revoked_at_ms = coalesce(api_keys.revoked_at_ms, ended.revoked_at_ms),
    expires_at_ms = min(coalesce(api_keys.expires_at_ms, ended.expires_at_ms), ended.expires_at_ms)
  from (select ${at(0)} as id, ${at(1)} as revoked_at_ms,
    coalesce(${at(2)}, (select k.expires_at_ms from api_keys as k where k.id = ${at(0)})) as expires_at_ms
    from ${items}) as ended
  where api_keys.id = ended.id`

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
    key: ['id'],
    start: [''],
    values: ['id', 'revoked_at_ms', 'expires_at_ms'].map(t),
    isKept: sql`(${isSince('revoked_at_ms')} or t.expires_at_ms is not null)`,
    write: [endKeys],
  }),
  wholeRows({
    table: suppressions,
    key: ['company_id', 'phone_number', 'campaign_number'],
    start: ['', '', -1],
    isKept: isSince('created_at_ms'),
    write: insertSuppressions,
  }),
  wholeRows({
    table: suppressedHashes,
    key: ['company_id', 'number_hash'],
    start: ['', ''],
    isKept: isSince('created_at_ms'),
  }),
  wholeRows({
    table: retainedHashes,
    key: ['company_id', 'number_hash', 'campaign_number'],
    start: ['', '', -1],
    isKept: isSince('created_at_ms'),
    write: insertRetainedHashes,
  }),
  wholeRows({
    table: consentTexts,
    key: ['company_id', 'sha256'],
    start: ['', ''],
    isKept: isSince('stored_at_ms'),
  }),
  wholeRows({
    table: consents,
    key: ['company_id', 'id'],
    start: ['', ''],
    isKept: isSinceOrHashed,
    write: insertConsents,
  }),
  wholeRows({
    table: numberLog,
    key: ['company_id', 'phone_number', 'withdraws', 'at_ms', 'kind', 'campaign_number'],
    start: ['', '', '', -1, '', -1],
    isKept: isSinceOrHashed,
  }),
  // A week of them: an erasure since may have stored an older call.
  wholeRows({
    table: numberCalls,
    key: ['company_id', 'number_hash', 'called_at_ms'],
    start: ['', '', -1],
    isKept: sql`true`,
  }),
  // Those of an erased lead are forgotten with it, but for the uses of consents.
  keptTable({
    table: calls,
    key: callKey,
    start: ['', '', -1, -1],
    values: [
      ...callColumns.map(t),
      ofLead('token'),
      ofLead('version'),
      ofLead('erased_at_ms'),
      ...leadState.map(ofLead),
    ],
    isKept: sql`iif(${ofLead('erased_at_ms')} is null,
      ${isSince('claimed_at_ms')} or ${isSince('ended_at_ms')} or t.outcome is null,
      t.consent_id is not null and ${isSince('claimed_at_ms')})`,
    write: writeCalls,
    numberAt: {
      companyId: callColumns.indexOf('company_id'),
      phoneNumber: callColumns.indexOf('phone_number'),
    },
  }),
  keptTable({
    table: leads,
    from: sql`${erasedRuns} as run
      cross join ${leads} as t on t.seq between max(run.first_seq, ${param('after')} ->> 0) and run.last_seq`,
    key: ['seq'],
    start: [-1],
    values: [t('seq'), t('token'), sql`t.claim_token is ${erasedAndSuppressed}`],
    isKept: isSince('erased_at_ms'),
    write: [...eraseAgain(0), ...eraseAgain(1)],
  }),
]

/** Once all is written: the held leads of restored companies return, and are judged by the settings that are back. */
export const judgeHeld = statement<RestoreNames>(
  returnHeldOf(sql`select c.number from ${campaigns} as c
    where c.company_id in ${companiesRestored}
      and exists (select 1 from ${leads} as l where l.campaign_number = c.number and l.held_due_at_ms is not null)`),
)
