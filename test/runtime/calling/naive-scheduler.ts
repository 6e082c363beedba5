// The model of calling: a plain array of leads and a scheduler that looks at all of them each time. It shares no code
// with the product but the defaults of outcomes; hours are judged by the clock on the wall. What it says, the
// database must say too, after every step.
import type { OutcomeRules } from '../../../src/queue/campaigns/outcomes.ts'
import type { CallingSettings } from '../../../src/queue/campaigns/settings.ts'
import * as pace from '../../support/calling/pace.ts'
import { consentFor, isConsentLost, isConsentNewer, withdrawAll } from './naive-consents.ts'
import {
  isCancelled,
  isFinal,
  isOpenFor,
  isSamePhone,
  isSuppressed,
  type ModelCall,
  type ModelLead,
  type ModelReport,
  type ModelState,
  mustRest,
  numberLimits,
  roomOf,
  settingsOf,
  spellingsOf,
  wasReached,
} from './naive-limits.ts'

export * from './naive-consents.ts'
export * from './naive-limits.ts'

const graceMs = 2_000

function ownPlace(lead: ModelLead): { rank: number; dueAtMs: number } {
  if (lead.scheduledAtMs !== null && lead.scheduledAtMs > lead.createdAtMs)
    return { rank: 101, dueAtMs: lead.scheduledAtMs }
  return { rank: lead.priority, dueAtMs: lead.createdAtMs }
}

/** A lead comes in. */
export function addLead(
  state: ModelState,
  lead: Pick<ModelLead, 'campaign' | 'phone' | 'zone' | 'priority' | 'scheduledAtMs' | 'createdAtMs'>,
): void {
  const life = { status: 'raw' as const, attempts: 0, forgiven: 0, leaseExpiresAtMs: null, lastCall: null }
  const queue = { place: state.placed++, rank: 0, dueAtMs: null, heldDueAtMs: null, movedToMs: null }
  const added: ModelLead = { ...lead, ...life, ...queue }
  state.leads.push(added)
  enqueue(state, added)
}

export type ModelChange = Partial<Pick<ModelLead, 'zone' | 'priority' | 'scheduledAtMs'>>

/** A client says something else of the lead; what it waits for follows from that at once, unless it is being called. */
export function changeLead(state: ModelState, lead: ModelLead, change: ModelChange, nowMs: number): void {
  const before = { ...lead }
  const { scheduledAtMs = before.scheduledAtMs } = change
  const isAppointment = before.rank === 101 && !isCancelled(state, lead, scheduledAtMs, nowMs)
  Object.assign(lead, change)
  const waitedUntilMs = before.dueAtMs ?? before.heldDueAtMs
  lead.rank = isAppointment ? 101 : lead.priority
  if (waitedUntilMs === null || scheduledAtMs === before.scheduledAtMs) return
  const waitedForSchedule = before.rank === 101 && waitedUntilMs === before.scheduledAtMs
  // A lead that is held is judged again.
  lead.dueAtMs = waitedUntilMs
  lead.heldDueAtMs = null
  if (scheduledAtMs !== null) {
    lead.rank = scheduledAtMs > nowMs ? 101 : lead.priority
    lead.dueAtMs = Math.max(scheduledAtMs, lead.attempts === 0 ? lead.createdAtMs : nowMs)
  } else if (lead.attempts === 0) {
    lead.rank = lead.priority
    lead.dueAtMs = lead.createdAtMs
  } else if (waitedForSchedule) {
    lead.rank = lead.priority
    lead.dueAtMs = nowMs
  }
}

function enqueue(state: ModelState, lead: ModelLead): void {
  const { rank, dueAtMs } = ownPlace(lead)
  lead.rank = rank
  lead.heldDueAtMs = null
  lead.dueAtMs = isFinal(lead) || isSuppressed(state, lead) ? null : dueAtMs
}

/** What the end of a call does to its lead. */
function endCall(state: ModelState, call: ModelCall, report: ModelReport, endedAtMs: number): void {
  const { lead } = call
  const { outcomes, maxAttempts } = settingsOf(state, lead)
  const rule = outcomes[report.outcome as keyof OutcomeRules]
  const { status: statusBefore, rank: rankBefore } = lead
  lead.leaseExpiresAtMs = null
  lead.rank = lead.priority
  lead.dueAtMs = null
  lead.heldDueAtMs = null
  const saidAtMs = rule.class === 'appointment' ? report.callbackAtMs : null
  const isPast = saidAtMs !== null && saidAtMs < endedAtMs - 3_600_000
  const agreedAtMs = isPast ? null : saidAtMs
  const { minutes } = isPast ? outcomes.no_answer : rule
  // It was rescheduled while it was being called.
  const isLater = (lead.scheduledAtMs ?? 0) > endedAtMs
  if (agreedAtMs !== null || isLater) lead.rank = 101
  const isUsedUp = lead.attempts - lead.forgiven >= maxAttempts
  if (rule.class === 'done' || wasReached(state, lead, call)) lead.status = 'concluded'
  else if (rule.class === 'dead' || isUsedUp || mustRest(state, lead, call)) lead.status = 'exhausted'
  else {
    lead.status = 'attempting'
    if (agreedAtMs !== null) lead.dueAtMs = Math.max(agreedAtMs, endedAtMs)
    else lead.dueAtMs = isLater ? lead.scheduledAtMs : endedAtMs + minutes * 60_000
  }
  // A report that corrects an `unknown` and leaves the lead final moves nothing.
  if (isFinal(lead) && lead.status === statusBefore) lead.rank = rankBefore
}

