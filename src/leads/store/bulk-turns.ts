// Whose turn it is: few bulks at once in this isolate, and the others one after the other. A database runs one statement at a
// time, so ten bulks at once would hold every other request for as long as all ten take.
import { scheduler } from 'node:timers/promises'
import { limits, waits } from '../../limits.ts'

type Slot = { readonly untilMs: number }
type Waiting = { readonly untilMs: number; readonly begin: (slot: Slot | null) => void }

const taken = new Set<Slot>()
/** In the order of their arrival. */
const inLine = new Set<Waiting>()

/** How often a bulk in line looks for slots whose time is over: whoever died with one does not give it back. */
const lookMs = 1_000

/** Null: the turn did not come in time, or the client has left. */
export function takeTurn(signal: AbortSignal): Slot | Promise<Slot | null> {
  giveSlots()
  // Else somebody is in line, or soon would be.
  return taken.size < limits.bulksPerIsolate ? newSlot() : waitInLine(signal)
}

export function endTurn(slot: Slot): void {
  taken.delete(slot)
  giveSlots()
}

function newSlot(): Slot {
  const slot = { untilMs: Date.now() + waits.bulkSlotMs }
  taken.add(slot)
  return slot
}

function giveSlots(): void {
  const nowMs = Date.now()
  for (const slot of taken) if (slot.untilMs <= nowMs) taken.delete(slot)
  for (const waiting of inLine) {
    const isLate = waiting.untilMs <= nowMs
    if (!isLate && taken.size >= limits.bulksPerIsolate) return
    inLine.delete(waiting)
    waiting.begin(isLate ? null : newSlot())
  }
}

async function waitInLine(signal: AbortSignal): Promise<Slot | null> {
  const { promise: turn, resolve: begin } = Promise.withResolvers<Slot | null>()
  const waiting = { untilMs: Date.now() + waits.bulkTurnMs, begin }
  const leave = () => {
    if (inLine.delete(waiting)) begin(null)
  }
  inLine.add(waiting)
  signal.addEventListener('abort', leave, { once: true })
  while (inLine.has(waiting)) {
    await Promise.race([turn, scheduler.wait(Math.min(lookMs, waits.bulkTurnMs))])
    giveSlots()
  }
  return turn
}
