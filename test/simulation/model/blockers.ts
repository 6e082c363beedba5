// Why a lead is not called at a moment: each reason by itself, from what is known of leads, calls and settings.
import { callsThatFit, fitsFromMs, pacedAfter } from '../../support/calling/pace.ts'
import type { Settings } from '../cast.ts'
import { consentFor } from './consent-judge.ts'
import { placeOf } from './gates.ts'
import { type Known, settingsAt } from './known.ts'
import { appointment, isFinal } from './lead-life.ts'
import { callsOfPhone, isHazy, limitsOf } from './phone-limits.ts'
import type { LeadSeen } from './seen.ts'
import { isOpen } from './zones.ts'

export type Blocker = { readonly code: string; readonly untilMs: number | null }
/** A lead as it is or was, and the moment whose settings count. */
export type Subject = {
  readonly lead: LeadSeen
  readonly company: number
  readonly campaign: number
  readonly phone: number
  readonly moment: number
  readonly leads: readonly LeadSeen[]
}

const graceMs = 2_000

/** Until when the campaign begins no call by its cap and its pace. */
export function heldUntilMs(known: Known, subject: Subject, settings: Settings): number {
  const { leads, lead } = subject
  const ends = leads
    .flatMap(({ number, leaseExpiresAtMs }) => (number === lead.number ? (leaseExpiresAtMs ?? []) : []))
    .sort((one, other) => other - one)
  const { maxLiveCalls, callsPerMinute } = settings
  const end = maxLiveCalls === null ? undefined : ends[maxLiveCalls - 1]
  const paced =
    callsPerMinute === null ? 0 : fitsFromMs(callsPerMinute, pacedUntilUs(known, subject, callsPerMinute))
  return Math.max(end === undefined ? 0 : end + graceMs, paced)
}

/** Of the calls that were begun since the pace was set. */
function pacedUntilUs(known: Known, { company, campaign, moment }: Subject, callsPerMinute: number): number {
  const all = known.settings[company]?.[campaign]?.filter(({ from }) => from <= moment) ?? []
  const last = all.findLastIndex(({ settings }) => settings.callsPerMinute !== callsPerMinute)
  const since = all[last + 1]?.from ?? 0
  return known.calls
    .filter(
      (call) =>
        call.company === company &&
        call.campaign === campaign &&
        call.direction === 'outbound' &&
        call.claimedAt >= since &&
        call.claimedAt < moment,
    )
    .reduce((paced, { claimedAtMs }) => pacedAfter(callsPerMinute, paced, claimedAtMs, 1), 0)
}

/** The most calls that may begin now. */
export function roomOf(known: Known, subject: Subject, nowMs: number): number {
  const { company, campaign, moment, leads, lead } = subject
  const { maxLiveCalls, callsPerMinute } = settingsAt(known, company, campaign, moment)
  const live = leads.filter(
    ({ number, leaseExpiresAtMs }) => number === lead.number && leaseExpiresAtMs !== null,
  )
  const places = maxLiveCalls === null ? Number.POSITIVE_INFINITY : maxLiveCalls - live.length
  if (callsPerMinute === null) return places
  return Math.min(places, callsThatFit(callsPerMinute, pacedUntilUs(known, subject, callsPerMinute), nowMs))
}

export function blockersOf(known: Known, subject: Subject, nowMs: number): readonly Blocker[] {
  const { lead, company, campaign, phone, moment } = subject
  const settings = settingsAt(known, company, campaign, moment)
  const { status, attempts, forgiven, rank, dueAtMs, heldAtMs, leaseExpiresAtMs, lane } = lead
  const isLeased = (leaseExpiresAtMs ?? 0) > nowMs
  const placeMs = dueAtMs ?? heldAtMs
  const others = callsOfPhone(known, company, phone).filter(({ claimedAt }) => claimedAt < moment)
  const limits = limitsOf(
    others.map((call) =>
      call.endedAt !== null && call.endedAt > moment ? { ...call, outcome: null } : call,
    ),
    settings.numberLimits,
    rank === appointment,
  )
  const seen = known.seen[company]
  const { fromMs } = seen == null ? { fromMs: 0 } : consentFor(lead, settings.requireConsent, seen, nowMs)
  const until = (code: string, ms: number | null): Blocker[] =>
    ms === null || ms > nowMs ? [{ code, untilMs: ms }] : []
  const isUsedUp = placeMs !== null && attempts - forgiven >= settings.maxAttempts
  return [
    ...(settings.paused ? until('paused', null) : []),
    ...(isLeased ? [] : until('at_capacity', heldUntilMs(known, subject, settings))),
    ...(isFinal(status) || isUsedUp ? until('final', null) : []),
    ...(isSuppressed(known, subject) ? until('suppressed', null) : []),
    // One that is held although it may be called returns by the minute.
    ...until('no_consent', fromMs === null || heldAtMs === null ? fromMs : Math.max(fromMs, nowMs + 60_000)),
    ...until('leased', leaseExpiresAtMs ?? 0),
    ...(isLeased ? [] : until('number_live', limits.live)),
    ...until('number_gap', limits.gap),
    ...until('number_day', limits.day),
    ...until('number_week', limits.week),
    ...until(rank === appointment ? 'scheduled' : 'spaced', placeMs ?? 0),
    ...(isOpen(settings, lane, rank === appointment, nowMs) ? [] : until('outside_hours', null)),
  ]
}

