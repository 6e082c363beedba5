// The log in the API description: what happened, for clients that ask for it. The same events are what webhooks send.
import { eventIdPattern } from '../../events/event.ts'
import { eventsQuery, invalidAfter, restoredAfter, tooOldAfter } from '../../events/input.ts'
import { eventTypes, leadEventTypes, manageEventTypes } from '../../ledger/log/event-types.ts'
import { limits } from '../../limits.ts'
import { givenTwice, queryMessages } from '../openapi/failures.ts'
import { answered, describeQuery, reference } from '../openapi/json-schema.ts'
import { type Area, answer, json, keyedOperation } from '../openapi/operation.ts'
import { time } from './describe-calling.ts'

const tag = {
  name: 'Events',
  description: `What happened, in one ordered log for each company. An event is thin: ids, and facts of its moment; read the lead for the rest. It is kept for ${limits.eventsKeptDays} days, and what was erased since is told no more.

| Type | \`data\` |
| --- | --- |
| \`leads.created\`, one for each request that stores leads | \`campaignId\`, \`count\`, \`leadIds\` |
| \`call.reported\`, \`call.expired\`, \`call.released\`; \`lead.concluded\`, \`lead.exhausted\` by that call | \`leadId\`, \`campaignId\`, \`externalId\`, \`status\`, \`attempts\`, \`callId\`, \`outcome\`, \`isLastAttempt\` |
| \`lead.changed\`, \`lead.requeued\` | \`leadId\`, \`campaignId\`, \`externalId\`, \`status\`, \`attempts\` |
| \`lead.erased\`, and those two of a lead that was erased since | \`leadId\`, \`campaignId\` |
| \`campaign.changed\` | \`campaignId\`, \`changed\` (names of settings), \`paused\` when that changed; \`created\` of a new one |
| \`suppression.added\`, \`suppression.lifted\` | \`campaignId\`, \`count\` |
| \`key.created\` | \`campaignId\`, \`keyId\`, \`scope\` |
| \`key.rotated\`, \`key.revoked\` | \`campaignId\`, \`keyId\`; \`newKeyId\` |
| \`webhook.changed\`, \`webhook.disabled\` | \`campaignId\`, \`webhookId\`; \`change\`, \`reason\` |
| \`webhook.gave_up\` | \`campaignId\`, \`webhookId\`, and of the event \`eventId\`, \`type\`, the last \`status\` |
| \`leads.exported\` | \`campaignId\`, \`format\` |

A \`campaignId\` of null is the whole company.`,
}
const tags = [tag.name]

const eventId = {
  type: 'string',
  pattern: `^${eventIdPattern}$`,
  description: 'The same whenever it is told. Opaque.',
  examples: ['evt_x81Kp200000000c10'],
}

const schemas = {
  Event: answered({
    id: eventId,
    type: { type: 'string', enum: eventTypes },
    timestamp: time('When it happened. Never before that of the event before.'),
    actor: {
      type: 'string',
      description:
        'Who did it: the id of an API key, `operator` (we did), or `system` (it followed by itself).',
      examples: ['key_sYtL0wJvB4qzN1dE'],
    },
    data: { type: 'object', additionalProperties: true, description: 'As the table of types says.' },
  }),
}

const listMessages = [
  ...queryMessages(eventsQuery, [
    { after: 'evt_1' },
    { types: 'call.made' },
    { leadId: '1' },
    { limit: '0' },
    ...givenTwice(eventsQuery),
  ]),
  tooOldAfter,
  restoredAfter,
]

const listEvents = keyedOperation({
  operationId: 'listEvents',
  tags,
  summary: 'List events',
  description: `Oldest first. Ask with \`after\` set to the last \`next\`, as often as you like: nothing comes twice, and nothing is left out. An answer without events, and with the \`next\` that you sent, has nothing new. Leads and calls are logged from the first time on that anybody of the company asks. A key of scope \`manage\` is also told ${manageEventTypes.map((type) => `\`${type}\``).join(', ')}. A campaign’s key is told of its campaign.`,
  right: 'read',
  parameters: describeQuery(eventsQuery, {
    after: {
      description: `Go on after this place: the \`next\` of an answer, or the \`id\` of an event. Without it: from the oldest event that is kept. One from which events older than ${limits.eventsKeptDays} days follow is refused, and so is one that a restore of our database has removed.`,
      examples: eventId.examples,
    },
    types: {
      description: 'Only these, separated by commas. Without it: all that the key may see.',
      examples: ['call.reported,lead.concluded'],
    },
    leadId: {
      description:
        'Only what is about this lead: its calls, changes, requeueing and erasing. Not `leads.created`, which names many. An id that the key sees no lead of has no events.',
      examples: ['1a1fb47365400000100000001nTelzbbSjlh'],
    },
    limit: {
      type: 'integer',
      pattern: undefined,
      minimum: 1,
      maximum: limits.eventsPerPage,
      description: 'At most so many. 100 when not set. There may be fewer, and more after them.',
    },
  }),
  answers: {
    200: answer(
      'Events.',
      json(
        answered({
          events: { type: 'array', items: reference('Event') },
          next: { ...eventId, description: 'The `after` to go on with.' },
        }),
        {
          events: [
            {
              id: 'evt_x81Kp200000000c10',
              type: leadEventTypes[1],
              timestamp: '2026-11-20T09:04:12.120Z',
              actor: 'key_sYtL0wJvB4qzN1dE',
              data: {
                leadId: '1a1fb47365400000100000001nTelzbbSjlh',
                campaignId: 'demo',
                externalId: 'crm-42',
                status: 'attempting',
                attempts: 1,
                callId: '1a1fb4f1c2a00000100000001Xh2mPq9RtLw',
                outcome: 'no_answer',
                isLastAttempt: false,
              },
            },
          ],
          next: 'evt_x81Kp200000000c10',
        },
      ),
    ),
  },
  invalid: { messages: listMessages, example: invalidAfter },
  refusals: [],
})

export const events: Area = { tag, paths: { '/api/v1/events': { get: listEvents } }, schemas }
