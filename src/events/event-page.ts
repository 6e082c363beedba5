// From a page of the log to the events that it tells, and to the place from which its reader goes on. The same for
// clients and for the operator. Pure.

import type { LeadKey } from '../leads/lead.ts'
import type { EventType } from '../ledger/log/event-types.ts'
import { eventIdOf, eventsOf, isAfter, type LogEvent, type LogPlace, lastPart } from './event.ts'
import type { LogRange, LogResult } from './store/read-log.ts'

export type EventRange = {
  readonly types: readonly EventType[]
  /** Null: from the first event that is kept. */
  readonly after: (LogPlace & { readonly epoch: number }) | null
  readonly maxEvents: number
  /** Null: of all leads, and of what is no lead's. */
  readonly lead: LeadKey | null
}

/** What to read for it. Each entry of the page tells one event of these types at least, but for the one begun before. */
export const logRangeOf = ({ types, after, maxEvents, lead }: EventRange): LogRange => ({
  types,
  lead,
  after: after && { ...after, isToldWhole: after.part === lastPart },
  maxEntries: maxEvents + 1,
})

export type EventPage = { readonly events: readonly LogEvent[]; readonly next: string }

type LogRead = Extract<LogResult, { kind: 'read' }>

/** `next` is the place of the last event or, where there is none, of the end of what was looked at. */
export function toEventPage(companyId: string, range: EventRange, read: LogRead): EventPage {
  const { entries, epochs, scannedUntil } = read
  const log = { companyId, epochs }
  const { types, after, maxEvents } = range
  const events = entries
    .flatMap((entry) => eventsOf(log, entry))
    .filter(({ type, place }) => types.includes(type) && (after === null || isAfter(place, after)))
    .slice(0, maxEvents)
  const isNothingNew = after !== null && scannedUntil <= after.number
  const end = isNothingNew ? after : { number: scannedUntil, part: lastPart }
  return { events, next: events.at(-1)?.id ?? eventIdOf(log, end) }
}
