// The dialer of a campaign in the API description. How to use one: ../connect/calls/dialer.md.

import { limits } from '../../base/limits.ts'
import { dialerBody, previewBody, testBody } from '../../channels/dialers/dialer-input.ts'
import { dialerStatuses } from '../../channels/dialers/dialer-status.ts'
import { pretend } from '../../channels/dialers/presets/pretend.ts'
import { testStates } from '../../channels/dialers/test-memory.ts'
import { traceSteps } from '../../channels/dialers/trace.ts'
import { reportedOutcomes } from '../../queue/campaigns/outcomes.ts'
import { templateSchemas } from '../fields/template-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, accepted, body, list, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'

const tag = {
  name: 'Dialer',
  description: prose`With a dialer the service itself starts the calls of a campaign at a voice provider, follows and
    reports them: nobody needs a server. A dialer is data: the name of a preset, or a template of your own. It works as
    an agent named \`dialer\` with a key of its own, which has no end and is listed among the keys; revoking
    that key stops it, and hangs its live calls up where the provider can. The provider may send \`POST\` to
    \`endUrl\` when a call has changed: the answer is 202, no body is read, and the dialer asks sooner, for
    five calls at once, at most ${limits.dialerNudgesPerMinute} times a minute for one URL.`,
}

const open = { type: 'object', additionalProperties: true } as const
export const texts = { type: 'object', additionalProperties: { type: 'string' } } as const
export const secretTexts = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: `^[ -~]{1,${limits.dialerSecretMaxBytes}}$` },
} as const
export const orNulls = (of: typeof texts | typeof secretTexts) => ({
  ...of,
  description: 'By name. Null removes one.',
  additionalProperties: { ...of.additionalProperties, type: ['string', 'null'] },
})

/** As answers show them. */
export const secretHints = {
  type: 'object',
  additionalProperties: s.exactObject({ hint: s.textOrNull('The last characters. Null: it is short.') }),
} as const

const templateOrNull = { oneOf: [s.reference('DialerTemplate'), { type: 'null' }] }

const fields: s.Properties = {
  enabled: {
    description: 'False: it starts no call. Calls that are live end, and are reported. Default: true.',
  },
  maxLive: { description: 'The maximum number of calls at once. Default: 5.' },
  preset: {
    description: 'A name of `GET /api/v1/dialer-presets`, or `custom` with a `template`.',
    examples: ['vapi'],
  },
  variables: {
    ...texts,
    description: 'What the template names as `{{variables.<name>}}`, and `maxCallSeconds` (default: 3600).',
  },
  secrets: {
    ...secretTexts,
    description: prose`Stored encrypted, never returned. They belong to one preset or template, with which live
      calls keep them until they have ended. Newer ones of the same preset, template and variables serve live
      calls, too.`,
  },
  template: { ...templateOrNull, description: 'Of `custom`. The templates of the presets are examples.' },
}

const problemOrNull = { oneOf: [s.reference('DialerProblem'), { type: 'null' }] }
const presetField = s.exactObject({
  name: { type: 'string' },
  title: { type: 'string' },
  isRequired: { type: 'boolean' },
  help: { type: 'string' },
})

