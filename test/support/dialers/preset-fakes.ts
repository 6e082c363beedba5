// Stand-ins for voice providers with a preset that were never called for real, each written from the provider's
// documentation: where its requests go, with which credentials, what it answers, and each kind of end that it knows.
import { expect } from 'vitest'
import type { Texts } from '../../../src/channels/dialers/template/template.ts'
import type { ReportedOutcome } from '../../../src/queue/campaigns/outcomes.ts'

type Answered = readonly [status: number, body: unknown]
type Body = { readonly [member: string]: unknown }

/**
 * Of a call that is over: what it is said to be, and what it must be reported as. Null: returned, since nobody was
 * dialled.
 */
type End = readonly [kind: string, body: Body, outcome: ReportedOutcome | null, seconds: number | null]

export type Fake = {
  readonly host: string
  readonly variables: Texts
  readonly header: readonly [name: string, value: string]
  readonly start: string
  /** What the start must hold, with the number and the name of the lead. */
  readonly body: (phoneNumber: string, name: string) => Body
  readonly started: (id: string) => Answered
  readonly status: (id: string) => string
  readonly live: readonly Body[]
  readonly ends: readonly End[]
  readonly hangUp: ((id: string) => readonly [call: string, body: string | null]) | null
  readonly check: string
  /** Answers to a start, and what follows of them. */
  readonly refusals: readonly (readonly [
    status: number,
    body: Body,
    because: 'account' | 'busy' | 'lead' | 'may_have_rung',
  ])[]
}

export const key = 'key-0123456789'
const refusals = (account: readonly number[], busy: readonly number[], lead: readonly number[]) => [
  ...account.map((status) => [status, {}, 'account'] as const),
  ...busy.map((status) => [status, {}, 'busy'] as const),
  ...lead.map((status) => [status, {}, 'lead'] as const),
  [500, {}, 'may_have_rung'] as const,
]
const said = (outcome: unknown, more: Body = {}) => ({ outcome, ...more })

const collected = (values: Body) => ({
  analysis: {
    data_collection_results: Object.fromEntries(
      Object.entries(values).map(([id, value]) => [id, { data_collection_id: id, value }]),
    ),
    transcript_summary: 'short',
  },
})
const talk = { transcript: [{ role: 'agent' }, { role: 'user' }] }
const conversation = (status: string, result: string | null, more: Body = {}) => ({
  status,
  transcript: [],
  analysis: null,
  metadata: { call_duration_secs: 42, phone_call: { call_result: result } },
  ...more,
})
/** @elevenlabs/elevenlabs-js 2.73.0, conversational-ai conversations. November 2026. */
const elevenlabs: Fake = {
  host: 'api.elevenlabs.io',
  variables: { channel: 'sip-trunk', agentId: 'a1', phoneNumberId: 'n1' },
  header: ['xi-api-key', key],
  start: 'POST /v1/convai/sip-trunk/outbound-call',
  body: (to_number, name) => ({
    agent_id: 'a1',
    agent_phone_number_id: 'n1',
    to_number,
    conversation_initiation_client_data: { dynamic_variables: { name } },
  }),
  started: (id) => [200, { success: true, message: 'ok', conversation_id: id, sip_call_id: 's1' }],
  status: (id) => `/v1/convai/conversations/${id}`,
  live: [conversation('initiated', null), conversation('in-progress', null, talk)],
  ends: [
    ['answered', conversation('done', 'answered', talk), 'answered', 42],
    ['done', conversation('done', null, talk), 'answered', 42],
    ['voicemail', conversation('done', 'voicemail', talk), 'voicemail', 42],
    ['busy', conversation('failed', 'busy'), 'busy', 42],
    ['not answered', conversation('failed', 'no_answer'), 'no_answer', 42],
    ['failed', conversation('failed', 'failed'), 'failed', 42],
    ['failed after talk', conversation('failed', null, talk), 'answered', 42],
    [
      'a word',
      conversation('done', 'answered', { ...talk, ...collected({ outcome: 'Not interested' }) }),
      'not_interested',
      42,
    ],
    [
      'a no',
      conversation('done', 'answered', { ...talk, ...collected({ doNotCall: true }) }),
      'do_not_call',
      42,
    ],
    ['no call result, and not over in time', conversation('processing', null, talk), 'answered', 42],
  ],
  hangUp: null,
  check: '/v1/convai/agents?page_size=1',
  refusals: [
    ...refusals([401, 402, 403, 404], [429], [400, 422]),
    [200, { success: true, message: '', conversation_id: null }, 'may_have_rung'],
  ],
}

