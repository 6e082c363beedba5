// The file of the local database, which a server, wrangler and any number of commands share.
import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runWrangler } from '../../src/admin/deploy/wrangler.ts'
import { localDatabaseFile, readDatabaseName } from '../../src/admin/deploy/wrangler-config.ts'
import { openLocalDatabase } from '../../src/admin/local/local-database.ts'
import { ensureOperatorKey } from '../../src/admin/local/operator-key.ts'
import { operatorKeyLifeMs } from '../../src/admin/operator-keys.ts'
import { hashApiKey } from '../../src/base/access/api-key.ts'
import { dirOfTest } from './project.ts'

async function openOfTest(stateDir = dirOfTest()): Promise<DatabaseSync> {
  const sqlite = await openLocalDatabase(stateDir)
  onTestFinished(() => sqlite.close())
  return sqlite
}

const appliedIn = (sqlite: DatabaseSync) =>
  sqlite
    .prepare('select name from d1_migrations order by name')
    .all()
    .map(({ name }) => name)
const migrations = readdirSync('migrations')
  .filter((file) => file.endsWith('.sql'))
  .sort()

describe('The local database', () => {
  it('The local database is the one that wrangler has, which finds no migration left to apply', async () => {
    const stateDir = dirOfTest()
    const sqlite = await openOfTest(stateDir)
    const { output } = await runWrangler([
      ...['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', stateDir],
    ])
    expect(output).toContain('No migrations to apply')
    expect(appliedIn(sqlite)).toEqual(migrations)
  })

  it('The local database is migrated once when many processes open it at the same time', async () => {
    const stateDir = dirOfTest()
    const { href } = pathToFileURL(join(import.meta.dirname, '../../src/admin/local/operator-key.ts'))
    const script = `import(${JSON.stringify(href)}).then((m) => m.ensureOperatorKey(${JSON.stringify(stateDir)}))`
    const start = () => new Promise((ended) => spawn(process.execPath, ['-e', script]).on('close', ended))
    expect(await Promise.all([start(), start(), start(), start()])).toEqual([0, 0, 0, 0])
    expect(appliedIn(await openOfTest(stateDir))).toEqual(migrations)
  })

  it('A migration that fails leaves none of those before it', async () => {
    const stateDir = dirOfTest()
    const sqlite = await openOfTest(stateDir)
    const [first = '', second = ''] = migrations
    sqlite.exec(`delete from d1_migrations where name <> '${first}'`)
    const schema = () => sqlite.prepare('select * from sqlite_schema').all()
    const before = schema()
    await expect(openLocalDatabase(stateDir)).rejects.toThrow('migrating the local database failed: ')
    expect([appliedIn(sqlite), schema(), second > first]).toEqual([[first], before, true])
  })

  it('A file is no state directory', async () => {
    const file = join(dirOfTest(), 'file')
    writeFileSync(file, '')
    await expect(openLocalDatabase(file)).rejects.toThrow(
      `the local state directory ${file} cannot be used: not a directory`,
    )
  })

  it('The local database is waited for while another process writes, and keeps one operator key until it ends soon', async () => {
    const stateDir = dirOfTest()
    await openOfTest(stateDir)
    const script = `
      const sqlite = new (require('node:sqlite').DatabaseSync)(process.argv[1])
      sqlite.exec('begin immediate')
      console.log('locked')
      setTimeout(() => sqlite.exec('commit'), 3000)`
    const other = spawn(process.execPath, ['-e', script, localDatabaseFile(resolve(stateDir))])
    await new Promise((locked) => other.stdout.once('data', locked))
    const sqlite = await openOfTest(stateDir)
    const stored = await ensureOperatorKey(stateDir)
    expect(await ensureOperatorKey(stateDir)).toBe(stored)
    const nearItsEnd = Date.now() + (11.5 / 12) * operatorKeyLifeMs
    expect(await ensureOperatorKey(stateDir, nearItsEnd)).not.toBe(stored)
    const hashes = sqlite.prepare('select hash from operator_keys').all()
    expect(hashes).toHaveLength(2)
    expect(hashes).toContainEqual({ hash: hashApiKey(stored) })
  })
})

describe('The configuration', () => {
  it('The configuration is read for the environment that CLOUDFLARE_ENV names', () => {
    expect(readDatabaseName()).toBe('lead-intake')
    vi.stubEnv('CLOUDFLARE_ENV', 'nowhere')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    expect(() => readDatabaseName()).toThrow('wrangler.toml has no environment nowhere')
  })
})