/** Leases that ran out, of one campaign or of all. */
export function settle(state: ModelState, campaign: number | null, nowMs: number): void {
  for (const lead of state.leads) {
    if (campaign !== null && lead.campaign !== campaign) continue
    const { leaseExpiresAtMs, lastCall } = lead
    if (leaseExpiresAtMs === null || lastCall === null || leaseExpiresAtMs + graceMs > nowMs) continue
    lastCall.outcome = 'unknown'
    const { outcomes, maxAttempts } = settingsOf(state, lead)
    lastCall.isDone = outcomes.unknown.class === 'done'
    const isEnd =
      lastCall.isDone || outcomes.unknown.class === 'dead' || lead.attempts - lead.forgiven >= maxAttempts
    lastCall.endedLead = isEnd && !isSuppressed(state, lead)
    endCall(state, lastCall, { outcome: 'unknown', callbackAtMs: null, doNotCall: false }, leaseExpiresAtMs)
  }
}

/** Another pace begins at once; under another requirement, held leads are judged again. */
export function changeSettings(state: ModelState, campaign: number, settings: CallingSettings): void {
  if (settings.callsPerMinute !== state.settings[campaign]?.callsPerMinute) {
    state.pacedUntilUs[campaign] = 0
    state.begunAtMs[campaign] = []
  }
  const required = [settings, state.settings[campaign]].map((each) => JSON.stringify(each?.requireConsent))
  if (required[0] !== required[1]) state.returning[campaign] = true
  state.settings[campaign] = settings
}

export type ModelClaim = {
  readonly leads: readonly ModelLead[]
  readonly reason: 'empty' | 'waiting' | 'outside_hours' | 'at_capacity' | 'paused' | 'not_configured' | null
}

/** The leads that a claim gives, in order. Caller must lease them (see lease), with the ids that the service gave. */
export function claim(state: ModelState, campaign: number, maxCalls: number, nowMs: number): ModelClaim {
  const settings = state.settings[campaign] as CallingSettings
  const mine = state.leads.filter((lead) => lead.campaign === campaign)
  settle(state, campaign, nowMs)
  if (settings.timeZone === null) return { leads: [], reason: 'not_configured' }
  if (settings.paused) return { leads: [], reason: 'paused' }
  const candidates = mine
    .filter((lead) => lead.dueAtMs !== null && lead.dueAtMs <= nowMs && isOpenFor(state, lead, nowMs))
    .sort(
      (a, b) =>
        (b.rank as number) - (a.rank as number) ||
        (a.dueAtMs as number) - (b.dueAtMs as number) ||
        a.place - b.place,
    )
    .slice(0, maxCalls + 50)
  const room = Math.min(maxCalls, roomOf(state, campaign, nowMs))
  if (room <= 0 && candidates.length > 0) return { leads: [], reason: 'at_capacity' }
  const clean: ModelLead[] = []
  let blocked = 0
  for (const lead of candidates) {
    const { fromMs } = consentFor(state, lead, nowMs)
    const freeAtMs = Math.max(fromMs ?? 0, ...Object.values(numberLimits(state, lead, nowMs)))
    if (isSuppressed(state, lead)) dequeue(lead)
    else if (lead.attempts - lead.forgiven >= settings.maxAttempts) dequeue(lead)
    else if (fromMs === null) hold(lead)
    else if (freeAtMs > nowMs) lead.dueAtMs = lead.movedToMs = freeAtMs
    else {
      clean.push(lead)
      continue
    }
    blocked++
  }
  // Of one phone, the first: the next claim finds it in a call.
  const leads = clean
    .slice(0, room)
    .filter((lead, index, all) => all.findIndex(({ phone }) => isSamePhone(phone, lead.phone)) === index)
  if (leads.length > 0) return { leads, reason: null }
  if (blocked > 0) return { leads, reason: 'waiting' }
  const queued = mine.flatMap((lead) => lead.dueAtMs ?? [])
  if (queued.some((dueAtMs) => dueAtMs <= nowMs)) return { leads, reason: 'outside_hours' }
  if (queued.length > 0 || mine.some((lead) => lead.leaseExpiresAtMs !== null))
    return { leads, reason: 'waiting' }
  return { leads, reason: 'empty' }
}

