// Migrates the SQLite of a Durable Object: the same files as D1's, recorded in a table of its own.
import { bundledMigrations } from './bundled-migrations.ts'

const createTable = 'create table if not exists applied_migrations (name text primary key) without rowid'

/** Each migration is one transaction. Throws when one fails; those before it stay applied. */
export function migrateObject(storage: DurableObjectStorage): void {
  const { sql } = storage
  sql.exec(createTable)
  const applied = new Set(
    sql
      .exec('select name from applied_migrations')
      .toArray()
      .map(({ name }) => name),
  )
  for (const [name, text] of bundledMigrations) {
    if (applied.has(name)) continue
    storage.transactionSync(() => {
      sql.exec(text)
      sql.exec('insert into applied_migrations values (?)', name)
    })
  }
}

/** The last one of this version of the Worker. */
export const lastMigration = bundledMigrations.at(-1)?.[0] ?? ''

/** Of those that the object has applied: a later one than `lastMigration`, when an older Worker runs again. */
export const lastApplied = ({ sql }: DurableObjectStorage): string =>
  String(sql.exec('select max(name) as last from applied_migrations').one().last)
