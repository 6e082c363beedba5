// The gate of a campaign in the API description. Examples of gates: ../../connect/calls/gate.md.

import { gateDefaults, suppressChoices, whenSilentChoices } from '../../../channels/dialers/gate/gate.ts'
import { gateBody, triedBody } from '../../../channels/dialers/gate/gate-input.ts'
import * as s from '../../openapi/json-schema.ts'
import { type Area, body, list, needs, ok } from '../../openapi/operation.ts'
import { prose } from '../../openapi/prose.ts'
import { exampleIds } from '../../samples/example-ids.ts'
import { orNulls, secretHints, secretTexts, texts } from '../describe-dialers.ts'

const tag = {
  name: 'Gate',
  description: prose`With a gate the service asks before anybody calls: a register of numbers, a CRM, whatever
    answers an HTTP request. A lead of the campaign is not leased without a fresh yes. It is
    asked about before it is leased, never in a claim, ten leads at once, each for five seconds,
    for as many as the next ten minutes need. Once it is removed, leads are called without it.`,
}

const checkMembers = {
  pointer: { type: 'string', pattern: '^(?:/|$)', description: 'A JSON Pointer into the answer.' },
  equals: { type: ['string', 'number', 'boolean'] },
  in: { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
  notNull: { type: 'boolean', enum: [true] },
  contains: { type: 'string' },
  above: { type: 'number' },
}
const ask = {
  type: 'object',
  additionalProperties: false,
  description: prose`The request, as in the template of a dialer. \`{{lead.…}}\` in its URL and body; secrets in
    headers alone, as \`{{secrets.<name>}}\`.`,
  properties: {
    method: s.codes({ POST: '', PUT: '', PATCH: '', DELETE: '', GET: '' }),
    url: { type: 'string' },
    encoding: { enum: ['json', 'form'] },
    headers: texts,
    body: {},
  },
  required: ['method', 'url'],
} as const

const checks = s.reference('GateChecks')
const conditionsOf = (description: string, isNullable: boolean) =>
  isNullable ? { oneOf: [checks, { type: 'null' }], description } : { ...checks, description }

const questionFields = {
  ask,
  no: conditionsOf('When nobody may call. Comes before the others.', true),
  later: conditionsOf('When nobody may call yet. Comes before `yes`.', true),
  yes: conditionsOf('When somebody may call.', false),
}
const fields: s.Properties = {
  ...questionFields,
  keepHours: { description: `For how many hours an answer holds. Default: ${gateDefaults.keepHours}.` },
  laterMinutes: {
    description: `After how many minutes a lead is due again. Default: ${gateDefaults.laterMinutes}.`,
  },
  whenSilent: {
    description: prose`Without an answer that can be read: \`hold\`: the lead is not called, and asked about again;
      \`call\`: it is called, unless the gate’s last word on its phone was a no. Default: \`hold\`.`,
  },
  suppress: {
    description: prose`Where a number is suppressed that the gate says no to: \`none\`, in the \`campaign\` or in the
      whole \`company\`, which only a key of the company can choose. Default: \`none\`.`,
  },
  secrets: {
    ...secretTexts,
    description: 'Stored encrypted, never returned. They belong to `ask`: another one drops them.',
  },
}

const counts = {
  checked: s.count('Answers of the gate.'),
  refused: s.count('Those that were a no.'),
  waiting: s.count('Leads without a fresh yes of it: nobody calls them before. Counted up to 1,000.'),
}
const stateCodes = {
  asking: 'it asks, when answers are needed',
  silent: 'it has no answer that can be read',
  refusing: 'it asks no more, since more than half of 50 answers within an hour were a no',
}

const listOfChecks = { type: 'array', minItems: 1, maxItems: 100, items: s.reference('GateCheck') } as const

const schemas = {
  GateCheck: {
    type: 'object',
    additionalProperties: false,
    description: 'Holds for what the pointer leads to. Exactly one of the others stands beside it.',
    properties: checkMembers,
    required: ['pointer'],
  },
  GateChecks: {
    description: 'One check, or several: any of them, or all.',
    anyOf: [s.reference('GateCheck'), s.reference('AnyOfGateChecks'), s.reference('AllOfGateChecks')],
  },
  AnyOfGateChecks: s.exactObject({ any: listOfChecks }),
  AllOfGateChecks: s.exactObject({ all: listOfChecks }),
  SetGate: {
    ...s.describeBody(gateBody, 'The whole gate. What is absent has its default.', fields),
    required: ['ask', 'yes'],
  },
  ChangeGate: {
    ...s.describeBody(gateBody, 'The members to change. `secrets` are merged; null removes one.', {
      ...fields,
      secrets: orNulls(secretTexts),
    }),
    required: [],
  },
  TryGate: s.describeBody(triedBody, 'Which number.', {
    phoneNumber: { description: 'E.164.', examples: ['+14155550123'] },
  }),
  Gate: s.exactObject({
    ...questionFields,
    keepHours: s.count('Hours.'),
    laterMinutes: s.count('Minutes.'),
    whenSilent: { enum: whenSilentChoices },
    suppress: { enum: suppressChoices },
    secrets: secretHints,
    version: s.count(
      'Rises with each change of `ask`, `no`, `later` and `yes`: answers before are not used.',
    ),
    state: s.exactObject({ status: s.codes(stateCodes), since: s.time('Since when.'), ...counts }),
  }),
  GateTried: s.exactObject({
    answer: s.oneOfOrNull(['yes', 'no', 'later'])`Null: none that can be read.`,
    pointer: s.textOrNull('From which pointer it was read.'),
    httpStatus: { type: ['integer', 'null'], description: 'Null: no answer.' },
    message: s.textOrNull('Why there is no answer, without secrets and digits.'),
  }),
}

const questions = {
  ask: {
    method: 'POST',
    url: 'https://api.example.com/check',
    headers: { Authorization: 'Bearer {{secrets.token}}' },
    body: { phone: '{{lead.phoneNumber}}', id: '{{lead.externalId}}' },
  },
  no: {
    any: [
      { pointer: '/national_dnc', equals: true },
      { pointer: '/litigator', equals: true },
    ],
  },
  later: { pointer: '/status', in: ['in_meeting'] },
  yes: { pointer: '/status', equals: 'clear' },
}
const exampleGate = {
  ...questions,
  ...gateDefaults,
  secrets: { token: { hint: '…1a2b' } },
  version: 1,
  state: { status: 'asking', since: '2026-11-20T09:00:00.000Z', checked: 1204, refused: 31, waiting: 12 },
}

const path = '/api/v1/campaigns/{campaignId}/gate'
const answer = (description: string) => ok(description, s.reference('Gate'), exampleGate)

const operations = {
  getGate: needs.manage(`GET ${path}`, {
    summary: 'Read the gate of a campaign',
    description: 'Returns what it asks, without secrets, and its state.',
    cli: { noun: 'gate', verb: 'show' },
    responses: answer('Success.'),
    failures: ['gate_not_found'],
  }),

  setGate: needs.manage(`PUT ${path}`, {
    summary: 'Set the gate of a campaign',
    description: prose`Replaces the gate, if there is one. From now on no lead of the campaign is leased without a fresh
      yes; calls that are live go on. A no ends the lead as \`exhausted\`, until it is requeued and asked about again.
      An answer counts for all spellings of a phone. When more than half of 50 answers within an hour are a no, the gate
      asks no more, and nothing ends, until somebody says go on.`,
    cli: { noun: 'gate', verb: 'add' },
    body: body('SetGate', gateBody, {
      register: ['A register of numbers', { ...questions, secrets: { token: 'sk-0123456789abcdef1a2b' } }],
    }),
    refusals: ['yes must be an object', 'secrets.token is required'],
    responses: answer('Set.'),
    failures: ['company_key_required'],
  }),

  changeGate: needs.manage(`PATCH ${path}`, {
    summary: 'Change the gate of a campaign',
    description: prose`Another \`ask\`, \`no\`, \`later\` or \`yes\` makes a version: every lead is asked about again,
      and a gate that had stopped asks again. So does \`hold\` after \`call\`: whom silence has let through has no yes.
      Another \`ask\` drops the secrets. Whatever a key of the campaign changes, it cannot be a gate that suppresses in
      the whole company.`,
    cli: { noun: 'gate', verb: 'set' },
    body: body('ChangeGate', gateBody, { suppress: ['Suppress in the campaign', { suppress: 'campaign' }] }),
    refusals: ['keepHours must be an integer between 1 and 8760'],
    responses: answer('Changed.'),
    failures: ['company_key_required', 'gate_not_found'],
  }),

  deleteGate: needs.manage(`DELETE ${path}`, {
    summary: 'Remove the gate of a campaign',
    description: 'Leads that wait for it return to the queue within minutes, a thousand a minute.',
    cli: { noun: 'gate', verb: 'remove' },
    responses: ok('Removed.', s.exactObject({ deleted: { const: true } }), { deleted: true }),
    failures: ['gate_not_found'],
  }),

  tryGate: needs.manage(`POST ${path}/try`, {
    summary: 'Ask a gate once',
    description: 'Asks about a number. Stores nothing and suppresses nobody.',
    cli: { noun: 'gate', verb: 'try' },
    body: body('TryGate', triedBody, { own: ['A number', { phoneNumber: '+14155550188' }] }),
    refusals: ['phoneNumber must be in E.164 format'],
    responses: ok('Success.', s.reference('GateTried'), {
      answer: 'no',
      pointer: '/litigator',
      httpStatus: 200,
      message: null,
    }),
    failures: ['gate_not_found'],
  }),

  letGateGoOn: needs.manage(`POST ${path}/go-on`, {
    summary: 'Let a gate go on',
    description: 'After more than half of 50 answers were a no: it asks again, and counts from now on.',
    cli: { noun: 'gate', verb: 'go-on' },
    responses: answer('It asks again.'),
    failures: ['gate_not_found'],
  }),

  readGateTrace: needs.manage(`GET ${path}/trace`, {
    summary: 'Read the last requests of a gate',
    description:
      'The last 200, newest first, for a day, or until their lead is erased. No number and no body.',
    cli: { noun: 'gate', verb: 'trace', columns: 'at httpStatus verdict message' },
    responses: list('Success.', 'exchanges', 'DialerExchange', [
      {
        at: '2026-11-20T09:00:00.000Z',
        step: 'ask',
        callId: null,
        leadId: exampleIds.lead,
        httpStatus: 200,
        milliseconds: 120,
        verdict: 'yes',
        message: null,
        request: null,
        answer: null,
      },
    ]),
    failures: ['gate_not_found'],
  }),
}

export const gates: Area = { tag, operations, schemas }
