// The file of the local database, which a server, wrangler and any number of commands share.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listCompanies } from '../../src/access/store/administration.ts'
import { openLocalDatabase } from '../../src/admin/database.ts'
import { runWrangler } from '../../src/admin/deploy/wrangler.ts'
import { localDatabaseFile, readDatabaseName } from '../../src/admin/deploy/wrangler-config.ts'
import { openDatabaseFile } from '../../src/database/database-file.ts'
import { applyMigration, listAppliedMigrations } from '../../src/database/migrations.ts'
import { command } from './command.ts'
import { admin, removeDir, temporaryDir } from './project.ts'

function stateDirOfTest(): string {
  const dir = temporaryDir()
  onTestFinished(() => removeDir(dir))
  return dir
}

async function openOfTest(stateDir = stateDirOfTest()): Promise<D1Database> {
  const { db, close } = await openLocalDatabase(stateDir)
  onTestFinished(close)
  return db
}

describe('The local database', () => {
  it('is the one that wrangler has, which finds no migration left to apply', async () => {
    const stateDir = stateDirOfTest()
    const db = await openOfTest(stateDir)
    const { output } = await runWrangler([
      ...['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', stateDir],
    ])
    expect(output).toContain('No migrations to apply')
    const migrations = readdirSync('migrations').filter((file) => file.endsWith('.sql'))
    expect(await listAppliedMigrations(db)).toEqual(migrations.toSorted())
  })

  it('is made and migrated once when many commands begin at the same time', async () => {
    const stateDir = stateDirOfTest()
    const finished = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        admin(stateDir, `company create --id company-${index} --name Acme`),
      ),
    )
    expect(finished.filter(({ exitCode }) => exitCode !== 0)).toEqual([])
    expect(await listCompanies(await openOfTest(stateDir))).toHaveLength(4)
  })

  it('is waited for while another process is writing to it', async () => {
    const stateDir = stateDirOfTest()
    await openOfTest(stateDir)
    const script = `
      const sqlite = new (require('node:sqlite').DatabaseSync)(process.argv[1])
      sqlite.exec('begin immediate')
      console.log('locked')
      setTimeout(() => sqlite.exec('commit'), 3000)`
    const other = spawn(process.execPath, ['-e', script, localDatabaseFile(resolve(stateDir))])
    await new Promise((locked) => other.stdout.once('data', locked))
    const db = await openOfTest(stateDir)
    const { exitCode } = await command(db, 'company create --id acme --name', 'Acme')
    expect(exitCode).toBe(0)
    expect(await listCompanies(db)).toHaveLength(1)
  })

  it('takes all of a batch or nothing, and one statement at a time', async () => {
    const dir = stateDirOfTest()
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

describe('A migration', () => {
  it('is applied whole or not at all', async () => {
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

  it.each([
    ['two statements, and no breakpoint', 'create table a (x);\ncreate table b (x);'],
    ['a comment at the end', 'create table a (x);\n-- done'],
    ['a comment alone', '-- Custom SQL migration file, put your code below! --'],
    ['a breakpoint at the end', 'create table a (x);\n--> statement-breakpoint\n'],
  ])('may be written by hand: %s', async (_, text) => {
    expect(await applyMigration(await openOfTest(), { name: 'a.sql', text })).toEqual({ kind: 'applied' })
  })
})

describe('wrangler.toml', () => {
  it('is read for the environment that CLOUDFLARE_ENV names', () => {
    expect(readDatabaseName()).toBe('lead-intake')
    vi.stubEnv('CLOUDFLARE_ENV', 'nowhere')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    expect(() => readDatabaseName()).toThrow('wrangler.toml has no environment nowhere')
  })
})
