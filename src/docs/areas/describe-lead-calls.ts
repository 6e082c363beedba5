// What is asked of one lead's calls in the API description: their history, why the lead is not called, requeueing it; and
// requeueing many.
import { callingQuery, pastCallsQuery } from '../../calling/input.ts'
import { requeueBody } from '../../calling/requeue-input.ts'
import { limits } from '../../limits.ts'
import { timestampPattern } from '../../timestamp.ts'
import { callingMessages, pastCallsMessages } from '../invalid/invalid-calls.ts'
import { requeueMessages } from '../invalid/invalid-requeues.ts'
import { unknownMember } from '../openapi/failures.ts'
import {
  answered,
  count,
  describeBody,
  describeQuery,
  instantPattern,
  reference,
} from '../openapi/json-schema.ts'
import { type Area, answer, json, keyedOperation } from '../openapi/operation.ts'
import { callId, exampleCallId, pastOutcomes, time, timeOrNull } from './describe-calling.ts'
import { campaignInPath } from './describe-campaigns.ts'
import { leadIdInPath } from './describe-leads.ts'
import { exampleLead } from './example-leads.ts'

const tag = { name: 'Calls of a lead', description: 'What became of a lead, and why it is not called now.' }
const tags = [tag.name]

/** With what each means, in the order in which they are told. */
const blockers = {
  not_configured: 'the campaign has no time zone',
  paused: 'the campaign is paused',
  final: 'exhausted or concluded: requeue it',
  suppressed: 'the number must not be called',
  leased: 'it is being called',
  number_live: 'another lead of this number is being called',
  number_gap: 'the number was called a short time ago',
  number_day: 'the number was called often enough in 24 hours',
  number_week: 'and in 7 days',
  scheduled: 'its time has not come',
  spaced: 'the next attempt is spaced',
  outside_hours: 'nobody may be called at this hour',
} as const

const meanings = Object.entries(blockers)
  .map(([code, meaning]) => `\`${code}\`: ${meaning}.`)
  .join(' ')

const schemas = {
  RequeueLeads: {
    ...describeBody(
      requeueBody,
      {
        status: { description: 'Of the leads: `exhausted` or `concluded`.' },
        since: {
          pattern: timestampPattern.source,
          description: 'When they became so, at the earliest: ISO 8601 with a UTC offset.',
          examples: ['2026-11-20T08:00:00+01:00'],
        },
      },
      'Which leads to call again.',
    ),
    additionalProperties: false,
  },
  PastCall: answered({
    callId,
    attempt: {
      type: 'integer',
      minimum: 1,
      description: 'One that was released gives its number to the next.',
    },
    agent: { type: ['string', 'null'], description: 'The name under which it was claimed.' },
    claimedAt: time('When it was handed out.'),
    outcome: {
      type: ['string', 'null'],
      enum: [...pastOutcomes, null],
      description:
        'Null: it goes on. `unknown`: its lease ended without a report. `released`: nobody dialled.',
    },
    endedAt: timeOrNull('When that was told, or the lease ended.'),
    callbackAt: timeOrNull('What was agreed.'),
    doNotCall: { type: 'boolean', description: 'The person asked not to be called.' },
    isLate: { type: 'boolean', description: 'It was reported when the lead had been claimed again.' },
    durationSeconds: { type: ['integer', 'null'], minimum: 0, maximum: limits.durationMaxSeconds },
    providerCallId: { type: ['string', 'null'] },
    details: { type: ['object', 'null'], additionalProperties: true, description: 'Exactly as sent.' },
  }),
  Blocker: answered({
    code: { type: 'string', enum: Object.keys(blockers), description: meanings },
    until: timeOrNull('Null: until somebody does something about it.'),
  }),
}

const examplePast = {
  callId: exampleCallId,
  attempt: 1,
  agent: 'seat-7',
  claimedAt: '2026-11-20T09:00:00.000Z',
  outcome: 'no_answer',
  endedAt: '2026-11-20T09:03:12.000Z',
  callbackAt: null,
  doNotCall: false,
  isLate: false,
  durationSeconds: 24,
  providerCallId: null,
  details: null,
}

