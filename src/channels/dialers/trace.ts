// What a dialer remembers of its requests to the provider, for people: the last 200 that say something, for a day. Ids
// and times, and what the provider answered without secrets and digits: no number. Only test calls have bodies.
import { limits } from '../../base/limits.ts'
import type { GatheredStorage } from './rounds/gathered-storage.ts'

/** What came of one request. `httpStatus` null: no answer. */
export type Seen = {
  readonly httpStatus: number | null
  readonly milliseconds: number
  readonly message: string | null
}

export const traceSteps = {
  start: 'a call was started',
  status: 'what a call is has changed',
  hangUp: 'a call was hung up',
  check: 'the credentials were checked',
  test: 'a test call was started',
  ask: 'a gate was asked',
} as const

/** How the id of a test call begins. */
export const testPrefix = 'test-'

/** Of a test call: what was sent and answered, without headers, secrets and digits. */
export type Bodies = { readonly request: string; readonly answer: string | null }

/** The verdict on a start, whether a hang-up or a check was taken, or what a call is: its outcome once it is over. */
export type Exchange = Seen & {
  readonly atMs: number
  readonly step: keyof typeof traceSteps
  readonly callId: string | null
  readonly leadId: string | null
  readonly verdict: string
  readonly bodies?: Bodies | undefined
}

const traceKeptMs = limits.dayMs
const maxExchanges = 200
const prefix = 'trace:'

/** Many have one time, since the clock of an object stands between two awaits. */
type Kept = Exchange & { readonly nth: number }

/** So many wait in memory for the end of a call at most. */
const maxWaiting = 20

/**
 * What was seen since the last call ended is stored as one row, in places that are used by turns: so no more are ever
 * stored. Before 2.2 each was a row.
 */
export function openTrace(kv: GatheredStorage) {
  const rows = [...kv.list<Kept | readonly Kept[]>({ prefix })]
  const keyOf = new Map(rows.flatMap(([key, row]) => [row].flat().map((one) => [one as Kept, key] as const)))
  let kept: readonly Kept[] = [...keyOf.keys()].sort((one, other) => one.nth - other.nth).slice(-maxExchanges)
  let waiting: readonly Kept[] = []
  let last = kept.at(-1)?.nth ?? 0
  const drop = (isDue: (one: Exchange) => boolean) => {
    const dropped = kept.filter(isDue)
    if (dropped.length === 0) return
    kept = kept.filter((one) => !isDue(one))
    waiting = waiting.filter((one) => !isDue(one))
    for (const key of new Set(dropped.flatMap((one) => keyOf.get(one) ?? []))) {
      const left = kept.filter((one) => keyOf.get(one) === key)
      if (left.length === 0) kv.delete(key)
      else kv.put(key, left)
    }
    for (const one of dropped) keyOf.delete(one)
  }
  const save = () => {
    const [first] = waiting
    if (first === undefined) return
    const key = `${prefix}${first.nth % maxExchanges}`
    for (const one of waiting) keyOf.set(one, key)
    kv.put(key, waiting)
    waiting = []
  }
  return {
    add(exchange: Exchange): void {
      last++
      const numbered = { ...exchange, nth: last }
      for (const gone of kept.slice(0, -(maxExchanges - 1))) keyOf.delete(gone)
      kept = [...kept.slice(-(maxExchanges - 1)), numbered]
      waiting = [...waiting, numbered]
      if (waiting.length >= maxWaiting) save()
    },
    /** Stores what was seen. */
    save,
    forgetOld: (nowMs: number) => drop(({ atMs }) => atMs <= nowMs - traceKeptMs),
    forgetLeads: (leadIds: ReadonlySet<string>) =>
      drop(({ leadId }) => leadId !== null && leadIds.has(leadId)),
    /** What a call was last seen to be. */
    lastOf: (callId: string): Exchange | undefined =>
      kept.findLast((one) => one.callId === callId && one.step !== 'hangUp'),
    /** Newest first. */
    list: (): readonly Exchange[] => kept.toReversed(),
    /** When the oldest is to be forgotten. Infinity: there is none. */
    get forgetsAtMs(): number {
      const [oldest] = kept
      return oldest === undefined ? Number.POSITIVE_INFINITY : oldest.atMs + traceKeptMs
    },
  }
}
