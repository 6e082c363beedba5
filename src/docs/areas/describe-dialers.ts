// The dialer of a campaign in the API description. How to use one: ../connect/calls/dialer.md.
import { dialerBody, previewBody } from '../../dialers/dialer-input.ts'
import { dialerStatuses } from '../../dialers/dialer-status.ts'
import { pretend } from '../../dialers/presets/pretend.ts'
import { limits } from '../../limits.ts'
import { templateSchemas } from '../fields/template-fields.ts'
import {
  arrayOf,
  codes,
  count,
  describeBody,
  exactObject,
  flag,
  type Properties,
  reference,
  textOrNull,
  time,
} from '../openapi/json-schema.ts'
import { type Area, body, keyedOperation, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'

const tag = {
  name: 'Dialer',
  description: prose`With a dialer the service itself starts the calls of a campaign at a voice provider, follows and
    reports them: nobody needs a server. A dialer is data: the name of a preset, or a template of your own. It works as
    an agent named \`dialer\` with a key of its own, which has no end and is listed among the keys; revoking that key stops
    it, and hangs its live calls up where the provider can. The
    provider may send \`POST\` to \`endUrl\` when a call has changed: the answer is 202, no body is read, and the dialer
    asks sooner, for five calls at once, at most ${limits.dialerNudgesPerMinute} times a minute for one URL.`,
}

const texts = { type: 'object', additionalProperties: { type: 'string' } } as const
const secretTexts = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: `^[ -~]{1,${limits.dialerSecretMaxBytes}}$` },
} as const
const orNulls = (of: typeof texts | typeof secretTexts) => ({
  ...of,
  additionalProperties: { ...of.additionalProperties, type: ['string', 'null'] },
})

const templateOrNull = { oneOf: [reference('DialerTemplate'), { type: 'null' }] }

const fields: Properties = {
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
    description: prose`Stored encrypted, never returned. They belong to one preset or template, with which live calls keep
      them until they have ended. Newer ones of the same preset, template and variables serve live calls, too.`,
  },
  template: { ...templateOrNull, description: 'Of `custom`. The templates of the presets are examples.' },
}

const problemOrNull = { oneOf: [reference('DialerProblem'), { type: 'null' }] }
const presetField = exactObject({
  name: { type: 'string' },
  title: { type: 'string' },
  isRequired: { type: 'boolean' },
  help: { type: 'string' },
})

