// Companies are kept apart by the statements themselves: each one that touches what is theirs names the key's right.
// The statements are caught on their way to the database, at every endpoint of the catalogue, so that none can be
// forgotten, and no table either.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../support/catalogue/cases.ts'
import { keyedEndpoints } from '../support/catalogue/catalogue.ts'
import { watchedDatabase } from '../support/database.ts'
import { sideBySide } from '../support/side-by-side.ts'
import { seedWorld } from '../support/world.ts'

/** What a key's right is made of. All other tables hold what belongs to a company. */
const ofRights = ['companies', 'campaigns', 'api_keys', 'd1_migrations']

/** Hours follow from settings, and nobody's data is in them: a claim writes them anew for whoever comes next. */
const writesHours = (sql: string) => /^(insert into|delete from) (openings|calling_lanes)\b/.test(plain(sql))

/** Text of SQL without quotes and runs of spaces. */
const plain = (sql: string) => sql.replaceAll('"', '').replace(/\s+/g, ' ').toLowerCase()

const names = (sql: string, table: string) => new RegExp(`\\b${table}\\b`).test(plain(sql))

/** The key, by its id, and that it is neither revoked nor expired. */
const right = [/\bapi_keys\b/, /\bid = \?/, /\brevoked_at_ms is null/, /\bexpires_at_ms is null or \S+ > \?/]

type Seen = {
  readonly name: string
  readonly isRefused: boolean
  readonly sql: string
  readonly written: number
}

const askedFor = new Map<string, Promise<Seen[]>>()

/** The statements of all the endpoint's cases, and what each wrote. */
function statementsOf(endpoint: string): Promise<Seen[]> {
  const seen = askedFor.get(endpoint) ?? watch(endpoint)
  askedFor.set(endpoint, seen)
  return seen
}

async function watch(endpoint: string): Promise<Seen[]> {
  const world = await seedWorld()
  const ofCases = await sideBySide(casesOf(endpoint), async (one) => {
    const { DB, trips } = watchedDatabase()
    await one.ask(world, { DB })
    return trips.flatMap(({ statements, results }) =>
      statements.map(({ sql }, i) => ({
        name: one.name,
        isRefused: one.said !== null,
        sql,
        written: results[i]?.meta.changes ?? 0,
      })),
    )
  })
  return ofCases.flat()
}

async function guardedTables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*'`,
  ).all<{ name: string }>()
  return results.map(({ name }) => name).filter((name) => !ofRights.includes(name))
}

describe('A statement on what belongs to a company', () => {
  const endpoints = keyedEndpoints.map(({ name }) => name)

  it.each(endpoints)('names the key’s right, whichever it is: %s', async (name) => {
    const guarded = await guardedTables()
    const found = new Set((await statementsOf(name)).map(({ sql }) => sql))
    const onCompanies = [...found].filter(
      (sql) => !writesHours(sql) && guarded.some((table) => names(sql, table)),
    )
    expect(guarded).toContain('leads')
    expect(onCompanies).not.toEqual([])
    for (const sql of onCompanies)
      expect({ sql, lacks: right.filter((part) => !part.test(plain(sql))) }).toEqual({ sql, lacks: [] })
  })

  it.each(endpoints)('writes nothing when its request is refused: %s', async (name) => {
    const wrote = (await statementsOf(name)).filter(({ isRefused, written }) => isRefused && written > 0)
    expect(wrote).toEqual([])
  })
})

describe('The log, after all of the catalogue', () => {
  it('holds no phone number, key, reason or metadata', async () => {
    for (const { name } of keyedEndpoints) await statementsOf(name)
    const { results } = await env.DB.prepare('select distinct type, data from events').all<{
      type: string
      data: string
    }>()
    expect(new Set(results.map(({ type }) => type)).size).toBeGreaterThan(3)
    const personal =
      /\+[1-9]\d{6,}|lk_|whsec_|asked|opt-out|"(metadata|details|externalId)":|"reason":"(?!gone|dead|operator)/
    expect(results.filter(({ data }) => personal.test(data))).toEqual([])
  })
})
