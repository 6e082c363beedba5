// Reading a campaign: its settings, the size of the queue and why it gives no calls at this moment. campaign-pages.ts
// reads many.
import { sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type Refusal,
  refusalOf,
} from '../../../base/access/store/rights.ts'
import { apiKeys, campaigns } from '../../../base/access/store/tables.ts'
import { type Bind, runSteps, statement, type Value } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { findNextOpening, isOpenAt, scheduleOf } from '../../campaigns/calling-hours.ts'
import type { CallingSettings } from '../../campaigns/settings.ts'
import {
  type CampaignSettings,
  type OneRow,
  readCampaignSettings,
  readSettings,
  type SettingsRow,
  settingsOfOne,
} from '../../campaigns/store/settings-row.ts'
import { gateCounts } from '../../leads/store/queue.ts'
import { leads } from '../../leads/store/tables.ts'
import type { WaitReason } from '../reasons.ts'
import { failingAgents } from './agents.ts'
import { heldAt } from './sql/capacity.ts'
import {
  dueInUnknownHours,
  type QueueStateRow,
  queueStateOf,
  selectQueueState,
  toTheEnd,
} from './sql/queue-state.ts'

export type QueueOverview = {
  readonly campaignNumber: number
  /** Until when agents may be waiting for a lead; 0: none ever has. */
  readonly waitedForUntilMs: number
  readonly queued: number
  readonly leased: number
  /** Leads that left the queue because the consent that the campaign requires is missing. */
  readonly heldForConsent: number
  /** What the campaign's gate has said, and leads that have no fresh yes of it. Null: it has none. */
  readonly gate: { readonly checked: number; readonly refused: number; readonly waiting: number } | null
  /** True: there are more than are counted. */
  readonly isCapped: boolean
  /** Why a claim would get no calls at this moment; null: it would get some. */
  readonly reason: WaitReason | null
  /** When calling hours begin next in the campaign's own zone; null: they are open, or there is none. */
  readonly nextOpeningMs: number | null
  /** Agents that are blocked now, at most ten; the longest block first. */
  readonly failingAgents: readonly FailingAgent[]
  /** The campaign has a dialer that is switched on, or one whose calls are the only live ones. */
  readonly dialer: 'on' | 'ending' | null
}

type FailingAgent = { readonly agent: string; readonly untilMs: number }

/** Queued, leased and held leads are counted to this many each. */
const countedLeads = 10_000

const countUpTo = (
  column: 'due_at_ms' | 'lease_expires_at_ms' | 'held_due_at_ms' | 'gate_asks_at_ms',
  most: number,
) => sql`(select count(*) from (
  select 1 from ${leads} as l
  where l.campaign_number = granted.number and l.${sql.identifier(column)} is not null
  limit ${sql.raw(`${most}`)} + 1))`

/** A dialer makes all live calls, as far as ten of them show. */
const areOfDialer = sql`(select min(key.is_dialer)
    from (select l.phone_number, l.seq, l.claim_token from ${leads} as l
      where l.campaign_number = granted.number and l.lease_expires_at_ms is not null limit 10) as l
    cross join ${calls} as k on k.company_id = ${campaigns.companyId} and k.phone_number = l.phone_number
      and k.seq = l.seq and k.token = l.claim_token and k.outcome is null
    cross join ${apiKeys} as key on key.id = k.key_id)`

/** Columns: QueueSize. They need `granted`, with `number`, its campaign, and `s`, its settings. */
export const queueSize = (most: number) => sql`, ${countUpTo('due_at_ms', most)} as queued,
    ${countUpTo('lease_expires_at_ms', most)} as leased, ${countUpTo('held_due_at_ms', most)} as held,
    iif(s.gate_version is null, 0, ${countUpTo('gate_asks_at_ms', most)}) as asked,
    ${gateCounts(sql`granted.number`, sql`s`)} as gate,
    ${failingAgents} as "failingAgents", coalesce(s.waited_for_until_ms, 0) as "waitedForUntilMs",
    iif(s.has_dialer, 'on', iif(${areOfDialer}, 'ending', null)) as dialer`

/** Counts are one too high where there are more than are counted. */
export type QueueSize = {
  readonly queued: number
  readonly leased: number
  readonly held: number
  /** Of the held, those for the gate. */
  readonly asked: number
  /** JSON; null: there is no gate. */
  readonly gate: string | null
  readonly failingAgents: string
  readonly waitedForUntilMs: number
  readonly dialer: QueueOverview['dialer']
}

const overviewSteps = [
  settingsOfOne(accessVerdict('look'), queueSize(countedLeads)),
  statement<AccessNames>(selectQueueState(grantedCampaign('look'), sql`true`, toTheEnd, dueInUnknownHours)),
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
  const { rows } = await runSteps<AccessNames | Name>(db, [...overviewSteps, ...more], access)
  const row = rows[0]?.[0] as (OneRow & QueueSize) | undefined
  if (isRefused(row)) return refusalOf(row)
  const queue = readQueue(row, rows[1]?.[0] as Outlook, access.nowMs, countedLeads)
  return { kind: 'found', campaign: readCampaignSettings(row), queue, more: rows.slice(2) }
}

/** `most`: how many leads are counted. */
export function readQueue(
  row: SettingsRow & QueueSize & { readonly number: number | null },
  outlook: Outlook,
  nowMs: number,
  most: number,
): QueueOverview {
  const settings = readSettings(row)
  const { queued, leased, held, asked } = row
  return {
    campaignNumber: row.number ?? 0,
    waitedForUntilMs: row.waitedForUntilMs,
    queued: Math.min(queued, most),
    leased: Math.min(leased, most),
    heldForConsent: Math.min(held, most) - Math.min(asked, most),
    gate: JSON.parse(row.gate ?? 'null'),
    isCapped: Math.max(queued, leased, held) > most,
    reason: reasonNow(settings, outlook, nowMs),
    nextOpeningMs: nextOpeningMs(settings, nowMs),
    failingAgents: JSON.parse(row.failingAgents),
    dialer: row.dialer,
  }
}

export type Outlook = QueueStateRow & { readonly dueInUnknownHours: string }

/** Null: a claim would get calls now. */
function reasonNow(settings: CallingSettings, back: Outlook, nowMs: number): WaitReason | null {
  if (back.isConfigured !== 1 || back.isPaused !== 0) return queueStateOf(back, nowMs).reason
  if ((back.readyAtMs ?? nowMs + 1) <= nowMs || isOpenUnknown(settings, back, nowMs))
    return heldAt(back, nowMs) && 'at_capacity'
  return queueStateOf(back, nowMs).reason
}

function isOpenUnknown(settings: CallingSettings, { dueInUnknownHours }: Outlook, nowMs: number): boolean {
  const lanes = JSON.parse(dueInUnknownHours) as readonly (readonly [
    lane: string,
    isForAppointments: 0 | 1,
  ])[]
  return lanes.some(([lane, isForAppointments]) =>
    isOpenAt(scheduleOf(settings, lane, isForAppointments), nowMs),
  )
}

function nextOpeningMs(settings: CallingSettings, nowMs: number): number | null {
  const next = findNextOpening(scheduleOf(settings, '', false), nowMs)
  return next === null || next.opensAtMs === nowMs ? null : next.opensAtMs
}
