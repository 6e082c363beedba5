// The times of one call of a dialer: when its provider is asked, when its seat is free, when it is reported or given up,
// and when its lease is extended. Pure.

const secondMs = 1_000
const askEveryMs = 15 * secondMs
/** A nudge brings the next asking forward, but not nearer than this to the last one. */
const nudgeGapMs = 5 * secondMs
/** A call that may have rung, and that nothing can be asked of, keeps its seat so long. */
const doubtfulSeatMs = 120 * secondMs
/** A call that is over is reported by then, with or without all that is said of it. */
const completeWithinMs = 180 * secondMs
const unreadableMaxMs = 3_600 * secondMs
const extendBelowMs = 200 * secondMs
const freshClaimMs = 2 * secondMs

/** What the object remembers of a call: ids and times, and nothing of the lead. */
export type FollowedCall = {
  readonly callId: string
  readonly startedAtMs: number
  /** Null: the start has no answer yet, or none with an id. */
  readonly providerId: string | null
  /** Null: the start is not answered, or the call may have rung. */
  readonly answeredAtMs: number | null
  /** Null: it was never asked for. */
  readonly askedAtMs: number | null
  /** A nudge since then. Null: none. */
  readonly nudgedAtMs: number | null
  /** Since when no answer was a status. Null: the last one was. */
  readonly unreadableSinceMs: number | null
  /** Null: it is not over. */
  readonly overAtMs: number | null
  readonly leaseEndsAtMs: number
}

/** A claim that waited longer is checked for a stop before its call is started. */
export const isFresh = (claimedAtMs: number, nowMs: number) => nowMs - claimedAtMs <= freshClaimMs

/** Null: there is nothing to ask, or nothing yet. */
export function nextAskAtMs({
  providerId,
  answeredAtMs,
  askedAtMs,
  nudgedAtMs,
}: FollowedCall): number | null {
  if (providerId === null || answeredAtMs === null) return null
  const regularMs = (askedAtMs ?? answeredAtMs) + askEveryMs
  if (nudgedAtMs === null) return regularMs
  const nudgedMs = Math.max(nudgedAtMs, answeredAtMs, askedAtMs === null ? 0 : askedAtMs + nudgeGapMs)
  return Math.min(regularMs, nudgedMs)
}

/** Whether it counts towards the calls at once. */
export function holdsSeat({ startedAtMs, providerId, overAtMs }: FollowedCall, nowMs: number): boolean {
  return overAtMs === null && (providerId !== null || nowMs < startedAtMs + doubtfulSeatMs)
}

/** Of a call that is over. */
export const isReportDue = (overAtMs: number, isComplete: boolean, nowMs: number) =>
  isComplete || nowMs >= overAtMs + completeWithinMs

/** It cannot be asked for an hour, or lasts too long: it is hung up where that can be, and ends as `unknown`. */
export function isLost(call: FollowedCall, maxCallSeconds: number, nowMs: number): boolean {
  const { startedAtMs, unreadableSinceMs, overAtMs } = call
  if (overAtMs !== null) return false
  const isUnreadable = unreadableSinceMs !== null && nowMs >= unreadableSinceMs + unreadableMaxMs
  return isUnreadable || nowMs >= startedAtMs + maxCallSeconds * secondMs
}

/** A call that nothing can be asked of is not extended: its lease ends as `unknown`, an attempt. */
export const needsExtension = ({ providerId, leaseEndsAtMs }: FollowedCall, nowMs: number) =>
  providerId !== null && leaseEndsAtMs - nowMs < extendBelowMs
