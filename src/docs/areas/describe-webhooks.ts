// Webhooks in the API description: create, change, test, replay and delete. What they send is in
// fields/event-data.ts.

import { eventTypes } from '../../base/ledger/log/event-types.ts'
import { limits, waits } from '../../base/limits.ts'
import { timestampPattern } from '../../base/timestamp.ts'
import { alertTypes, chatTypes, formats, pagerdutyUrl } from '../../channels/webhooks/format.ts'
import {
  changeWebhookBody,
  createWebhookBody,
  deliveriesQuery,
  replayBody,
  rotateBody,
} from '../../channels/webhooks/input.ts'
import { secretPattern } from '../../channels/webhooks/signature.ts'
import { includable, type Webhook } from '../../channels/webhooks/store/endpoints.ts'
import { eventDataSchemas, eventRequests } from '../fields/event-data.ts'
import { fields as leadFields } from '../fields/lead-fields.ts'
import type { Cli } from '../openapi/cli.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, created, list, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { webhookGuide } from '../webhook-guide.ts'

const tag = {
  name: 'Webhooks',
  description: webhookGuide,
}

const webhookId = {
  type: 'string',
  pattern: '^wh_[0-9A-Za-z]{20}$',
  examples: [exampleIds.webhook],
}
const secret = {
  type: 'string',
  pattern: `^${secretPattern}$`,
  description: 'The secret that verifies signatures. Only returned here.',
}
const types = (values: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', enum: values },
  uniqueItems: true,
})
const exampleRoutingKey = 'R0123456789ABCDEF0123456789ABCDE'
const fields: s.Properties = {
  url: {
    maxLength: limits.webhookUrlMaxChars,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
    description: prose`The receiver: \`https\` on port 443, a public host other than this service, without
      credentials. Not set with the format \`pagerduty\`: ${pagerdutyUrl}.`,
    examples: ['https://example.com/hooks/leads'],
  },
  types: {
    ...types(eventTypes),
    minItems: 1,
    description: prose`The event types to send. Null or not set: every type that the key may see, and those of
      later versions too. Each type is described below.`,
    examples: [['call.reported', 'lead.concluded']],
  },
  campaignId: {
    ...leadFields.campaignId,
    description: 'Only events of this campaign. Default: events of the whole company.',
  },
  include: {
    ...types(includable),
    description:
      'Additional data of leads and calls to send. `externalIds`: those of the leads of ' +
      '`leads.created`. Default: none.',
  },
  format: {
    description: prose`For people: messages for Slack, Microsoft Teams or Discord, or incidents of PagerDuty, in place
      of events. Types: ${chatTypes.map((type) => `\`${type}\``).join(', ')}; PagerDuty takes the last two, which are
      the default of all. At most one a second. It cannot be changed. [Slack](/docs/connect/slack),
      [Teams](/docs/connect/teams), [Discord](/docs/connect/discord), [PagerDuty](/docs/connect/pagerduty).`,
  },
  secrets: {
    description: prose`With the format \`pagerduty\`. Stored encrypted, for this webhook and URL, and never
      returned.`,
    examples: [{ routingKey: exampleRoutingKey }],
  },
  routingKey: { description: 'The integration key: 32 letters and digits.', examples: [exampleRoutingKey] },
  disabled: { description: 'True: nothing is sent until you set it to false.' },
  previousExpiresAt: {
    format: 'date-time',
    pattern: timestampPattern.source,
    description: prose`The end of the grace period, in which the previous secret signs too: now, up to
      ${limits.secretOverlapMaxDays} days from now. Default: one day from now. A retry with the same time is the
      same rotation.`,
  },
  since: {
    format: 'date-time',
    pattern: timestampPattern.source,
    description: `Replay events from this time on, at most ${limits.eventsKeptDays} days back.`,
  },
}

const disabledReasons: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  gone: 'the receiver responded with 410',
  dead: 'only failures for five days',
  operator: 'disabled on request',
  key_revoked:
    'the API key that created it was revoked with what it created, or rotated without a grace period',
  key_expired: 'the API key that it ended with has expired',
}

const attempt = {
  eventId: s.text('The `webhook-id`.'),
  status: { type: ['integer', 'null'], description: 'The status of the response. Null: no response.' },
  milliseconds: { type: 'integer', minimum: 0 },
  error: s.textOrNull('What went wrong. Null: delivered.'),
}

