// What goes wrong in a world. Some faults are planned with the story: at which step of which action, or at which time.
// Others are met: a provider, a receiver and a gate draw their own, and people do what comes in the middle of something
// else. Each must have happened at least once over 2,000 worlds.

/** Where a planned fault is met: a step of a request, the request itself, or a time of the world. */
export type FaultPlace = 'd1' | 'rpc' | 'fetch' | 'object' | 'client' | 'time'
/** Who makes it happen without a plan. `answer`: it follows from another fault. */
type MetPlace = 'provider' | 'receiver' | 'gate' | 'people' | 'answer'

type Fault = {
  readonly place: FaultPlace | MetPlace
  /** At a step: instead of it, or in place of its answer. */
  readonly when?: 'before' | 'after'
  readonly error?: () => Error
  readonly delayMs?: number
  /** In a story. */
  readonly says: string
}

export type PlannedFault = {
  readonly name: PlannedName
  /** Of the story. Null: at a time. */
  readonly action: number | null
  /** Which step of its place, from 1. */
  readonly step: number
  readonly atMs: number
}

const lost = () => new Error('D1_ERROR: Network connection lost.')
const reset = () => Object.assign(new Error('Network connection lost.'), { retryable: true })

/** A story draws from these: their order is part of what a seed draws. */
const planned = {
  'database lost before': {
    place: 'd1',
    when: 'before',
    error: lost,
    says: 'the database does not get its batch',
  },
  'database lost after': {
    place: 'd1',
    when: 'after',
    error: lost,
    says: 'the answer of the database is lost',
  },
  'database overloaded': {
    place: 'd1',
    when: 'before',
    error: () => new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.'),
    says: 'the database is overloaded',
  },
  'database late': { place: 'd1', delayMs: 40_000, says: 'the database answers after 40 s' },
  'object lost before': { place: 'rpc', when: 'before', error: reset, says: 'an object does not get a call' },
  'object lost after': { place: 'rpc', when: 'after', error: reset, says: 'the answer of an object is lost' },
  'object dies': { place: 'object', delayMs: 2, says: 'an object dies while it works' },
  'answer lost': { place: 'client', says: 'the answer is lost' },
  'sent twice': { place: 'client', says: 'the request is delivered twice' },
  'objects die': { place: 'time', says: 'all objects die' },
  'objects sleep': { place: 'time', says: 'all objects are evicted' },
  'isolate forgets': { place: 'time', says: 'another isolate takes over' },
  'alarms late': { place: 'time', says: 'alarms of the next minute are five minutes late' },
  'alarms twice': { place: 'time', says: 'alarms of the next minute run twice' },
  'alarms dropped': { place: 'time', says: 'alarms of the next minute are dropped' },
  'clock jumps back': { place: 'time', says: 'the clock jumps 2 s back' },
} as const satisfies Readonly<Record<string, Fault>>

/** Counted where they happen: by model/providers.ts, receivers.ts, gates.ts and middle.ts. */
const met = {
  'provider slow': { place: 'provider', says: 'a provider answers after 5 to 40 s' },
  'provider lost before': { place: 'provider', says: 'a provider does not get the start of a call' },
  'provider lost after': { place: 'provider', says: 'the answer of a provider is lost, and the phone rings' },
  'provider fails before': { place: 'provider', says: 'a provider answers 500, and no phone rings' },
  'provider fails after': { place: 'provider', says: 'a provider answers 502, and the phone rings' },
  'provider busy': { place: 'provider', says: 'a provider answers 429' },
  'provider without credit': { place: 'provider', says: 'a provider wants to be paid first' },
  'provider refuses': { place: 'provider', says: 'a provider refuses the number' },
  'provider without id': { place: 'provider', says: 'a provider gives no id, and the phone rings' },
  'provider errors': { place: 'provider', says: 'a provider answers 503 when it is asked for a call' },
  'provider forgets': { place: 'provider', says: 'a provider says that there is no such call' },
  'provider garbage': { place: 'provider', says: 'a provider answers what nobody can read' },
  'provider ends late': {
    place: 'provider',
    says: 'a provider does not say for a while that a call is over',
  },
  'provider ends early': {
    place: 'provider',
    says: 'a provider tells the end of a call before what was said',
  },
  'provider never ends': { place: 'provider', says: 'a provider does not end a call within an hour' },
  'provider tells twice': { place: 'provider', says: 'a provider tells the end of a call twice' },
  'receiver fails': { place: 'receiver', says: 'a receiver answers 500 or 503' },
  'receiver busy': { place: 'receiver', says: 'a receiver answers 429' },
  'receiver redirects': { place: 'receiver', says: 'a receiver answers 302' },
  'receiver refuses': { place: 'receiver', says: 'a receiver answers 404' },
  'receiver gone': { place: 'receiver', says: 'a receiver answers 410' },
  'receiver hangs': { place: 'receiver', says: 'a receiver does not answer' },
  'gate slow': { place: 'gate', says: 'a gate answers after 5 to 20 s' },
  'gate fails': { place: 'gate', says: 'a gate answers 503' },
  'gate nonsense': { place: 'gate', says: 'a gate answers what means nothing' },
  'gate contradicts': { place: 'gate', says: 'a gate answers yes and no' },
  'move begun': { place: 'people', says: 'a company begins to move while a call is open' },
  'move aborted': { place: 'people', says: 'a move is aborted before it has switched' },
  'restore begun': { place: 'people', says: 'a company is restored while a call is open' },
  'restore undone': { place: 'people', says: 'a restore is undone' },
  'restore interrupted': { place: 'people', says: 'an object dies that restores a company' },
  'dialer changed': { place: 'people', says: 'settings of a dialer change while it has a live call' },
  'dialer deleted': { place: 'people', says: 'a dialer is deleted while it has a live call' },
  'key revoked': { place: 'people', says: 'a key that was used is revoked' },
  'member removed': { place: 'people', says: 'a member who has read is removed, or may do less' },
  'answered 503': { place: 'answer', says: 'the service answers 503: a part of it does not answer in time' },
} as const satisfies Readonly<Record<string, Fault>>

export type PlannedName = keyof typeof planned
export type FaultName = PlannedName | keyof typeof met
export const faults: Readonly<Record<FaultName, Fault>> = { ...planned, ...met }
/** Those that a story plans. */
export const faultNames = Object.keys(planned) as readonly PlannedName[]
export const countedNames = Object.keys(faults) as readonly FaultName[]
