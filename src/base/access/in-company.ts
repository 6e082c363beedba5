// Finds the database of a company that a token names, for requests that need no key. Its rights are checked by the
// statements that serve the request, as those of a key are.
import { envOfStore } from '../database/company-env.ts'
import { expectMoved } from '../database/database.ts'
import type { Exchange } from '../http/respond.ts'
import { waits } from '../limits.ts'
import { remember } from '../rate-limits/memory-windows.ts'
import { listened } from './authenticate.ts'
import { findStoreName } from './store/directory.ts'

/** By company; those in D1 are not in it. */
const storesOfCompanies = new Map<string, string>()
const maxCompanies = 10_000

/**
 * `work` is repeated once where the company has moved since it was last found. What it reads first must fail in D1
 * then.
 */
export async function inCompany<Result>(
  x: Exchange,
  companyId: string,
  work: (db: D1Database) => Promise<Result>,
): Promise<Result> {
  const run = () => {
    x.env = envOfStore(x.c.env, storesOfCompanies.get(companyId) ?? null)
    return work(listened(x, x.env.DB))
  }
  try {
    return await run()
  } catch (error) {
    expectMoved(error)
    const store = await findStoreName(x.c.env.DB, companyId, waits.keyLookUpMs)
    if (store === null) storesOfCompanies.delete(companyId)
    else remember(storesOfCompanies, companyId, store, maxCompanies)
    return run()
  }
}
