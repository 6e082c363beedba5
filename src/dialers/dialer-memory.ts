// What a dialer remembers, in its Durable Object: how it is, and the calls that have not ended. Ids and times only, and
// nothing of a person. Every function is synchronous, so that what happens between two awaits is written in one transaction.
import type { ReportedOutcome } from '../campaigns/outcomes.ts'
import type { WaitedCampaign } from '../campaigns/waited-campaign.ts'
import { type DialerHealth, wellDialer } from './rounds/dialer-health.ts'
import type { FollowedCall } from './rounds/follow-call.ts'

/** See rounds/take-round.ts. */
type CallState = 'starting' | 'following' | 'doubtful' | 'returning' | 'reported'

export type DialerCall = FollowedCall & {
  readonly state: CallState
  /** The lead's place. */
  readonly seq: number
  /** Of the lead, else of the campaign when it was claimed. Undefined: version 2.0.0 has started it. */
  readonly timeZone: string | undefined
  /** That it was started is in the log. */
  readonly isNoted: boolean
  readonly isHungUp: boolean
  /** Refusals in a row that its start ended. */
  readonly refusalsBefore: number
  /** Of a call that is returned: after how long the lead is due again, or what is reported instead. */
  readonly delaySeconds: number
  readonly outcome: ReportedOutcome | null
}

/** For people, of the last hour. */
export type Problem = {
  readonly atMs: number
  /** Of HTTP; null: no answer. */
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
}

export type DialerState = {
  readonly campaign: WaitedCampaign | null
  /** Where the company was last found. Null: in D1. */
  readonly storeName: string | null
  /** Of the settings that the health belongs to. */
  readonly version: number
  readonly health: DialerHealth
  /** Since when it rests or has stopped. */
  readonly healthSinceMs: number | null
  /** There may be a lead to call. */
  readonly wantsStart: boolean
  /** Why the last claim got no call, when the next may, and when that was. */
  readonly waiting: { readonly reason: string; readonly nextMs: number | null; readonly atMs: number } | null
  /** Until then nothing is started: its company is about to move. */
  readonly heldUntilMs: number
  /** Starts of the last minute. */
  readonly startsMs: readonly number[]
  readonly problem: Problem | null
  readonly unmapped: { readonly reason: string; readonly atMs: number } | null
  /** What alerts were last told, as JSON. */
  readonly noted: string
  /** Rounds in a row that failed. */
  readonly troubles: number
  /** What GET shows, and since when. */
  readonly shown: { readonly status: string; readonly reason: string | null; readonly sinceMs: number } | null
}

const firstState: DialerState = {
  campaign: null,
  storeName: null,
  version: 0,
  health: wellDialer,
  healthSinceMs: null,
  wantsStart: true,
  waiting: null,
  heldUntilMs: 0,
  startsMs: [],
  problem: null,
  unmapped: null,
  noted: '',
  troubles: 0,
  shown: null,
}

/** A lead that a provider refused may be due again days later. */
const refusalsKeptMs = 7 * 86_400_000
const [stateKey, callPrefix, refusedPrefix] = ['state', 'call:', 'refused:']

export type DialerMemory = ReturnType<typeof openDialerMemory>

export function openDialerMemory(kv: SyncKvStorage) {
  let state = kv.get<DialerState>(stateKey) ?? firstState
  const calls = new Map(
    [...kv.list<DialerCall>({ prefix: callPrefix })].map(([, call]) => [call.callId, call]),
  )
  const setCall = (call: DialerCall) => {
    calls.set(call.callId, call)
    kv.put(callPrefix + call.callId, call)
  }
  return {
    get state() {
      return state
    },
    change(change: Partial<DialerState>): void {
      state = { ...state, ...change }
      kv.put(stateKey, state)
    },
    get calls(): readonly DialerCall[] {
      return [...calls.values()]
    },
    /** Null: it has ended. */
    call: (callId: string): DialerCall | null => calls.get(callId) ?? null,
    setCall,
    /** Of one that has not ended. */
    changeCall(callId: string, change: Partial<DialerCall>): void {
      const call = calls.get(callId)
      if (call !== undefined) setCall({ ...call, ...change })
    },
    forgetCall(callId: string): void {
      calls.delete(callId)
      kv.delete(callPrefix + callId)
    },
    /** Whether the lead was refused before; from now on it was. */
    refuse(seq: number, nowMs: number): boolean {
      const before = kv.get<number>(`${refusedPrefix}${seq}`)
      kv.put(`${refusedPrefix}${seq}`, nowMs)
      for (const [key, atMs] of [...kv.list<number>({ prefix: refusedPrefix })])
        if (atMs < nowMs - refusalsKeptMs) kv.delete(key)
      return before !== undefined
    },
    acceptLead(seq: number): void {
      kv.delete(`${refusedPrefix}${seq}`)
    },
  }
}