const schemas = {
  ...eventDataSchemas,
  CreateWebhook: s.describeBody(createWebhookBody, 'Where to send which events.', fields),
  ChangeWebhook: s.describeBody(changeWebhookBody, 'The members to change. All others stay.', fields),
  RotateWebhook: s.describeBody(rotateBody, 'The grace period of the previous secret.', fields),
  ReplayWebhook: s.describeBody(replayBody, 'Which events to send again.', fields),
  Webhook: s.exactObject({
    webhookId,
    url: { type: 'string' },
    types: { ...s.orNull(types(eventTypes)), description: 'Null: every type, those of later versions too.' },
    campaignId: s.textOrNull('Null: events of the whole company.'),
    include: types(includable),
    format: { ...s.orNull({ type: 'string', enum: formats }), description: 'Null: events as they are.' },
    createdAt: s.time('When the webhook was created.'),
    createdBy: s.textOrNull`Who created it, or set its URL since: the id of an API key or of a member, or
      \`operator\`. It ends with that, where a key is revoked, or a member removed, with what it created. Null:
      unknown.`,
    actorName: s.textOrNull`The name of the member in \`createdBy\`, or \`former member\`. Null: it is no member.`,
    expiresAt: s.timeOrNull`When the webhook ends with an API key that expires: from then on it is disabled, and
      \`disabledAt\` is this time. Null: never.`,
    disabledAt: s.timeOrNull('Null: the webhook is enabled.'),
    disabledReason: s.orNull(s.codes(disabledReasons)),
    previousExpiresAt: s.timeOrNull('The end of the grace period of the previous secret.'),
    lag: s.count('How many entries of the company’s log the webhook has not processed yet.'),
    failingSince: s.timeOrNull`Since when the receiver fails: only the oldest event is sent. Null: it does not fail,
      or the webhook is disabled.`,
    givenUp: s.count('How many events the service gave up on since the webhook was created.'),
  }),
  Delivery: s.exactObject({
    eventId: attempt.eventId,
    type: { type: 'string', enum: eventTypes },
    attempt: { type: 'integer', minimum: 1 },
    status: attempt.status,
    time: s.time('When the attempt began.'),
    milliseconds: attempt.milliseconds,
    error: attempt.error,
  }),
}

const exampleWebhook = {
  webhookId: exampleIds.webhook,
  url: 'https://example.com/hooks/leads',
  types: ['call.reported', 'lead.concluded'],
  campaignId: null,
  include: [],
  format: null,
  createdAt: '2026-11-20T09:00:00.000Z',
  createdBy: exampleIds.key,
  actorName: null,
  expiresAt: null,
  disabledAt: null,
  disabledReason: null,
  previousExpiresAt: null,
  lag: 0,
  failingSince: null,
  givenUp: 0,
}
const exampleDelivery = {
  eventId: exampleIds.event,
  type: 'call.reported',
  attempt: 1,
  status: 204,
  time: '2026-11-20T09:03:12.480Z',
  milliseconds: 87,
  error: null,
}
const exampleSecret = `whsec_${'A'.repeat(43)}=`

/** `--url` is the service. */
const cliOptions: Cli['options'] = { url: { name: 'address' } }

