// The times of one call of a dialer: when its provider is asked, when its seat is free, when it is reported, hung up or
// given up, and how long its lease is extended. Pure.
import type { DialerCall } from '../dialer-call.ts'
import { ringingAloneSeconds, type Texts } from '../template/template.ts'
import { defaultMaxCallSeconds } from '../template/template-uses.ts'

const secondMs = 1_000
const askEveryMs = 15 * secondMs
/**
 * Of a call that is reported, and may still turn out to be a do-not-call; and for how long. One of which all was there
 * is asked for once, so long after its end: an analysis may be done in parts, or again.
 */
const askReportedEveryMs = 300 * secondMs
const askReportedMs = 3_600 * secondMs
const askOnceMoreMs = 300 * secondMs
/** A nudge brings the next asking forward, but not nearer than this to the last one. */
const nudgeGapMs = 5 * secondMs
/** A call that may have rung, and that nothing can be asked of, keeps its seat so long. */
const doubtfulSeatMs = 120 * secondMs
/** A call that was over is reported by then, whatever is said of it afterwards. */
const completeWithinMs = 180 * secondMs
/** A do-not-call whose report fails is tried on so often. */
export const reportAgainMs = 60 * secondMs
const unreadableMaxMs = 3_600 * secondMs
const hangUpEveryMs = 15 * secondMs
export const leaseSeconds = 600
const extendBelowMs = 200 * secondMs
/** Beyond the longest call, a lease is extended so much longer, whatever happens. */
const leaseSpareMs = 3_600 * secondMs
const freshMs = 2 * secondMs
/** A lease is settled by then. */
const forgetAfterMs = 60 * secondMs

export const maxCallSecondsOf = ({ maxCallSeconds = `${defaultMaxCallSeconds}` }: Texts) =>
  Number(maxCallSeconds)

/** When reading the settings and claiming took longer, a call is checked for a stop before it is started. */
export const isFresh = (beganAtMs: number, nowMs: number) => nowMs - beganAtMs <= freshMs

/** When an end that was seen is reported. */
const reportAtMs = ({ end, hasRungOut, overAtMs, reportFromMs }: DialerCall): number =>
  end === null
    ? Number.POSITIVE_INFINITY
    : Math.max(reportFromMs, end.isComplete || hasRungOut ? 0 : (overAtMs ?? 0) + completeWithinMs)

export const isReportDue = (call: DialerCall, nowMs: number) =>
  call.reportedAtMs === null && nowMs >= reportAtMs(call)

/** One that was reported may be live again. */
export const mayBeLive = ({ state, isLiveAgain }: DialerCall) =>
  state === 'following' || (state === 'reported' && isLiveAgain)

/** Null: there is nothing to ask, or nothing yet. */
export function nextAskAtMs(call: DialerCall): number | null {
  const { providerId, answeredAtMs, askedAtMs, nudgedAtMs, reportedAtMs, end } = call
  if (providerId === null || answeredAtMs === null) return null
  if (reportedAtMs !== null) {
    const isToEnd = call.isLiveAgain && (call.mustHangUp || call.hasRungOut)
    const onceMoreMs = (call.overAtMs ?? reportedAtMs) + askOnceMoreMs
    const lastMs = askedAtMs ?? answeredAtMs
    if (end?.isComplete && !end.isUnknown && !isToEnd && lastMs < onceMoreMs) return onceMoreMs
    return lastMs + (isToEnd ? askEveryMs : askReportedEveryMs)
  }
  if (end?.isComplete) return null
  const regularMs = (askedAtMs ?? answeredAtMs) + askEveryMs
  if (nudgedAtMs === null) return regularMs
  const nudgedMs = Math.max(nudgedAtMs, answeredAtMs, askedAtMs === null ? 0 : askedAtMs + nudgeGapMs)
  return Math.min(regularMs, nudgedMs)
}

export const nextHangUpAtMs = ({ hangUpTriedAtMs }: DialerCall) =>
  hangUpTriedAtMs === null ? 0 : hangUpTriedAtMs + hangUpEveryMs

