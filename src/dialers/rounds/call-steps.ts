// What each thing that happens to a call changes in the memory of its dialer: synchronous, so that all of a change is written
// or none. Where a call goes from there is in take-round.ts.
import type { CallResult } from '../../calling/store/sql/call-result.ts'
import type { CallReport } from '../../calling/store/sql/report-steps.ts'
import type { DialerCall, StoredEnd } from '../dialer-call.ts'
import type { DialerMemory, Problem } from '../dialer-memory.ts'
import type { Asked, Started } from '../provider.ts'
import { maskDigits } from '../template/read-details.ts'
import type { CallStanding } from '../template/read-status.ts'
import type { NotDialled } from '../template/template.ts'
import type { Exchange, Seen } from '../trace.ts'
import { afterFact, type DialerFact, isResting } from './dialer-health.ts'
import {
  hasRungEnough,
  isReportDue,
  leaseSeconds,
  mayBeLive,
  nextHangUpAtMs,
  reportAgainMs,
} from './follow-call.ts'

const refusedSeconds = 900

export function noteFact(memory: DialerMemory, fact: DialerFact, nowMs: number): void {
  const { health: before, healthSinceMs } = memory.state
  const health = afterFact(before, fact, nowMs)
  const isUnwell = health.stopped !== null || isResting(health, nowMs)
  const wasSame =
    healthSinceMs !== null && before.stopped === health.stopped && before.rest?.reason === health.rest?.reason
  memory.change({ health, healthSinceMs: !isUnwell ? null : wasSame ? healthSinceMs : nowMs })
}

/** What a call of former settings comes to says nothing of the present ones. Those of version 2.0.0 count. */
const isOfPresent = ({ state }: DialerMemory, { version }: DialerCall) =>
  version === null || version === state.version

export function noteFactOf(memory: DialerMemory, call: DialerCall, fact: DialerFact, nowMs: number): void {
  if (isOfPresent(memory, call)) noteFact(memory, fact, nowMs)
}

/** In the words of the trace. */
export const verdictOf = (verdict: Started['verdict']): string =>
  verdict.kind === 'not_dialled' ? `not_dialled:${verdict.because}` : verdict.kind

export function standingOf({ standing, ringing }: Pick<Asked, 'standing' | 'ringing'>): string {
  if (standing === 'unreadable') return standing
  if (standing === null) return ringing === null ? 'live' : 'ringing'
  const { notDialled, outcome, isUnknown } = standing.end
  return isUnknown ? 'unknown' : notDialled === null ? outcome : `not_dialled:${notDialled}`
}

/** Of a call's status, only what changes. */
export function noteExchange(
  { trace }: DialerMemory,
  step: Exchange['step'],
  { callId, leadId, isErased }: Pick<DialerCall, 'callId' | 'leadId' | 'isErased'>,
  { seen, verdict }: { readonly seen: Seen | null; readonly verdict: string },
  atMs: number,
): void {
  if (seen === null || isErased || (step === 'status' && trace.lastOf(callId)?.verdict === verdict)) return
  trace.add({ atMs, step, callId, leadId, ...seen, verdict })
}

/** The provider's words may name the person. */
export function noteProblem(
  memory: DialerMemory,
  { leadId, isErased }: DialerCall,
  problem: Problem | null,
): void {
  if (problem !== null && !isErased) memory.change({ problem: { ...problem, leadId } })
}

export function stopWithoutSecrets(memory: DialerMemory, nowMs: number): void {
  const message = 'The secrets cannot be decrypted. Set them again'
  memory.change({ problem: { atMs: nowMs, status: null, code: 'secrets_lost', message } })
  noteFact(memory, { kind: 'not_dialled', because: 'account', retryAfterMs: null, before: null }, nowMs)
}

