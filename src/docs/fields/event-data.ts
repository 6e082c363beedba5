// The requests that webhooks send, in the API description: one for each event type. How webhooks are managed is in
// describe-webhooks.ts.

import { type EventType, eventTypes } from '../../base/ledger/log/event-types.ts'
import { eventIdPattern } from '../../channels/events/event.ts'
import { includable } from '../../channels/webhooks/store/endpoints.ts'
import { alertKinds } from '../../control/alerts/alert-kinds.ts'
import { failingClaims, failingLeases } from '../../queue/calling/failing-agents.ts'
import { pastOutcomes } from '../../queue/campaigns/outcomes.ts'
import { leadStatuses } from '../../queue/leads/lead.ts'
import { matching, sent } from '../openapi/headers.ts'
import * as s from '../openapi/json-schema.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleOrigin } from '../samples/example-leads.ts'
import { callId } from './call-fields.ts'
import { leadId } from './lead-fields.ts'

const campaignId = { type: 'string', description: 'The id of the campaign.', examples: ['demo'] }
const ofCampaignOrCompany = s.textOrNull('The id of the campaign. Null: the whole company.')
const leadIdOnly = { type: 'string', pattern: leadId.pattern, description: 'The lead’s `_id`.' }

const ofLead: s.Properties = {
  leadId: leadIdOnly,
  campaignId,
  externalId: s.textOrNull('When the event is read. Null if not set, and after the lead was erased.'),
  status: s.oneOf(leadStatuses)`When the event happened.`,
  attempts: s.count('Attempts so far, when the event happened.'),
}
const onRequestOnly = {
  type: 'object',
  additionalProperties: true,
  description: 'Only if the webhook includes it.',
}
const onRequest: s.Properties = {
  phoneNumber: s.text('E.164. Only if the webhook includes it.'),
  metadata: onRequestOnly,
}
export const alertSubject = s.textOrNull`The id of the webhook, API key or source, or the name of the agent. Null: the
  campaign itself.`
/** Further members depend on the type. */
const open = (properties: s.Properties, optional: readonly string[] = []) => ({
  ...s.objectWithout(optional, properties),
  additionalProperties: true,
})

const dataSchemas = {
  LeadsCreatedEventData: s.objectWithout(['externalIds'], {
    campaignId,
    count: s.count('Leads that the request stored.'),
    leadIds: s.array(leadIdOnly)`In the order of creation, without leads that were erased since.`,
    origin: {
      anyOf: [s.reference('LeadOrigin'), { type: 'null' }],
      description: 'Where the leads came from.',
    },
    externalIds: s.array({ type: ['string', 'null'] })`The external id of each of \`leadIds\`, in the same
      order. Null: it has none. Only if the webhook includes it.`,
  }),
  CallEventData: s.objectWithout(['direction', 'consentId', 'phoneNumber', 'metadata', 'details'], {
    ...ofLead,
    callId,
    outcome: { type: 'string', enum: pastOutcomes },
    isLastAttempt: { type: 'boolean' },
    direction: s.oneOf(['outbound', 'inbound'])('Who rang whom. Only of a reported call.'),
    consentId: s.textOrNull`The consent that the call used. Only of a reported call, and null if it used none.`,
    ...onRequest,
    details: onRequestOnly,
  }),
  CallStartedEventData: s.exactObject({
    leadId: leadIdOnly,
    campaignId,
    callId,
    direction: s.oneOf(['outbound', 'inbound'])('Who rang whom.'),
    attempt: s.count('Which attempt of the lead it is. Of a call that is none: the attempts before it.'),
    providerCallId: s.textOrNull('The id of the call at the voice provider. Null once the lead is erased.'),
  }),
  LeadEventData: open({ ...ofLead, ...onRequest }, [
    'externalId',
    'status',
    'attempts',
    'phoneNumber',
    'metadata',
  ]),
  AdminEventData: open({ campaignId: ofCampaignOrCompany }),
  AlertEventData: s.exactObject({
    kind: s.codes(alertKinds),
    campaignId: ofCampaignOrCompany,
    subject: alertSubject,
    since: s.time('Since when.'),
  }),
} as const

type DataName = keyof typeof dataSchemas

