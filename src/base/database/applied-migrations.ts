// Which migrations of this Worker D1 has not applied. Wrangler applies them there, and records their names.
import { bundledMigrations } from './bundled-migrations.ts'
import { readRows } from './database.ts'

/** Throws DatabaseUnavailable. */
export async function missingMigrations(directory: D1Database): Promise<readonly string[]> {
  const rows = await readRows<{ name: string }>(
    directory,
    directory.prepare('select name from d1_migrations'),
  )
  const applied = new Set(rows.map(({ name }) => name))
  return bundledMigrations.map(([name]) => name).filter((name) => !applied.has(name))
}
