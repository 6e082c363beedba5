// What follows for a dialer from each verdict on a start and each end of a call: whether it starts more, rests, or stops.
// A state machine. Pure.
//
//   what happened                         what follows
//   not dialled: account                  stopped (account), until it is changed or enabled
//   not dialled: busy                     rests (busy) for Retry-After, else 30 s
//   not dialled: lead, 3 in a row         stopped (refusing): the template is wrong
//   may have rung, 3 in a row             rests (no_answer) 1, 2, 4, at most 15 minutes, then tries one
//   failed or abandoned, 10 in a row      rests (failing) as long: a broken voice key must not ring everybody once
//   started                               ends the first two rows of counting; a call that a status later calls not
//                                         dialled was no start, and gives the refusals before it back
import type { ReportedOutcome } from '../../campaigns/outcomes.ts'
import type { NotDialled } from '../template/template.ts'

const [secondMs, minuteMs] = [1_000, 60_000]
const busyRestMs = 30 * secondMs
const refusalsThatStop = 3
const doubtsThatRest = 3
const faultsThatRest = 10
const restMaxMs = 15 * minuteMs

export type StopReason = 'account' | 'refusing' | 'key_revoked'
type RestReason = 'busy' | 'no_answer' | 'failing'

export type DialerHealth = {
  /** Leads that the provider refused, in a row. */
  readonly refusals: number
  /** Starts that may have rung, in a row. */
  readonly doubts: number
  /** Calls that failed or were abandoned, in a row. */
  readonly faults: number
  /** Rests in a row that a try followed which went no better. */
  readonly rests: number
  readonly rest: { readonly reason: RestReason; readonly untilMs: number } | null
  readonly stopped: StopReason | null
}

/** Also after it was changed or enabled. */
export const wellDialer: DialerHealth = {
  refusals: 0,
  doubts: 0,
  faults: 0,
  rests: 0,
  rest: null,
  stopped: null,
}

export type DialerFact =
  | { readonly kind: 'started' }
  | { readonly kind: 'may_have_rung' }
  /** `refusalsBefore`: those that its start ended. Null: the start itself was refused. */
  | {
      readonly kind: 'not_dialled'
      readonly because: NotDialled
      readonly retryAfterMs: number | null
      readonly refusalsBefore: number | null
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
      if (!isFault) return { ...before, faults: 0, rests: before.doubts < doubtsThatRest ? 0 : before.rests }
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
  before: DialerHealth,
  { because, retryAfterMs, refusalsBefore }: Extract<DialerFact, { kind: 'not_dialled' }>,
  nowMs: number,
): DialerHealth {
  const refusals = before.refusals + (refusalsBefore ?? 0)
  if (because === 'account') return { ...before, refusals, stopped: before.stopped ?? 'account' }
  if (because === 'busy')
    return { ...before, refusals, rest: later(before.rest, 'busy', nowMs + (retryAfterMs ?? busyRestMs)) }
  const refused = { ...before, refusals: refusals + 1 }
  return refused.refusals < refusalsThatStop ? refused : { ...refused, stopped: before.stopped ?? 'refusing' }
}

/** What is told while it rests already, of calls that began before, makes the rest no longer. */
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
