// GET /events: a company's log for its clients. GET /activity: what people and keys changed, for people.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { hasRight } from '../../base/access/scope.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError, invalidField } from '../../base/http/errors.ts'
import { readQueryOf } from '../../base/http/validate.ts'
import { type EventType, eventTypes, leadEventTypes } from '../../base/ledger/log/event-types.ts'
import { parseLeadId } from '../../queue/leads/lead.ts'
import { eventIdOf, eventJson, eventsOf, isAfter, lastPart, placeOfEventId } from './event.ts'
import { activityQuery, eventsQuery, invalidAfter, parseTypes, restoredAfter, tooOldAfter } from './input.ts'
import { readActivity } from './store/read-activity.ts'
import { readLogOfKey } from './store/read-log.ts'

const readEventsQuery = readQueryOf(eventsQuery)
const readActivityQuery = readQueryOf(activityQuery)

const defaultEvents = 100

export async function getEvents(x: KeyedExchange): Promise<Answer> {
  const { after: sentAfter, types, leadId, limit } = await readEventsQuery(x)
  const { companyId } = x.apiKey
  const allowed: readonly EventType[] = hasRight(x.apiKey.scope, 'manage') ? eventTypes : leadEventTypes
  const requested = types === null ? allowed : parseTypes(types)
  if (!requested.every((type) => allowed.includes(type)))
    throw new ApiError({ kind: 'insufficient_permissions' })
  const after = sentAfter === null ? null : placeOfEventId(companyId, sentAfter)
  if (sentAfter !== null && after === null) throw invalidField(invalidAfter)

  const lead = leadId === null ? null : parseLeadId(leadId)
  const maxEvents = limit ?? defaultEvents
  const range = {
    types: requested,
    lead,
    after: after && { ...after, isEntryRead: after.part === lastPart },
    // Each entry gives at least one event, except the one that `after` is in.
    maxEntries: maxEvents + 1,
  }
  const result = await granted(x, readLogOfKey(x.db, keyAccessOf(x), range))
  if (result.kind === 'no_such_place') throw invalidField(invalidAfter)
  if (result.kind === 'place_restored') throw invalidField(restoredAfter)
  if (result.kind === 'place_too_old') throw invalidField(tooOldAfter)
  const { entries, epochs, scannedUntil } = result
  const log = { companyId, epochs }
  const events = entries
    .flatMap((entry) => eventsOf(log, entry))
    .filter(({ type, place }) => requested.includes(type) && (after === null || isAfter(place, after)))
    .slice(0, maxEvents)
    .map(eventJson)
  // Without events the end of what was scanned.
  const hasNothingNew = after !== null && scannedUntil <= after.number
  const end = hasNothingNew ? after : { number: scannedUntil, part: lastPart }
  return success({ events, next: events.at(-1)?.id ?? eventIdOf(log, end) })
}

/** Reading it does not start the logging of leads and calls. */
export async function getActivity(x: KeyedExchange): Promise<Answer> {
  const { actor, cursor } = await readActivityQuery(x)
  const before = cursor === null ? null : Number(cursor)
  const { entries, epochs, next } = await granted(x, readActivity(x.db, keyAccessOf(x), actor, before))
  const log = { companyId: x.apiKey.companyId, epochs }
  const activity = entries.flatMap((entry) => eventsOf(log, entry)).map(eventJson)
  return success({ activity, nextCursor: next === null ? null : String(next) })
}
