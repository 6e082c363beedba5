// Leads in the API description: the operations to create, list and read them. Their fields are in lead-fields.ts,
// changing and calling leads in other areas.

import { limits, waits } from '../../base/limits.ts'
import { outcomes } from '../../queue/campaigns/outcomes.ts'
import { bulkBody, createBody, leadItem } from '../../queue/leads/create-input.ts'
import { leadCsvHeader, originNames } from '../../queue/leads/csv.ts'
import { changeableNames, leadFieldTable } from '../../queue/leads/field-table.ts'
import type { LeadStatus } from '../../queue/leads/lead.ts'
import type { OriginKind } from '../../queue/leads/origin/origin.ts'
import { bulkQuery, createQuery, leadQuery, listQuery } from '../../queue/leads/query-input.ts'
import { exampleFields, fields, leadId } from '../fields/lead-fields.ts'
import * as s from '../openapi/json-schema.ts'
import {
  type Area,
  body,
  created,
  idempotencyKey,
  ifNoneMatch,
  importName,
  json,
  needs,
  ok,
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
  exampleWithOrigin,
} from '../samples/example-leads.ts'

const tag = { name: 'Leads', description: 'Create, list and read leads.' }

const leadBodyKib = limits.leadBodyMaxBytes / 1024
const bulkBodyMib = limits.bulkBodyMaxBytes / 1024 / 1024

const statuses: Readonly<Record<LeadStatus, string>> = {
  raw: 'never called',
  attempting: 'in the calling queue',
  exhausted: 'every attempt made, none succeeded',
  concluded: 'a call completed',
}

const kinds: Readonly<Record<OriginKind, string>> = {
  source: 'a post to a source',
  api: 'a request with an API key, or of a member in the console',
  import: 'an import of a file, which the header `X-Import-Name` names',
}

const originWords =
  'Where the lead came from, set once, when it was created. Null: the version that created it did not note it. Of an ' +
  'erased lead only `kind` is kept.'

const { consent: _, ...sent } = s.responseFields(createBody, fields)

const lead = s.objectWithout(
  changeableNames.filter((name) => leadFieldTable[name].kind !== 'number'),
  {
    _id: leadId,
    ...sent,
    status: s.codes(statuses),
    attempts: s.count('Attempted calls.'),
    _creationTime: {
      ...s.count('When the lead was created, in Unix milliseconds.'),
      examples: [exampleLead._creationTime],
    },
  },
)

/** How a lead's calls stand, in searches and, on request, in lists. */
export const callingState: s.Properties = {
  lastOutcome: s.oneOfOrNull(outcomes)`How the last call ended. Null: no call has ended.`,
  dueAt: s.timeOrNull`From when on the lead can be called, calling hours and limits aside. Null: it is not in the
    queue, or is being called.`,
  suppressed: s.flag('True, and only present, if the phone number is on the do-not-call list.'),
}

/** On request: `include=origin`. */
export const origin = {
  origin: { anyOf: [s.reference('LeadOrigin'), { type: 'null' }], description: originWords },
}

const index = s.count('Index in `leads` of the request, from 0.')
const leadIdOrNull = (description: string) => ({ ...leadId, type: ['string', 'null'], description })

const suppressed = s.flag`True, and only present, if the phone number is suppressed: the lead exists, but is not
  called.`

/** What a table of leads shows on the command line. */
export const leadColumns = '_id phoneNumber externalId status priority attempts scheduledFor _creationTime'

const schemas = {
  LeadOrigin: {
    ...s.objectWithout(['sourceId', 'keyId', 'memberId', 'import', 'name'], {
      kind: s.codes(kinds),
      sourceId: s.text('The id of the source.'),
      keyId: s.text('The id of the API key that sent it.'),
      memberId: s.text('The id of the member who sent it, in the console.'),
      import: s.text('What the import is called, such as the name of its file.'),
      name: s.text('The name of that source, key or member, as it is now.'),
    }),
    description: originWords,
  },
  NewLead: s.describeBody(leadItem, 'A lead in a bulk request.', fields),
  CreateLead: s.describeBody(
    createBody,
    'A lead and its campaign. Null or an empty string means "not set".',
    fields,
  ),
  CreateLeads: s.describeBody(bulkBody, 'Leads of one campaign.', fields),
  Lead: {
    ...lead,
    properties: { ...lead.properties, ...origin },
    description: 'A lead. Optional fields are absent if not set, `origin` unless it was asked for.',
  },
  ListedLead: {
    ...lead,
    properties: { ...lead.properties, ...callingState, ...origin },
    description:
      'A lead of a list. `lastOutcome`, `dueAt` and `suppressed` only with `include=calling`, `origin` only with ' +
      '`include=origin`.',
  },
  CreatedLead: s.exactObject({ leadId }),
  LeadList: s.objectWithout(['nextCursor'], {
    leads: s.arrayOf('ListedLead'),
    count: s.count('The number of `leads`.'),
    nextCursor: s.textOrNull`Only with \`limit\` or \`cursor\`: the \`cursor\` of the next page. Null on the last
        page.`,
  }),
  CreatedLeads: s.objectWithout(['invalid', 'results'], {
    created: s.count('Created leads.'),
    skipped: s.count`Skipped leads: their phone number is already in the campaign, or earlier in the request.`,
    invalid: s.count('Only with `onInvalid=skip`: invalid leads, which are not stored.'),
    createdIds: s.array(leadId)`In the order of the request. Empty in a dry run.`,
    skippedPhones: s.array(sent.phoneNumber ?? {})`In the order of the request.`,
    results: s.array(s.reference('LeadResult'))`Only with \`results=true\` or \`onInvalid=skip\`: one result
      per lead, in the order of the request.`,
  }),
  LeadResult: {
    description: 'The result of one lead in a bulk request.',
    // Named, because generators of clients name them badly.
    oneOf: ['CreatedLeadResult', 'SkippedLeadResult', 'InvalidLeadResult'].map(s.reference),
  },
  CreatedLeadResult: s.objectWithout(['suppressed'], {
    index,
    status: { const: 'created' },
    leadId: leadIdOrNull('Null in a dry run.'),
    suppressed,
  }),
  SkippedLeadResult: s.objectWithout(['suppressed'], {
    index,
    status: { const: 'skipped' },
    leadId: leadIdOrNull('The existing lead. Null if a dry run would create it.'),
    suppressed,
  }),
  InvalidLeadResult: s.exactObject({
    index,
    status: { const: 'invalid' },
    error: s.text('What is invalid.'),
  }),
}

