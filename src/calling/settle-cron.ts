// The cron of each minute: settles expired leases also in campaigns without claims, so that their leads and numbers
// do not wait for one, and deletes claims of the day before (D47, D59).
import { settleAll } from './store/settling/settle-all.ts'

/** The rest waits for the next minute, or for its campaign's next claim. */
const maxSteps = 20

/** Throws DatabaseUnavailable. */
export async function settleByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  for (let step = 0; step < maxSteps; step++) if (!(await settleAll(db, nowMs))) return
}
