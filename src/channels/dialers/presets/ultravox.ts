// Ultravox: an agent calls by its Twilio account. Data, read from github.com/fixie-ai/ultradox eafa459. A busy line
// counts as not answered. Pure.
import { field, type Preset } from './preset.ts'

const api = 'https://api.ultravox.ai/api'

export const ultravox = {
  name: 'ultravox',
  title: 'Ultravox (by Twilio)',
  isProven: false,
  variables: [
    field('agentId', 'Agent', 'The id of the agent that talks.'),
    field('from', 'Phone number', 'The number of your Twilio account that calls, such as +14155550123.'),
  ],
  secrets: [field('apiKey', 'API key', 'From the console of Ultravox.')],
  template: {
    auth: { kind: 'header', name: 'X-API-Key', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: `${api}/agents/{{variables.agentId}}/calls`,
      body: {
        medium: { twilio: { outgoing: { to: '{{lead.phoneNumber}}', from: '{{variables.from}}' } } },
        templateContext: '{{lead.variables}}',
        firstSpeakerSettings: { user: {} },
        metadata: { leadId: '{{lead.leadId}}', callId: '{{call.callId}}' },
      },
    },
    started: { id: '/callId' },
    notDialled: [
      { status: [401, 402, 403, 404], because: 'account' },
      { status: [429, 503], because: 'busy' },
      { status: [400, 422], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: `${api}/calls/{{provider.id}}`,
      over: { at: '/ended', notNull: true },
      complete: [
        { at: '/summary', notNull: true },
        { at: '/endReason', in: ['unjoined', 'connection_error', 'system_error'] },
      ],
      reason: ['/endReason'],
      outcomes: {
        unjoined: 'no_answer',
        hangup: 'answered',
        agent_hangup: 'answered',
        timeout: 'answered',
        // Somebody may have picked up and heard nothing.
        connection_error: 'abandoned',
        system_error: 'abandoned',
      },
      seconds: { from: '/joined', to: '/ended' },
      details: { endedReason: '/endReason', summary: '/shortSummary', billed: '/billedDuration' },
    },
    // DELETE would erase the record of the call.
    hangUp: {
      method: 'POST',
      url: `${api}/calls/{{provider.id}}/send_data_message`,
      body: { type: 'hang_up' },
    },
    check: { method: 'GET', url: `${api}/accounts/me` },
  },
} as const satisfies Preset
