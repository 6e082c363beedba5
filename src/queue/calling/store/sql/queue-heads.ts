// The first lead of each rank of a lane. They show when a lead of the lane is due, without reading the leads behind
// them.
import { type SQL, sql } from 'drizzle-orm'
import { rankOfAppointments } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'

/** More than any time. Rank and time are one number, so that a step is one seek in the index and reads no lead. */
export const scale = sql.raw(`${10 ** 15}`)

/** A value: rank and time of the first lead below a rank, packed; null: none. All are values. */
export const nextHead = (of: {
  readonly number: SQL
  readonly lane: SQL
  readonly below: SQL
  readonly least: SQL
}) =>
  sql`(select l.queue_rank * ${scale} + l.due_at_ms from ${leads} as l
  where l.campaign_number = ${of.number}
    and l.lane = ${of.lane}
    and l.due_at_ms is not null
    and l.queue_rank < ${of.below}
    and l.queue_rank >= ${of.least}
  order by l.queue_rank desc, l.due_at_ms
  limit 1)`

const nextOfLane = (lane: SQL, below: SQL) =>
  nextHead({
    number: sql`(select campaign.number from campaign)`,
    lane: sql`${lane}.lane`,
    below,
    least: sql`iif(${lane}.is_for_appointments, ${rankOfAppointments}, 0)`,
  })

/**
 * Common table expressions: `head`, one row for each lane and one for each further step, and `heads` (`lane`,
 * `is_for_appointments`, `due_at_ms`): the earliest time of each lane, or any time that has passed, or null. `awake`
 * is a select of `lane` and `is_for_appointments`. `limit` bounds the rows of `head`. They need `campaign`, with
 * `number` and `now_ms`.
 */
export const headsOf = (
  awake: SQL,
  limit: SQL = sql``,
) => sql`head(lane, is_for_appointments, is_further, packed) as (
    select awake.lane, awake.is_for_appointments, 0,
      ${nextOfLane(sql`awake`, sql`iif(awake.is_for_appointments, ${rankOfAppointments} + 1, ${rankOfAppointments})`)}
    from (${awake}) as awake
    union all
    select head.lane, head.is_for_appointments, 1, ${nextOfLane(sql`head`, sql`head.packed / ${scale}`)}
    from head
    where not head.is_for_appointments and head.packed % ${scale} > (select campaign.now_ms from campaign)
    ${limit}),
  heads(lane, is_for_appointments, due_at_ms) as materialized (
    select head.lane, head.is_for_appointments, min(head.packed % ${scale})
    from head
    group by head.lane, head.is_for_appointments)`
