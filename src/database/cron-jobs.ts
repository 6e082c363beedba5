// What the cron runs each minute: jobs that know nothing of each other. Nobody would catch what one throws, and the next
// minute tries again, so a failure is told in the log, and holds up no other job.
import { DatabaseUnavailable } from './database.ts'

/** One after the other, by their names. Never throws. */
export async function runJobs(jobs: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [name, work] of Object.entries(jobs)) {
    try {
      await work()
    } catch (error) {
      // The name only: a message may quote what a client sent.
      const fault = error instanceof DatabaseUnavailable ? `database ${error.reason}` : (error as Error).name
      console.error({ event: `${name}_failed`, fault })
    }
  }
}
