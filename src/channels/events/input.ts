// The query of GET /events: after which place, which types, which lead, how many.
import * as z from 'zod/mini'
import { cursor, optional, pageSize, query } from '../../base/http/schemas.ts'
import { type EventType, eventTypes } from '../../base/ledger/log/event-types.ts'
import { limits } from '../../base/limits.ts'
import { leadIdPattern } from '../../queue/leads/lead.ts'
import { eventIdPattern } from './event.ts'

export const invalidAfter = 'after is not valid'
export const tooOldAfter = `after is older than ${limits.eventsKeptDays} days`
const invalidLeadId = 'leadId is not valid'
export const restoredAfter =
  'after names an event that is gone: the log was restored to an earlier time. Ask without ' +
  'after, or after an older event'
const invalidTypes = 'types must be event types, separated by commas'
const anyType = `(?:${eventTypes.join('|').replaceAll('.', '\\.')})`

export const eventsQuery = query({
  after: optional(z.string(invalidAfter).check(z.regex(new RegExp(`^${eventIdPattern}$`), invalidAfter))),
  types: optional(
    z.string(invalidTypes).check(z.regex(new RegExp(`^${anyType}(?:,${anyType})*$`), invalidTypes)),
  ),
  leadId: optional(z.string(invalidLeadId).check(z.regex(new RegExp(`^${leadIdPattern}$`), invalidLeadId))),
  limit: pageSize(limits.eventsPerPage),
})

const invalidActor = 'actor is not valid'

/** A cursor is the number of the last entry of the page before. */
export const activityQuery = query({
  actor: optional(z.string(invalidActor).check(z.regex(/^\w[\w-]{0,63}$/, invalidActor))),
  cursor: cursor(/^[1-9]\d{0,11}$/),
})

/** For values that eventsQuery accepted. */
export const parseTypes = (types: string) => types.split(',') as EventType[]
