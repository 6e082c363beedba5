// Leads in the API description: what their fields mean, what is sent and answered, and the operations on them. What is
// invalid in leads, rule by rule, is in invalid-leads.ts; how leads are called is another area's.
import { bulkBody, createBody, leadItem } from '../../leads/create-input.ts'
import { leadCsvHeader } from '../../leads/csv.ts'
import { leadStatus } from '../../leads/fields.ts'
import { leadIdPattern } from '../../leads/lead.ts'
import { bulkQuery, listQuery } from '../../leads/query-input.ts'
import { limits } from '../../limits.ts'
import { timestampPattern } from '../../timestamp.ts'
import { bulkMessages, createMessages, itemMessages, listMessages } from '../invalid/invalid-leads.ts'
import {
  answered,
  count,
  describeBody,
  describeQuery,
  fieldsAsAnswered,
  instantPattern,
  type JsonSchema,
  type Properties,
  reference,
} from '../openapi/json-schema.ts'
import { type Area, answer, idempotencyKey, json, keyedOperation } from '../openapi/operation.ts'
import {
  exampleBulk,
  exampleCsv,
  exampleLead,
  exampleList,
  exampleMinimal,
  exampleNewcomer,
  examplePage,
  exampleSkippingBulk,
} from './example-leads.ts'

const tag = { name: 'Leads', description: 'Create, list and read.' }
const tags = [tag.name]

const thousands = (number: number) => number.toLocaleString('en')
const leadBodyKib = limits.leadBodyMaxBytes / 1024
const bulkBodyMib = limits.bulkBodyMaxBytes / 1024 / 1024

const instant = (words: string): JsonSchema => ({
  pattern: instantPattern,
  description: `Only leads created ${words} than this: ISO 8601 with a UTC offset, or Unix milliseconds.`,
  examples: ['2026-11-20T00:00:00Z'],
})

/** What zod's refinements check, and what each field is for. By the field's name: it means the same everywhere. */
export const words: Properties = {
  campaignId: {
    maxLength: limits.campaignIdMaxChars,
    description: 'The campaign that the leads belong to. Ids are unique within a company.',
    examples: ['demo'],
  },
  phoneNumber: {
    description: `E.164: \`+\`, then ${limits.phoneNumberMinDigits} to ${limits.phoneNumberMaxDigits} digits, the first not 0. Compared and stored exactly as sent, never repaired.`,
    examples: ['+14155550123'],
  },
  externalId: {
    maxLength: limits.externalIdMaxChars,
    description: 'Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.',
    examples: ['crm-42'],
  },
  metadata: {
    type: 'object',
    additionalProperties: true,
    description: `Anything you want to keep with the lead. At most ${thousands(limits.metadataMaxBytes)} bytes of JSON and ${limits.metadataMaxDepth} levels deep; no NUL, no unpaired surrogates. Comes back exactly as sent.`,
    examples: [{ name: 'Ada', company: 'Acme' }],
  },
  scheduledFor: {
    pattern: timestampPattern.source,
    description:
      'When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Without it, or in the past: as soon as possible, within business hours. Comes back exactly as sent.',
    examples: ['2027-01-15T09:30:00+01:00'],
  },
  priority: { description: 'Higher is called first. 0 when not set.', examples: [10] },
  timeZone: {
    pattern: '^(?:UTC|GMT|[A-Z][A-Za-z]*(?:/[A-Za-z0-9_+-]+)+)$',
    description:
      'Where the person is: the name of an IANA time zone, in its exact spelling. Calling hours are taken by its clock. Without it, by that of the campaign.',
    examples: ['Europe/Berlin'],
  },
  leads: { items: reference('NewLead'), description: 'All of them are stored, or none.' },
  status: { description: 'Only leads with this status.' },
  createdAfter: instant('later'),
  createdBefore: instant('earlier'),
  order: { description: 'As the leads came in, `oldest` first, unless it is `newest`.' },
  // As a client thinks of it; zod reads the text of the query.
  limit: {
    type: 'integer',
    pattern: undefined,
    minimum: 1,
    maximum: limits.leadsPerPage,
    description:
      'Answer one page of at most so many leads, with `data.nextCursor` and a `Link` header. A page whose metadata come to about 2 MiB ends sooner: go on until `nextCursor` is null. Without `limit` and `cursor` the answer is the whole campaign, streamed.',
  },
  cursor: {
    description: 'Go on after a page: its `nextCursor`. Opaque.',
    examples: ['00000100000064'],
  },
  results: {
    type: 'boolean',
    enum: undefined,
    description:
      'Also answer `data.results`: what became of each lead, in the order of the input. `onInvalid=skip` implies it.',
  },
  onInvalid: {
    description:
      '`fail`, the default: one invalid lead fails the whole request. `skip`: the valid ones are stored, and the invalid ones told in `data.invalid` and `data.results`.',
  },
  dryRun: { type: 'boolean', enum: undefined, description: 'Check and tell everything, store nothing.' },
}

