// What a move copies: every table with data of the company, read, written and deleted in ranges of the table's key. A row
// travels as a JSON array of its columns, made and read by SQLite, so that it is the same on both sides. Which tables are
// not copied, and why, is said here too.
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys, campaigns, companies, keyHours } from '../../access/store/tables.ts'
import { alerts } from '../../alerts/store/tables.ts'
import { agents, callDetails, calls, claims, requeues, restingLanes } from '../../calling/store/tables.ts'
import { callingLanes, callingSettings, openings } from '../../campaigns/store/tables.ts'
import { type Bind, param, statement } from '../../database/database.ts'
import { erasedRuns, indexedPlaces, leads, leadWords } from '../../leads/store/tables.ts'
import { campaignHours, recounts } from '../../ledger/hours/tables.ts'
import { events, webhooks } from '../../ledger/log/tables.ts'
import {
  numberCalls,
  retainedHashes,
  suppressedHashes,
  suppressions,
} from '../../ledger/suppression/tables.ts'

/** They say where companies are, or are of the database itself. */
export const notCopied = [
  'store_keys',
  'campaign_numbers',
  'operator_requests',
  'store_states',
  'company_moves',
  'alert_cursor',
  'd1_migrations',
  'applied_migrations',
]

/** How the rows of a company are found: `t` is the table, `c` a campaign of the company. */
type Owner = { readonly from: SQL; readonly where: SQL; readonly isByCampaign?: boolean }

const own = sql`t.company_id = ${param('companyId')}`
const ofCompany = (table: SQLiteTable): Owner => ({ from: sql`${table} as t`, where: own })
const inCampaigns = (table: SQLiteTable, on: SQL): Owner => ({
  from: sql`${campaigns} as c cross join ${table} as t on ${on}`,
  where: sql`c.company_id = ${param('companyId')}`,
  isByCampaign: true,
})
const ofCampaign = (table: SQLiteTable) => inCampaigns(table, sql`t.campaign_number = c.number`)
/** Places hold the number of their campaign. */
const ofPlace = (table: SQLiteTable, place: string) => {
  const column = sql.raw(`t.${place}`)
  const after = sql`(${param('after')} ->> 0)`
  return {
    ...inCampaigns(
      table,
      sql`${column} >= max(c.number << 32, ${after}) and ${column} < (c.number + 1) << 32
        and c.number >= ${after} >> 32`,
    ),
    isByCampaign: false,
  }
}
const among = (table: SQLiteTable, condition: SQL): Owner => ({ from: sql`${table} as t`, where: condition })

type Spec = {
  readonly table: SQLiteTable
  readonly owner: Owner
  /** Names of columns, in the order of an index. */
  readonly key: readonly string[]
  /** Not copied: each side has its own. */
  readonly without?: readonly string[]
  readonly isRebuilt?: boolean
}

