// Webhooks in the API description: how they are made, changed, tried and removed. What they send is in
// describe-event-data.ts.

import { eventTypes } from '../../ledger/log/event-types.ts'
import { limits, waits } from '../../limits.ts'
import { timestampPattern } from '../../timestamp.ts'
import {
  changeWebhookBody,
  createWebhookBody,
  deliveriesQuery,
  readChangeWebhook,
  readCreateWebhook,
  readReplay,
  readRotate,
  replayBody,
  rotateBody,
} from '../../webhooks/input.ts'
import { secretPattern } from '../../webhooks/signature.ts'
import { includable } from '../../webhooks/store/endpoints.ts'
import { serverOf } from '../../webhooks/webhook-url.ts'
import {
  givenTwice,
  type InvalidInput,
  messagesOf,
  queryMessages,
  unknownMember,
} from '../openapi/failures.ts'
import {
  answered,
  describeBody,
  describeQuery,
  type JsonSchema,
  type Properties,
  reference,
} from '../openapi/json-schema.ts'
import { type Area, answer, json, keyedOperation } from '../openapi/operation.ts'
import { time, timeOrNull } from './describe-calling.ts'
import { toldEvents, toldSchemas } from './describe-event-data.ts'
import { words as leadWords } from './describe-leads.ts'

const tag = {
  name: 'Webhooks',
  description: `What happens is sent to you, signed as [Standard Webhooks 1.0.0](https://www.standardwebhooks.com) has it: in order while you answer 2xx within ${waits.deliveryMs / 1000} seconds, at least once, with the same \`webhook-id\` in every try. An event that fails is tried again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, and never sooner than you ask with \`Retry-After\`, while others pass; after the last of these tries it is given up, counted, and logged as \`webhook.gave_up\`. A 4xx other than 408, 409, 425 and 429 is about that one event, and holds nothing up. After five other failures in a row, or once 20 different events in a row have failed in any way, the receiver is at fault: the oldest alone is tried, nothing is given up, and after the next success all others follow in order. 410, or five days at fault without one success, disable the webhook; enabling it goes on where it stood. An event is put together when it is sent, so that nobody who was erased is told of any more.`,
}
const tags = [tag.name]

const webhookId = {
  type: 'string',
  pattern: '^wh_[0-9A-Za-z]{20}$',
  examples: ['wh_4fX9sQ2mLk7TzB1nVw0c'],
}
const secret = {
  type: 'string',
  pattern: `^${secretPattern}$`,
  description: 'What its signatures are checked with. Told this once.',
}
const inPath = {
  name: 'webhookId',
  in: 'path',
  required: true,
  description: 'The webhook’s id.',
  schema: { type: 'string' },
  example: webhookId.examples[0],
}

const types = (values: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', enum: values },
  uniqueItems: true,
})
const words: Properties = {
  url: {
    maxLength: limits.webhookUrlMaxChars,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
    description:
      'Where to: a public host by `https` on port 443, without credentials, and not this service itself.',
    examples: ['https://example.com/hooks/leads'],
  },
  types: {
    ...types(eventTypes),
    minItems: 1,
    description: 'What to be told of. Each type is described below, with what is sent.',
    examples: [['call.reported', 'lead.concluded']],
  },
  campaignId: {
    ...leadWords.campaignId,
    description: 'Of this campaign alone. Without it: of the whole company.',
  },
  include: {
    ...types(includable),
    description: 'What is told of leads and calls besides ids and outcomes. Without it: nothing.',
  },
  disabled: { description: 'True: nothing is sent until it is false again.' },
  previousExpiresAt: {
    format: 'date-time',
    pattern: timestampPattern.source,
    description: `Until when the secret of before signs as well: now, up to ${limits.secretOverlapMaxDays} days from now. A day when not set. The same time again is the same rotation.`,
  },
  since: {
    format: 'date-time',
    pattern: timestampPattern.source,
    description: `Goes back to the first event that is not before it, at most ${limits.eventsKeptDays} days.`,
  },
}