/** Members of `data`: those of the schema, without what a webhook includes on request. */
const membersOf = (name: DataName) =>
  Object.keys(dataSchemas[name].properties)
    .filter((member) => !includable.some((included) => included === member))
    .map((member) => `\`${member}\``)
    .join(', ')

type Described = {
  readonly data: DataName
  /** When it is sent. */
  readonly meaning: string
  /** Further members of its data, in Markdown. */
  readonly more: string
}

const withData =
  (data: DataName) =>
  (meaning: string, more = ''): Described => ({ data, meaning, more })
const call = withData('CallEventData')
const lead = withData('LeadEventData')
const admin = withData('AdminEventData')
const alert = withData('AlertEventData')

/** A new event type needs its line here. Operations, the table of events and the client's types derive from it. */
const described: { readonly [Type in EventType]: Described } = {
  'leads.created': withData('LeadsCreatedEventData')('A request created leads. One event per request.'),
  'call.started': withData('CallStartedEventData')(
    'A dialer started a call, or an agent took one that came in.',
  ),
  'call.reported': call('An agent reported a call.'),
  'call.expired': call('A lease ended without a report: outcome `unknown`.'),
  'call.released': call(
    'A call was released without dialling, or the lease of one that came in ended without a report.',
  ),
  'lead.concluded': call('This call concluded the lead.'),
  'lead.exhausted': call('This call exhausted the lead.'),
  'lead.changed': lead('A lead was changed.', '`changed` (names of fields)'),
  'lead.erased': lead('A lead was erased. Only `leadId` and `campaignId`.'),
  'lead.requeued': lead('A lead was requeued.'),
  'lead.refused': lead(
    'The gate of the campaign said no: the lead is exhausted.',
    '`gateVersion`, `pointer`',
  ),
  'campaign.changed': admin(
    'The settings of a campaign changed.',
    '`changed` (names of settings, `dialer`, `sources` with `sourceId`, `sourceName` and `sourceChanged`), ' +
      '`paused` if it changed; ' +
      '`created` for a new campaign',
  ),
  'campaign.created': admin('A campaign was created through the API.'),
  'campaign.archived': admin('A campaign was archived, or is no longer archived.', '`archived`'),
  'agent.failing': admin(
    prose`An agent gets no leads for ten minutes, because at least ${failingLeases} consecutive leases
      from at least ${failingClaims} claims ended without a report.`,
    '`agent`',
  ),
  'dialer.test_started': admin('Somebody started a test call. Contains no number.'),
  'suppression.added': admin('Numbers were suppressed. Contains their count, never the numbers.', '`count`'),
  'suppression.lifted': admin('Suppressions were removed.', '`count`'),
  'key.created': admin('An API key was created.', '`keyId`, `scope`'),
  'key.created_by_operator': admin('The operator of the service created an API key.', '`keyId`, `scope`'),
  'key.rotated': admin('An API key was rotated.', '`keyId`, `newKeyId`'),
  'key.revoked': admin('An API key was revoked.', '`keyId`'),
  'member.added': admin('A member was added.', '`memberId`, `scope`'),
  'member.changed': admin(
    'The role, the campaign or the name of a member changed.',
    '`memberId`, `scope`, `from` (the scope before)',
  ),
  'member.removed': admin('A member was removed.', '`memberId`, `scope`'),
  'member.signed_in': admin('A member signed in.', '`memberId`, `scope`'),
  'source.refused': admin(
    'A source has refused a post. At most once a minute; contains names of its fields, never values.',
    '`sourceId`, `problem` (`code`, `message`), `names`, `count` (refused since the last such event)',
  ),
  'webhook.changed': admin(
    'A webhook was created, changed, rotated, replayed or deleted.',
    '`webhookId`, `change`',
  ),
  'webhook.disabled': admin(
    prose`A webhook was disabled: \`gone\` (410), \`dead\` (five days of failures) or \`key_revoked\`
      (the API key that created it was revoked with what it created, or rotated without a grace period).`,
    '`webhookId`, `reason`',
  ),
  'webhook.gave_up': admin(
    prose`A webhook gave up on an event after eight failed delivery attempts: \`webhookId\`,
      \`eventId\`, \`type\`, \`status\`. Only sent to other webhooks.`,
    '`webhookId`, `eventId` and `type` of the event, the last `status`',
  ),
  'erasure.done': admin('A person was erased.', '`leadsErased`, `suppressed`'),
  'consent.recorded': admin(
    'Consents were stored without leads. Contains their count, never numbers.',
    '`count`',
  ),
  'consent.withdrawn': admin(
    'Consents of a number were withdrawn. Contains no number.',
    '`purpose` (null: consents of every purpose)',
  ),
  'leads.imported': admin(
    'A request with `X-Import-Name` stored leads. One event per request.',
    '`count`, `import` (its name)',
  ),
  'leads.exported': admin('Leads were exported as CSV.', '`format`'),
  'record.read': admin('The record of a number was read.'),
  'company.restored': admin('The operator of the service restored the company to a time.', '`restoredTo`'),
  'alert.raised': alert('Something needs attention. Sent once; checked each minute.'),
  'alert.cleared': alert('An alert is over. `since` is when it had begun.'),
}

