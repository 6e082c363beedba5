// What may become of a lead besides what its own calls make of it: each is one way, and what the lead is then.

import { phoneOf } from '../cast.ts'
import type { Call } from '../observed.ts'
import { consentFor } from './consent-judge.ts'
import type { Known } from './known.ts'
import { appointment, at, isFinal, type Life, lifeOf, type Scene, type Span } from './lead-life.ts'
import type { Move } from './moves.ts'
import { callsOfPhone, isHazy, limitsOf } from './phone-limits.ts'

/** What the service may have taken for now. */
export function nowOf({ exchange, nowMs }: Move, { jumpedMs }: Known): Span {
  return [(exchange?.sentMs ?? nowMs - 120_000) - jumpedMs, nowMs + jumpedMs]
}

const notBefore = (ms: number, [fromMs, toMs]: Span): Span => [Math.max(ms, fromMs), Math.max(ms, toMs)]
const out = { due: null, held: null } as const
const placeOf = ({ due, held }: Life) => due ?? held

type Way = (life: Life, move: Move, known: Known, scene: Scene) => readonly Life[]

/** A no of its phone, or the last attempt of a maximum that was lowered. */
const leaves: Way = (life, move, _, { isSuppressed, settings }) => {
  const isUsedUp = life.attempts - life.forgiven >= settings.maxAttempts && isClaim(move)
  if (placeOf(life) === null || !(isSuppressed || isUsedUp)) return []
  return [{ ...life, ...out, status: life.attempts === 0 ? life.status : 'exhausted' }]
}

/** The campaign's gate has said no: again, where that was undone. */
const isRefused: Way = (life, { before, after }) =>
  after.refusedBy === null || (before?.refusedBy !== null && isFinal(life.status))
    ? []
    : [{ ...life, ...out, status: 'exhausted' }]

/** By an agent, or a dialer. */
const isClaim = ({ exchange }: Move) =>
  exchange === null || exchange.operation === 'claimCalls' || exchange.operation === 'reportCalls'

/** By calls of its phone. */
const freeAtMs = (calls: readonly Call[], { numberLimits }: Scene['settings'], { rank }: Life): number =>
  Math.max(...Object.values(limitsOf(calls, numberLimits, rank === appointment)))

/** Before the transaction. */
const withoutBegun = (calls: readonly Call[], { all }: Move): readonly Call[] =>
  calls.filter((call) => !all.some((one) => one.call === call && one.was === null))

/** What a claim does with those that it cannot give. */
const isPassedBy: Way = (life, move, known, { lead, settings }) => {
  const now = nowOf(move, known)
  if (!isClaim(move) || life.due === null || life.due[0] > now[1]) return []
  const { company, phone, seen } = move
  const untilMs = freeAtMs(withoutBegun(callsOfPhone(known, company, phone), move), settings, life)
  const isMoved = lead.movedToMs !== null && lead.movedToMs === lead.dueAtMs
  // A consent may count from a moment after the claim was begun.
  const times = [...now, ...move.all.flatMap(({ call, was }) => (was === null ? [call.claimedAtMs] : []))]
  return times.flatMap((ms) => {
    const { fromMs } = consentFor(lead, settings.requireConsent, seen, ms)
    const moved = isHazy(known, company, phone) ? (lead.dueAtMs ?? 0) : Math.max(untilMs, fromMs ?? 0)
    return [
      ...(isMoved && moved > now[0] ? [{ ...life, due: at(moved), held: null }] : []),
      ...(fromMs === null ? [{ ...life, due: null, held: life.due }] : []),
    ]
  })
}

/**
 * A call of its phone is over: it is called as soon as the phone is free, if it has been moved for that. A claim in the
 * same transaction may have taken the phone since, and a consent that counts from later is for the next claim to see.
 */
const comesForward: Way = (life, move, known, { lead, settings }) => {
  const { company, phone, before, seen } = move
  const wasMs = before?.movedToMs ?? null
  if (wasMs === null || before?.dueAtMs !== wasMs) return []
  if (isHazy(known, company, phone)) return [{ ...life, due: [0, wasMs], held: null }]
  const now = nowOf(move, known)
  const { fromMs } = consentFor(lead, settings.requireConsent, seen, now[1])
  const calls = callsOfPhone(known, company, phone)
  return [calls, withoutBegun(calls, move)].flatMap((each) => {
    const freeMs = freeAtMs(each, settings, life)
    return [0, fromMs ?? 0].map((ms) => ({ ...life, due: notBefore(Math.max(freeMs, ms), now), held: null }))
  })
}

