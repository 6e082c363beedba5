// Lists and applies migrations. Their table is wrangler's, which applies them to the deployed database: it is no part
// of the schema.
import { sql } from 'drizzle-orm'
import { DatabaseUnavailable, databaseUnavailable, noTables, param, runBatch, statement } from './database.ts'

const appliedMigrations = statement(sql`select name from d1_migrations`)

/** The file names of the migrations. Throws DatabaseUnavailable. */
export async function listAppliedMigrations(db: D1Database): Promise<string[]> {
  try {
    const { rows } = await runBatch(db, [appliedMigrations(db, {})])
    return (rows[0] as { name: string }[]).map((row) => row.name)
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.reason === noTables) return []
    throw error
  }
}

/** Exactly as wrangler creates it, so that either can continue after the other. */
const createTable = statement(sql`CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`)

const recordMigration = statement<'name'>(sql`insert into d1_migrations (name) values (${param('name')})`)

type Migration = { readonly name: string; readonly text: string }

/**
 * Applies a migration and records it in one transaction: of two processes at once, the second fails and changes
 * nothing. For a database file (database-file.ts), where a statement may be a script. Throws DatabaseUnavailable when
 * it is locked.
 */
export async function applyMigration(
  db: D1Database,
  { name, text }: Migration,
): Promise<{ readonly kind: 'applied' } | { readonly kind: 'failed'; readonly message: string }> {
  try {
    await db.batch([createTable(db, {}), recordMigration(db, { name }), db.prepare(text)])
    return { kind: 'applied' }
  } catch (error) {
    const unavailable = databaseUnavailable(error)
    if (unavailable.reason === 'locked') throw unavailable
    return { kind: 'failed', message: (error as Error).message }
  }
}
