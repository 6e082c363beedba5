// Suppressions in the API description: phone numbers that must not be called.

import { limits } from '../../limits.ts'
import {
  readRemove,
  readSuppress,
  removeBody,
  suppressBody,
  suppressionsQuery,
} from '../../suppression/input.ts'
import { givenTwice, messagesOf, queryMessages, unknownMember } from '../openapi/failures.ts'
import {
  answered,
  count,
  describeBody,
  describeQuery,
  type Properties,
  reference,
} from '../openapi/json-schema.ts'
import { type Area, answer, json, keyedOperation } from '../openapi/operation.ts'
import { callId, time } from './describe-calling.ts'
import { words as leadWords } from './describe-leads.ts'

const tag = {
  name: 'Suppressions',
  description:
    'Phone numbers that must not be called, in the whole company or in one campaign. Once a suppression is acknowledged, no claim hands the number out.',
}
const tags = [tag.name]

const phoneNumber = leadWords.phoneNumber

const words: Properties = {
  phoneNumbers: {
    items: {
      type: 'string',
      pattern: `^\\+[1-9]\\d{${limits.phoneNumberMinDigits - 1},${limits.phoneNumberMaxDigits - 1}}$`,
    },
    description: 'E.164. One that is repeated is one.',
    examples: [['+14155550199']],
  },
  campaignId: {
    ...leadWords.campaignId,
    description: 'The campaign. Without it: all campaigns of the company, present and future.',
  },
  reason: {
    maxLength: limits.reasonMaxChars,
    description: 'For people. No NUL, no unpaired surrogates.',
    examples: ['asked by mail'],
  },
}

const schemas = {
  SuppressNumbers: describeBody(suppressBody, words, 'Numbers that must not be called.'),
  LiftSuppressions: describeBody(removeBody, words, 'Numbers that may be called again.'),
  Suppression: answered({
    phoneNumber: { type: 'string', description: 'E.164.', examples: phoneNumber?.examples },
    campaignId: { type: ['string', 'null'], description: 'Null: in all campaigns of the company.' },
    reason: { type: ['string', 'null'] },
    createdAt: time('Since when.'),
  }),
}

const longer = (maxChars: number) => 'x'.repeat(maxChars + 1)
const number = '+14155550199'
const tooMany = Array.from({ length: limits.phoneNumbersPerSuppression + 1 }, () => number)
const wrongNumbers = [
  [],
  {},
  { phoneNumbers: [] },
  { phoneNumbers: tooMany },
  { phoneNumbers: [number], campaignId: '' },
  { phoneNumbers: [number], campaignId: longer(limits.campaignIdMaxChars) },
]
const tooManyTimesCampaigns = `phoneNumbers times campaigns of the company must be at most ${limits.numbersTimesCampaigns}`
const suppressMessages = [
  ...messagesOf(
    [
      ...wrongNumbers,
      { phoneNumbers: [number], reason: longer(limits.reasonMaxChars) },
      { phoneNumbers: [number], reason: '\0' },
    ],
    (body) => readSuppress(JSON.stringify(body)),
  ),
  tooManyTimesCampaigns,
]
const liftMessages = [
  ...messagesOf(wrongNumbers, (body) => readRemove(JSON.stringify(body))),
  tooManyTimesCampaigns,
]
const invalidNumber = {
  pattern: '^phoneNumbers\\[\\d+\\] must be in E\\.164 format$',
  description: 'The first invalid number, by its place.',
}
const listMessages = queryMessages(suppressionsQuery, [
  { campaignId: '' },
  { campaignId: longer(limits.campaignIdMaxChars) },
  { limit: '0' },
  { cursor: 'next' },
  ...givenTwice(suppressionsQuery),
])