/**
 * docs.bland.ai api-v1/post/calls and api-v1/get/calls-id, which has `analysis_schema` and `analysis`. November 2026.
 */
const blandCall = (answered_by: string | null, status: string, more: Body = {}) => ({
  ...{ completed: true, answered_by, status, call_length: 0.7, transcripts: [], analysis: null },
  ...more,
})
const blandTalk = { transcripts: [{ user: 'assistant' }, { user: 'user' }] }
const bland: Fake = {
  host: 'api.bland.ai',
  variables: { from: '+14155550100', pathwayId: 'w1' },
  header: ['authorization', key],
  start: 'POST /v1/calls',
  body: (phone_number, name) => ({
    ...{ phone_number, from: '+14155550100', pathway_id: 'w1', request_data: { name } },
    analysis_schema: { outcome: expect.any(String), doNotCall: expect.any(String) },
  }),
  started: (id) => [200, { status: 'success', call_id: id }],
  status: (id) => `/v1/calls/${id}`,
  live: [{ completed: false, status: 'in-progress', answered_by: null, transcripts: [] }],
  ends: [
    ['a person', blandCall('human', 'completed', blandTalk), 'answered', 42],
    ['a machine', blandCall('voicemail', 'completed', blandTalk), 'voicemail', 42],
    ['not answered', blandCall('no-answer', 'completed'), 'no_answer', 42],
    ['busy', blandCall(null, 'busy'), 'busy', 42],
    ['failed', blandCall(null, 'failed'), 'failed', 42],
    [
      'a word',
      blandCall('human', 'completed', { ...blandTalk, analysis: said('wrong number') }),
      'wrong_number',
      42,
    ],
    [
      'a no',
      blandCall('human', 'completed', { ...blandTalk, analysis: { do_not_call: 'yes' } }),
      'do_not_call',
      42,
    ],
  ],
  hangUp: (id) => [`POST /v1/calls/${id}/stop`, null],
  check: '/v1/me',
  refusals: refusals([401, 402, 403], [429], [400, 404, 422]),
}

/**
 * bolna.ai/docs list-phone-call-status and using-extractions, and create-disposition of github.com/bolna-ai/skills
 * d2598e6. November 2026.
 */
