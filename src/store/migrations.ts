// Which migrations a database has had. Applying them is wrangler's work, and so is the table that remembers
// them: it is no part of schema.ts.
import { sql } from 'drizzle-orm'
import { DatabaseUnavailable, runBatch, statement } from './database.ts'

const appliedMigrations = statement(sql`select name from d1_migrations`)

/** The file names of the migrations. Throws DatabaseUnavailable. */
export async function listAppliedMigrations(db: D1Database): Promise<string[]> {
  try {
    const { rows } = await runBatch(db, [appliedMigrations(db)])
    return (rows[0] as { name: string }[]).map((row) => row.name)
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.reason === 'no such table') return []
    throw error
  }
}
