// What a sender does about what it finds changed in the database: a log that was restored, a webhook that was changed.

import { isAfter, lastPart } from '../events/event.ts'
import { lastCommonNumber } from '../ledger/log/epochs.ts'
import { healthy } from './retry-schedule.ts'
import { type Memory, passedNumber, start } from './sender-state.ts'
import type { WebhookPage } from './store/pending-events.ts'

/**
 * After a restore of the database the log has other entries behind a place: what is parked of those that are gone is
 * forgotten, and the cursor goes back to what both histories have.
 */
export function rewindAfterRestore(memory: Memory, { epochs }: WebhookPage): boolean {
  const { state } = memory
  const { cursor } = state
  const common = lastCommonNumber(state.epochs, epochs)
  if (common === null) return false
  memory.unparkFrom(common + 1)
  const end = { number: common, part: lastPart }
  memory.setState({
    ...state,
    epochs,
    isAheadOfLog: false,
    cursor: cursor && isAfter(cursor, end) ? end : cursor,
    caughtUpTo: start,
    failedEvents: state.failedEvents.filter(({ number }) => number <= common),
  })
  // One that never sent anything has read the right page.
  return cursor !== null
}

/**
 * Throws LogRestored when it has passed more than the log has: what it would send then would have ids that were given to
 * other events. It waits until the operator has begun an epoch, also when the log has grown beyond it meanwhile. A sender
 * whose memory is younger than its webhook goes on counting where the database is.
 */
export function checkAgainstLog(memory: Memory, { head, givenUp }: WebhookPage): void {
  const { state } = memory
  const isAheadOfLog = state.isAheadOfLog || (passedNumber(state) ?? 0) > head
  if (isAheadOfLog !== state.isAheadOfLog || givenUp > state.givenUp)
    memory.setState({ ...state, isAheadOfLog, givenUp: Math.max(givenUp, state.givenUp) })
  if (isAheadOfLog) throw new LogRestored()
}

class LogRestored extends Error {
  override readonly name = 'LogRestored'
}

/** It may not have been told: what it sees of its row is as good. */
export function resetIfChanged(memory: Memory, { url }: WebhookPage, nowMs: number): boolean {
  const { state } = memory
  const mustReset = state.isDisabled || (state.url !== null && state.url !== url)
  if (mustReset) resetBackoff(memory, nowMs)
  if (mustReset || state.url === null) memory.setState({ ...memory.state, isDisabled: false, url })
  return mustReset
}

/** What failed before is tried now, in order. */
export function resetBackoff(memory: Memory, nowMs: number): void {
  memory.beginTriesAgain(nowMs)
  memory.setState({ ...memory.state, ...healthy, isCatchingUp: true, caughtUpTo: start })
}
