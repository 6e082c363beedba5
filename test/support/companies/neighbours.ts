// Other companies in D1 beside one that a test moves or restores: each with the same rows in every table, under equal
// keys but for what names their own company, campaigns, places and API keys. None of their rows may ever change.
import { randomBase62 } from '../../../src/base/base62.ts'
import { movedTables } from '../../../src/control/companies/store/moved-tables.ts'
import { insertCampaigns, insertCompanies } from '../database/seed.ts'
import { markOf } from '../leads/search-index.ts'
import { rowsOfCompany } from './rows-of-company.ts'

type Value = string | number | null
const leadsPerCampaign = 2 ** 32

/** Values that are unique among all companies. */
const ownValues: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['id', 'hash'],
  claims: ['token', 'request_key'],
  dialers: ['key_id'],
  sources: ['id', 'key_id'],
  key_hours: ['key_id'],
  members: ['id'],
  webhooks: ['id'],
}

/** Returns the id of a new company with all rows that this one has. */
export async function addNeighbour(db: D1Database, companyId: string): Promise<string> {
  const rows = await rowsOfCompany(db, companyId)
  const neighbourId = `neighbour-${randomBase62(8)}`
  const campaigns = (rows.campaigns ?? []).map((row) => JSON.parse(row) as [number, string])
  const ids = campaigns.map(([, id]) => id)
  const [, made] = await db.batch<{ number: number }>([
    insertCompanies(db, [neighbourId]),
    insertCampaigns(db, neighbourId, ids),
  ])
  const numbers = new Map(
    campaigns.map(([number], index) => [number, made?.results[index]?.number as number]),
  )
  const numberOf = (number: number) => numbers.get(number) ?? number
  const changed = (table: string, column: string, value: Value): Value => {
    if (value === null) return null
    if (column === 'company_id') return neighbourId
    if (/campaign_number$/.test(column)) return numberOf(value as number)
    if (typeof value === 'number' && value >= leadsPerCampaign && /seq$/.test(column)) {
      const number = Math.floor(value / leadsPerCampaign)
      return numberOf(number) * leadsPerCampaign + (value % leadsPerCampaign)
    }
    if (ownValues[table]?.includes(column)) return `${value} of ${neighbourId}`
    return typeof value === 'string' ? value.replaceAll(markOf(companyId), markOf(neighbourId)) : value
  }
  const others = movedTables.filter(({ name }) => !['companies', 'campaigns'].includes(name))
  await db.batch(
    others.flatMap(({ name, columns, write, atOnce }) => {
      const copies = (rows[name] ?? []).map((row) =>
        (JSON.parse(row) as Value[]).map((value, index) => changed(name, columns[index] as string, value)),
      )
      return slicesOf(copies, Math.min(atOnce, rowsPerStatement)).map((slice) =>
        write(db, { companyId: neighbourId, rows: JSON.stringify(slice), frozen: 0 }),
      )
    }),
  )
  const copied = await rowsOfCompany(db, neighbourId)
  for (const [name, all] of Object.entries(rows))
    if (copied[name]?.length !== all.length) throw new Error(`rows of ${name} were not copied`)
  return neighbourId
}

/** A parameter has 2 MB at most. */
const rowsPerStatement = 1_000

const slicesOf = <Item>(items: readonly Item[], size: number) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Two of them. Returns what fails, naming the table, unless every row of theirs is as it was. */
export async function addNeighbours(db: D1Database, companyId: string): Promise<() => Promise<void>> {
  const ids = [await addNeighbour(db, companyId), await addNeighbour(db, companyId)]
  const rowsOfAll = () => Promise.all(ids.map((id) => rowsOfCompany(db, id)))
  const before = await rowsOfAll()
  return async () => {
    for (const [index, rows] of (await rowsOfAll()).entries())
      for (const [name, all] of Object.entries(rows)) {
        const had = before[index]?.[name]
        if (JSON.stringify(all) !== JSON.stringify(had))
          throw new Error(`${name} of another company has changed: ${all.length} rows, ${had?.length} before`)
      }
  }
}
