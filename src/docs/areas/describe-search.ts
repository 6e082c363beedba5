// Searching leads and requeueing a selection in the API description.

import { limits } from '../../base/limits.ts'
import { type SelectionResult, selectionResults } from '../../queue/calling/store/requeue.ts'
import { startLetters } from '../../queue/leads/search-words.ts'
import { searchQuery, selectionBody } from '../../queue/search/input.ts'
import { fields, leadId } from '../fields/lead-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, needs, ok, page } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleLead, exampleNewLead } from '../samples/example-leads.ts'
import { callingState, leadColumns, leads, origin } from './describe-leads.ts'

const tag = { name: 'Search', description: 'Find leads in all campaigns of the key.' }

const results: Readonly<Record<SelectionResult, string>> = {
  requeued: 'the lead is in the queue',
  lead_not_found: 'no lead that the key has access to has this id',
  lead_leased: 'the lead is being called',
  number_suppressed: 'the number is suppressed',
}

/** As responses have a lead, with two more members. */
const lead = leads.schemas.Lead as unknown as ReturnType<typeof s.exactObject>

const schemas = {
  FoundLead: {
    ...lead,
    required: [...lead.required, 'lastOutcome', 'dueAt'],
    properties: { ...lead.properties, ...callingState, ...origin },
    description: 'A lead that a search found.',
  },
  RequeueSelection: s.describeBody(selectionBody, 'The leads to requeue.', {
    leadIds: {
      items: { type: 'string', minLength: 1 },
      description: `Ids of leads, each once. At most ${limits.leadsPerSelection}.`,
      examples: [[exampleIds.lead]],
    },
  }),
  RequeuedLead: s.exactObject({
    leadId: { ...leadId, pattern: undefined, description: 'As it was sent.' },
    result: s.codes(results),
  }),
}

const operations = {
  searchLeads: needs.read('GET /api/v1/leads/search', {
    summary: 'Search leads',
    description: prose`Finds leads by phone number, external id, or words of their metadata, in all campaigns of
      the key. New leads are found at once. A page can be shorter than \`limit\`, or empty: continue until
      \`nextCursor\` is null. Leads that have the words as they are come first, then those with words that begin
      so; each newest first, and with several pages one campaign after the other.`,
    cli: { noun: 'lead', verb: 'search', words: 'q', columns: leadColumns },
    query: s.describeQuery(searchQuery, {
      q: {
        minLength: 1,
        maxLength: limits.searchMaxChars,
        description: prose`What to find. 4 to 15 digits, with or without separators, \`+\`, \`00\` or a leading
          0, match the end of a phone number, also of one in E.164 that is a value of \`metadata\`. Text matches
          an external id as a whole, whatever stands between its letters and digits, or words in text values of
          \`metadata\` (2 levels deep; of the first 64 texts, the first 200 characters of each, 1,000 in all),
          in any case, with or without diacritics. The start of a word is enough where one of the words has
          ${startLetters} letters or more; shorter ones alone match whole words. Of several words, a lead must
          have all.`,
        examples: ['ada'],
      },
      campaignId: { ...fields.campaignId, description: 'Only leads of this campaign.' },
      status: fields.status ?? {},
      origin: { ...fields.origin, description: 'Only leads that came from here, as in a list.' },
      include: { description: '`origin`: also return where each lead came from.', examples: ['origin'] },
      outcome: { description: 'Only leads whose last call ended with this outcome.' },
      limit: s.queryNumber(limits.leadsPerSearch)`The maximum number of leads. Default:
        ${limits.leadsPerSearch / 2}.`,
      cursor: s.pageCursor,
    }),
    responses: page('The leads.', 'leads', 'FoundLead', [
      { ...exampleLead, lastOutcome: 'busy', dueAt: '2026-11-20T09:15:00.000Z' },
      { ...exampleNewLead, lastOutcome: null, dueAt: null },
    ]),
    failures: ['campaign_denied'],
  }),

  requeueSelection: needs.write('POST /api/v1/leads/requeue', {
    summary: 'Requeue a selection of leads',
    description: prose`Requeues 1 to ${limits.leadsPerSelection} leads by their ids, of any campaigns of the
      key, each like \`POST /api/v1/leads/{leadId}/requeue\`.`,
    cli: { noun: 'lead', verb: 'requeue', words: 'leadIds', options: { leadIds: { name: 'lead' } } },
    body: body('RequeueSelection', selectionBody, {
      leads: ['Requeue one lead', { leadIds: [exampleIds.lead] }],
    }),
    refusals: ['Maximum 100 leads per request', 'leadIds[1] is given twice'],
    responses: ok(
      'One result per id, in the order of the request.',
      s.exactObject({
        requeued: s.count('Leads in the queue.'),
        skipped: s.count('The others.'),
        results: s.arrayOf('RequeuedLead'),
      }),
      { requeued: 1, skipped: 0, results: [{ leadId: exampleIds.lead, result: selectionResults[0] }] },
    ),
  }),
}

export const search: Area = { tag, operations, schemas }
