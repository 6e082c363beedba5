// The calling agent's side in the API description: claim, report, extend, release, open calls. What is asked of one
// lead's calls is in describe-lead-calls.ts; what is invalid, rule by rule, in invalid-calls.ts.

import { callIdPattern } from '../../calling/call.ts'
import {
  claimBody,
  extendBody,
  openCallsQuery,
  releaseBody,
  releasedCall,
  reportBody,
  reportedCall,
} from '../../calling/input.ts'
import { defaultOutcomes, type OutcomeClass, reportedOutcomes } from '../../campaigns/outcomes.ts'
import { settingRanges } from '../../campaigns/settings.ts'
import { leadStatuses } from '../../leads/lead.ts'
import { limits } from '../../limits.ts'
import { timestampPattern } from '../../timestamp.ts'
import {
  claimMessages,
  extendMessages,
  openCallsMessages,
  releasedCallMessages,
  releaseMessages,
  reportedCallMessages,
  reportMessages,
} from '../invalid/invalid-calls.ts'
import { unknownMember } from '../openapi/failures.ts'
import {
  answered,
  describeBody,
  describeQuery,
  type JsonSchema,
  type Properties,
  reference,
} from '../openapi/json-schema.ts'
import { type Area, answer, idempotencyKey, json, keyedOperation } from '../openapi/operation.ts'
import { leadId, words as leadWords } from './describe-leads.ts'
import { exampleLead } from './example-leads.ts'

const tag = {
  name: 'Calling',
  description:
    'For the agent that phones. It claims leads, dials each before `dialBefore`, and reports what became of it. A lead is leased to one agent at a time, and a phone number has one live call in the company. A lease that ends without a report may have rung: it counts as an attempt with the outcome `unknown`.',
}
const tags = [tag.name]

export const time = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
})
export const timeOrNull = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
})

export const callId = {
  type: 'string',
  pattern: `^${callIdPattern}$`,
  description: 'Names the call. Lease, attempt and idempotency key in one.',
  examples: ['1a1fb4f1c2a00000100000001Xh2mPq9RtLw'],
}

const outcomesOf = (outcomeClass: OutcomeClass) =>
  reportedOutcomes
    .filter((outcome) => defaultOutcomes[outcome].class === outcomeClass)
    .map((outcome) => `\`${outcome}\``)
    .join(', ')

/** What zod's refinements check, and what each field is for. */
const words: Properties = {
  campaignId: { ...leadWords.campaignId, description: 'The campaign whose leads are called.' },
  limit: { description: 'At most so many calls. 1 when not set.' },
  leaseSeconds: {
    description: 'How long each call may take, dialling included. As the campaign has it when not set.',
  },
  agent: {
    maxLength: limits.agentMaxChars,
    description: 'A name for people, such as that of a seat or a process. No NUL, no unpaired surrogates.',
    examples: ['seat-7'],
  },
  calls: { items: reference('ReportedCall') },
  callIds: { items: { type: 'string' }, description: 'Of the calls that go on.' },
  callId: { ...callId, pattern: undefined },
  outcome: {
    description: `Done: ${outcomesOf('done')}. Given up: ${outcomesOf('dead')}; \`do_not_call\` also suppresses the number in the whole company. Called again after some time: ${outcomesOf('retry')}. At an agreed time: ${outcomesOf('appointment')}. A campaign may have set other rules.`,
  },
  callbackAt: {
    pattern: timestampPattern.source,
    description:
      'When to call again: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Required with `callback_requested`.',
    examples: ['2027-01-15T09:30:00+01:00'],
  },
  doNotCall: { description: 'Goes with any outcome: the number is suppressed in the whole company.' },
  durationSeconds: { description: 'How long the call took.' },
  providerCallId: {
    maxLength: limits.externalIdMaxChars,
    description: 'The telephone provider’s id. No NUL, no unpaired surrogates.',
  },
  details: {
    type: 'object',
    additionalProperties: true,
    description: `Anything you want to keep with the call, such as a summary. At most ${limits.detailsMaxBytes.toLocaleString('en')} bytes of JSON. Comes back exactly as sent, with the history of the lead.`,
    examples: [{ summary: 'Asked for an offer.' }],
  },
  delaySeconds: { description: 'When the lead may be handed out again. 60 when not set.' },
}

