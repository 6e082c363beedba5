// Reads the next campaigns in turn: those that have leads in the queue, or an alert. Of a campaign that may call, where
// no lead is leased and no claim waits, it reads what ../no-agent.ts needs to know.
import { type SQL, sql } from 'drizzle-orm'
import { isArchived } from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { number, param, statement } from '../../../base/database/database.ts'
import { countedOutcomes, thisHour } from '../../../base/ledger/hours/counts.ts'
import { campaignHours } from '../../../base/ledger/hours/tables.ts'
import { limits } from '../../../base/limits.ts'
import { nextHead, scale } from '../../../queue/calling/store/sql/queue-heads.ts'
import { hoursJson } from '../../../queue/campaigns/store/settings-row.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import { rankOfAppointments } from '../../../queue/leads/store/queue.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { countedHours, type IdleCampaign, type Noted } from '../no-agent.ts'
import { alertCursor, alerts } from './tables.ts'

/** In one look. Each campaign's first lane comes before any other, and the first rank of each before any other. */
const mostLanes = number(20_000)
const mostHeads = number(50_000)

const nextCampaign = (after: SQL) => sql`(select min(found.number) from (
      select (select l.campaign_number from ${leads} as l
        where l.campaign_number > ${after} and l.due_at_ms is not null
        order by l.campaign_number
        limit 1) as number
      union all
      select (select a.campaign_number from ${alerts} as a
        where a.kind = 'no_agent' and a.campaign_number > ${after}
        order by a.campaign_number
        limit 1)) as found)`

const nextLane = (campaign: SQL, condition: SQL) => sql`(select l.lane from ${leads} as l
      where l.campaign_number = ${campaign} and l.due_at_ms is not null and ${condition}
      order by l.lane
      limit 1)`

const headOf = (row: SQL, below: SQL) =>
  nextHead({ number: sql`${row}.number`, lane: sql`${row}.lane`, below, least: sql`0` })

/** Reads `head`. Its `earliest_ms` is that of the ranks above it, appointments aside: a later one is not gathered. */
const isAppointment = sql`head.packed / ${scale} = ${rankOfAppointments}`
const headDueAtMs = sql`head.packed % ${scale}`

/** Calls that began or ended in an hour. */
const callsOfHour = sql.raw(['claimed', ...countedOutcomes].map((column) => `h.${column}`).join(' + '))

/** One row for each campaign, in turn. */
export const watchedCampaigns = statement<'nowMs'>(sql`with recursive
  turn(number) as (
    select ${nextCampaign(sql`coalesce((select ${alertCursor.campaignNumber} from ${alertCursor}), 0)`)}
    union all
    select ${nextCampaign(sql`turn.number`)}
    from turn
    where turn.number is not null
    limit ${number(limits.campaignsPerLook)}),
  campaign(number, company_id) as materialized (
    select c.number, c.company_id
    from turn
    cross join ${campaigns} as c on c.number = turn.number),
  idle(number) as materialized (
    select campaign.number
    from campaign
    cross join ${callingSettings} as s on s.campaign_number = campaign.number
    where s.paused = 0
      and not ${isArchived(sql`campaign.number`)}
      and s.time_zone is not null
      and s.waited_for_until_ms <= ${param('nowMs')}
      and not exists (select 1 from ${leads} as l
        where l.campaign_number = campaign.number and l.lease_expires_at_ms is not null)),
  lane(number, lane) as (
    select idle.number, ${nextLane(sql`idle.number`, sql`true`)}
    from idle
    union all
    select lane.number, ${nextLane(sql`lane.number`, sql`l.lane > lane.lane`)}
    from lane
    where lane.lane is not null
    limit ${mostLanes}),
  head(number, lane, packed, earliest_ms) as (
    select lane.number, lane.lane, ${headOf(sql`lane`, sql`${rankOfAppointments} + 1`)}, null
    from lane
    where lane.lane is not null
    union all
    select head.number, head.lane, ${headOf(sql`head`, sql`head.packed / ${scale}`)},
      iif(${isAppointment}, null, min(${headDueAtMs}, coalesce(head.earliest_ms, ${headDueAtMs})))
    from head
    where head.packed is not null
    limit ${mostHeads}),
  due(number, lanes) as (
    select first.number, json_group_array(json_array(first.lane, first.is_for_appointments, first.due_at_ms))
        filter (where first.lane is not null)
    from (select head.number, head.lane, ${isAppointment} as is_for_appointments, min(${headDueAtMs}) as due_at_ms
        from head
        where ${headDueAtMs} <= ${param('nowMs')} and ${headDueAtMs} < coalesce(head.earliest_ms, 9e15)
        group by 1, 2, 3
      union all
      select campaign.number, null, null, null
      from campaign) as first
    group by first.number)
  select campaign.number as "campaignNumber", campaign.company_id as "companyId",
    iif(s.campaign_number is null, null, json_object('calling', ${hoursJson}, 'dueLanes', json(due.lanes),
      'callableSinceMs', s.callable_since_ms, 'waitedForUntilMs', s.waited_for_until_ms,
      'hours', json((select json_group_array(json_array(h.hour, ${callsOfHour})) from ${campaignHours} as h
        where h.campaign_number = s.campaign_number
          and h.hour >= ${thisHour} - ${number(countedHours)}
          and ${callsOfHour} > 0)))) as idle,
    iif(a.since_ms is null, null, json_object('sinceMs', a.since_ms, 'callsCounted', a.calls_counted,
      'isRaised', json(iif(a.raised_at_ms is null, 'false', 'true')))) as noted
  from due
  cross join ${campaigns} as campaign on campaign.number = due.number
  left join ${callingSettings} as s on s.campaign_number = due.number and due.lanes <> '[]'
  left join ${alerts} as a on a.kind = 'no_agent'
    and a.campaign_number = campaign.number
    and a.company_id = campaign.company_id
    and a.subject = ''
  order by due.number`)

export type WatchedCampaign = {
  readonly campaignNumber: number
  readonly companyId: string
  /** Null: no lead is due, or the campaign may not call, or an agent is there. */
  readonly idle: IdleCampaign | null
  readonly noted: Noted | null
}

/** Both are JSON. */
type Row = Record<'idle' | 'noted', string | null> & Omit<WatchedCampaign, 'idle' | 'noted'>

export const readWatched = (rows: readonly unknown[]): readonly WatchedCampaign[] =>
  (rows as Row[]).map(({ idle, noted, ...row }) => ({
    ...row,
    idle: JSON.parse(idle ?? 'null'),
    noted: JSON.parse(noted ?? 'null'),
  }))