const specs: readonly Spec[] = [
  {
    table: companies,
    owner: among(companies, sql`t.id = ${param('companyId')}`),
    key: ['id'],
    without: ['store', 'frozen_at_ms'],
  },
  { table: campaigns, owner: ofCompany(campaigns), key: ['number'] },
  { table: callingSettings, owner: ofCampaign(callingSettings), key: ['campaign_number'] },
  { table: callingLanes, owner: ofCampaign(callingLanes), key: ['campaign_number', 'lane'] },
  {
    table: openings,
    owner: ofCampaign(openings),
    key: ['campaign_number', 'lane', 'is_for_appointments', 'opens_at_ms'],
  },
  { table: apiKeys, owner: ofCompany(apiKeys), key: ['id'], without: ['frozen'] },
  {
    table: keyHours,
    owner: among(
      keyHours,
      sql`t.key_id in (select k.id from ${apiKeys} as k where k.company_id = ${param('companyId')})`,
    ),
    key: ['key_id', 'hour', 'code'],
  },
  { table: webhooks, owner: ofCompany(webhooks), key: ['id'] },
  { table: suppressions, owner: ofCompany(suppressions), key: ['phone_number', 'campaign_number'] },
  { table: suppressedHashes, owner: ofCompany(suppressedHashes), key: ['number_hash'] },
  { table: retainedHashes, owner: ofCompany(retainedHashes), key: ['number_hash', 'campaign_number'] },
  { table: numberCalls, owner: ofCompany(numberCalls), key: ['number_hash', 'called_at_ms'] },
  { table: leads, owner: ofPlace(leads, 'seq'), key: ['seq'] },
  { table: erasedRuns, owner: ofPlace(erasedRuns, 'first_seq'), key: ['first_seq'] },
  // After the leads, whose triggers change them.
  {
    table: restingLanes,
    owner: ofCampaign(restingLanes),
    key: ['campaign_number', 'lane', 'is_for_appointments'],
  },
  { table: leadWords, owner: ofCompany(leadWords), key: ['word', 'seq'], isRebuilt: true },
  { table: indexedPlaces, owner: ofCampaign(indexedPlaces), key: ['campaign_number'] },
  { table: calls, owner: ofCompany(calls), key: ['phone_number', 'claimed_at_ms', 'seq'] },
  { table: callDetails, owner: ofPlace(callDetails, 'seq'), key: ['seq', 'claimed_at_ms'] },
  {
    // Without an index by campaign: those of a day are read.
    table: claims,
    owner: among(
      claims,
      sql`t.campaign_number in (select c.number from ${campaigns} as c where c.company_id = ${param('companyId')})`,
    ),
    key: ['claimed_at_ms', 'token'],
  },
  { table: requeues, owner: ofCampaign(requeues), key: ['campaign_number', 'status', 'since_ms'] },
  { table: agents, owner: ofCompany(agents), key: ['campaign_number', 'name'] },
  { table: campaignHours, owner: ofCampaign(campaignHours), key: ['campaign_number', 'hour'] },
  { table: recounts, owner: ofCampaign(recounts), key: ['campaign_number'] },
  { table: alerts, owner: ofCompany(alerts), key: ['kind', 'campaign_number', 'subject'] },
  { table: events, owner: ofCompany(events), key: ['number'] },
]

export type RangeNames = 'companyId' | 'after' | 'maxRows' | 'maxBytes'

export type MovedTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** Of the key's columns among these. */
  readonly keyAt: readonly number[]
  /** The `after` of the first range. */
  readonly start: string
  readonly count: Bind<'companyId' | 'after'>
  /** Triggers and the leads' own rows make it again, so that its rows are compared by their sums. */
  readonly isRebuilt: boolean
  /** Rows of the next range, each as `row`, JSON. */
  readonly read: Bind<RangeNames>
  /** Each runs with the rows as one JSON array; a row that is there already stays. */
  readonly write: readonly Bind<'rows' | 'companyId' | 'frozen'>[]
  /** Deletes some; returns a row for each. */
  readonly remove: Bind<'companyId' | 'maxRows' | 'after'>
}

const names = (columns: readonly string[], prefix: string) =>
  sql.raw(columns.map((column) => `${prefix}${column}`).join(', '))

function movedTable({ table, owner, key, without = [], isRebuilt = false }: Spec): MovedTable {
  const all = Object.values(getTableColumns(table)).filter(({ generated }) => generated === undefined)
  const columns = all.map(({ name }) => name).filter((name) => !without.includes(name))
  const typeOf = (name: string) => all.find((column) => column.name === name)?.dataType
  const name = getTableName(table)
  // The campaign's number, so that no sorting is needed.
  const keyColumns = key.map((column) =>
    owner.isByCampaign && column === 'campaign_number' ? 'c.number' : `t.${column}`,
  )
  const first = sql`${param('after')} ->> 0`
  const after = sql.join(
    key.map((_, index) => sql`${param('after')} ->> ${sql.raw(`${index}`)}`),
    sql`, `,
  )
  const isAfter = sql`(${names(key, 't.')}) > (${after}) ${owner.isByCampaign ? sql`and c.number >= ${first}` : sql``}`
  const range = sql`from ${owner.from}
      where ${owner.where} and ${isAfter}
      order by ${sql.raw(keyColumns.join(', '))}
      limit ${param('maxRows')}`
  return {
    name,
    columns,
    keyAt: key.map((column) => columns.indexOf(column)),
    start: JSON.stringify(key.map((column) => (typeOf(column) === 'string' ? '' : -1))),
    isRebuilt,
    count: statement<
      'companyId' | 'after'
    >(sql`select count(*) as "rows" from ${owner.from} where ${owner.where}
      and ${param('after')} is not null`),
    read: statement<RangeNames>(sql`select page.row
      from (select made.row, sum(octet_length(made.row)) over (rows unbounded preceding) - octet_length(made.row) as bytes
        from (select json_array(${names(columns, 't.')}) as row ${range}) as made) as page
      where page.bytes < ${param('maxBytes')}`),
    write: isRebuilt ? [] : writesOf(table, columns),
    remove: statement<'companyId' | 'maxRows' | 'after'>(sql`delete from ${sql.raw(name)} as gone
      where (${names(key, 'gone.')}) in (select ${names(key, 't.')} ${range})
      returning 1 as "deleted"`),
  }
}