const isSuppressed = (known: Known, { lead, company, phone }: Subject): boolean =>
  known.seen[company]?.suppressed.some(
    (one) =>
      one.company === lead.company &&
      (one.number === 0 || one.number === lead.number) &&
      (known.cast.phones[phone]?.spellings.includes(one.phoneNumber) ?? false),
  ) ?? false

/** Nobody knows for sure: a gate, an erasure or a test has its say, or a lease that has run out. */
export function isUnsure(known: Known, subject: Subject, nowMs: number): boolean {
  const { company, campaign, phone, leads, lead } = subject
  const isOver = ({ leaseExpiresAtMs }: LeadSeen) => leaseExpiresAtMs !== null && leaseExpiresAtMs <= nowMs
  return (
    known.restored.has(company) ||
    known.jumpedMs > 0 ||
    (known.gates.changes.get(placeOf(company, campaign)) ?? 0) > 0 ||
    isHazy(known, company, phone) ||
    leads.some((one) => (one.number === lead.number || one.phoneNumber === lead.phoneNumber) && isOver(one))
  )
}

/** The first open moment after all that ends. Null: not before somebody changes something. */
export function nextCallMs(known: Known, subject: Subject, blockers: readonly Blocker[], nowMs: number) {
  const { lead, company, campaign, moment } = subject
  const settings = settingsAt(known, company, campaign, moment)
  const ending = blockers.filter(({ code }) => code !== 'outside_hours')
  if (ending.some(({ code, untilMs }) => untilMs === null || code === 'leased')) return null
  const fromMs = Math.max(nowMs, ...ending.map(({ untilMs }) => untilMs as number))
  const isOpenAt = (ms: number) => isOpen(settings, lead.lane, lead.rank === appointment, ms)
  if (isOpenAt(fromMs)) return fromMs
  const minuteMs = 60_000
  let ms = fromMs - (fromMs % minuteMs)
  for (let minutes = 0; minutes < 10 * 24 * 60; minutes++) {
    ms += minuteMs
    if (isOpenAt(ms)) return ms
  }
  return null
}

/** It is due, and its hours are open. */
export const isReadyAt = (
  { lead, company, campaign, moment }: Subject,
  known: Known,
  nowMs: number,
): boolean =>
  lead.dueAtMs !== null &&
  lead.dueAtMs <= nowMs &&
  isOpen(settingsAt(known, company, campaign, moment), lead.lane, lead.rank === 101, nowMs)

/** Of the queue. */
export const inOrder = (one: LeadSeen, other: LeadSeen): number =>
  other.rank - one.rank || (one.dueAtMs ?? 0) - (other.dueAtMs ?? 0) || one.seq - other.seq

/**
 * The first of its time zone, which came, or came back, when the claim had looked at the hours, or while nobody could
 * claim: the next one knows them.
 */
export function isOfNewLane(
  { lane, createdAtMs }: LeadSeen,
  leads: readonly LeadSeen[],
  nowMs: number,
  { exchanges }: Known,
): boolean {
  const sinceMs = nowMs - 10_000
  const hasComeBack = exchanges.some(
    ({ operation, answeredMs, body }) =>
      (/^(?:lift|requeue)/.test(operation) || (operation === 'changeCampaign' && body.paused === false)) &&
      (answeredMs ?? Number.POSITIVE_INFINITY) > sinceMs,
  )
  return (createdAtMs > sinceMs || hasComeBack) && leads.filter((one) => one.lane === lane).length === 1
}
