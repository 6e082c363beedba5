// Retell: the agent of a number calls from it. Data, read from retell-sdk 5.66.1 and docs.retellai.com. Pure.
import type { TemplateOutcome } from '../template/template.ts'
import { field, type Preset } from './preset.ts'

const outcomes: Readonly<Record<string, TemplateOutcome>> = {
  user_hangup: 'answered',
  agent_hangup: 'answered',
  call_transfer: 'answered',
  transfer_bridged: 'answered',
  transfer_cancelled: 'answered',
  call_take_over: 'answered',
  max_duration_reached: 'answered',

  dial_no_answer: 'no_answer',
  user_declined: 'no_answer',
  dial_busy: 'busy',
  // Only with voicemail_option on the agent.
  voicemail_reached: 'voicemail',
  ivr_reached: 'voicemail',

  // Also of a trunk that wants another format of numbers, so not at once an invalid number.
  invalid_destination: 'not_dialled:lead:invalid_number',
  no_valid_payment: 'not_dialled:account',
  telephony_provider_permission_denied: 'not_dialled:account',
  scam_detected: 'not_dialled:account',
  concurrency_limit_reached: 'not_dialled:busy',
  no_concurrency_fallback: 'not_dialled:busy',
  telephony_provider_unavailable: 'not_dialled:busy',

  dial_failed: 'failed',
  sip_routing_error: 'failed',
  marked_as_spam: 'failed',
  error_user_not_joined: 'failed',
  registered_call_timeout: 'failed',
  manual_stopped: 'failed',

  // Somebody may have picked up and heard nothing, or has said nothing.
  inactivity: 'abandoned',
  error_llm_websocket_open: 'abandoned',
  error_llm_websocket_lost_connection: 'abandoned',
  error_llm_websocket_runtime: 'abandoned',
  error_llm_websocket_corrupt_payload: 'abandoned',
  error_no_audio_received: 'abandoned',
  error_asr: 'abandoned',
  error_retell: 'abandoned',
  error_unknown: 'abandoned',
}

export const retell = {
  name: 'retell',
  title: 'Retell',
  isProven: false,
  variables: [
    field('fromNumber', 'Phone number', 'The number that calls, such as +14155550123.'),
    field(
      'agentId',
      'Agent',
      'The id of the agent that talks. Without it, the outbound agent of the number.',
      false,
    ),
  ],
  secrets: [field('apiKey', 'API key', 'From the dashboard of Retell.')],
  template: {
    auth: { kind: 'bearer', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: 'https://api.retellai.com/v2/create-phone-call',
      body: {
        from_number: '{{variables.fromNumber}}',
        to_number: '{{lead.phoneNumber}}',
        override_agent_id: '{{variables.agentId}}',
        retell_llm_dynamic_variables: '{{lead.variableTexts}}',
        metadata: { leadId: '{{lead.leadId}}', callId: '{{call.callId}}' },
      },
    },
    started: { id: '/call_id' },
    notDialled: [
      { status: [401, 402], because: 'account' },
      { status: [429], because: 'busy' },
      { status: [400, 422], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: 'https://api.retellai.com/v2/get-call/{{provider.id}}',
      over: { at: '/call_status', in: ['ended', 'not_connected', 'error'] },
      complete: [
        { at: '/call_analysis', notNull: true },
        { at: '/call_status', in: ['not_connected'] },
      ],
      reason: ['/disconnection_reason'],
      // Absent with the storage setting basic_attributes_only.
      talked: { at: '/transcript_object', some: { at: '/role', in: ['user'] } },
      voicemail: { at: '/call_analysis/in_voicemail', equals: true },
      outcomes,
      outcome: ['/call_analysis/custom_analysis_data/outcome'],
      doNotCall: [
        '/call_analysis/custom_analysis_data/doNotCall',
        '/call_analysis/custom_analysis_data/do_not_call',
      ],
      callbackAt: ['/call_analysis/custom_analysis_data/callbackAt'],
      seconds: { at: '/duration_ms', unit: 'ms' },
      // "Combined cost of all individual costs in cents": CallCost in the same package.
      cost: { at: '/call_cost/combined_cost', unit: 'cents', currency: 'USD' },
      details: {
        endedReason: '/disconnection_reason',
        summary: '/call_analysis/call_summary',
        inVoicemail: '/call_analysis/in_voicemail',
        recordingUrl: '/recording_url',
        costCents: '/call_cost/combined_cost',
        transcript: '/transcript',
      },
    },
    hangUp: { method: 'POST', url: 'https://api.retellai.com/v2/stop-call/{{provider.id}}' },
    check: { method: 'GET', url: 'https://api.retellai.com/get-concurrency' },
  },
} as const satisfies Preset
