// Changing and erasing leads in the API description, and erasing a person in all campaigns. The fields of a lead are in
// describe-leads.ts.

import { limits } from '../../base/limits.ts'
import { erasureBody } from '../../queue/erasure/input.ts'
import { changeBody } from '../../queue/leads/change-input.ts'
import { fields, leadId } from '../fields/lead-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, ifMatch, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleLead } from '../samples/example-leads.ts'

const tag = { name: 'Change and erase', description: 'Change leads, erase leads, and erase people.' }

const schemas = {
  LeadChange: s.describeBody(
    changeBody,
    'The fields to change. Null or an empty string clears a field and resets `priority` to 0. ' +
      'Metadata is replaced as a whole.',
    fields,
  ),
  Erasure: {
    ...s.describeBody(erasureBody, 'Whom to erase: `phoneNumber` or `leadId`, not both.', {
      phoneNumber: fields.phoneNumber ?? {},
      leadId: {
        description: 'The id of a lead of the person, instead of the number.',
        examples: [exampleIds.lead],
      },
      suppress: {
        default: true,
        description: prose`Also suppress the number. With \`false\` a new lead with this number can be called,
            unless the number was already suppressed, in the company or in the lead’s campaign, or a do-not-call may
            still be reported for a call, as where one lead is erased.`,
      },
    }),
    // Null means "not set".
    oneOf: ['phoneNumber', 'leadId'].map((name) => ({
      required: [name],
      properties: { [name]: { type: 'string' } },
    })),
  },
  Erased: s.exactObject({
    leadsErased: s.count('Leads erased by this request. 0 if there were none, or they were already erased.'),
    suppressed: s.flag`True if the number is now suppressed, in the company or in any of its campaigns. For a lead
      that was already erased: the result of that erasure.`,
    kept: {
      ...s.exactObject({
        consents: s.count('Consents of the number that are kept.'),
        until: s.timeOrNull('When the last of them is removed. Null: there is none.'),
      }),
      description: prose`What is kept to prove consent: with the last lead of the number, its consents keep the number
        as a keyed hash, and lose address, browser and reference. Of a lead that was already erased: none.`,
    },
    alsoIn: {
      ...s.array(
        leadId,
      )`Other leads whose metadata held the number, in any of its spellings: it was removed there.
        Always empty where one lead is erased.`,
      maxItems: limits.mentionsMax,
    },
    isPartial: s.flag`True if more metadata may hold the number: more than ${limits.mentionsMax.toLocaleString('en')}
      leads do, or the search is off or still being prepared. Erase the number again later, by \`phoneNumber\`.`,
  }),
}

const exampleErased = {
  leadsErased: 2,
  suppressed: true,
  kept: { consents: 1, until: '2031-11-20T09:00:00.000Z' },
  alsoIn: [],
  isPartial: false,
}

const operations = {
  changeLead: needs.write('PATCH /api/v1/leads/{leadId}', {
    summary: 'Change a lead',
    description: prose`The calling queue uses the new values at once. A lead that is being called keeps its
      lease; its retry uses the new values. A lead that waits for a retry keeps its time, unless you set
      \`scheduledFor\`. With \`If-Match\` the response is 412 if the lead has changed since you read it, unless
      it already has the new values, so the request can be retried. Every request that changes something refuses
      with 400 a condition that it cannot check: \`If-None-Match\`, \`If-Unmodified-Since\`, and \`If-Match\`
      for anything but a lead.`,
    cli: { noun: 'lead', verb: 'set' },
    parameters: [ifMatch],
    body: body('LeadChange', changeBody, {
      change: [
        'Reschedule and clear metadata',
        { scheduledFor: '2027-01-15T09:30:00+01:00', metadata: null },
      ],
    }),
    refusals: ['phoneNumber is not a field that can be changed'],
    responses: ok('The lead.', s.exactObject({ lead: s.reference('Lead') }), { lead: exampleLead }, ['ETag']),
    failures: ['precondition_failed'],
  }),

  eraseLead: needs.manage('DELETE /api/v1/leads/{leadId}', {
    summary: 'Erase a lead',
    description: prose`Deletes phone number, external id, metadata and schedule, and the numbers and details of
      its calls. The lead is then 404, and in no list, count or queue. The number can be added again; its calls
      of the last 7 days still count towards number limits, and a do-not-call reported for one of them still
      suppresses the number. During an ongoing call, for a day after a lease ended without a report, and for an
      hour after a call of a dialer, erasing also suppresses the number, because nobody knows yet whether that
      call ends with a do-not-call. Erasing again returns 0 leads. With \`If-Match\` the response is 412 if
      the lead has changed since you read it.`,
    parameters: [ifMatch],
    responses: ok('Erased.', s.reference('Erased'), {
      leadsErased: 1,
      suppressed: false,
      kept: { consents: 0, until: null },
      alsoIn: [],
      isPartial: false,
    }),
    failures: ['precondition_failed'],
  }),

  erasePerson: needs.manage('POST /api/v1/erasures', {
    summary: 'Erase a person',
    description: prose`Erases all leads with a phone number, in all campaigns of the company. It also suppresses
      the number without storing it: only a keyed hash remains, which recognises the number when it is added
      again. A number that is suppressed in single campaigns is kept as such a hash in each of them, and nowhere
      else with \`suppress: false\`; remove it there with the \`campaignId\`. Where metadata of other leads has the
      number as a value, that value is removed, and the lead stays: \`alsoIn\` names these leads. What the search
      does not read of metadata is not looked through.`,
    cli: { noun: 'lead', verb: 'erase', words: 'leadId', confirm: true },
    body: body('Erasure', erasureBody, {
      number: ['Erase by phone number', { phoneNumber: '+14155550123' }],
      lead: ['Erase by lead, without suppressing', { leadId: exampleIds.lead, suppress: false }],
    }),
    refusals: ['phoneNumber or leadId is required, and not both', 'phoneNumber must be in E.164 format'],
    responses: ok('Erased.', s.reference('Erased'), exampleErased),
    failures: ['company_key_required', 'lead_not_found'],
  }),
}

export const leadLife: Area = { tag, operations, schemas }
