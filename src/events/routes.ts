// GET /events: a company's log for its clients.
import { granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { hasRight } from '../access/scope.ts'
import { type Answer, success } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { readQueryOf } from '../http/validate.ts'
import { parseLeadId } from '../leads/lead.ts'
import { type EventType, eventTypes, leadEventTypes } from '../ledger/log/event-types.ts'
import { placeOfEventId } from './event.ts'
import { toEventPage, toLogRange } from './event-page.ts'
import { eventsQuery, invalidAfter, parseTypes, restoredAfter, tooOldAfter } from './input.ts'
import { readLogOfKey } from './store/read-log.ts'

const readEventsQuery = readQueryOf(eventsQuery)

const defaultEvents = 100

export async function getEvents(x: KeyedExchange): Promise<Answer> {
  const { after: sentAfter, types, leadId, limit } = await readEventsQuery(x)
  const { companyId } = x.apiKey
  const allowed: readonly EventType[] = hasRight(x.apiKey.scope, 'manage') ? eventTypes : leadEventTypes
  const requested = types === null ? allowed : parseTypes(types)
  if (!requested.every((type) => allowed.includes(type)))
    throw new ApiError({ kind: 'insufficient_permissions' })
  const after = sentAfter === null ? null : placeOfEventId(companyId, sentAfter)
  if (sentAfter !== null && after === null) throw invalid(invalidAfter)

  const lead = leadId === null ? null : parseLeadId(leadId)
  const range = { types: requested, after, lead, maxEvents: limit ?? defaultEvents }
  const result = await granted(x, readLogOfKey(x.db, keyAccessOf(x), toLogRange(range)))
  if (result.kind === 'no_such_place') throw invalid(invalidAfter)
  if (result.kind === 'place_restored') throw invalid(restoredAfter)
  if (result.kind === 'place_too_old') throw invalid(tooOldAfter)
  const { events, next } = toEventPage(companyId, range, result)
  return success({
    events: events.map(({ id, type, timestamp, actor, data }) => ({ id, type, timestamp, actor, data })),
    next,
  })
}

const invalid = (message: string) => new ApiError({ kind: 'invalid_field', message })
