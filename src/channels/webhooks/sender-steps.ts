// One step of a webhook's sender: reads what may be sent now, sends it, and records each delivery attempt. When to take
// the next step is decided by the Durable Object (sender.ts).

import { scheduler } from 'node:timers/promises'
import { readInCompany } from '../../base/access/find-company.ts'
import { envOfStore } from '../../base/database/company-env.ts'
import type { EventType } from '../../base/ledger/log/event-types.ts'
import { waits } from '../../base/limits.ts'
import { eventsOf, isAfter, type LogEvent, type LogPlace, lastPart } from '../events/event.ts'
import { checkAgainstLog, resetIfChanged, rewindAfterRestore } from './follow-database.ts'
import { messageEveryMs, openFormatSecrets } from './format.ts'
import type { Chat } from './messages.ts'
import { noteAttempt } from './note-attempt.ts'
import { logAttempt, sendEvent } from './send-event.ts'
import {
  hasMore,
  listDueAgain,
  type Memory,
  type Mode,
  maxRetriesAtOnce,
  mayTryNew,
  modeOf,
  start,
} from './sender-state.ts'
import type { Webhook } from './store/endpoints.ts'
import { type PageRequest, readWebhookPage, type WebhookPage } from './store/pending-events.ts'
import { type Parked, whenReleased } from './store/sender-memory.ts'
import { disableWebhook } from './store/sending.ts'
import { wakeSenders } from './wake-senders.ts'

type Run = {
  readonly env: Env
  readonly memory: Memory
  /** The webhook was removed or replayed meanwhile: attempts under way are no longer recorded. */
  readonly isStale: () => boolean
  /** Something was erased or changed since the page was read: it is read again before more is sent. */
  readonly isOutdated: () => boolean
  readonly endsAtMs: number
  /** Of messages for people: before this time none is sent. */
  readonly pace: { nextMs: number }
  /** Something is left to do, at this time at the latest. Called in the transaction that writes it. */
  readonly onLeft: (atMs: number) => void
}

/** Nobody notifies the sender of what the operator changes: a page is read again after so long. */
const pageMaxMs = 1_000

/** `idle`: nothing may be sent now. */
export type Step =
  | { readonly kind: 'missing' }
  | { readonly kind: 'disabled' | 'more' | 'idle'; readonly page: WebhookPage }

/** Throws DatabaseUnavailable. */
async function readPage({ env, memory }: Run, request: PageRequest): Promise<WebhookPage | null> {
  const { row: page, storeName } = await readInCompany(env, memory.state, (db) =>
    readWebhookPage(db, request),
  )
  const companyId = page?.companyId ?? memory.state.companyId
  if (companyId !== memory.state.companyId || storeName !== memory.state.storeName)
    memory.setState({ ...memory.state, companyId, storeName })
  return page
}

