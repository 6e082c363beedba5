// The minute's cron, as the platform would run it.
import { createExecutionContext, createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { workByTheMinute } from '../../../src/control/companies/jobs.ts'
import worker from '../../../src/index.ts'
import { retainByTheMinute } from '../../../src/queue/erasure/retention-cron.ts'
import { companyDb, storeName } from '../database/store.ts'

/**
 * Runs to its end what it does for the companies of one store, or what the store's alarm does. Not what it does for
 * moves and stores of their own: here it would wait for those that other tests have left. Retention comes to the end of
 * its round: a minute takes ten campaigns at random, also those of other tests.
 */
export async function runCron(DB: D1Database = companyDb): Promise<void> {
  let left = await workByTheMinute({ ...env, DB, ...(storeName !== null && { storeName }) }, () => {})
  while (left.length > 0) left = await retainByTheMinute(DB, Date.now(), env.SUPPRESSION_PEPPER, left)
}

/** All of it, on this database; of a store of its own, its alarm's work. */
export async function runWholeCron(DB: D1Database): Promise<void> {
  if (storeName !== null) await runCron(DB)
  else await worker.scheduled(createScheduledController(), { ...env, DB }, createExecutionContext())
}
