// Looks up an operator's key, in D1, with each request: so a revoked one does nothing more.
import { sql } from 'drizzle-orm'
import { param, readRows, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { companies, operatorKeys } from './tables.ts'

const activeByHash = statement<'hash' | 'nowMs' | 'companyId'>(sql`select ${operatorKeys.id},
    ${operatorKeys.expiresAtMs} as "expiresAtMs",
    (select ${companies.store} from ${companies} where ${companies.id} = ${param('companyId')}) as store
  from ${operatorKeys}
  where ${operatorKeys.hash} = ${param('hash')} and ${operatorKeys.revokedAtMs} is null
    and ${operatorKeys.expiresAtMs} > ${param('nowMs')}`)

/** An active key, with the store of the company that the request is about. */
type OperatorKey = { readonly id: string; readonly expiresAtMs: number; readonly store: string | null }

/** Null: unknown, revoked or expired. Throws DatabaseUnavailable. */
export async function findOperatorKey(
  directory: D1Database,
  hash: string,
  companyId: string,
  nowMs: number,
): Promise<OperatorKey | null> {
  const select = activeByHash(directory, { hash, companyId, nowMs })
  return (await readRows<OperatorKey>(directory, select, waits.keyLookUpMs))[0] ?? null
}
