// The minute's cron, as the platform would run it.
import { createExecutionContext, createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { workByTheMinute } from '../../src/companies/jobs.ts'
import worker from '../../src/index.ts'
import { companyDb, storeName } from './store.ts'

/**
 * Runs it to its end; given `DB`, on that database in place of the Worker's own. A store of its own does the same by its
 * alarm (runtime/own-store/alarm.test.ts).
 */
export async function runCron(DB: D1Database = companyDb): Promise<void> {
  if (storeName !== null) await workByTheMinute({ ...env, DB, storeName }, () => {})
  else await worker.scheduled(createScheduledController(), { ...env, DB }, createExecutionContext())
}