const operations = {
  createLead: needs.write('POST /api/v1/leads', {
    summary: 'Create a lead',
    description: prose`Stores one lead. Safe to retry: if the phone number is already in the campaign, the
      response is 409; with an \`Idempotency-Key\` a retry gets the first response again. At most ${leadBodyKib}
      KiB.`,
    cli: { noun: 'lead', verb: 'create', words: 'phoneNumber' },
    query: s.describeQuery(createQuery, fields),
    parameters: [idempotencyKey, importName],
    body: body('CreateLead', createBody, {
      lead: ['A lead with all fields', { campaignId: 'demo', ...exampleFields }],
      minimal: ['Only required fields', { campaignId: 'demo', phoneNumber: '+14155550124' }],
    }),
    refusals: ['phoneNumber must be in E.164 format', 'scheduled_for is not a member: use scheduledFor'],
    responses: {
      ...created('Created.', s.reference('CreatedLead'), { leadId: exampleNewLead._id }, [
        'Location',
        'Idempotent-Replayed',
        'X-Ignored-Members',
      ]),
      ...ok(
        'With `dryRun=true`: the lead would be created.',
        s.exactObject({ leadId: leadIdOrNull('Null: nothing is stored.') }),
        { leadId: null },
        ['X-Ignored-Members'],
      ),
    },
    failures: ['campaign_denied', 'lead_exists', 'idempotency_key_reused'],
  }),

  createLeads: needs.write('POST /api/v1/leads/bulk', {
    summary: 'Create leads in bulk',
    description: prose`Stores 1 to ${limits.leadsPerBulk} leads, all or none, and skips duplicates. Safe to
      retry. At most ${bulkBodyMib} MiB. Counts once towards the hourly limit and once towards the limit of
      ${limits.bulkRequestsPerMinutePerKey} bulk requests per minute. Few are stored at once: one whose turn has not
      come within ${waits.bulkTurnMs / 1000} seconds is 503, and has stored nothing. \`created + skipped\` (with
      \`onInvalid=skip\` \`created + skipped + invalid\`) is the number of leads sent.`,
    query: s.describeQuery(bulkQuery, fields),
    parameters: [idempotencyKey, importName],
    body: body('CreateLeads', bulkBody, {
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
    refusals: ['leads[1].phoneNumber is required', 'Maximum 1000 leads per bulk request'],
    responses: ok(
      'The created and skipped leads.',
      s.reference('CreatedLeads'),
      exampleBulk,
      ['Idempotent-Replayed', 'X-Ignored-Members'],
      { onInvalid: exampleSkippingBulk },
    ),
    failures: ['campaign_denied', 'idempotency_key_reused'],
  }),

  listLeads: needs.read('GET /api/v1/leads', {
    summary: 'List the leads of a campaign',
    description: prose`Returns all leads in order of creation, oldest first, or one page with \`limit\`. No lead
      is missed or repeated while others are added. With the header \`Accept: text/csv\` the response is CSV,
      one row per lead. Text that a spreadsheet would run as a formula starts with an apostrophe.`,
    cli: { noun: 'lead', verb: 'list', columns: leadColumns },
    query: s.describeQuery(listQuery, fields),
    responses: {
      200: response(
        'The leads.',
        {
          ...json(s.reference('LeadList'), exampleList, {
            page: examplePage,
            calling: exampleWithCalling,
            origin: exampleWithOrigin,
          }),
          'text/csv': {
            schema: {
              type: 'string',
              pattern: `^${leadCsvHeader.trim()}(,lastOutcome,dueAt)?(,${originNames})?\r\n`,
            },
            example: exampleCsv,
          },
        },
        'Link',
        'Vary',
      ),
    },
    failures: ['campaign_denied'],
  }),

  getLead: needs.look('GET /api/v1/leads/{leadId}', {
    summary: 'Read a lead',
    description: 'Returns the lead with this `_id`.',
    cli: { noun: 'lead', verb: 'show' },
    query: s.describeQuery(leadQuery, {
      include: { description: '`origin`: also return where the lead came from.', examples: ['origin'] },
    }),
    parameters: [ifNoneMatch],
    responses: {
      304: response('The lead is as you have it.', {}, 'ETag'),
      200: response(
        'The lead.',
        json(
          s.exactObject({ lead: s.reference('Lead') }),
          { lead: exampleLead },
          { minimal: exampleMinimal },
        ),
        'ETag',
      ),
    },
  }),
}

export const leads: Area = { tag, operations, schemas }
