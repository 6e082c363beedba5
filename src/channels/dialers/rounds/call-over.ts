// What becomes of a call that is over: its end is kept, reported, reported once more for a do-not-call, or given back
// where nobody was dialled. Synchronous, so that all of a change is written or none. Where a call goes from there is in
// take-round.ts.
import type { CallResult } from '../../../queue/calling/store/sql/call-result.ts'
import type { CallReport } from '../../../queue/calling/store/sql/report-steps.ts'
import type { DialerCall, StoredEnd } from '../dialer-call.ts'
import type { DialerMemory } from '../dialer-memory.ts'
import { maskDigits } from '../template/read-details.ts'
import type { CallStanding } from '../template/read-status.ts'
import { setAside } from './call-doubtful.ts'
import { giveBack } from './call-starting.ts'
import { noteFactOf, noteFailing } from './dialer-notes.ts'
import { isReportDue, reportAgainMs } from './follow-call.ts'

export function afterOver(
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

/** As an alert and a page show it. A provider may quote a number. */
const shownReason = (reason: string) => maskDigits(reason.slice(0, 64).replace(/[^\w.:/\- ]/g, '_'))

/** It is due to be reported, again if it was. */
const dueAgain = (call: DialerCall, end: StoredEnd): DialerCall => ({
  ...call,
  ...{ state: 'following', reportedAtMs: null, end },
})
const forbidden = (call: DialerCall, end: Omit<StoredEnd, 'isComplete'>) =>
  dueAgain(call, { ...end, isComplete: true, mayHear: false })

/** A call that was reported is reported once more for a do-not-call only, or if nothing was known of its end. */
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

/** Gives calls back that were not dialled, once their end is due. One that is live again is reported. */
export function returnUndialled(memory: DialerMemory, nowMs: number): void {
  for (const call of memory.calls) {
    const because = call.end?.notDialled ?? null
    if (because !== null && !call.isLiveAgain && isReportDue(call, nowMs))
      giveBack(memory, call, because, nowMs)
  }
}

const reportsTriedAlone = 2

/** The report of a call whose end is due. Once that has failed often, the do-not-call alone is reported. */
export function reportOf(
  memory: DialerMemory,
  { callId, providerId, end, failedReports }: DialerCall,
): CallReport {
  if (end === null) throw new Error('A report without an end')
  const { outcome } = end
  const isOnlyNo = outcome === 'do_not_call' && failedReports >= reportsTriedAlone
  const details = isOnlyNo ? null : (memory.details.get(callId) ?? null)
  return {
    callId,
    outcome,
    callbackAtMs: isOnlyNo ? null : end.callbackAtMs,
    doNotCall: outcome === 'do_not_call',
    durationSeconds: isOnlyNo ? null : end.durationSeconds,
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
  // An answer that outlived its round may have come in between: that end is reported.
  if (memory.call(call.callId)?.end?.isUnknown !== true) return
  memory.details.delete(call.callId)
  noteUnmapped(memory, call, nowMs)
  memory.changeCall(call.callId, { state: 'reported', reportedAtMs: nowMs, nudgedAtMs: null })
}

function noteUnmapped(memory: DialerMemory, call: DialerCall, nowMs: number): void {
  const reason = call.end?.unmappedReason ?? null
  if (reason !== null && memory.hasPresentSettings(call)) memory.change({ unmapped: { reason, atMs: nowMs } })
}
