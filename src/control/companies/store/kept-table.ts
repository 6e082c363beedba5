// How rows that a restore must not take back are read in ranges of a key, and written again. Which ones they are is in
// kept-rows.ts. A row travels as a JSON array.
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { campaigns, companies } from '../../../base/access/store/tables.ts'
import { param, statement } from '../../../base/database/database.ts'
import { primaryKeyOf } from '../../../base/database/primary-key.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { columnsOf, lastKey, names, startOf } from './row-ranges.ts'

export type Value = string | number | null

export type KeptTable = ReturnType<typeof keptTable>

/**
 * What only JavaScript can add to rows before they are written, since the database cannot hash: returns the rows to
 * write, from those that were read.
 */
export type Complete = (
  db: D1Database,
  rows: readonly (readonly Value[])[],
  hashesOf: (companyId: string) => NumberHashes,
) => Promise<readonly (readonly Value[])[]>

type Spec = {
  readonly table: SQLiteTable
  /** `t` is the table. */
  readonly from?: SQL
  /** By default the table's primary key; in the order of an index. */
  readonly key?: readonly string[]
  /** The table's name, unless another one has it. */
  readonly name?: string
  /** A row, each value by its name. */
  readonly values: readonly (readonly [name: string, value: SQL])[]
  readonly isKept: SQL
  readonly write: readonly SQL[]
  readonly complete?: Complete
}

export const list = (values: readonly SQL[]) => sql.join([...values], sql`, `)
const t = (column: string) => sql.raw(`t.${column}`)

export function keptTable({ table, from, isKept, write, ...spec }: Spec) {
  const { key = primaryKeyOf(table), name = getTableName(table), values, complete = null } = spec
  return {
    name,
    // What the values of a row are.
    columns: values.map(([column]) => column),
    start: startOf(table, key),
    complete,
    // Rows of the next range, each as `row`, JSON; null: it has not changed since. `after` of the last one is the next
    // range's.
    read: statement<'after' | 'maxRows' | 'maxBytes' | 'sinceMs'>(sql`select page.row, page.after
      from (select made.*, coalesce(sum(octet_length(made.row)) over (rows unbounded preceding), 0)
          - coalesce(octet_length(made.row), 0) as bytes
        from (select iif(${isKept}, json_array(${list(values.map(([, value]) => value))}), null) as row,
            json_array(${names(key, 't.')}) as after, lead(1) over (order by ${names(key, 't.')}) is null as is_last
          from (select t.* from ${from ?? sql`${table} as t`}
            where (${names(key, 't.')}) > (${lastKey(key)}) and ${param('sinceMs')} is not null
            order by ${names(key, 't.')}
            limit ${param('maxRows')}) as t) as made) as page
      where page.bytes < ${param('maxBytes')} and (page.row is not null or page.is_last)`),
    write: write.map(statement<'rows' | 'nowMs'>),
  }
}

export const isSince = (column: string) => sql`${t(column)} >= ${param('sinceMs')}`

export const items = sql`json_each(${param('rows')}) as item`
export const at = (index: number) => sql.raw(`item.value ->> ${index}`)
/** The values of an item in a select, from the place of the first one on, under these names. */
export const itemAs = (columns: readonly string[], first = 0) =>
  list(columns.map((column, index) => sql`${at(first + index)} as ${sql.raw(column)}`))
/** The company may be gone, or in another store. */
export const isOfCompany = (companyId: SQL) =>
  sql`exists (select 1 from ${companies} where ${companies.id} = ${companyId})`
export const isCampaign = (number: SQL, companyId: SQL) =>
  sql`exists (select 1 from ${campaigns} where ${campaigns.number} = ${number}
    and ${campaigns.companyId} = ${companyId})`

/** Rows as they are, for a table whose first column is `company_id`. */
export const insert = (
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

export const valuesOf = (columns: readonly string[]) => columns.map((column) => [column, t(column)] as const)

type Whole = Omit<Spec, 'values' | 'write'> & {
  readonly write?: (columns: readonly string[]) => readonly SQL[]
}

export const wholeRows = ({ write, ...spec }: Whole): KeptTable => {
  const columns = columnsOf(spec.table)
  const values = columns.map((_, index) => at(index))
  return keptTable({
    ...spec,
    values: valuesOf(columns),
    write: write?.(columns) ?? [insert(spec.table, columns, values, sql`true`)],
  })
}
