// Whose turn it is: few bulks at once in this isolate, and the others one after the other. A database runs one
// statement at a time, so ten bulks at once would hold every other request for as long as all ten take. A second one
// begins only beside one that takes long, as it does where its store is slow: two short ones would hold others twice as
// long, and gain little.
import { scheduler } from 'node:timers/promises'
import { limits, waits } from '../../../base/limits.ts'

type Slot = { readonly sinceMs: number; readonly untilMs: number }
type Waiting = { readonly untilMs: number; slot: Slot | null }

const taken = new Set<Slot>()
/** In the order of their arrival. */
const inLine = new Set<Waiting>()

/** How often a bulk in line looks whether it is its turn. It also ends the slots of those that died with one. */
const lookMs = 20

/** Null: the turn did not come in time, or the client has left. */
export function takeTurn(signal: AbortSignal): Slot | Promise<Slot | null> {
  giveSlots()
  // Else somebody is in line, or soon would be.
  return mayBegin(Date.now()) ? newSlot() : waitInLine(signal)
}

export function endTurn(slot: Slot): void {
  taken.delete(slot)
  giveSlots()
}

const mayBegin = (nowMs: number) =>
  taken.size < limits.bulksPerIsolate &&
  [...taken].every(({ sinceMs }) => sinceMs + waits.bulkAloneMs <= nowMs)

function newSlot(): Slot {
  const sinceMs = Date.now()
  const slot = { sinceMs, untilMs: sinceMs + waits.bulkSlotMs }
  taken.add(slot)
  return slot
}

function giveSlots(): void {
  const nowMs = Date.now()
  for (const slot of taken) if (slot.untilMs <= nowMs) taken.delete(slot)
  for (const waiting of inLine) {
    const isLate = waiting.untilMs <= nowMs
    if (!isLate && !mayBegin(nowMs)) return
    inLine.delete(waiting)
    waiting.slot = isLate ? null : newSlot()
  }
}

/** Nobody wakes another request: the runtime loses a promise that is resolved outside its own. */
async function waitInLine(signal: AbortSignal): Promise<Slot | null> {
  const waiting: Waiting = { untilMs: Date.now() + waits.bulkTurnMs, slot: null }
  inLine.add(waiting)
  while (inLine.has(waiting)) {
    await scheduler.wait(Math.min(lookMs, waits.bulkTurnMs))
    if (signal.aborted) inLine.delete(waiting)
    giveSlots()
  }
  return waiting.slot
}
