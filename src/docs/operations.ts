// The operations of the API description: what each takes and answers.

import { describeProblem } from '../http/errors.ts'
import { leadCsvHeader } from '../leads/csv.ts'
import { leadIdPattern } from '../leads/lead.ts'
import { bulkQuery, listQuery } from '../leads/query-input.ts'
import { limits } from '../limits.ts'
import { failedHealth, failures, invalidInput } from './failures.ts'
import { type HeaderName, withHeaders } from './headers.ts'
import { bulkMessages, createMessages, itemMessages, listMessages } from './invalid-input.ts'
import { describeQuery, envelopeOf, type JsonSchema, reference } from './schemas.ts'

const leadBodyKib = limits.leadBodyMaxBytes / 1024
const bulkBodyMib = limits.bulkBodyMaxBytes / 1024 / 1024

const requestId = { $ref: '#/components/parameters/RequestId' }
const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' }

const jsonBody = (schema: JsonSchema, examples: object) => ({
  required: true,
  content: { 'application/json': { schema, examples } },
})

const json = (data: JsonSchema) => ({ 'application/json': { schema: envelopeOf(data) } })

const answer = (description: string, content: object, ...headers: HeaderName[]) => ({
  description,
  headers: withHeaders(...headers),
  content,
})

const notJson = describeProblem({ kind: 'invalid_json' }).error
const among = (messages: readonly string[]) => ({ type: 'string', enum: messages })

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const createLead = {
  operationId: 'createLead',
  tags: ['Leads'],
  summary: 'Create a lead',
  description: `Stores one lead. A phone number that is already in the campaign is refused with 409, so the request can be sent again without harm; with an \`Idempotency-Key\` it is then also answered as the first time. At most ${leadBodyKib} KiB.`,
  security: [{ ApiKey: ['write'] }],
  parameters: [idempotencyKey, requestId],
  requestBody: jsonBody(reference('CreateLead'), {
    lead: {
      summary: 'A lead with everything',
      value: {
        campaignId: 'demo',
        phoneNumber: '+14155550123',
        externalId: 'crm-42',
        metadata: { name: 'Ada', company: 'Acme' },
        scheduledFor: '2027-01-15T09:30:00+01:00',
        priority: 10,
      },
    },
    minimal: { summary: 'As little as possible', value: { campaignId: 'demo', phoneNumber: '+14155550124' } },
  }),
  responses: {
    201: answer('Created.', json(reference('CreatedLead')), 'Location', 'Idempotent-Replayed'),
    ...invalidInput(among([notJson, ...createMessages]), 'phoneNumber is required', true),
    ...failures(
      'invalid_api_key',
      'insufficient_permissions',
      'campaign_denied',
      'lead_exists',
      'idempotency_key_reused',
      'body_too_large',
      'unsupported_media_type',
      'rate_limited',
      'internal_error',
      'service_unavailable',
    ),
  },
}

const createLeads = {
  operationId: 'createLeads',
  tags: ['Leads'],
  summary: 'Create many leads',
  description: `Stores 1 to ${limits.leadsPerBulk} leads, all or none; duplicates are skipped. Sent again, it creates nothing twice. At most ${bulkBodyMib} MiB. Counts once against the hourly limit and once against the limit of ${limits.bulkRequestsPerMinutePerKey} bulk requests per minute. \`created + skipped\` is the number of valid leads.`,
  security: [{ ApiKey: ['write'] }],
  parameters: [...describeQuery(bulkQuery), idempotencyKey, requestId],
  requestBody: jsonBody(reference('CreateLeads'), {
    leads: {
      summary: 'Two leads',
      value: {
        campaignId: 'demo',
        leads: [
          { phoneNumber: '+14155550125', metadata: { name: 'Grace' } },
          { phoneNumber: '+14155550126', priority: 5 },
        ],
      },
    },
  }),
  responses: {
    200: answer('Created, or skipped.', json(reference('CreatedLeads')), 'Idempotent-Replayed'),
    ...invalidInput(
      {
        type: 'string',
        anyOf: [
          { enum: [notJson, ...bulkMessages] },
          {
            pattern: `^leads\\[\\d+\\]\\.(?:${itemMessages.map(literal).join('|')})$`,
            description: 'The first invalid lead, by its place.',
          },
        ],
      },
      'leads[3].phoneNumber is required',
      true,
    ),
    ...failures(
      'invalid_api_key',
      'insufficient_permissions',
      'campaign_denied',
      'idempotency_key_reused',
      'body_too_large',
      'unsupported_media_type',
      'rate_limited',
      'internal_error',
      'service_unavailable',
    ),
  },
}

const listLeads = {
  operationId: 'listLeads',
  tags: ['Leads'],
  summary: 'List the leads of a campaign',
  description:
    'In order of creation, oldest first: all of them, however many, or with `limit` page by page. No lead is missed or repeated while others are added. `Accept: text/csv` gives CSV, where text that a spreadsheet would run as a formula has an apostrophe in front.',
  security: [{ ApiKey: ['read'] }, { ApiKey: ['write'] }],
  parameters: [...describeQuery(listQuery), requestId],
  responses: {
    200: answer(
      'The leads.',
      {
        ...json(reference('LeadList')),
        'text/csv': { schema: { type: 'string', pattern: `^${leadCsvHeader.trim()}\r\n` } },
      },
      'Link',
      'Vary',
    ),
    ...invalidInput(among(listMessages), 'campaignId query parameter is required', false),
    ...failures(
      'invalid_api_key',
      'campaign_denied',
      'rate_limited',
      'internal_error',
      'service_unavailable',
    ),
  },
}

const getLead = {
  operationId: 'getLead',
  tags: ['Leads'],
  summary: 'Read a lead',
  description: 'By the `_id` that creating or listing told.',
  security: [{ ApiKey: ['read'] }, { ApiKey: ['write'] }],
  parameters: [
    {
      name: 'leadId',
      in: 'path',
      required: true,
      description: 'The lead’s `_id`.',
      schema: { type: 'string', pattern: `^${leadIdPattern}$` },
    },
    requestId,
  ],
  responses: {
    200: answer(
      'The lead.',
      json({
        type: 'object',
        additionalProperties: false,
        required: ['lead'],
        properties: { lead: reference('Lead') },
      }),
    ),
    ...failures(
      'invalid_api_key',
      'lead_not_found',
      'not_found',
      'rate_limited',
      'internal_error',
      'service_unavailable',
    ),
  },
}

const checkHealth = {
  operationId: 'checkHealth',
  tags: ['Health'],
  summary: 'Check availability',
  description: `For uptime monitors: the service answers, and a simple query runs on the database within 2 seconds. Needs no key. ${limits.healthRequestsPerMinutePerAddress} per minute and address.`,
  security: [],
  parameters: [requestId],
  responses: {
    200: answer('Available.', json(reference('Health'))),
    ...failures('rate_limited', 'internal_error'),
    ...failedHealth(),
  },
}

/** The same without bodies. */
const checkHealthBriefly = {
  ...checkHealth,
  operationId: 'checkHealthBriefly',
  summary: 'Check availability without a body',
  responses: Object.fromEntries(
    Object.entries(checkHealth.responses).map(([status, response]) => {
      const { content, ...rest } = response as { content: unknown }
      return [status, rest]
    }),
  ),
}

export const paths = {
  '/api/v1/leads': { post: createLead, get: listLeads },
  '/api/v1/leads/bulk': { post: createLeads },
  '/api/v1/leads/{leadId}': { get: getLead },
  '/api/health': { get: checkHealth, head: checkHealthBriefly },
}
