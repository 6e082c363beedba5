// What a dialer remembers, in its Durable Object: how it is, the calls that have not ended, and the settings by which these
// were started. Ids and times only, and nothing of a person. Every function is synchronous, so that what happens between two
// awaits is written in one transaction.
import type { ReportedOutcome } from '../campaigns/outcomes.ts'
import type { WaitedCampaign } from '../campaigns/waited-campaign.ts'
import { type DialerHealth, wellDialer } from './rounds/dialer-health.ts'
import type { FollowedCall } from './rounds/follow-call.ts'
import type { StoredDialer } from './store/set-dialer.ts'
import type { CallEnd } from './template/read-status.ts'
import type { NotDialled } from './template/template.ts'
import { openTrace } from './trace.ts'

/** See rounds/take-round.ts. */
type CallState = 'starting' | 'following' | 'doubtful' | 'returning' | 'reported'

export type DialerCall = FollowedCall & {
  readonly state: CallState
  /** Of the settings by which it was started. Null: it was started by version 2.0.0, which kept none. */
  readonly settingsId: number | null
  /** Of the dialer when it was started. Null: version 2.0.0 has started it. */
  readonly version: number | null
  /** The lead's place. */
  readonly seq: number
  /** Null: an earlier version has started it, or it is no lead's. */
  readonly leadId: string | null
  /** Of the lead, else of the campaign when it was claimed. Undefined: version 2.0.0 has started it. */
  readonly timeZone: string | undefined
  /** That it was started is in the log. */
  readonly isNoted: boolean
  /** The person must not be called, or nobody may report the call. */
  readonly mustHangUp: boolean
  readonly isHungUp: boolean
  /** Somebody has taken it, as far as its template tells. */
  readonly wasLive: boolean
  /** The person: it is forgotten when it is hung up. */
  readonly isErased: boolean
  /** Refusals, and rests, in a row that its start ended. */
  readonly refusalsBefore: number
  readonly restsBefore: number
  /** Reports of it that failed. */
  readonly failedReports: number
  /** The error for which it was set aside. Null: it was not. */
  readonly errorName: string | null
  /** Of a call that is returned: after how long the lead is due again, or what is reported instead. */
  readonly delaySeconds: number
  readonly outcome: ReportedOutcome | null
  /** Why it was not dialled. Null: it was, or an earlier version has returned it. */
  readonly refusedBecause: NotDialled | null
}

/** What a call of version 2.0.0 lacks. */
const laterMembers = {
  settingsId: null,
  version: null,
  leadId: null,
  refusedBecause: null,
  end: null,
  isLiveAgain: false,
  mustHangUp: false,
  wasLive: false,
  hasRungOut: false,
  isErased: false,
  isOverdue: false,
  hangUpTriedAtMs: null,
  restsBefore: 0,
  failedReports: 0,
  reportFromMs: 0,
  errorName: null,
} satisfies Partial<DialerCall>

/** What following a call needs of the settings. The secrets are sealed as in the table. */
export type CallSettings = Pick<StoredDialer, 'preset' | 'template' | 'variables' | 'sealedSecrets'>

/** For people, of the last hour. */
export type Problem = {
  readonly atMs: number
  /** Of HTTP; null: no answer. */
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
}

/** What alerts say, and since when. */
type Noticed = { readonly reason: string; readonly atMs: number }

export type DialerState = {
  readonly campaign: WaitedCampaign | null
  /** Where the company was last found. Null: in D1. */
  readonly storeName: string | null
  /** Of the settings that the health belongs to. */
  readonly version: number
  /** Of preset, template and variables that `unmapped` and `failing` belong to. */
  readonly settingsDigest: string
  readonly health: DialerHealth
  /** Since when it rests or has stopped. */
  readonly healthSinceMs: number | null
  /** There may be a lead to call. */
  readonly wantsStart: boolean
  /** Why none is called now, when the next may be, and when that was known. */
  readonly waiting: { readonly reason: string; readonly nextMs: number | null; readonly atMs: number } | null
  /** Starts of the last minute. */
  readonly startsMs: readonly number[]
  readonly problem: Problem | null
  /** The last reason that the template does not have. */
  readonly unmapped: Noticed | null
  /** The last error for which a call was set aside. */
  readonly failing: Noticed | null
  /** Last state sent to alerts, as JSON. */
  readonly noted: string
  /** Rounds in a row that failed. */
  readonly troubles: number
  /** When leads that were refused long ago were last forgotten. */
  readonly refusedTidiedAtMs: number
  /** What GET shows, and since when. */
  readonly shown: { readonly status: string; readonly reason: string | null; readonly sinceMs: number } | null
}

const firstState: DialerState = {
  campaign: null,
  storeName: null,
  version: 0,
  settingsDigest: '',
  health: wellDialer,
  healthSinceMs: null,
  wantsStart: true,
  waiting: null,
  startsMs: [],
  problem: null,
  unmapped: null,
  failing: null,
  noted: '',
  troubles: 0,
  refusedTidiedAtMs: 0,
  shown: null,
}

/** A lead that a provider refused may be due again days later. */
const refusalsKeptMs = 7 * 86_400_000
const refusedTidyMs = 3_600_000

