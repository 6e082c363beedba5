// What webhooks send, in the API description: one entry for each type of event, the bodies and the headers. How webhooks
// are made is in describe-webhooks.ts.

import { failingClaims, failingLeases } from '../../calling/failing-agents.ts'
import { eventIdPattern } from '../../events/event.ts'
import { leadStatuses } from '../../leads/lead.ts'
import { type EventType, eventTypes } from '../../ledger/log/event-types.ts'
import { answered, count, type JsonSchema, type Properties, reference } from '../openapi/json-schema.ts'
import { callId, exampleCallId, pastOutcomes, time } from './describe-calling.ts'
import { leadId } from './describe-leads.ts'

const campaignId = { type: 'string', description: 'The campaign.', examples: ['demo'] }
const ofCampaignOrCompany = { type: ['string', 'null'], description: 'Null: of the whole company.' }
const leadIdOnly = { type: 'string', pattern: leadId.pattern, description: 'The lead’s `_id`.' }
const text = (description: string) => ({ type: 'string', description })

const ofLead: Properties = {
  leadId: leadIdOnly,
  campaignId,
  externalId: { type: ['string', 'null'], description: 'Null when not set, and once the lead was erased.' },
  status: { type: 'string', enum: leadStatuses },
  attempts: count('So far.'),
}
const onRequest: Properties = {
  phoneNumber: text('E.164. Only where the webhook includes it.'),
  metadata: {
    type: 'object',
    additionalProperties: true,
    description: 'Only where the webhook includes it.',
  },
}
/** What is told beside these follows from what was done. */
const open = (properties: Properties, optional: readonly string[] = []) => ({
  ...answered(properties, optional),
  additionalProperties: true,
})

const dataSchemas = {
  ToldLeadsCreated: answered({
    campaignId,
    count: count('Leads that the request stored.'),
    leadIds: { type: 'array', items: leadIdOnly, description: 'In order. Those erased since are left out.' },
  }),
  ToldCall: answered(
    {
      ...ofLead,
      callId,
      outcome: { type: 'string', enum: pastOutcomes },
      isLastAttempt: { type: 'boolean' },
      ...onRequest,
      details: {
        type: 'object',
        additionalProperties: true,
        description: 'Only where the webhook includes it.',
      },
    },
    ['phoneNumber', 'metadata', 'details'],
  ),
  ToldLead: open({ ...ofLead, ...onRequest }, [
    'externalId',
    'status',
    'attempts',
    'phoneNumber',
    'metadata',
  ]),
  ToldFact: open({ campaignId: ofCampaignOrCompany }),
} as const

type DataName = keyof typeof dataSchemas

/** What each type tells, and when. */
const meanings: { readonly [Type in EventType]: readonly [data: DataName, meaning: string] } = {
  'leads.created': ['ToldLeadsCreated', 'A request has stored leads. One event for each request.'],
  'call.reported': ['ToldCall', 'An agent has reported a call.'],
  'call.expired': ['ToldCall', 'A lease has ended without a report: outcome `unknown`.'],
  'call.released': ['ToldCall', 'A call was given back without dialling.'],
  'lead.concluded': ['ToldCall', 'That call was the last: the lead is done.'],
  'lead.exhausted': ['ToldCall', 'That call was the last: no attempts are left.'],
  'lead.changed': ['ToldLead', 'A lead was changed.'],
  'lead.erased': ['ToldLead', 'A lead was erased: `leadId` and `campaignId` alone.'],
  'lead.requeued': ['ToldLead', 'A lead is called again.'],
  'campaign.changed': ['ToldFact', 'Settings of a campaign were changed.'],
  'agent.failing': [
    'ToldFact',
    `An agent gets no leads for ten minutes: at least ${failingLeases} of its leases in a row, of at least ${failingClaims} claims, have ended without a report.`,
  ],
  'suppression.added': ['ToldFact', 'Numbers must not be called: how many, never which.'],
  'suppression.lifted': ['ToldFact', 'Numbers may be called again.'],
  'key.created': ['ToldFact', 'An API key was made.'],
  'key.rotated': ['ToldFact', 'An API key was given a successor.'],
  'key.revoked': ['ToldFact', 'An API key was ended.'],
  'webhook.changed': ['ToldFact', 'A webhook was made, changed, rotated, replayed or removed.'],
  'webhook.disabled': [
    'ToldFact',
    'A webhook was disabled: `gone` (410), `dead` (five days of failures) or `key_revoked` (the API key that made it was ended).',
  ],
  'webhook.gave_up': [
    'ToldFact',
    'A webhook tries an event no more after eight refusals or failures: `webhookId`, `eventId`, `type`, `status`. Sent to other webhooks alone.',
  ],
  'erasure.done': ['ToldFact', 'A person was erased.'],
  'leads.exported': ['ToldFact', 'Leads were exported as CSV.'],
}

const examples: { readonly [Name in DataName]: object } = {
  ToldLeadsCreated: { campaignId: 'demo', count: 1, leadIds: [leadId.examples[0]] },
  ToldCall: {
    leadId: leadId.examples[0],
    campaignId: 'demo',
    externalId: 'crm-42',
    status: 'concluded',
    attempts: 2,
    callId: exampleCallId,
    outcome: 'answered',
    isLastAttempt: false,
  },
  ToldLead: { leadId: leadId.examples[0], campaignId: 'demo' },
  ToldFact: { campaignId: 'demo' },
}

const bodyOf = (types: JsonSchema, data: JsonSchema) =>
  answered({ type: types, timestamp: time('When it happened.'), data })

const headers = [
  [
    'webhook-id',
    'The event. The same in every try: what you have seen already needs no work.',
    `^${eventIdPattern}$`,
  ],
  ['webhook-timestamp', 'Unix seconds of this try. Refuse one that is more than five minutes off.', '^\\d+$'],
  [
    'webhook-signature',
    '`v1,` and the Base64 of HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`. More than one, with a space between, while a secret is being replaced: one that matches is enough.',
    '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
  ],
].map(([name, description, pattern]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
}))

function told(type: EventType, tags: readonly string[]) {
  const [data, meaning] = meanings[type]
  const value = { type, timestamp: '2026-11-20T09:03:12.000Z', data: examples[data] }
  return {
    post: {
      operationId: `told ${type}`.replace(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags,
      summary: type,
      description: meaning,
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: bodyOf({ const: type }, reference(data)),
            examples: { event: { value } },
          },
        },
      },
      responses: {
        '2XX': { description: 'Taken. The body of the answer is not read.' },
        410: { description: 'Gone for good: the webhook is disabled.' },
        default: {
          description:
            'Not taken: it is sent again. `Retry-After` of a 429 or 503 is honoured, up to a day. Redirects are not followed.',
        },
      },
    },
  }
}

export const toldSchemas: Properties = dataSchemas

export const toldEvents = (tags: readonly string[]) =>
  Object.fromEntries(eventTypes.map((type) => [type, told(type, tags)]))