const listCallsOfLead = keyedOperation({
  operationId: 'listCallsOfLead',
  tags,
  summary: 'List the calls of a lead',
  description: `Oldest first, page by page: at most ${limits.callsPerRequest}, whose details come to less than 2 MiB.`,
  right: 'look',
  parameters: [
    leadIdInPath,
    ...describeQuery(pastCallsQuery, {
      limit: {
        type: 'integer',
        pattern: undefined,
        minimum: 1,
        maximum: limits.callsPerRequest,
        description: `At most so many. ${limits.callsPerRequest} when not set.`,
      },
      cursor: {
        description: 'Go on after a page: its `nextCursor`. Opaque.',
        examples: ['19aa0e8a480'],
      },
    }),
  ],
  answers: {
    200: answer(
      'The calls.',
      json(
        answered({
          calls: { type: 'array', items: reference('PastCall') },
          nextCursor: {
            type: ['string', 'null'],
            description: 'The `cursor` of the next page, null on the last one.',
          },
        }),
        { calls: [examplePast], nextCursor: null },
      ),
    ),
  },
  invalid: { messages: pastCallsMessages, example: 'cursor is not valid' },
  refusals: ['lead_not_found', 'not_found'],
})

const explainLead = keyedOperation({
  operationId: 'explainLead',
  tags,
  summary: 'Tell why a lead is not called',
  description:
    'Each thing that keeps it from being called, until when, and when it can be called next. Also for another moment, by what is known now.',
  right: 'look',
  parameters: [
    leadIdInPath,
    ...describeQuery(callingQuery, {
      at: {
        pattern: instantPattern,
        description: 'The moment: ISO 8601 with a UTC offset, or Unix milliseconds. Now when not set.',
        examples: ['2026-11-23T09:00:00+01:00'],
      },
    }),
  ],
  answers: {
    200: answer(
      'What keeps it.',
      json(
        answered({
          callable: { type: 'boolean', description: 'True when nothing does: it waits for its turn alone.' },
          blockers: { type: 'array', items: reference('Blocker') },
          nextCallAt: timeOrNull(
            'From that moment on. Null: not before somebody, or a call that goes on, does something about it.',
          ),
        }),
        {
          callable: false,
          blockers: [
            { code: 'number_gap', until: '2026-11-20T09:15:00.000Z' },
            { code: 'spaced', until: '2026-11-20T10:03:12.000Z' },
          ],
          nextCallAt: '2026-11-20T10:03:12.000Z',
        },
      ),
    ),
  },
  invalid: { messages: callingMessages, example: callingMessages[0] ?? '' },
  refusals: ['lead_not_found', 'not_found'],
})

const requeueLead = keyedOperation({
  operationId: 'requeueLead',
  tags,
  summary: 'Call a lead again after all',
  description:
    'The only way out of `exhausted` and `concluded`: grants as many attempts as a new lead has. `attempts` goes on. No body.',
  right: 'write',
  parameters: [leadIdInPath],
  answers: {
    200: answer(
      'The lead, in the queue.',
      json(answered({ lead: reference('Lead') }), { lead: exampleLead }),
    ),
  },
  refusals: ['lead_not_found', 'not_found', 'lead_leased', 'number_suppressed'],
})

const requeueLeads = keyedOperation({
  operationId: 'requeueLeads',
  tags,
  summary: 'Call many leads again',
  description: `Requeues leads of the campaign that became \`exhausted\`, or \`concluded\`, at or after \`since\`, each as requeueing one does: with as many attempts as a new lead has. At most ${limits.leadsPerRequeue.toLocaleString('en')} a request. While \`more\` is true, send the same request again: within ten minutes it goes on behind those that the last one took. Leads whose numbers are suppressed stay as they are.`,
  right: 'write',
  parameters: [campaignInPath],
  body: {
    schema: reference('RequeueLeads'),
    examples: {
      requeue: {
        summary: 'What was given up since this morning',
        value: { status: 'exhausted', since: '2026-11-20T08:00:00+01:00' },
      },
    },
  },
  answers: {
    200: answer(
      'What was done.',
      json(
        answered({
          requeued: count('Leads that are in the queue now.'),
          skipped: count('Leads left as they are, because their numbers are suppressed.'),
          more: { type: 'boolean', description: 'There may be more: send the same request again.' },
        }),
        { requeued: 998, skipped: 2, more: true },
      ),
    ),
  },
  invalid: {
    messages: requeueMessages,
    patterns: [unknownMember()],
    example: requeueMessages[1] ?? '',
  },
  refusals: ['campaign_denied'],
})

export const leadCalls: Area = {
  tag,
  paths: {
    '/api/v1/leads/{leadId}/calls': { get: listCallsOfLead },
    '/api/v1/leads/{leadId}/calling': { get: explainLead },
    '/api/v1/leads/{leadId}/requeue': { post: requeueLead },
    '/api/v1/campaigns/{campaignId}/requeue': { post: requeueLeads },
  },
  schemas,
}
