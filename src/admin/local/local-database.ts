// The local database before the server runs: migrated as wrangler would, which takes a second to load. All else goes
// over HTTP.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isOfVersion1, ofVersion1 } from '../../base/database/first-migration.ts'
import { CommandFailed } from '../command-failed.ts'
import { projectDir } from '../deploy/wrangler.ts'
import { localDatabaseFile } from '../deploy/wrangler-config.ts'

/** Creates it, or a directory in it. */
export async function makeStateDir(stateDir: string, dir = stateDir): Promise<void> {
  await mkdir(dir, { recursive: true }).catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'ENOTDIR' || code === 'EEXIST' ? 'not a directory' : code
    throw new CommandFailed(`the local state directory ${resolve(stateDir)} cannot be used: ${reason}`)
  })
}

/** How long a statement waits for another process's transaction. */
const lockPatienceMs = 10_000

/** The local database under a state directory, migrated. The directory is that of wrangler's --persist-to. */
export async function openLocalDatabase(stateDir: string): Promise<DatabaseSync> {
  const file = localDatabaseFile(resolve(stateDir))
  await makeStateDir(stateDir, dirname(file))
  const sqlite = new DatabaseSync(file, { timeout: lockPatienceMs })
  try {
    // As in workerd, readers and a writer do not wait for each other. Not waiting for the disk makes a write so short
    // that a running server, which does not wait for the lock, hardly ever meets it.
    sqlite.exec('pragma journal_mode = wal; pragma synchronous = normal')
    migrate(sqlite, stateDir)
    return sqlite
  } catch (error) {
    sqlite.close()
    if (error instanceof CommandFailed) throw error
    throw new CommandFailed(`migrating the local database failed: ${(error as Error).message}`)
  }
}

const migrationsDir = join(projectDir, 'migrations')

/** Exactly as wrangler creates it, so that either can continue after the other. */
const createTable = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** In one transaction: what another process has applied meanwhile is found. */
function migrate(sqlite: DatabaseSync, stateDir: string): void {
  sqlite.exec(`begin immediate; ${createTable}`)
  const rows = sqlite.prepare('select name from d1_migrations').all()
  const applied = new Set(rows.map(({ name }) => String(name)))
  if (isOfVersion1(applied))
    throw new CommandFailed(
      `the local database ${ofVersion1}: move ${resolve(stateDir)} away, or give another directory with --persist-to`,
    )
  const files = readdirSync(migrationsDir).filter((file) => file.endsWith('.sql'))
  const record = sqlite.prepare('insert into d1_migrations (name) values (?)')
  for (const file of files.filter((name) => !applied.has(name)).sort()) {
    sqlite.exec(readFileSync(join(migrationsDir, file), 'utf8'))
    record.run(file)
  }
  sqlite.exec('commit')
}
