// The minute's cron, as the platform would run it.
import { createExecutionContext, createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import worker from '../../src/index.ts'
import { companyDb } from './store.ts'

/** Runs it to its end; given `DB`, on that database in place of the Worker's own. */
export async function runCron(DB: D1Database = companyDb): Promise<void> {
  await worker.scheduled(createScheduledController(), { ...env, DB }, createExecutionContext())
}