const claimedCall = {
  callId,
  attempt: { type: 'integer', minimum: 1, description: 'Which attempt of the lead it is.' },
  isLastAttempt: {
    type: 'boolean',
    description: 'True when no attempt is left after it, for a callback neither.',
  },
  leaseExpiresAt: time('Until then the lead is yours. Extend it in time.'),
  dialBefore: time('Do not dial later: the lease ends, or calling hours do.'),
  timeZone: { type: 'string', description: 'Of the lead, else of the campaign.' },
  lead: reference('Lead'),
}

/** Why nothing is handed out, and nothing more. */
export const waitReasons = ['empty', 'waiting', 'outside_hours', 'paused', 'not_configured'] as const

/** Why a claim gives no calls. */
const claimReasons = [...waitReasons, 'agent_failing', 'suppression_unavailable'] as const

const result = (results: readonly string[], description: string) => ({
  type: 'string',
  enum: results,
  description,
})

const callResult = (results: readonly string[], description: string) =>
  answered({
    callId: { type: 'string', description: 'As you sent it.' },
    result: result(results, description),
    leadId: {
      ...leadId,
      type: ['string', 'null'],
      description: 'Null of an unknown call, as all that follows.',
    },
    status: { type: ['string', 'null'], enum: [...leadStatuses, null], description: 'Of the lead now.' },
    attempts: { type: ['integer', 'null'], minimum: 0, description: 'Of the lead now.' },
    nextCallAt: timeOrNull('When the lead is due again; null when it is not in the queue.'),
  })

const reported = {
  results: { type: 'array', items: reference('CallResult'), description: 'One for each call, in order.' },
  claim: reference('ClaimedCalls'),
}

const schemas = {
  ClaimCalls: describeBody(claimBody, words, 'Which leads to hand out, and to whom.'),
  ClaimedCall: answered(claimedCall),
  ClaimedCalls: answered({
    calls: { type: 'array', items: reference('ClaimedCall'), description: 'In the order in which to call.' },
    reason: {
      type: ['string', 'null'],
      enum: [...claimReasons, null],
      description:
        'Null exactly when calls are given. `empty`: no lead is in the queue. `waiting`: none is due, or those that were are blocked. `outside_hours`: some are due, and nobody may be called now. `paused`. `not_configured`: the campaign has no time zone. `agent_failing`: the leases of this `agent`, or of this key where it has no name, end without reports, so it gets none for ten minutes, and then one lead to prove itself with. `suppression_unavailable`: the service cannot check suppressed numbers until its operator restores the secret; only in the claim of a report, where a claim on its own fails with 503.',
    },
    retryAfterSeconds: {
      type: ['integer', 'null'],
      minimum: 1,
      description: 'When it is worth asking again; null when calls are given.',
    },
  }),
  ReportedCall: describeBody(reportedCall, words, 'What became of a call.'),
  ReportCalls: withClaim(describeBody(reportBody, words, 'What became of calls, and a claim if you like.')),
  CallResult: callResult(
    ['recorded', 'recorded_late', 'do_not_call_recorded', 'replayed', 'conflict', 'unknown_call'],
    '`recorded`, also in place of an `unknown`. `recorded_late`: the lead was claimed again since; the history has it, the newer call goes on. `do_not_call_recorded`: the call was recorded before; its number is suppressed now, and its outcome, duration and details stay as they were. `replayed`: it was there before. `conflict`: another outcome was. `unknown_call`: no call of this id, or not for this key.',
  ),
  CallsReported: answered(reported, ['claim']),
  ExtendCalls: describeBody(extendBody, words, 'Calls that go on.'),
  ExtendedCall: answered({
    callId: { type: 'string', description: 'As you sent it.' },
    leaseExpiresAt: timeOrNull('Null when the lease is lost.'),
    dialBefore: timeOrNull(
      'Do not dial later: the lease ends, or calling hours do, as they are now. Null when the lease is lost.',
    ),
    stop: {
      type: ['string', 'null'],
      enum: ['erased', 'suppressed', 'concluded', 'paused', 'outside_hours', 'lease_lost', null],
      description:
        'Why to end the call, in your own time; null: go on. With `paused` and `outside_hours` a conversation may go on, but nobody may be dialled any more. Of several, the first of this list. It is extended all the same, unless its lease is lost.',
    },
  }),
  ReleasedCall: describeBody(releasedCall, words, 'A call that nobody dialled.'),
  ReleaseCalls: describeBody(
    releaseBody,
    { calls: { items: reference('ReleasedCall') } },
    'Calls that nobody dialled.',
  ),
  OpenCall: answered({ ...claimedCall, agent: { type: ['string', 'null'] } }),
}

