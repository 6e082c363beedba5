// Telnyx: an AI assistant calls by a TeXML application. Data, read from telnyx 7.24.0, and in November 2026 from
// developers.telnyx.com (texml-answering-machine). Pure.
import { field, type Preset } from './preset.ts'

const texml = 'https://api.telnyx.com/v2/texml'
const calls = `${texml}/Accounts/{{variables.accountSid}}/Calls`

export const telnyx = {
  name: 'telnyx',
  title: 'Telnyx AI',
  isProven: false,
  variables: [
    field('accountSid', 'Account SID', 'The id of the account.'),
    field('connectionId', 'TeXML application', 'The id of the application that calls.'),
    field('assistantId', 'Assistant', 'The id of the AI assistant that talks.'),
    field('from', 'Phone number', 'The number that calls, such as +14155550123.'),
    field(
      'machineDetection',
      'Machine detection',
      'Enable or DetectMessageEnd. Without it, a voicemail counts as answered.',
      false,
    ),
  ],
  secrets: [field('apiKey', 'API key', 'From the portal of Telnyx.')],
  template: {
    auth: { kind: 'bearer', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: `${texml}/ai_calls/{{variables.connectionId}}`,
      body: {
        From: '{{variables.from}}',
        To: '{{lead.phoneNumber}}',
        AIAssistantId: '{{variables.assistantId}}',
        AIAssistantDynamicVariables: '{{lead.variableTexts}}',
        MachineDetection: '{{variables.machineDetection}}',
        AsyncAmd: true,
        StatusCallback: '{{call.endUrl}}',
        StatusCallbackMethod: 'POST',
      },
    },
    started: { id: '/call_sid' },
    notDialled: [
      { status: [403], when: { at: '/errors/0/detail', contains: 'channel limit' }, because: 'busy' },
      { status: [401, 402, 403, 404], because: 'account' },
      { status: [429], because: 'busy' },
      { status: [400, 422], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: `${calls}/{{provider.id}}`,
      over: { at: '/status', in: ['completed', 'busy', 'failed', 'no-answer', 'canceled'] },
      reason: ['/answered_by', '/status'],
      // After `human` and `not_sure` the status decides.
      outcomes: {
        'machine*': 'voicemail',
        fax: 'wrong_number',
        completed: 'answered',
        busy: 'busy',
        'no-answer': 'no_answer',
        failed: 'failed',
        canceled: 'failed',
      },
      seconds: { at: '/duration', unit: 's' },
      // "The currency is specified in the price_unit field": absent unless the account has the feature "call cost".
      cost: { at: '/price', currency: '/price_unit' },
      details: {
        status: '/status',
        answeredBy: '/answered_by',
        price: '/price',
        priceUnit: '/price_unit',
      },
    },
    hangUp: {
      method: 'POST',
      url: `${calls}/{{provider.id}}`,
      encoding: 'form',
      body: { Status: 'completed' },
    },
    check: { method: 'GET', url: `${calls}?PageSize=1` },
  },
} as const satisfies Preset
