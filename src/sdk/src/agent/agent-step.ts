// Decides what an agent does next, from its calls and the clock: one request, or a wait. Pure.

export type Progress = {
  /** `undialled`: the call ended without a phone call. */
  state: 'ready' | 'going' | 'ended' | 'undialled'
  /** Why the service says that it should end. */
  stop: string | null
  /** After that it must not be dialled: its lease or its hours are over. */
  dialBeforeMs: number
  /** Half of its lease. */
  extendsAtMs: number
  /** When the service last confirmed that it may be dialled. */
  confirmedAtMs: number
  /** Whether the service knows that it is dialled: see `note`. */
  isNoted: boolean
}

export type Situation = {
  /** Calls at once. */
  readonly concurrency: number
  /** How many leads it may hold, those on the phone included, without those that an open claim asks for. */
  readonly places: number
  /** When the next claim is useful, by the service. Never while one is open. */
  readonly claimsAtMs: number
  /** Claims and reports wait until then, so that the rate limit is never used up. */
  readonly pacedAtMs: number
  readonly isEnding: boolean
  /** Whether each dial is noted at the service before, for a later run of the agent. */
  readonly notesDials: boolean
}

export type Step<Of extends Progress> =
  /** `note`: extends them, and reports them as dialled, just before dialling. */
  | { readonly kind: 'release' | 'extend' | 'note'; readonly flights: readonly Of[] }
  /** Includes a claim, unless the limit is 0. */
  | { readonly kind: 'report'; readonly flights: readonly Of[]; readonly claimLimit: number }
  | { readonly kind: 'claim'; readonly claimLimit: number }
  | { readonly kind: 'rest'; readonly untilMs: number }

/** In one request. */
export const maxCalls = 100

/**
 * A number may be suppressed meanwhile: a lead that waited longer is extended before it is dialled, which asks the
 * service.
 */
const freshForMs = 5_000

/** Whether it has to be released. */
function isUndialled({ state, stop, dialBeforeMs }: Progress, nowMs: number, isEnding: boolean): boolean {
  return state === 'undialled' || (state === 'ready' && (isEnding || stop !== null || dialBeforeMs < nowMs))
}

/** The calls to dial next: `fresh` ones now, `stale` ones after the service has confirmed them again. */
export function toDial<Of extends Progress>(
  flights: readonly Of[],
  { concurrency, isEnding, notesDials }: Pick<Situation, 'concurrency' | 'isEnding' | 'notesDials'>,
  nowMs: number,
): { readonly fresh: readonly Of[]; readonly stale: readonly Of[] } {
  const free = concurrency - flights.filter(({ state }) => state === 'going').length
  const next = flights
    .filter((one) => one.state === 'ready' && !isUndialled(one, nowMs, isEnding))
    .slice(0, Math.max(0, free))
  const isFresh = ({ confirmedAtMs, isNoted }: Of) =>
    nowMs - confirmedAtMs <= freshForMs && (isNoted || !notesDials)
  return { fresh: next.filter(isFresh), stale: next.filter((one) => !isFresh(one)) }
}

/** How many more leads it may hold when it has, or has asked for, so many. */
const freePlaces = (held: number, { places, isEnding }: Situation) =>
  isEnding ? 0 : Math.min(maxCalls, Math.max(0, places - held))

/** How many leads to claim now, by themselves. */
export function nextClaim(held: number, situation: Situation, nowMs: number): number {
  return Math.max(situation.claimsAtMs, situation.pacedAtMs) <= nowMs ? freePlaces(held, situation) : 0
}

export function nextStep<Of extends Progress>(
  flights: readonly Of[],
  situation: Situation,
  nowMs: number,
): Step<Of> {
  const { claimsAtMs, pacedAtMs, isEnding } = situation
  const undialled = flights.filter((one) => isUndialled(one, nowMs, isEnding))
  if (undialled.length > 0) return { kind: 'release', flights: undialled.slice(0, maxCalls) }
  // Before claims and reports, which can wait: a lost lease cannot be regained.
  const open = flights.filter(({ state }) => state !== 'ended')
  const { stale } = toDial(flights, situation, nowMs)
  const expiring = open.filter((one) => one.extendsAtMs <= nowMs || stale.includes(one))
  if (situation.notesDials && stale.length > 0) return { kind: 'note', flights: stale.slice(0, maxCalls) }
  if (expiring.length > 0) return { kind: 'extend', flights: expiring.slice(0, maxCalls) }

  const reported = flights.filter(({ state }) => state === 'ended').slice(0, maxCalls)
  const free = freePlaces(flights.length - reported.length, situation)
  // A report changes the queue, so the last answer about it no longer holds: each includes a claim.
  if (reported.length > 0 && (isEnding || pacedAtMs <= nowMs))
    return { kind: 'report', flights: reported, claimLimit: free }
  const claimLimit = nextClaim(flights.length, situation, nowMs)
  if (claimLimit > 0) return { kind: 'claim', claimLimit }
  const untilMs = Math.min(
    ...open.map(({ extendsAtMs }) => extendsAtMs),
    ...flights.filter(({ state }) => state === 'ready').map(({ dialBeforeMs }) => dialBeforeMs + 1),
    ...(reported.length > 0 ? [pacedAtMs] : []),
    ...(free > 0 ? [Math.max(claimsAtMs, pacedAtMs)] : []),
  )
  return { kind: 'rest', untilMs }
}
