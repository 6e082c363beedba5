// `search off` and `search on`: the search index of D1 is taken away for an export, and made again.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { switchOff, switchOn } from '../../src/admin/deploy/search-switch.ts'
import { indexOf } from '../../src/queue/leads/search-words.ts'
import { indexByTheMinute } from '../../src/queue/leads/store/search-index.ts'
import { databaseOn } from '../support/database/fast-database.ts'
import { readMigrations } from '../support/database/migrations.ts'
import { statementsOf } from '../support/leads/search-index.ts'

let dir: string
let sqlite: DatabaseSync

/** As wrangler runs a command. */
const run = async (text: string) => {
  sqlite.exec('begin')
  const rows = statementsOf(text).map((one) => sqlite.prepare(one).all())
  sqlite.exec('commit')
  return rows
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lead-intake-search-'))
  const file = join(dir, 'd1.sqlite')
  sqlite = new DatabaseSync(file)
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = off')
  for (const { queries } of await readMigrations()) for (const sql of queries) sqlite.exec(sql)
  sqlite.exec(`insert into companies (id, name, created_at_ms) values ('acme', 'Acme', 0);
    insert into campaigns (number, company_id, id, name, created_at_ms) values (1, 'acme', 'c', 'C', 0)`)
})
afterEach(() => {
  sqlite.close()
  rmSync(dir, { recursive: true, force: true })
})

const index = indexOf('acme')
function leadWriter() {
  const insert = sqlite.prepare(
    `insert into leads (seq, campaign_number, phone_number, created_at_ms, token, number_word, words)
     values ((1 << 32) + ?, 1, ?, 0, 't', ?, ?)`,
  )
  return (place: number, name: string) => {
    const { numberWord, words } = index({ phoneNumber: `+49${place}`, metadata: JSON.stringify({ name }) })
    insert.run(place, `+49${place}`, numberWord, words)
  }
}
const addLead = (place: number, name: string) => leadWriter()(place, name)

function addLeads(count: number, nameOf: (place: number) => string) {
  const add = leadWriter()
  sqlite.exec('begin')
  for (let place = 1; place <= count; place++) add(place, nameOf(place))
  sqlite.exec('commit')
}

const schema = () =>
  sqlite
    .prepare("select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by name")
    .all()
const tablesOfIndex = () => schema().filter(({ name }) => String(name).includes('lead_search'))
const found = (name: string) =>
  sqlite
    .prepare('select count(*) as n from lead_search where lead_search match ?')
    .get(`"${index({ metadata: JSON.stringify({ name }) }).words}"`)?.n
const check = () => sqlite.exec("insert into lead_search (lead_search, rank) values ('integrity-check', 1)")

describe('The search index', () => {
  it('The search index is gone after `off`, leads are stored meanwhile, and `on` makes the same again with all of them', async () => {
    const before = schema()
    addLeads(101, (place) => (place === 1 ? 'ada' : 'other'))
    expect(await switchOff(run)).toContain('The search is off')
    expect(tablesOfIndex()).toEqual([])
    expect(sqlite.prepare('select place from search_place').all()).toEqual([{ place: -1 }])
    addLead(102, 'ada')
    sqlite.exec('update leads set words = null where seq = (1 << 32) + 2')
    sqlite.exec('delete from leads where seq = (1 << 32) + 3')
    const shown: string[] = []
    expect(await switchOn(run, (text) => shown.push(text), 100)).toBe('The search is on.')
    expect(shown).toHaveLength(1)
    expect(schema()).toEqual(before)
    expect([found('ada'), found('other')]).toEqual([2, 98])
    addLead(103, 'ada')
    expect(found('ada')).toBe(3)
    check()
  })

  it('An interrupted `on` continues where it stopped, whatever happened to the leads on either side', async () => {
    addLeads(250, () => 'ada')
    await switchOff(run)
    let batches = 0
    const interrupted = switchOn(
      async (text) => {
        if (text.includes('OFFSET') && ++batches === 2) throw new Error('interrupted')
        return run(text)
      },
      () => {},
      100,
    )
    await expect(interrupted).rejects.toThrow('interrupted')
    for (const place of [10, 100, 101, 248]) {
      sqlite.exec(`update leads set words = replace(words, 'ada', 'eve') where seq = (1 << 32) + ${place}`)
      sqlite.exec(`delete from leads where seq = (1 << 32) + ${place + 2}`)
    }
    addLead(300, 'eve')
    await switchOn(run, () => {}, 100)
    check()
    expect(found('eve')).toBe(5)
  })

  it('The search index is left as it is by a second `off` or `on`', async () => {
    expect(await switchOn(run, () => {})).toBe('The search is on already.')
    await switchOff(run)
    expect(await switchOff(run)).toBe('The search is off already.')
  })
})

describe('The migration that makes the search index anew', () => {
  const migration = '2003_search_list.sql'
  const place = () => sqlite.prepare('select place from search_place').get()?.place
  const allPlaces = Number.MAX_SAFE_INTEGER

  /** As the version before has left it, with so many leads. */
  async function seedBefore(count: number, isOff = false) {
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(dir)
    const file = join(dir, 'before.sqlite')
    sqlite = new DatabaseSync(file)
    sqlite.exec('pragma synchronous = off')
    const migrations = await readMigrations()
    const apply = (isWanted: (name: string) => boolean) => {
      sqlite.exec('begin')
      for (const { name, queries } of migrations)
        if (isWanted(name)) for (const sql of queries) sqlite.exec(sql)
      sqlite.exec('commit')
    }
    apply((name) => name < migration)
    sqlite.exec(`insert into companies (id, name, created_at_ms) values ('acme', 'Acme', 0);
      insert into campaigns (number, company_id, id, name, created_at_ms) values (1, 'acme', 'c', 'C', 0)`)
    addLeads(count, (lead) => (lead % 2 === 0 ? 'ada' : 'eve'))
    if (isOff) await switchOff(run)
    apply((name) => name === migration)
    return databaseOn(sqlite)
  }

  it('All leads are in the new search index at once where there are few, also after `off`', async () => {
    for (const isOff of [false, true]) {
      await seedBefore(300, isOff)
      expect([place(), found('ada'), found('eve')]).toEqual([allPlaces, 150, 150])
      addLead(1000, 'ada')
      sqlite.exec('delete from leads where seq = (1 << 32) + 2')
      check()
    }
  })

  it('Of more leads than 20,000 the rest follows by the minute, whatever becomes of leads meanwhile', async () => {
    const db = await seedBefore(21_500)
    expect([place(), found('ada')]).toEqual([2 ** 32 + 20_000, 10_000])
    for (const lead of [10, 20_100]) {
      sqlite.exec(`update leads set words = replace(words, 'ada', 'zoe') where seq = (1 << 32) + ${lead}`)
      sqlite.exec(`delete from leads where seq = (1 << 32) + ${lead + 2}`)
    }
    addLead(30_000, 'zoe')
    await indexByTheMinute(db)
    expect([place(), found('ada'), found('zoe')]).toEqual([allPlaces, 10_746, 3])
    check()
    await indexByTheMinute(db)
    expect(found('ada')).toBe(10_746)
  })

  it('The work by the minute leaves a search that the operator has switched off as it is', async () => {
    const db = await seedBefore(10)
    await switchOff(run)
    await indexByTheMinute(db)
    expect([place(), tablesOfIndex()]).toEqual([-1, []])
  })
})