/** Nothing when its round was over before the answer came. */
export function afterStart(
  memory: DialerMemory,
  { callId }: DialerCall,
  { verdict, problem, endsAtMs }: Started,
  nowMs: number,
): void {
  // A nudge may have come in between.
  const call = memory.call(callId)
  if (call?.state !== 'starting') return
  noteProblem(memory, call, problem)
  if (verdict.kind === 'not_dialled') {
    noteFactOf(memory, call, { ...verdict, before: null }, nowMs)
    giveBack(memory, call, verdict.because, nowMs)
    return
  }
  // An id that another call has is none: its end would be reported for both.
  const isTaken =
    verdict.kind === 'started' &&
    memory.calls.some(
      ({ providerId, settingsId }) => providerId === verdict.providerId && settingsId === call.settingsId,
    )
  const kind = isTaken ? 'may_have_rung' : verdict.kind
  noteFactOf(memory, call, { kind }, nowMs)
  const nudgedAtMs = endsAtMs ?? call.nudgedAtMs
  memory.setCall(
    verdict.kind === 'may_have_rung' || isTaken
      ? { ...call, state: 'doubtful' }
      : { ...call, state: 'following', providerId: verdict.providerId, answeredAtMs: nowMs, nudgedAtMs },
  )
}

function giveBack(memory: DialerMemory, call: DialerCall, because: NotDialled, nowMs: number): void {
  const returned = { ...call, state: 'returning', end: null, refusedBecause: because } as const
  if (because === 'account' || because === 'busy') memory.setCall(returned)
  else {
    const wasRefused = memory.refuse(call.seq, nowMs)
    const outcome = because === 'lead:invalid_number' ? 'invalid_number' : 'failed'
    memory.setCall({ ...returned, delaySeconds: refusedSeconds, outcome: wasRefused ? outcome : null })
  }
}

/** Of calls that were not dialled, once their end is due. One that is live again is reported. */
export function returnUndialled(memory: DialerMemory, nowMs: number): void {
  for (const call of memory.calls) {
    const because = call.end?.notDialled ?? null
    if (because !== null && !call.isLiveAgain && isReportDue(call, nowMs))
      giveBack(memory, call, because, nowMs)
  }
}

/** An end that says over replaces the one before, except that a do-not-call stays. */
export function afterAnswer(
  memory: DialerMemory,
  { callId }: DialerCall,
  { standing, ringing, sentMs }: Pick<Asked, 'standing' | 'ringing'> & { readonly sentMs: number },
  nowMs: number,
): void {
  const before = memory.call(callId)
  // An answer may come after its round.
  if (before === null || before.providerId === null || before.state === 'returning') return
  // One that came while the provider answered is kept.
  const nudgedAtMs = before.nudgedAtMs !== null && before.nudgedAtMs > sentMs ? before.nudgedAtMs : null
  const asked = { ...before, askedAtMs: nowMs, nudgedAtMs }
  if (standing === 'unreadable') {
    memory.setCall({ ...asked, unreadableSinceMs: asked.unreadableSinceMs ?? nowMs })
    return
  }
  const readable = {
    ...asked,
    unreadableSinceMs: null,
    isLiveAgain: standing === null && asked.overAtMs !== null,
  }
  if (standing !== null) {
    afterOver(memory, readable, standing, nowMs)
    return
  }
  const live = ringing === null ? taken(readable) : stillRinging(readable, ringing, nowMs)
  // The provider took the last hang-up, and nothing came of it: it is hung up again.
  const after = nowMs >= nextHangUpAtMs(before) ? { ...live, isHungUp: false } : live
  // Whoever forgets only that it was asked asks sooner.
  const isAsBefore = textOf({ ...after, askedAtMs: before.askedAtMs, nudgedAtMs: null }) === textOf(before)
  if (isAsBefore) memory.setCallLater(after)
  else memory.setCall(after)
}

const textOf = (call: DialerCall) => JSON.stringify(Object.entries({ ...call, nudgedAtMs: null }).sort())

/** Somebody talks: it is not given up, though it may have been reported so. */
function taken({ hasRungOut, ...call }: DialerCall): DialerCall {
  const live = { ...call, wasLive: true, hasRungOut: false }
  if (!hasRungOut) return live
  const isKept = call.reportedAtMs !== null || call.end?.outcome === 'do_not_call'
  return { ...live, isHungUp: false, ...(!isKept && { isLiveAgain: false, overAtMs: null, end: null }) }
}

/** Once it has rung too long, it is hung up, and then ends. */
function stillRinging(
  call: DialerCall,
  { forMs, outcome }: NonNullable<Asked['ringing']>,
  nowMs: number,
): DialerCall {
  if (call.wasLive || nowMs < call.startedAtMs + forMs) return call
  const rungOut = { ...call, hasRungOut: true }
  if (call.end !== null || !hasRungEnough(rungOut, nowMs)) return rungOut
  const nothing = {
    isUnknown: false,
    mayHear: false,
    notDialled: null,
    callbackAtMs: null,
    durationSeconds: null,
    reason: null,
    unmappedReason: null,
  }
  return { ...rungOut, isLiveAgain: true, overAtMs: nowMs, end: { outcome, ...nothing, isComplete: false } }
}