const schemas = {
  SetDialer: s.describeBody(dialerBody, 'The whole dialer. What is absent has its default.', fields),
  ChangeDialer: {
    ...s.describeBody(
      dialerBody,
      'The members to change. `variables` and `secrets` are merged; null removes one.',
      { ...fields, variables: orNulls(texts), secrets: orNulls(secretTexts) },
    ),
    required: [],
  },
  PreviewDialer: s.describeBody(previewBody, 'Which lead.', {
    leadId: { description: 'A lead of the campaign.', examples: [exampleIds.lead] },
  }),
  DialerProblem: s.exactObject({
    at: s.time('When it happened.'),
    status: { type: ['integer', 'null'], description: 'Of the provider’s answer. Null: no answer.' },
    code: s.textOrNull('The provider’s, or `no_answer`, `not_sent`, `secrets_lost`.'),
    message: s.textOrNull('The provider’s, without secrets and digits.'),
  }),
  Dialer: s.exactObject({
    enabled: s.flag('Whether it starts calls.'),
    maxLive: { type: 'integer', minimum: 1, maximum: limits.dialerLiveMax },
    preset: { type: 'string' },
    template: { ...templateOrNull, description: 'Of `custom`. Null: the preset’s.' },
    variables: texts,
    secrets: secretHints,
    endUrl: s.textOrNull('Where the provider may say that a call has changed. Null: it would be too long.'),
    heard: s.exactObject({
      talked: s.count('How many of its last calls somebody has talked in: at most 100.'),
      understood: s.count(
        'In how many of these an outcome, or whether the person wants no more calls, was understood.',
      ),
    }),
    state: s.exactObject({
      status: s.codes(dialerStatuses),
      reason: s.textOrNull`Of \`waiting\`: as in a claim; \`pace\` also while a campaign without a pace has had its 60
        starts a minute. Of \`resting\`: \`busy\`, \`no_answer\` (starts without an answer) or \`failing\` (calls that
        fail). Of \`stopped\`: \`account\`, \`refusing\` or \`key_revoked\`.`,
      since: s.time('Since when it is so.'),
      live: s.count('Calls that are live.'),
      aside: s.count('Calls that were set aside after an error: they end as `unknown`.'),
      lastProblem: problemOrNull,
    }),
  }),
  TestDialer: s.describeBody(testBody, 'Which number rings.', {
    phoneNumber: { description: 'E.164. Your own, for example.', examples: ['+14155550123'] },
    metadata: { ...open, description: 'As of a lead.' },
  }),
  DialerTest: s.exactObject({
    state: s.codes(testStates),
    outcome: s.oneOfOrNull(reportedOutcomes)`Of \`ended\`: what would have been reported.`,
    reason: s.textOrNull`Of \`ended\`: the provider’s. Of \`refused\`: \`account\`, \`busy\`, \`lead\` or
      \`lead:invalid_number\`; by the service, right before the start: \`number_suppressed\`, \`number_in_call\` or
      \`service_unavailable\`.`,
    seconds: { type: ['integer', 'null'], description: 'How long it lasted.' },
    saidOutcome: s.textOrNull('What the assistant wrote for an outcome, where it is none.'),
    callbackAt: s.timeOrNull('When the person wants to be called again.'),
  }),
  DialerExchange: s.exactObject({
    at: s.time('When it was answered.'),
    step: s.codes(traceSteps),
    callId: s.textOrNull('The call, or the `testId`. Null: of none.'),
    leadId: s.textOrNull('The lead’s `_id`. Null: of none.'),
    httpStatus: { type: ['integer', 'null'], description: 'Of the provider’s answer. Null: no answer.' },
    milliseconds: s.count('How long the answer took.'),
    verdict: s.text`Of \`start\` and \`test\`: \`started\`, \`not_dialled:<because>\` or \`may_have_rung\`. Of
      \`status\`: \`ringing\`, \`live\`, \`unreadable\`, or once it is over the outcome. Of \`hangUp\` and \`check\`:
      \`taken\` or \`refused\`. Of \`ask\`: \`yes\`, \`no\`, \`later\` or \`silent\`.`,
    message: s.textOrNull('The provider’s, without secrets and digits. Null: the answer was a success.'),
    request: s.textOrNull`Of a test call: method, URL and body, without secrets, and \`#\` for each digit. Null: of
      another step.`,
    answer: s.textOrNull('Of a test call, in the same way. Null: of another step, or no answer.'),
  }),
  DialerPreset: s.exactObject({
    name: { type: 'string' },
    title: { type: 'string' },
    isProven: s.flag`Whether somebody has called with it for real. False: built from the documentation; tell us what
      you see.`,
    hearsNo: s.flag`Whether the provider can tell what was said. False: a person’s no is never heard, unless
      your own system suppresses the number.`,
    variables: { type: 'array', items: presetField },
    secrets: { type: 'array', items: presetField },
    template: s.reference('DialerTemplate'),
  }),
  ...templateSchemas,
}

