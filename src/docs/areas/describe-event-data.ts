// The requests that webhooks send, in the API description: one for each event type. How webhooks are managed is in
// describe-webhooks.ts.

import { failingClaims, failingLeases } from '../../calling/failing-agents.ts'
import { eventIdPattern } from '../../events/event.ts'
import { leadStatuses } from '../../leads/lead.ts'
import { type EventType, eventTypes } from '../../ledger/log/event-types.ts'
import { count, exactObject, type JsonSchema, type Properties, reference } from '../openapi/json-schema.ts'
import { callId, exampleCallId, pastOutcomes, time } from './describe-calling.ts'
import { leadId } from './describe-leads.ts'

const campaignId = { type: 'string', description: 'The id of the campaign.', examples: ['demo'] }
const ofCampaignOrCompany = {
  type: ['string', 'null'],
  description: 'The id of the campaign. Null: the whole company.',
}
const leadIdOnly = { type: 'string', pattern: leadId.pattern, description: 'The lead’s `_id`.' }
const text = (description: string) => ({ type: 'string', description })

const ofLead: Properties = {
  leadId: leadIdOnly,
  campaignId,
  externalId: { type: ['string', 'null'], description: 'Null if not set, and after the lead was erased.' },
  status: { type: 'string', enum: leadStatuses },
  attempts: count('Attempts so far.'),
}
const onRequest: Properties = {
  phoneNumber: text('E.164. Only if the webhook includes it.'),
  metadata: {
    type: 'object',
    additionalProperties: true,
    description: 'Only if the webhook includes it.',
  },
}
/** Further members depend on the type. */
const open = (properties: Properties, optional: readonly string[] = []) => ({
  ...exactObject(properties, optional),
  additionalProperties: true,
})

const dataSchemas = {
  LeadsCreatedEventData: exactObject({
    campaignId,
    count: count('Leads that the request stored.'),
    leadIds: {
      type: 'array',
      items: leadIdOnly,
      description: 'In the order of creation, without leads that were erased since.',
    },
  }),
  CallEventData: exactObject(
    {
      ...ofLead,
      callId,
      outcome: { type: 'string', enum: pastOutcomes },
      isLastAttempt: { type: 'boolean' },
      ...onRequest,
      details: {
        type: 'object',
        additionalProperties: true,
        description: 'Only if the webhook includes it.',
      },
    },
    ['phoneNumber', 'metadata', 'details'],
  ),
  LeadEventData: open({ ...ofLead, ...onRequest }, [
    'externalId',
    'status',
    'attempts',
    'phoneNumber',
    'metadata',
  ]),
  AdminEventData: open({ campaignId: ofCampaignOrCompany }),
} as const

type DataName = keyof typeof dataSchemas

/** When each type is sent, and with which data. */
const meanings: { readonly [Type in EventType]: readonly [data: DataName, meaning: string] } = {
  'leads.created': ['LeadsCreatedEventData', 'A request created leads. One event per request.'],
  'call.reported': ['CallEventData', 'An agent reported a call.'],
  'call.expired': ['CallEventData', 'A lease ended without a report: outcome `unknown`.'],
  'call.released': ['CallEventData', 'A call was released without dialling.'],
  'lead.concluded': ['CallEventData', 'This call concluded the lead.'],
  'lead.exhausted': ['CallEventData', 'This call exhausted the lead.'],
  'lead.changed': ['LeadEventData', 'A lead was changed.'],
  'lead.erased': ['LeadEventData', 'A lead was erased. Only `leadId` and `campaignId`.'],
  'lead.requeued': ['LeadEventData', 'A lead was requeued.'],
  'campaign.changed': ['AdminEventData', 'The settings of a campaign changed.'],
  'agent.failing': [
    'AdminEventData',
    `An agent gets no leads for ten minutes, because at least ${failingLeases} consecutive leases from at least ${failingClaims} claims ended without a report.`,
  ],
  'suppression.added': [
    'AdminEventData',
    'Numbers were suppressed. Contains their count, never the numbers.',
  ],
  'suppression.lifted': ['AdminEventData', 'Suppressions were removed.'],
  'key.created': ['AdminEventData', 'An API key was created.'],
  'key.rotated': ['AdminEventData', 'An API key was rotated.'],
  'key.revoked': ['AdminEventData', 'An API key was revoked.'],
  'webhook.changed': ['AdminEventData', 'A webhook was created, changed, rotated, replayed or deleted.'],
  'webhook.disabled': [
    'AdminEventData',
    'A webhook was disabled: `gone` (410), `dead` (five days of failures) or `key_revoked` (the API key that created it was revoked).',
  ],
  'webhook.gave_up': [
    'AdminEventData',
    'A webhook gave up on an event after eight failed delivery attempts: `webhookId`, `eventId`, `type`, `status`. Only sent to other webhooks.',
  ],
  'erasure.done': ['AdminEventData', 'A person was erased.'],
  'leads.exported': ['AdminEventData', 'Leads were exported as CSV.'],
}

const examples: { readonly [Name in DataName]: object } = {
  LeadsCreatedEventData: { campaignId: 'demo', count: 1, leadIds: [leadId.examples[0]] },
  CallEventData: {
    leadId: leadId.examples[0],
    campaignId: 'demo',
    externalId: 'crm-42',
    status: 'concluded',
    attempts: 2,
    callId: exampleCallId,
    outcome: 'answered',
    isLastAttempt: false,
  },
  LeadEventData: { leadId: leadId.examples[0], campaignId: 'demo' },
  AdminEventData: { campaignId: 'demo' },
}

const bodyOf = (types: JsonSchema, data: JsonSchema) =>
  exactObject({ type: types, timestamp: time('When the event happened.'), data })

const headers = [
  [
    'webhook-id',
    'The id of the event, the same in every delivery attempt. Ignore ids that you have already processed.',
    `^${eventIdPattern}$`,
  ],
  [
    'webhook-timestamp',
    'The time of this delivery attempt, in Unix seconds. Reject it if it differs from your clock by more than five minutes.',
    '^\\d+$',
  ],
  [
    'webhook-signature',
    '`v1,` and the Base64 of HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`. Several signatures, separated by spaces, while a secret is being rotated: one match is enough.',
    '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
  ],
].map(([name, description, pattern]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
}))

function describeEvent(type: EventType, tags: readonly string[]) {
  const [data, meaning] = meanings[type]
  const value = { type, timestamp: '2026-11-20T09:03:12.000Z', data: examples[data] }
  return {
    post: {
      // The client's types find these operations by this prefix.
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
        '2XX': { description: 'Delivered. The response body is ignored.' },
        410: { description: 'Gone: disables the webhook.' },
        default: {
          description:
            'Not delivered: sent again later. `Retry-After` of a 429 or 503 is respected, up to a day. Redirects are not followed.',
        },
      },
    },
  }
}

export const eventDataSchemas: Properties = dataSchemas

export const eventRequests = (tags: readonly string[]) =>
  Object.fromEntries(eventTypes.map((type) => [type, describeEvent(type, tags)]))
