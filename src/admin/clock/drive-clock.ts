// Moves the test clock: by a minute at most while a lead can be called or is, and only when the minute before is done,
// so that a loaded machine slows it down. Otherwise to the next event.
import { scheduler } from 'node:timers/promises'
import { envOfStore } from '../../base/database/company-env.ts'
import { runJobs } from '../../base/database/cron-jobs.ts'
import { readRows } from '../../base/database/database.ts'
import { limits } from '../../base/limits.ts'
import { readOutlook } from '../../queue/calling/bell/store/outlook.ts'
import type { WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'
import { nextDeliveryMs, runAlarms } from './test-alarms.ts'
import { fullSpeed, isMoving, readClock, realMs, setClock } from './test-clock.ts'

type Driven = {
  readonly runCron: () => Promise<unknown>
  /** Resolves when all requests that are served now are answered. */
  readonly idle: () => Promise<unknown>
  readonly isOver: () => boolean
  /** Somebody asks for a call at these times. */
  readonly nextPersonMs: (atMs: number) => number
  readonly bringPeople: (fromMs: number, untilMs: number) => Promise<unknown>
  /** After each step. Rejects when nobody listens any more. */
  readonly onStep: () => Promise<void>
}

const { minuteMs, hourMs } = limits
/** So long at most a step waits for answers, and for rounds of dialers and the work of stores. */
const answersMs = 1_000
const roundsMs = 5_000
/** An agent needs so much of the machine's time to report. */
const leaseLeastMs = 1_000

export async function driveClock(env: Env, driven: Driven): Promise<void> {
  const { runCron, idle, isOver, onStep, nextPersonMs, bringPeople } = driven
  for (let cronAtMs = 0; !isOver(); ) {
    const beganAtMs = realMs()
    if (isMoving()) {
      await Promise.race([idle(), scheduler.wait(answersMs)])
      const fromMs = Date.now()
      await runJobs({ clock: () => takeStep(env, nextPersonMs(fromMs)) })
      await bringPeople(fromMs, Date.now())
    }
    await runAlarms(env, isMoving() ? roundsMs : 0)
    if (Date.now() >= cronAtMs) {
      cronAtMs = (Math.floor(Date.now() / minuteMs) + 1) * minuteMs
      await runCron()
    }
    await onStep()
    const restMs = readClock().state === 'jumping' ? 0 : minuteMs / fullSpeed - (realMs() - beganAtMs)
    await scheduler.wait(Math.max(1, restMs))
  }
}

/** `personMs`: who asks for a call then has asked before the clock moves further. */
async function takeStep(env: Env, personMs: number): Promise<void> {
  const { leases, callableAtMs } = await look(env)
  const { atMs, stopsAtEvent, untilMs } = readClock()
  const isBusy = leases.length > 0 || callableAtMs <= atMs
  const eventMs = Math.min(callableAtMs, nextDeliveryMs(), untilMs ?? atMs)
  // Retention and such are due at no known moment.
  const wantedMs = isBusy ? Math.min(atMs + minuteMs, untilMs ?? atMs) : Math.min(eventMs, atMs + hourMs)
  const nextMs = Math.min(wantedMs, personMs)
  const toMs = Math.max(atMs, Math.min(nextMs, endOfYoungLease(leases) - 1))
  // It may have been paused meanwhile.
  if (!isMoving()) return
  const isThere = stopsAtEvent && !isBusy && toMs >= eventMs
  setClock({ state: isBusy ? 'running' : 'jumping', atMs: toMs, ...(isThere && { untilMs: toMs }) })
}

/** When leases were seen first, by the machine's clock. */
let seen = new Map<number, number>()

function endOfYoungLease(ends: readonly number[]): number {
  const nowMs = realMs()
  seen = new Map(ends.map((endsAtMs) => [endsAtMs, seen.get(endsAtMs) ?? nowMs]))
  return Math.min(...ends.filter((endsAtMs) => nowMs < (seen.get(endsAtMs) ?? 0) + leaseLeastMs))
}

const selectLeases = `select distinct l.lease_expires_at_ms as "endsAtMs" from leads as l
  where l.lease_expires_at_ms is not null
  union select t.ends_at_ms from test_calls as t`
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

/** When the leases of live calls end; without any, when the next lead can be called. */
async function look(env: Env): Promise<{ leases: number[]; callableAtMs: number }> {
  const leased = await readAll<{ endsAtMs: number }>(env, selectLeases)
  const leases = leased.flatMap(([, rows]) => rows.map(({ endsAtMs }) => endsAtMs))
  const moments: number[] = []
  if (leases.length === 0)
    for (const [db, queues] of await readAll<WaitedCampaign>(env, selectQueues))
      for (const queue of queues) {
        const { canLease, nextMs } = await readOutlook(db, queue, Date.now())
        moments.push(canLease ? Date.now() : (nextMs ?? Infinity))
      }
  return { leases, callableAtMs: Math.min(...moments) }
}
