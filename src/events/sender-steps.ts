// One step of a webhook's sender: reads what may be sent now, sends it, and notes what came of each try. What may be sent
// follows from how the receiver has been doing; when there is another step is for the Durable Object to say.
import { readWebhookPage, type WebhookPage } from '../calling/store/webhook-page.ts'
import { waits } from '../limits.ts'
import { type Epochs, lastCommonNumber } from './epochs.ts'
import { eventsOf, isAfter, type LogPlace, lastPart, type ToldEvent } from './event.ts'
import { pokeSenders } from './poke.ts'
import {
  type Consequence,
  conditionOf,
  type Health,
  healthy,
  judgeTry,
  maxTries,
  takesNew,
} from './retry-schedule.ts'
import { logTry, sendEvent, type Tried } from './send-event.ts'
import type { Parked, SenderMemory } from './store/sender-memory.ts'
import { disableWebhook } from './store/sending.ts'

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

const start: LogPlace = { number: 0, part: 0 }

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

export type Journey = {
  readonly env: Env
  readonly memory: SenderMemory<SenderState>
  /** It was removed or sent back meanwhile: what is under way is no longer noted. */
  readonly isOver: () => boolean
  readonly endsAtMs: number
}

/** `idle`: nothing may be sent at this moment. `page` has what the database says of the webhook. */
export type Step =
  | { readonly kind: 'missing' }
  | { readonly kind: 'disabled' | 'more' | 'idle'; readonly page: WebhookPage }

/** Connections at once, beside the one for what is new. */
const maxRetriesAtOnce = 5
const catchUpPerStep = 100

type Mode = 'paused' | 'held' | 'catching_up' | 'flowing'

function modeOf(memory: SenderMemory<SenderState>, nowMs: number): Mode {
  const { state } = memory
  if (state.pausedUntilMs > nowMs) return 'paused'
  if (conditionOf(state) !== 'well') return 'held'
  const isCatchingUp = state.isCatchingUp && memory.listDueAfter(state.caughtUpTo, nowMs, 1).length > 0
  return isCatchingUp ? 'catching_up' : 'flowing'
}

/** Of what failed before; in order, where that is promised. */
function listDueAgain(memory: SenderMemory<SenderState>, mode: Mode, nowMs: number): readonly Parked[] {
  if (mode === 'paused') return []
  if (mode === 'flowing') return memory.listDue(nowMs, maxRetriesAtOnce)
  if (mode === 'catching_up') return memory.listDueAfter(memory.state.caughtUpTo, nowMs, catchUpPerStep)
  const head = memory.head(maxTries)
  return head !== undefined && head.dueAtMs <= nowMs ? [head] : []
}

/** Held with nothing parked, after it went back: the first new event is the one that is tried. */
const mayTryNew = (memory: SenderMemory<SenderState>, mode: Mode) =>
  mode === 'flowing' || (mode === 'held' && (takesNew(memory.state) || !memory.hasParked()))

/** Throws DatabaseUnavailable. */
export async function takeStep(journey: Journey): Promise<Step> {
  const { env, memory, isOver } = journey
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
  if (isOver()) return { kind: 'more', page }
  countOn(memory, page)
  if (followsRestore(memory, page)) return { kind: 'more', page }
  holdAheadOfLog(memory, page)
  if (page.isDisabled) {
    memory.setState({ ...memory.state, isDisabled: true })
    return { kind: 'disabled', page }
  }
  if (startsAfresh(memory, page, nowMs)) return { kind: 'more', page }
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
  return { kind: hasMore(memory, page) ? 'more' : 'idle', page }
}

/** Whether anything may be sent now: what was logged since the page was read is announced by a poke. */
function hasMore(memory: SenderMemory<SenderState>, { head }: WebhookPage): boolean {
  const nowMs = Date.now()
  const mode = modeOf(memory, nowMs)
  if (listDueAgain(memory, mode, nowMs).length > 0) return true
  return mayTryNew(memory, mode) && (passedNumber(memory.state) ?? 0) < head
}

/** A sender whose memory is younger than its webhook goes on counting where the database is. */
function countOn(memory: SenderMemory<SenderState>, { givenUp }: WebhookPage): void {
  if (givenUp > memory.state.givenUp) memory.setState({ ...memory.state, givenUp })
}

/**
 * After a restore of the database the log has other entries behind a place: what is parked of those that are gone is
 * forgotten, and the cursor goes back to what both histories have.
 */
function followsRestore(memory: SenderMemory<SenderState>, { epochs }: WebhookPage): boolean {
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
 * What it would send now would have ids that were given to other events. It waits until the operator has begun an epoch,
 * also when the log has grown beyond it meanwhile.
 */
function holdAheadOfLog(memory: SenderMemory<SenderState>, { head }: WebhookPage): void {
  const { state } = memory
  if (!state.isAheadOfLog && (passedNumber(state) ?? 0) <= head) return
  if (!state.isAheadOfLog) memory.setState({ ...state, isAheadOfLog: true })
  throw new LogRestored()
}

class LogRestored extends Error {
  override readonly name = 'LogRestored'
}

/** It may not have been told: what it sees of its row is as good. */
function startsAfresh(memory: SenderMemory<SenderState>, { url }: WebhookPage, nowMs: number): boolean {
  const { state } = memory
  const isAfresh = state.isDisabled || (state.url !== null && state.url !== url)
  if (isAfresh) startAfresh(memory, nowMs)
  if (isAfresh || state.url === null) memory.setState({ ...memory.state, isDisabled: false, url })
  return isAfresh
}

/** What failed before is tried now, in order. */
export function startAfresh(memory: SenderMemory<SenderState>, nowMs: number): void {
  memory.beginTriesAgain(nowMs)
  memory.setState({ ...memory.state, ...healthy, isCatchingUp: true, caughtUpTo: start })
}

type Sending = Journey & { readonly page: WebhookPage; readonly mode: Mode }
type Waiting = {
  readonly event: ToldEvent
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
  const { memory, page, mode, isOver } = sending
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
  if (sent === events.length && !isOver()) memory.setState({ ...memory.state, cursor: reached })
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
async function trySending({ env, memory, page, mode, isOver }: Sending, { event, tries, behind }: Waiting) {
  const { webhookId } = memory.state
  const signer = { ...page, root: env.WEBHOOK_ROOT, webhookId }
  const tried = await sendEvent(page.url, signer, event, waits.deliveryMs)
  logTry(env, webhookId, event, tried)
  if (isOver()) return false

  const attempt = tries + 1
  const consequence = noteTry(memory, { event, tried, attempt, behind })
  if (consequence.kind === 'disabled') {
    await pokeSenders(env, await disableWebhook(env.DB, webhookId, consequence.reason, Date.now()))
    return false
  }
  return modeOf(memory, Date.now()) === mode
}

type Noted = Pick<Waiting, 'event' | 'behind'> & { readonly tried: Tried; readonly attempt: number }

/** Writes together what belongs together: the health, the event's place, and the cursor. */
function noteTry(memory: SenderMemory<SenderState>, { event, tried, attempt, behind }: Noted): Consequence {
  const { state } = memory
  const { place, id: eventId, type } = event
  const nowMs = Date.now()
  const isAlone = !memory.hasOtherParked(place)
  const chance = Math.random()
  const judged = judgeTry(state, { event: place, outcome: tried, tries: attempt, isAlone, nowMs, chance })
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
  if (!isWell && consequence.kind === 'parked' && attempt >= maxTries)
    memory.delayHead(maxTries, consequence.dueAtMs)
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
