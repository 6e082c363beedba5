// Leads in the API description: their fields, and the operations to create, list and read them. Changing and
// calling leads are in other areas.

import { outcomes } from '../../campaigns/outcomes.ts'
import { bulkBody, createBody, leadItem } from '../../leads/create-input.ts'
import { leadCsvHeader } from '../../leads/csv.ts'
import { changeableNames } from '../../leads/fields.ts'
import { type LeadStatus, leadIdPattern } from '../../leads/lead.ts'
import { bulkQuery, listQuery } from '../../leads/query-input.ts'
import { limits } from '../../limits.ts'
import { timestampPattern } from '../../timestamp.ts'
import { phoneSlips } from '../guide.ts'
import {
  arrayOf,
  codes,
  count,
  describeBody,
  describeQuery,
  exactObject,
  flag,
  instantPattern,
  type JsonSchema,
  oneOfOrNull,
  type Properties,
  pageCursor,
  pageLimit,
  reference,
  responseFields,
  text,
  textOrNull,
  timeOrNull,
} from '../openapi/json-schema.ts'
import {
  type Area,
  body,
  idempotencyKey,
  ifNoneMatch,
  json,
  keyedOperation,
  response,
} from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import {
  exampleBulk,
  exampleCsv,
  exampleLead,
  exampleList,
  exampleMinimal,
  exampleNewLead,
  examplePage,
  exampleSkippingBulk,
  exampleWithCalling,
} from '../samples/example-leads.ts'

const tag = { name: 'Leads', description: 'Create, list and read leads.' }

const thousands = (number: number) => number.toLocaleString('en')
const leadBodyKib = limits.leadBodyMaxBytes / 1024
const bulkBodyMib = limits.bulkBodyMaxBytes / 1024 / 1024

const instant = (comparison: string): JsonSchema => ({
  pattern: instantPattern,
  description: `Only leads created ${comparison} than this: ISO 8601 with a UTC offset, or Unix milliseconds.`,
  examples: ['2026-11-20T00:00:00Z'],
})

/** What zod cannot express about each field, and its description. A field means the same everywhere. */
export const fields: Properties = {
  campaignId: {
    maxLength: limits.campaignIdMaxChars,
    description: 'The campaign of the leads. Ids are unique within a company.',
    examples: ['demo'],
  },
  phoneNumber: {
    description: prose`E.164: \`+\`, then ${limits.phoneNumberMinDigits} to ${limits.phoneNumberMaxDigits}
      digits, the first not 0. Compared and stored exactly as sent, never corrected: ${phoneSlips}.`,
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
    description: prose`Your own data about the lead. At most ${thousands(limits.metadataMaxBytes)} bytes of JSON
      and ${limits.metadataMaxDepth} levels deep; no NUL, no unpaired surrogates. Returned exactly as sent.`,
    examples: [{ name: 'Ada', company: 'Acme' }],
  },
  scheduledFor: {
    pattern: timestampPattern.source,
    description: prose`When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. If absent or in
      the past: as soon as possible within calling hours. Returned exactly as sent.`,
    examples: ['2027-01-15T09:30:00+01:00'],
  },
  priority: { description: 'Leads with higher priority are called first. Default: 0.', examples: [10] },
  timeZone: {
    pattern: '^(?:UTC|GMT|[A-Z][A-Za-z]*(?:/[A-Za-z0-9_+-]+)+)$',
    description:
      'The time zone of the person, for calling hours: the exact name of an IANA time zone. Default: the time zone of the campaign.',
    examples: ['Europe/Berlin'],
  },
  leads: { items: reference('NewLead'), description: 'The leads. Either all are stored, or none.' },
  status: { description: 'Only leads with this status.' },
  createdAfter: instant('later'),
  createdBefore: instant('earlier'),
  order: { description: 'The order by creation. Default: `oldest` first.' },
  limit: pageLimit(
    limits.leadsPerPage,
    prose`Return one page with at most this many leads, \`data.nextCursor\` and a \`Link\`
      header. A page ends earlier at about 2 MiB of metadata: continue until \`nextCursor\` is null. Without
      \`limit\` and \`cursor\` the response is the whole campaign, streamed.`,
  ),
  cursor: pageCursor,
  include: {
    description:
      '`calling`: also return `lastOutcome`, `dueAt` and `suppressed` of each lead, in CSV the first two as the last columns.',
  },
  results: {
    type: 'boolean',
    enum: undefined,
    description:
      'Also return `data.results`: the result of each lead, in the order of the request. `onInvalid=skip` implies it.',
  },
  onInvalid: {
    description: prose`\`fail\` (the default): one invalid lead fails the whole request. \`skip\`: valid leads
      are stored, and invalid ones are reported in \`data.invalid\` and \`data.results\`.`,
  },
  dryRun: {
    type: 'boolean',
    enum: undefined,
    description: 'Validate and return the result, but store nothing.',
  },
}

