// What the answer to a start makes of a call that is starting: it is followed, doubtful, or given back. Synchronous, so
// that all of a change is written or none. Where a call goes from there is in take-round.ts.
import { stoppedDelaySeconds } from '../../../queue/calling/call.ts'
import type { DialerCall } from '../dialer-call.ts'
import type { DialerMemory } from '../dialer-memory.ts'
import type { Started } from '../provider.ts'
import type { NotDialled } from '../template/template.ts'
import { noteFactOf, noteProblem } from './dialer-notes.ts'

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

/**
 * The person of this call rings right now: it is not started. False: it may ring already. One that the memory lacks is
 * not started either, since its claim is not answered yet or was lost: `stopped` says so to the round that claims.
 */
export function stopStart(memory: DialerMemory, stopped: Set<string>, callId: string): boolean {
  stopped.add(callId)
  const call = memory.call(callId)
  return call === null || call.state === 'returning' || returnUnstarted(memory, call)
}

/** Whether the call is returned, since its start was not sent. One that is sent names its lead. */
export function returnUnstarted(memory: DialerMemory, call: DialerCall): boolean {
  if (call.state !== 'starting' || call.leadId !== null) return false
  memory.setCall({ ...call, state: 'returning', delaySeconds: stoppedDelaySeconds })
  return true
}

const refusedSeconds = 900

/** The lead is called again: nobody was dialled. */
export function giveBack(memory: DialerMemory, call: DialerCall, because: NotDialled, nowMs: number): void {
  const returned = { ...call, state: 'returning', end: null, refusedBecause: because } as const
  if (because === 'account' || because === 'busy') memory.setCall(returned)
  else {
    const wasRefused = memory.refuse(call.seq, nowMs)
    const outcome = because === 'lead:invalid_number' ? 'invalid_number' : 'failed'
    memory.setCall({ ...returned, delaySeconds: refusedSeconds, outcome: wasRefused ? outcome : null })
  }
}