/** By people, or since what a gate has said of it is undone. */
const isRequeued: Way = (life, move, known, { lead, isSuppressed }) => {
  const isUndone = move.exchange?.operation === 'liftSuppressions' && lead.refusedBy !== null
  const mayBe =
    (isUndone || move.exchange?.operation.startsWith('requeue')) && !life.isLeased && !isSuppressed
  if (!mayBe || !(isFinal(life.status) || placeOf(life) !== null)) return []
  const now = nowOf(move, known)
  const isLater = (lead.scheduledAtMs ?? 0) > now[1]
  const rank = placeOf(life) !== null ? life.rank : lead.priority
  return [
    {
      ...{
        status: life.attempts === 0 ? 'raw' : 'attempting',
        attempts: life.attempts,
        forgiven: life.attempts,
      },
      rank: life.due === null && isLater ? appointment : rank,
      ...{ token: null, held: null, isLeased: false },
      due: life.due ?? (isLater ? at(lead.scheduledAtMs as number) : now),
    },
  ]
}

/** Somebody says another time or priority. */
const isChanged: Way = (life, move, known, { lead }) => {
  const { exchange, before, company } = move
  if (exchange?.operation !== 'changeLead' || before === null) return []
  const now = nowOf(move, known)
  const { scheduledAtMs: wasMs } = before
  const { scheduledAtMs: isMs, priority } = lead
  const place = placeOf(life)
  const waitsForIt = life.rank === appointment && place?.[0] === wasMs
  if (isMs === wasMs || place === null) {
    const agreed = known.calls.some(
      (call) =>
        call.company === company &&
        call.seq === lead.seq &&
        !call.isLate &&
        (call.callbackAtMs ?? 0) > (wasMs ?? 0) &&
        (call.callbackAtMs ?? 0) <= now[1],
    )
    const isCancelled = life.isLeased && isMs !== wasMs && (isMs === null ? !agreed : isMs <= now[1])
    return [{ ...life, rank: life.rank === appointment && !isCancelled ? appointment : priority }]
  }
  const isLater = isMs !== null && isMs > now[1]
  const staysAgreed = isMs === null && life.attempts > 0 && !waitsForIt && life.rank === appointment
  const due =
    life.attempts === 0
      ? at(Math.max(isMs ?? 0, lead.createdAtMs))
      : isMs !== null
        ? notBefore(isMs, now)
        : waitsForIt
          ? now
          : place
  return [{ ...life, rank: isLater || staysAgreed ? appointment : priority, due, held: null }]
}

const ownPlace = ({ scheduledAtMs, createdAtMs, priority }: Scene['lead']) => ({
  rank: (scheduledAtMs ?? 0) > createdAtMs ? appointment : priority,
  due: at(Math.max(scheduledAtMs ?? 0, createdAtMs)),
  held: null,
})

/** A no was lifted: who was never called is called. */
const comesBack: Way = (life, { exchange }, _, { lead, isSuppressed }) =>
  exchange?.operation === 'liftSuppressions' && life.status === 'raw' && !life.isLeased && !isSuppressed
    ? [{ ...life, ...ownPlace(lead) }]
    : []

/** It has been held, and is judged again. */
const isJudgedAgain: Way = (life, move, known) =>
  life.held === null ? [] : [{ ...life, due: notBefore(life.held[0], nowOf(move, known)), held: null }]

const ways: readonly Way[] = [leaves, isRefused, isRequeued, isChanged, comesBack, isJudgedAgain]

/** All that it may be after the move, which its calls have made of it so far. */
export const mayBecome: (...of: Parameters<Way>) => readonly Life[] = (life, ...rest) => {
  // A report ends a call of its phone, and claims in the same transaction.
  const forward = [life, ...comesForward(life, ...rest)]
  const passedBy = forward.flatMap((one) => isPassedBy(one, ...rest))
  return [...forward, ...passedBy, ...ways.flatMap((way) => way(life, ...rest))]
}

/** As it came in: in its place, or out of the queue where its phone has said no. */
export const bornAs = (move: Move, scene: Scene): readonly Life[] => {
  const born = {
    ...lifeOf(move.after),
    ...ownPlace(move.after),
    status: 'raw',
    attempts: 0,
    forgiven: 0,
  } as const
  return [born, { ...born, due: null }].filter(({ due }) => due === null || !scene.isSuppressed)
}

/**
 * Somebody rings while a no of his phone is lifted: what the ring lists, the lift has not read, and one spelling stays
 * on the list.
 */
export const isLiftedInARing = ({ exchange, company, phone }: Move, { cast, exchanges }: Known): boolean =>
  exchange?.operation === 'liftSuppressions' &&
  exchanges.some(
    (one) =>
      one.operation === 'findCaller' &&
      one.company === company &&
      phoneOf(cast, one.body.from) === phone &&
      (one.answeredAt ?? Number.POSITIVE_INFINITY) > exchange.sentAt,
  )
