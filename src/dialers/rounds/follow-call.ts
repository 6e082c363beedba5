// The times of one call of a dialer: when its provider is asked, when its seat is free, when it is reported or given up,
// and when its lease is extended. Pure.
import type { Texts } from '../template/template.ts'

const secondMs = 1_000
const askEveryMs = 15 * secondMs
/** Of a call that is reported, and may still turn out to be a do-not-call; and for how long. */
const askReportedEveryMs = 300 * secondMs
const askReportedMs = 3_600 * secondMs
/** A nudge brings the next asking forward, but not nearer than this to the last one. */
const nudgeGapMs = 5 * secondMs
/** A call that may have rung, and that nothing can be asked of, keeps its seat so long. */
const doubtfulSeatMs = 120 * secondMs
/** A call that is over is reported by then, with or without all that is said of it. */
const completeWithinMs = 180 * secondMs
const unreadableMaxMs = 3_600 * secondMs
export const leaseSeconds = 600
const extendBelowMs = 200 * secondMs
const freshClaimMs = 2 * secondMs
/** A lease is settled by then. */
const forgetAfterMs = 60 * secondMs
const defaultMaxCallSeconds = 3_600

export const maxCallSecondsOf = ({ maxCallSeconds = `${defaultMaxCallSeconds}` }: Texts) =>
  Number(maxCallSeconds)

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
  /** Before all that is said of its end was there. Null: it is not reported. */
  readonly reportedAtMs: number | null
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
  reportedAtMs,
}: FollowedCall): number | null {
  if (providerId === null || answeredAtMs === null) return null
  const regularMs = (askedAtMs ?? answeredAtMs) + (reportedAtMs === null ? askEveryMs : askReportedEveryMs)
  if (nudgedAtMs === null) return regularMs
  const nudgedMs = Math.max(nudgedAtMs, answeredAtMs, askedAtMs === null ? 0 : askedAtMs + nudgeGapMs)
  return Math.min(regularMs, nudgedMs)
}

/** Nothing more can come of a call that was reported, or of one whose lease has ended as `unknown`. */
export function isForgotten(
  { providerId, overAtMs, reportedAtMs, startedAtMs, leaseEndsAtMs }: FollowedCall,
  nowMs: number,
): boolean {
  if (reportedAtMs !== null) return nowMs >= (overAtMs ?? reportedAtMs) + askReportedMs
  return providerId === null && nowMs >= Math.max(leaseEndsAtMs, startedAtMs + doubtfulSeatMs) + forgetAfterMs
}

/** When a call needs something of a round at the latest. `isDue`: something is to be sent for it now. */
export function nextStepAtMs(call: FollowedCall, isDue: boolean, nowMs: number): number {
  if (isDue) return nowMs
  const { providerId, startedAtMs, leaseEndsAtMs, reportedAtMs } = call
  if (providerId === null) {
    const seatFreeAtMs = startedAtMs + doubtfulSeatMs
    return seatFreeAtMs > nowMs ? seatFreeAtMs : Math.max(leaseEndsAtMs, seatFreeAtMs) + forgetAfterMs
  }
  const askAtMs = nextAskAtMs(call) ?? nowMs
  return reportedAtMs === null ? Math.min(askAtMs, leaseEndsAtMs - extendBelowMs + 1) : askAtMs
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
  const isUnreadable = unreadableSinceMs !== null && nowMs >= unreadableSinceMs + unreadableMaxMs
  return isUnreadable || (overAtMs === null && nowMs >= startedAtMs + maxCallSeconds * secondMs)
}

/** A call that nothing can be asked of is not extended: its lease ends as `unknown`, an attempt. */
export const needsExtension = ({ providerId, leaseEndsAtMs }: FollowedCall, nowMs: number) =>
  providerId !== null && leaseEndsAtMs - nowMs < extendBelowMs
