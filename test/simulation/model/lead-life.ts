// What becomes of a lead by its calls: a naive scheduler, which knows rows and settings, and no statement of the
// service.
import type { Settings } from '../cast.ts'
import type { Call } from '../observed.ts'
import type { CallMove } from './calls.ts'
import { type Known, settingsAt } from './known.ts'
import type { Move } from './moves.ts'
import type { LeadSeen } from './seen.ts'

/** As the description of the API says. */
const releaseDelaySeconds = 60

/** From when until when a moment may be; both are the same where it is known. */
export type Span = readonly [fromMs: number, toMs: number]

/** What is judged of a lead. */
export type Life = Pick<LeadSeen, 'status' | 'attempts' | 'forgiven' | 'rank'> & {
  /** The claim that its last call is of. */
  readonly token: string | null
  readonly due: Span | null
  readonly held: Span | null
  readonly isLeased: boolean
}

export const at = (ms: number): Span => [ms, ms]
export const lifeOf = (lead: LeadSeen): Life => ({
  ...{ status: lead.status, attempts: lead.attempts, forgiven: lead.forgiven, rank: lead.rank },
  ...{ token: lead.token, isLeased: lead.leaseExpiresAtMs !== null },
  due: lead.dueAtMs === null ? null : at(lead.dueAtMs),
  held: lead.heldAtMs === null ? null : at(lead.heldAtMs),
})

export const appointment = 101
const minuteMs = 60_000
/** An agreed time that has passed so long ago is none. */
const callbackMaxAgeMs = 3_600_000
const longestDelayMs = 86_400_000

const classes: Readonly<Record<string, string>> = {
  ...{ answered: 'done', not_interested: 'done', callback_requested: 'appointment' },
  ...{ wrong_number: 'dead', invalid_number: 'dead', do_not_call: 'dead' },
}
const waits: Readonly<Record<string, number>> = { busy: 15, voicemail: 240, failed: 30, abandoned: 4320 }

/** Of a campaign, which may have changed it. */
export const ruleOf = ({ outcomes }: Settings, outcome: string) => ({
  class: outcomes[outcome]?.class ?? classes[outcome] ?? 'retry',
  minutes: outcomes[outcome]?.minutes ?? waits[outcome] ?? 60,
})

export const isFinal = (status: string) => status === 'exhausted' || status === 'concluded'
const isEnd = (kind: string) => kind === 'done' || kind === 'dead'

/** All that a rule looks at. */
export type Scene = {
  readonly lead: LeadSeen
  readonly settings: Settings
  /** Other calls of the lead, as they were before the transaction. */
  readonly others: (
    than: Call,
  ) => readonly Pick<Call, 'attempt' | 'inbound' | 'isDone' | 'isLate' | 'outcome'>[]
  readonly isSuppressed: boolean
  /** Of a release. Null: nobody knows. */
  readonly delayMs: (call: Call) => number | null
}

export function sceneOf(move: Move, known: Known): Scene {
  const { company, campaign, after, moment, calls, seen, exchange, phone } = move
  const spellings = known.cast.phones[phone]?.spellings ?? []
  const own = known.calls.filter((one) => one.company === company && one.seq === after.seq)
  return {
    lead: after,
    settings: settingsAt(known, company, campaign, moment),
    others: (than) =>
      own
        .filter((one) => one !== than)
        .map((one) => ({ ...one, ...calls.find(({ call }) => call === one)?.was })),
    isSuppressed: seen.suppressed.some(
      (one) =>
        one.company === after.company &&
        (one.number === 0 || one.number === after.number) &&
        (one.phoneNumber === after.phoneNumber || spellings.includes(one.phoneNumber)),
    ),
    delayMs(call) {
      if (exchange?.operation !== 'releaseCalls') return null
      const named = exchange.body.calls.find((one: { callId: string }) => one.callId === call.callId)
      return named === undefined ? null : (named.delaySeconds ?? releaseDelaySeconds) * 1000
    },
  }
}

const isUsedUp = ({ attempts, forgiven }: Life, { maxAttempts }: Settings) =>
  attempts - forgiven >= maxAttempts

/** Calls since the last requeue, besides this one. */
function earlier(life: Life, call: Call, { others, settings }: Scene) {
  const isOnly = life.attempts - life.forgiven + (call.inbound === null ? 0 : 1) <= 1
  const since = isOnly
    ? []
    : others(call).filter((one) => one.attempt + (one.inbound === null ? 0 : 1) > life.forgiven)
  const isDead = ({ outcome }: Pick<Call, 'outcome'>) => ruleOf(settings, outcome ?? '').class === 'dead'
  return {
    hasReached: since.some(({ isDone }) => isDone),
    isKnownDead: since.some((one) => one.isLate && isDead(one)),
  }
}

const laterThan = ({ scheduledAtMs }: LeadSeen, ms: number) =>
  (scheduledAtMs ?? 0) > ms ? (scheduledAtMs as number) : null

function statusAfter(life: Life, call: Call, kind: string, scene: Scene): Life['status'] {
  const { settings, isSuppressed } = scene
  const before = call.inbound?.status as Life['status'] | undefined
  const { hasReached, isKnownDead } = earlier(life, call, scene)
  if (before !== undefined && isFinal(before) && !isEnd(kind))
    return kind === 'appointment' && !isUsedUp(life, settings) && !isSuppressed ? 'attempting' : before
  if (kind === 'done' || hasReached) return 'concluded'
  if (kind === 'dead' || isUsedUp(life, settings) || isSuppressed || isKnownDead) return 'exhausted'
  return life.attempts === 0 ? 'raw' : 'attempting'
}

