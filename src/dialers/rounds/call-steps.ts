// What each thing that happens to a call changes in the memory of its dialer: synchronous, so that all of a change is written
// or none. Where a call goes from there is in take-round.ts.
import { parseCallId } from '../../calling/call.ts'
import type { ClaimedCall } from '../../calling/store/claim.ts'
import type { CallResult } from '../../calling/store/sql/call-result.ts'
import type { CallReport } from '../../calling/store/sql/report-steps.ts'
import type { DialerCall, DialerMemory } from '../dialer-memory.ts'
import type { Started } from '../provider.ts'
import { maskDigits } from '../template/read-details.ts'
import type { CallEnd, CallStanding } from '../template/read-status.ts'
import type { NotDialled } from '../template/template.ts'
import { afterFact, type DialerFact, type DialerHealth, isResting } from './dialer-health.ts'
import { isReportDue, leaseSeconds } from './follow-call.ts'

/** An end that is to be reported. */
export type Ended = {
  readonly call: DialerCall
  readonly end: CallEnd
  readonly isComplete: boolean
  readonly report: CallReport
}

export function startingCall(
  { callId, leaseExpiresAtMs, timeZone }: ClaimedCall,
  health: DialerHealth,
  nowMs: number,
): DialerCall {
  return {
    callId,
    state: 'starting',
    seq: parseCallId(callId)?.seq ?? 0,
    timeZone,
    startedAtMs: nowMs,
    providerId: null,
    answeredAtMs: null,
    askedAtMs: null,
    nudgedAtMs: null,
    unreadableSinceMs: null,
    overAtMs: null,
    reportedAtMs: null,
    leaseEndsAtMs: leaseExpiresAtMs,
    isNoted: false,
    isHungUp: false,
    refusalsBefore: health.refusals,
    delaySeconds: 0,
    outcome: null,
  }
}

const refusedSeconds = 900

export function noteFact(memory: DialerMemory, fact: DialerFact, nowMs: number): void {
  const { health: before, healthSinceMs } = memory.state
  const health = afterFact(before, fact, nowMs)
  const isUnwell = health.stopped !== null || isResting(health, nowMs)
  const wasSame =
    healthSinceMs !== null && before.stopped === health.stopped && before.rest?.reason === health.rest?.reason
  memory.change({ health, healthSinceMs: !isUnwell ? null : wasSame ? healthSinceMs : nowMs })
}

export function stopWithoutSecrets(memory: DialerMemory, nowMs: number): void {
  const message = 'The secrets cannot be decrypted. Set them again'
  memory.change({ problem: { atMs: nowMs, status: null, code: 'secrets_lost', message } })
  const isAccount = { because: 'account', retryAfterMs: null, refusalsBefore: null } as const
  noteFact(memory, { kind: 'not_dialled', ...isAccount }, nowMs)
}

export function afterStart(
  memory: DialerMemory,
  { callId }: DialerCall,
  { verdict, problem, endsAtMs }: Started,
  nowMs: number,
): void {
  // A nudge may have come in between.
  const call = memory.call(callId)
  if (call === null) return
  if (problem !== null) memory.change({ problem })
  if (verdict.kind === 'not_dialled') {
    refuse(memory, call, verdict, null, nowMs)
    return
  }
  // An id that another call has is none: its end would be reported for both.
  const isTaken =
    verdict.kind === 'started' && memory.calls.some(({ providerId }) => providerId === verdict.providerId)
  const kind = isTaken ? 'may_have_rung' : verdict.kind
  noteFact(memory, { kind }, nowMs)
  const nudgedAtMs = endsAtMs ?? call.nudgedAtMs
  memory.setCall(
    verdict.kind === 'may_have_rung' || isTaken
      ? { ...call, state: 'doubtful' }
      : { ...call, state: 'following', providerId: verdict.providerId, answeredAtMs: nowMs, nudgedAtMs },
  )
}

