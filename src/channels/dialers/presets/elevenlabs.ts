// ElevenLabs: an agent calls by Twilio, a SIP trunk or Exotel. Data, read from @elevenlabs/elevenlabs-js 2.73.0. A call
// cannot be hung up. Pure.
import type { Texts } from '../template/template.ts'
import { field, type Preset } from './preset.ts'

const api = 'https://api.elevenlabs.io/v1/convai'
const channels: readonly string[] = ['twilio', 'sip-trunk', 'exotel']
const collected = '/analysis/data_collection_results'
const result = '/metadata/phone_call/call_result'

export const elevenlabs = {
  name: 'elevenlabs',
  title: 'ElevenLabs',
  isProven: false,
  variables: [
    field('channel', 'Channel', 'How the number was imported: twilio, sip-trunk or exotel.'),
    field('agentId', 'Agent', 'The id of the agent that talks.'),
    field('phoneNumberId', 'Phone number', 'The id of the number that calls.'),
  ],
  findProblem: ({ channel = '' }: Texts) =>
    channels.includes(channel) ? null : `variables.channel must be one of ${channels.join(', ')}`,
  secrets: [field('apiKey', 'API key', 'From the settings of ElevenLabs.')],
  template: {
    auth: { kind: 'header', name: 'xi-api-key', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: `${api}/{{variables.channel}}/outbound-call`,
      body: {
        agent_id: '{{variables.agentId}}',
        agent_phone_number_id: '{{variables.phoneNumberId}}',
        to_number: '{{lead.phoneNumber}}',
        conversation_initiation_client_data: {
          user_id: '{{lead.leadId}}',
          dynamic_variables: '{{lead.variables}}',
        },
      },
    },
    // It may be null, also when the phone rings.
    started: { id: '/conversation_id' },
    notDialled: [
      { status: [401, 402, 403, 404], because: 'account' },
      { status: [429], because: 'busy' },
      { status: [400, 422], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: `${api}/conversations/{{provider.id}}`,
      over: { at: '/status', in: ['processing', 'done', 'failed'] },
      // Whatever its result: what was said comes with the status.
      complete: { at: '/status', in: ['done', 'failed'] },
      reason: [result, '/status'],
      talked: { at: '/transcript', some: { at: '/role', in: ['user'] } },
      voicemail: { at: result, equals: 'voicemail' },
      // Some channels never tell that a call was not answered.
      ringing: { while: { at: '/status', equals: 'initiated' }, seconds: 180 },
      outcomes: {
        answered: 'answered',
        voicemail: 'voicemail',
        busy: 'busy',
        no_answer: 'no_answer',
        failed: 'failed',
        done: 'answered',
        processing: 'answered',
      },
      outcome: `${collected}/outcome/value`,
      doNotCall: [`${collected}/doNotCall/value`, `${collected}/do_not_call/value`],
      callbackAt: `${collected}/callbackAt/value`,
      seconds: { at: '/metadata/call_duration_secs', unit: 's' },
      // "Total fiat cost of the conversation in USD": the metadata in the same package. `cost` counts credits.
      cost: { at: '/metadata/cost_fiat', currency: 'USD' },
      details: {
        endedReason: '/metadata/termination_reason',
        summary: '/analysis/transcript_summary',
        costUsd: '/metadata/cost_fiat',
        error: '/metadata/error/reason',
      },
    },
    check: { method: 'GET', url: `${api}/agents?page_size=1` },
  },
} as const satisfies Preset