function afterOver(
  memory: DialerMemory,
  readable: DialerCall,
  standing: NonNullable<CallStanding>,
  nowMs: number,
): void {
  const { callId, overAtMs, end: before } = readable
  const { details, unmappedReason, reason, ...read } = standing.end
  const shown = (text: string | null) => (text === null ? null : shownReason(text))
  const end = { ...read, reason: shown(reason), unmappedReason: shown(unmappedReason) }
  const heard = {
    hasTalked: readable.hasTalked || standing.hasTalked,
    saidNo: readable.saidNo || standing.saidNo,
    isUnderstood: readable.isUnderstood || standing.isUnderstood,
  }
  const over = { ...readable, ...heard, overAtMs: overAtMs ?? nowMs }
  if (over.state === 'reported') afterLaterEnd(memory, over, end, standing)
  else {
    const isForbidden = before?.outcome === 'do_not_call'
    const because = isForbidden ? null : end.notDialled
    if (because !== null && !over.isRefusalNoted) {
      const counts = { refusals: over.refusalsBefore, rests: over.restsBefore }
      noteFactOf(memory, over, { kind: 'not_dialled', because, retryAfterMs: null, before: counts }, nowMs)
    }
    memory.details.set(callId, details)
    const kept = before !== null && isForbidden ? { ...before, durationSeconds: end.durationSeconds } : end
    const isRefusalNoted = over.isRefusalNoted || because !== null
    memory.setCall({ ...over, isRefusalNoted, end: { ...kept, isComplete: standing.isComplete } })
  }
}

/** It is due to be reported, again if it was. */
const dueAgain = (call: DialerCall, end: StoredEnd): DialerCall => ({
  ...call,
  ...{ state: 'following', reportedAtMs: null, end },
})
const forbidden = (call: DialerCall, end: Omit<StoredEnd, 'isComplete'>) =>
  dueAgain(call, { ...end, isComplete: true, mayHear: false })

/** Of a call that was reported: it is once more for a do-not-call only, or if nothing was known of its end. */
function afterLaterEnd(
  memory: DialerMemory,
  call: DialerCall,
  end: Omit<StoredEnd, 'isComplete'>,
  { isComplete }: NonNullable<CallStanding>,
): void {
  const isKnownNow = call.end?.isUnknown === true && !end.isUnknown && end.notDialled === null
  if (end.outcome === 'do_not_call') memory.setCall(forbidden(call, end))
  else if (isKnownNow) memory.setCall(dueAgain(call, { ...end, isComplete }))
  else if (isComplete && !end.isUnknown) forgetHeard(memory, call)
  else memory.setCall(noteHeard(memory, call))
}

/** For GET, and the alert of a dialer that hears nothing. */
function noteHeard(memory: DialerMemory, call: DialerCall): DialerCall {
  if (!call.hasTalked || !memory.hasPresentSettings(call)) return call
  return { ...call, heardNth: memory.noteHeard(call.heardNth, call.isUnderstood) }
}

function forgetHeard(memory: DialerMemory, call: DialerCall): void {
  noteHeard(memory, call)
  memory.forgetCall(call.callId)
}

const reportsTriedAlone = 2

/** Of a call whose end is due. Once that has failed often, the do-not-call alone is reported. */
export function reportOf(
  memory: DialerMemory,
  { callId, providerId, end, failedReports }: DialerCall,
): CallReport {
  if (end === null) throw new Error('A report without an end')
  const { outcome } = end
  const isBare = outcome === 'do_not_call' && failedReports >= reportsTriedAlone
  const details = isBare ? null : (memory.details.get(callId) ?? null)
  return {
    callId,
    outcome,
    callbackAtMs: isBare ? null : end.callbackAtMs,
    doNotCall: outcome === 'do_not_call',
    durationSeconds: isBare ? null : end.durationSeconds,
    providerCallId: providerId,
    details: details && JSON.stringify(details),
  }
}