const suppressNumbers = keyedOperation({
  operationId: 'suppressNumbers',
  tags,
  summary: 'Suppress phone numbers',
  description: `1 to ${limits.phoneNumbersPerSuppression.toLocaleString('en')} numbers, known or not. Leads that have them leave the queue, and those that come in later are stored and not queued. Calls that go on are told by extending their leases; \`liveCalls\` names them. Safe to send again. Numbers times campaigns of the company: at most ${limits.numbersTimesCampaigns.toLocaleString('en')}.`,
  right: 'write',
  parameters: [],
  body: {
    schema: reference('SuppressNumbers'),
    examples: {
      company: {
        summary: 'In the whole company',
        value: { phoneNumbers: ['+14155550199'], reason: 'asked by mail' },
      },
      campaign: {
        summary: 'In one campaign',
        value: { phoneNumbers: ['+14155550198'], campaignId: 'demo' },
      },
    },
  },
  answers: {
    200: answer(
      'Suppressed.',
      json(
        answered({
          added: count('Numbers that were not suppressed before.'),
          existing: count('Numbers that were.'),
          removedFromQueue: count('Leads that left the queue.'),
          liveCalls: { type: 'array', items: callId, description: 'Calls that go on at this moment.' },
        }),
        { added: 1, existing: 0, removedFromQueue: 1, liveCalls: [] },
      ),
    ),
  },
  invalid: {
    messages: suppressMessages,
    patterns: [unknownMember(), invalidNumber],
    example: 'phoneNumbers[3] must be in E.164 format',
  },
  refusals: ['campaign_denied'],
})

const liftSuppressions = keyedOperation({
  operationId: 'liftSuppressions',
  tags,
  summary: 'Lift suppressions',
  description:
    'Of exactly the company, or exactly the campaign. With `campaignId` also what retention has kept of the campaign’s numbers (`retentionSuppresses`), which is in no list; without it that stays. What was suppressed after the request came stays too. Leads that were never called are queued again; a lead that is final stays so until it is requeued.',
  right: 'manage',
  parameters: [],
  body: {
    schema: reference('LiftSuppressions'),
    examples: { company: { summary: 'Of the whole company', value: { phoneNumbers: ['+14155550199'] } } },
  },
  answers: {
    200: answer('Lifted.', json(answered({ lifted: count('Numbers that were suppressed.') }), { lifted: 1 })),
  },
  invalid: {
    messages: liftMessages,
    patterns: [unknownMember(), invalidNumber],
    example: 'phoneNumbers[3] must be in E.164 format',
  },
  refusals: ['campaign_denied'],
})

const listSuppressions = keyedOperation({
  operationId: 'listSuppressions',
  tags,
  summary: 'List suppressions',
  description: 'In the order of the numbers, page by page.',
  right: 'read',
  parameters: describeQuery(suppressionsQuery, {
    campaignId: {
      ...leadWords.campaignId,
      description: 'Only those of this campaign. Without it: of the company and of all its campaigns.',
    },
    limit: {
      type: 'integer',
      pattern: undefined,
      minimum: 1,
      maximum: limits.phoneNumbersPerSuppression,
      description: `At most so many. ${limits.phoneNumbersPerSuppression.toLocaleString('en')} when not set.`,
    },
    cursor: {
      description: 'Go on after a page: its `nextCursor`. Opaque.',
      examples: ['14155550199-0'],
    },
  }),
  answers: {
    200: answer(
      'The numbers.',
      json(
        answered({
          suppressions: { type: 'array', items: reference('Suppression') },
          nextCursor: {
            type: ['string', 'null'],
            description: 'The `cursor` of the next page, null on the last one.',
          },
        }),
        {
          suppressions: [
            {
              phoneNumber: '+14155550199',
              campaignId: null,
              reason: 'asked by mail',
              createdAt: '2026-11-20T09:00:00.000Z',
            },
          ],
          nextCursor: null,
        },
      ),
    ),
  },
  invalid: { messages: listMessages, example: 'cursor is not valid' },
  refusals: ['campaign_denied'],
})

export const suppressions: Area = {
  tag,
  paths: {
    '/api/v1/suppressions': { post: suppressNumbers, get: listSuppressions, delete: liftSuppressions },
  },
  schemas,
}
