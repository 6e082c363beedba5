// What the cron does each minute for companies with a store of their own: lets the store carry out what the operator has
// requested, and wakes stores that have not yet applied the migrations of this Worker.
import { storeStub } from '../database/company-store.ts'
import { runJobs } from '../database/cron-jobs.ts'
import { databaseUnavailable } from '../database/database.ts'
import { lastMigration } from '../database/object-migrations.ts'
import { waits } from '../limits.ts'
import { withTimeLimit } from '../time-limit.ts'
import { tendCompany } from './carry-out.ts'
import { storeRestored } from './restore-store.ts'
import { findCompaniesToTend, type ToTend } from './store/states.ts'

/** Never throws. */
export function tendStores(env: Env): Promise<void> {
  return runJobs({
    tending: async () => {
      const companies = await findCompaniesToTend(env.DB, lastMigration)
      await Promise.allSettled(companies.map((company) => tendOrLog(env, company)))
    },
  })
}

async function tendOrLog(env: Env, company: ToTend): Promise<void> {
  try {
    const work = tend(env, company)
    await withTimeLimit(work, waits.administrationMs, () => new Error('exceeded timeout'))
  } catch (error) {
    // A known phrase: a message may hold a statement's parameters.
    const problem = databaseUnavailable(error).reason
    console.error({ event: 'company_not_tended', companyId: company.companyId, problem })
  }
}

async function tend(env: Env, { companyId, store }: ToTend): Promise<void> {
  // Requests of a company that has moved to D1 since.
  if (store === null) {
    const restore = async () =>
      ({ kind: 'refused', reason: 'the company is in the shared database' }) as const
    return tendCompany({ directory: env.DB, own: env.DB, store, restore, refuseKeys: () => {} }, companyId)
  }
  try {
    await storeStub(env, store).tend(companyId)
  } catch (error) {
    if (!(error as Error).message.includes(storeRestored)) throw error
    // At once, so that hardly anything is logged before the new epoch.
    await storeStub(env, store).tend(companyId)
  }
}
