// What D1 alone knows of all companies: in which store each one is. It grants no right.
import { sql } from 'drizzle-orm'
import { param, runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { companies } from './tables.ts'

const storeOfCompany = statement<'companyId'>(
  sql`select ${companies.store} from ${companies} where ${companies.id} = ${param('companyId')}`,
)

/** Null: in D1 itself, or unknown. Throws DatabaseUnavailable. */
export async function findStoreName(directory: D1Database, companyId: string): Promise<string | null> {
  const { rows } = await runBatch(directory, [storeOfCompany(directory, { companyId })], waits.administrationMs)
  return (rows[0]?.[0] as { store: string | null } | undefined)?.store ?? null
}
