// Migrates the SQLite of a Durable Object: the same files as D1's, recorded in a table of its own.
import { bundledMigrations, type Migrations } from './bundled-migrations.ts'
import { isOfVersion1, ofVersion1 } from './first-migration.ts'

const createTable = 'create table if not exists applied_migrations (name text primary key) without rowid'

/**
 * Each migration is one transaction. Throws when one fails; those before it stay applied. Throws before the first when
 * the object is of a version before 2.0. Returns the name of the last one that the object has applied: a later one than
 * these, when an older Worker runs again.
 */
export function migrateObject(storage: DurableObjectStorage, migrations: Migrations): string {
  const { sql } = storage
  sql.exec(createTable)
  const applied = new Set(
    sql
      .exec('select name from applied_migrations')
      .toArray()
      .map(({ name }) => String(name)),
  )
  if (isOfVersion1(applied)) throw new Error(`the store ${ofVersion1}`)
  for (const [name, text] of migrations) {
    if (applied.has(name)) continue
    storage.transactionSync(() => {
      sql.exec(text)
      sql.exec('insert into applied_migrations values (?)', name)
    })
  }
  return lastApplied(storage)
}

/** The last one of this version of the Worker. */
export const lastMigration = bundledMigrations.at(-1)?.[0] ?? ''

export const lastApplied = ({ sql }: DurableObjectStorage): string =>
  String(sql.exec('select max(name) as last from applied_migrations').one().last)
