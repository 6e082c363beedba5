// The log of a company, as its clients read it.
import { granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { hasRight } from '../access/scope.ts'
import { type Answer, success } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { readQueryOf } from '../http/validate.ts'
import { parseLeadId } from '../leads/lead.ts'
import { type EventType, eventTypes, leadEventTypes } from '../ledger/log/event-types.ts'
import { placeOfEventId } from './event.ts'
import { logRangeOf, toEventPage } from './event-page.ts'
import { eventsQuery, invalidAfter, restoredAfter, tooOldAfter, typesOf } from './input.ts'
import { readLogOfKey } from './store/read-log.ts'

const readEventsQuery = readQueryOf(eventsQuery)

const defaultEvents = 100

export async function getEvents(x: KeyedExchange): Promise<Answer> {
  const { after: sentAfter, types, leadId, limit } = await readEventsQuery(x)
  const { companyId } = x.apiKey
  const mayTell = (hasRight(x.apiKey.scope, 'manage') ? eventTypes : leadEventTypes) as readonly EventType[]
  const asked = types === null ? mayTell : typesOf(types)
  if (!asked.every((type) => mayTell.includes(type))) throw new ApiError({ kind: 'insufficient_permissions' })
  const after = sentAfter === null ? null : placeOfEventId(companyId, sentAfter)
  if (sentAfter !== null && after === null) throw refusal(invalidAfter)

  const lead = leadId === null ? null : parseLeadId(leadId)
  const range = { types: asked, after, lead, maxEvents: limit ?? defaultEvents }
  const outcome = await granted(x, readLogOfKey(x.db, keyAccessOf(x), logRangeOf(range)))
  if (outcome.kind === 'no_such_place') throw refusal(invalidAfter)
  if (outcome.kind === 'place_restored') throw refusal(restoredAfter)
  if (outcome.kind === 'place_too_old') throw refusal(tooOldAfter)
  const { events, next } = toEventPage(companyId, range, outcome)
  return success({
    events: events.map(({ id, type, timestamp, actor, data }) => ({ id, type, timestamp, actor, data })),
    next,
  })
}

const refusal = (message: string) => new ApiError({ kind: 'invalid_field', message })
