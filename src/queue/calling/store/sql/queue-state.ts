// Why a campaign gives no calls at a moment, and after how many seconds to claim again (D52): for a claim that found
// nothing, and for the overview of a campaign.
import { type SQL, sql } from 'drizzle-orm'
import { isArchived } from '../../../../base/access/store/rights.ts'
import { param } from '../../../../base/database/database.ts'
import { settleGraceMs } from '../../../campaigns/outcomes.ts'
import { callingLanes, callingSettings, openings } from '../../../campaigns/store/tables.ts'
import { askedNotice } from '../../../campaigns/store/waiting.ts'
import { leads } from '../../../leads/store/tables.ts'
import type { WaitReason } from '../../reasons.ts'
import { type CapacityRow, capacityColumns, type Held, heldAt } from './capacity.ts'
import { headsOf } from './queue-heads.ts'
import { forever, laneKinds, lanes } from './queue-order.ts'

/** Why a claim gives no calls, also for reasons that concern only that claim and not the campaign. */
export type ClaimReason = WaitReason | 'agent_failing' | 'suppression_unavailable' | 'ready'

type QueueState = { readonly reason: WaitReason; readonly retryAfterSeconds: number }

export type NoCalls = { readonly reason: ClaimReason; readonly retryAfterSeconds: number }

/** The row of `selectQueueState`. */
export type QueueStateRow = CapacityRow & {
  /** 1 for an archived campaign, which is paused first of all. */
  readonly isConfigured: number
  readonly isPaused: number
  /**
   * The first moment at which a lead of the queue is due and its lane is open; null: not in the known openings. A
   * resting lane counts as open when its rest ends, so it may be too early, never too late.
   */
  readonly readyAtMs: number | null
  /** Of the lanes that do not rest; `furtherSteps` are those beyond the first head of each lane. */
  readonly headsRead: number
  readonly furtherSteps: number
  /** When the first lead is due, in open lanes and closed ones. If a lead is due, it may be any of those that are. */
  readonly firstDueAtMs: number | null
  readonly leasedUntilMs: number | null
}

const ofLane = sql`o.campaign_number = campaign.number and o.lane = heads.lane
  and o.is_for_appointments = heads.is_for_appointments`

const fromMs = sql`max(heads.due_at_ms, campaign.now_ms)`

/** How many heads a claim reads to find when to claim again. */
const mostHeads = 2_000

/** With more heads, when to look again: open lanes rest by then, so only a lead of a lane that opens may be late. */
const unreadLooksAgainMs = 25_000

/**
 * After so many steps, the lanes are left to rest: that costs one trip, and saves each later claim as many steps.
 */
const manyHeads = 300

/** How far the queue is read. */
export const toTheEnd = sql``
export const asFarAsClaims = sql.raw(`limit ${mostHeads}`)

/**
 * A select of one row. `granted` is the campaign, and the queue is read only when `condition` holds, `asFarAsClaims`
 * or `toTheEnd`. `more` are columns besides those of QueueStateRow.
 */
export const selectQueueState = (
  granted: SQL,
  condition: SQL,
  howFar: SQL = asFarAsClaims,
  more: SQL = sql``,
) => sql`with recursive
  campaign(number, company_id, now_ms) as materialized (
    select granted.number, granted.company_id, ${param('nowMs')}
    from ${granted} as granted
    where ${condition}),
  ${lanes},
  lane_kinds(lane, is_for_appointments, rests_until_ms) as materialized (select * from ${laneKinds}),
  ${headsOf(sql`select lane, is_for_appointments from lane_kinds where rests_until_ms is null`, howFar)},
  ready(due_at_ms, at_ms) as (
    select heads.due_at_ms, coalesce(
      (select iif(o.closes_at_ms > ${fromMs}, ${fromMs}, null) from ${openings} as o
        where ${ofLane} and o.opens_at_ms <= ${fromMs}
        order by o.opens_at_ms desc
        limit 1),
      (select o.opens_at_ms from ${openings} as o
        where ${ofLane} and o.opens_at_ms > ${fromMs}
        order by o.opens_at_ms
        limit 1))
    from campaign
    cross join heads
    where heads.due_at_ms is not null
    union all
    select rests_until_ms, rests_until_ms from lane_kinds
    where rests_until_ms < ${forever}),
  outlook(first_due_at_ms, ready_at_ms) as (select min(due_at_ms), min(at_ms) from ready)
  select (s.time_zone is not null or ${isArchived(sql`campaign.number`)}) as "isConfigured",
    (coalesce(s.paused, 0) or ${isArchived(sql`campaign.number`)}) as "isPaused",
    outlook.ready_at_ms as "readyAtMs", outlook.first_due_at_ms as "firstDueAtMs",
    (select count(*) from head) as "headsRead", (select coalesce(sum(is_further), 0) from head) as "furtherSteps",
    (select l.lease_expires_at_ms from ${leads} as l
      where l.campaign_number = campaign.number and l.lease_expires_at_ms is not null
      order by l.lease_expires_at_ms
      limit 1) as "leasedUntilMs",
    ${capacityColumns(sql`(select campaign.number from campaign)`)},
    ${askedNotice(sql`s`, sql`campaign.company_id`)} as "gateNotice"
    ${more}
  from campaign
  cross join outlook
  left join ${callingSettings} as s on s.campaign_number = campaign.number`