const schemas = {
  ...toldSchemas,
  CreateWebhook: describeBody(createWebhookBody, words, 'Where to send what.'),
  ChangeWebhook: describeBody(changeWebhookBody, words, 'What is to change. All else stays.'),
  RotateWebhook: describeBody(rotateBody, words, 'How long both secrets sign.'),
  ReplayWebhook: describeBody(replayBody, words, 'From when on to tell again.'),
  Webhook: answered({
    webhookId,
    url: { type: 'string' },
    types: types(eventTypes),
    campaignId: { type: ['string', 'null'], description: 'Null: of the whole company.' },
    include: types(includable),
    createdAt: time('When it was made.'),
    createdBy: {
      type: ['string', 'null'],
      description:
        'Who made it: the id of an API key, or `operator`. Null: unknown, made before version 1.5.0.',
    },
    disabledAt: timeOrNull('Null: it is not disabled.'),
    disabledReason: {
      type: ['string', 'null'],
      enum: ['gone', 'dead', 'operator', 'key_revoked', null],
      description:
        '`gone`: it answered 410. `dead`: nothing but failures for five days. `operator`: it was asked for. `key_revoked`: the API key that made it was ended.',
    },
    previousExpiresAt: timeOrNull('Until when the secret of before signs as well.'),
    lag: {
      type: 'integer',
      minimum: 0,
      description: 'How many entries of the company’s log it has yet to pass.',
    },
    failingSince: timeOrNull(
      'Since when the receiver is at fault: the oldest event alone is tried. Null: it is not, or the webhook is disabled.',
    ),
    givenUp: {
      type: 'integer',
      minimum: 0,
      description: 'How many events were given up after their last try, since it was made.',
    },
  }),
  Delivery: answered({
    eventId: { type: 'string', description: 'Its `webhook-id`.' },
    type: { type: 'string', enum: eventTypes },
    attempt: { type: 'integer', minimum: 1 },
    status: { type: ['integer', 'null'], description: 'Of the answer. Null: there was none.' },
    time: time('When it was sent.'),
    milliseconds: { type: 'integer', minimum: 0 },
    error: { type: ['string', 'null'], description: 'For people. Null: it was delivered.' },
  }),
}

const exampleWebhook = {
  webhookId: webhookId.examples[0],
  url: 'https://example.com/hooks/leads',
  types: ['call.reported', 'lead.concluded'],
  campaignId: null,
  include: [],
  createdAt: '2026-11-20T09:00:00.000Z',
  createdBy: 'key_sYtL0wJvB4qzN1dE',
  disabledAt: null,
  disabledReason: null,
  previousExpiresAt: null,
  lag: 0,
  failingSince: null,
  givenUp: 0,
}
const exampleDelivery = {
  eventId: 'evt_x81Kp200000000c10',
  type: 'call.reported',
  attempt: 1,
  status: 204,
  time: '2026-11-20T09:03:12.480Z',
  milliseconds: 87,
  error: null,
}
const exampleSecret = `whsec_${'A'.repeat(43)}=`

const server = serverOf('https://service.example.com/')
const right = { url: 'https://example.com/', types: ['call.reported'] }
const longer = 'x'.repeat(limits.webhookUrlMaxChars)
const wrongMembers = [
  { url: 7 },
  { types: [] },
  { types: ['call.reported', 'call.reported'] },
  { campaignId: '' },
  { campaignId: 'x'.repeat(limits.campaignIdMaxChars + 1) },
  { include: ['notes'] },
  { include: ['details', 'details'] },
  ...[
    'http://example.com/',
    'https://me:secret@example.com/',
    'https://example.com:8443/',
    'https://127.0.0.1/',
    'https://service.example.com/',
    `https://example.com/${longer}`,
  ].map((url) => ({ url })),
]
const invalid = (messages: readonly string[]): InvalidInput => ({
  messages,
  patterns: [unknownMember()],
  example: messages.at(-1) as string,
})
const createMessages = messagesOf(
  [[], { types: right.types }, { url: right.url }, ...wrongMembers.map((wrong) => ({ ...right, ...wrong }))],
  (body) => readCreateWebhook(JSON.stringify(body), server),
)
const changeMessages = messagesOf(
  [[], { url: '' }, { types: null }, ...wrongMembers, { disabled: 'no' }],
  (body) => readChangeWebhook(JSON.stringify(body), server),
)
const rotateMessages = messagesOf(
  [[], { previousExpiresAt: 'tomorrow' }, { previousExpiresAt: '2020-01-01T00:00:00Z' }],
  (body) => readRotate(JSON.stringify(body), Date.now()),
)
const replayMessages = messagesOf(
  [[], {}, { since: 'yesterday' }, { since: '2020-01-01T00:00:00Z' }],
  (body) => readReplay(JSON.stringify(body), Date.now()),
)
const deliveriesMessages = queryMessages(deliveriesQuery, [{ limit: '0' }, ...givenTwice(deliveriesQuery)])

const body = (name: string, summary: string, value: object) => ({
  schema: reference(name),
  examples: { body: { summary, value } },
})
const told = (data: JsonSchema, example?: object) => ({ 200: answer('Done.', json(data, example)) })
const ofOne = { tags, right: 'manage', parameters: [inPath], refusals: ['webhook_not_found'] } as const

const createWebhook = keyedOperation({
  operationId: 'createWebhook',
  tags,
  summary: 'Make a webhook',
  description: `At most ${limits.webhooksPerCompany} for each company. It is told of what happens from now on. The secret is told this once: \`rotate\` gives another.`,
  right: 'manage',
  parameters: [],
  body: body('CreateWebhook', 'Of one campaign', {
    url: 'https://example.com/hooks/leads',
    types: ['call.reported', 'lead.concluded'],
    campaignId: 'demo',
  }),
  answers: {
    201: answer(
      'Made.',
      json(answered({ webhookId, secret }), { webhookId: webhookId.examples[0], secret: exampleSecret }),
      'LocationOfWebhook',
    ),
  },
  invalid: invalid(createMessages),
  refusals: ['campaign_denied', 'too_many_webhooks'],
})

