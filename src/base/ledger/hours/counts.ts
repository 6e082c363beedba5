// Counts the activity of a campaign by the hour: statements that run in the batch of what they count, before the
// change. They count the rows that the change will find, never `changes()`: so a retry, which finds none, counts
// nothing. src/control/statistics/store/funnel.ts reads the counts.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCampaign } from '../../access/store/moving.ts'
import { param } from '../../database/database.ts'
import { type PickUpTime, pickUpTimes } from './pick-up.ts'
import { campaignHours, inboundColumns, intakeColumns, outcomeColumns, recounts } from './tables.ts'

const namesOf = <Name extends string>(columns: Readonly<Record<Name, unknown>>) =>
  Object.keys(columns) as Name[]

export const countedOutcomes = namesOf(outcomeColumns)

/** In the order of the API. */
export const counters = [
  ...namesOf(intakeColumns),
  'claimed' as const,
  ...namesOf(inboundColumns),
  ...countedOutcomes,
]

type Counter = (typeof counters)[number]

/** What hoursOf reads of each hour, in the order of the API, and how the API calls it. */
export const hourCounts = [
  ...counters.map((counter) => ({ column: counter, name: counter }) as const),
  ...pickUpTimes,
]

const statuses = ['raw', 'attempting', 'exhausted', 'concluded'] as const

export const hourMs = 3_600_000

/** A bound number is REAL: without the cast, the hour would be a fraction. */
export const hourOf = (ms: SQL) => sql`(cast(${ms} as integer) / ${sql.raw(`${hourMs}`)})`

export const thisHour = hourOf(sql`${param('nowMs')}`)

/** The columns that a count selects. An absent counter or status is null. */
export const countColumns = (counted: {
  readonly campaignNumber: SQL
  /** By default that of placeholder `nowMs`. */
  readonly hour?: SQL
  readonly counter?: SQL
  readonly n?: SQL
  readonly statusBefore?: SQL
  readonly statusAfter?: SQL
}) => sql`${counted.campaignNumber} as campaign_number, ${counted.hour ?? thisHour} as hour,
  ${counted.counter ?? sql`null`} as counter, ${counted.n ?? sql`1`} as n,
  ${counted.statusBefore ?? sql`null`} as status_before, ${counted.statusAfter ?? sql`null`} as status_after`

const raw = (text: string) => sql.raw(text)

type HourColumn = Counter | PickUpTime['column'] | `d_${(typeof statuses)[number]}`

/** Each column, with the sum that is added to it. */
type Sums = readonly (readonly [column: HourColumn, sum: SQL])[]

const counterSums = (of: readonly Counter[]): Sums =>
  of.map((counter) => [counter, sql`sum(iif(found.counter = ${raw(`'${counter}'`)}, found.n, 0))`])

const statusSums: Sums = statuses.map((status) => {
  const it = raw(`'${status}'`)
  return [`d_${status}`, sql`sum(found.n * ((found.status_after is ${it}) - (found.status_before is ${it})))`]
})

const pickUpSums: Sums = pickUpTimes.map(({ column, mostMs }, index) => {
  const leastMs = pickUpTimes[index - 1]?.mostMs
  const bounds = [
    ...(leastMs == null ? [] : [sql`found.pick_up_ms > ${raw(`${leastMs}`)}`]),
    ...(mostMs === null ? [] : [sql`found.pick_up_ms <= ${raw(`${mostMs}`)}`]),
  ]
  return [column, sql`coalesce(sum(${sql.join(bounds, sql` and `)}), 0)`]
})

/** `found` selects the campaign's number, the hour and the value of each column: one row for each campaign and hour. */
export function addToHours(columns: readonly HourColumn[], found: SQL): SQL {
  const all = [...columns, 'writes']
  return sql`insert into ${campaignHours} (campaign_number, hour, ${raw(all.join(', '))})
    select found.*, 1 from (${found}) as found
    where true
    on conflict (campaign_number, hour) do update
      set ${raw(all.map((column) => `${column} = ${column} + excluded.${column}`).join(', '))}`
}

const addSums = (sums: Sums, found: SQL) =>
  addToHours(
    sums.map(([column]) => column),
    sql`select found.campaign_number, found.hour, ${sql.join(
      sums.map(([, sum]) => sum),
      sql`, `,
    )}
    from (${found}) as found
    where found.counter is not null or found.status_before is not found.status_after
    group by found.campaign_number, found.hour`,
  )

/**
 * `found` selects countColumns, with no counter but those of `of`. Writes a row for each campaign and hour, none when
 * nothing is found. Placeholder `nowMs`.
 */
export const addCounts = (found: SQL, of: readonly Counter[] = counters) =>
  addSums([...counterSums(of), ...statusSums], found)

/**
 * The same for claims: `found` selects `pick_up_ms` too, null where it does not count, and no counter but `claimed`.
 * No other statement that counts adds up pick-up times.
 */
export const addClaims = (found: SQL) =>
  addSums([...counterSums(['claimed']), ...pickUpSums, ...statusSums], found)

/**
 * Joins the hour in which a call was counted as `unknown`, when its lease ended, so that a late report can subtract it.
 * Calls that ended before counting began are in no hour. Follows a `from` with the campaign's number and the call's
 * end.
 */
export const hourOfUnknown = (
  campaignNumber: SQL,
  endedAtMs: SQL,
) => sql`cross join ${campaignHours} as unknown_hour
  on unknown_hour.campaign_number = ${campaignNumber} and unknown_hour.hour = ${hourOf(endedAtMs)}
    and unknown_hour.unknown > 0`

/** The number of leads of each status, by the hours. `of` is a table expression of campaigns, with `number`. */
export const statusesOf = (of: SQL) => sql`select campaign.number, ${raw(
  statuses.map((status) => `coalesce(sum(h.d_${status}), 0) as ${status}`).join(', '),
)}, coalesce(sum(h.writes), 0) as writes
  from ${of} as campaign
  left join ${campaignHours} as h on h.campaign_number = campaign.number
  group by campaign.number`

/** JSON of `[hour, ...hourCounts]` from `fromHour` to before `untilHour`. */
export const hoursOf = (of: SQL) => sql`select json_group_array(json_array(h.hour, ${raw(
  hourCounts.map(({ column }) => `h.${column}`).join(', '),
)})) as hours
  from ${of} as campaign
  cross join ${campaignHours} as h on h.campaign_number = campaign.number
    and h.hour >= ${param('fromHour')} and h.hour < ${param('untilHour')}`

/** Adds a recount's difference to the current hour, once. Placeholders `campaignNumber`, `nowMs`. */
export const repairHour = addToHours(
  statuses.map((status) => `d_${status}` as const),
  sql`select r.campaign_number, ${thisHour}, ${raw(statuses.map((status) => `r.${status}`).join(', '))}
    from ${recounts} as r
    where r.campaign_number = ${param('campaignNumber')} and r.is_unrepaired = 1
      and ${isWritableCampaign(sql`r.campaign_number`)}`,
)
