// Turns a page of the log into events and the cursor of the next page. Pure.
import type { LeadKey } from '../leads/lead.ts'
import type { EventType } from '../ledger/log/event-types.ts'
import { eventIdOf, eventsOf, isAfter, type LogEvent, type LogPlace, lastPart } from './event.ts'
import type { LogRange, LogResult } from './store/read-log.ts'

export type EventRange = {
  readonly types: readonly EventType[]
  /** Null: from the oldest event. */
  readonly after: (LogPlace & { readonly epoch: number }) | null
  readonly maxEvents: number
  /** Null: all events, those that concern no lead included. */
  readonly lead: LeadKey | null
}

/** Each entry gives at least one event, except the one that `after` stands in: hence one entry more. */
export const toLogRange = ({ types, after, maxEvents, lead }: EventRange): LogRange => ({
  types,
  lead,
  after: after && { ...after, isEntryRead: after.part === lastPart },
  maxEntries: maxEvents + 1,
})

export type EventPage = { readonly events: readonly LogEvent[]; readonly next: string }

type LogRead = Extract<LogResult, { kind: 'read' }>

/** `next` is the place of the last event or, without events, the end of what was scanned. */
export function toEventPage(companyId: string, range: EventRange, read: LogRead): EventPage {
  const { entries, epochs, scannedUntil } = read
  const log = { companyId, epochs }
  const { types, after, maxEvents } = range
  const events = entries
    .flatMap((entry) => eventsOf(log, entry))
    .filter(({ type, place }) => types.includes(type) && (after === null || isAfter(place, after)))
    .slice(0, maxEvents)
  const hasNothingNew = after !== null && scannedUntil <= after.number
  const end = hasNothingNew ? after : { number: scannedUntil, part: lastPart }
  return { events, next: events.at(-1)?.id ?? eventIdOf(log, end) }
}
