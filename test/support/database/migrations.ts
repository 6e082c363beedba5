// The project's migrations, and how they are applied to a test's database: statement by statement, as wrangler splits
// them, so that one written by hand may have comments and no breakpoints. For Node; in workerd, setup.ts applies what
// vitest.config.ts has read here. What `npm start` does instead is in src/admin/local/local-database.ts.
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-plugin'

const migrationsDir = join(import.meta.dirname, '../../../migrations')

/** All files of SQL in the folder, in order. */
export const readMigrations = (dir = migrationsDir) => readD1Migrations(dir)

export async function migrate(db: D1Database, dir = migrationsDir): Promise<void> {
  await applyMigrations(db, await readMigrations(dir))
}

/** Each file is one transaction, and one request: a local database takes several statements at once. */
export async function applyMigrations(
  db: D1Database,
  migrations: Awaited<ReturnType<typeof readMigrations>>,
): Promise<void> {
  for (const { queries } of migrations) await db.prepare(queries.join(';\n')).run()
}