/** Throws DatabaseUnavailable. */
export async function takeStep(run: Run): Promise<Step> {
  const { memory, isStale, pace } = run
  if (pace.nextMs > Date.now()) await scheduler.wait(pace.nextMs - Date.now())
  pace.nextMs = 0
  const nowMs = Date.now()
  const mode = modeOf(memory, nowMs)
  const due = listDueAgain(memory, mode, nowMs)
  const wantsNew = mayTryNew(memory, mode)
  const { webhookId, cursor } = memory.state
  const page = await readPage(run, {
    webhookId,
    fromNumber: cursor === null ? null : cursor.part < lastPart ? cursor.number : cursor.number + 1,
    wantsNew,
    numbers: due.map(({ number }) => number),
    nowMs,
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

  const endsAtMs = Math.min(run.endsAtMs, page.expiresAtMs ?? Infinity, Date.now() + pageMaxMs)
  const sending = { ...run, page, mode, wantsNew, endsAtMs }
  const again = findEvents(sending, due)
  if (mode === 'flowing') {
    const queue = again.values()
    const retries = Array.from({ length: maxRetriesAtOnce }, () => sendInOrder(sending, queue))
    await Promise.all([sendNew(sending), ...retries])
  } else {
    await sendInOrder(sending, again)
    await sendOneNew(sending)
  }
  return { kind: hasMore(memory, page.head) ? 'more' : 'idle', page }
}

type Sending = Run & {
  readonly page: WebhookPage
  readonly mode: Mode
  /** Else the page has no new entries, although the log may. */
  readonly wantsNew: boolean
}
type Waiting = {
  readonly event: LogEvent
  /** Before this one. */
  readonly attempts: number
  /** The cursor after this event; null: the cursor has passed it already. */
  readonly cursor: LogPlace | null
}

const wants = ({ types }: WebhookPage, type: EventType) => types === null || types.includes(type)

function findEvents({ memory, page }: Sending, due: readonly Parked[]): readonly Waiting[] {
  const events = page.again.flatMap((entry) => eventsOf(page, entry))
  const { againUntil } = page
  return due.flatMap((parked) => {
    // Left for the next step.
    if (againUntil !== null && parked.number > againUntil) return []
    const event = events.find(
      ({ place, type }) => place.number === parked.number && place.part === parked.part && wants(page, type),
    )
    if (event !== undefined) return [{ event, attempts: parked.attempts, cursor: null }]
    // Deleted from the log, or of a type that the webhook no longer wants.
    memory.unpark(parked)
    return []
  })
}

/** Unless the oldest event was just delivered: then the parked events go first. */
async function sendOneNew(sending: Sending): Promise<void> {
  const { memory, mode } = sending
  const isSameMode = modeOf(memory, Date.now()) === mode
  if (isSameMode && mayTryNew(memory, mode)) await sendNew(sending)
}

async function sendNew(sending: Sending): Promise<void> {
  const { memory, page, mode, wantsNew, isStale } = sending
  if (!wantsNew) return
  const { cursor } = memory.state
  const events = page.entries
    .flatMap((entry) => eventsOf(page, entry))
    .filter(({ place, type }) => wants(page, type) && (cursor === null || isAfter(place, cursor)))
  const reached = { number: page.reachedNumber, part: lastPart }
  const waiting = events.slice(0, mode === 'held' ? 1 : undefined).map((event, i) => {
    const { number } = event.place
    const next = events[i + 1]
    // With the last one, what follows it is passed too: in one write.
    const isLast = next?.place.number !== number
    const after = isLast ? { number, part: lastPart } : event.place
    return { event, attempts: 0, cursor: next === undefined ? reached : after }
  })
  await sendInOrder(sending, waiting)
  const hasMoved = cursor?.number !== reached.number || cursor.part !== reached.part
  if (events.length === 0 && hasMoved && !isStale()) memory.setState({ ...memory.state, cursor: reached })
}

async function sendInOrder(sending: Sending, waiting: Iterable<Waiting>): Promise<void> {
  for (const one of waiting) {
    if (Date.now() >= sending.endsAtMs || sending.isOutdated() || sending.pace.nextMs > 0) break
    if (!(await sendOne(sending, one))) break
  }
}

type Formatted = Pick<Webhook, 'companyId' | 'webhookId' | 'url' | 'format' | 'sealedSecrets'>

/** Null: the webhook sends events as they are. */
export function chatOf(env: Env, { format, sealedSecrets, ...owner }: Formatted): Chat | null {
  if (format === null) return null
  const secrets = openFormatSecrets(env.WEBHOOK_ROOT, owner, sealedSecrets)
  return { format, companyId: owner.companyId, secrets, publicUrl: env.PUBLIC_URL ?? '' }
}

/** False: the mode has changed, so that the step must end. */
async function sendOne(
  { env, memory, page, mode, isStale, onLeft, pace }: Sending,
  { event, attempts, cursor }: Waiting,
) {
  const { webhookId } = memory.state
  const { place, subject } = event
  if (subject !== null && memory.mustWait(place, subject)) {
    memory.park({ ...place, attempts, dueAtMs: whenReleased }, subject)
    if (cursor !== null) memory.setState({ ...memory.state, cursor })
    return true
  }
  const signer = { ...page, root: env.WEBHOOK_ROOT, webhookId }
  const chat = chatOf(env, { ...page, webhookId })
  if (chat !== null) pace.nextMs = Date.now() + messageEveryMs
  const result = await sendEvent(page.url, signer, event, waits.deliveryMs, chat)
  logAttempt(env, webhookId, event, result)
  if (isStale()) return false

  const consequence = noteAttempt(memory, {
    event,
    result,
    attempt: attempts + 1,
    isProbe: mode === 'held',
    cursor,
  })
  if (consequence.kind !== 'delivered')
    onLeft(consequence.kind === 'parked' ? consequence.dueAtMs : Date.now())
  if (consequence.kind === 'disabled') {
    const companyEnv = envOfStore(env, memory.state.storeName)
    const { reason } = consequence
    await wakeSenders(companyEnv, await disableWebhook(companyEnv.DB, webhookId, reason, Date.now()))
    return false
  }
  return modeOf(memory, Date.now()) === mode
}
