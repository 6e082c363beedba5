// Bland: a pathway, a persona or a task calls. Data, read from docs.bland.ai (api-v1/post/calls, api-v1/get/calls-id)
// in November 2026 and bland-cli 0.6.1; names of ends from memory. Pure.
import { field, type Preset } from './preset.ts'

const calls = 'https://api.bland.ai/v1/calls'
/** Without it nothing of a call is analysed. Takes the place of a persona's own. */
const analysis = {
  outcome:
    'string: answered, not_interested, callback_requested, do_not_call, wrong_number or ' +
    'voicemail: what the person wanted',
  doNotCall: 'boolean: true if the person wants no more calls',
  callbackAt:
    'string: if the person wants to be called again, when, as YYYY-MM-DDTHH:MM by the local time of the person',
}

export const bland = {
  name: 'bland',
  title: 'Bland',
  isProven: false,
  variables: [
    field('from', 'Phone number', 'The number that calls, such as +14155550123.', false),
    field('pathwayId', 'Pathway', 'The id of the pathway that talks; or a persona, or a task.', false),
    field('personaId', 'Persona', 'The id of the persona that talks.', false),
    field('task', 'Task', 'What the assistant is to say and do, in words.', false),
  ],
  secrets: [field('apiKey', 'API key', 'From the dashboard of Bland.')],
  template: {
    auth: { kind: 'header', name: 'authorization', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: calls,
      body: {
        phone_number: '{{lead.phoneNumber}}',
        from: '{{variables.from}}',
        pathway_id: '{{variables.pathwayId}}',
        persona_id: '{{variables.personaId}}',
        task: '{{variables.task}}',
        request_data: '{{lead.variables}}',
        analysis_schema: analysis,
        metadata: { leadId: '{{lead.leadId}}', callId: '{{call.callId}}' },
      },
    },
    started: { id: '/call_id' },
    notDialled: [
      { status: [401, 402, 403], because: 'account' },
      { status: [429], because: 'busy' },
      { status: [400, 404, 422], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: `${calls}/{{provider.id}}`,
      over: { at: '/completed', equals: true },
      // The analysis comes after the end.
      complete: [
        { at: '/analysis', notNull: true },
        { at: '/answered_by', in: ['voicemail', 'no-answer'] },
        { at: '/status', in: ['no-answer', 'busy', 'failed', 'canceled'] },
      ],
      reason: ['/answered_by', '/status'],
      talked: { at: '/transcripts', some: { at: '/user', in: ['user'] } },
      voicemail: { at: '/answered_by', equals: 'voicemail' },
      outcomes: {
        human: 'answered',
        voicemail: 'voicemail',
        'no-answer': 'no_answer',
        busy: 'busy',
        completed: 'answered',
        failed: 'failed',
        canceled: 'failed',
      },
      outcome: '/analysis/outcome',
      doNotCall: ['/analysis/doNotCall', '/analysis/do_not_call'],
      callbackAt: '/analysis/callbackAt',
      seconds: { at: '/call_length', unit: 'min' },
      // No unit is named: in the example of api-v1/get/calls-id 0.75 minutes are 0.068, and by platform/billing a
      // minute was $0.09.
      cost: { at: '/price', currency: 'USD' },
      details: {
        summary: '/summary',
        recordingUrl: '/recording_url',
        price: '/price',
        error: '/error_message',
        transcript: '/concatenated_transcript',
      },
    },
    hangUp: { method: 'POST', url: `${calls}/{{provider.id}}/stop` },
    check: { method: 'GET', url: 'https://api.bland.ai/v1/me' },
  },
} as const satisfies Preset
