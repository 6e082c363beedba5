// A database file as a D1 binding, for the command line on the operator's machine; only what this folder uses. Opened
// by Node's SQLite instead of workerd, which takes a second to start, writes to the file at each read, and fails with
// an internal error while another process holds the lock.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { databaseUnavailable } from './database.ts'

/** How long a statement waits for another process's transaction. */
const lockPatienceMs = 2_000

/** Without bind it is a script of several statements: a migration. */
type Prepared = { readonly bind: (...values: SQLInputValue[]) => Prepared; readonly run: () => unknown }

/** Creates the file if missing, but not its folder. Throws DatabaseUnavailable when it is locked. */
export function openDatabaseFile(file: string): { readonly db: D1Database; readonly close: () => void } {
  const sqlite = open(file)
  const totalChanges = sqlite.prepare('select total_changes() as count')
  const changed = () => totalChanges.get()?.count as number

  const prepare = (text: string, values?: readonly SQLInputValue[]): Prepared => ({
    bind: (...bound) => prepare(text, bound),
    run: () => {
      if (values === undefined) {
        sqlite.exec(text)
        return { results: [], success: true, meta: { changes: 0 } }
      }
      const prepared = sqlite.prepare(text)
      // As in D1. SQLite itself would ignore the rest.
      if (text.trim().length > prepared.sourceSQL.trim().length)
        throw new Error('A prepared SQL statement must contain only one statement.')
      const before = changed()
      const results = prepared.all(...values)
      return { results, success: true, meta: { changes: changed() - before } }
    },
  })
  const batch = async (statements: readonly Prepared[]) => {
    sqlite.exec('begin')
    try {
      const results = statements.map((one) => one.run())
      sqlite.exec('commit')
      return results
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('rollback')
      throw error
    }
  }
  return { db: { prepare, batch } as unknown as D1Database, close: () => sqlite.close() }
}

function open(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { timeout: lockPatienceMs })
  try {
    // As in workerd, readers and a writer do not wait for each other. Not waiting for the disk makes a write so short
    // that a running server, which does not wait for the lock, hardly ever meets it.
    sqlite.exec('pragma journal_mode = wal; pragma synchronous = normal')
    return sqlite
  } catch (error) {
    sqlite.close()
    const unavailable = databaseUnavailable(error)
    throw unavailable.reason === 'locked' ? unavailable : error
  }
}
