// Runs batches on the SQLite of a Durable Object, as D1 would.
import type { SentStatement, StatementResult } from './company-store.ts'

export function runInTransaction(
  storage: DurableObjectStorage,
  statements: readonly SentStatement[],
): StatementResult[] {
  const { sql } = storage
  let total = totalChanges(sql)
  return storage.transactionSync(() =>
    statements.map(([text, values]) => {
      const cursor = sql.exec(text, ...values)
      const results = cursor.toArray()
      const { rowsRead, rowsWritten } = cursor
      const before = total
      // What writes no row changes none: reads are spared the look.
      if (rowsWritten > 0) total = totalChanges(sql)
      return { results, meta: { changes: total - before, rows_read: rowsRead, rows_written: rowsWritten } }
    }),
  )
}

/** The cursor has no changes. As in D1, those of triggers count. */
const totalChanges = (sql: SqlStorage): number =>
  Number(sql.exec('select total_changes()').raw().next().value?.[0])

export const changesOf = (results: readonly StatementResult[]): number =>
  results.reduce((sum, { meta }) => sum + meta.changes, 0)
