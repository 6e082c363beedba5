// Every statement does the same in D1 and in the SQLite of a Durable Object: whatever the catalogue of all answers, a
// day of calling and the crons ask of D1 is recorded, and asked of an object again, one transaction after the other.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { StatementResult } from '../../../src/base/database/company-store.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { databaseIn, newStore } from '../../support/companies/own-company.ts'
import { objectOf } from '../../support/companies/restoring.ts'
import { type Recorded, recordD1 } from '../../support/database/recorder.ts'
import { isOfD1 } from '../../support/database/store.ts'
import { askCatalogue, playDay } from '../../support/http/everything.ts'

/** Where chance orders the rows, they are the same in any order. */
const said = (text: string, { results }: StatementResult) => ({
  text,
  results: text.includes('random()') ? results.map((row) => JSON.stringify(row)).toSorted() : results,
})

/** Of a batch: the search index writes what it holds back with a later statement, in D1 another than in an object. */
const isChanging = (results: readonly StatementResult[]) => results.some(({ meta }) => meta.changes > 0)

describe.skipIf(isOfD1('statements'))('D1 and the SQLite of an object', () => {
  const store = newStore('statements')
  const object = databaseIn(store)
  let recorded: readonly Recorded[] = []
  let answers: readonly (readonly StatementResult[])[] = []
  let keys: readonly ForeignKey[] = []
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const recorder = recordD1()
    await askCatalogue()
    await playDay()
    recorder.stop()
    vi.useRealTimers()
    // Only D1 keeps its migrations in a table, which the diagnosis of a set-up reads.
    recorded = recorder.recorded.filter(
      ({ statements }) => !JSON.stringify(statements).includes('d1_migrations'),
    )
    answers = await runInDurableObject(objectOf(store), async (own: CompanyStore) => {
      const again: (readonly StatementResult[])[] = []
      for (const { statements } of recorded) again.push(await own.batch(statements))
      return again
    })
    keys = await foreignKeys()
    for (const key of keys) await fillIfEmpty(key, [env.DB, object])
  })

  it('D1 and an object give the same rows for each statement, change rows with the same batches, and read as many rows', () => {
    const readOtherwise = new Map<string, string>()
    const texts = new Set<string>()
    for (const [batch, { statements, results }] of recorded.entries()) {
      const inD1 = results as unknown as readonly StatementResult[]
      expect([statements, isChanging(answers[batch] ?? [])]).toEqual([statements, isChanging(inD1)])
      for (const [i, [text]] of statements.entries()) {
        const [one, other] = [inD1[i] as StatementResult, answers[batch]?.[i] as StatementResult]
        expect(said(text, other)).toEqual(said(text, one))
        if (one.meta.rows_read !== other.meta.rows_read)
          readOtherwise.set(text, `${one.meta.rows_read} in D1, ${other.meta.rows_read}`)
        texts.add(text)
      }
    }
    expect([...readOtherwise]).toEqual([])
    expect(texts.size).toBeGreaterThan(250)
  })

  it('D1 and an object hold the same in every table after all of them', async () => {
    const tables = await tablesOf(env.DB)
    expect(await tablesOf(object)).toEqual(tables)
    for (const table of tables) {
      const query = `select * from ${table}`
      const [inD1, inObject] = [await env.DB.prepare(query).all(), await object.prepare(query).all()]
      expect({ table, rows: inObject.results }).toEqual({ table, rows: inD1.results })
    }
  })

  it('D1 and an object refuse the same references to what is not there, and to remove what is referred to', async () => {
    expect(keys.length).toBeGreaterThan(15)
    for (const key of keys)
      for (const text of violationsOf(key)) {
        const [inD1, inObject] = [await refusalOf(env.DB, text), await refusalOf(object, text)]
        expect({ text, refused: [inD1, inObject] }).toEqual({
          text,
          refused: ['FOREIGN KEY constraint failed', 'FOREIGN KEY constraint failed'],
        })
      }
  })

  it('D1 and an object refuse the same rows that are there already', async () => {
    for (const table of await tablesOf(env.DB)) {
      const { results } = await env.DB.prepare(
        `select name from pragma_table_xinfo('${table}') where hidden = 0`,
      ).all()
      const columns = results.map(({ name }) => name).join()
      const text = `insert into ${table} (${columns}) select ${columns} from ${table} limit 1`
      const [inD1, inObject] = [await refusalOf(env.DB, text), await refusalOf(object, text)]
      expect({ text, refused: inObject }).toEqual({ text, refused: inD1 })
      if ((await env.DB.prepare(`select 1 from ${table}`).first()) !== null)
        expect({ text, refused: inD1 }).toMatchObject({
          refused: expect.stringMatching(/^UNIQUE constraint failed/),
        })
    }
  })

  it.each([
    ["update api_keys set scope = 'nobody'", 'CHECK constraint failed: api_keys_scope'],
    ['update campaigns set number = 0', 'CHECK constraint failed: campaigns_number'],
    ['update campaigns set number = 2097152', 'CHECK constraint failed: campaigns_number'],
    ['update leads set seq = 1', 'CHECK constraint failed: leads_seq'],
    ["update leads set status = 'gone'", 'CHECK constraint failed: leads_status'],
    ['update leads set priority = 101', 'CHECK constraint failed: leads_priority'],
    ['update leads set attempts = -1', 'CHECK constraint failed: leads_attempts'],
    [
      'update leads set due_at_ms = 1, lease_expires_at_ms = 1',
      'CHECK constraint failed: leads_queued_or_leased',
    ],
    [
      "insert into companies (id, created_at_ms) values ('x', 1)",
      'NOT NULL constraint failed: companies.name',
    ],
    ['update events set data = 1', 'an event never changes'],
  ])('D1 and an object refuse what no row may hold: %s', async (text, message) => {
    const [inD1, inObject] = [await refusalOf(env.DB, text), await refusalOf(object, text)]
    expect(inObject).toBe(inD1)
    expect(inD1).toBe(message)
  })

  it.each([
    ['D1', () => env.DB],
    ['an object', () => object],
  ])('D1 and an object undo a whole batch of which a statement in the middle fails: %s', async (_, dbOf) => {
    const db = dbOf()
    const counted = () => db.prepare('select count(*) as n, max(name) as name from companies').first()
    const before = await counted()
    const insert = db.prepare("insert into companies (id, name, created_at_ms) values (?1, 'zzz', 0)")
    const batch = [insert.bind('first'), db.prepare('select json(?1)').bind('not JSON'), insert.bind('last')]
    expect(String(await db.batch(batch).catch((error: Error) => error))).toContain('malformed JSON')
    expect(await counted()).toEqual(before)
  })
})