export function lease(
  state: ModelState,
  lead: ModelLead,
  id: string,
  leaseExpiresAtMs: number,
  nowMs: number,
): void {
  const earlier = state.calls.filter((call) => call.lead.phone === lead.phone).map((call) => call.claimedAtMs)
  lead.status = 'attempting'
  lead.attempts++
  lead.dueAtMs = null
  lead.movedToMs = null
  lead.leaseExpiresAtMs = leaseExpiresAtMs
  const claimedAtMs = Math.max(nowMs, ...earlier.map((ms) => ms + 1))
  const consentId = consentFor(state, lead, nowMs).by?.id ?? null
  const said = { callbackAtMs: null, outcome: null, isDone: false, doNotCall: false, isLate: false }
  const kept = { wasAppointment: lead.rank === 101, endedLead: false }
  lead.lastCall = { lead, claimedAtMs, attempt: lead.attempts, id, consentId, ...said, ...kept }
  const { callsPerMinute } = settingsOf(state, lead)
  const paced = state.pacedUntilUs[lead.campaign] as number
  if (callsPerMinute !== null)
    state.pacedUntilUs[lead.campaign] = pace.pacedAfter(callsPerMinute, paced, nowMs, 1)
  state.begunAtMs[lead.campaign]?.push(nowMs)
  state.calls.push(lead.lastCall)
}

/** A suppressed lead that was called before is exhausted; one that never was stays raw. */
function dequeue(lead: ModelLead): void {
  if (lead.dueAtMs === null && lead.heldDueAtMs === null) return
  lead.dueAtMs = null
  lead.heldDueAtMs = null
  if (lead.attempts > 0) lead.status = 'exhausted'
}

function hold(lead: ModelLead): void {
  lead.heldDueAtMs = lead.dueAtMs
  lead.dueAtMs = null
  lead.movedToMs = null
}

/** Of every spelling. */
const keysOf = (key: string) => {
  const [phone = '', campaign] = key.split('@')
  return spellingsOf(phone).map((each) => (campaign === undefined ? each : `${each}@${campaign}`))
}

/** Leads of other phones stay as they are. */
export function suppress(state: ModelState, key: string, nowMs: number): void {
  for (const each of keysOf(key)) {
    const isFirst = !state.suppressed.has(each)
    if (!each.includes('@') && (isFirst || isConsentNewer(state, each))) withdrawAll(state, each, nowMs)
    state.suppressed.add(each)
  }
  for (const lead of state.leads) if (isOfKey(lead, key)) dequeue(lead)
}

function isOfKey(lead: ModelLead, key: string): boolean {
  const [phone = '', campaign] = key.split('@')
  return isSamePhone(lead.phone, phone) && (campaign === undefined || lead.campaign === Number(campaign))
}

export function lift(state: ModelState, key: string): void {
  if (
    !keysOf(key)
      .map((each) => state.suppressed.delete(each))
      .includes(true)
  )
    return
  for (const lead of state.leads) {
    if (!isOfKey(lead, key)) continue
    if (lead.status !== 'raw' || lead.dueAtMs !== null || lead.leaseExpiresAtMs !== null) continue
    if (!isSuppressed(state, lead)) enqueue(state, lead)
  }
}

export function report(state: ModelState, call: ModelCall, said: ModelReport, nowMs: number): string {
  const { lead } = call
  const forbids = said.doNotCall || said.outcome === 'do_not_call'
  const isAccepted = call.outcome === null || call.outcome === 'unknown'
  const suppressesNumber = forbids && (isAccepted || !call.doNotCall || !state.suppressed.has(lead.phone))
  if (!isAccepted && !suppressesNumber)
    return call.outcome === said.outcome || forbids ? 'replayed' : 'conflict'
  // What is said of the number comes first: the lead's own state follows from it.
  if (suppressesNumber)
    for (const phone of spellingsOf(lead.phone)) {
      withdrawAll(state, phone, nowMs)
      state.suppressed.add(phone)
    }
  if (isAccepted) {
    const isLatest = lead.lastCall === call
    const { class: kind } = settingsOf(state, lead).outcomes[said.outcome as keyof OutcomeRules]
    const isEnd = kind === 'done' || kind === 'dead'
    // What has ended the lead meanwhile stays so: only the end of this very lease is corrected.
    const staysFinal = isLatest && isFinal(lead) && !call.endedLead && !isEnd
    if (isLatest && !staysFinal) {
      call.outcome = null
      endCall(state, call, said, nowMs)
    } else if (
      !isLatest &&
      isEnd &&
      call.attempt > lead.forgiven &&
      lead.leaseExpiresAtMs === null &&
      !isFinal(lead)
    ) {
      lead.status = kind === 'done' ? 'concluded' : 'exhausted'
      lead.dueAtMs = null
      lead.heldDueAtMs = null
    }
    call.outcome = said.outcome
    call.callbackAtMs = said.callbackAtMs
    call.isDone = kind === 'done'
    call.isLate = !isLatest
  }
  if (suppressesNumber) suppress(state, lead.phone, nowMs)
  call.doNotCall ||= forbids
  if (isAccepted) bringForward(state, lead.phone, nowMs)
  if (!isAccepted) return 'do_not_call_recorded'
  return call.isLate ? 'recorded_late' : 'recorded'
}

