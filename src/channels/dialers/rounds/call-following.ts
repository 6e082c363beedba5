// What an answer of the provider makes of a call that is followed: it is live, rings, is over, or cannot be read; and
// when it is hung up. Synchronous, so that all of a change is written or none. What follows of an end is in
// call-over.ts.
import type { DialerCall } from '../dialer-call.ts'
import type { DialerMemory } from '../dialer-memory.ts'
import type { Asked } from '../provider.ts'
import { afterOver } from './call-over.ts'
import { hasRungEnough, mayBeLive, nextHangUpAtMs } from './follow-call.ts'

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
  // An object that forgets only that it has asked asks sooner.
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

/** When it is to be hung up. Infinity: it is not. One that rings is asked again first: somebody may have taken it. */
export function hangUpAtMs(call: DialerCall): number {
  const { mustHangUp, hasRungOut, isHungUp, askedAtMs, unreadableSinceMs } = call
  const atMs = nextHangUpAtMs(call)
  const rings = hasRungOut && unreadableSinceMs === null && (askedAtMs ?? 0) >= atMs
  return mayBeLive(call) && (mustHangUp || rings) && !isHungUp ? atMs : Number.POSITIVE_INFINITY
}