/** What the database says of it. Whatever it does is undone. */
async function refusalOf(db: D1Database, text: string): Promise<string> {
  const undo = db.prepare("select json_extract('{}', 'undone')")
  const error = await db.batch([db.prepare(text), undo]).catch((error: Error) => error)
  return (error as Error).message.replace(/^D1_ERROR: /, '').replace(/: SQLITE_\w+.*$/, '')
}

type ForeignKey = {
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: string
  readonly targets: readonly string[]
  readonly primary: readonly string[]
}

async function foreignKeys(): Promise<ForeignKey[]> {
  const found = await Promise.all(
    (await tablesOf(env.DB)).map(async (table) => {
      const query = `select id, "table" as parent, "from", "to" from pragma_foreign_key_list('${table}')
        order by id, seq`
      const { results } = await env.DB.prepare(query).all<{
        id: number
        parent: string
        from: string
        to: string
      }>()
      const keys = await env.DB.prepare(
        `select name from pragma_table_info('${table}') where pk > 0 order by pk`,
      ).all<{ name: string }>()
      const primary = keys.results.map(({ name }) => name)
      return [...Map.groupBy(results, ({ id }) => id).values()].map((columns) => ({
        table,
        columns: columns.map(({ from }) => from),
        parent: columns[0]?.parent as string,
        targets: columns.map(({ to }) => to),
        primary,
      }))
    }),
  )
  return found.flat()
}

/** A row of a table that the day leaves empty: one that only operators or moves fill. */
async function fillIfEmpty(
  { table, columns, parent, targets }: ForeignKey,
  databases: readonly D1Database[],
): Promise<void> {
  if ((await env.DB.prepare(`select 1 from ${table}`).first()) !== null) return
  const { results } = await env.DB.prepare(
    `select name from pragma_table_info('${table}') where "notnull" and dflt_value is null`,
  ).all<{ name: string }>()
  const names = results.map(({ name }) => name)
  const values = names.map((name) => {
    const target = targets[columns.indexOf(name)]
    return target === undefined ? '1' : `(select ${target} from ${parent} limit 1)`
  })
  const text = `insert into ${table} (${names.join()}) values (${values.join()})`
  for (const db of databases) await db.prepare(text).run()
}

/** A row that refers to nothing: a new one, or the first, changed; and each parent that has children is removed. */
function violationsOf({ table, columns, parent, targets, primary }: ForeignKey): string[] {
  const column = columns.at(-1) as string
  const first = `from ${table} where ${column} is not null limit 1`
  const lost = table === 'leads' ? `${column} = 2000000, seq = 2000000 << 32` : `${column} = 2000000`
  const joined = columns.map((name, i) => `child.${name} = ${parent}.${targets[i]}`).join(' and ')
  return [
    table === 'events'
      ? `insert into events (company_id, number, at_ms, type, actor, data) values ('2000000', 1, 1, 'x', 'x', '{}')`
      : `update ${table} set ${lost} where (${primary.join()}) = (select ${primary.join()} ${first})`,
    `delete from ${parent} where exists (select 1 from ${table} as child where ${joined})`,
  ]
}

/**
 * Without those that SQLite, the platform and the migrations keep, and those of the search index, which SQLite fills as
 * it sees fit: the tests of search look into both.
 */
async function tablesOf(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all<{ name: string }>()
  return results
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite|_cf|d1|applied|lead_search)(_|$)/.test(name))
}
