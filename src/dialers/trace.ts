// What a dialer remembers of its requests to the provider, for people: the last 200 that say something, for a day. Ids and
// times, and what the provider answered without secrets and digits: no number and no body.
import { limits } from '../limits.ts'

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
} as const

/** The verdict on a start, whether a hang-up or a check was taken, or what a call is: its outcome once it is over. */
export type Exchange = Seen & {
  readonly atMs: number
  readonly step: keyof typeof traceSteps
  readonly callId: string | null
  readonly leadId: string | null
  readonly verdict: string
}

const traceKeptMs = limits.dayMs
const maxExchanges = 200
const prefix = 'trace:'

/** Many have one time, since the clock of an object stands between two awaits. */
type Kept = Exchange & { readonly nth: number }

/** In places that are used by turns: so no more are ever stored. */
export function openTrace(kv: SyncKvStorage) {
  const kept = new Map([...kv.list<Kept>({ prefix })].sort(([, one], [, other]) => one.nth - other.nth))
  let last = [...kept.values()].at(-1)?.nth ?? 0
  const drop = (isDue: (one: Exchange) => boolean) => {
    for (const [key, one] of kept)
      if (isDue(one)) {
        kept.delete(key)
        kv.delete(key)
      }
  }
  return {
    add(exchange: Exchange): void {
      last++
      const key = `${prefix}${last % maxExchanges}`
      const numbered = { ...exchange, nth: last }
      kept.delete(key)
      kept.set(key, numbered)
      kv.put(key, numbered)
    },
    forgetOld: (nowMs: number) => drop(({ atMs }) => atMs <= nowMs - traceKeptMs),
    forgetLeads: (leadIds: ReadonlySet<string>) =>
      drop(({ leadId }) => leadId !== null && leadIds.has(leadId)),
    /** What a call was last seen to be. */
    lastOf: (callId: string): Exchange | undefined =>
      [...kept.values()].findLast((one) => one.callId === callId && one.step !== 'hangUp'),
    /** Newest first. */
    list: (): readonly Exchange[] => [...kept.values()].reverse(),
    /** When the oldest is to be forgotten. Infinity: there is none. */
    get forgetsAtMs(): number {
      const [oldest] = kept.values()
      return oldest === undefined ? Number.POSITIVE_INFINITY : oldest.atMs + traceKeptMs
    },
  }
}
