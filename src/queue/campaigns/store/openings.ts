// Opening hours as rows, so that the transaction of a claim can check them: the open intervals of the next 14 days
// for each lane of a campaign. A claim that finds too few of them left computes and writes them, so that idle
// campaigns cost nothing.
import { sql } from 'drizzle-orm'
import { isWritableCampaign } from '../../../base/access/store/moving.ts'
import { param, runBatch, statement } from '../../../base/database/database.ts'
import { inSlices } from '../../../base/database/json-slices.ts'
import { type CampaignHours, findOpenings, scheduleOf } from '../calling-hours.ts'
import { callingLanes, callingSettings, openings } from './tables.ts'
import { notifyWaiting } from './waiting.ts'

const dayMs = 86_400_000
const horizonMs = 14 * dayMs

/**
 * Openings begin before the claim that writes them: a concurrent claim may have a slightly earlier time, and open
 * calls, for two hours at most, need the end of their hours.
 */
const behindMs = dayMs

/** With less left, a claim writes them again: so new rules of daylight saving apply in time. */
export const leastAheadMs = 7 * dayMs

/** Each takes half a millisecond. The next claim writes the rest. */
export const lanesPerWriting = 100

/**
 * With 48 windows a day a hundred lanes have 144,000 intervals, which is 7 MB and half a second of writing. So many
 * are one parameter; the next claim writes the lanes beyond them.
 */
const intervalsPerWriting = 20_000

/** Lanes whose openings have to be written, and the settings to compute them from. */
export type StaleLanes = {
  readonly companyId: string
  readonly campaignNumber: number
  readonly version: number
  readonly hours: CampaignHours
  readonly lanes: readonly string[]
}

/** Nothing is written when the settings have changed since they were read: then the lanes are stale again. */
const isCurrent = sql`exists (select 1 from ${callingSettings}
  where ${callingSettings.campaignNumber} = ${param('campaignNumber')}
    and ${callingSettings.version} = ${param('version')}
    and ${isWritableCampaign(callingSettings.campaignNumber)})`

const lanesOf = sql`(select lane.value from json_each(${param('lanes')}) as lane)`

const removeOpenings = statement<'campaignNumber' | 'lanes' | 'version'>(sql`delete from ${openings}
  where ${openings.campaignNumber} = ${param('campaignNumber')}
    and ${openings.lane} in ${lanesOf}
    and ${isCurrent}`)

const insertOpenings = statement<'campaignNumber' | 'intervals' | 'version'>(sql`insert into ${openings}
    (campaign_number, lane, is_for_appointments, opens_at_ms, closes_at_ms)
  select ${param('campaignNumber')}, item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3
  from json_each(${param('intervals')}) as item
  where ${isCurrent}
  on conflict do nothing`)

const coverLanes = statement<'campaignNumber' | 'untilMs' | 'lanes' | 'version'>(sql`
  insert into ${callingLanes} (campaign_number, lane, covered_until_ms)
  select ${param('campaignNumber')}, item.value, ${param('untilMs')}
  from json_each(${param('lanes')}) as item
  where ${isCurrent}
  on conflict do update set covered_until_ms = excluded.covered_until_ms`)

const waiting = statement<'companyId' | 'campaignNumber' | 'nowMs'>(
  sql`select ${notifyWaiting(sql`${param('companyId')}`, sql`${param('campaignNumber')}`)}`,
)

type Interval = readonly [lane: string, isForAppointments: number, opensAtMs: number, closesAtMs: number]

/**
 * `rings`: agents that wait are rung, because nothing is claimed after this. A request that claims next needs no ring:
 * what it leaves to others rings for itself. Throws DatabaseUnavailable.
 */
export async function writeOpenings(
  db: D1Database,
  stale: StaleLanes,
  nowMs: number,
  { rings }: { readonly rings: boolean },
): Promise<void> {
  const untilMs = nowMs + horizonMs
  const { lanes, intervals } = firstLanes(stale, nowMs - behindMs, untilMs)
  const { companyId, campaignNumber, version } = stale
  const values = { companyId, campaignNumber, version, untilMs, lanes: JSON.stringify(lanes) }
  await runBatch(db, [
    removeOpenings(db, values),
    ...inSlices(intervals).map((slice) => insertOpenings(db, { ...values, intervals: slice })),
    coverLanes(db, values),
    ...(rings ? [waiting(db, { ...values, nowMs })] : []),
  ])
}

/** The lanes that are written at once, and their intervals. */
function firstLanes({ lanes, hours }: StaleLanes, fromMs: number, untilMs: number) {
  const intervals: Interval[] = []
  for (const [index, lane] of lanes.entries()) {
    const ofLane = intervalsOf(hours, lane, fromMs, untilMs)
    if (index > 0 && intervals.length + ofLane.length > intervalsPerWriting)
      return { lanes: lanes.slice(0, index), intervals }
    intervals.push(...ofLane)
  }
  return { lanes, intervals }
}

const intervalsOf = (hours: CampaignHours, lane: string, fromMs: number, untilMs: number): Interval[] =>
  [0, 1].flatMap((isForAppointments) =>
    findOpenings(scheduleOf(hours, lane, isForAppointments), fromMs, untilMs).map(
      ({ opensAtMs, closesAtMs }): Interval => [lane, isForAppointments, opensAtMs, closesAtMs],
    ),
  )

/** After a change of the settings behind the openings: the next claim writes them again. */
export const forgetOpenings = [openings, callingLanes].map((table) =>
  statement<'campaignNumber' | 'version'>(
    sql`delete from ${table}
    where campaign_number = ${param('campaignNumber')} and ${isCurrent}`,
  ),
)
