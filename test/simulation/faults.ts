// What goes wrong in a world. Each fault is planned with the story: at which step of which action, or at which time.
// Each must have happened at least once over 2,000 worlds.

/** Where a fault is met: a step of a request, the request itself, or a time of the world. */
export type FaultPlace = 'd1' | 'rpc' | 'fetch' | 'object' | 'client' | 'time'

type Fault = {
  readonly place: FaultPlace
  /** At a step: instead of it, or in place of its answer. */
  readonly when?: 'before' | 'after'
  readonly error?: () => Error
  readonly delayMs?: number
  /** In a story. */
  readonly says: string
}

export type PlannedFault = {
  readonly name: FaultName
  /** Of the story. Null: at a time. */
  readonly action: number | null
  /** Which step of its place, from 1. */
  readonly step: number
  readonly atMs: number
}

const lost = () => new Error('D1_ERROR: Network connection lost.')
const reset = () => Object.assign(new Error('Network connection lost.'), { retryable: true })

const table = {
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

export type FaultName = keyof typeof table
export const faults: Readonly<Record<FaultName, Fault>> = table
export const faultNames = Object.keys(table) as readonly FaultName[]
