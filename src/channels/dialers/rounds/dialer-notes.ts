// What a dialer notes of itself while its calls go on: how its provider is, the last problem, the requests that it has
// sent. Of a call of former settings, nothing.
import type { DialerCall } from '../dialer-call.ts'
import type { DialerMemory, Problem } from '../dialer-memory.ts'
import type { Asked, Started } from '../provider.ts'
import { type Bodies, type Exchange, type Seen, testPrefix } from '../trace.ts'
import { afterFact, type DialerFact, isResting } from './dialer-health.ts'

export function noteFact(memory: DialerMemory, fact: DialerFact, nowMs: number): void {
  const { health: before, healthSinceMs } = memory.state
  const health = afterFact(before, fact, nowMs)
  const isUnwell = health.stopped !== null || isResting(health, nowMs)
  const wasSame =
    healthSinceMs !== null && before.stopped === health.stopped && before.rest?.reason === health.rest?.reason
  memory.change({ health, healthSinceMs: !isUnwell ? null : wasSame ? healthSinceMs : nowMs })
}

/** What a call of former settings comes to says nothing of the present ones. Those of version 2.0.0 count. */
const isOfPresent = ({ state }: DialerMemory, { version }: DialerCall) =>
  version === null || version === state.version

export function noteFactOf(memory: DialerMemory, call: DialerCall, fact: DialerFact, nowMs: number): void {
  if (isOfPresent(memory, call)) noteFact(memory, fact, nowMs)
}

/** The provider's words may name the person. */
export function noteProblem(
  memory: DialerMemory,
  { leadId, isErased }: DialerCall,
  problem: Problem | null,
): void {
  if (problem !== null && !isErased) memory.change({ problem: { ...problem, leadId } })
}

export function stopWithoutSecrets(memory: DialerMemory, nowMs: number): void {
  const message = 'The secrets cannot be decrypted. Set them again'
  memory.change({ problem: { atMs: nowMs, status: null, code: 'secrets_lost', message } })
  noteFact(memory, { kind: 'not_dialled', because: 'account', retryAfterMs: null, before: null }, nowMs)
}

type Exchanged = {
  readonly seen: Seen | null
  readonly verdict: string
  readonly show?: (() => Bodies | undefined) | undefined
}

/** Of a call's status, only changes are noted. `show` is asked of test calls alone. */
export function noteExchange(
  { trace }: DialerMemory,
  step: Exchange['step'],
  { callId, leadId, isErased }: Pick<DialerCall, 'callId' | 'leadId' | 'isErased'>,
  { seen, verdict, show }: Exchanged,
  atMs: number,
): void {
  if (seen === null || isErased || (step === 'status' && trace.lastOf(callId)?.verdict === verdict)) return
  const bodies = callId.startsWith(testPrefix) ? show?.() : undefined
  trace.add({ atMs, step, callId, leadId, ...seen, verdict, ...(bodies && { bodies }) })
}

/** In the words of the trace. */
export const verdictOf = (verdict: Started['verdict']): string =>
  verdict.kind === 'not_dialled' ? `not_dialled:${verdict.because}` : verdict.kind

export function standingOf({ standing, ringing }: Pick<Asked, 'standing' | 'ringing'>): string {
  if (standing === 'unreadable') return standing
  if (standing === null) return ringing === null ? 'live' : 'ringing'
  const { notDialled, outcome, isUnknown } = standing.end
  return isUnknown ? 'unknown' : notDialled === null ? outcome : `not_dialled:${notDialled}`
}

export function noteFailing(memory: DialerMemory, error: unknown, nowMs: number): void {
  memory.change({ failing: { reason: nameOf(error), atMs: nowMs } })
}

export const nameOf = (error: unknown) => (error instanceof Error ? error.name.slice(0, 64) : 'Error')
