// What a sender knows of its work: how far it has come, how its receiver has been doing, and what follows from both: what
// may be sent now.

import { type LogPlace, lastPart } from '../events/event.ts'
import type { Epochs } from '../ledger/log/epochs.ts'
import { conditionOf, type Health, healthy, maxAttempts, takesNew } from './retry-schedule.ts'
import type { Parked, SenderMemory } from './store/sender-memory.ts'

export type SenderState = Health & {
  readonly webhookId: string
  /** Behind all that was sent, parked, or is none of its business. Null: where the database says. */
  readonly cursor: LogPlace | null
  /** As they were last seen: another receiver, or one that is trusted again, starts afresh. */
  readonly url: string | null
  readonly isDisabled: boolean
  /** In a row, of ours: the database did not answer. */
  readonly troubles: number
  /** Events so far. */
  readonly givenUp: number
  /** Of the log, as they were last seen: places of another history of it are other places. */
  readonly epochs: Epochs
  /** It has passed more than the log has: the database was restored, and no epoch has begun yet. */
  readonly isAheadOfLog: boolean
  /** Of what is parked, what is up to here has had its turn since it began to catch up. */
  readonly caughtUpTo: LogPlace
}

/** Of a log: nothing is before it. */
export const start: LogPlace = { number: 0, part: 0 }

export const firstState: SenderState = {
  ...healthy,
  webhookId: '',
  cursor: null,
  url: null,
  isDisabled: false,
  troubles: 0,
  givenUp: 0,
  epochs: [],
  isAheadOfLog: false,
  caughtUpTo: start,
}

/** The last entry that it has passed whole. Null: it has not begun. */
export const passedNumber = ({ cursor }: SenderState): number | null =>
  cursor && (cursor.part === lastPart ? cursor.number : cursor.number - 1)

export type Memory = SenderMemory<SenderState>

/** Connections at once, beside the one for what is new. */
const maxRetriesAtOnce = 5
const catchUpPerStep = 100

export type Mode = 'paused' | 'held' | 'catching_up' | 'flowing'

export function modeOf(memory: Memory, nowMs: number): Mode {
  const { state } = memory
  if (state.pausedUntilMs > nowMs) return 'paused'
  if (conditionOf(state) !== 'well') return 'held'
  const isCatchingUp = state.isCatchingUp && memory.listDueAfter(state.caughtUpTo, nowMs, 1).length > 0
  return isCatchingUp ? 'catching_up' : 'flowing'
}

/** Of what failed before; in order, where that is promised. */
export function listDueAgain(memory: Memory, mode: Mode, nowMs: number): readonly Parked[] {
  if (mode === 'paused') return []
  if (mode === 'flowing') return memory.listDue(nowMs, maxRetriesAtOnce)
  if (mode === 'catching_up') return memory.listDueAfter(memory.state.caughtUpTo, nowMs, catchUpPerStep)
  const head = memory.head(maxAttempts)
  return head !== undefined && head.dueAtMs <= nowMs ? [head] : []
}

/** Held with nothing parked, after it went back: the first new event is the one that is tried. */
export const mayTryNew = (memory: Memory, mode: Mode) =>
  mode === 'flowing' || (mode === 'held' && (takesNew(memory.state) || !memory.hasParked()))

/** Whether anything may be sent now: what was logged since the page was read is announced by a wake. */
export function hasMore(memory: Memory, head: number): boolean {
  const nowMs = Date.now()
  const mode = modeOf(memory, nowMs)
  if (listDueAgain(memory, mode, nowMs).length > 0) return true
  return mayTryNew(memory, mode) && (passedNumber(memory.state) ?? 0) < head
}
