// An hour in which nobody asks for anything: what it changes in the tables, and how often objects wake in it.
import type { Service } from '../platform/service.ts'
import type { Sqlite } from '../platform/sqlite.ts'

/** Rows of one company in one table that are there no more, or are new. One that has changed is in both. */
export type Changed = {
  readonly table: string
  /** Null: of none. */
  readonly companyId: string | null
  readonly gone: readonly Row[]
  readonly came: readonly Row[]
}

// biome-ignore lint/suspicious/noExplicitAny: columns differ from table to table
type Row = Readonly<Record<string, any>>

/** Of an object: how often its alarm has run. */
export type Woken = {
  readonly className: string
  readonly name: string
  readonly alarms: number
  /** A store in which something waits for its time. */
  readonly isBusy: boolean
}

export type QuietHour = {
  readonly sinceMs: number
  readonly changed: readonly Changed[]
  readonly woken: readonly Woken[]
}

type Everything = {
  readonly atMs: number
  /** The rows of each table of each store, as JSON. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  readonly alarms: ReadonlyMap<string, number>
  readonly busy: ReadonlySet<string>
  /** Whose campaign has the number. */
  readonly companies: ReadonlyMap<number, string>
}

/** What a store looks after each minute. */
const isBusy = `select 1 from leads where due_at_ms is not null or lease_expires_at_ms is not null
  union all select 1 from alerts
  union all select 1 from webhooks where disabled_at_ms is null
  union all select 1 from calling_settings where has_dialer or gate_version > 0 or returns_held_after is not null`

export function everythingIn({ agenda, sqlite, objects }: Service): Everything {
  const tables = new Map<string, ReadonlySet<string>>()
  const companies = new Map<number, string>()
  const busy = new Set<string>()
  const note = (store: string | null, database: Sqlite) => {
    for (const [table, rows] of tablesOf(database)) tables.set(JSON.stringify([store, table]), rows)
    for (const row of database.rows('select number, company_id as id from campaigns'))
      companies.set(Number(row.number), String(row.id))
    if (store !== null && database.rows(isBusy).length > 0) busy.add(store)
  }
  note(null, sqlite)
  const alarms = new Map<string, number>()
  for (const { className, name, storage, alarmsRun } of objects.all.values()) {
    alarms.set(JSON.stringify([className, name]), alarmsRun)
    const database = className === 'CompanyStore' ? storage.sqlite() : null
    if (database !== null) note(name, database)
  }
  return { atMs: agenda.nowMs(), tables, alarms, busy, companies }
}

/** The index of the search is in tables of its own, which follow from the leads. */
const tablesOf = (database: Sqlite): readonly (readonly [table: string, rows: ReadonlySet<string>])[] =>
  database
    .rows("select name from sqlite_master where type = 'table' and name not like 'lead_search%'")
    .map(({ name }) => [
      String(name),
      new Set(database.rows(`select * from "${name}"`).map((row) => JSON.stringify(row))),
    ])

type Rows = ReadonlySet<string>

export function quietHour(before: Everything, after: Everything): QuietHour {
  const none: Rows = new Set()
  const without = (rows: Rows, others: Rows): Row[] =>
    [...rows].filter((row) => !others.has(row)).map((row) => JSON.parse(row))
  const companyOf = ({ company_id, campaign_number, seq }: Row): string | null =>
    company_id ?? after.companies.get(campaign_number ?? Math.floor(seq / 2 ** 32)) ?? null
  const changed = [...new Set([...before.tables.keys(), ...after.tables.keys()])].flatMap((place) => {
    const [was, is] = [before, after].map(({ tables }) => tables.get(place) ?? none) as [Rows, Rows]
    const [, table] = JSON.parse(place) as [string | null, string]
    const gone = Map.groupBy(without(was, is), companyOf)
    const came = Map.groupBy(without(is, was), companyOf)
    return [...new Set([...gone.keys(), ...came.keys()])].map((companyId) => ({
      ...{ table, companyId, gone: gone.get(companyId) ?? [], came: came.get(companyId) ?? [] },
    }))
  })
  const woken = [...after.alarms].map(([object, count]) => {
    const [className, name] = JSON.parse(object) as [string, string]
    const alarms = count - (before.alarms.get(object) ?? 0)
    return { className, name, alarms, isBusy: before.busy.has(name) || after.busy.has(name) }
  })
  return { sinceMs: before.atMs, changed, woken: woken.filter(({ alarms }) => alarms > 0) }
}

/** The company, or any, has a move that was not over: its alarm may have been dropped. */
export const endsItsMove = (company: string | null, { changed }: QuietHour): boolean =>
  changed.some(
    ({ table, companyId, gone }) =>
      table === 'company_moves' &&
      (company === null || companyId === company) &&
      gone.some(({ ended_at_ms }) => ended_at_ms === null),
  )
