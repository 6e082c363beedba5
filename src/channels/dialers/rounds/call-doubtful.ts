// What makes a call doubtful: it may have rung, and nobody can ask what came of it. Its lease ends as `unknown`.
import type { DialerCall } from '../dialer-call.ts'
import type { DialerMemory } from '../dialer-memory.ts'
import { nameOf, noteFailing } from './dialer-notes.ts'
import { leaseSeconds } from './follow-call.ts'

/** It can no longer be asked: its lease ends as `unknown`, unless its end was seen. */
export function afterLoss(memory: DialerMemory, callId: string, nowMs: number): void {
  const call = memory.call(callId)
  if (call === null) return
  if (call.state === 'reported') memory.forgetCall(callId)
  else if (call.end === null) memory.setCall(doubtful(call, nowMs))
}

/** Something that concerns this call alone was thrown: it ends as `unknown`, and no other call hears of it. */
export function setAside(memory: DialerMemory, callId: string, error: unknown, nowMs: number): void {
  const call = memory.call(callId)
  if (call === null) return
  memory.setCall({ ...doubtful(call, nowMs), errorName: nameOf(error) })
  noteFailing(memory, error, nowMs)
}

function doubtful(call: DialerCall, nowMs: number): DialerCall {
  const leaseEndsAtMs = Math.min(call.leaseEndsAtMs, nowMs + leaseSeconds * 1000)
  return { ...call, state: 'doubtful', providerId: null, end: null, leaseEndsAtMs }
}