const listWebhooks = keyedOperation({
  operationId: 'listWebhooks',
  tags,
  summary: 'List webhooks',
  description:
    'All of the company, in the order in which they were made; for a campaign’s key, those of its campaign.',
  right: 'manage',
  parameters: [],
  answers: told(answered({ webhooks: { type: 'array', items: reference('Webhook') } }), {
    webhooks: [exampleWebhook],
  }),
  refusals: [],
})

const getWebhook = keyedOperation({
  ...ofOne,
  operationId: 'getWebhook',
  summary: 'Read a webhook',
  description: 'With how far it is behind.',
  answers: told(reference('Webhook'), exampleWebhook),
})

const changeWebhook = keyedOperation({
  ...ofOne,
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description:
    'The answer is what reading it gives. Another URL, or enabling it again, has what failed tried at once; while it was disabled nothing is lost.',
  body: body('ChangeWebhook', 'Enable it again', { disabled: false }),
  answers: told(reference('Webhook'), exampleWebhook),
  invalid: invalid(changeMessages),
  refusals: ['webhook_not_found', 'campaign_denied'],
})

const deleteWebhook = keyedOperation({
  ...ofOne,
  operationId: 'deleteWebhook',
  summary: 'Remove a webhook',
  description: 'And all that is known of its deliveries.',
  answers: told(answered({ deleted: { const: true } }), { deleted: true }),
})

const rotateWebhook = keyedOperation({
  ...ofOne,
  operationId: 'rotateWebhook',
  summary: 'Replace the secret of a webhook',
  description:
    'Both secrets sign until `previousExpiresAt`, so that the receiver can change over meanwhile. Earlier ones sign until the ends that they were given before.',
  body: body('RotateWebhook', 'Both sign for a day', {}),
  isBodyOptional: true,
  answers: told(answered({ webhookId, secret, previousExpiresAt: time('Until when both sign.') }), {
    webhookId: webhookId.examples[0],
    secret: exampleSecret,
    previousExpiresAt: '2026-11-20T10:00:00.000Z',
  }),
  invalid: invalid(rotateMessages),
  refusals: ['webhook_not_found', 'too_many_secrets'],
})

const testWebhook = keyedOperation({
  ...ofOne,
  operationId: 'testWebhook',
  summary: 'Send a test',
  description: `An event of type \`webhook.test\`, signed, sent at once, with the answer awaited for at most ${waits.webhookTestMs / 1000} seconds. It works on a disabled webhook too, and is in no list of deliveries.`,
  answers: told(
    answered({
      eventId: { type: 'string', description: 'Its `webhook-id`.' },
      status: { type: ['integer', 'null'], description: 'Of the answer. Null: there was none.' },
      milliseconds: { type: 'integer', minimum: 0 },
      error: { type: ['string', 'null'], description: 'For people. Null: it was delivered.' },
    }),
    { eventId: 'evt_test4fX9sQ2mLk7TzB1nVw0c', status: 204, milliseconds: 87, error: null },
  ),
})

const replayWebhook = keyedOperation({
  ...ofOne,
  operationId: 'replayWebhook',
  summary: 'Tell again',
  description:
    'Goes back in the log and sends all from there on, with the same ids as before. It never goes forward.',
  body: body('ReplayWebhook', 'From this morning on', { since: '2026-11-20T06:00:00Z' }),
  answers: told(answered({ webhookId, since: time('As it was sent, in UTC.') }), {
    webhookId: webhookId.examples[0],
    since: '2026-11-20T06:00:00.000Z',
  }),
  invalid: invalid(replayMessages),
})

const listDeliveries = keyedOperation({
  ...ofOne,
  operationId: 'listDeliveries',
  summary: 'List deliveries',
  description: `The last ${limits.deliveriesKept.toLocaleString('en')} tries, the newest first.`,
  parameters: [
    inPath,
    ...describeQuery(deliveriesQuery, {
      limit: {
        type: 'integer',
        pattern: undefined,
        minimum: 1,
        maximum: limits.deliveriesKept,
        description: 'At most so many. All when not set.',
      },
    }),
  ],
  answers: told(answered({ deliveries: { type: 'array', items: reference('Delivery') } }), {
    deliveries: [exampleDelivery],
  }),
  invalid: { messages: deliveriesMessages, example: deliveriesMessages[0] as string },
})

const path = '/api/v1/webhooks'

export const webhooks: Area = {
  tag,
  paths: {
    [path]: { post: createWebhook, get: listWebhooks },
    [`${path}/{webhookId}`]: { get: getWebhook, patch: changeWebhook, delete: deleteWebhook },
    [`${path}/{webhookId}/rotate`]: { post: rotateWebhook },
    [`${path}/{webhookId}/test`]: { post: testWebhook },
    [`${path}/{webhookId}/replay`]: { post: replayWebhook },
    [`${path}/{webhookId}/deliveries`]: { get: listDeliveries },
  },
  schemas,
  webhooks: toldEvents(tags),
}
