// Opens the database for the operator: the local one, which a running server shares, or the deployed one. The stores of
// each area have the statements.
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DatabaseUnavailable } from '../database/database.ts'
import { openDatabaseFile } from '../database/database-file.ts'
import { isOfVersion1, ofVersion1 } from '../database/first-migration.ts'
import { applyMigration, listAppliedMigrations } from '../database/migrations.ts'
import { CommandFailed } from './command-failed.ts'
import { projectDir, reasonOf, runWrangler } from './deploy/wrangler.ts'
import {
  databaseBinding,
  localDatabaseFile,
  readDatabaseName,
  readWranglerConfig,
} from './deploy/wrangler-config.ts'

export type OpenDatabase = { readonly db: D1Database; readonly close: () => Promise<void> }

/** The database of a command: `persistTo` is the state directory of a local one. */
export type Place = {
  readonly remote: boolean
  readonly persistTo: string
  /** Creates a local database if there is none. */
  readonly mayCreate: boolean
}

/** The default of `wrangler dev`. */
export const defaultStateDir = join(projectDir, '.wrangler/state')

export async function openDatabase({ remote, persistTo, mayCreate }: Place): Promise<OpenDatabase> {
  if (remote) return openRemoteDatabase()
  if (!mayCreate) await requireLocalDatabase(persistTo)
  return openLocalDatabase(persistTo)
}

/** A mistyped directory would be an empty database, in which nothing is found. */
async function requireLocalDatabase(stateDir: string): Promise<void> {
  try {
    await access(localDatabaseFile(resolve(stateDir)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(stateDir, error)
    throw new CommandFailed(
      `no local database in ${resolve(stateDir)}: \`npm start\` or \`company create\` creates one`,
    )
  }
}

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

/** The deployed database, through Cloudflare's own binding, with wrangler's login. */
async function openRemoteDatabase(): Promise<OpenDatabase> {
  const id = await findRemoteDatabase()
  if (id === null) {
    const name = readDatabaseName()
    throw new CommandFailed(`no database named ${name} in the account: run \`npm run deploy\` first`)
  }
  return openBinding(id)
}

/** The id of the deployed database, or null before the first deployment. */
export async function findRemoteDatabase(): Promise<string | null> {
  const { exitCode, stdout, output } = await runWrangler(['d1', 'info', readDatabaseName(), '--json'])
  if (exitCode === 0) return (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { uuid: string }).uuid
  if (output.includes("Couldn't find a D1 DB")) return null
  throw new CommandFailed(reasonOf(output))
}

/**
 * wrangler's proxy to the binding. Its configuration is derived from wrangler.toml and has only the database: the proxy
 * would warn about a Durable Object, and could mistake another Worker of the same name for it.
 */
async function openBinding(databaseId: string): Promise<OpenDatabase> {
  // Its message is printed once, from the error that it throws.
  process.env.WRANGLER_LOG ??= 'none'
  const { getPlatformProxy } = await import('wrangler')
  const config = readWranglerConfig()
  const configDir = await mkdtemp(join(tmpdir(), 'lead-intake-admin-'))
  const removeConfig = () => rm(configDir, { recursive: true, force: true })
  try {
    const configPath = join(configDir, 'wrangler.json')
    const derived = {
      name: `${config.name}-admin`,
      compatibility_date: config.compatibility_date,
      account_id: config.account_id,
      d1_databases: config.d1_databases?.map((database) => ({
        ...database,
        database_id: databaseId,
        remote: true,
      })),
    }
    await writeFile(configPath, JSON.stringify(derived))
    const proxy = await getPlatformProxy<{ [databaseBinding]: D1Database }>({
      configPath,
      // The derived configuration has no environments: it comes from the selected one.
      environment: '',
      remoteBindings: true,
      persist: false,
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
