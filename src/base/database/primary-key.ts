// The primary key of a table, from its definition: what names one row of it, whatever company it is of.
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'

/** Names of its columns, in their order. */
export function primaryKeyOf(table: SQLiteTable): readonly string[] {
  const { columns, primaryKeys } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return key.map(({ name }) => name)
}
