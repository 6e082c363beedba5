// One step of a webhook's sender: reads what may be sent now, sends it, and notes what came of each try. What may be sent
// follows from how the receiver has been doing; when there is another step is for the Durable Object to say.

import { eventsOf, isAfter, type LogEvent, type LogPlace, lastPart } from '../events/event.ts'
import { waits } from '../limits.ts'
import { checkAgainstLog, resetIfChanged, rewindAfterRestore } from './follow-database.ts'
import { noteAttempt } from './note-attempt.ts'
import { logAttempt, sendEvent } from './send-event.ts'
import { hasMore, listDueAgain, type Memory, type Mode, mayTryNew, modeOf, start } from './sender-state.ts'
import { readWebhookPage, type WebhookPage } from './store/pending-events.ts'
import type { Parked } from './store/sender-memory.ts'
import { disableWebhook } from './store/sending.ts'
import { wakeSenders } from './wake-senders.ts'

export type Run = {
  readonly env: Env
  readonly memory: Memory
  /** It was removed or sent back meanwhile: what is under way is no longer noted. */
  readonly isStale: () => boolean
  readonly endsAtMs: number
}

/** `idle`: nothing may be sent at this moment. `page` has what the database says of the webhook. */
export type Step =
  | { readonly kind: 'missing' }
  | { readonly kind: 'disabled' | 'more' | 'idle'; readonly page: WebhookPage }

/** Throws DatabaseUnavailable. */
export async function takeStep(journey: Run): Promise<Step> {
  const { env, memory, isStale } = journey
  const nowMs = Date.now()
  const mode = modeOf(memory, nowMs)
  const due = listDueAgain(memory, mode, nowMs)
  const { webhookId, cursor } = memory.state
  const page = await readWebhookPage(env.DB, {
    webhookId,
    fromNumber: cursor === null ? null : cursor.part < lastPart ? cursor.number : cursor.number + 1,
    wantsNew: mayTryNew(memory, mode),
    numbers: due.map(({ number }) => number),
  })
  if (page === null) return { kind: 'missing' }
  if (isStale()) return { kind: 'more', page }
  if (rewindAfterRestore(memory, page)) return { kind: 'more', page }
  checkAgainstLog(memory, page)
  if (page.isDisabled) {
    memory.setState({ ...memory.state, isDisabled: true })
    return { kind: 'disabled', page }
  }
  if (resetIfChanged(memory, page, nowMs)) return { kind: 'more', page }
  if (mode === 'flowing' && memory.state.isCatchingUp)
    memory.setState({ ...memory.state, isCatchingUp: false, caughtUpTo: start })

  const sending = { ...journey, page, mode }
  const again = findEvents(sending, due)
  if (mode === 'flowing')
    await Promise.all([sendNew(sending), ...again.map((one) => sendInOrder(sending, [one]))])
  else {
    await sendInOrder(sending, again)
    await sendOneNew(sending)
  }
  return { kind: hasMore(memory, page.head) ? 'more' : 'idle', page }
}

type Sending = Run & { readonly page: WebhookPage; readonly mode: Mode }
type Waiting = {
  readonly event: LogEvent
  /** How often it was tried before. */
  readonly tries: number
  /** Where the cursor goes with it; null: it has passed. */
  readonly behind: LogPlace | null
}

function findEvents({ memory, page }: Sending, due: readonly Parked[]): readonly Waiting[] {
  const events = page.again.flatMap((entry) => eventsOf(page, entry))
  const { againUntil } = page
  return due.flatMap((parked) => {
    // The next step finds it.
    if (againUntil !== null && parked.number > againUntil) return []
    const event = events.find(
      ({ place, type }) =>
        place.number === parked.number && place.part === parked.part && page.types.includes(type),
    )
    if (event !== undefined) return [{ event, tries: parked.tries, behind: null }]
    // No longer in the log, or no longer asked for.
    memory.unpark(parked)
    return []
  })
}

/** Unless the head was just delivered: what is parked goes first then. */
async function sendOneNew(sending: Sending): Promise<void> {
  const { memory, mode } = sending
  const isAsBefore = modeOf(memory, Date.now()) === mode
  if (isAsBefore && mayTryNew(memory, mode)) await sendNew(sending)
}

async function sendNew(sending: Sending): Promise<void> {
  const { memory, page, mode, isStale } = sending
  const { cursor } = memory.state
  const events = page.entries
    .flatMap((entry) => eventsOf(page, entry))
    .filter(({ place, type }) => page.types.includes(type) && (cursor === null || isAfter(place, cursor)))
  const waiting = events.slice(0, mode === 'held' ? 1 : undefined).map((event, i) => {
    const { number } = event.place
    const isLast = events[i + 1]?.place.number !== number
    return { event, tries: 0, behind: isLast ? { number, part: lastPart } : event.place }
  })
  const sent = await sendInOrder(sending, waiting)
  const reached = { number: page.reachedNumber, part: lastPart }
  if (sent === events.length && !isStale()) memory.setState({ ...memory.state, cursor: reached })
}

/** Returns how many were tried. */
async function sendInOrder(sending: Sending, waiting: readonly Waiting[]): Promise<number> {
  let sent = 0
  for (const one of waiting) {
    if (Date.now() > sending.endsAtMs) break
    sent++
    if (!(await trySending(sending, one))) break
  }
  return sent
}

/** False: nothing more may be sent as before. */
async function trySending({ env, memory, page, mode, isStale }: Sending, { event, tries, behind }: Waiting) {
  const { webhookId } = memory.state
  const signer = { ...page, root: env.WEBHOOK_ROOT, webhookId }
  const tried = await sendEvent(page.url, signer, event, waits.deliveryMs)
  logAttempt(env, webhookId, event, tried)
  if (isStale()) return false

  const attempt = tries + 1
  const consequence = noteAttempt(memory, { event, tried, attempt, behind })
  if (consequence.kind === 'disabled') {
    await wakeSenders(env, await disableWebhook(env.DB, webhookId, consequence.reason, Date.now()))
    return false
  }
  return modeOf(memory, Date.now()) === mode
}
