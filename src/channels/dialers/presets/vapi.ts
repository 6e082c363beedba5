// Vapi: an assistant calls from one of its numbers. Data, read from @vapi-ai/server-sdk 2.0.1 and docs.vapi.ai. Pure.
import type { TemplateOutcome } from '../template/template.ts'
import { field, type Preset } from './preset.ts'

const fault = 'call.in-progress.error-'
const sip = `${fault}providerfault-outbound-sip-`
const output = '/artifact/structuredOutputs/{{variables.outcomeOutputId}}/result'

/** Each key a reason, or the beginning of some. */
const outcomes: Readonly<Record<string, TemplateOutcome>> = {
  'customer-ended-call*': 'answered',
  'assistant-ended-call*': 'answered',
  'assistant-said-end-call-phrase': 'answered',
  'assistant-forwarded-call': 'answered',
  'exceeded-max-duration': 'answered',
  'call.in-progress.twilio-completed-call': 'answered',
  'call.in-progress.sip-completed-call': 'answered',
  'vonage-completed': 'answered',
  'call.forwarding.*': 'answered',
  'call.ending.*': 'answered',
  [`${fault}transfer-failed`]: 'answered',
  [`${fault}warm-transfer-*`]: 'answered',

  'customer-did-not-answer': 'no_answer',
  [`${sip}408-*`]: 'no_answer',
  [`${sip}480-*`]: 'no_answer',
  'customer-busy': 'busy',
  [`${sip}403-*`]: 'busy',
  // Only if the assistant detects it.
  voicemail: 'voicemail',

  'call.start.*': 'not_dialled:account',
  'call-start-error-*': 'not_dialled:account',
  'assistant-not-*': 'not_dialled:account',
  'assistant-request-*': 'not_dialled:account',
  'phone-call-provider-bypass-*': 'not_dialled:account',
  [`${sip}407-*`]: 'not_dialled:account',
  'call.start.error-subscription-concurrency-limit-reached': 'not_dialled:busy',
  'call.start.error-vapifault-*': 'not_dialled:busy',
  'call.start.error-vapi-number-international': 'not_dialled:lead',
  'call.start.error-get-customer': 'not_dialled:lead',
  'call.start.error-get-transport': 'not_dialled:lead',
  'call.start.error-fraud-check-failed': 'not_dialled:lead',
  'scheduled-call-deleted': 'not_dialled:lead',
  'twilio-reported-customer-misdialed': 'not_dialled:lead:invalid_number',

  [`${sip}503-*`]: 'failed',
  [`${fault}sip-*`]: 'failed',
  [`${fault}vapifault-transport-*`]: 'failed',
  [`${fault}vapifault-worker-not-available`]: 'failed',
  [`${fault}providerfault-transport-*`]: 'failed',
  'call.ringing.*': 'failed',
  'twilio-failed-to-connect-call': 'failed',
  'vonage-*': 'failed',
  'assistant-join-timed-out': 'failed',
  'manually-canceled': 'failed',
  'call-deleted': 'failed',
  'customer-did-not-give-microphone-permission': 'failed',

  // A model, a voice or a transcriber broke. Somebody may have picked up and heard nothing: a silent call, which must
  // not be repeated soon. Neither must one in which nobody has said a word.
  'silence-timed-out': 'abandoned',
  'phone-call-provider-closed-websocket': 'abandoned',
  'worker-shutdown': 'abandoned',
  [`${fault}vapifault-transport-connected-but-call-not-active`]: 'abandoned',
  'pipeline-*': 'abandoned',
  [`${fault}*`]: 'abandoned',
  [`${fault}configfault-*`]: 'abandoned',
}

export const vapi = {
  name: 'vapi',
  title: 'Vapi',
  isProven: false,
  variables: [
    field('assistantId', 'Assistant', 'The id of the assistant that talks.'),
    field(
      'phoneNumberId',
      'Phone number',
      'The id of the number that calls, in Vapi. An imported one: free ones have a daily limit.',
    ),
    field(
      'outcomeOutputId',
      'Structured output of the outcome',
      'The id of a structured output with outcome, callbackAt and doNotCall, if the assistant has one.',
      false,
    ),
  ],
  secrets: [field('apiKey', 'Private API key', 'Of the organization, from the dashboard of Vapi.')],
  template: {
    auth: { kind: 'bearer', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: 'https://api.vapi.ai/call',
      body: {
        assistantId: '{{variables.assistantId}}',
        phoneNumberId: '{{variables.phoneNumberId}}',
        customer: { number: '{{lead.phoneNumber}}' },
        assistantOverrides: { variableValues: '{{lead.variables}}' },
      },
    },
    // A call above the limit of concurrent ones has an id, too: its ended reason says what became of it.
    started: { id: '/id', unless: null },
    notDialled: [
      { status: [401, 402, 403], because: 'account' },
      { status: [429], because: 'busy' },
      { status: [400], when: { at: '/message', contains: 'oncurrency' }, because: 'busy' },
      { status: [400], when: { at: '/message', contains: 'should not exist' }, because: 'account' },
      { status: [400, 404, 422], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: 'https://api.vapi.ai/call/{{provider.id}}',
      over: { at: '/status', in: ['ended'] },
      // A call with fewer than two messages is not analysed. The structured output is another job
      // (template/read-said.ts).
      complete: [
        { at: '/analysis', notNull: true },
        { at: '/endedReason', in: ['customer-did-not-answer', 'customer-busy', 'voicemail'] },
      ],
      reason: ['/endedReason'],
      talked: { at: '/artifact/messages', some: { at: '/role', in: ['user'] } },
      outcomes,
      outcome: [`${output}/outcome`, '/analysis/structuredData/outcome'],
      doNotCall: [
        `${output}/doNotCall`,
        `${output}/do_not_call`,
        '/analysis/structuredData/doNotCall',
        '/analysis/structuredData/do_not_call',
      ],
      callbackAt: [`${output}/callbackAt`, '/analysis/structuredData/callbackAt'],
      seconds: { from: '/startedAt', to: '/endedAt' },
      // "The cost of the call in USD": Call in the same package.
      cost: { at: '/cost', currency: 'USD' },
      details: {
        endedReason: '/endedReason',
        summary: '/analysis/summary',
        recordingUrl: '/artifact/recordingUrl',
        cost: '/cost',
        transcript: '/artifact/transcript',
      },
    },
    hangUp: { method: 'POST', urlAt: '/monitor/controlUrl', within: 'vapi.ai', body: { type: 'end-call' } },
    check: { method: 'GET', url: 'https://api.vapi.ai/assistant?limit=1' },
  },
} as const satisfies Preset
