// The fields of calls in requests.

import { limits } from '../../base/limits.ts'
import { timestampPattern } from '../../base/timestamp.ts'
import { callIdPattern } from '../../queue/calling/call.ts'
import { defaultOutcomes, type OutcomeClass, reportedOutcomes } from '../../queue/campaigns/outcomes.ts'
import * as s from '../openapi/json-schema.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { fields as leadFields } from './lead-fields.ts'

export const callId = {
  type: 'string',
  pattern: `^${callIdPattern}$`,
  description: 'The id of the call: lease, attempt and idempotency key in one.',
  examples: [exampleIds.call],
}

const outcomesOf = (outcomeClass: OutcomeClass) =>
  reportedOutcomes
    .filter((outcome) => defaultOutcomes[outcome].class === outcomeClass)
    .map((outcome) => `\`${outcome}\``)
    .join(', ')

/** What zod cannot express about each field, and its description. */
export const fields: s.Properties = {
  campaignId: { ...leadFields.campaignId, description: 'The campaign whose leads are called.' },
  limit: { description: 'The maximum number of calls. Default: 1.' },
  leaseSeconds: {
    description: 'How long each call may take, including dialling. Default: the campaign’s setting.',
  },
  waitSeconds: {
    description: prose`How long the request may be held when there is nothing to claim. Default: 0, answered at
      once. The answer comes as soon as a lead may be callable, with \`reason: "ready"\`; claim again then, with
      a new \`Idempotency-Key\`. Not allowed in a report’s claim. Give such a request a timeout of 40 s.`,
  },
  agent: {
    maxLength: limits.agentMaxChars,
    description: 'A display name, such as that of a seat or a process. No NUL, no unpaired surrogates.',
    examples: ['seat-7'],
  },
  from: {
    maxLength: limits.callerIdMaxChars,
    description: prose`The caller’s number, as the provider has it. Empty, null or not in E.164: nobody is found.`,
    examples: ['+14155552671'],
  },
  to: {
    maxLength: limits.callerIdMaxChars,
    description: 'The number that was called. For your own logs: nothing depends on it.',
  },
  take: { description: 'True: opens a call. Default: false, it is only looked up.' },
  countsAsAttempt: {
    description: 'Whether the call is an attempt of the lead. Default: false. With `take` only.',
  },
  calls: { items: s.reference('ReportedCall'), description: 'The calls that have ended.' },
  callIds: { items: { type: 'string', minLength: 1 }, description: 'The ids of the calls to extend.' },
  dialledAt: {
    pattern: timestampPattern.source,
    description: prose`When these calls were dialled: ISO 8601 with a UTC offset. Send it right before dialling,
      so that after a crash \`dialledAt\` in the list of open calls shows which calls were dialled. The first
      time is kept, never before the claim or in the future.`,
    examples: ['2026-11-20T09:03:12Z'],
  },
  callId: { ...callId, pattern: undefined },
  outcome: {
    description: prose`By default ${outcomesOf('done')} conclude the lead; ${outcomesOf('dead')} exhaust it;
      ${outcomesOf('retry')} schedule a retry; ${outcomesOf('appointment')} schedules an appointment.
      \`do_not_call\` also suppresses the number in the whole company. A campaign can change these rules.`,
  },
  callbackAt: {
    pattern: timestampPattern.source,
    description: prose`When to call back: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. Required with
      \`callback_requested\`. More than an hour before the report’s arrival it is accepted and counts as none: the next
      attempt follows after the minutes of \`no_answer\`.`,
    examples: ['2027-01-15T09:30:00+01:00'],
  },
  doNotCall: { description: 'Suppresses the number in the whole company. Allowed with every outcome.' },
  durationSeconds: { description: 'The duration of the call.' },
  providerCallId: {
    maxLength: limits.externalIdMaxChars,
    description: 'The id of the call at the telephone provider. No NUL, no unpaired surrogates.',
  },
  details: {
    type: 'object',
    additionalProperties: true,
    description: prose`Your own data about the call. At most ${limits.detailsMaxBytes.toLocaleString('en')} bytes of
      JSON. The lead’s call history returns it exactly as sent. The calls of a campaign show \`summary\`,
      \`recordingUrl\` and \`transcriptUrl\` (https), and \`costAmount\` (a number or decimal text, in whole units) with
      \`costCurrency\` (three letters), which statistics add up.`,
    examples: [{ summary: 'Asked for an offer.', costAmount: '0.12', costCurrency: 'USD' }],
  },
  delaySeconds: { description: 'How long the lead waits before it can be claimed again. Default: 60.' },
}
