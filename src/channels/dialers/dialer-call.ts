// What a dialer remembers of one call: ids and times, and nothing of the lead. Each change of a call is in
// rounds/call-starting.ts, call-following.ts and call-over.ts. Pure.
import { parseCallId } from '../../queue/calling/call.ts'
import type { ClaimedCall } from '../../queue/calling/store/claim.ts'
import type { ReportedOutcome } from '../../queue/campaigns/outcomes.ts'
import type { DialerHealth } from './rounds/dialer-health.ts'
import type { CallEnd } from './template/read-status.ts'
import type { NotDialled } from './template/template.ts'

/** What is kept of an end until it is reported: nothing that was said. */
export type StoredEnd = Omit<CallEnd, 'details'> & {
  /** All that is said of it was there. */
  readonly isComplete: boolean
}

/** How a call begins. One of version 2.0.0 lacks some of these. */
export const firstCall = {
  /** The settings by which it was started. Null: it was started by version 2.0.0, which kept none. */
  settingsId: null as number | null,
  /** The dialer's version when it was started. Null: version 2.0.0 has started it. */
  version: null as number | null,
  /** Null: an earlier version has started it, or it is no lead's. */
  leadId: null as string | null,
  /** Null: the start has no answer yet, or none with an id. */
  providerId: null as string | null,
  /** Null: the start is not answered, or the call may have rung. */
  answeredAtMs: null as number | null,
  /** Null: it was never asked for. */
  askedAtMs: null as number | null,
  /** A nudge since then. Null: none. */
  nudgedAtMs: null as number | null,
  /** Since when no answer was a status. Null: the last one was. */
  unreadableSinceMs: null as number | null,
  /** Somebody has taken it, as far as its template tells. */
  wasLive: false,
  /** When it was first over. Null: it never was. */
  overAtMs: null as number | null,
  /** The last answer takes that back. */
  isLiveAgain: false,
  /** In an answer that said over: words of a person, and a no. What is answered afterwards takes neither back. */
  hasTalked: false,
  saidNo: false,
  isUnderstood: false,
  /** The how manieth of the calls with talk it was counted as. Null: it is not counted. */
  heardNth: null as number | null,
  /** Nobody took it in time: it is hung up, and its end is known. */
  hasRungOut: false,
  /** What the last answer that said over came to; a do-not-call stays. Null: there was none. */
  end: null as StoredEnd | null,
  /** Its report failed: not again before this. 0: any time. */
  reportFromMs: 0,
  /** And may be reported once more. Null: it is not reported. */
  reportedAtMs: null as number | null,
  /** Reports of it that failed. */
  failedReports: 0,
  /** That it was started is in the log. */
  isNoted: false,
  /** The person must not be called, or nobody may report the call. */
  mustHangUp: false,
  isHungUp: false,
  /** Null: never. */
  hangUpTriedAtMs: null as number | null,
  /** It has lasted too long: it is to be hung up, and holds no seat. */
  isOverdue: false,
  /** The person: nothing that the provider says of it is kept, but a no is heard. */
  isErased: false,
  /** Refusals, and rests, in a row that its start ended. */
  refusalsBefore: 0,
  restsBefore: 0,
  /** That it was not dialled is counted. */
  isRefusalNoted: false,
  /** The error for which it was set aside. Null: it was not. */
  errorName: null as string | null,
  /** After how long the lead of a call that is returned is due again, or what is reported instead. */
  delaySeconds: 0,
  outcome: null as ReportedOutcome | null,
  /** Why it was not dialled. Null: it was, or an earlier version has returned it. */
  refusedBecause: null as NotDialled | null,
}

export type DialerCall = Readonly<typeof firstCall> & {
  readonly callId: string
  /** See rounds/take-round.ts. */
  readonly state: 'starting' | 'following' | 'doubtful' | 'returning' | 'reported'
  /** The lead's place. */
  readonly seq: number
  /** The lead's, else the campaign's when it was claimed. Undefined: version 2.0.0 has started it. */
  readonly timeZone: string | undefined
  readonly startedAtMs: number
  readonly leaseEndsAtMs: number
}

export const startingCall = (
  { callId, leaseExpiresAtMs, timeZone }: Pick<ClaimedCall, 'callId' | 'leaseExpiresAtMs' | 'timeZone'>,
  settingsId: number,
  version: number,
  { refusals, rests }: DialerHealth,
  nowMs: number,
): DialerCall => ({
  ...firstCall,
  callId,
  state: 'starting',
  settingsId,
  version,
  seq: parseCallId(callId)?.seq ?? 0,
  timeZone,
  startedAtMs: nowMs,
  leaseEndsAtMs: leaseExpiresAtMs,
  refusalsBefore: refusals,
  restsBefore: rests,
})
