// How a sender follows changes that it finds in the database: a restored log, a changed webhook.

import { lastCommonNumber } from '../../base/ledger/log/epochs.ts'
import { isAfter, lastPart } from '../events/event.ts'
import { healthy } from './retry-schedule.ts'
import { type Memory, passedNumber, start } from './sender-state.ts'
import type { WebhookPage } from './store/pending-events.ts'

/**
 * After a restore: forgets parked events that no longer exist, and moves the cursor back to where both histories
 * agree.
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
  // A sender without a cursor has read the right page already.
  return cursor !== null
}

/**
 * Throws LogRestored when the sender is ahead of the log: new events would have ids that were used before. It then
 * waits until the operator begins an epoch, even if the log grows past the cursor meanwhile. A sender with a new
 * memory continues the database's count of events that were given up.
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

/** The request that changed the webhook may have failed to reach the sender. */
export function resetIfChanged(memory: Memory, { url }: WebhookPage, nowMs: number): boolean {
  const { state } = memory
  const mustReset = state.isDisabled || (state.url !== null && state.url !== url)
  if (mustReset) resetBackoff(memory, nowMs)
  if (mustReset || state.url === null) memory.setState({ ...memory.state, isDisabled: false, url })
  return mustReset
}

/** Parked events are sent now, in order. */
export function resetBackoff(memory: Memory, nowMs: number): void {
  memory.makeAllDue(nowMs, 0)
  memory.setState({ ...memory.state, ...healthy, isCatchingUp: true, caughtUpTo: start })
}
