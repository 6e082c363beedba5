// Reading campaigns: their settings, the size of the queue and why it gives no calls at this moment.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  grantedKey,
  type KeyAccess,
  type KeyNames,
  type Refusal,
  refusalOf,
} from '../../access/store/rights.ts'
import { campaigns, maxCampaignNumber } from '../../access/store/tables.ts'
import { findNextOpening, isOpenAt, type WeeklyHours } from '../../campaigns/calling-hours.ts'
import type { CallingSettings } from '../../campaigns/settings.ts'
import { heldAt } from '../../campaigns/store/capacity.ts'
import {
  type CampaignSettings,
  isArchivedColumn,
  type OneRow,
  readCampaignSettings,
  readSettings,
  selectedSettings,
  settingsOfOne,
} from '../../campaigns/store/settings-row.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import { type Bind, param, runBatch, statement, type Value } from '../../database/database.ts'
import { leads } from '../../leads/store/tables.ts'
import { failingAgents } from './agents.ts'
import {
  dueInUnknownHours,
  type QueueStateRow,
  queueStateOf,
  selectQueueState,
  toTheEnd,
  type WaitReason,
} from './sql/queue-state.ts'

export type QueueOverview = {
  readonly campaignNumber: number
  /** Until when agents may be waiting for a lead; 0: none ever has. */
  readonly waitedForUntilMs: number
  readonly queued: number
  readonly leased: number
  /** True: there are more than are counted. */
  readonly isCapped: boolean
  /** Why a claim would get no calls at this moment; null: it would get some. */
  readonly reason: WaitReason | null
  /** When calling hours begin next in the campaign's own zone; null: they are open, or there are none. */
  readonly nextOpeningMs: number | null
  /** Agents that are blocked now, at most ten; the longest block first. */
  readonly failingAgents: readonly FailingAgent[]
}

type FailingAgent = { readonly agent: string; readonly untilMs: number }

const keyIsGranted = statement<KeyNames>(sql`select 1 from ${grantedKey('look')}`)

/** Reads the rows of the page only: each kind has its index, and a campaign's key is a range of one number. */
const pageOf = (isOfKind: SQL) =>
  statement<KeyNames | 'afterNumber' | 'rows'>(sql`
  select ${campaigns.number}, ${campaigns.id}, ${campaigns.name}, ${isArchivedColumn}, ${selectedSettings}
  from ${grantedKey('look')} as granted
  cross join ${campaigns} on ${campaigns.companyId} = granted.company_id
    and ${isOfKind}
    and ${campaigns.number} > max(${param('afterNumber')}, coalesce(granted.campaign_number - 1, 0))
    and ${campaigns.number} <= coalesce(granted.campaign_number, ${maxCampaignNumber})
  left join ${callingSettings} as s on s.campaign_number = ${campaigns.number}
  order by ${campaigns.number}
  limit ${param('rows')}`)
const currentPage = pageOf(sql`${campaigns.archivedAtMs} is null`)
const archivedPage = pageOf(sql`${campaigns.archivedAtMs} is not null`)

export type CampaignPage = {
  readonly isArchived: boolean
  readonly afterNumber: number
  /** Null: all that follow. */
  readonly size: number | null
}

const allCurrent: CampaignPage = { isArchived: false, afterNumber: 0, size: null }

/** The settings of campaigns that the key may see, oldest first. Throws DatabaseUnavailable. */
export async function listSettings(
  db: D1Database,
  access: KeyAccess,
  { isArchived, afterNumber, size } = allCurrent,
): Promise<
  | { readonly kind: 'key_refused' }
  | {
      readonly kind: 'found'
      readonly campaigns: readonly CampaignSettings[]
      /** Of the page, when others follow. */
      readonly lastNumber: number | null
    }
> {
  const select = isArchived ? archivedPage : currentPage
  const values = { ...access, afterNumber, rows: size === null ? -1 : size + 1 }
  const { rows } = await runBatch(db, [keyIsGranted(db, values), select(db, values)])
  if (rows[0]?.length === 0) return { kind: 'key_refused' }
  const found = rows[1] as OneRow[]
  const page = found.slice(0, size ?? found.length)
  return {
    kind: 'found',
    campaigns: page.map(readCampaignSettings),
    lastNumber: found.length > page.length ? (page.at(-1)?.number ?? null) : null,
  }
}

/** Queued and leased leads are counted to this many each. */
const countedLeads = 10_000

const countUpTo = (column: 'due_at_ms' | 'lease_expires_at_ms') => sql`(select count(*) from (
  select 1 from ${leads} as l
  where l.campaign_number = granted.number and l.${sql.identifier(column)} is not null
  limit ${sql.raw(`${countedLeads}`)} + 1))`