const exampleDialer = {
  enabled: true,
  maxLive: 5,
  preset: 'vapi',
  template: null,
  variables: { assistantId: 'a1', phoneNumberId: 'p1' },
  secrets: { apiKey: { hint: '…1a2b' } },
  endUrl: 'https://leads.example.com/dialer-events/acme~1~~3a8g2jYGBzMNIVEqDUsKRw',
  heard: { talked: 100, understood: 97 },
  state: {
    status: 'running',
    reason: null,
    since: '2026-11-20T09:00:00.000Z',
    live: 2,
    aside: 0,
    lastProblem: null,
  },
}
const path = '/api/v1/campaigns/{campaignId}/dialer'
const answer = (description: string) => ok(description, s.reference('Dialer'), exampleDialer)

const operations = {
  getDialer: needs.manage(`GET ${path}`, {
    summary: 'Read the dialer of a campaign',
    description: 'Returns its settings and its state.',
    cli: { noun: 'dialer', verb: 'show' },
    responses: answer('Success.'),
    failures: ['dialer_not_found'],
  }),

  setDialer: needs.manage(`PUT ${path}`, {
    summary: 'Set the dialer of a campaign',
    description: prose`Replaces the dialer, if there is one. From now on it calls the leads of the campaign, within its
      hours, cap, pace and limits; a campaign without a pace gets 60 starts a minute. A start is sent once for a call:
      what gets no answer counts as an attempt.`,
    cli: { noun: 'dialer', verb: 'add' },
    body: body('SetDialer', dialerBody, {
      vapi: [
        'An assistant of Vapi, off until its credentials are checked',
        {
          enabled: false,
          preset: 'vapi',
          variables: { assistantId: 'a1', phoneNumberId: 'p1' },
          secrets: { apiKey: 'sk-0123456789abcdef1a2b' },
        },
      ],
      pretend: ['Calls that are pretended', { preset: 'pretend', variables: { speed: '10' } }],
    }),
    refusals: ['variables.assistantId is required', 'secrets.apiKey is required'],
    responses: answer('Set.'),
  }),

  changeDialer: needs.manage(`PATCH ${path}`, {
    summary: 'Change the dialer of a campaign',
    description: prose`Another preset or template drops the secrets, and needs its own in the same request. A change
      ends a rest and a stop. Calls that are live are followed and hung up by the settings with which they were
      started.`,
    cli: { noun: 'dialer', verb: 'set' },
    body: body('ChangeDialer', dialerBody, { enable: ['Enable it', { enabled: true }] }),
    refusals: [
      'maxLive must be an integer between 1 and 100',
      'enabled must be true or false',
      'variables must be an object',
    ],
    responses: answer('Changed.'),
    failures: ['dialer_not_found'],
  }),

  deleteDialer: needs.manage(`DELETE ${path}`, {
    summary: 'Remove the dialer of a campaign',
    description: prose`It starts no more calls. Those that are live end, and are reported; until then the
      service keeps the settings that they need, with the secrets.`,
    cli: { noun: 'dialer', verb: 'remove' },
    responses: ok('Removed.', s.exactObject({ deleted: { const: true } }), { deleted: true }),
    failures: ['dialer_not_found'],
  }),

  previewDialer: needs.manage(`POST ${path}/preview`, {
    summary: 'Preview the start of a call',
    description: 'Returns the request as it would be sent for this lead, with secrets as `…`. Sends nothing.',
    cli: { noun: 'dialer', verb: 'preview' },
    body: body('PreviewDialer', previewBody, { lead: ['One lead', { leadId: exampleIds.lead }] }),
    responses: ok(
      'Success.',
      s.exactObject({
        method: { type: 'string' },
        url: { type: 'string' },
        headers: texts,
        body: { description: 'As members, of a form too.' },
      }),
      {
        method: 'POST',
        url: 'https://api.vapi.ai/call',
        headers: { 'content-type': 'application/json', authorization: 'Bearer …' },
        body: { assistantId: 'a1', phoneNumberId: 'p1', customer: { number: '+14155550123' } },
      },
    ),
    failures: ['dialer_not_found', 'lead_not_found'],
  }),

  checkDialer: needs.manage(`POST ${path}/check`, {
    summary: 'Check the credentials of a dialer',
    description: 'Sends a request that needs nothing but valid credentials.',
    cli: { noun: 'dialer', verb: 'check' },
    responses: ok(
      'Success.',
      s.exactObject({
        ok: { type: ['boolean', 'null'], description: 'Null: the template has no such request.' },
        problem: problemOrNull,
      }),
      { ok: true, problem: null },
    ),
    failures: ['dialer_not_found'],
  }),

  readDialerTrace: needs.manage(`GET ${path}/trace`, {
    summary: 'Read the last requests of a dialer',
    description: prose`Returns the last 200 requests to the provider that say something, newest first: each
      start, hang-up, check and test, and a status when what it says has changed. They are kept for a day, or
      until their lead is erased.`,
    cli: { noun: 'dialer', verb: 'trace', columns: 'at step httpStatus verdict message' },
    responses: list('Success.', 'exchanges', 'DialerExchange', [
      {
        at: '2026-11-20T09:00:00.000Z',
        step: 'start',
        callId: exampleIds.call,
        leadId: exampleIds.lead,
        httpStatus: 201,
        milliseconds: 240,
        verdict: 'started',
        message: null,
        request: null,
        answer: null,
      },
    ]),
    failures: ['dialer_not_found'],
  }),

  testDialer: needs.manage(`POST ${path}/test`, {
    summary: 'Make a test call',
    description: prose`Starts one real call to this number by the dialer’s settings, also while the dialer is
      off: your own phone rings. It is no lead’s, no attempt, and in no statistics; its number is kept until it
      has ended. Until then no lead with that number is called (\`number_live\`), and it is hung up when the number is
      suppressed. At most ${limits.testCallsPerHourPerCampaign} an hour for a campaign,
      ${limits.testCallsPerHourPerCompany} for a company, and one at a time.`,
    cli: { noun: 'dialer', verb: 'test' },
    body: body('TestDialer', testBody, { own: ['Your own phone', { phoneNumber: '+14155550188' }] }),
    refusals: ['phoneNumber must be in E.164 format'],
    responses: accepted('It rings soon.', s.exactObject({ testId: s.text('What to read its state by.') }), {
      testId: exampleIds.test,
    }),
    failures: ['dialer_not_found', 'test_number_suppressed', 'number_in_call', 'test_running'],
  }),

  readDialerTest: needs.manage(`GET ${path}/test/{testId}`, {
    summary: 'Read a test call',
    description: 'Returns how it stands, and for an hour after its end what would have been reported.',
    cli: { noun: 'dialer', verb: 'tested' },
    responses: ok('Success.', s.reference('DialerTest'), {
      state: 'ended',
      outcome: 'answered',
      reason: 'customer-ended-call',
      seconds: 42,
      saidOutcome: null,
      callbackAt: null,
    }),
    failures: ['dialer_not_found'],
  }),

  listDialerPresets: needs.look('GET /api/v1/dialer-presets', {
    summary: 'List presets of dialers',
    description: 'Returns the voice providers that the service knows, and what each needs.',
    cli: { noun: 'dialer', verb: 'presets', columns: 'name title' },
    responses: list('Success.', 'presets', 'DialerPreset', [
      {
        name: 'pretend',
        title: 'Pretend calls',
        isProven: true,
        hearsNo: true,
        variables: [],
        secrets: [],
        template: pretend.template,
      },
    ]),
  }),
}

export const dialers: Area = { tag, operations, schemas }