/** The database refuses what a report holds: it is tried alone, then set aside. A do-not-call is tried on. */
export function afterFailedReport(memory: DialerMemory, callId: string, error: unknown, nowMs: number): void {
  const call = memory.call(callId)
  if (call === null) return
  const failedReports = call.failedReports + 1
  if (call.failedReports < reportsTriedAlone) memory.setCall({ ...call, failedReports })
  else if (call.end?.outcome === 'do_not_call') {
    memory.setCall({ ...call, failedReports, reportFromMs: nowMs + reportAgainMs })
    noteFailing(memory, error, nowMs)
  } else setAside(memory, callId, error, nowMs)
}

/** As an alert and a page show it. A provider may quote a number. */
const shownReason = (reason: string) => maskDigits(reason.slice(0, 64).replace(/[^\w.:/\- ]/g, '_'))

export function afterReport(
  memory: DialerMemory,
  call: DialerCall,
  result: CallResult['result'],
  nowMs: number,
): void {
  const { end, callId } = call
  if (end === null) return
  if (result === 'recorded' || result === 'recorded_late') {
    noteFactOf(memory, call, { kind: 'ended', outcome: end.outcome }, nowMs)
    memory.acceptLead(call.seq)
    noteUnmapped(memory, call, nowMs)
  }
  // An answer that outlived its round may have come in between.
  const later = memory.call(callId)
  if (later?.end?.outcome === 'do_not_call' && end.outcome !== 'do_not_call') {
    memory.setCall(forbidden(later, later.end))
    return
  }
  memory.details.delete(callId)
  const reported = noteHeard(memory, later ?? call)
  const isAll = end.isComplete && (!end.mayHear || end.outcome === 'do_not_call')
  if (isAll) memory.forgetCall(callId)
  else if (later !== null)
    memory.setCall({ ...reported, state: 'reported', reportedAtMs: nowMs, nudgedAtMs: null })
}

/** Its lease has ended as \`unknown\`: it is asked for as one that was reported. */
export function afterUnknown(memory: DialerMemory, call: DialerCall, nowMs: number): void {
  memory.details.delete(call.callId)
  noteUnmapped(memory, call, nowMs)
  memory.changeCall(call.callId, { state: 'reported', reportedAtMs: nowMs, nudgedAtMs: null })
}

function noteUnmapped(memory: DialerMemory, call: DialerCall, nowMs: number): void {
  const reason = call.end?.unmappedReason ?? null
  if (reason !== null && memory.hasPresentSettings(call)) memory.change({ unmapped: { reason, atMs: nowMs } })
}

/** When it is to be hung up. Infinity: it is not. One that rings is asked again first: somebody may have taken it. */
export function hangUpAtMs(call: DialerCall): number {
  const { mustHangUp, hasRungOut, isHungUp, askedAtMs, unreadableSinceMs } = call
  const atMs = nextHangUpAtMs(call)
  const rings = hasRungOut && unreadableSinceMs === null && (askedAtMs ?? 0) >= atMs
  return mayBeLive(call) && (mustHangUp || rings) && !isHungUp ? atMs : Number.POSITIVE_INFINITY
}

/** It can no longer be asked: its lease ends as `unknown`, unless its end was seen. */
export function afterLoss(memory: DialerMemory, callId: string, nowMs: number): void {
  const call = memory.call(callId)
  if (call === null) return
  if (call.state === 'reported') memory.forgetCall(callId)
  else if (call.end === null) memory.setCall(doubtful(call, nowMs))
}

function doubtful(call: DialerCall, nowMs: number): DialerCall {
  const leaseEndsAtMs = Math.min(call.leaseEndsAtMs, nowMs + leaseSeconds * 1000)
  return { ...call, state: 'doubtful', providerId: null, end: null, leaseEndsAtMs }
}

/** Something that concerns this call alone was thrown: it ends as `unknown`, and no other call hears of it. */
export function setAside(memory: DialerMemory, callId: string, error: unknown, nowMs: number): void {
  const call = memory.call(callId)
  if (call === null) return
  memory.setCall({ ...doubtful(call, nowMs), errorName: nameOf(error) })
  noteFailing(memory, error, nowMs)
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name.slice(0, 64) : 'Error')

export function noteFailing(memory: DialerMemory, error: unknown, nowMs: number): void {
  memory.change({ failing: { reason: nameOf(error), atMs: nowMs } })
}