export const leadId = {
  type: 'string',
  pattern: `^${leadIdPattern}$`,
  description: 'The id of the lead. Opaque, ordered by creation.',
  examples: [exampleLead._id],
}

const statuses: Readonly<Record<LeadStatus, string>> = {
  raw: 'never called',
  attempting: 'in the calling queue',
  exhausted: 'every attempt made, none succeeded',
  concluded: 'a call completed',
}

const sent = responseFields(createBody, fields)

const lead = exactObject(
  {
    _id: leadId,
    ...sent,
    status: codes(statuses),
    attempts: count('Attempted calls.'),
    _creationTime: {
      ...count('When the lead was created, in Unix milliseconds.'),
      examples: [exampleLead._creationTime],
    },
  },
  changeableNames.filter((name) => name !== 'priority'),
)

/** How a lead's calls stand, in searches and, on request, in lists. */
export const callingState: Properties = {
  lastOutcome: oneOfOrNull(outcomes, 'How the last call ended. Null: no call has ended.'),
  dueAt: timeOrNull(
    'From when on the lead can be called, calling hours and limits aside. Null: it is not in the queue, or is being called.',
  ),
  suppressed: flag('True, and only present, if the phone number is on the do-not-call list.'),
}

const index = count('Index in `leads` of the request, from 0.')
const leadIdOrNull = (description: string) => ({ ...leadId, type: ['string', 'null'], description })

const suppressed = flag(
  'True, and only present, if the phone number is suppressed: the lead exists, but is not called.',
)

/** Of a table of leads, on the command line. */
export const leadColumns = [
  '_id',
  'phoneNumber',
  'externalId',
  'status',
  'priority',
  'attempts',
  'scheduledFor',
  '_creationTime',
]

const schemas = {
  NewLead: describeBody(leadItem, fields, 'A lead in a bulk request.'),
  CreateLead: describeBody(
    createBody,
    fields,
    'A lead and its campaign. Null or an empty string means "not set".',
  ),
  CreateLeads: describeBody(bulkBody, fields, 'Leads of one campaign.'),
  Lead: { ...lead, description: 'A lead. Optional fields are absent if not set.' },
  ListedLead: {
    ...lead,
    properties: { ...lead.properties, ...callingState },
    description: 'A lead of a list. `lastOutcome`, `dueAt` and `suppressed` only with `include=calling`.',
  },
  CreatedLead: exactObject({ leadId }),
  LeadList: exactObject(
    {
      leads: arrayOf('ListedLead'),
      count: count('The number of `leads`.'),
      nextCursor: textOrNull(
        'Only with `limit` or `cursor`: the `cursor` of the next page. Null on the last page.',
      ),
    },
    ['nextCursor'],
  ),
  CreatedLeads: exactObject(
    {
      created: count('Created leads.'),
      skipped: count(
        'Skipped leads: their phone number is already in the campaign, or earlier in the request.',
      ),
      invalid: count('Only with `onInvalid=skip`: invalid leads, which are not stored.'),
      createdIds: {
        type: 'array',
        items: leadId,
        description: 'In the order of the request. Empty in a dry run.',
      },
      skippedPhones: { type: 'array', items: sent.phoneNumber, description: 'In the order of the request.' },
      results: {
        type: 'array',
        items: reference('LeadResult'),
        description:
          'Only with `results=true` or `onInvalid=skip`: one result per lead, in the order of the request.',
      },
    },
    ['invalid', 'results'],
  ),
  LeadResult: {
    description: 'The result of one lead in a bulk request.',
    // Named, because generators of clients name them badly.
    oneOf: ['CreatedLeadResult', 'SkippedLeadResult', 'InvalidLeadResult'].map(reference),
  },
  CreatedLeadResult: exactObject(
    { index, status: { const: 'created' }, leadId: leadIdOrNull('Null in a dry run.'), suppressed },
    ['suppressed'],
  ),
  SkippedLeadResult: exactObject(
    {
      index,
      status: { const: 'skipped' },
      leadId: leadIdOrNull('The existing lead. Null if a dry run would create it.'),
      suppressed,
    },
    ['suppressed'],
  ),
  InvalidLeadResult: exactObject({
    index,
    status: { const: 'invalid' },
    error: text('What is invalid.'),
  }),
}

