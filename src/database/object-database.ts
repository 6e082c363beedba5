// Runs batches on the SQLite of a Durable Object, as D1 would.
import type { SentStatement, StatementResult } from './company-store.ts'

export const runInTransaction = (
  storage: DurableObjectStorage,
  statements: readonly SentStatement[],
): StatementResult[] => storage.transactionSync(() => statements.map((one) => run(storage.sql, one)))

function run(sql: SqlStorage, [text, values]: SentStatement): StatementResult {
  const before = totalChanges(sql)
  const cursor = sql.exec(text, ...values)
  const results = cursor.toArray()
  const { rowsRead, rowsWritten } = cursor
  // What writes no row changes none: reads are spared the second look.
  const changes = rowsWritten === 0 ? 0 : totalChanges(sql) - before
  return { results, meta: { changes, rows_read: rowsRead, rows_written: rowsWritten } }
}

/** The cursor has no changes. As in D1, those of triggers count. */
const totalChanges = (sql: SqlStorage): number =>
  Number(sql.exec('select total_changes()').raw().next().value?.[0])

export const changesOf = (results: readonly StatementResult[]): number =>
  results.reduce((sum, { meta }) => sum + meta.changes, 0)
