// Runs the independent jobs of the cron. The next minute tries again, so a failed job is logged and stops no other job.
import { DatabaseUnavailable } from './database.ts'

/** One after the other. Never throws. */
export async function runJobs(jobs: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [name, work] of Object.entries(jobs)) {
    try {
      await work()
    } catch (error) {
      // Only the error's name: a message may quote client data.
      const problem =
        error instanceof DatabaseUnavailable ? `database ${error.reason}` : (error as Error).name
      console.error({ event: `${name}_failed`, problem })
    }
  }
}