const free = { held: null, isLeased: false } as const

/** By its latest call: reported, or over without a report. */
function afterOutcome(life: Life, { call, was }: CallMove, scene: Scene): Life {
  const { lead, settings } = scene
  const [outcome, endedAtMs] = [call.outcome as string, call.endedAtMs as number]
  const rule = ruleOf(settings, outcome)
  if (isFinal(life.status) && was?.endedLead !== true && !isEnd(rule.class)) return life
  const status = statusAfter(life, call, rule.class, scene)
  const agreedMs = rule.class === 'appointment' ? call.callbackAtMs : null
  const isPast = agreedMs !== null && agreedMs < endedAtMs - callbackMaxAgeMs
  const isAgreed = agreedMs !== null && !isPast
  const laterMs = laterThan(lead, endedAtMs)
  const rank = laterMs !== null || isAgreed ? appointment : lead.priority
  if (isFinal(status)) return status === life.status ? life : { ...life, ...free, status, rank, due: null }
  const { minutes } = isPast ? ruleOf(settings, 'no_answer') : rule
  const dueAtMs = isAgreed ? Math.max(agreedMs, endedAtMs) : (laterMs ?? endedAtMs + minutes * minuteMs)
  return { ...life, ...free, status, rank, due: at(dueAtMs) }
}

/** A call that the person made, and that nobody has reported, is over as if it had not been. */
function afterReturn(life: Life, { call }: CallMove, scene: Scene): Life {
  const { lead, isSuppressed } = scene
  const { status: before, dueAtMs, counts, returned } = call.inbound as NonNullable<Call['inbound']>
  const { hasReached, isKnownDead } = earlier(life, call, scene)
  const mustRest = before === 'attempting' && (isSuppressed || isKnownDead)
  const status = hasReached ? 'concluded' : mustRest ? 'exhausted' : (before as Life['status'])
  const endedAtMs = call.endedAtMs as number
  const laterMs = laterThan(lead, endedAtMs)
  const isOut = isFinal(status) || isSuppressed
  return {
    ...{ ...life, ...free, status, attempts: life.attempts - (returned ?? counts) },
    rank: laterMs === null ? life.rank : appointment,
    due: isOut ? null : at(laterMs ?? dueAtMs ?? endedAtMs),
  }
}

function afterRelease(life: Life, { call, was }: CallMove, scene: Scene): Life {
  const { lead, isSuppressed, delayMs } = scene
  const { inbound, endedAtMs: nowMs } = call as Call & { readonly endedAtMs: number }
  const attempts = life.attempts - (inbound?.counts ?? 1)
  const { hasReached, isKnownDead } = earlier(life, call, scene)
  const mustRest = isSuppressed || isKnownDead
  const status =
    inbound !== null
      ? afterReturn(life, { call, was }, scene).status
      : hasReached
        ? 'concluded'
        : attempts === 0
          ? 'raw'
          : mustRest
            ? 'exhausted'
            : 'attempting'
  const wasUnknown = was?.outcome === 'unknown'
  const ownRank = (lead.scheduledAtMs ?? 0) > lead.createdAtMs ? appointment : lead.priority
  const laterMs = laterThan(lead, nowMs)
  const rank =
    laterMs !== null
      ? appointment
      : wasUnknown && attempts === 0
        ? ownRank
        : wasUnknown && call.isAppointment
          ? appointment
          : life.rank
  const delay = delayMs(call)
  const [least, most] = [delay ?? 0, delay ?? longestDelayMs].map((ms) =>
    Math.max(inbound?.dueAtMs ?? 0, nowMs + ms),
  ) as [number, number]
  const due =
    isFinal(status) || isSuppressed ? null : laterMs !== null ? at(laterMs) : ([least, most] as const)
  return { ...life, ...free, attempts, status, rank, due }
}

/** A call that is not the latest ends a lead that would be called again. */
function afterLateReport(life: Life, { call }: CallMove, { settings }: Scene): Life {
  const kind = ruleOf(settings, call.outcome as string).class
  const counts = call.attempt + (call.inbound === null ? 0 : 1) > life.forgiven
  if (!isEnd(kind) || !counts || life.isLeased || isFinal(life.status)) return life
  return { ...life, status: kind === 'done' ? 'concluded' : 'exhausted', due: null, held: null }
}

function afterClaim(life: Life, { call }: CallMove): Life {
  const attempts = life.attempts + (call.inbound?.counts ?? 1)
  const { token } = call
  return { ...life, status: 'attempting', attempts, token, due: null, held: null, isLeased: true }
}

function afterCall(life: Life, move: CallMove, scene: Scene): Life {
  const { call, was } = move
  if (was === null) return afterClaim(life, move)
  if (call.token !== life.token)
    return call.outcome === 'released' ? life : afterLateReport(life, move, scene)
  if (call.outcome !== 'released') return afterOutcome(life, move, scene)
  return call.inbound?.returned === undefined
    ? afterRelease(life, move, scene)
    : afterReturn(life, move, scene)
}

/** The latest call first, then one that was done; what begins is last. */
const places = (token: string | null, settings: Settings) => (move: CallMove) =>
  move.was === null
    ? 3
    : move.call.token === token
      ? 0
      : ruleOf(settings, move.call.outcome ?? '').class === 'done'
        ? 1
        : 2

/** What its calls make of the lead. */
export function afterCalls(before: Life, calls: readonly CallMove[], scene: Scene): Life {
  const placeOf = places(before.token, scene.settings)
  return calls
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .reduce((life, move) => afterCall(life, move, scene), before)
}
