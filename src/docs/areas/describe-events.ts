// The event log in the API description, for clients that poll. Webhooks send the same events.

import { eventTypes, leadEventTypes, manageEventTypes } from '../../base/ledger/log/event-types.ts'
import { limits } from '../../base/limits.ts'
import { eventIdPattern } from '../../channels/events/event.ts'
import { eventsQuery } from '../../channels/events/input.ts'
import { eventTable } from '../fields/event-data.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'

const tag = {
  name: 'Events',
  description: prose`Everything that happens, in one ordered log per company. An event contains ids and a few
facts; read the lead for the rest. Its facts, such as \`status\` and \`attempts\`, are as they were when it
happened, and never change; \`externalId\` is the lead’s now, and null once it was erased. Events are kept for
${limits.eventsKeptDays} days.

${eventTable()}

\`lead.erased\` has only \`leadId\` and \`campaignId\`. A \`campaignId\` of null means the whole company.`,
}
const eventId = {
  type: 'string',
  pattern: `^${eventIdPattern}$`,
  description: 'The same each time the event is returned or sent. Opaque.',
  examples: [exampleIds.event],
}

const schemas = {
  Event: s.exactObject({
    id: eventId,
    type: { type: 'string', enum: eventTypes },
    timestamp: s.time('When the event happened. Never decreases within the log.'),
    actor: {
      type: 'string',
      description:
        'Who caused the event: the id of an API key or of a member, `op_…` or `operator` (us), ' +
        'or `system` (automatic).',
      examples: [exampleIds.key],
    },
    actorName: s.textOrNull`The name or address of the member, as it is now, or \`former member\`. Null: it was no
      member.`,
    data: {
      type: 'object',
      additionalProperties: true,
      description: 'Depends on the type, see the table above.',
    },
  }),
}

const listEvents = needs.read('GET /api/v1/events', {
  summary: 'List events',
  description: prose`Returns events, oldest first. Poll with \`after\` set to the last \`next\`: no event is
    missed or repeated. If there is nothing new, the response has no events and the same \`next\`. Leads and
    calls are logged from your company’s first request to this endpoint on. Keys with scope \`manage\` also get
    ${manageEventTypes.map((type) => `\`${type}\``).join(', ')}. A campaign’s key gets only events of its
    campaign.`,
  cli: { noun: 'event', verb: 'list', columns: 'timestamp type actor id data' },
  query: s.describeQuery(eventsQuery, {
    after: {
      description: prose`Return events after this one: the \`next\` of a response, or the \`id\` of an event.
        Default: from the oldest event that is kept. Refused with 400 if it is older than
        ${limits.eventsKeptDays} days, or if a restore of our database removed it.`,
    },
    types: {
      description:
        'Only events of these types, separated by commas. Default: all types that the key has access to.',
      examples: ['call.reported,lead.concluded'],
    },
    leadId: {
      description: prose`Only events about this lead: its calls, changes, requeues and erasure. Without
        \`leads.created\`, which is about many leads. A lead that the key has no access to has no events.`,
      examples: [exampleIds.lead],
    },
    limit: s.queryNumber(limits.eventsPerPage)`The maximum number of events. Default: 100. A response may
      have fewer although more follow.`,
  }),
  refusals: ['after is older than 90 days'],
  responses: ok(
    'The events.',
    s.exactObject({
      events: s.arrayOf('Event'),
      next: { ...eventId, description: 'The `after` of your next request.' },
    }),
    {
      events: [
        {
          id: exampleIds.event,
          type: leadEventTypes[1],
          timestamp: '2026-11-20T09:04:12.120Z',
          actor: exampleIds.key,
          actorName: null,
          data: {
            leadId: exampleIds.lead,
            campaignId: 'demo',
            externalId: 'crm-42',
            status: 'attempting',
            attempts: 1,
            callId: exampleIds.call,
            outcome: 'no_answer',
            isLastAttempt: false,
          },
        },
      ],
      next: exampleIds.event,
    },
  ),
})

export const events: Area = { tag, operations: { listEvents }, schemas }
