// What is known of a lead and its campaign at a moment, and what follows from it: what blocks the lead, and when it can be
// called next. For the explanation of one lead (explain.ts) and for the answer to a report (../sql/call-result.ts), so that
// both say the same.
import { type SQL, sql } from 'drizzle-orm'
import { isArchived } from '../../../access/store/rights.ts'
import { findNextOpening, type Schedule, scheduleOf } from '../../../campaigns/calling-hours.ts'
import { isFinalStatus } from '../../../leads/store/lead-status.ts'
import { appointmentRank } from '../../../leads/store/queue.ts'
import { isSuppressed } from '../../../ledger/suppression/numbers.ts'
import type { BlockerCode } from '../../reasons.ts'
import { type CapacityRow, heldAt } from '../sql/capacity.ts'
import { outcomeMinutes } from '../sql/lead-after-call.ts'

export type LeadFacts = {
  readonly lane: string
  readonly isFinal: number
  readonly queueRank: number
  readonly dueAtMs: number | null
  /** From when on a consent allows the call, 0 where none is required; null: there is none. */
  readonly allowedFromMs: number | null
  readonly leaseExpiresAtMs: number | null
  /** When it is due again if its call is never reported. */
  readonly dueUnreportedMs: number | null
  readonly isSuppressed: number
  readonly liveUntilMs: number | null
  readonly gapUntilMs: number | null
  readonly dayUntilMs: number | null
  readonly weekUntilMs: number | null
}

type Limits = Pick<LeadFacts, 'liveUntilMs' | 'gapUntilMs' | 'dayUntilMs' | 'weekUntilMs'>

/** Columns of LeadFacts, of the row `l`, with `s` the settings. */
export const leadFacts = (
  l: SQL,
  {
    companyId,
    number,
    allowedFromMs,
    limits,
  }: {
    readonly companyId: SQL
    readonly number: SQL
    readonly allowedFromMs: SQL
    readonly limits: Readonly<Record<keyof Limits, SQL>>
  },
): Readonly<Record<keyof LeadFacts, SQL>> => ({
  lane: sql`${l}.lane`,
  isFinal: isFinalStatus(sql`${l}.status`),
  queueRank: sql`${l}.queue_rank`,
  dueAtMs: sql`coalesce(${l}.due_at_ms, ${l}.held_due_at_ms)`,
  allowedFromMs,
  leaseExpiresAtMs: sql`${l}.lease_expires_at_ms`,
  dueUnreportedMs: sql`${l}.lease_expires_at_ms + ${outcomeMinutes(sql`'unknown'`)} * 60000`,
  isSuppressed: isSuppressed(companyId, sql`${l}.phone_number`, number),
  ...limits,
})

export type CampaignFacts = CapacityRow & {
  readonly paused: number
  readonly timeZone: string | null
  /** JSON, as are the next two. */
  readonly callingHours: string
  readonly appointmentHours: string
  readonly closedDates: string
}

/** Columns of CampaignFacts without its capacity, with `s` the settings. */
export const campaignFacts = (
  number: SQL,
): Readonly<Record<Exclude<keyof CampaignFacts, keyof CapacityRow>, SQL>> => ({
  paused: sql`(coalesce(s.paused, 0) or ${isArchived(number)})`,
  timeZone: sql`s.time_zone`,
  callingHours: sql`s.calling_hours`,
  appointmentHours: sql`s.appointment_hours`,
  closedDates: sql`s.closed_dates`,
})

export type Facts = LeadFacts & CampaignFacts

/** `untilMs` null: until the lead, its number or the settings change. */
export type Blocker = { readonly code: BlockerCode; readonly untilMs: number | null }

export function findBlockers(facts: Facts, atMs: number): Blocker[] {
  const blockers: Blocker[] = []
  const add = (code: BlockerCode, untilMs: number | null) => blockers.push({ code, untilMs })
  const addUntil = (code: BlockerCode, untilMs: number | null) => {
    if (untilMs !== null && untilMs > atMs) add(code, untilMs)
  }
  if (facts.timeZone === null) add('not_configured', null)
  if (facts.paused === 1) add('paused', null)
  const isLeased = facts.leaseExpiresAtMs !== null && facts.leaseExpiresAtMs > atMs
  // Its own call is one of those that are live.
  if (!isLeased) addUntil('at_capacity', heldAt(facts, atMs)?.untilMs ?? null)
  if (facts.isFinal === 1) add('final', null)
  if (facts.isSuppressed === 1) add('suppressed', null)
  if (facts.allowedFromMs === null) add('no_consent', null)
  else addUntil('no_consent', facts.allowedFromMs)
  if (isLeased) add('leased', facts.leaseExpiresAtMs)
  else addUntil('number_live', facts.liveUntilMs)
  addUntil('number_gap', facts.gapUntilMs)
  addUntil('number_day', facts.dayUntilMs)
  addUntil('number_week', facts.weekUntilMs)
  addUntil(facts.queueRank === appointmentRank ? 'scheduled' : 'spaced', facts.dueAtMs)
  if (!isLeased) addUntil('spaced', facts.dueUnreportedMs)
  const schedule = scheduleOfLead(facts)
  if (schedule !== null) {
    const opening = findNextOpening(schedule, atMs)
    if (opening === null) add('outside_hours', null)
    else addUntil('outside_hours', opening.opensAtMs)
  }
  return blockers
}

/**
 * The first open moment after all blockers have ended. While a call is open, it depends on the report: null. Limits
 * of the number that begin later are not foreseen.
 */
export function nextCallAtMs(facts: Facts, blockers: readonly Blocker[], atMs: number): number | null {
  const schedule = scheduleOfLead(facts)
  const isHopeless = blockers.some(({ code, untilMs }) => untilMs === null || code === 'leased')
  if (schedule === null || isHopeless) return null
  const ends = blockers.flatMap(({ code, untilMs }) => (code === 'outside_hours' ? [] : (untilMs ?? [])))
  return findNextOpening(schedule, Math.max(atMs, ...ends))?.opensAtMs ?? null
}

function scheduleOfLead(facts: Facts): Schedule | null {
  if (facts.timeZone === null) return null
  const hours = {
    timeZone: facts.timeZone,
    callingHours: JSON.parse(facts.callingHours),
    appointmentHours: JSON.parse(facts.appointmentHours),
    closedDates: JSON.parse(facts.closedDates),
  }
  return scheduleOf(hours, facts.lane, facts.queueRank === appointmentRank)
}