function refuse(
  memory: DialerMemory,
  call: DialerCall,
  { because, retryAfterMs }: { readonly because: NotDialled; readonly retryAfterMs: number | null },
  refusalsBefore: number | null,
  nowMs: number,
): void {
  noteFact(memory, { kind: 'not_dialled', because, retryAfterMs, refusalsBefore }, nowMs)
  const returned = { ...call, state: 'returning' } as const
  if (because === 'account' || because === 'busy') memory.setCall(returned)
  else {
    const wasRefused = memory.refuse(call.seq, nowMs)
    const outcome = because === 'lead:invalid_number' ? 'invalid_number' : 'failed'
    memory.setCall({ ...returned, delaySeconds: refusedSeconds, outcome: wasRefused ? outcome : null })
  }
}

/** Returns what is to be reported; null: nothing yet. */
export function afterAnswer(
  memory: DialerMemory,
  { callId }: DialerCall,
  { standing, sentMs }: { readonly standing: CallStanding | 'unreadable'; readonly sentMs: number },
  nowMs: number,
): Ended | null {
  const before = memory.call(callId)
  if (before === null) return null
  // One that came while the provider answered is kept.
  const nudgedAtMs = before.nudgedAtMs !== null && before.nudgedAtMs > sentMs ? before.nudgedAtMs : null
  const asked = { ...before, askedAtMs: nowMs, nudgedAtMs }
  if (standing === 'unreadable') {
    memory.setCall({ ...asked, unreadableSinceMs: asked.unreadableSinceMs ?? nowMs })
    return null
  }
  // One that was over, and is live again, is not over.
  const isLive = standing === null && asked.reportedAtMs === null
  const overAtMs = isLive ? null : (asked.overAtMs ?? (standing && nowMs))
  const call = { ...asked, unreadableSinceMs: null, overAtMs }
  memory.setCall(call)
  if (standing === null || call.overAtMs === null) return null
  const { end, isComplete } = standing
  if (call.state === 'reported') return laterDoNotCall(memory, call, standing)
  if (end.notDialled !== null) {
    refuse(memory, call, { because: end.notDialled, retryAfterMs: null }, call.refusalsBefore, nowMs)
    return null
  }
  if (!isReportDue(call.overAtMs, isComplete, nowMs)) return null
  return { call, end, isComplete, report: reportOf(call, end) }
}

/** Of a call that was reported before all was known. */
function laterDoNotCall(
  memory: DialerMemory,
  call: DialerCall,
  { end, isComplete }: NonNullable<CallStanding>,
): Ended | null {
  if (end.outcome === 'do_not_call') return { call, end, isComplete: true, report: reportOf(call, end) }
  if (isComplete) memory.forgetCall(call.callId)
  return null
}

function reportOf({ callId, providerId }: DialerCall, end: CallEnd): CallReport {
  return {
    callId,
    outcome: end.outcome,
    callbackAtMs: end.callbackAtMs,
    doNotCall: end.outcome === 'do_not_call',
    durationSeconds: end.durationSeconds,
    providerCallId: providerId,
    details: end.details && JSON.stringify(end.details),
  }
}

/** As an alert and a page show it. A provider may quote a number. */
const shownReason = (reason: string) => maskDigits(reason.slice(0, 64).replace(/[^\w.:/\- ]/g, '_'))

export function afterReport(
  memory: DialerMemory,
  { call, end, isComplete }: Ended,
  result: CallResult['result'],
  nowMs: number,
): void {
  if (result === 'recorded' || result === 'recorded_late') {
    noteFact(memory, { kind: 'ended', outcome: end.outcome }, nowMs)
    memory.acceptLead(call.seq)
    const { unmappedReason } = end
    if (unmappedReason !== null)
      memory.change({ unmapped: { reason: shownReason(unmappedReason), atMs: nowMs } })
  }
  if (isComplete || call.state === 'reported') memory.forgetCall(call.callId)
  else memory.setCall({ ...(memory.call(call.callId) ?? call), state: 'reported', reportedAtMs: nowMs })
}

/** It can no longer be asked: its lease ends as `unknown`. */
export function afterLoss(memory: DialerMemory, callId: string, nowMs: number): void {
  const call = memory.call(callId)
  if (call === null) return
  if (call.state === 'reported') memory.forgetCall(callId)
  else {
    const leaseEndsAtMs = Math.min(call.leaseEndsAtMs, nowMs + leaseSeconds * 1000)
    memory.setCall({ ...call, state: 'doubtful', providerId: null, leaseEndsAtMs })
  }
}
