// The project's migrations, which every test that has a database applies, against the tables that the code knows; and
// the tests' own migrator, on what a person may write by hand.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { readMigrations } from '../support/database/migrations.ts'

const byHand = `-- Several statements; none has a breakpoint behind it.
CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
/* A comment; over
   two lines. */
INSERT INTO notes (text) VALUES ('one; two'), ('-- three');
CREATE TRIGGER kept BEFORE DELETE ON notes BEGIN
  SELECT raise(abort, 'kept');
END;
`

it('A migration written by hand is applied statement by statement, whatever its comments and texts hold', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-migrations-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, '0000_notes.sql'), byHand)
  writeFileSync(join(dir, '0001_more.sql'), `INSERT INTO notes (text) VALUES ('four')`)
  const sqlite = new DatabaseSync(':memory:')
  for (const { queries } of await readMigrations(dir))
    for (const query of queries) sqlite.prepare(query).run()
  const texts = sqlite.prepare('select text from notes order by id').all()
  expect(texts.map(({ text }) => text)).toEqual(['one; two', '-- three', 'four'])
})

const projectDir = join(import.meta.dirname, '../..')

it('The migrations have all that tables.ts files have, so that there is nothing to generate, and begin at 2000', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-generated-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  cpSync(join(projectDir, 'migrations'), dir, { recursive: true })
  const before = readdirSync(dir)
  const program = join(projectDir, 'node_modules/drizzle-kit/bin.cjs')
  // It puts `./` before the folder, absolute or not.
  const out = relative(projectDir, dir)
  const args = ['generate', '--dialect', 'sqlite', '--schema', './src/**/tables.ts', '--out', out]
  const said = execFileSync(process.execPath, [program, ...args], { cwd: projectDir, encoding: 'utf8' })
  expect(said).toContain('No schema changes')
  expect(before.filter((file) => file < '2000')).toEqual([])
})

// Read as text: Node imports no SQL.
it('The migrations bundled for companies with own stores are all of the folder, in order, under their names', () => {
  const files = readdirSync(join(projectDir, 'migrations'))
    .filter((file) => file.endsWith('.sql'))
    .sort()
  const bundled = readFileSync(join(projectDir, 'src/base/database/bundled-migrations.ts'), 'utf8')
  const imported = new Map(
    [...bundled.matchAll(/import (\w+) from '..\/..\/..\/migrations\/([\w.]+)'/g)].map(([, name, file]) => [
      name,
      file,
    ]),
  )
  const listed = [...bundled.matchAll(/\['([\w.]+)', (\w+)\]/g)]
  expect(listed.map(([, file]) => file)).toEqual(files)
  expect(listed.map(([, , name]) => imported.get(name))).toEqual(files)
})