const execution = (status: string, more: Body = {}) => ({
  ...{ status, answered_by_voice_mail: false, telephony_data: { duration: '42' }, extracted_data: null },
  ...more,
})
const bolnaTalk = { transcript: 'assistant: Hello\nuser: Hello' }
const disposed = (values: Readonly<Record<string, unknown>>) => ({
  extracted_data: {
    'Lead Quality': Object.fromEntries(
      Object.entries(values).map(([name, objective]) => [
        name,
        {
          ...{
            subjective: objective === 'null' ? '' : 'She said that we may call.',
            objective,
            confidence: 0.92,
            confidence_label: 'High',
          },
          ...{ reasoning_objective: 'do not call', validation: null },
        },
      ]),
    ),
    General: { note: { subjective: 'null', objective: null } },
  },
})
const bolna: Fake = {
  host: 'api.bolna.ai',
  variables: { agentId: 'a1', from: '+14155550100' },
  header: ['authorization', `Bearer ${key}`],
  start: 'POST /call',
  body: (recipient_phone_number, name) => ({
    ...{ agent_id: 'a1', recipient_phone_number, from_phone_number: '+14155550100', user_data: { name } },
    ...{ bypass_call_guardrails: true, retry_config: { enabled: false } },
  }),
  started: (id) => [200, { message: 'done', status: 'queued', execution_id: id }],
  status: (id) => `/executions/${id}`,
  live: ['scheduled', 'queued', 'rescheduled', 'initiated', 'ringing', 'in-progress'].map((status) => ({
    status,
  })),
  ends: [
    ['completed', execution('completed'), 'answered', 42],
    ['a machine', execution('completed', { answered_by_voice_mail: true }), 'voicemail', 42],
    ['not answered', execution('no-answer'), 'no_answer', 42],
    ['busy', execution('busy'), 'busy', 42],
    ['failed', execution('failed'), 'failed', 42],
    ['an error', execution('error'), 'failed', 42],
    ['canceled', execution('canceled'), 'failed', 42],
    ['stopped', execution('stopped'), 'failed', 42],
    ['no balance', execution('balance-low'), null, null],
    ['stopped after talk', execution('stopped', bolnaTalk), 'abandoned', 42],
    ['an error after talk', execution('error', bolnaTalk), 'abandoned', 42],
    ['failed after talk', execution('failed', bolnaTalk), 'answered', 42],
    [
      'a machine by its reason',
      execution('completed', { termination_reason: 'voicemail_detected' }),
      'voicemail',
      42,
    ],
    [
      'a word of today',
      execution('completed', { ...bolnaTalk, ...disposed({ outcome: 'busy' }) }),
      'busy',
      42,
    ],
    [
      'a no of today',
      execution('completed', { ...bolnaTalk, ...disposed({ doNotCall: 'Yes' }) }),
      'do_not_call',
      42,
    ],
    [
      'a no after an error',
      execution('error', { ...bolnaTalk, ...disposed({ outcome: 'do_not_call' }) }),
      'do_not_call',
      42,
    ],
    [
      'no no',
      execution('completed', { ...bolnaTalk, ...disposed({ doNotCall: 'No', outcome: 'null' }) }),
      'answered',
      42,
    ],
    ['a word', execution('completed', { extracted_data: said('not interested') }), 'not_interested', 42],
    ['a no', execution('completed', { extracted_data: { doNotCall: 'true' } }), 'do_not_call', 42],
    ['nothing more after the line was cut', execution('call-disconnected'), 'answered', 42],
  ],
  hangUp: null,
  check: '/user/me',
  refusals: refusals([401, 403, 404], [429], [400, 422]),
}

/** github.com/fixie-ai/ultradox eafa459. November 2026. */
const joined = '2026-01-05T12:00:00Z'
const ultraCall = (endReason: string, more: Body = {}) => ({
  ...{
    created: joined,
    joined,
    ended: '2026-01-05T12:00:42Z',
    endReason,
    summary: null,
    billedDuration: '42s',
  },
  ...more,
})
const ultravox: Fake = {
  host: 'api.ultravox.ai',
  variables: { agentId: 'a1', from: '+14155550100' },
  header: ['x-api-key', key],
  start: 'POST /api/agents/a1/calls',
  body: (to, name) => ({
    ...{ medium: { twilio: { outgoing: { to, from: '+14155550100' } } }, templateContext: { name } },
    ...{ firstSpeakerSettings: { user: {} } },
  }),
  started: (id) => [201, { callId: id }],
  status: (id) => `/api/calls/${id}`,
  live: [{ created: joined, joined: null, ended: null, endReason: null, summary: null }],
  ends: [
    ['nobody joined', ultraCall('unjoined', { joined: null }), 'no_answer', null],
    ['hung up', ultraCall('hangup', { summary: 'short' }), 'answered', 42],
    ['hung up by the agent', ultraCall('agent_hangup', { summary: 'short' }), 'answered', 42],
    ['too long', ultraCall('timeout', { summary: 'short' }), 'answered', 42],
    ['no connection', ultraCall('connection_error'), 'abandoned', 42],
    ['an error', ultraCall('system_error'), 'abandoned', 42],
    ['no summary in time', ultraCall('hangup'), 'answered', 42],
  ],
  hangUp: (id) => [`POST /api/calls/${id}/send_data_message`, '{"type":"hang_up"}'],
  check: '/api/accounts/me',
  refusals: refusals([401, 402, 403, 404], [429, 503], [400, 422]),
}

/**
 * telnyx 7.24.0, and developers.telnyx.com api-reference/callbacks/texml-call-amd for who has answered. November 2026.
 */