function withClaim(body: ReturnType<typeof describeBody>) {
  const claim = { anyOf: [reference('ClaimCalls'), { type: 'null' }] }
  return { ...body, properties: { ...body.properties, claim } }
}

export const exampleCallId = callId.examples[0]
const exampleCall = {
  callId: exampleCallId,
  attempt: 1,
  isLastAttempt: false,
  leaseExpiresAt: '2026-11-20T09:10:00.000Z',
  dialBefore: '2026-11-20T09:10:00.000Z',
  timeZone: 'Europe/Berlin',
  lead: exampleLead,
}
const exampleResult = {
  callId: exampleCallId,
  result: 'recorded',
  leadId: leadId.examples[0],
  status: 'attempting',
  attempts: 1,
  nextCallAt: '2026-11-20T10:03:12.000Z',
}
const nothingToCall = { calls: [], reason: 'outside_hours', retryAfterSeconds: 3600 }

const claimCalls = keyedOperation({
  operationId: 'claimCalls',
  tags,
  summary: 'Claim leads to call',
  description: `The next leads of a campaign, at most ${limits.callsPerRequest}: appointments that have come first, then by priority, then who has been due longest. Each is leased to you, and counts as an attempt. With an \`Idempotency-Key\` a claim can be repeated after a lost answer, for 24 hours, and gives the calls that are still open; none while the campaign is paused. One that gave no calls has not used its key.`,
  right: 'agent',
  parameters: [idempotencyKey],
  body: {
    schema: reference('ClaimCalls'),
    examples: {
      calls: { summary: 'Up to ten leads', value: { campaignId: 'demo', limit: 10, agent: 'seat-7' } },
    },
  },
  answers: {
    200: answer(
      'The calls, or why there are none.',
      json(reference('ClaimedCalls'), { calls: [exampleCall], reason: null, retryAfterSeconds: null }),
      'Idempotent-Replayed',
    ),
  },
  invalid: {
    messages: claimMessages,
    patterns: [unknownMember()],
    example: 'limit must be an integer between 1 and 100',
  },
  refusals: ['campaign_denied', 'idempotency_key_reused'],
})

const reportCalls = keyedOperation({
  operationId: 'reportCalls',
  tags,
  summary: 'Report calls, and claim more',
  description: `What became of 1 to ${limits.callsPerRequest} calls, any key’s of the campaign or company. Safe to send again. Too late is never lost: it corrects an \`unknown\`, and a do-not-call is heard at any time. With \`claim\` it also claims, in the same transaction; the \`Idempotency-Key\` belongs to that claim. A claim that is refused (400, 403, 409) refuses all, and nothing is recorded; only with \`reason: "suppression_unavailable"\` the reports are recorded and the claim gives no calls. At most ${limits.reportBodyMaxBytes / 1024 / 1024} MiB.`,
  right: 'agent',
  parameters: [idempotencyKey],
  body: {
    schema: reference('ReportCalls'),
    examples: {
      report: {
        summary: 'A report',
        value: { calls: [{ callId: exampleCallId, outcome: 'no_answer', durationSeconds: 24 }] },
      },
      callback: {
        summary: 'An appointment, and the next claim',
        value: {
          calls: [
            {
              callId: exampleCallId,
              outcome: 'callback_requested',
              callbackAt: '2027-01-15T09:30:00+01:00',
              details: { summary: 'On holiday.' },
            },
          ],
          claim: { campaignId: 'demo', limit: 1 },
        },
      },
    },
  },
  answers: {
    200: answer(
      'What was recorded, and what was claimed.',
      json(reference('CallsReported'), { results: [exampleResult], claim: nothingToCall }),
      'Idempotent-Replayed',
    ),
  },
  invalid: {
    messages: reportMessages,
    items: { array: 'calls', item: 'call', messages: reportedCallMessages },
    patterns: [unknownMember('calls\\[\\d+\\]\\.', 'claim\\.')],
    example: 'calls[3].callbackAt is required',
  },
  refusals: ['campaign_denied', 'idempotency_key_reused'],
})

