import type { NewConsent } from '../../../src/base/ledger/consent/consents.ts'
import type { OutcomeRules } from '../../../src/queue/campaigns/outcomes.ts'
import type { CallingSettings } from '../../../src/queue/campaigns/settings.ts'
import type { NumberConsents } from '../../support/calling/consent-judge.ts'
import * as pace from '../../support/calling/pace.ts'
import { isOpenByTheClock } from '../../unit/campaigns/calling-hours-judge.ts'

const graceMs = 2_000
const dayMs = 86_400_000

export type ModelLead = {
  readonly campaign: number
  readonly phone: string
  zone: string
  priority: number
  scheduledAtMs: number | null
  readonly createdAtMs: number
  /** Among the leads of its campaign. */
  readonly place: number
  status: 'raw' | 'attempting' | 'exhausted' | 'concluded'
  attempts: number
  forgiven: number
  /** Null: not queued yet. */
  rank: number | null
  dueAtMs: number | null
  /** When it was due as it left the queue for want of a consent. */
  heldDueAtMs: number | null
  /** The due time that a claim gave it because its number was not free. */
  movedToMs: number | null
  leaseExpiresAtMs: number | null
  /** Of the last claim; null after a requeue. */
  lastCall: ModelCall | null
}

export type ModelCall = {
  readonly lead: ModelLead
  readonly claimedAtMs: number
  readonly attempt: number
  /** As the service names it. */
  readonly id: string
  /** The id of the consent by which it was made. */
  readonly consentId: string | null
  callbackAtMs: number | null
  outcome: string | null
  isDone: boolean
  doNotCall: boolean
  isLate: boolean
  /** Its lead was claimed as an appointment. */
  readonly wasAppointment: boolean
  /** Its lease ran out, and that alone ended the lead. */
  endedLead: boolean
}

export type ModelReport = { outcome: string; callbackAtMs: number | null; doNotCall: boolean }

export type ModelState = {
  leads: ModelLead[]
  calls: ModelCall[]
  /** `number` or `number@campaign`. */
  suppressed: Set<string>
  consents: Map<string, NumberConsents>
  /** Every consent that was stored, those of erased numbers too. */
  sent: NewConsent[]
  /** Of each campaign: the required consent was changed, and the cron has not returned its held leads yet. */
  returning: boolean[]
  placed: number
  settings: CallingSettings[]
  /** Of each campaign: where the gap after its last call ends, and when the calls of its pace began. */
  pacedUntilUs: number[]
  begunAtMs: number[][]
}

/** The same phone in its two spellings, as far as the model has any. */
export const spellingsOf = (phone: string): readonly string[] =>
  phone.startsWith('+52') ? [phone.replace(/^\+521?/, '+52'), phone.replace(/^\+521?/, '+521')] : [phone]
export const isSamePhone = (one: string, other: string) => spellingsOf(one).includes(other)

export const isFinal = (lead: ModelLead) => lead.status === 'exhausted' || lead.status === 'concluded'

export const isSuppressed = (state: ModelState, lead: { phone: string; campaign: number }) =>
  spellingsOf(lead.phone).some(
    (phone) => state.suppressed.has(phone) || state.suppressed.has(`${phone}@${lead.campaign}`),
  )

export const settingsOf = (state: ModelState, lead: ModelLead) =>
  state.settings[lead.campaign] as CallingSettings

export function wasReached(state: ModelState, lead: ModelLead, except: ModelCall): boolean {
  const others = state.calls.filter((call) => call.lead === lead && call !== except)
  return others.some((call) => call.isDone && call.attempt > lead.forgiven)
}

/** Nobody should call it: its number is suppressed, or a call that was reported late has said so. */
export function mustRest(state: ModelState, lead: ModelLead, except: ModelCall): boolean {
  const { outcomes } = settingsOf(state, lead)
  const late = state.calls.filter((call) => call.lead === lead && call !== except && call.isLate)
  const isDead = ({ outcome }: ModelCall) => outcomes[outcome as keyof OutcomeRules].class === 'dead'
  return isSuppressed(state, lead) || late.some((call) => isDead(call) && call.attempt > lead.forgiven)
}

/** It is being called for an appointment that a change to this time cancels. */
export function isCancelled(state: ModelState, lead: ModelLead, toMs: number | null, nowMs: number): boolean {
  if (lead.leaseExpiresAtMs === null || toMs === lead.scheduledAtMs) return false
  if (toMs !== null) return toMs <= nowMs
  const calls = state.calls.filter((call) => call.lead === lead && !call.isLate)
  const agreed = calls.flatMap(({ callbackAtMs }) => callbackAtMs ?? [])
  return !agreed.some((ms) => ms > (lead.scheduledAtMs as number) && ms <= nowMs)
}

