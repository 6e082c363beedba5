// The instructions for operators for databases and deployments fit the tables and the Worker.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'smol-toml'
import { beforeAll, describe, expect, it } from 'vitest'
import { readMigrations } from '../support/database/migrations.ts'
import { addOperatorKey, type Joined, joinServer, projectDir } from './server.ts'

const pageOf = (name: string) => readFileSync(join(projectDir, `src/admin/operations/${name}.md`), 'utf8')
const restorePage = pageOf('restore')

let server: Joined
beforeAll(async () => {
  server = await joinServer()
})

const namesBy = async (sql: string) => {
  const { results } = await server.db.prepare(sql).all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** Gone while the search is off, as the page says (../admin/search-switch.test.ts). */
const isOfSearch = (table: string) => table.startsWith('lead_search')

describe('Moving a database', () => {
  const sqlOfTables = /--json --command "\n(\s*WITH RECURSIVE .+?)\n\s*" \|/s.exec(restorePage)?.[1] ?? ''

  it('A move of a database copies every table, each after the tables it refers to', async () => {
    const tables = (await namesBy(sqlOfTables)).filter((table) => !isOfSearch(table))
    const all = await namesBy(`select name from sqlite_master where type = 'table'`)
    const ofPlatform = /^(sqlite_.*|_cf_.*|d1_migrations|search_place)$/
    expect(tables.toSorted()).toEqual(
      all.filter((name) => !ofPlatform.test(name) && !isOfSearch(name)).toSorted(),
    )
    expect(tables.length).toBeGreaterThan(15)
    for (const [place, table] of tables.entries()) {
      const parents = await namesBy(`select "table" as name from pragma_foreign_key_list('${table}')`)
      for (const parent of parents) expect(tables.slice(0, place), `${table} of ${parent}`).toContain(parent)
    }
  })

  it('A move of a database copies all rows into the empty tables of a new database', async () => {
    const { base, keys } = server
    const send = async (method: string, path: string, body: object) => {
      const headers = { 'x-api-key': keys.manage, 'content-type': 'application/json' }
      const answer = await fetch(`${base}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
      expect([path, answer.ok]).toEqual([path, true])
      return ((await answer.json()) as { data: { calls: { callId: string }[] } }).data
    }
    const [called, erased] = ['+14155550101', '+14155550102']
    await send('POST', '/webhooks', { url: 'https://receiver.test/', types: ['lead.erased'] })
    for (const phoneNumber of [called, erased])
      await send('POST', '/leads', { campaignId: 'demo', phoneNumber })
    const { calls } = await send('POST', '/calls/claim', { campaignId: 'demo' })
    const report = { callId: calls[0]?.callId, outcome: 'busy', details: { note: 'again' } }
    await send('POST', '/calls/report', { calls: [report] })
    await send('POST', '/suppressions', { phoneNumbers: ['+14155550103'] })
    await send('POST', '/erasures', { phoneNumber: erased })

    const copy = new DatabaseSync(':memory:')
    for (const { queries } of await readMigrations()) for (const sql of queries) copy.exec(sql)
    const counts: Record<string, [copied: number, before: number]> = {}
    for (const table of await namesBy(sqlOfTables)) {
      if (isOfSearch(table)) continue
      const count = () => (copy.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
      const before = count()
      // As an export does: without columns that follow from others.
      const stored = await namesBy(`select name from pragma_table_info('${table}')`)
      const { results } = await server.db
        .prepare(`select ${stored.join()} from ${table}`)
        .all<Record<string, string | number | null>>()
      for (const row of results) {
        const columns = Object.keys(row)
        copy
          .prepare(`insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`)
          .run(...Object.values(row))
      }
      expect([table, before, count()]).toEqual([table, 0, results.length])
      counts[table] = [results.length, before]
    }
    const filled = Object.keys(counts).filter((table) => counts[table]?.[0] !== 0)
    expect(filled).toEqual(
      expect.arrayContaining(['leads', 'calls', 'call_details', 'campaign_hours', 'webhooks']),
    )
    copy.exec("insert into lead_search (lead_search, rank) values ('integrity-check', 1)")
    expect(copy.prepare('select count(*) as n from lead_search_data').get()?.n).toBeGreaterThan(2)
    copy.close()
  })
})

describe('Restoring D1', () => {
  const commands = Array.from(
    restorePage.matchAll(/--command "([^"]+frozen = [01][^"]+)"/g),
    ([, sql]) => sql,
  )
  const run = async (sql = '') => {
    for (const one of sql.split('; ')) await server.db.prepare(one).run()
  }

  it('Nothing is written while the operator keeps what a restore would lose, and all continues afterwards', async () => {
    const operatorKey = await addOperatorKey(server.db)
    const statusOf = async (path: string, key: string, body: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${server.base}/api/v1${path}`, sent)).status
    }
    const suppress = () => statusOf('/suppressions', server.keys.manage, { phoneNumbers: ['+14155550109'] })
    const keep = { to: new Date(Date.now() - 120_000).toISOString() }
    const [freeze, goOn] = commands
    await run(freeze)
    expect(await suppress()).toBe(503)
    expect(await statusOf('/restoring', operatorKey, keep)).toBe(200)
    await run(goOn)
    expect(await suppress()).toBe(200)
  })
})