/** Types with the same data share a row. */
export function eventTable(): string {
  const cellOf = (type: EventType) => {
    const { data, more } = described[type]
    return [membersOf(data), more].filter(Boolean).join(', ')
  }
  const rows = [...Map.groupBy(eventTypes, cellOf)].map(
    ([cell, types]) => `| ${types.map((type) => `\`${type}\``).join(', ')} | ${cell} |`,
  )
  return ['| Type | `data` |', '| --- | --- |', ...rows].join('\n')
}

const examples: { readonly [Name in DataName]: object } = {
  LeadsCreatedEventData: { campaignId: 'demo', count: 1, leadIds: [exampleIds.lead], origin: exampleOrigin },
  CallEventData: {
    leadId: exampleIds.lead,
    campaignId: 'demo',
    externalId: 'crm-42',
    status: 'concluded',
    attempts: 2,
    callId: exampleIds.call,
    outcome: 'answered',
    isLastAttempt: false,
  },
  CallStartedEventData: {
    leadId: exampleIds.lead,
    campaignId: 'demo',
    callId: exampleIds.call,
    direction: 'outbound',
    attempt: 1,
    providerCallId: 'c7a1',
  },
  LeadEventData: { leadId: exampleIds.lead, campaignId: 'demo' },
  AdminEventData: { campaignId: 'demo' },
  AlertEventData: {
    kind: 'no_agent',
    campaignId: 'demo',
    subject: null,
    since: '2026-11-20T08:53:00.000Z',
  },
}

const always = { required: true }
const headers = [
  sent('webhook-id', matching(`^${eventIdPattern}$`), always)`The id of the event, the same in every delivery
    attempt. Ignore ids that you have already processed.`,
  sent(
    'webhook-timestamp',
    matching('^\\d+$'),
    always,
  )`The time of this delivery attempt, in Unix seconds. Reject it if it differs from your clock by more than
    five minutes.`,
  sent('webhook-signature', matching('^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$'), always)`\`v1,\` and
    the Base64 of HMAC-SHA-256 over \`<webhook-id>.<webhook-timestamp>.<body>\`. Several signatures, separated by
    spaces, while a secret is being rotated: one match is enough.`,
]

function describeEvent(type: EventType, tags: readonly string[]) {
  const { data, meaning } = described[type]
  const schema = s.exactObject({
    type: { const: type },
    timestamp: s.time('When the event happened.'),
    data: s.reference(data),
  })
  const value = { type, timestamp: '2026-11-20T09:03:12.000Z', data: examples[data] }
  return {
    post: {
      operationId: `event ${type}`.replace(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags,
      summary: type,
      description: meaning,
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema, examples: { event: { value } } },
        },
      },
      responses: {
        '2XX': { description: 'Delivered. The response body is ignored.' },
        410: { description: 'Gone: disables the webhook.' },
        default: {
          description:
            'Not delivered: sent again later. `Retry-After` of a 429 or 503 is respected, up to a day. ' +
            'Redirects are not followed.',
        },
      },
    },
  }
}

export const eventDataSchemas: s.Properties = dataSchemas

export const eventRequests = (tags: readonly string[]) =>
  Object.fromEntries(eventTypes.map((type) => [type, describeEvent(type, tags)]))