const operations = {
  createLead: keyedOperation('POST /api/v1/leads', {
    summary: 'Create a lead',
    description: prose`Stores one lead. Safe to retry: if the phone number is already in the campaign, the
      response is 409; with an \`Idempotency-Key\` a retry gets the first response again. At most ${leadBodyKib}
      KiB.`,
    right: 'write',
    cli: { noun: 'lead', verb: 'create', words: 'phoneNumber' },
    parameters: [idempotencyKey],
    body: body('CreateLead', {
      lead: [
        'A lead with all fields',
        {
          campaignId: 'demo',
          phoneNumber: '+14155550123',
          externalId: 'crm-42',
          metadata: { name: 'Ada', company: 'Acme' },
          scheduledFor: '2027-01-15T09:30:00+01:00',
          priority: 10,
          timeZone: 'Europe/Berlin',
        },
      ],
      minimal: ['Only required fields', { campaignId: 'demo', phoneNumber: '+14155550124' }],
    }),
    responses: {
      201: response(
        'Created.',
        json(reference('CreatedLead'), { leadId: exampleNewLead._id }),
        'Location',
        'Idempotent-Replayed',
      ),
    },
    failures: ['campaign_denied', 'lead_exists', 'idempotency_key_reused'],
  }),

  createLeads: keyedOperation('POST /api/v1/leads/bulk', {
    summary: 'Create leads in bulk',
    description: prose`Stores 1 to ${limits.leadsPerBulk} leads, all or none, and skips duplicates. Safe to
      retry. At most ${bulkBodyMib} MiB. Counts once towards the hourly limit and once towards the limit of
      ${limits.bulkRequestsPerMinutePerKey} bulk requests per minute. \`created + skipped\` (with
      \`onInvalid=skip\` \`created + skipped + invalid\`) is the number of leads sent.`,
    right: 'write',
    parameters: [...describeQuery(bulkQuery, fields), idempotencyKey],
    body: body('CreateLeads', {
      leads: [
        'Two leads',
        {
          campaignId: 'demo',
          leads: [
            { phoneNumber: '+14155550125', metadata: { name: 'Grace' } },
            { phoneNumber: '+14155550126', priority: 5 },
          ],
        },
      ],
    }),
    responses: {
      200: response(
        'The created and skipped leads.',
        json(reference('CreatedLeads'), exampleBulk, { onInvalid: exampleSkippingBulk }),
        'Idempotent-Replayed',
      ),
    },
    failures: ['campaign_denied', 'idempotency_key_reused'],
  }),

  listLeads: keyedOperation('GET /api/v1/leads', {
    summary: 'List the leads of a campaign',
    description: prose`Returns all leads in order of creation, oldest first, or one page with \`limit\`. No lead
      is missed or repeated while others are added. With the header \`Accept: text/csv\` the response is CSV,
      one row per lead. Text that a spreadsheet would run as a formula starts with an apostrophe.`,
    right: 'read',
    cli: {
      noun: 'lead',
      verb: 'list',
      columns: leadColumns,
    },
    parameters: describeQuery(listQuery, fields),
    responses: {
      200: response(
        'The leads.',
        {
          ...json(reference('LeadList'), exampleList, { page: examplePage, calling: exampleWithCalling }),
          'text/csv': {
            schema: { type: 'string', pattern: `^${leadCsvHeader.trim()}(,lastOutcome,dueAt)?\r\n` },
            example: exampleCsv,
          },
        },
        'Link',
        'Vary',
      ),
    },
    failures: ['campaign_denied'],
  }),

  getLead: keyedOperation('GET /api/v1/leads/{leadId}', {
    summary: 'Read a lead',
    description: 'Returns the lead with this `_id`.',
    right: 'look',
    cli: { noun: 'lead', verb: 'show' },
    parameters: [ifNoneMatch],
    responses: {
      304: response('The lead is as you have it.', {}, 'ETag'),
      200: response(
        'The lead.',
        json(exactObject({ lead: reference('Lead') }), { lead: exampleLead }, { minimal: exampleMinimal }),
        'ETag',
      ),
    },
  }),
}

export const leads: Area = { tag, operations, schemas }