export type DialerMemory = ReturnType<typeof openDialerMemory>

/** `before`: what its keys begin with, for calls that are not of the queue. */
export function openDialerMemory(kv: SyncKvStorage, before = '', trace = openTrace(kv)) {
  const stateKey = `${before}state`
  const [callPrefix, settingsPrefix] = [`${before}call:`, `${before}settings:`]
  const refusedPrefix = `${before}refused:`
  let state: DialerState = { ...firstState, ...kv.get<DialerState>(stateKey) }
  const calls = new Map(
    [...kv.list<DialerCall>({ prefix: callPrefix })].map(([, call]) => [
      call.callId,
      { ...laterMembers, ...call },
    ]),
  )
  const settings = new Map(
    [...kv.list<CallSettings>({ prefix: settingsPrefix })].map(([key, one]) => [
      Number(key.slice(settingsPrefix.length)),
      one,
    ]),
  )
  /** Of people: never stored. What an object that dies has read is read again, or lost. */
  const details = new Map<string, CallEnd['details']>()

  const change = (changed: Partial<DialerState>) => {
    state = { ...state, ...changed }
    kv.put(stateKey, state)
  }
  const setCall = (call: DialerCall) => {
    calls.set(call.callId, call)
    kv.put(callPrefix + call.callId, call)
  }
  const keptId = (current: CallSettings): number | null => {
    const text = textOf(current)
    return [...settings].find(([, one]) => textOf(one) === text)?.[0] ?? null
  }
  const putSettings = (id: number, { preset, template, variables, sealedSecrets }: CallSettings) => {
    const kept = { preset, template, variables, sealedSecrets }
    settings.set(id, kept)
    kv.put(settingsPrefix + id, kept)
  }
  const dropSettings = (id: number) => {
    settings.delete(id)
    kv.delete(settingsPrefix + id)
  }
  /** Of the calls that begin now. */
  const keepSettings = (current: CallSettings): number => {
    const id = keptId(current) ?? Math.max(0, ...settings.keys()) + 1
    if (settings.get(id)?.sealedSecrets !== current.sealedSecrets) putSettings(id, current)
    return id
  }
  return {
    /** Whether the last round started calls. Of this life only. */
    startedLast: false,
    details,
    trace,
    get state() {
      return state
    },
    change,
    get calls(): readonly DialerCall[] {
      return [...calls.values()]
    },
    /** Null: it has ended. */
    call: (callId: string): DialerCall | null => calls.get(callId) ?? null,
    setCall,
    /** Of one that has not ended. `isDurable`: it must outlive the object. */
    changeCall(callId: string, changed: Partial<DialerCall>, isDurable = true): void {
      const call = calls.get(callId)
      if (call === undefined) return
      if (isDurable) setCall({ ...call, ...changed })
      else calls.set(callId, { ...call, ...changed })
    },
    forgetCall(callId: string): void {
      const settingsId = calls.get(callId)?.settingsId ?? null
      calls.delete(callId)
      details.delete(callId)
      kv.delete(callPrefix + callId)
      if (settingsId === null || [...calls.values()].some((call) => call.settingsId === settingsId)) return
      dropSettings(settingsId)
    },
    keepSettings,
    /**
     * Before each round. New settings have no part in the calls of others, except for the secrets of the same template and
     * variables. A call that version 2.0.0 has started belongs to the settings that are found first; what that version has
     * forgotten, after a step back to it, is dropped.
     */
    meetSettings(current: CallSettings): void {
      const id = keptId(current)
      if (id !== null && settings.get(id)?.sealedSecrets !== current.sealedSecrets) putSettings(id, current)
      const used = new Set([...calls.values()].map(({ settingsId }) => settingsId))
      for (const kept of [...settings.keys()]) if (!used.has(kept)) dropSettings(kept)
      const unkept = [...calls.values()].filter((call) => !settings.has(call.settingsId ?? 0))
      if (unkept.length === 0) return
      const settingsId = keepSettings(current)
      for (const call of unkept) setCall({ ...call, settingsId })
    },
    /** By which the call was started. */
    settingsOf({ settingsId }: DialerCall): CallSettings {
      const found = settings.get(settingsId ?? 0)
      if (found === undefined) throw new Error('A call without settings')
      return found
    },
    /** Whether the lead was refused before; from now on it was. */
    refuse(seq: number, nowMs: number): boolean {
      const before = kv.get<number>(`${refusedPrefix}${seq}`)
      kv.put(`${refusedPrefix}${seq}`, nowMs)
      if (state.refusedTidiedAtMs <= nowMs - refusedTidyMs) {
        for (const [key, atMs] of [...kv.list<number>({ prefix: refusedPrefix })])
          if (atMs < nowMs - refusalsKeptMs) kv.delete(key)
        change({ refusedTidiedAtMs: nowMs })
      }
      return before !== undefined
    },
    acceptLead(seq: number): void {
      kv.delete(`${refusedPrefix}${seq}`)
    },
  }
}

/** Equal for settings that send and read the same, whatever their secrets. */
export function textOf({ preset, template, variables }: Omit<CallSettings, 'sealedSecrets'>): string {
  const sorted = Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([preset, template, sorted])
}
