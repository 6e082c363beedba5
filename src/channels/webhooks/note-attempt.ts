// Records a delivery attempt in the sender's memory: the delivery, what becomes of the event, the receiver's health,
// and the cursor.
import { isAfter, type LogEvent, type LogPlace } from '../events/event.ts'
import {
  attemptsAfterHold,
  type Consequence,
  conditionOf,
  isRefused,
  judgeAttempt,
  maxAttempts,
} from './retry-schedule.ts'
import type { AttemptResult } from './send-event.ts'
import { type Memory, start } from './sender-state.ts'

type EventAttempt = {
  readonly event: LogEvent
  readonly result: AttemptResult
  /** From 1. */
  readonly attempt: number
  readonly isProbe: boolean
  /** The cursor after this event; null: the cursor has passed it already. */
  readonly cursor: LogPlace | null
}

/** Synchronous, so that all of it is written in one transaction. */
export function noteAttempt(
  memory: Memory,
  { event, result, attempt, isProbe, cursor }: EventAttempt,
): Consequence {
  const { state } = memory
  const { place, id: eventId, type } = event
  const nowMs = Date.now()
  const isAlone = !memory.hasOtherParked(place)
  const chance = Math.random()
  const judged = judgeAttempt(state, {
    event: place,
    reply: result,
    attempts: attempt,
    isAlone,
    isProbe,
    nowMs,
    chance,
  })
  const { health, consequence } = judged
  const isWell = conditionOf(health) === 'well'
  const isGivenUp = consequence.kind === 'given_up'
  const givenUp = state.givenUp + (isGivenUp ? 1 : 0)
  memory.note({
    ...result,
    error: isGivenUp ? `${result.error}, given up` : result.error,
    eventId,
    type,
    attempt,
  })

  const wasWell = conditionOf(state) === 'well'
  const startsCatchingUp =
    health.isCatchingUp && (!state.isCatchingUp || !wasWell || result.retryAfterMs !== null)
  if (isWell && !wasWell) memory.makeAllDue(nowMs, attemptsAfterHold(maxAttempts))
  // The receiver works, and rejects this event: it holds back none.
  if (consequence.kind === 'parked')
    memory.park({ ...place, ...consequence }, isRefused(result) ? null : event.subject)
  // Sent when the webhook is enabled again.
  else if (consequence.kind === 'disabled')
    memory.park({ ...place, attempts: attempt, dueAtMs: nowMs }, event.subject)
  else if (isGivenUp) memory.giveUp(place, { id: givenUp, eventId, type, status: result.status })
  else memory.unpark(place)
  // The head may be another event, with a schedule of its own.
  if (!isWell && consequence.kind === 'parked') memory.setHeadDue(maxAttempts, consequence.dueAtMs)
  const isTurn = health.isCatchingUp && cursor === null && isAfter(place, state.caughtUpTo)
  memory.setState({
    ...state,
    ...health,
    givenUp,
    caughtUpTo: startsCatchingUp ? start : isTurn ? place : state.caughtUpTo,
    ...(cursor !== null && { cursor }),
  })
  return consequence
}
