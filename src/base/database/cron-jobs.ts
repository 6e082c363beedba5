// Runs the independent jobs of the cron. The next minute tries again, so a failed job is logged and stops no other job.
import { problemOf } from './database.ts'

/** One after the other. Never throws. */
export async function runJobs(jobs: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [name, work] of Object.entries(jobs)) {
    try {
      await work()
    } catch (error) {
      console.error({ event: `${name}_failed`, problem: problemOf(error) })
    }
  }
}
