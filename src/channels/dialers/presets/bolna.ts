// Bolna: an agent calls. Data, read from bolna.ai/docs (using-extractions, list-phone-call-status, get_execution) and
// github.com/bolna-ai/skills d2598e6, looked up in November 2026. It stops calls that wait in its queue only, which is
// no hang-up. Pure.
import { field, type Preset } from './preset.ts'

const api = 'https://api.bolna.ai'
/**
 * In a category each, as an object with what was said. Agents of before September 2026 have them without a category.
 */
const extracted = (...names: readonly string[]) =>
  names.flatMap((name) => [`/extracted_data/*/${name}`, `/extracted_data/${name}`])
const voicemails = [
  'voicemail',
  'Voicemail',
  'VOICEMAIL',
  'voice_mail',
  'voice mail',
  'Voice mail',
  'Voice Mail',
]
const ended = ['completed', 'no-answer', 'busy', 'failed', 'canceled', 'stopped', 'error', 'balance-low']

export const bolna = {
  name: 'bolna',
  title: 'Bolna',
  isProven: false,
  variables: [
    field('agentId', 'Agent', 'The id of the agent that talks.'),
    field('from', 'Phone number', 'The number that calls, such as +14155550123.', false),
  ],
  secrets: [field('apiKey', 'API key', 'From the dashboard of Bolna.')],
  template: {
    auth: { kind: 'bearer', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: `${api}/call`,
      body: {
        agent_id: '{{variables.agentId}}',
        recipient_phone_number: '{{lead.phoneNumber}}',
        from_phone_number: '{{variables.from}}',
        user_data: '{{lead.variables}}',
        // Without these, Bolna puts a call off, or dials again by itself.
        bypass_call_guardrails: true,
        retry_config: { enabled: false },
      },
    },
    started: { id: '/execution_id' },
    notDialled: [
      { status: [401, 403, 404], because: 'account' },
      { status: [429], because: 'busy' },
      { status: [400, 422], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: `${api}/executions/{{provider.id}}`,
      over: { at: '/status', in: ['call-disconnected', ...ended] },
      // What was said comes up to three minutes after the call.
      complete: { at: '/status', in: ended },
      reason: ['/status'],
      talked: {
        all: [
          { at: '/transcript', notNull: true },
          { at: '/telephony_data/duration', above: 0 },
        ],
      },
      voicemail: [
        { at: '/answered_by_voice_mail', equals: true },
        ...voicemails.map((contains) => ({ at: '/termination_reason', contains })),
      ],
      outcomes: {
        'call-disconnected': 'answered',
        completed: 'answered',
        'no-answer': 'no_answer',
        busy: 'busy',
        failed: 'failed',
        error: 'failed',
        canceled: 'failed',
        stopped: 'failed',
        'balance-low': 'not_dialled:account',
      },
      // The line was cut in the middle: a call to repeat, but not soon.
      afterTalk: { stopped: 'abandoned', error: 'abandoned' },
      outcome: extracted('outcome'),
      doNotCall: extracted('doNotCall', 'do_not_call'),
      callbackAt: extracted('callbackAt'),
      seconds: { at: '/telephony_data/duration', unit: 's' },
      // In cents (api-reference/executions/get_execution) of a dollar (cli/commands/calls-view shows "$0.38").
      cost: { at: '/total_cost', unit: 'cents', currency: 'USD' },
      details: {
        endedReason: '/termination_reason',
        hangUp: '/telephony_data/hangup_reason',
        recordingUrl: '/telephony_data/recording_url',
        summary: '/summary',
        transcript: '/transcript',
        cost: '/total_cost',
        error: '/error_message',
      },
    },
    check: { method: 'GET', url: `${api}/user/me` },
  },
} as const satisfies Preset
