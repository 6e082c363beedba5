// SQLite in this process as a D1 binding, as much of one as the store and its tests use, with every statement prepared
// once, as workerd keeps them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

export type FastDatabase = { readonly db: D1Database; readonly close: () => void }

/** A new file, or `:memory:`, with all migrations applied. */
export function createFastDatabase(file: string): FastDatabase {
  const sqlite = new DatabaseSync(file)
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = off; pragma foreign_keys = on')
  const dir = join(import.meta.dirname, '../../../migrations')
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.sql')))
    sqlite.exec(readFileSync(join(dir, name), 'utf8'))
  return { db: databaseOn(sqlite), close: () => sqlite.close() }
}

export function databaseOn(sqlite: DatabaseSync): D1Database {
  const prepared = new Map<string, StatementSync>()
  const statementOf = (text: string) => {
    let statement = prepared.get(text)
    if (statement === undefined) {
      statement = sqlite.prepare(text)
      prepared.set(text, statement)
    }
    return statement
  }
  const bind = (text: string, values: readonly SQLInputValue[]) => {
    const run = () => ({ results: statementOf(text).all(...values), success: true, meta: { changes: 0 } })
    const first = (column?: string) => {
      const [row = null] = run().results
      return row === null || column === undefined ? row : row[column]
    }
    return { run, all: run, first }
  }
  const prepare = (text: string) => ({
    ...bind(text, []),
    bind: (...values: SQLInputValue[]) => bind(text, values),
  })
  const batch = async (statements: readonly ReturnType<typeof bind>[]) => {
    sqlite.exec('begin')
    try {
      const results = statements.map((each) => each.run())
      sqlite.exec('commit')
      return results
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('rollback')
      throw error
    }
  }
  return { prepare, batch } as unknown as D1Database
}
