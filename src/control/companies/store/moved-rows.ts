// The statements that read, write and delete rows of a moved table in ranges of its key (moved-tables.ts). The key is
// the table's own: what is deleted is named by all of it, so that no row of another company is. A row travels as a JSON
// array of its columns, made and read by SQLite, so that it is the same on both sides.
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys, campaigns, companies } from '../../../base/access/store/tables.ts'
import { param, statement } from '../../../base/database/database.ts'
import { primaryKeyOf } from '../../../base/database/primary-key.ts'
import { leadsPerSlice } from '../../../queue/leads/store/search-index.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { isIn, isOfCompany } from './move-state.ts'
import { columnsOf, lastKey, names, otherColumns, startOf } from './row-ranges.ts'
import { companyMoves } from './tables.ts'

/** How the rows of a company are found: `t` is the table, `c` a campaign of the company. */
export type Owner = {
  readonly from: SQL
  readonly where: SQL
  readonly isByCampaign?: boolean
  /** The same of a row that is written: `at` is the value of a column. Placeholder `companyId`. */
  readonly isOwn: (at: (column: string) => SQL) => SQL
}

export type Spec = {
  readonly table: SQLiteTable
  readonly owner: Owner
  /** Not copied: each side has its own. */
  readonly without?: readonly string[]
}

export type MovedTable = ReturnType<typeof movedTable>

const parents: readonly SQLiteTable[] = [companies, campaigns, apiKeys]

/**
 * A range that arrives late, of a run that another one has overtaken, changes nothing: since the switch the company
 * writes there, and nothing of that is in the source. A new store has no row before its first range.
 */
const goesOn = sql`not exists (select 1 from ${companyMoves}
    where ${isOfCompany} and not ${isIn('requested', 'copying')})`

export function movedTable({ table, owner, without = [] }: Spec) {
  const primaryKey = primaryKeyOf(table)
  // One company has the same in all rows.
  const key = primaryKey.filter((column) => column !== 'company_id')
  const columns = columnsOf(table).filter((name) => !without.includes(name))
  const name = getTableName(table)
  // The campaign's number, so that no sorting is needed.
  const keyColumns = key.map((column) =>
    owner.isByCampaign && column === 'campaign_number' ? 'c.number' : `t.${column}`,
  )
  const first = sql`${param('after')} ->> 0`
  const isAfter = sql`(${names(key, 't.')}) > (${lastKey(key)})
    ${owner.isByCampaign ? sql`and c.number >= ${first}` : sql``}`
  const range = sql`from ${owner.from}
      where ${owner.where} and ${isAfter}
      order by ${sql.raw(keyColumns.join(', '))}
      limit ${param('maxRows')}`
  return {
    name,
    columns,
    key: primaryKey,
    // What a range is named by, among the columns.
    keyAt: key.map((column) => columns.indexOf(column)),
    start: startOf(table, key),
    // Reads the next range: `rows`, and `last`, the next `after`; null: there are no more.
    count: statement<'companyId' | 'after' | 'maxRows'>(sql`
      with part as materialized (select ${names(key, 't.')} ${range})
      select count(*) as "rows", (select json_array(${names(key, 'part.')}) from part
        limit 1 offset ${param('maxRows')} - 1) as last
      from part`),
    // Rows of the next range, each JSON.
    read: statement<'companyId' | 'after' | 'maxRows' | 'maxBytes'>(sql`select page.row
      from (select made.row, sum(octet_length(made.row)) over (rows unbounded preceding) -
        octet_length(made.row) as bytes
        from (select json_array(${names(columns, 't.')}) as row ${range}) as made) as page
      where page.bytes < ${param('maxBytes')}`),
    // Others refer to its rows, and it never loses one: a changed row is written over.
    isParent: parents.includes(table),
    write: writeOf(table, columns, owner),
    // Deletes these rows of the company, by their keys.
    erase: statement<'rows' | 'companyId'>(sql`delete from ${sql.raw(name)} as gone
      where (${names(primaryKey, 'gone.')}) in (select ${valuesOf(primaryKey, columns)}
          from json_each(${param('rows')}) as item)
        and ${owner.isOwn((column) => sql.raw(`gone.${column}`))}
        and ${goesOn}`),
    // At most so many rows are written or deleted by one statement.
    atOnce: table === leads ? leadsPerSlice : Infinity,
    // Deletes some; returns a row for each.
    remove: statement<'companyId' | 'after' | 'maxRows'>(sql`delete from ${sql.raw(name)} as gone
      where (${names(primaryKey, 'gone.')}) in (select ${names(primaryKey, 't.')} ${range})
      returning 1 as "deleted"`),
  }
}

/** An item as a row. */
const valuesOf = (named: readonly string[], columns: readonly string[]) =>
  sql.raw(named.map((column) => `item.value ->> ${columns.indexOf(column)}`).join(', '))

/**
 * Runs with rows as one JSON array; a row that is there already stays, unless the table is a parent. What would come
 * under a campaign of another company is left out.
 */
function writeOf(table: SQLiteTable, columns: readonly string[], { isOwn }: Owner) {
  const name = getTableName(table)
  const key = primaryKeyOf(table)
  const more = table === apiKeys ? { column: sql`, frozen`, value: sql`, ${param('frozen')}` } : null
  // The directory has the company's row already.
  const update = sql`on conflict (${names(key)}) do update
      set ${otherColumns(columns, key)}
      where ${isOwn((column) => sql.raw(`${name}.${column}`))}`
  return statement<'rows' | 'companyId' | 'frozen'>(sql`
    insert into ${sql.raw(name)} (${names(columns)} ${more?.column ?? sql``})
    select ${valuesOf(columns, columns)} ${more?.value ?? sql``}
    from json_each(${param('rows')}) as item
    where ${isOwn((column) => valuesOf([column], columns))} and ${goesOn}
    ${parents.includes(table) ? update : sql``}
    on conflict do nothing`)
}