const schemas = {
  SetDialer: describeBody(dialerBody, fields, 'The whole dialer. What is absent has its default.'),
  ChangeDialer: {
    ...describeBody(
      dialerBody,
      { ...fields, variables: orNulls(texts), secrets: orNulls(secretTexts) },
      'The members to change. `variables` and `secrets` are merged; null removes one.',
    ),
    required: [],
  },
  PreviewDialer: describeBody(
    previewBody,
    { leadId: { description: 'A lead of the campaign.', examples: [exampleIds.lead] } },
    'Which lead.',
  ),
  DialerProblem: exactObject({
    at: time('When it happened.'),
    status: { type: ['integer', 'null'], description: 'Of the provider’s answer. Null: no answer.' },
    code: textOrNull('The provider’s, or `no_answer`, `not_sent`, `secrets_lost`.'),
    message: textOrNull('The provider’s, without secrets and digits.'),
  }),
  Dialer: exactObject({
    enabled: flag('Whether it starts calls.'),
    maxLive: { type: 'integer', minimum: 1, maximum: limits.dialerLiveMax },
    preset: { type: 'string' },
    template: { ...templateOrNull, description: 'Of `custom`. Null: the preset’s.' },
    variables: texts,
    secrets: {
      type: 'object',
      additionalProperties: exactObject({ hint: textOrNull('The last characters. Null: it is short.') }),
    },
    endUrl: textOrNull('Where the provider may say that a call has changed. Null: it would be too long.'),
    state: exactObject({
      status: codes(dialerStatuses),
      reason: textOrNull(
        prose`Of \`waiting\`: as in a claim; \`pace\` also while a campaign without a pace has had its 60 starts a
        minute. Of \`resting\`: \`busy\`, \`no_answer\` (starts without an answer) or \`failing\`
        (calls that fail). Of \`stopped\`: \`account\`, \`refusing\` or \`key_revoked\`.`,
      ),
      since: time('Since when it is so.'),
      live: count('Calls that are live.'),
      aside: count('Calls that were set aside after an error: they end as `unknown`.'),
      lastProblem: problemOrNull,
    }),
  }),
  DialerPreset: exactObject({
    name: { type: 'string' },
    title: { type: 'string' },
    isProven: flag(
      'Whether somebody has called with it for real. False: built from the documentation; tell us what you see.',
    ),
    variables: { type: 'array', items: presetField },
    secrets: { type: 'array', items: presetField },
    template: reference('DialerTemplate'),
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
const answer = (description: string): Readonly<Record<number, object>> =>
  ok(description, reference('Dialer'), exampleDialer)

const operations = {
  getDialer: keyedOperation(`GET ${path}`, {
    summary: 'Read the dialer of a campaign',
    description: 'Returns its settings and its state.',
    right: 'manage',
    cli: { noun: 'dialer', verb: 'show' },
    responses: answer('Success.'),
    failures: ['dialer_not_found'],
  }),

  setDialer: keyedOperation(`PUT ${path}`, {
    summary: 'Set the dialer of a campaign',
    description: prose`Replaces the dialer, if there is one. From now on it calls the leads of the campaign, within its
      hours, cap, pace and limits; a campaign without a pace gets 60 starts a minute. A start is sent once for a call:
      what gets no answer counts as an attempt.`,
    right: 'manage',
    cli: { noun: 'dialer', verb: 'add' },
    body: body('SetDialer', {
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
    responses: answer('Set.'),
  }),

  changeDialer: keyedOperation(`PATCH ${path}`, {
    summary: 'Change the dialer of a campaign',
    description: prose`Another preset or template drops the secrets, and needs its own in the same request. A change
      ends a rest and a stop. Calls that are live are followed and hung up by the settings with which they were started.`,
    right: 'manage',
    cli: { noun: 'dialer', verb: 'set' },
    body: body('ChangeDialer', { enable: ['Enable it', { enabled: true }] }),
    responses: answer('Changed.'),
    failures: ['dialer_not_found'],
  }),

  deleteDialer: keyedOperation(`DELETE ${path}`, {
    summary: 'Remove the dialer of a campaign',
    description: prose`It starts no more calls. Those that are live end, and are reported; until then the service keeps the
      settings that they need, with the secrets.`,
    right: 'manage',
    cli: { noun: 'dialer', verb: 'remove' },
    responses: ok('Removed.', exactObject({ deleted: { const: true } }), { deleted: true }),
    failures: ['dialer_not_found'],
  }),

  previewDialer: keyedOperation(`POST ${path}/preview`, {
    summary: 'Preview the start of a call',
    description: 'Returns the request as it would be sent for this lead, with secrets as `…`. Sends nothing.',
    right: 'manage',
    cli: { noun: 'dialer', verb: 'preview' },
    body: body('PreviewDialer', { lead: ['One lead', { leadId: exampleIds.lead }] }),
    responses: ok(
      'Success.',
      exactObject({
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

  checkDialer: keyedOperation(`POST ${path}/check`, {
    summary: 'Check the credentials of a dialer',
    description: 'Sends a request that needs nothing but valid credentials.',
    right: 'manage',
    cli: { noun: 'dialer', verb: 'check' },
    responses: ok(
      'Success.',
      exactObject({
        ok: { type: ['boolean', 'null'], description: 'Null: the template has no such request.' },
        problem: problemOrNull,
      }),
      { ok: true, problem: null },
    ),
    failures: ['dialer_not_found'],
  }),

  listDialerPresets: keyedOperation('GET /api/v1/dialer-presets', {
    summary: 'List presets of dialers',
    description: 'Returns the voice providers that the service knows, and what each needs.',
    right: 'look',
    cli: { noun: 'dialer', verb: 'presets', columns: ['name', 'title'] },
    responses: ok('Success.', exactObject({ presets: arrayOf('DialerPreset') }), {
      presets: [
        {
          name: 'pretend',
          title: 'Pretend calls',
          isProven: true,
          variables: [],
          secrets: [],
          template: pretend.template,
        },
      ],
    }),
  }),
}

export const dialers: Area = { tag, operations, schemas }
