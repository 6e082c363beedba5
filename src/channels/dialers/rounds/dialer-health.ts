// What follows for a dialer from each verdict on a start and each end of a call: whether it starts more, rests, or
// stops. A state machine. Pure.
//
//   what happened                         what follows
//   not dialled: account                  stopped (account), until it is changed or enabled
//   not dialled: busy                     rests (busy) for Retry-After, else 30 s; twice as long each time, at most 5
//                                         minutes, until a start succeeds
//   not dialled: lead, 3 in a row         stopped (refusing): the template is wrong
//   may have rung, 3 in a row             rests (no_answer) 1, 2, 4, at most 15 minutes, then tries one
//   failed or abandoned, 10 in a row      rests (failing) as long: a broken voice key must not ring everybody once
//   started                               ends the counting of refusals, doubts and rests; a call that a status
//                                         later calls not dialled was no start, and gives the refusals and rests
//                                         before it back
import type { ReportedOutcome } from '../../../queue/campaigns/outcomes.ts'
import type { NotDialled } from '../template/template.ts'

const [secondMs, minuteMs] = [1_000, 60_000]
const busyRestMs = 30 * secondMs
const busyRestMaxMs = 5 * minuteMs
const refusalsThatStop = 3
const doubtsThatRest = 3
const faultsThatRest = 10
const restMaxMs = 15 * minuteMs

export type StopReason = 'account' | 'refusing' | 'key_revoked'
type RestReason = 'busy' | 'no_answer' | 'failing'

/** Also after it was changed or enabled. */
export const wellDialer = {
  /** Leads that the provider refused, in a row. */
  refusals: 0,
  /** Starts that may have rung, in a row. */
  doubts: 0,
  /** Calls that failed or were abandoned, in a row. */
  faults: 0,
  /** Rests in a row, of any reason, that a try followed which went no better. */
  rests: 0,
  rest: null as { readonly reason: RestReason; readonly untilMs: number } | null,
  stopped: null as StopReason | null,
}

export type DialerHealth = Readonly<typeof wellDialer>

export type DialerFact =
  | { readonly kind: 'started' }
  | { readonly kind: 'may_have_rung' }
  /** `before`: the refusals and rests that its start ended. Null: the start itself was refused. */
  | {
      readonly kind: 'not_dialled'
      readonly because: NotDialled
      readonly retryAfterMs: number | null
      readonly before: Pick<DialerHealth, 'refusals' | 'rests'> | null
    }
  | { readonly kind: 'ended'; readonly outcome: ReportedOutcome }
  | { readonly kind: 'key_revoked' }

export function afterFact(before: DialerHealth, fact: DialerFact, nowMs: number): DialerHealth {
  switch (fact.kind) {
    case 'started':
      return { ...before, refusals: 0, doubts: 0, rests: before.faults < faultsThatRest ? 0 : before.rests }
    case 'may_have_rung': {
      const doubts = before.doubts + 1
      const doubtful = { ...before, doubts }
      return doubts < doubtsThatRest ? doubtful : restLonger(doubtful, 'no_answer', nowMs)
    }
    case 'ended': {
      const isFault = fact.outcome === 'failed' || fact.outcome === 'abandoned'
      const restedForFaults = before.faults >= faultsThatRest && before.doubts < doubtsThatRest
      if (!isFault) return { ...before, faults: 0, rests: restedForFaults ? 0 : before.rests }
      const faulty = { ...before, faults: before.faults + 1 }
      return faulty.faults < faultsThatRest ? faulty : restLonger(faulty, 'failing', nowMs)
    }
    case 'not_dialled':
      return afterRefusal(before, fact, nowMs)
    case 'key_revoked':
      return { ...before, stopped: 'key_revoked' }
  }
}

function afterRefusal(
  health: DialerHealth,
  { because, retryAfterMs, before }: Extract<DialerFact, { kind: 'not_dialled' }>,
  nowMs: number,
): DialerHealth {
  const refusals = health.refusals + (before?.refusals ?? 0)
  if (because === 'account') return { ...health, refusals, stopped: health.stopped ?? 'account' }
  if (because === 'busy')
    return restBusy(
      { ...health, refusals, rests: Math.max(health.rests, before?.rests ?? 0) },
      retryAfterMs,
      nowMs,
    )
  const refused = { ...health, refusals: refusals + 1 }
  return refused.refusals < refusalsThatStop ? refused : { ...refused, stopped: health.stopped ?? 'refusing' }
}

/** Starts that were sent beside each other count as one. */
function restBusy(health: DialerHealth, retryAfterMs: number | null, nowMs: number): DialerHealth {
  const leastMs = retryAfterMs ?? busyRestMs
  if (isResting(health, nowMs)) return { ...health, rest: later(health.rest, 'busy', nowMs + leastMs) }
  const restMs = Math.max(leastMs, Math.min(leastMs * 2 ** health.rests, busyRestMaxMs))
  return { ...health, rests: health.rests + 1, rest: later(health.rest, 'busy', nowMs + restMs) }
}

/** Calls begun before the rest do not extend it. */
function restLonger(health: DialerHealth, reason: RestReason, nowMs: number): DialerHealth {
  if (isResting(health, nowMs) && health.rest?.reason !== 'busy') return health
  const restMs = Math.min(minuteMs * 2 ** health.rests, restMaxMs)
  return { ...health, rests: health.rests + 1, rest: later(health.rest, reason, nowMs + restMs) }
}

function later(rest: DialerHealth['rest'], reason: RestReason, untilMs: number): DialerHealth['rest'] {
  return rest !== null && rest.untilMs >= untilMs ? rest : { reason, untilMs }
}

export const isResting = ({ rest }: DialerHealth, nowMs: number) => rest !== null && rest.untilMs > nowMs

/** How many calls it may start now. `trying`: calls that were started since its last rest, and have not ended. */
export function startsAllowed(health: DialerHealth, trying: number, nowMs: number): number {
  if (health.stopped !== null || isResting(health, nowMs)) return 0
  const isTrying = health.doubts >= doubtsThatRest || health.faults >= faultsThatRest
  return isTrying ? Math.max(1 - trying, 0) : Number.POSITIVE_INFINITY
}
