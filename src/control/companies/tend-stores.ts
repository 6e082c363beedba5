// What the cron does each minute for companies with a store of their own: wakes stores that have not yet applied the
// migrations of this Worker, or that nobody has called since their company was created; and looks at each every five
// minutes.
import { storeStub } from '../../base/database/company-store.ts'
import { runJobs } from '../../base/database/cron-jobs.ts'
import { databaseUnavailable } from '../../base/database/database.ts'
import { lastMigration } from '../../base/database/object-migrations.ts'
import { waits } from '../../base/limits.ts'
import { withTimeLimit } from '../../base/time-limit.ts'
import { findStoresToTend, type ToTend } from './store/states.ts'

/** Never throws. */
export function tendStores(env: Env): Promise<void> {
  return runJobs({
    tending: async () => {
      const stores = await findStoresToTend(env.DB, lastMigration, Date.now())
      await Promise.allSettled(stores.map((store) => tendOrLog(env, store)))
    },
  })
}

async function tendOrLog(env: Env, { companyId, store, isLook }: ToTend): Promise<void> {
  try {
    const work = storeStub(env, store).tend(companyId, isLook)
    await withTimeLimit(work, waits.administrationMs, () => new Error('exceeded timeout'))
  } catch (error) {
    // A known phrase: a message may hold a statement's parameters.
    const problem = databaseUnavailable(error).reason
    console.error({ event: 'company_not_tended', companyId, problem })
  }
}
