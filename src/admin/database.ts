// Opens the database for the operator: the local one, which a running server shares, or the deployed one.
// What is done with it is in store/administration.ts.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DatabaseUnavailable } from '../store/database.ts'
import { listAppliedMigrations } from '../store/migrations.ts'
import {
  CommandFailed,
  databaseBinding,
  projectDir,
  readDatabaseName,
  readWranglerConfig,
  reasonOf,
  runWrangler,
} from './wrangler.ts'

export type OpenDatabase = { readonly db: D1Database; readonly close: () => Promise<void> }

/** Where `wrangler dev` keeps its state when it is not told. */
export const defaultStateDir = join(projectDir, '.wrangler/state')

/** The local database under a state directory, migrated. The directory means what wrangler's --persist-to does. */
export async function openLocalDatabase(stateDir: string): Promise<OpenDatabase> {
  const open = await openDatabase({}, resolve(stateDir))
  try {
    await onceUnlocked(() => migrateLocalDatabase(open.db, stateDir))
    return open
  } catch (error) {
    await open.close()
    throw error
  }
}

/** The deployed database, through Cloudflare's own binding, with the login that wrangler has. */
export async function openRemoteDatabase(): Promise<OpenDatabase> {
  const id = await findRemoteDatabase()
  if (id === null) {
    const name = await readDatabaseName()
    throw new CommandFailed(`no database named ${name} in the account: run \`npm run deploy\` first`)
  }
  return openDatabase({ database_id: id, remote: true }, null)
}

/** The id of the deployed database, or null before the first deployment. */
export async function findRemoteDatabase(): Promise<string | null> {
  const { exitCode, stdout, output } = await runWrangler(['d1', 'info', await readDatabaseName(), '--json'])
  if (exitCode === 0) return (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { uuid: string }).uuid
  if (output.includes("Couldn't find a D1 DB")) return null
  throw new CommandFailed(reasonOf(output))
}

/**
 * wrangler's proxy to the binding. Its configuration is derived from wrangler.toml and holds the database
 * alone: the proxy would warn about a Durable Object, and another Worker of the same name be taken for it.
 */
async function openDatabase(remote: object, stateDir: string | null): Promise<OpenDatabase> {
  // What it has to say is told once, by the error it throws.
  process.env.WRANGLER_LOG ??= 'none'
  const { getPlatformProxy } = await import('wrangler')
  const config = await readWranglerConfig()
  const configDir = await mkdtemp(join(tmpdir(), 'lead-intake-admin-'))
  const removeConfig = () => rm(configDir, { recursive: true, force: true })
  try {
    const configPath = join(configDir, 'wrangler.json')
    const derived = {
      name: `${config.name}-admin`,
      compatibility_date: config.compatibility_date,
      account_id: config.account_id,
      d1_databases: config.d1_databases.map((database: object) => ({ ...database, ...remote })),
    }
    await writeFile(configPath, JSON.stringify(derived))
    const proxy = await getPlatformProxy<{ [databaseBinding]: D1Database }>({
      configPath,
      // The derived configuration has no environments: it is made from the one that was asked for.
      environment: '',
      remoteBindings: stateDir === null,
      persist: stateDir === null ? false : { path: join(stateDir, 'v3') },
    })
    const close = async () => {
      await proxy.dispose()
      await removeConfig()
    }
    return { db: proxy.env[databaseBinding], close }
  } catch (error) {
    await removeConfig()
    throw error
  }
}

/** Safe while a server or another command does the same: each migration is one transaction. */
async function migrateLocalDatabase(db: D1Database, stateDir: string): Promise<void> {
  if ((await pendingMigrations(db)).length === 0) return
  const apply = ['d1', 'migrations', 'apply', databaseBinding, '--local', '--persist-to', stateDir]
  const { exitCode, output } = await runWrangler(apply)
  // Whoever came second fails because the tables are there; then nothing is pending any more.
  if (exitCode === 0 || (await pendingMigrations(db)).length === 0) return
  if (output.includes('locked')) throw new DatabaseUnavailable('locked')
  throw new CommandFailed(`migrating the local database failed: ${reasonOf(output)}`)
}

const lockPatienceMs = 10_000

/**
 * Does the work again while another process is writing to the local database. Caller must pass work that can
 * be done again after a statement was refused.
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

async function pendingMigrations(db: D1Database): Promise<string[]> {
  const files = await readdir(join(projectDir, 'migrations'))
  const applied = new Set(await listAppliedMigrations(db))
  return files.filter((file) => file.endsWith('.sql') && !applied.has(file))
}
