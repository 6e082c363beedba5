// Where a company is now, for what runs without a request: the sender of a webhook, and a dialer. Each remembers where
// it found the company last; that it may have moved since is known here alone.
import { envOfStore } from '../database/company-env.ts'
import { expectMoved } from '../database/database.ts'
import { findStoreName, type OfCompany } from './store/directory.ts'

/** `companyId` null: not known yet. `storeName` null: D1. */
type LastFound = { readonly companyId: string | null; readonly storeName: string | null }

/**
 * Reads a row of the company in the store where it is now, and says which one. Null: it has no such row. Throws
 * DatabaseUnavailable, also while the company has left its store and is not yet seen in another.
 */
export async function readInCompany<Row extends OfCompany>(
  env: Env,
  { companyId, storeName }: LastFound,
  read: (db: D1Database) => Promise<Row | null>,
): Promise<{ readonly row: Row | null; readonly storeName: string | null }> {
  let moved: Error | null = null
  const row = await read(envOfStore(env, storeName).DB).catch((error: unknown) => {
    moved = expectMoved(error)
    return null
  })
  if (row?.leftFor === null) return { row, storeName }
  const owner = row?.companyId ?? companyId
  const foundIn = owner === null ? null : await findStoreName(env.DB, owner)
  if (foundIn !== storeName) return readInCompany(env, { companyId: owner, storeName: foundIn }, read)
  if (moved !== null) throw moved
  return { row: null, storeName }
}
