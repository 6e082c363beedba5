// `npm start` where it cannot serve: one line says why, and nothing is changed.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { localDatabaseFile } from '../../src/admin/deploy/wrangler-config.ts'
import { openLocalDatabase } from '../../src/admin/local/local-database.ts'
import { ofVersion1 } from '../../src/base/database/first-migration.ts'
import { dirOfTest, freePort, npm } from './project.ts'

const startOn = (stateDir: string, port: number) =>
  npm(['start', '--silent', '--', '--port', String(port), '--persist-to', stateDir])

// deploy.test.ts has one of another name.
it('A local database of a version before 2.0 is left as it is', async () => {
  const stateDir = dirOfTest()
  const file = localDatabaseFile(stateDir)
  mkdirSync(dirname(file), { recursive: true })
  const sqlite = new DatabaseSync(file)
  onTestFinished(() => sqlite.close())
  sqlite.exec(`create table d1_migrations (id integer primary key, name text unique, applied_at text);
    insert into d1_migrations (name) values ('0019_key_ends.sql')`)
  const all = () => JSON.stringify(sqlite.prepare('select * from sqlite_schema').all())
  const before = all()
  const wayOut = `move ${stateDir} away, or give another directory with --persist-to`
  expect(await startOn(stateDir, await freePort())).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: the local database ${ofVersion1}: ${wayOut}\n`,
  })
  expect(all()).toBe(before)
})

it('A port that is taken is said in one line', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => {
    other.close()
  })
  expect(await startOn(dirOfTest(), port)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: port ${port} is taken: choose another with \`npm start -- --port <number>\`\n`,
  })
})

it('A local database that cannot be migrated is said in one line', async () => {
  const stateDir = dirOfTest()
  const sqlite = await openLocalDatabase(stateDir)
  sqlite.exec('delete from d1_migrations')
  sqlite.close()
  const { exitCode, stderr } = await startOn(stateDir, await freePort())
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(/^error: migrating the local database failed: .+\n$/),
  })
})
