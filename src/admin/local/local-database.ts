// Opens the local database before the server does: migrates it, and makes the operator key. All else goes over HTTP.
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../database/database.ts'
import { openDatabaseFile } from '../../database/database-file.ts'
import { isOfVersion1, ofVersion1 } from '../../database/first-migration.ts'
import { applyMigration, listAppliedMigrations } from '../../database/migrations.ts'
import { CommandFailed } from '../command-failed.ts'
import { projectDir } from '../deploy/wrangler.ts'
import { localDatabaseFile } from '../deploy/wrangler-config.ts'

type OpenDatabase = { readonly db: D1Database; readonly close: () => Promise<void> }

function unusable(stateDir: string, error: unknown): CommandFailed {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === 'ENOTDIR' || code === 'EEXIST' ? 'not a directory' : code
  return new CommandFailed(`the local state directory ${resolve(stateDir)} cannot be used: ${reason}`)
}

/** Creates it, or a directory in it. */
export async function makeStateDir(stateDir: string, dir = stateDir): Promise<void> {
  await mkdir(dir, { recursive: true }).catch((error: unknown) => {
    throw unusable(stateDir, error)
  })
}

/** The local database under a state directory, migrated. The directory is that of wrangler's --persist-to. */
export async function openLocalDatabase(stateDir: string): Promise<OpenDatabase> {
  const file = localDatabaseFile(resolve(stateDir))
  await makeStateDir(stateDir, dirname(file))
  const { db, close } = await onceUnlocked(async () => openDatabaseFile(file))
  try {
    await onceUnlocked(() => migrate(db, stateDir))
    return { db, close: async () => close() }
  } catch (error) {
    close()
    throw error
  }
}

/** Safe while a server or another command does the same: each migration is one transaction. */
async function migrate(db: D1Database, stateDir: string): Promise<void> {
  if (isOfVersion1(await listAppliedMigrations(db)))
    throw new CommandFailed(
      `the local database ${ofVersion1}: move ${resolve(stateDir)} away, or give another directory with --persist-to`,
    )
  for (const name of await pendingMigrations(db)) {
    const text = await readFile(join(migrationsDir, name), 'utf8')
    const result = await applyMigration(db, { name, text })
    // Of two processes the second one fails, and finds it applied.
    if (result.kind === 'failed' && (await pendingMigrations(db)).includes(name)) {
      throw new CommandFailed(`migrating the local database failed: ${result.message}`)
    }
  }
}

const migrationsDir = join(projectDir, 'migrations')

async function pendingMigrations(db: D1Database): Promise<string[]> {
  const files = await readdir(migrationsDir)
  const applied = new Set(await listAppliedMigrations(db))
  return files.filter((file) => file.endsWith('.sql') && !applied.has(file)).sort()
}

const lockPatienceMs = 10_000

/**
 * Retries the work while another process writes to the local database. Caller must pass work that can be repeated after a
 * statement was refused.
 */
export async function onceUnlocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const giveUpAtMs = Date.now() + lockPatienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isLocked = error instanceof DatabaseUnavailable && error.reason === 'locked'
      if (!isLocked || Date.now() > giveUpAtMs) throw error
      await setTimeout(50 + Math.random() * 150)
    }
  }
}