/**
 * Nothing more can come of a call that was reported, or of one whose lease has ended as `unknown`. One that can be
 * asked for must have been live after that, too.
 */
export function isForgotten(call: DialerCall, maxCallSeconds: number, nowMs: number): boolean {
  const {
    providerId,
    askedAtMs,
    unreadableSinceMs,
    overAtMs,
    reportedAtMs,
    startedAtMs,
    leaseEndsAtMs,
    end,
  } = call
  if (reportedAtMs !== null) return nowMs >= (overAtMs ?? reportedAtMs) + askReportedMs
  if (end !== null) return false
  const limitMs = leaseLimitMs(call, maxCallSeconds)
  if (providerId !== null)
    return nowMs >= limitMs + forgetAfterMs && unreadableSinceMs === null && (askedAtMs ?? 0) >= limitMs
  return nowMs >= Math.min(limitMs, Math.max(leaseEndsAtMs, startedAtMs + doubtfulSeatMs)) + forgetAfterMs
}

/** Latest time for the next step of a call. `isDue`: something is to be sent for it now. */
export function nextStepAtMs(call: DialerCall, isDue: boolean, nowMs: number): number {
  if (isDue) return nowMs
  const { providerId, startedAtMs, leaseEndsAtMs, reportedAtMs } = call
  if (providerId === null) {
    const seatFreeAtMs = startedAtMs + doubtfulSeatMs
    return seatFreeAtMs > nowMs ? seatFreeAtMs : Math.max(leaseEndsAtMs, seatFreeAtMs) + forgetAfterMs
  }
  const askAtMs = nextAskAtMs(call) ?? Number.POSITIVE_INFINITY
  return reportedAtMs === null
    ? Math.min(askAtMs, leaseEndsAtMs - extendBelowMs + 1, reportAtMs(call))
    : askAtMs
}

const isOver = ({ overAtMs, isLiveAgain }: DialerCall) => overAtMs !== null && !isLiveAgain

/** Whether it counts towards the calls at once. */
export function holdsSeat(call: DialerCall, nowMs: number): boolean {
  const { startedAtMs, providerId, reportedAtMs, isOverdue } = call
  if (reportedAtMs !== null || isOver(call) || isOverdue) return false
  return providerId !== null || nowMs < startedAtMs + doubtfulSeatMs
}

/** Whether a call that rings too long has ended: it was hung up, or has rung so long that it ends by itself. */
export const hasRungEnough = ({ isHungUp, startedAtMs }: DialerCall, nowMs: number): boolean =>
  isHungUp || nowMs >= startedAtMs + ringingAloneSeconds * secondMs

/** It cannot be asked for an hour: it is hung up where that can be, and ends as `unknown`. */
export const isLost = ({ unreadableSinceMs }: DialerCall, nowMs: number): boolean =>
  unreadableSinceMs !== null && nowMs >= unreadableSinceMs + unreadableMaxMs

/** It lasts too long: it is hung up where that can be, and asked for until its lease ends, since its end may say no. */
export const isOverdue = (call: DialerCall, maxCallSeconds: number, nowMs: number): boolean =>
  !isOver(call) && nowMs >= call.startedAtMs + maxCallSeconds * secondMs

const leaseLimitMs = ({ startedAtMs }: DialerCall, maxCallSeconds: number) =>
  startedAtMs + maxCallSeconds * secondMs + leaseSpareMs

/** Whether its lease may be extended. That of a call that nothing can be asked of ends as `unknown`, an attempt. */
export const mayExtend = (call: DialerCall, maxCallSeconds: number, nowMs: number) =>
  call.providerId !== null && nowMs + leaseSeconds * secondMs <= leaseLimitMs(call, maxCallSeconds)

/** A report has ended it. */
export const needsExtension = ({ leaseEndsAtMs, reportedAtMs }: DialerCall, nowMs: number) =>
  reportedAtMs === null && leaseEndsAtMs - nowMs < extendBelowMs
