// What an agent does next, from its calls and the clock: one request, or a rest. Pure.

export type Progress = {
  /** `undialled`: whoever was to dial did not. */
  state: 'ready' | 'going' | 'ended' | 'undialled'
  /** Why the service wants it to end. */
  stop: string | null
  /** After that it may no longer be dialled: its lease is over, or its hours are. */
  dialBeforeMs: number
  /** When half of its lease is over. */
  extendsAtMs: number
  /** When the service last said that it may be dialled. */
  saidAtMs: number
}

export type Situation = {
  /** Calls at once. */
  readonly concurrency: number
  /** How many leads it may have at hand, those on the phone included. */
  readonly places: number
  /** When the service wants to be asked for leads again. */
  readonly claimsAtMs: number
  /** What can wait waits until then, so that the rate limit is never spent. */
  readonly pacedAtMs: number
  readonly isEnding: boolean
}

export type Step<Of extends Progress> =
  | { readonly kind: 'release' | 'extend'; readonly flights: readonly Of[] }
  /** A claim goes with it, unless the limit is 0. */
  | { readonly kind: 'report'; readonly flights: readonly Of[]; readonly claimLimit: number }
  | { readonly kind: 'claim'; readonly claimLimit: number }
  | { readonly kind: 'rest'; readonly untilMs: number }

/** Of calls in one request. */
export const mostCalls = 100

/** A number may have been suppressed since: a lead that was at hand for longer is asked about before it is dialled. */
const freshForMs = 5_000

/** Whether it has to be given back. */
export function isUndialled(
  { state, stop, dialBeforeMs }: Progress,
  nowMs: number,
  isEnding: boolean,
): boolean {
  return state === 'undialled' || (state === 'ready' && (isEnding || stop !== null || dialBeforeMs < nowMs))
}

/** Those that have somebody to dial them: `fresh` at once, `stale` once the service has said again that they may be. */
export function toDial<Of extends Progress>(
  flights: readonly Of[],
  { concurrency, isEnding }: Pick<Situation, 'concurrency' | 'isEnding'>,
  nowMs: number,
): { readonly fresh: readonly Of[]; readonly stale: readonly Of[] } {
  const free = concurrency - flights.filter(({ state }) => state === 'going').length
  const next = flights
    .filter((one) => one.state === 'ready' && !isUndialled(one, nowMs, isEnding))
    .slice(0, Math.max(0, free))
  const isFresh = ({ saidAtMs }: Of) => nowMs - saidAtMs <= freshForMs
  return { fresh: next.filter(isFresh), stale: next.filter((one) => !isFresh(one)) }
}

export function nextStep<Of extends Progress>(
  flights: readonly Of[],
  situation: Situation,
  nowMs: number,
): Step<Of> {
  const { places, claimsAtMs, pacedAtMs, isEnding } = situation
  const undialled = flights.filter((one) => isUndialled(one, nowMs, isEnding))
  if (undialled.length > 0) return { kind: 'release', flights: undialled.slice(0, mostCalls) }
  // Before all else that can wait: a lease that is lost is lost.
  const goingOn = flights.filter(({ state }) => state !== 'ended')
  const { stale } = toDial(flights, situation, nowMs)
  const expiring = goingOn.filter((one) => one.extendsAtMs <= nowMs || stale.includes(one))
  if (expiring.length > 0) return { kind: 'extend', flights: expiring.slice(0, mostCalls) }

  const reported = flights.filter(({ state }) => state === 'ended').slice(0, mostCalls)
  const free = isEnding ? 0 : Math.min(mostCalls, Math.max(0, places - (flights.length - reported.length)))
  if (isEnding || pacedAtMs <= nowMs) {
    // A report changes what was said of the queue: so a claim goes with each.
    if (reported.length > 0) return { kind: 'report', flights: reported, claimLimit: free }
    if (free > 0 && claimsAtMs <= nowMs) return { kind: 'claim', claimLimit: free }
  }
  const untilMs = Math.min(
    ...goingOn.map(({ extendsAtMs }) => extendsAtMs),
    ...flights.filter(({ state }) => state === 'ready').map(({ dialBeforeMs }) => dialBeforeMs + 1),
    ...(reported.length > 0 ? [pacedAtMs] : []),
    ...(free > 0 ? [Math.max(claimsAtMs, pacedAtMs)] : []),
  )
  return { kind: 'rest', untilMs }
}
