// What a move copies: every column of the schema, by the keys of its tables.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { movedTables } from '../../src/control/companies/store/moved-tables.ts'

const notCopied = {
  tables: [
    // How far the cron has looked in this database.
    'alert_cursor',
    // In D1 alone, for all stores.
    'campaign_numbers',
    // Moves themselves.
    'company_moves',
    // The migrations of the database itself.
    'd1_migrations',
    // The triggers of the leads make the search index, and how far it goes is the database's own.
    'lead_search',
    'lead_search_config',
    'lead_search_data',
    'lead_search_idx',
    // In D1 alone: of which companies a person may be a member.
    'member_directory',
    // What operators ask of stores, and how those do.
    'operator_keys',
    'search_place',
    // In D1 alone: where a key is looked up.
    'store_keys',
    'store_states',
  ],
  columns: [
    // While the company moves, what is frozen on one side is written on the other.
    'api_keys.frozen',
    // The trigger of the calls sets it: of those of before, each side has its own that are not in the index yet.
    'calls.campaign_number',
    'companies.frozen_at_ms',
    // Where the company is.
    'companies.store',
  ],
}

it('A move copies every column of the schema, but those that say where companies are, or are of the database', async () => {
  const { results } = await env.DB.prepare(
    `select t.name as "table", c.name as "column"
     from sqlite_master as t cross join pragma_table_info(t.name) as c
     where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like '\\_cf\\_%' escape '\\'`,
  ).run<{ table: string; column: string }>()
  const moved = new Map(movedTables.map(({ name, columns }) => [name, columns]))
  const left = results.filter(({ table, column }) => !moved.get(table)?.includes(column))
  const leftColumns = left.filter(({ table }) => moved.has(table))
  expect(leftColumns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(notCopied.columns)
  const leftTables = new Set(left.map(({ table }) => table).filter((table) => !moved.has(table)))
  expect([...leftTables].toSorted()).toEqual(notCopied.tables)
})

it('A move finds and deletes rows by the whole primary key of their table, the company included', async () => {
  const { results } = await env.DB.prepare(
    `select t.name as "table", c.name as "column" from sqlite_master as t cross join pragma_table_info(t.name) as c
     where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like '\\_cf\\_%' escape '\\' and c.pk > 0
     order by t.name, c.pk`,
  ).run<{ table: string; column: string }>()
  for (const { name, key } of movedTables)
    expect([name, key]).toEqual([
      name,
      results.filter(({ table }) => table === name).map(({ column }) => column),
    ])
})
