// Reads companies as the operator sees them: from D1, with what each own store last reported of itself.
import { sql } from 'drizzle-orm'
import { type CompanySettings, companySettingNames } from '../../../base/access/company-settings.ts'
import type { DirectoryEntry } from '../../../base/access/store/directory.ts'
import { companies } from '../../../base/access/store/tables.ts'
import { param, readRows, statement } from '../../../base/database/database.ts'
import { storeStates } from './tables.ts'

const columns = sql`${companies.id}, ${companies.name}, ${companies.createdAtMs} as "createdAtMs", ${companies.store},
    ${sql.join(
      companySettingNames.map((name) => sql`${companies[name]} as ${sql.raw(`"${name}"`)}`),
      sql`, `,
    )},
    ${storeStates.sizeBytes} as "sizeBytes", ${storeStates.leads},
    ${storeStates.lastMigration} as "lastMigration"
  from ${companies}
  left join ${storeStates} on ${companies.store} is not null and ${storeStates.companyId} = ${companies.id}`

const one = statement<'companyId'>(sql`select ${columns} where ${companies.id} = ${param('companyId')}`)

const page = statement<'after' | 'maxRows'>(sql`select ${columns} where ${companies.id} > ${param('after')}
  order by ${companies.id}
  limit ${param('maxRows')}`)

export type ListedCompany = Omit<DirectoryEntry, 'frozenAtMs'> &
  CompanySettings & {
    /** What its own store holds. Nulls: it has none, or has not reported yet. */
    readonly sizeBytes: number | null
    readonly leads: number | null
    readonly lastMigration: string | null
  }

/** Null: there is none. Throws DatabaseUnavailable, as every function here. */
export async function readCompany(directory: D1Database, companyId: string): Promise<ListedCompany | null> {
  return (await readRows<ListedCompany>(directory, one(directory, { companyId })))[0] ?? null
}

/** By id, those after this one. */
export async function listCompanies(
  directory: D1Database,
  after: string,
  maxRows: number,
): Promise<readonly ListedCompany[]> {
  return readRows(directory, page(directory, { after, maxRows }))
}
