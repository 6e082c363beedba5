// What an agent does next, from its calls in flight and the clock: one request, or a rest. Pure.
import { limits } from '../../limits.ts'

/** A call in flight. Nobody has dialled before `dialsAtMs`. */
export type Flight = {
  readonly dialsAtMs: number
  /** After that it may no longer be dialled: its lease is over, or its hours are. */
  readonly dialBeforeMs: number
  readonly endsAtMs: number
  /** When half of its lease is over. */
  readonly extendsAtMs: number
}

export type Step<Of extends Flight> =
  | { readonly kind: 'release' | 'extend'; readonly flights: readonly Of[] }
  /** A claim goes with it, unless the limit is 0. */
  | { readonly kind: 'report'; readonly flights: readonly Of[]; readonly claimLimit: number }
  | { readonly kind: 'claim'; readonly claimLimit: number }
  | { readonly kind: 'rest'; readonly untilMs: number }

export const isDialled = ({ dialsAtMs }: Flight, nowMs: number) => dialsAtMs <= nowMs

/** `claimsAtMs`: when the service wants to be asked again. */
export function nextStep<Of extends Flight>(
  flights: readonly Of[],
  { concurrency, claimsAtMs }: { readonly concurrency: number; readonly claimsAtMs: number },
  nowMs: number,
): Step<Of> {
  const inOneRequest = (some: readonly Of[]) => some.slice(0, limits.callsPerRequest)
  const hasEnded = ({ endsAtMs }: Of) => endsAtMs <= nowMs
  const undialled = flights.filter(
    (one) => !isDialled(one, nowMs) && (hasEnded(one) || one.dialsAtMs > one.dialBeforeMs),
  )
  if (undialled.length > 0) return { kind: 'release', flights: inOneRequest(undialled) }
  const ended = flights.filter(hasEnded)
  const goingOn = flights.filter((one) => !hasEnded(one))
  // Before all else that can wait: a lease that is lost is lost.
  const expiring = goingOn.filter(({ extendsAtMs }) => extendsAtMs <= nowMs)
  if (expiring.length > 0) return { kind: 'extend', flights: inOneRequest(expiring) }
  const reported = inOneRequest(ended)
  const free = Math.max(0, concurrency - (flights.length - reported.length))
  // A report changes what was said of the queue: so a claim goes with each.
  if (reported.length > 0) return { kind: 'report', flights: reported, claimLimit: free }
  if (free > 0 && claimsAtMs <= nowMs) return { kind: 'claim', claimLimit: free }
  const untilMs = Math.min(
    ...(free > 0 ? [claimsAtMs] : []),
    ...goingOn.flatMap(({ endsAtMs, extendsAtMs }) => [endsAtMs, extendsAtMs]),
  )
  return { kind: 'rest', untilMs }
}