export const leadId = {
  type: 'string',
  pattern: `^${leadIdPattern}$`,
  description: 'Opaque, ordered by time of creation.',
  examples: [exampleLead._id],
}

export const leadIdInPath = {
  name: 'leadId',
  in: 'path',
  required: true,
  description: 'The lead’s `_id`.',
  schema: { type: 'string', pattern: `^${leadIdPattern}$` },
  example: leadId.examples[0],
}

const { campaignId, phoneNumber, ...optional } = fieldsAsAnswered(createBody, words) as Record<
  'campaignId' | 'phoneNumber' | 'externalId' | 'metadata' | 'scheduledFor' | 'priority' | 'timeZone',
  JsonSchema
>

const lead = answered(
  {
    _id: leadId,
    campaignId,
    phoneNumber,
    externalId: optional.externalId,
    metadata: optional.metadata,
    status: {
      type: 'string',
      enum: leadStatus.options,
      description:
        '`raw`: never called. `attempting`: in the calling queue. `exhausted`: every attempt made, none succeeded. `concluded`: a call completed.',
    },
    scheduledFor: optional.scheduledFor,
    timeZone: optional.timeZone,
    priority: optional.priority,
    attempts: count('Calls attempted.'),
    _creationTime: { ...count('Unix milliseconds.'), examples: [1795217110612] },
  },
  ['externalId', 'metadata', 'scheduledFor', 'timeZone'],
)

const index = count('Place in `leads` of the request, from 0.')
const leadIdOrNull = (description: string) => ({ ...leadId, type: ['string', 'null'], description })

const suppressed = {
  const: true,
  description:
    'Only where the phone number is suppressed: the lead is stored, or is there already, and is not called.',
}

const schemas = {
  NewLead: describeBody(leadItem, words, 'A lead of a bulk.'),
  CreateLead: describeBody(
    createBody,
    words,
    'A lead and its campaign. Null or an empty text means: not set.',
  ),
  CreateLeads: describeBody(bulkBody, words, 'Leads of one campaign.'),
  Lead: { ...lead, description: 'A lead. Optional fields are absent when not set.' },
  CreatedLead: answered({ leadId }),
  LeadList: answered(
    {
      leads: { type: 'array', items: reference('Lead') },
      count: count('Number of `leads`.'),
      nextCursor: {
        type: ['string', 'null'],
        description: 'With `limit` or `cursor` only: the `cursor` of the next page, null on the last one.',
      },
    },
    ['nextCursor'],
  ),
  CreatedLeads: answered(
    {
      created: count('Leads created.'),
      skipped: count('Leads skipped: their phone number is in the campaign, or came earlier in the request.'),
      invalid: count('With `onInvalid=skip` only: leads not stored because something is wrong with them.'),
      createdIds: {
        type: 'array',
        items: leadId,
        description: 'In the order of the input. Empty in a dry run.',
      },
      skippedPhones: { type: 'array', items: phoneNumber, description: 'In the order of the input.' },
      results: {
        type: 'array',
        items: reference('LeadResult'),
        description:
          'With `results=true` or `onInvalid=skip` only: one for each lead of the request, in its order.',
      },
    },
    ['invalid', 'results'],
  ),
  LeadResult: {
    description: 'What became of one lead of a bulk.',
    oneOf: [
      answered(
        { index, status: { const: 'created' }, leadId: leadIdOrNull('Null in a dry run.'), suppressed },
        ['suppressed'],
      ),
      answered(
        {
          index,
          status: { const: 'skipped' },
          leadId: leadIdOrNull('The lead that was there before. Null when a dry run would create it.'),
          suppressed,
        },
        ['suppressed'],
      ),
      answered({
        index,
        status: { const: 'invalid' },
        error: { type: 'string', description: 'What is wrong.' },
      }),
    ],
  },
}

