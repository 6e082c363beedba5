// Runs batches on the SQLite of a Durable Object, as D1 would.
import type { SentStatement, StatementResult } from './company-store.ts'

export function runInTransaction(
  storage: DurableObjectStorage,
  statements: readonly SentStatement[],
): StatementResult[] {
  return storage.transactionSync(() => statements.map((one) => run(storage.sql, one)))
}

function run(sql: SqlStorage, [text, values]: SentStatement): StatementResult {
  const cursor = sql.exec(text, ...values)
  const results = cursor.toArray()
  const { rowsRead, rowsWritten } = cursor
  // The cursor has no changes, and what writes no row changes none.
  const changes = rowsWritten === 0 ? 0 : Number(sql.exec('select changes()').raw().next().value?.[0])
  return { results, meta: { changes, rows_read: rowsRead, rows_written: rowsWritten } }
}
