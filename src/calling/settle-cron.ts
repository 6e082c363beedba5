// What the cron does each minute: leases that ran out are settled also in campaigns that nobody claims from, so that
// their leads and numbers do not wait for a claim; claims of the day before are forgotten (D47, D59).
import { settleAll } from './store/settle.ts'

/** What is left after so many steps waits for the next minute, or for its campaign's next claim. */
const maxSteps = 20

/** Throws DatabaseUnavailable. */
export async function settleByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  for (let step = 0; step < maxSteps; step++) if (!(await settleAll(db, nowMs))) return
}