/** The claim read so many heads that the lanes should be left to rest. */
export const isLongRead = (row: QueueStateRow | undefined) => (row?.furtherSteps ?? 0) > manyHeads

/**
 * A column: JSON, `[lane, 1 for appointments]` of each lane that has due leads and whose openings are not written
 * yet. A claim writes them first; a reader computes them.
 */
export const dueInUnknownHours = sql`, (select json_group_array(json_array(heads.lane, heads.is_for_appointments))
  from heads
  where heads.due_at_ms <= campaign.now_ms
    and not exists (select 1 from ${callingLanes} as known
      where known.campaign_number = campaign.number
        and known.lane = heads.lane
        and known.covered_until_ms > campaign.now_ms)) as "dueInUnknownHours"`

/**
 * Leads may be added, the campaign resumed or a place freed at any moment: no answer sends an agent away for longer.
 */
const leastSeconds = 1
export const mostSeconds = 30

/** The pepper is lost: only an operator can restore it, and no number may be called before that (PepperLost). */
export const suppressionUnavailable: NoCalls = { reason: 'suppression_unavailable', retryAfterSeconds: 30 }

/**
 * When another claim may find something, as far as the row shows: a lead is due and open, or the first lease, for whose
 * end nothing rings, can be settled. Cap and pace hold back a lead that is ready: until a lease ends, or the pace has
 * room. Null: nothing of that is ahead.
 */
export function nextMoment(row: QueueStateRow | undefined, nowMs: number): number | null {
  if (row?.isConfigured !== 1 || row.isPaused === 1) return null
  const held = heldBack(row, nowMs)
  if (held?.by === 'pace') return held.untilMs
  const readyAtMs = held === null ? readyOf(row, nowMs) : null
  const settledAtMs = row.leasedUntilMs === null ? null : row.leasedUntilMs + settleGraceMs
  if (readyAtMs === null || settledAtMs === null) return readyAtMs ?? settledAtMs
  return Math.min(readyAtMs, settledAtMs)
}

/** The claim has not read all lanes, and some may be due now: the next claim reads them. */
export const claimAgainSoon: QueueState = { reason: 'waiting', retryAfterSeconds: leastSeconds }

export function queueStateOf(row: QueueStateRow | undefined, nowMs: number): QueueState {
  const at = (reason: WaitReason, atMs: number): QueueState => {
    const seconds = Math.ceil((atMs - nowMs) / 1000)
    return { reason, retryAfterSeconds: Math.min(mostSeconds, Math.max(leastSeconds, seconds)) }
  }
  if (!row?.isConfigured) return { reason: 'not_configured', retryAfterSeconds: mostSeconds }
  if (row.isPaused === 1) return { reason: 'paused', retryAfterSeconds: mostSeconds }
  const held = heldBack(row, nowMs)
  if (held !== null) return at('at_capacity', held.untilMs)
  if (row.firstDueAtMs !== null) {
    const isDue = row.firstDueAtMs <= nowMs
    const readyAtMs = readyOf(row, nowMs) ?? Number.POSITIVE_INFINITY
    return at(isDue && readyAtMs > nowMs ? 'outside_hours' : 'waiting', readyAtMs)
  }
  if (row.leasedUntilMs !== null) return at('waiting', row.leasedUntilMs + settleGraceMs)
  return { reason: 'empty', retryAfterSeconds: mostSeconds }
}

/** `readyAtMs`, or when to look again at a queue of which not all heads were read. */
function readyOf({ readyAtMs, headsRead }: QueueStateRow, nowMs: number): number | null {
  return headsRead < mostHeads
    ? readyAtMs
    : Math.min(readyAtMs ?? Number.POSITIVE_INFINITY, nowMs + unreadLooksAgainMs)
}

/** Leads can be called, but cap or pace has no room for one. Null: not so. */
function heldBack(row: QueueStateRow, nowMs: number): Held | null {
  return row.readyAtMs === null || row.readyAtMs > nowMs ? null : heldAt(row, nowMs)
}