const texmlCall = (status: string, more: Body = {}) => ({ sid: 's1', status, duration: '42', ...more })
const telnyx: Fake = {
  host: 'api.telnyx.com',
  variables: {
    ...{ accountSid: 'AC1', connectionId: 'c1', assistantId: 'a1', from: '+14155550100' },
    machineDetection: 'Enable',
  },
  header: ['authorization', `Bearer ${key}`],
  start: 'POST /v2/texml/ai_calls/c1',
  body: (To, name) => ({
    ...{ From: '+14155550100', To, AIAssistantId: 'a1', AIAssistantDynamicVariables: { name } },
    ...{ MachineDetection: 'Enable', AsyncAmd: true },
  }),
  started: (id) => [200, { call_sid: id, status: 'queued' }],
  status: (id) => `/v2/texml/Accounts/AC1/Calls/${id}`,
  live: [texmlCall('ringing'), texmlCall('in-progress')],
  ends: [
    ['a person', texmlCall('completed', { answered_by: 'human' }), 'answered', 42],
    ['somebody', texmlCall('completed', { answered_by: 'not_sure' }), 'answered', 42],
    ['a machine', texmlCall('completed', { answered_by: 'machine' }), 'voicemail', 42],
    ['a machine that begins', texmlCall('completed', { answered_by: 'machine_start' }), 'voicemail', 42],
    ['a beep', texmlCall('completed', { answered_by: 'machine_end_beep' }), 'voicemail', 42],
    ['its silence', texmlCall('completed', { answered_by: 'machine_end_silence' }), 'voicemail', 42],
    ['its end', texmlCall('completed', { answered_by: 'machine_end_other' }), 'voicemail', 42],
    ['a fax', texmlCall('completed', { answered_by: 'fax' }), 'wrong_number', 42],
    ['who knows', texmlCall('completed', { answered_by: 'unknown' }), 'answered', 42],
    ['busy', texmlCall('busy'), 'busy', 42],
    ['not answered', texmlCall('no-answer'), 'no_answer', 42],
    ['failed', texmlCall('failed'), 'failed', 42],
    ['canceled', texmlCall('canceled'), 'failed', 42],
  ],
  hangUp: (id) => [`POST /v2/texml/Accounts/AC1/Calls/${id}`, 'Status=completed'],
  check: '/v2/texml/Accounts/AC1/Calls?PageSize=1',
  refusals: [
    ...refusals([401, 402, 403, 404], [429], [400, 422]),
    [403, { errors: [{ detail: 'Outbound channel limit exceeded' }] }, 'busy'],
  ],
}

export const fakes = { telnyx, elevenlabs, bland, bolna, ultravox }
export type FakeName = keyof typeof fakes

export type Asked = { readonly call: string; readonly body: string | null }

/** Plays the provider: `reply` null: an answer as to a start. `endsAtMs`: when calls end as `end` says. */
export function playProvider(
  fake: Fake,
  now: () => number,
  end: Body,
  lastsMs: number,
  reply: Answered | null = null,
) {
  const asked: Asked[] = []
  const wrong: string[] = []
  const startedAtMs = new Map<string, number>()
  const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
  async function send(url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
    const { host, pathname, search } = new URL(url)
    const [name, value] = fake.header
    if (host !== fake.host) wrong.push(`asked ${host}`)
    if (new Headers(headers).get(name) !== value) wrong.push(`${pathname} without its credentials`)
    const call = `${method} ${pathname}${search}`
    asked.push({ call, body: typeof body === 'string' ? body : null })
    if (call === fake.start) {
      if (reply !== null) return answer(...reply)
      const id = `id-${startedAtMs.size + 1}`
      startedAtMs.set(id, now())
      return answer(...fake.started(id))
    }
    if (call === `GET ${fake.check}`) return answer(200, {})
    for (const [id, atMs] of startedAtMs) {
      if (call === fake.hangUp?.(id)[0]) return answer(200, {})
      if (call !== `GET ${fake.status(id)}`) continue
      const step = Math.floor(((now() - atMs) / lastsMs) * fake.live.length)
      return answer(200, fake.live[step] ?? end)
    }
    return answer(404, { message: 'no such call' })
  }
  return { send, asked, wrong }
}