/** Whether the hours that the lead waits for are open. */
export function isOpenFor(state: ModelState, lead: ModelLead, atMs: number): boolean {
  const { timeZone, callingHours, appointmentHours, closedDates } = settingsOf(state, lead)
  if (timeZone === null) return false
  const hours = lead.rank === 101 ? appointmentHours : callingHours
  return isOpenByTheClock(lead.zone || timeZone, hours, closedDates, atMs)
}

/** The full hour, within four days, at which the hours of a queued lead begin; null: they are open. */
export function nextOpeningMs(state: ModelState, lead: ModelLead, nowMs: number): number | null {
  if (lead.dueAtMs === null || isOpenFor(state, lead, nowMs)) return null
  const hourMs = 3_600_000
  const hours = Array.from({ length: 96 }, (_, index) => (Math.floor(nowMs / hourMs) + 1 + index) * hourMs)
  return hours.find((ms) => isOpenFor(state, lead, ms)) ?? null
}

/** Until when each limit of the number keeps the lead; 0: it does not. */
export function numberLimits(state: ModelState, lead: ModelLead, atMs: number) {
  const { minGapMinutes, per24Hours, per7Days } = settingsOf(state, lead).numberLimits
  const calls = state.calls.filter((call) => isSamePhone(call.lead.phone, lead.phone))
  const live = calls.filter((call) => call.outcome === null && call.lead.lastCall === call)
  const dialled = calls
    .filter((call) => call.outcome !== 'released')
    .map((call) => call.claimedAtMs)
    .sort((a, b) => b - a)
  const nth = (n: number | null, lastsMs: number) => {
    const claimedAtMs = n === null ? undefined : dialled[n - 1]
    return claimedAtMs === undefined || claimedAtMs + lastsMs <= atMs ? 0 : claimedAtMs + lastsMs
  }
  const liveUntilMs = Math.max(0, ...live.map((call) => (call.lead.leaseExpiresAtMs ?? 0) + graceMs))
  return {
    live: liveUntilMs > atMs ? liveUntilMs : 0,
    gap: lead.rank === 101 || minGapMinutes === null ? 0 : nth(1, minGapMinutes * 60_000),
    day: nth(per24Hours, dayMs),
    week: nth(per7Days, 7 * dayMs),
  }
}

const leasesOf = (state: ModelState, campaign: number) =>
  state.leads.flatMap((lead) => (lead.campaign === campaign ? (lead.leaseExpiresAtMs ?? []) : []))

/** Until when the campaign can begin no call, if no lease is reported, released or extended; 0 or past: it can. */
export function heldUntilMs(state: ModelState, campaign: number): number {
  const { maxLiveCalls, callsPerMinute } = state.settings[campaign] as CallingSettings
  const ends = leasesOf(state, campaign).sort((a, b) => b - a)
  const end = maxLiveCalls === null ? undefined : ends[maxLiveCalls - 1]
  const paced = state.pacedUntilUs[campaign] as number
  return Math.max(
    end === undefined ? 0 : end + graceMs,
    callsPerMinute === null ? 0 : pace.fitsFromMs(callsPerMinute, paced),
  )
}

/** The most calls that fit under cap and pace. */
export function roomOf(state: ModelState, campaign: number, nowMs: number): number {
  const { maxLiveCalls, callsPerMinute } = state.settings[campaign] as CallingSettings
  const places = maxLiveCalls === null ? Infinity : maxLiveCalls - leasesOf(state, campaign).length
  const paced = state.pacedUntilUs[campaign] as number
  return Math.min(
    places,
    callsPerMinute === null ? Infinity : pace.callsThatFit(callsPerMinute, paced, nowMs),
  )
}

/** How many leases are over the cap, and how many calls over the pace. */
export function overCapacity(state: ModelState, campaign: number): readonly [cap: number, pace: number] {
  const { maxLiveCalls, callsPerMinute } = state.settings[campaign] as CallingSettings
  return [
    maxLiveCalls === null ? 0 : Math.max(0, leasesOf(state, campaign).length - maxLiveCalls),
    callsPerMinute === null
      ? 0
      : pace.callsOverPace(callsPerMinute, state.begunAtMs[campaign] as readonly number[]),
  ]
}

/** How long the lead could be called by now, as far as an hour and a minute; null: an attempt counted before. */
export function waitedMs(
  state: ModelState,
  lead: ModelLead,
  callableSinceMs: number,
  nowMs: number,
): number | null {
  if (lead.attempts !== lead.forgiven) return null
  const minuteMs = 60_000
  let openSinceMs = nowMs - (nowMs % minuteMs)
  while (openSinceMs > nowMs - 61 * minuteMs && isOpenFor(state, lead, openSinceMs - minuteMs))
    openSinceMs -= minuteMs
  return nowMs - Math.max(lead.dueAtMs as number, openSinceMs, callableSinceMs)
}
