// What moves and restores share: a row travels as a JSON array of its columns, and rows are read in ranges of a key.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { param } from '../../../base/database/database.ts'

const storedIn = (table: SQLiteTable) =>
  Object.values(getTableColumns(table)).filter(({ generated }) => generated === undefined)

export const columnsOf = (table: SQLiteTable) => storedIn(table).map(({ name }) => name)

/**
 * A row begins in a range of fewer bytes. The platform takes 2 MB in a value: a text takes up to twice its bytes there,
 * and what is added to the rows of a restore before they are written has room.
 */
export const bytesPerRange = 500_000

export const names = (columns: readonly string[], prefix = '') =>
  sql.raw(columns.map((column) => `${prefix}${column}`).join(', '))

/** The `after` of the first range. */
export function startOf(table: SQLiteTable, key: readonly string[]): string {
  const texts = storedIn(table).filter(({ dataType }) => dataType === 'string')
  return JSON.stringify(key.map((column) => (texts.some(({ name }) => name === column) ? '' : -1)))
}

/** The key of the last row before the range. Placeholder `after`. */
export const lastKey = (key: readonly string[]): SQL =>
  sql.join(
    key.map((_, index) => sql`${param('after')} ->> ${sql.raw(`${index}`)}`),
    sql`, `,
  )

/** What an upsert writes over a row of this key. */
export const otherColumns = (columns: readonly string[], key: readonly string[]) =>
  sql.raw(
    columns
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = excluded.${column}`)
      .join(', '),
  )