const values = (columns: readonly string[]) =>
  sql.raw(columns.map((_, index) => `item.value ->> ${index}`).join(', '))

function writesOf(table: SQLiteTable, columns: readonly string[]) {
  const insert = (more: { readonly column: string; readonly value: SQL } | null, conflict: SQL) =>
    statement<'rows' | 'companyId' | 'frozen'>(sql`
      insert into ${sql.raw(getTableName(table))} (${names(columns, '')} ${sql.raw(more ? `, ${more.column}` : '')})
      select ${values(columns)} ${more ? sql`, ${more.value}` : sql``}
      from json_each(${param('rows')}) as item
      where true
      on conflict ${conflict}`)
  if (table === companies) {
    // The directory has the row already.
    const changed = columns
      .filter((column) => column !== 'id')
      .map((column) => `${column} = excluded.${column}`)
    return [insert(null, sql`(id) do update set ${sql.raw(changed.join(', '))}`)]
  }
  if (table === apiKeys)
    return [insert({ column: 'frozen', value: sql`${param('frozen')}` }, sql`do nothing`)]
  return table === leads
    ? [insert(null, sql`do nothing`), insertWords(columns)]
    : [insert(null, sql`do nothing`)]
}

/** The trigger that makes rows of the leads' words waits for a change of them. */
const insertWords = (columns: readonly string[]) => {
  const at = (name: string) => sql.raw(`item.value ->> ${columns.indexOf(name)}`)
  return statement<'rows' | 'companyId' | 'frozen'>(sql`
    insert into ${sql.raw(getTableName(leadWords))} (company_id, word, seq, campaign_number)
    select ${param('companyId')}, word.value, ${at('seq')}, ${at('campaign_number')}
    from json_each(${param('rows')}) as item
    cross join json_each(${at('words')}, '$[1]') as word
    where ${at('words')} is not null
    on conflict do nothing`)
}

/** Parents come first. */
export const movedTables = specs.map(movedTable)

/**
 * The next rows of the search index, as their number and sums: the index is made of what is compared row by row. Leads that
 * are not indexed yet (indexed_places) may differ, and are indexed where they are. Returns `sums`, and `last`, the next
 * `after`; null: there are no more.
 */
export const sumWords = statement<'companyId' | 'after' | 'maxRows'>(sql`
  with part as materialized (
    select t.word, t.seq, t.campaign_number
    from ${leadWords} as t
    cross join ${indexedPlaces} as place on place.campaign_number = t.campaign_number and t.seq <= place.after_seq
    where ${own} and (t.word, t.seq) > (${param('after')} ->> 0, ${param('after')} ->> 1)
    order by t.word, t.seq
    limit ${param('maxRows')})
  select json_array(count(*), sum(part.seq % 1000003), sum(part.seq % 8191 * (length(part.word) * 131
      + unicode(substr(part.word, 2)) + 7 * unicode(substr(part.word, -1)))), sum(part.campaign_number)) as sums,
    (select json_array(every.word, every.seq) from part as every
      order by every.word desc, every.seq desc
      limit 1) as last
  from part`)