const createLead = keyedOperation({
  operationId: 'createLead',
  tags,
  summary: 'Create a lead',
  description: `Stores one lead. A phone number that is already in the campaign is refused with 409, so the request can be sent again without harm; with an \`Idempotency-Key\` it is then also answered as the first time. At most ${leadBodyKib} KiB.`,
  right: 'write',
  parameters: [idempotencyKey],
  body: {
    schema: reference('CreateLead'),
    examples: {
      lead: {
        summary: 'A lead with everything',
        value: {
          campaignId: 'demo',
          phoneNumber: '+14155550123',
          externalId: 'crm-42',
          metadata: { name: 'Ada', company: 'Acme' },
          scheduledFor: '2027-01-15T09:30:00+01:00',
          priority: 10,
          timeZone: 'Europe/Berlin',
        },
      },
      minimal: {
        summary: 'As little as possible',
        value: { campaignId: 'demo', phoneNumber: '+14155550124' },
      },
    },
  },
  answers: {
    201: answer(
      'Created.',
      json(reference('CreatedLead'), { leadId: exampleNewcomer._id }),
      'Location',
      'Idempotent-Replayed',
    ),
  },
  invalid: { messages: createMessages, example: 'phoneNumber is required' },
  refusals: ['campaign_denied', 'lead_exists', 'idempotency_key_reused'],
})

const createLeads = keyedOperation({
  operationId: 'createLeads',
  tags,
  summary: 'Create many leads',
  description: `Stores 1 to ${limits.leadsPerBulk} leads, all or none; duplicates are skipped. Sent again, it creates nothing twice. At most ${bulkBodyMib} MiB. Counts once against the hourly limit and once against the limit of ${limits.bulkRequestsPerMinutePerKey} bulk requests per minute. \`created + skipped\`, and with \`onInvalid=skip\` \`created + skipped + invalid\`, is the number of leads sent.`,
  right: 'write',
  parameters: [...describeQuery(bulkQuery, words), idempotencyKey],
  body: {
    schema: reference('CreateLeads'),
    examples: {
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
    },
  },
  answers: {
    200: answer(
      'Created, or skipped.',
      json(reference('CreatedLeads'), exampleBulk, { onInvalid: exampleSkippingBulk }),
      'Idempotent-Replayed',
    ),
  },
  invalid: {
    messages: bulkMessages,
    items: { array: 'leads', item: 'lead', messages: itemMessages },
    example: 'leads[3].phoneNumber is required',
  },
  refusals: ['campaign_denied', 'idempotency_key_reused'],
})

const listLeads = keyedOperation({
  operationId: 'listLeads',
  tags,
  summary: 'List the leads of a campaign',
  description:
    'In order of creation, oldest first: all of them, however many, or with `limit` page by page. No lead is missed or repeated while others are added. With the header `Accept: text/csv` the answer is CSV, one row for each lead: text that a spreadsheet would run as a formula has an apostrophe in front.',
  right: 'read',
  parameters: describeQuery(listQuery, words),
  answers: {
    200: answer(
      'The leads.',
      {
        ...json(reference('LeadList'), exampleList, { page: examplePage }),
        'text/csv': {
          schema: { type: 'string', pattern: `^${leadCsvHeader.trim()}\r\n` },
          example: exampleCsv,
        },
      },
      'Link',
      'Vary',
    ),
  },
  invalid: { messages: listMessages, example: 'campaignId query parameter is required' },
  refusals: ['campaign_denied'],
})

const getLead = keyedOperation({
  operationId: 'getLead',
  tags,
  summary: 'Read a lead',
  description: 'By the `_id` that creating or listing told.',
  right: 'look',
  parameters: [leadIdInPath],
  answers: {
    200: answer(
      'The lead.',
      json(answered({ lead: reference('Lead') }), { lead: exampleLead }, { newcomer: exampleMinimal }),
      'ETag',
    ),
  },
  refusals: ['lead_not_found', 'not_found'],
})

export const leads: Area = {
  tag,
  paths: {
    '/api/v1/leads': { post: createLead, get: listLeads },
    '/api/v1/leads/bulk': { post: createLeads },
    '/api/v1/leads/{leadId}': { get: getLead },
  },
  schemas,
}