const granted = grantedCampaign('look')
const overviewSteps = [
  settingsOfOne(accessVerdict('look')),
  statement<AccessNames>(sql`select ${countUpTo('due_at_ms')} as queued, ${countUpTo('lease_expires_at_ms')} as leased,
    ${failingAgents} as "failingAgents", (select s.waited_for_until_ms from ${callingSettings} as s
      where s.campaign_number = granted.number) as "waitedForUntilMs"
  from ${granted} as granted`),
  statement<AccessNames>(selectQueueState(granted, sql`true`, toTheEnd, dueInUnknownHours)),
]

type CampaignResult =
  | Refusal
  | {
      readonly kind: 'found'
      readonly campaign: CampaignSettings
      readonly queue: QueueOverview
      /** The rows of each further statement. */
      readonly more: readonly (readonly unknown[])[]
    }

/** A campaign's settings, and its queue; the rows of `more` are read in the same trip. Throws DatabaseUnavailable. */
export async function readCampaign<Name extends string>(
  db: D1Database,
  access: Access & Readonly<Record<NoInfer<Name>, Value>>,
  more: readonly Bind<Name>[] = [],
): Promise<CampaignResult> {
  const { rows } = await runBatch(
    db,
    [...overviewSteps, ...more].map((step) => step(db, access)),
  )
  return readCampaignRows(rows, access.nowMs)
}

function readCampaignRows(rows: readonly (readonly unknown[])[], nowMs: number): CampaignResult {
  const row = rows[0]?.[0] as OneRow | undefined
  const refusal = refusalOf(row)
  if (refusal !== null || row === undefined) return refusal ?? { kind: 'key_refused' }
  const settings = readSettings(row)
  const [size] = rows[1] as {
    queued: number
    leased: number
    failingAgents: string
    waitedForUntilMs: number | null
  }[]
  const { queued = 0, leased = 0 } = size ?? {}
  const back = rows[2]?.[0] as Outlook | undefined
  return {
    kind: 'found',
    campaign: readCampaignSettings(row),
    queue: {
      campaignNumber: row.number ?? 0,
      waitedForUntilMs: size?.waitedForUntilMs ?? 0,
      queued: Math.min(queued, countedLeads),
      leased: Math.min(leased, countedLeads),
      isCapped: queued > countedLeads || leased > countedLeads,
      reason: reasonNow(settings, back, nowMs),
      nextOpeningMs: nextOpeningMs(settings, nowMs),
      failingAgents: JSON.parse(size?.failingAgents ?? '[]'),
    },
    more: rows.slice(3),
  }
}

type Outlook = QueueStateRow & { readonly dueInUnknownHours: string }

/** Null: a claim would get calls now. */
function reasonNow(settings: CallingSettings, back: Outlook | undefined, nowMs: number): WaitReason | null {
  if (back?.isConfigured !== 1 || back.isPaused !== 0) return queueStateOf(back, nowMs).reason
  if ((back.readyAtMs ?? nowMs + 1) <= nowMs || isOpenUnknown(settings, back, nowMs))
    return heldAt(back, nowMs) && 'at_capacity'
  // A claim first queues leads that were stored without a place (D50), and nearly all of them are due at once.
  const isUnqueuedFirst = back.hasUnqueued === 1 && (back.firstDueAtMs ?? nowMs + 1) > nowMs
  if (!isUnqueuedFirst) return queueStateOf(back, nowMs).reason
  return isLaneOpen(settings, '', settings.callingHours, nowMs) ? null : 'outside_hours'
}

function isOpenUnknown(settings: CallingSettings, { dueInUnknownHours }: Outlook, nowMs: number): boolean {
  const { callingHours, appointmentHours } = settings
  const lanes = JSON.parse(dueInUnknownHours) as readonly (readonly [
    lane: string,
    isForAppointments: 0 | 1,
  ])[]
  return lanes.some(([lane, isForAppointments]) =>
    isLaneOpen(settings, lane, isForAppointments === 1 ? appointmentHours : callingHours, nowMs),
  )
}

function isLaneOpen(
  { timeZone, closedDates }: CallingSettings,
  lane: string,
  hours: WeeklyHours,
  nowMs: number,
): boolean {
  return isOpenAt({ timeZone: lane || (timeZone ?? ''), hours, closedDates }, nowMs)
}

function nextOpeningMs(
  { timeZone, callingHours, closedDates }: CallingSettings,
  nowMs: number,
): number | null {
  if (timeZone === null) return null
  const next = findNextOpening({ timeZone, hours: callingHours, closedDates }, nowMs)
  return next === null || next.opensAtMs === nowMs ? null : next.opensAtMs
}