export function release(state: ModelState, call: ModelCall, delayMs: number, nowMs: number): string {
  const { lead } = call
  if (call.outcome === 'released') return 'replayed'
  if (!(call.outcome === null || call.outcome === 'unknown') || lead.lastCall !== call) return 'conflict'
  lead.leaseExpiresAtMs = null
  lead.heldDueAtMs = null
  lead.attempts--
  const isQuiet = isSuppressed(state, lead)
  if (wasReached(state, lead, call)) lead.status = 'concluded'
  else if (lead.attempts === 0) lead.status = 'raw'
  else lead.status = mustRest(state, lead, call) ? 'exhausted' : 'attempting'
  // A lead that was never called is what it came in with.
  if (call.outcome === 'unknown' && lead.attempts === 0) lead.rank = ownPlace(lead).rank
  // One that was called at an agreed time, too.
  else if (call.outcome === 'unknown' && call.wasAppointment) lead.rank = 101
  const isLater = (lead.scheduledAtMs ?? 0) > nowMs
  if (isLater) lead.rank = 101
  lead.dueAtMs = isFinal(lead) || isQuiet ? null : isLater ? lead.scheduledAtMs : nowMs + delayMs
  call.outcome = 'released'
  call.isDone = false
  bringForward(state, lead.phone, nowMs)
  return 'recorded'
}

/** Leads of the number that a claim has moved away are due as soon as its limits allow by now. */
function bringForward(state: ModelState, phone: string, nowMs: number): void {
  for (const lead of state.leads) {
    const { dueAtMs, movedToMs } = lead
    if (!isSamePhone(lead.phone, phone) || movedToMs === null || dueAtMs !== movedToMs || dueAtMs <= nowMs)
      continue
    const freeAtMs = Math.max(nowMs, ...Object.values(numberLimits(state, lead, nowMs)))
    if (freeAtMs >= dueAtMs) continue
    lead.dueAtMs = freeAtMs
    lead.movedToMs = freeAtMs > nowMs ? freeAtMs : null
  }
}

export function extend(state: ModelState, call: ModelCall, leaseMs: number | null, nowMs: number) {
  const { lead } = call
  const settings = settingsOf(state, lead)
  const isHeld = lead.lastCall === call && call.outcome === null && (lead.leaseExpiresAtMs ?? 0) > nowMs
  if (!isHeld) return { leaseExpiresAtMs: null, stop: 'lease_lost' }
  lead.leaseExpiresAtMs = Math.max(
    lead.leaseExpiresAtMs as number,
    nowMs + (leaseMs ?? settings.leaseSeconds * 1000),
  )
  const isOver = wasReached(state, lead, call) || mustRest(state, lead, call)
  const stop = isSuppressed(state, lead)
    ? 'suppressed'
    : isConsentLost(state, call)
      ? 'consent_withdrawn'
      : isOver
        ? 'concluded'
        : settings.paused
          ? 'paused'
          : isOpenFor(state, lead, nowMs)
            ? null
            : 'outside_hours'
  return { leaseExpiresAtMs: lead.leaseExpiresAtMs, stop }
}

export function requeue(state: ModelState, lead: ModelLead, nowMs: number): string {
  settle(state, lead.campaign, nowMs)
  if (lead.leaseExpiresAtMs !== null) return 'lead_leased'
  if (isSuppressed(state, lead)) return 'number_suppressed'
  if (lead.dueAtMs === null) {
    const isLater = (lead.scheduledAtMs ?? 0) > nowMs
    if (isLater) lead.rank = 101
    else if (lead.heldDueAtMs === null) lead.rank = lead.priority
    lead.dueAtMs = isLater ? lead.scheduledAtMs : nowMs
    lead.heldDueAtMs = null
  }
  lead.status = lead.attempts === 0 ? 'raw' : 'attempting'
  lead.forgiven = lead.attempts
  lead.lastCall = null
  return 'requeued'
}
