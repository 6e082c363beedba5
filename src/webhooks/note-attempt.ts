// What is noted of a try: its delivery, what becomes of the event, how the receiver has been doing, and the cursor.
import { isAfter, type LogEvent, type LogPlace } from '../events/event.ts'
import { type Consequence, conditionOf, judgeAttempt, maxAttempts } from './retry-schedule.ts'
import type { AttemptResult } from './send-event.ts'
import { type Memory, start } from './sender-state.ts'

export type Noted = {
  readonly event: LogEvent
  readonly tried: AttemptResult
  /** From 1. */
  readonly attempt: number
  /** Where the cursor goes with it; null: it has passed. */
  readonly behind: LogPlace | null
}

/** Writes together what belongs together: the health, the event's place, and the cursor. */
export function noteAttempt(memory: Memory, { event, tried, attempt, behind }: Noted): Consequence {
  const { state } = memory
  const { place, id: eventId, type } = event
  const nowMs = Date.now()
  const isAlone = !memory.hasOtherParked(place)
  const chance = Math.random()
  const judged = judgeAttempt(state, { event: place, outcome: tried, tries: attempt, isAlone, nowMs, chance })
  const { health, consequence } = judged
  const isWell = conditionOf(health) === 'well'
  const isGivenUp = consequence.kind === 'given_up'
  const givenUp = state.givenUp + (isGivenUp ? 1 : 0)
  memory.note({
    ...tried,
    error: isGivenUp ? `${tried.error}, given up` : tried.error,
    eventId,
    type,
    attempt,
  })

  const wasWell = conditionOf(state) === 'well'
  const startsCatchingUp =
    health.isCatchingUp && (!state.isCatchingUp || !wasWell || tried.retryAfterMs !== null)
  if (isWell && !wasWell) memory.makeAllDue(nowMs)
  if (consequence.kind === 'parked') memory.park({ ...place, tries: attempt, dueAtMs: consequence.dueAtMs })
  // To be sent when somebody enables it again.
  else if (consequence.kind === 'disabled') memory.park({ ...place, tries: attempt, dueAtMs: nowMs })
  else if (isGivenUp) memory.giveUp(place, { id: givenUp, eventId, type, status: tried.status })
  else memory.unpark(place)
  // The next one is the head from its next try on.
  if (!isWell && consequence.kind === 'parked' && attempt >= maxAttempts)
    memory.delayHead(maxAttempts, consequence.dueAtMs)
  const isTurn = health.isCatchingUp && behind === null && isAfter(place, state.caughtUpTo)
  memory.setState({
    ...state,
    ...health,
    givenUp,
    caughtUpTo: startsCatchingUp ? start : isTurn ? place : state.caughtUpTo,
    ...(behind !== null && { cursor: behind }),
  })
  return consequence
}
