// The state of a webhook's sender: its cursor in the log and the health of its receiver, and what it may send now.

import type { Epochs } from '../../base/ledger/log/epochs.ts'
import { type LogPlace, lastPart } from '../events/event.ts'
import { conditionOf, healthy, maxAttempts, takesNew } from './retry-schedule.ts'
import type { Parked, SenderMemory } from './store/sender-memory.ts'

/** The start of a log. */
export const start: LogPlace = { number: 0, part: 0 }

export const firstState = {
  ...healthy,
  webhookId: '',
  /** The webhook's, once it was read. */
  companyId: null as string | null,
  /** The company's store as last known (base/database/company-store.ts); null: D1. */
  storeName: null as string | null,
  /** After everything that was sent, parked or skipped. Null: use the place in the database. */
  cursor: null as LogPlace | null,
  /** As last seen: a new URL, or enabling the webhook, resets the backoff. */
  url: null as string | null,
  isDisabled: false,
  /** Problems of ours in a row: the database did not answer. */
  troubles: 0,
  /** Events so far. */
  givenUp: 0,
  /** The log's epochs as last seen: a restore gives the same numbers to other entries. */
  epochs: [] as Epochs,
  /** The cursor is after the end of the log: the database was restored, and no epoch has begun yet. */
  isAheadOfLog: false,
  /** Parked events up to here have had an attempt since the sender began to catch up. */
  caughtUpTo: start,
}

export type SenderState = Readonly<typeof firstState>

/** The last entry whose events have all been handled. Null: none yet. */
export const passedNumber = ({ cursor }: SenderState): number | null =>
  cursor && (cursor.part === lastPart ? cursor.number : cursor.number - 1)

export type Memory = SenderMemory<SenderState>

/** Connections at once, besides the one for new events. */
export const maxRetriesAtOnce = 5
const retriesPerStep = 100

export type Mode = 'paused' | 'held' | 'catching_up' | 'flowing'

export function modeOf(memory: Memory, nowMs: number): Mode {
  const { state } = memory
  if (state.pausedUntilMs > nowMs) return 'paused'
  if (conditionOf(state) !== 'well') return 'held'
  const isCatchingUp = state.isCatchingUp && memory.listDueAfter(state.caughtUpTo, nowMs, 1).length > 0
  return isCatchingUp ? 'catching_up' : 'flowing'
}

/** Parked events that are due; in the order of the log unless events flow. */
export function listDueAgain(memory: Memory, mode: Mode, nowMs: number): readonly Parked[] {
  if (mode === 'paused') return []
  if (mode === 'flowing') return memory.listDue(nowMs, retriesPerStep)
  if (mode === 'catching_up') return memory.listDueAfter(memory.state.caughtUpTo, nowMs, retriesPerStep)
  const head = memory.head(maxAttempts)
  return head !== undefined && head.dueAtMs <= nowMs ? [head] : []
}

/** Held with nothing parked happens after a replay: then the first new event is tried. */
export const mayTryNew = (memory: Memory, mode: Mode) =>
  !memory.isFull() &&
  (mode === 'flowing' || (mode === 'held' && (takesNew(memory.state) || !memory.hasParked())))

/** Whether anything may be sent now. Entries logged since the page was read wake the sender again. */
export function hasMore(memory: Memory, head: number): boolean {
  const nowMs = Date.now()
  const mode = modeOf(memory, nowMs)
  if (listDueAgain(memory, mode, nowMs).length > 0) return true
  return mayTryNew(memory, mode) && (passedNumber(memory.state) ?? 0) < head
}
