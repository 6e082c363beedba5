// The life of a lead after it came in, in the API description: changing it, and erasing it or a person in all campaigns.
// What its fields mean is in describe-leads.ts.
import { erasureBody } from '../../erasure/input.ts'
import { changeBody } from '../../leads/change-input.ts'
import { changeMessages, erasureMessages, notChangeable, notKnown } from '../invalid/invalid-lead-life.ts'
import { answered, count, describeBody, reference } from '../openapi/json-schema.ts'
import { type Area, answer, ifMatch, json, keyedOperation } from '../openapi/operation.ts'
import { leadIdInPath, words } from './describe-leads.ts'
import { exampleLead } from './example-leads.ts'

const tag = { name: 'Change and erase', description: 'What becomes of a lead after it came in.' }
const tags = [tag.name]

const schemas = {
  LeadChange: describeBody(
    changeBody,
    words,
    'The fields that are to change. Null or an empty text clears a field; `priority` is 0 then. Metadata is replaced whole.',
  ),
  Erasure: {
    ...describeBody(
      erasureBody,
      {
        phoneNumber: words.phoneNumber ?? {},
        leadId: {
          description: 'A lead of the person, in place of the number.',
          examples: ['1a1fb47365400000100000001nTelzbbSjlh'],
        },
        suppress: {
          default: true,
          description:
            'Also never call the number again. `false` leaves it callable when it comes in again, unless it was suppressed before or a call goes on.',
        },
      },
      'Whom to erase: `phoneNumber` or `leadId`, not both.',
    ),
    // Null means not set.
    oneOf: ['phoneNumber', 'leadId'].map((name) => ({
      required: [name],
      properties: { [name]: { type: 'string' } },
    })),
  },
  Erased: answered({
    leadsErased: count('Leads erased by this request; 0 when there was none, or none any more.'),
    suppressed: {
      type: 'boolean',
      description:
        'The number must not be called, also when it comes in again. Of a lead that was erased before: as it was answered then.',
    },
  }),
}

const exampleErased = { leadsErased: 2, suppressed: true }

const changeLead = keyedOperation({
  operationId: 'changeLead',
  tags,
  summary: 'Change a lead',
  description:
    'The order of the calling queue follows at once. A lead that is being called keeps its lease, and its retry follows; one that waits for a retry keeps its time, unless `scheduledFor` is set. With `If-Match` a lead that has changed since it was read is refused with 412, unless it is as asked already: so the request can be sent again.',
  right: 'write',
  parameters: [leadIdInPath, ifMatch],
  body: {
    schema: reference('LeadChange'),
    examples: {
      change: {
        summary: 'Another time, and no metadata',
        value: { scheduledFor: '2027-01-15T09:30:00+01:00', metadata: null },
      },
    },
  },
  answers: {
    200: answer('The lead.', json(answered({ lead: reference('Lead') }), { lead: exampleLead }), 'ETag'),
  },
  invalid: {
    messages: changeMessages,
    patterns: [{ pattern: notChangeable, description: 'A member that cannot be changed, by its name.' }],
    example: 'priority must be an integer between 0 and 100',
  },
  refusals: ['lead_not_found', 'not_found', 'precondition_failed'],
})

const eraseLead = keyedOperation({
  operationId: 'eraseLead',
  tags,
  summary: 'Erase a lead',
  description:
    'Empties it: phone number, external id, metadata and schedule, and the numbers and details of its calls. It is 404 from then on, and in no list, count or queue. The number may come in again; its calls of the last 7 days count towards its limits all the same. While a call goes on, and for a day after a lease ran out without a report, the number is suppressed too, because what the person says in that call can no longer be heard. Erased again: 0 leads. With `If-Match` a lead that has changed since it was read is refused with 412.',
  right: 'manage',
  parameters: [leadIdInPath, ifMatch],
  answers: {
    200: answer('Erased.', json(reference('Erased'), { leadsErased: 1, suppressed: false })),
  },
  refusals: ['lead_not_found', 'not_found', 'precondition_failed'],
})

const erasePerson = keyedOperation({
  operationId: 'erasePerson',
  tags,
  summary: 'Erase a person',
  description:
    'Erases all leads of a number, in all campaigns of the company, and suppresses the number without keeping it: a keyed hash is left, by which it is known when it comes in again. A suppression that was there before is kept in that way too.',
  right: 'manage',
  parameters: [],
  body: {
    schema: reference('Erasure'),
    examples: {
      number: { summary: 'By the number', value: { phoneNumber: '+14155550123' } },
      lead: {
        summary: 'By a lead, and callable again',
        value: { leadId: '1a1fb47365400000100000001nTelzbbSjlh', suppress: false },
      },
    },
  },
  answers: { 200: answer('Erased.', json(reference('Erased'), exampleErased)) },
  invalid: {
    messages: erasureMessages,
    patterns: [{ pattern: notKnown, description: 'A member that an erasure does not have, by its name.' }],
    example: erasureMessages[0] ?? '',
  },
  refusals: ['lead_not_found'],
})

export const leadLife: Area = {
  tag,
  paths: {
    '/api/v1/leads/{leadId}': { patch: changeLead, delete: eraseLead },
    '/api/v1/erasures': { post: erasePerson },
  },
  schemas,
}