const extendCalls = keyedOperation({
  operationId: 'extendCalls',
  tags,
  summary: 'Extend leases',
  description: `For calls that go on: gives them more time, and says which should end. A lease is never made shorter, and one that has ended is lost.`,
  right: 'agent',
  parameters: [],
  body: {
    schema: reference('ExtendCalls'),
    examples: { call: { summary: 'One call', value: { callIds: [exampleCallId], leaseSeconds: 600 } } },
  },
  answers: {
    200: answer(
      'One for each id, in order.',
      json(answered({ calls: { type: 'array', items: reference('ExtendedCall') } }), {
        calls: [
          {
            callId: exampleCallId,
            leaseExpiresAt: '2026-11-20T09:20:00.000Z',
            dialBefore: '2026-11-20T09:20:00.000Z',
            stop: null,
          },
        ],
      }),
    ),
  },
  invalid: {
    messages: extendMessages,
    patterns: [
      unknownMember(),
      { pattern: '^callIds\\[\\d+\\] must be a string$', description: 'The first invalid id, by its place.' },
    ],
    example: 'callIds array is required',
  },
  refusals: [],
})

const releaseCalls = keyedOperation({
  operationId: 'releaseCalls',
  tags,
  summary: 'Release calls that nobody dialled',
  description: `Gives the attempt back. The lead may be handed out again after \`delaySeconds\`, at most ${settingRanges.releaseDelaySeconds.max.toLocaleString('en')}.`,
  right: 'agent',
  parameters: [],
  body: {
    schema: reference('ReleaseCalls'),
    examples: { call: { summary: 'One call', value: { calls: [{ callId: exampleCallId }] } } },
  },
  answers: {
    200: answer(
      'One for each call, in order.',
      json(answered({ results: { type: 'array', items: reference('CallResult') } }), {
        results: [{ ...exampleResult, status: 'raw', attempts: 0 }],
      }),
    ),
  },
  invalid: {
    messages: releaseMessages,
    items: { array: 'calls', item: 'call', messages: releasedCallMessages },
    patterns: [unknownMember('calls\\[\\d+\\]\\.')],
    example: 'calls array is required',
  },
  refusals: [],
})

const listOpenCalls = keyedOperation({
  operationId: 'listOpenCalls',
  tags,
  summary: 'List open calls',
  description:
    'For an agent that has restarted: the calls whose leases last and that were not reported, in the order in which the leases end.',
  right: 'agent',
  parameters: describeQuery(openCallsQuery, {
    ...words,
    agent: { ...words.agent, description: 'Only calls claimed under this name.' },
    limit: {
      type: 'integer',
      pattern: undefined,
      minimum: 1,
      maximum: limits.callsPerRequest,
      description: `At most so many. ${limits.callsPerRequest} when not set.`,
    },
    cursor: {
      description: 'Go on after a page: its `nextCursor`. Opaque.',
      examples: ['1a1fb4f1c2a00000100000001'],
    },
  }),
  answers: {
    200: answer(
      'The calls.',
      json(
        answered({
          calls: { type: 'array', items: reference('OpenCall') },
          nextCursor: {
            type: ['string', 'null'],
            description: 'The `cursor` of the next page, null on the last one.',
          },
        }),
        { calls: [{ ...exampleCall, agent: 'seat-7' }], nextCursor: null },
      ),
    ),
  },
  invalid: { messages: openCallsMessages, example: 'campaignId query parameter is required' },
  refusals: ['campaign_denied'],
})

/** What an agent may report, and what it cannot. */
export const pastOutcomes = [...reportedOutcomes, 'unknown', 'released']

export const calling: Area = {
  tag,
  paths: {
    '/api/v1/calls/claim': { post: claimCalls },
    '/api/v1/calls/report': { post: reportCalls },
    '/api/v1/calls/extend': { post: extendCalls },
    '/api/v1/calls/release': { post: releaseCalls },
    '/api/v1/calls': { get: listOpenCalls },
  },
  schemas,
}
