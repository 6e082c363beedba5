// Moves the test clock: by a minute at most while a lead can be called or is, and only when the minute before is done, so that
// a loaded machine slows it down. Otherwise to the next event.
import { scheduler } from 'node:timers/promises'
import { readOutlook } from '../../calling/bell/store/outlook.ts'
import type { WaitedCampaign } from '../../campaigns/waited-campaign.ts'
import { envOfStore } from '../../database/company-env.ts'
import { runJobs } from '../../database/cron-jobs.ts'
import { readRows } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import { nextAlarmMs, runAlarms } from './test-alarms.ts'
import { fullSpeed, isMoving, readClock, realMs, setClock } from './test-clock.ts'

type Driven = {
  readonly runCron: () => Promise<unknown>
  /** Resolves when all requests that are served now are answered. */
  readonly idle: () => Promise<unknown>
  readonly isOver: () => boolean
  /** After each step. Rejects when nobody listens any more. */
  readonly onStep: () => Promise<void>
}

const { minuteMs, hourMs } = limits
/** So long at most a slow receiver or machine holds up each step. */
const patienceMs = 1_000
/** An agent needs so much of the machine's time to report. */
const leaseLeastMs = 1_000

export async function driveClock(env: Env, { runCron, idle, isOver, onStep }: Driven): Promise<void> {
  for (let cronAtMs = 0; !isOver(); ) {
    const beganAtMs = realMs()
    if (isMoving()) {
      await Promise.race([idle(), scheduler.wait(patienceMs)])
      await runJobs({ clock: () => takeStep(env) })
    }
    await runAlarms(env, isMoving() ? patienceMs : 0)
    if (Date.now() >= cronAtMs) {
      cronAtMs = (Math.floor(Date.now() / minuteMs) + 1) * minuteMs
      await runCron()
    }
    await onStep()
    const restMs = readClock().state === 'jumping' ? 0 : minuteMs / fullSpeed - (realMs() - beganAtMs)
    await scheduler.wait(Math.max(1, restMs))
  }
}

async function takeStep(env: Env): Promise<void> {
  const { leases, isCallable, nextMs } = await look(env)
  const { atMs, untilMs } = readClock()
  const isBusy = leases.length > 0 || isCallable
  // Retention and such are due at no known moment.
  const wantedMs = isBusy ? atMs + minuteMs : Math.min(nextMs, nextAlarmMs(), atMs + hourMs)
  const toMs = Math.min(wantedMs, untilMs ?? atMs, endOfYoungLease(leases) - 1)
  // It may have been paused meanwhile.
  if (isMoving()) setClock({ state: isBusy ? 'running' : 'jumping', atMs: Math.max(atMs, toMs) })
}

/** When leases were seen first, by the machine's clock. */
let seen = new Map<number, number>()

function endOfYoungLease(ends: readonly number[]): number {
  const nowMs = realMs()
  seen = new Map(ends.map((endsAtMs) => [endsAtMs, seen.get(endsAtMs) ?? nowMs]))
  return Math.min(...ends.filter((endsAtMs) => nowMs < (seen.get(endsAtMs) ?? 0) + leaseLeastMs))
}

type Look = {
  /** When those of live calls end. */
  readonly leases: readonly number[]
  readonly isCallable: boolean
  /** When the next lead may be. */
  readonly nextMs: number
}

const selectLeases = `select distinct l.lease_expires_at_ms as "endsAtMs" from leads as l
  where l.lease_expires_at_ms is not null`
const selectQueues = `select c.number, c.company_id as "companyId" from campaigns as c
  join companies as co on co.id = c.company_id and co.store is null
  where exists (select 1 from leads as l where l.campaign_number = c.number and l.due_at_ms is not null)`

const read = <Row>(db: D1Database, text: string) => readRows<Row>(db, db.prepare(text).bind())

/** In all databases: D1, and the stores that companies have of their own. */
export async function readAll<Row>(
  env: Env,
  text: string,
): Promise<(readonly [D1Database, readonly Row[]])[]> {
  const stores = await read<{ store: string }>(env.DB, 'select store from companies where store is not null')
  const dbs = [env.DB, ...stores.map(({ store }) => envOfStore(env, store).DB)]
  return Promise.all(dbs.map(async (db) => [db, await read<Row>(db, text)] as const))
}

async function look(env: Env): Promise<Look> {
  const leased = await readAll<{ endsAtMs: number }>(env, selectLeases)
  const leases = leased.flatMap(([, rows]) => rows.map(({ endsAtMs }) => endsAtMs))
  let nextMs = Infinity
  // While calls are live, it does not matter what else there is.
  if (leases.length > 0) return { leases, isCallable: false, nextMs }
  for (const [db, queues] of await readAll<WaitedCampaign>(env, selectQueues))
    for (const queue of queues) {
      const outlook = await readOutlook(db, queue, Date.now())
      if (outlook.canLease) return { leases, isCallable: true, nextMs }
      nextMs = Math.min(nextMs, outlook.nextMs ?? Infinity)
    }
  return { leases, isCallable: false, nextMs }
}
