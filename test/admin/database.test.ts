// The file of the local database, which a server, wrangler and any number of commands share.
import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hashApiKey } from '../../src/access/api-key.ts'
import { runWrangler } from '../../src/admin/deploy/wrangler.ts'
import { localDatabaseFile, readDatabaseName } from '../../src/admin/deploy/wrangler-config.ts'
import { openLocalDatabase } from '../../src/admin/local/local-database.ts'
import { ensureOperatorKey } from '../../src/admin/local/operator-key.ts'
import { operatorKeyLifeMs } from '../../src/admin/operator-keys.ts'
import { openDatabaseFile } from '../../src/database/database-file.ts'
import { applyMigration, listAppliedMigrations } from '../../src/database/migrations.ts'
import { dirOfTest } from './project.ts'

async function openOfTest(stateDir = dirOfTest()): Promise<D1Database> {
  const { db, close } = await openLocalDatabase(stateDir)
  onTestFinished(close)
  return db
}

describe('The local database', () => {
  it('The local database is the one that wrangler has, which finds no migration left to apply', async () => {
    const stateDir = dirOfTest()
    const db = await openOfTest(stateDir)
    const { output } = await runWrangler([
      ...['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', stateDir],
    ])
    expect(output).toContain('No migrations to apply')
    const migrations = readdirSync('migrations').filter((file) => file.endsWith('.sql'))
    expect(await listAppliedMigrations(db)).toEqual(migrations.toSorted())
  })

  it('The local database is made and migrated once when many processes begin at the same time', async () => {
    const stateDir = dirOfTest()
    const { href } = pathToFileURL(join(import.meta.dirname, '../../src/admin/local/operator-key.ts'))
    const script = `import(${JSON.stringify(href)}).then((m) => m.ensureOperatorKey(${JSON.stringify(stateDir)}))`
    const start = () => new Promise((ended) => spawn(process.execPath, ['-e', script]).on('close', ended))
    expect(await Promise.all([start(), start(), start(), start()])).toEqual([0, 0, 0, 0])
    const db = await openOfTest(stateDir)
    expect(await listAppliedMigrations(db)).toEqual([...new Set(await listAppliedMigrations(db))])
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
    const db = await openOfTest(stateDir)
    const stored = await ensureOperatorKey(stateDir)
    expect(await ensureOperatorKey(stateDir)).toBe(stored)
    const nearItsEnd = Date.now() + (11.5 / 12) * operatorKeyLifeMs
    expect(await ensureOperatorKey(stateDir, nearItsEnd)).not.toBe(stored)
    const [{ results } = { results: [] }] = await db.batch([
      db.prepare('select hash from operator_keys').bind(),
    ])
    expect(results).toHaveLength(2)
    expect(results).toContainEqual({ hash: hashApiKey(stored) })
  })

  it('The local database takes all of a batch or nothing, and one statement at a time', async () => {
    const dir = dirOfTest()
    const { db, close } = openDatabaseFile(join(dir, 'a.sqlite'))
    onTestFinished(close)
    const [, inserted] = await db.batch([
      db.prepare('create table t (a unique)'),
      db.prepare('insert into t values (?), (?)').bind('x', 'y'),
    ])
    expect(inserted?.meta.changes).toBe(2)
    const insert = (value: string) => db.prepare('insert into t values (?)').bind(value)
    await expect(db.batch([insert('z'), insert('x')])).rejects.toThrow('UNIQUE constraint failed')
    await expect(db.batch([db.prepare('delete from t; select 1').bind()])).rejects.toThrow(
      'only one statement',
    )
    const [left] = await db.batch([db.prepare('select count(*) as count from t').bind()])
    expect(left?.results).toEqual([{ count: 2 }])
  })
})

it('A migration is applied whole or not at all', async () => {
  const db = await openOfTest()
  const text = 'create table t (a);\n--> statement-breakpoint\ncreate table companies (a);'
  expect(await applyMigration(db, { name: 'broken.sql', text })).toEqual({
    kind: 'failed',
    message: 'table companies already exists',
  })
  expect(await listAppliedMigrations(db)).not.toContain('broken.sql')
  expect(await applyMigration(db, { name: 'good.sql', text: 'create table t (a)' })).toEqual({
    kind: 'applied',
  })
})

it('A migration that finds the database locked has not failed: that is thrown', async () => {
  const db = await openOfTest()
  const locked = Object.assign(Object.create(db), {
    batch: () => Promise.reject(new Error('database is locked')),
  })
  const applied = applyMigration(locked, { name: 'a.sql', text: 'create table a (x)' })
  await expect(applied).rejects.toMatchObject({ reason: 'locked' })
})

it.each([
  ['two statements, and no breakpoint', 'create table a (x);\ncreate table b (x);'],
  ['a comment at the end', 'create table a (x);\n-- done'],
  ['a comment alone', '-- Custom SQL migration file, put your code below! --'],
  ['a breakpoint at the end', 'create table a (x);\n--> statement-breakpoint\n'],
])('A migration may be written by hand: %s', async (_, text) => {
  expect(await applyMigration(await openOfTest(), { name: 'a.sql', text })).toEqual({ kind: 'applied' })
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