describe('Restoring D1 beside companies with a database of their own', () => {
  const section = /^## Restore D1$(.+?)^## /ms.exec(restorePage)?.[1] ?? ''
  const commands = Array.from(section.matchAll(/--command "([^"]+)"/g), ([, sql]) => sql as string)

  async function restored() {
    const db = new DatabaseSync(':memory:')
    for (const { queries } of await readMigrations()) for (const sql of queries) db.exec(sql)
    return db
  }

  it('A restore of D1 sends the keys of a company that had moved to its own database again, and revokes none there', async () => {
    const db = await restored()
    db.exec(`insert into companies (id, name, created_at_ms) values ('acme', 'Acme', 0), ('other', 'Other', 0);
      insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms) values
        ('k1', 'acme', 'manage', 'k1', 'hash of k1', '', 0), ('k2', 'other', 'manage', 'k2', 'hash of k2', '', 0)`)
    const [, moveAgain] = commands as [string, string]
    db.exec(moveAgain)
    // 2: in another store, so that nothing here serves it.
    expect(db.prepare('select id, frozen from api_keys order by id').all()).toEqual([
      { id: 'k1', frozen: 2 },
      { id: 'k2', frozen: 0 },
    ])
    // So that what D1 has of it again is deleted, as after a move.
    expect(db.prepare('select phase, from_store, to_store, ended_at_ms from company_moves').all()).toEqual([
      { phase: 'switched', from_store: null, to_store: expect.stringMatching(/^:acme:/), ended_at_ms: null },
    ])
    const elsewhere = `select k.key_id, k.revoked_at_ms, c.store from store_keys as k join companies as c
      on c.id = k.company_id`
    expect(db.prepare(elsewhere).all()).toEqual([
      { key_id: 'k1', revoked_at_ms: null, store: expect.stringMatching(/^:acme:\w{8}@weur$/) },
    ])
    db.close()
  })

  it('A restore of D1 names all companies with a database of their own, and enters one again', async () => {
    const db = await restored()
    const [list, , enter] = commands as [string, string, string]
    db.exec(enter)
    expect(db.prepare(list).all()).toEqual([
      { id: 'acme', name: 'Acme', store: expect.stringMatching(/^:acme:\w{8}@weur$/), created_at_ms: 0 },
    ])
    db.close()
  })
})

describe('Printed configuration', () => {
  type Config = Record<string, unknown> & { readonly env?: Record<string, Record<string, unknown>> }
  const wrangler = parse(readFileSync(join(projectDir, 'wrangler.toml'), 'utf8')) as Config
  const printed = readdirSync(join(projectDir, 'src/admin/operations')).flatMap((file) =>
    [...pageOf(file.replace('.md', '')).matchAll(/^```toml\n(.*?)^```$/gms)].map(
      ([, text = '']) => [file, parse(text) as Config] as const,
    ),
  )

  /** What wrangler does not inherit in an environment, without the names that each environment has of its own. */
  const ownOf = (config: Record<string, unknown>) => {
    const { d1_databases, durable_objects, secrets, analytics_engine_datasets } = config
    const bindings = (list: unknown) => (list as { binding: string }[]).map(({ binding }) => binding)
    return {
      durable_objects,
      secrets,
      databases: bindings(d1_databases),
      datasets: bindings(analytics_engine_datasets),
    }
  }

  it('Printed environments have every binding of the Worker, and a database and metrics of their own', () => {
    const environments = printed.flatMap(([, { env }]) => Object.values(env ?? {}))
    expect(environments).toHaveLength(1)
    for (const environment of environments) {
      expect(ownOf(environment)).toEqual(ownOf(wrangler))
      for (const [list, name] of [
        ['d1_databases', 'database_name'],
        ['analytics_engine_datasets', 'dataset'],
      ] as const) {
        const names = (config: Record<string, unknown>) =>
          (config[list] as Record<string, string>[]).map((one) => one[name])
        expect(names(environment)).not.toEqual(names(wrangler))
      }
    }
  })

  it('Printed configuration has only settings that wrangler knows', () => {
    const schema = readFileSync(join(projectDir, 'node_modules/wrangler/config-schema.json'), 'utf8')
    const known = Object.keys(
      (JSON.parse(schema) as { definitions: { RawConfig: { properties: object } } }).definitions.RawConfig
        .properties,
    )
    expect(printed.length).toBeGreaterThanOrEqual(2)
    for (const [file, config] of printed)
      for (const setting of Object.keys(config)) expect(known, file).toContain(setting)
  })
})

it('Objects run the code of the Worker that calls them, as the pages say', () => {
  const wrangler = parse(readFileSync(join(projectDir, 'wrangler.toml'), 'utf8'))
  expect(wrangler.durable_objects).toMatchObject({ code_update_strategy: { mode: 'immediate' } })
})

it('Rolling back is documented to stop at the last Durable Object migration of the Worker', () => {
  const wrangler = readFileSync(join(projectDir, 'wrangler.toml'), 'utf8')
  const tags = [...wrangler.matchAll(/^tag = "(\w+)"/gm)].map(([, tag]) => tag as string)
  const paragraph = /^Roll a bad version back.+$/m.exec(pageOf('deploy'))?.[0] ?? ''
  expect(tags.filter((tag) => !paragraph.includes(`\`${tag}\``))).toEqual([])
  expect(paragraph).toContain('Durable Object migration')
})
