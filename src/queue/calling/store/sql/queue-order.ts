// The order of the queue (D43), and the lanes of a campaign that have leads in it. It reads only as much of the queue
// as the caller's limit needs: lanes are found by one seek each, and merged with their ranks like a priority queue.
import { type SQL, sql } from 'drizzle-orm'
import { callingLanes, openings } from '../../../campaigns/store/tables.ts'
import { rankOfAppointments } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { restingLanes } from '../tables.ts'

/** After every lead of its rank. */
const never = sql.raw('9e15')

const ofCampaign = sql`(select campaign.number from campaign)`

/** When a lead is due, or when the gate may be asked about it while it is held for that: each has an index. */
export type QueueTime = 'due_at_ms' | 'gate_asks_at_ms'

/** A common table expression: the lanes with leads that have this time. It needs `campaign`, with `number`. */
export const laneNamesBy = (name: string, time: QueueTime) => {
  const first = (more = sql``) => sql`(select l.lane from ${leads} as l
      where l.campaign_number = ${ofCampaign} and l.${sql.identifier(time)} is not null ${more}
      order by l.lane
      limit 1)`
  const names = sql.raw(name)
  return sql`${names}(lane) as (
    select ${first()}
    union all
    select ${first(sql`and l.lane > ${names}.lane`)}
    from ${names}
    where ${names}.lane is not null)`
}

/**
 * Common table expressions `lane_names` and `lanes` (`lane`, `covered_until_ms`): the lanes in which leads are
 * queued, and until when their openings are known. They need `campaign`, with `number`.
 */
export const lanes = sql`${laneNamesBy('lane_names', 'due_at_ms')},
  lanes(lane, covered_until_ms) as materialized (
    select lane_names.lane, coalesce((select known.covered_until_ms from ${callingLanes} as known
      where known.campaign_number = ${ofCampaign} and known.lane = lane_names.lane), 0)
    from lane_names
    where lane_names.lane is not null)`

/** The rest of a lane that has no lead of its kind. */
export const forever = sql.raw(`${9 * 10 ** 15}`)

const laneKind = (isForAppointments: 0 | 1) => {
  const kind = sql.raw(`${isForAppointments}`)
  return sql`select lanes.lane, ${kind} as is_for_appointments, (select rest.until_ms from ${restingLanes} as rest
      where rest.campaign_number = ${ofCampaign}
        and rest.lane = lanes.lane
        and rest.is_for_appointments = ${kind}
        and rest.until_ms > (select campaign.now_ms from campaign)) as rests_until_ms
    from lanes`
}

/**
 * Each lane twice, for appointments and for all other leads, with `rests_until_ms`: until then no lead of it is due
 * (resting-lanes.ts); null: not known.
 */
export const laneKinds = sql`(${laneKind(0)} union all ${laneKind(1)})`

/** Of the opening of a lane kind that began last. */
const begun = (column: SQL) => sql`(select o.${column} from ${openings} as o
        where o.campaign_number = campaign.number
          and o.lane = kind.lane
          and o.is_for_appointments = kind.is_for_appointments
          and o.opens_at_ms <= campaign.now_ms
        order by o.opens_at_ms desc
        limit 1)`

/**
 * Common table expression `open_lanes` (`lane`, `is_for_appointments`, `opens_at_ms`): lanes that are open at
 * `campaign.now_ms` and do not rest, and since when they are open.
 */
const openLanes = sql`open_lanes(lane, is_for_appointments, opens_at_ms) as materialized (
    select kind.lane, kind.is_for_appointments, ${begun(sql`opens_at_ms`)}
    from campaign
    cross join ${laneKinds} as kind
    where kind.rests_until_ms is null
      and campaign.now_ms < ${begun(sql`closes_at_ms`)})`

const nextLead = (condition: SQL, order: SQL) => sql`(select l.seq from ${leads} as l
        where l.campaign_number = campaign.number
          and l.lane = place.lane
          and ${condition}
        order by ${order}
        limit 1)`

/**
 * Common table expressions `open_lanes` and `place` (`lane`, `is_for_appointments`, `rank`, `due_at_ms`, `seq`,
 * `opens_at_ms`): the queue of the open lanes at `campaign.now_ms`, in order. It also gives a row without `seq` where a
 * lane begins, and the first lead of each rank even if it is due later: the caller must leave these out. Select from it
 * with a limit, in an insert: in an update SQLite would read the whole queue first.
 *
 * A lane of appointments begins at the rank of appointments and stays there; the others begin behind it and go down.
 */
export const queueOrder = sql`${openLanes},
  ${placesBy('due_at_ms')}`

/** The expression `place` alone, with leads by this time in its column `due_at_ms`. It needs `open_lanes`. */
export function placesBy(time: QueueTime): SQL {
  const due = sql`l.${sql.identifier(time)}`
  return sql`place(lane, is_for_appointments, rank, due_at_ms, seq, opens_at_ms) as not materialized (
    select lane, is_for_appointments, ${rankOfAppointments}, iif(is_for_appointments, -1, ${never}), null, opens_at_ms
    from open_lanes
    union all
    select place.lane, place.is_for_appointments, found.queue_rank, found.${sql.identifier(time)}, found.seq,
      place.opens_at_ms
    from campaign
    cross join place
    cross join ${leads} as found on found.seq = coalesce(
      ${nextLead(
        sql`l.queue_rank = place.rank and ${due} = place.due_at_ms and ${due} is not null
          and place.due_at_ms <= campaign.now_ms and l.seq > place.seq`,
        sql`l.seq`,
      )},
      ${nextLead(
        sql`l.queue_rank = place.rank and ${due} > place.due_at_ms and ${due} <= campaign.now_ms`,
        sql`${due}, l.seq`,
      )},
      ${nextLead(
        sql`l.queue_rank < place.rank and ${due} is not null and not place.is_for_appointments`,
        sql`l.queue_rank desc, ${due}, l.seq`,
      )})
    order by 3 desc, 4, 5)`
}
