// Why a campaign hands nothing out at a moment, and when it is worth asking again (D52): for a claim that found
// nothing, and for whoever looks at a campaign.
import { type SQL, sql } from 'drizzle-orm'
import { leads } from '../../leads/store/tables.ts'
import { settleGraceMs } from '../attempt-rules.ts'
import { lanes } from './queue-order.ts'
import { callingLanes, callingSettings, openings } from './tables.ts'

export type WaitReason = 'empty' | 'waiting' | 'outside_hours' | 'paused' | 'not_configured'

/** Why a claim gives no calls: also what concerns that claim alone, and not the campaign. */
export type ClaimReason = WaitReason | 'agent_failing' | 'suppression_unavailable'

export type QueueState = { readonly reason: WaitReason; readonly retryAfterSeconds: number }

export type NoCalls = { readonly reason: ClaimReason; readonly retryAfterSeconds: number }

/** A row of `comeBack`. */
export type ComeBack = {
  readonly isConfigured: number
  readonly isPaused: number | null
  /** The first moment at which a lead of the queue is due and its lane is open; null: not within what is known. */
  readonly readyAtMs: number | null
  /** When the first lead is due, open or not. */
  readonly firstDueAtMs: number | null
  readonly hasUnqueued: number
  readonly leasedUntilMs: number | null
}

const openSince = sql`o.campaign_number = campaign.number and o.lane = heads.lane
  and o.is_for_appointments = (heads.rank = 101)`

/**
 * A statement of one row. `granted` is the campaign, and the queue is read only when `isAsked` holds. `more` are columns
 * beside those of ComeBack.
 */
export const comeBack = (granted: SQL, isAsked: SQL, more = sql``) => sql`with recursive
  campaign(number, company_id, now_ms) as materialized (
    select granted.number, granted.company_id, ${sql.placeholder('nowMs')} from ${granted} as granted where ${isAsked}),
  ${lanes},
  heads(lane, rank, due_at_ms) as (
    select lanes.lane, found.queue_rank, found.due_at_ms from campaign cross join lanes
      cross join ${leads} as found on found.seq = (select l.seq from ${leads} as l
        where l.campaign_number = campaign.number and l.lane = lanes.lane and l.due_at_ms is not null
          and l.queue_rank is not null order by l.queue_rank desc, l.due_at_ms limit 1)
    union all
    select heads.lane, found.queue_rank, found.due_at_ms from campaign cross join heads
      cross join ${leads} as found on found.seq = (select l.seq from ${leads} as l
        where l.campaign_number = campaign.number and l.lane = heads.lane and l.due_at_ms is not null
          and l.queue_rank < heads.rank order by l.queue_rank desc, l.due_at_ms limit 1)),
  ready(at_ms) as (
    select coalesce(
      (select iif(o.closes_at_ms > max(heads.due_at_ms, campaign.now_ms), max(heads.due_at_ms, campaign.now_ms), null)
        from ${openings} as o where ${openSince} and o.opens_at_ms <= max(heads.due_at_ms, campaign.now_ms)
        order by o.opens_at_ms desc limit 1),
      (select o.opens_at_ms from ${openings} as o where ${openSince}
        and o.opens_at_ms > max(heads.due_at_ms, campaign.now_ms) order by o.opens_at_ms limit 1))
    from campaign cross join heads)
  select s.time_zone is not null as "isConfigured", s.paused as "isPaused",
    (select min(at_ms) from ready) as "readyAtMs", (select min(due_at_ms) from heads) as "firstDueAtMs",
    exists (select 1 from ${leads} as l where l.campaign_number = campaign.number and l.lane = ''
      and l.queue_rank is null and l.due_at_ms is not null) as "hasUnqueued",
    (select l.lease_expires_at_ms from ${leads} as l where l.campaign_number = campaign.number
      and l.lease_expires_at_ms is not null order by l.lease_expires_at_ms limit 1) as "leasedUntilMs" ${more}
  from campaign left join ${callingSettings} as s on s.campaign_number = campaign.number`

/**
 * A column: JSON, `[lane, 1 for appointments]` of each lane that has leads which are due, and whose openings nobody has
 * written yet. A claim writes them first; whoever only looks has to compute them.
 */
export const dueInUnknownHours = sql`, (select json_group_array(distinct json_array(heads.lane, heads.rank = 101))
  from heads where heads.due_at_ms <= campaign.now_ms and not exists (select 1 from ${callingLanes} as known
    where known.campaign_number = campaign.number and known.lane = heads.lane
      and known.covered_until_ms > campaign.now_ms)) as "dueInUnknownHours"`

const leastSeconds = 5
const mostSeconds = 3_600

/** Somebody may add leads, or resume, at any moment. */
const idleSeconds = 60

/** The pepper is lost: only an operator can restore it, and nobody may be called before (PepperLost). */
export const suppressionUnavailable: NoCalls = { reason: 'suppression_unavailable', retryAfterSeconds: 30 }

/** What a claim could not look at yet may be due now: the next one does. */
export const askAgainSoon: QueueState = { reason: 'waiting', retryAfterSeconds: leastSeconds }

export function queueStateOf(row: ComeBack | undefined, nowMs: number): QueueState {
  const at = (reason: WaitReason, atMs: number): QueueState => {
    const seconds = Math.ceil((atMs - nowMs) / 1000)
    return { reason, retryAfterSeconds: Math.min(mostSeconds, Math.max(leastSeconds, seconds)) }
  }
  if (!row?.isConfigured) return { reason: 'not_configured', retryAfterSeconds: idleSeconds }
  if (row.isPaused === 1) return { reason: 'paused', retryAfterSeconds: idleSeconds }
  if (row.firstDueAtMs !== null) {
    const isDue = row.firstDueAtMs <= nowMs
    const readyAtMs = row.readyAtMs ?? Number.POSITIVE_INFINITY
    return at(isDue && readyAtMs > nowMs ? 'outside_hours' : 'waiting', readyAtMs)
  }
  if (row.hasUnqueued === 1) return at('waiting', nowMs)
  if (row.leasedUntilMs !== null) return at('waiting', row.leasedUntilMs + settleGraceMs)
  return { reason: 'empty', retryAfterSeconds: idleSeconds }
}
