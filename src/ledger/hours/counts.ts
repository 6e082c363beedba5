// Counting what is done in a campaign, by the hour: statements that belong into the batch of what they count. Who counts
// what is decided by the statements that do it; reading the counts with the queue is in src/statistics/store/funnel.ts.
//
// All that is counted follows from what a statement finds before it changes anything, and never from `changes()`: so a try
// that comes again, which finds nothing, counts nothing.
import { type SQL, sql } from 'drizzle-orm'
import { campaignHours, intakeColumns, outcomeColumns, recounts } from './tables.ts'

const param = sql.placeholder

const namesOf = <Name extends string>(columns: Readonly<Record<Name, unknown>>) =>
  Object.keys(columns) as Name[]

export const countedOutcomes = namesOf(outcomeColumns)

/** In the order of the API. */
export const counters = [...namesOf(intakeColumns), 'claimed' as const, ...countedOutcomes]

export type Counter = (typeof counters)[number]

const statuses = ['raw', 'attempting', 'exhausted', 'concluded'] as const

export const hourMs = 3_600_000

/** The hour of a moment. A bound number is REAL: divided as it is, it would be no whole hour. */
export const hourOf = (ms: SQL) => sql`(cast(${ms} as integer) / ${sql.raw(`${hourMs}`)})`

export const thisHour = hourOf(sql`${param('nowMs')}`)

/** The columns of what is counted. Left out: no counter, no status. A status that a lead has not left, or not come to, is null. */
export const countColumns = (counted: {
  readonly campaignNumber: SQL
  /** Of when it is counted; the request's own unless told otherwise. */
  readonly hour?: SQL
  readonly counter?: SQL
  readonly n?: SQL
  readonly statusBefore?: SQL
  readonly statusAfter?: SQL
}) => sql`${counted.campaignNumber} as campaign_number, ${counted.hour ?? thisHour} as hour,
  ${counted.counter ?? sql`null`} as counter, ${counted.n ?? sql`1`} as n,
  ${counted.statusBefore ?? sql`null`} as status_before, ${counted.statusAfter ?? sql`null`} as status_after`

const raw = (text: string) => sql.raw(text)

type HourColumn = Counter | `d_${(typeof statuses)[number]}`

/** Each column of the table but its key, with what is added to it. */
const sums: readonly (readonly [column: HourColumn, sum: SQL])[] = [
  ...counters.map(
    (counter) =>
      [counter, sql`total(found.n) filter (where found.counter = ${raw(`'${counter}'`)})`] as const,
  ),
  ...statuses.map(
    (status) =>
      [
        `d_${status}` as const,
        sql`total(found.n * ((found.status_after is ${raw(`'${status}'`)}) - (found.status_before is ${raw(`'${status}'`)})))`,
      ] as const,
  ),
]

/**
 * Adds to the hours of campaigns. `found` is a select of the campaign's number, the hour, and what is added to each column;
 * no two rows of one campaign and hour.
 */
export function addToHours(columns: readonly HourColumn[], found: SQL): SQL {
  const all = [...columns, 'writes']
  return sql`insert into ${campaignHours} (campaign_number, hour, ${raw(all.join(', '))})
    select found.*, 1 from (${found}) as found where true
    on conflict (campaign_number, hour) do update
      set ${raw(all.map((column) => `${column} = ${column} + excluded.${column}`).join(', '))}`
}

/**
 * The same of whatever is counted: `found` is a select of countColumns. One row for each campaign and hour, and none when
 * nothing is found. Placeholder `nowMs`.
 */
export const addCounts = (found: SQL) =>
  addToHours(
    sums.map(([column]) => column),
    sql`select found.campaign_number, found.hour, ${sql.join(
      sums.map(([, sum]) => sql`cast(${sum} as integer)`),
      sql`, `,
    )}
    from (${found}) as found where found.counter is not null or found.status_before is not found.status_after
    group by found.campaign_number, found.hour`,
  )

/**
 * Takes a call's `unknown` back, in the hour in which its lease ended: it was told after all what became of it. Calls that
 * were settled before anybody counted are in no hour. A table expression beside `from`, which has the campaign's number
 * and when the call ended.
 */
export const hourOfUnknown = (
  campaignNumber: SQL,
  endedAtMs: SQL,
) => sql`cross join ${campaignHours} as told_unknown
  on told_unknown.campaign_number = ${campaignNumber} and told_unknown.hour = ${hourOf(endedAtMs)}
    and told_unknown.unknown > 0`

/** How many leads of each status the hours say there are. `of` is a table expression of campaigns, with `number`. */
export const statusesOf = (of: SQL) => sql`select campaign.number, ${raw(
  statuses.map((status) => `coalesce(sum(h.d_${status}), 0) as ${status}`).join(', '),
)}, coalesce(sum(h.writes), 0) as writes
  from ${of} as campaign left join ${campaignHours} as h on h.campaign_number = campaign.number group by campaign.number`

/** Counts by hour from `fromHour` to before `untilHour`, as one JSON text: arrays of the hour, and each counter in order. */
export const hoursOf = (of: SQL) => sql`select json_group_array(json_array(h.hour, ${raw(
  counters.map((counter) => `h.${counter}`).join(', '),
)})) as hours
  from ${of} as campaign cross join ${campaignHours} as h on h.campaign_number = campaign.number
    and h.hour >= ${param('fromHour')} and h.hour < ${param('untilHour')}`

/** Adds what a count of the leads has found to the current hour, once. Placeholders `campaignNumber`, `nowMs`. */
export const repairHour = addToHours(
  statuses.map((status) => `d_${status}` as const),
  sql`select r.campaign_number, ${thisHour}, ${raw(statuses.map((status) => `r.${status}`).join(', '))}
    from ${recounts} as r where r.campaign_number = ${param('campaignNumber')} and r.is_unrepaired = 1`,
)