const operations = {
  createWebhook: needs.manage('POST /api/v1/webhooks', {
    summary: 'Create a webhook',
    description: prose`At most ${limits.webhooksPerCompany} per company. It sends events that happen from now
      on. The secret is only returned here; rotate it if you lose it. A webhook ends when the key that creates
      it expires, if it does.`,
    cli: { noun: 'webhook', verb: 'add', once: true, words: 'url', secret: 'secret', options: cliOptions },
    body: body('CreateWebhook', createWebhookBody, {
      body: [
        'Events of one campaign',
        {
          url: 'https://example.com/hooks/leads',
          types: ['call.reported', 'lead.concluded'],
          campaignId: 'demo',
        },
      ],
      slack: [
        'Alerts in Slack',
        { url: 'https://hooks.slack.com/services/T000/B000/XXXX', format: 'slack', types: [...alertTypes] },
      ],
    }),
    refusals: ['url must be an https:// URL', 'url must name a public host'],
    responses: created(
      'Created.',
      s.exactObject({ webhookId, secret }),
      { webhookId: exampleIds.webhook, secret: exampleSecret },
      ['LocationOfWebhook'],
    ),
    failures: ['company_key_required', 'campaign_denied', 'too_many_webhooks'],
  }),

  listWebhooks: needs.manage('GET /api/v1/webhooks', {
    summary: 'List webhooks',
    description:
      'Returns the webhooks of the company, oldest first. A campaign’s key gets only those of its campaign.',
    cli: {
      noun: 'webhook',
      verb: 'list',
      columns: 'webhookId url campaignId types lag failingSince disabledReason givenUp',
    },
    responses: list('Success.', 'webhooks', 'Webhook', [exampleWebhook]),
  }),

  getWebhook: needs.manage('GET /api/v1/webhooks/{webhookId}', {
    cli: { noun: 'webhook', verb: 'show' },
    summary: 'Read a webhook',
    description: 'Returns the settings and the state of delivery.',
    responses: ok('Success.', s.reference('Webhook'), exampleWebhook),
  }),

  changeWebhook: needs.manage('PATCH /api/v1/webhooks/{webhookId}', {
    cli: { noun: 'webhook', verb: 'set', options: cliOptions },
    summary: 'Change a webhook',
    description: prose`Returns the changed webhook. If you change the URL or enable the webhook again, failed
      events are sent again at once. No event is lost while the webhook is disabled.`,
    body: body('ChangeWebhook', changeWebhookBody, { body: ['Enable the webhook', { disabled: false }] }),
    refusals: ['url must be an https:// URL'],
    responses: ok('Success.', s.reference('Webhook'), exampleWebhook),
    failures: ['company_key_required', 'campaign_denied'],
  }),

  deleteWebhook: needs.manage('DELETE /api/v1/webhooks/{webhookId}', {
    cli: { noun: 'webhook', verb: 'remove' },
    summary: 'Delete a webhook',
    description: 'Deletes the webhook and its list of deliveries.',
    responses: ok('Success.', s.exactObject({ deleted: { const: true } }), { deleted: true }),
  }),

  rotateWebhook: needs.manage('POST /api/v1/webhooks/{webhookId}/rotate', {
    cli: {
      noun: 'webhook',
      verb: 'rotate',
      secret: 'secret',
      options: { previousExpiresAt: { name: 'grace', reader: 'duration', default: '24h' } },
    },
    summary: 'Rotate the secret of a webhook',
    description: prose`Creates a new secret. Both secrets sign until \`previousExpiresAt\`, so that you can
      update the receiver. Grace periods of earlier secrets do not change.`,
    body: body('RotateWebhook', rotateBody, { body: ['A grace period of one day', {}] }),
    isBodyOptional: true,
    refusals: ['previousExpiresAt must be between now and 7 days from now'],
    responses: ok(
      'Success.',
      s.exactObject({ webhookId, secret, previousExpiresAt: s.time('The end of the grace period.') }),
      {
        webhookId: exampleIds.webhook,
        secret: exampleSecret,
        previousExpiresAt: '2026-11-20T10:00:00.000Z',
      },
    ),
    failures: ['too_many_secrets'],
  }),

  testWebhook: needs.manage('POST /api/v1/webhooks/{webhookId}/test', {
    cli: { noun: 'webhook', verb: 'test', once: true },
    summary: 'Send a test event',
    description: prose`Sends a signed event of type \`webhook.test\` and waits up to
      ${waits.webhookTestMs / 1000} seconds for the response. Also works while the webhook is disabled. The list
      of deliveries does not contain it.`,
    responses: ok('Success.', s.exactObject(attempt), {
      eventId: 'evt_test4fX9sQ2mLk7TzB1nVw0c',
      status: 204,
      milliseconds: 87,
      error: null,
    }),
  }),

  replayWebhook: needs.manage('POST /api/v1/webhooks/{webhookId}/replay', {
    cli: { noun: 'webhook', verb: 'replay' },
    summary: 'Replay events',
    description: 'Sends all events since a time again, with the same ids. Never skips events.',
    body: body('ReplayWebhook', replayBody, {
      body: ['Replay since this morning', { since: '2026-11-20T06:00:00Z' }],
    }),
    refusals: ['since must be in the last 90 days'],
    responses: ok(
      'Success.',
      s.exactObject({ webhookId, since: s.time('The `since` of the request, in UTC.') }),
      {
        webhookId: exampleIds.webhook,
        since: '2026-11-20T06:00:00.000Z',
      },
    ),
  }),

  listDeliveries: needs.manage('GET /api/v1/webhooks/{webhookId}/deliveries', {
    cli: {
      noun: 'webhook',
      verb: 'deliveries',
      columns: 'time type attempt status milliseconds error eventId',
    },
    summary: 'List deliveries',
    description: `Returns the last ${limits.deliveriesKept.toLocaleString('en')} delivery attempts, newest first.`,
    query: s.describeQuery(deliveriesQuery, {
      limit: s.queryNumber(limits.deliveriesKept)`The maximum number of attempts. Default: all.`,
    }),
    responses: list('Success.', 'deliveries', 'Delivery', [exampleDelivery]),
  }),
}

export const webhooks: Area = {
  tag,
  operations,
  schemas,
  webhooks: eventRequests([tag.name]),
}
