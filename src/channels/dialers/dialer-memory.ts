// What a dialer remembers, in its Durable Object: how it is, the calls that have not ended, and the settings by which
// these were started. Ids and times only, and nothing of a person. Every function is synchronous, so that what happens
// between two awaits is written in one transaction.
import type { WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'
import { type DialerCall, firstCall } from './dialer-call.ts'
import { wellDialer } from './rounds/dialer-health.ts'
import type { GatheredStorage } from './rounds/gathered-storage.ts'
import type { DialerToRun } from './store/run-dialer.ts'
import type { StoredDialer } from './store/set-dialer.ts'
import type { CallEnd } from './template/read-status.ts'
import { openTrace } from './trace.ts'

/** What following a call needs of the settings. The secrets are sealed as in the table. */
export type CallSettings = Pick<StoredDialer, 'preset' | 'template' | 'variables' | 'sealedSecrets'>

/** For people, of the last hour. */
export type Problem = {
  readonly atMs: number
  /** The status of HTTP; null: no answer. */
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
  /** Whom it may name. Null: no lead. Undefined: an earlier version has stored it. */
  readonly leadId?: string | null
}

/** What recording a call needs besides the settings by which it was started. */
type Owner = Pick<DialerToRun, 'keyId' | 'campaignId' | 'origin' | 'timeZone'>

/** What alerts say, and since when. */
type Noticed = { readonly reason: string; readonly atMs: number }

const firstState = {
  campaign: null as WaitedCampaign | null,
  /** Where the company was last found. Null: in D1. */
  storeName: null as string | null,
  /** What its row said, for when that is gone. Null: no round has found one. */
  owner: null as Owner | null,
  /** Its row is gone, and it follows the calls that it has started. */
  isLost: false,
  /** Which settings the health belongs to. */
  version: 0,
  /** The preset, template and variables that `unmapped`, `failing` and what was heard belong to. */
  settingsDigest: '',
  health: wellDialer,
  /** Since when it rests or has stopped. */
  healthSinceMs: null as number | null,
  /** There may be a lead to call. */
  wantsStart: true,
  /** Why none is called now, when the next may be, and when that was known. */
  waiting: null as { readonly reason: string; readonly nextMs: number | null; readonly atMs: number } | null,
  /** Starts of the last minute. */
  startsMs: [] as readonly number[],
  problem: null as Problem | null,
  /** The last reason that the template does not have. */
  unmapped: null as Noticed | null,
  /** The last error for which a call was set aside. */
  failing: null as Noticed | null,
  /** How many calls with talk were counted, and of the last hundred whether they were understood: 1 or 0 each. */
  talked: 0,
  understood: '',
  /** Since when none of many was understood, though the template has a place for what was said. */
  deafSinceMs: null as number | null,
  /** Last state sent to alerts, as JSON. */
  noted: '',
  /** Rounds in a row that failed. */
  troubles: 0,
  /** When leads that were refused long ago were last forgotten. */
  refusedTidiedAtMs: 0,
  /** What GET shows, and since when. */
  shown: null as { readonly status: string; readonly reason: string | null; readonly sinceMs: number } | null,
}

export type DialerState = Readonly<typeof firstState>

/** So many calls with talk are remembered. */
const maxHeard = 100

/** A lead that a provider refused may be due again days later. */
const refusalsKeptMs = 7 * 86_400_000
const refusedTidyMs = 3_600_000

/** The settings by which calls were started, each by its id. */
function openSettings(kv: GatheredStorage, prefix: string) {
  const settings = new Map(
    [...kv.list<CallSettings>({ prefix })].map(([key, one]) => [Number(key.slice(prefix.length)), one]),
  )
  /** Null: none that send and read the same are kept. */
  const idOf = (current: CallSettings): number | null => {
    const text = textOf(current)
    return [...settings].find(([, one]) => textOf(one) === text)?.[0] ?? null
  }
  const put = (id: number, { preset, template, variables, sealedSecrets }: CallSettings) => {
    if (settings.get(id)?.sealedSecrets === sealedSecrets) return
    const kept = { preset, template, variables, sealedSecrets }
    settings.set(id, kept)
    kv.put(prefix + id, kept)
  }
  return {
    idOf,
    get: (id: number) => settings.get(id),
    has: (id: number) => settings.has(id),
    /** For the calls that begin now. */
    keep(current: CallSettings): number {
      const id = idOf(current) ?? Math.max(0, ...settings.keys()) + 1
      put(id, current)
      return id
    },
    /** The secrets of those that are kept. */
    renew(current: CallSettings): void {
      const id = idOf(current)
      if (id !== null) put(id, current)
    },
    keepOnly(used: ReadonlySet<number | null>): void {
      for (const id of settings.keys())
        if (!used.has(id)) {
          settings.delete(id)
          kv.delete(prefix + id)
        }
    },
  }
}

export type DialerMemory = ReturnType<typeof openDialerMemory>

/** How the dialer is, and what of it the storage has. */
function openState(kv: GatheredStorage, key: string) {
  let state: DialerState = { ...firstState, ...kv.get<DialerState>(key) }
  /** As the storage has it. */
  let written = state
  const hasAll = (one: DialerState, changed: Partial<DialerState>) =>
    (Object.keys(changed) as (keyof DialerState)[]).every(
      (name) => one[name] === changed[name] || JSON.stringify(one[name]) === JSON.stringify(changed[name]),
    )
  const changeLater = (changed: Partial<DialerState>) => {
    if (hasAll(state, changed)) return
    state = { ...state, ...changed }
    kv.putLater(key, state)
  }
  const change = (changed: Partial<DialerState>) => {
    changeLater(changed)
    if (hasAll(written, changed)) return
    written = state
    kv.put(key, state)
  }
  return { state: () => state, change, changeLater }
}

/** `before`: what its keys begin with, for calls that are not of the queue. */
export function openDialerMemory(kv: GatheredStorage, before = '', trace = openTrace(kv)) {
  const [callPrefix, refusedPrefix] = [`${before}call:`, `${before}refused:`]
  const settings = openSettings(kv, `${before}settings:`)
  const { state, change, changeLater } = openState(kv, `${before}state`)
  const calls = new Map(
    [...kv.list<DialerCall>({ prefix: callPrefix })].map(([, call]) => [
      call.callId,
      { ...firstCall, ...call },
    ]),
  )
  /** The settings that the round has found. Null: no call that is left was started by them. */
  let presentId: number | null = null
  /** Details are of people, and never stored. What an object that dies has read is read again, or lost. */
  const details = new Map<string, CallEnd['details']>()

  const setCall = (call: DialerCall, isLater = false) => {
    calls.set(call.callId, call)
    if (isLater) kv.putLater(callPrefix + call.callId, call)
    else kv.put(callPrefix + call.callId, call)
  }
  /** By which no call that is left was started, nor will the next be. */
  const dropUnusedSettings = () => {
    const used = [...calls.values()].map(({ settingsId }) => settingsId)
    settings.keepOnly(new Set([...used, presentId]))
  }
  return {
    /** Whether the last round started calls. Of this life only. */
    startedLast: false,
    details,
    trace,
    get state() {
      return state()
    },
    change,
    /** Of what is shown, or found again: it stays in memory until something else of the state is written. */
    changeLater,
    /** Before anything is sent. */
    write: kv.write,
    get calls(): readonly DialerCall[] {
      return [...calls.values()]
    },
    /** Null: it has ended. */
    call: (callId: string): DialerCall | null => calls.get(callId) ?? null,
    setCall,
    /** What may be lost: it stays in memory until something else of the call is written. */
    setCallLater: (call: DialerCall) => setCall(call, true),
    /** For a call that has not ended. `isDurable`: it must outlive the object. */
    changeCall(callId: string, changed: Partial<DialerCall>, isDurable = true): void {
      const call = calls.get(callId)
      if (call === undefined) return
      if (isDurable) setCall({ ...call, ...changed })
      else calls.set(callId, { ...call, ...changed })
    },
    forgetCall(callId: string): void {
      calls.delete(callId)
      details.delete(callId)
      kv.delete(callPrefix + callId)
      trace.save()
      dropUnusedSettings()
    },
    keepSettings: settings.keep,
    /**
     * Before each round. New settings have no part in the calls of others, except for the secrets of the same template
     * and variables. A call that version 2.0.0 has started belongs to the settings that are found first; what that
     * version has forgotten, after a step back to it, is dropped.
     */
    adoptSettings(current: CallSettings): void {
      settings.renew(current)
      presentId = settings.idOf(current)
      dropUnusedSettings()
      const unkept = [...calls.values()].filter((call) => !settings.has(call.settingsId ?? 0))
      for (const call of unkept) setCall({ ...call, settingsId: settings.keep(current) })
      presentId = settings.idOf(current)
    },
    /** Whether the call was started by the present preset, template and variables. */
    hasPresentSettings: ({ settingsId }: DialerCall): boolean => settingsId === presentId,
    /** By which the last of its calls was started. Null: it has none. */
    get lastSettings(): CallSettings | null {
      const last = [...calls.values()].at(-1)
      return last === undefined ? null : (settings.get(last.settingsId ?? 0) ?? null)
    },
    /** By which the call was started. */
    settingsOf({ settingsId }: DialerCall): CallSettings {
      const found = settings.get(settingsId ?? 0)
      if (found === undefined) throw new Error('A call without settings')
      return found
    },
    /** \`nth\`: it was counted as that before; null: it was not. Returns what it is counted as. */
    noteHeard(nth: number | null, isUnderstood: boolean): number {
      const { talked, understood } = state()
      const mark = isUnderstood ? '1' : '0'
      if (nth === null || nth > talked) {
        changeLater({ talked: talked + 1, understood: (understood + mark).slice(-maxHeard) })
        return talked + 1
      }
      const at = understood.length - 1 - (talked - nth)
      if (at >= 0 && understood[at] !== mark)
        changeLater({ understood: understood.slice(0, at) + mark + understood.slice(at + 1) })
      return nth
    },
    /** Whether the lead was refused before; from now on it was. */
    refuse(seq: number, nowMs: number): boolean {
      const before = kv.get<number>(`${refusedPrefix}${seq}`)
      kv.put(`${refusedPrefix}${seq}`, nowMs)
      if (state().refusedTidiedAtMs <= nowMs - refusedTidyMs) {
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
