// The presets against the providers' own packages: their clients send the same requests, their types have the members that
// are read, and every reason that they list has an outcome.
import { type Vapi, VapiClient } from '@vapi-ai/server-sdk'
import Retell from 'retell-sdk'
import twilioClient from 'twilio'
import { describe, expect, it } from 'vitest'
import type { Preset } from '../../../src/dialers/presets/preset.ts'
import { presets, usesOfPreset } from '../../../src/dialers/presets/presets.ts'
import { endPretended, findSpeedProblem, pretend } from '../../../src/dialers/presets/pretend.ts'
import { retell } from '../../../src/dialers/presets/retell.ts'
import { twilio } from '../../../src/dialers/presets/twilio.ts'
import { vapi } from '../../../src/dialers/presets/vapi.ts'
import { leadValues } from '../../../src/dialers/template/placeholders.ts'
import { judgeStart } from '../../../src/dialers/template/read-start.ts'
import { type CallEnd, readStatus } from '../../../src/dialers/template/read-status.ts'
import { renderHangUp, renderRequest } from '../../../src/dialers/template/render.ts'
import type { Template, TemplateRequest, Texts } from '../../../src/dialers/template/template.ts'
import { readTemplate } from '../../../src/dialers/template/template-input.ts'
import { findGivenProblem } from '../../../src/dialers/template/template-uses.ts'
import { serverOf } from '../../../src/webhooks/webhook-url.ts'
import { endReasons } from '../../support/dialers/end-reasons.ts'

const metadata = { name: 'Ada', age: 36 }
const lead = { leadId: 'L1', phoneNumber: '+14155550123', externalId: null, attempt: 1, metadata }
const endUrl = 'https://leads.example.com/dialer-events/token'

/** What a customer enters, required fields and others. */
const given: Readonly<Record<string, { variables: Texts; secrets: Texts }>> = {
  vapi: { variables: { assistantId: 'a1', phoneNumberId: 'n1' }, secrets: { apiKey: 'sk-1' } },
  retell: { variables: { fromNumber: '+14155550100', agentId: 'g1' }, secrets: { apiKey: 'sk-1' } },
  twilio: {
    variables: {
      accountSid: 'AC1',
      user: 'SK1',
      from: '+14155550100',
      twimlUrl: 'https://voice.example.com/twiml',
      timeout: '30',
      machineDetection: 'Enable',
    },
    secrets: { password: 'p1' },
  },
  pretend: { variables: { speed: '10' }, secrets: {} },
}
const valuesOf = (preset: Preset) => ({
  lead: leadValues(lead),
  call: { callId: 'C1', endUrl },
  provider: { id: 'p1' },
  variables: given[preset.name]?.variables ?? {},
})

type Asked = Parameters<twilioClient.RequestClient['request']>[0]

type Sent = {
  readonly method: string
  readonly url: string
  readonly authorization: string | null
  readonly body: unknown
}

function sentBy(preset: Preset, request: TemplateRequest | undefined): Sent {
  if (request === undefined) throw new Error('the preset has no such request')
  const auth = preset.template?.auth ?? null
  const rendering = renderRequest(request, auth, valuesOf(preset), given[preset.name]?.secrets ?? {})
  if (!rendering.isRendered) throw new Error(rendering.problem)
  const { method, url, headers, body, members } = rendering.request
  return { method, url, authorization: headers.authorization ?? null, body: body === null ? null : members }
}

/** A fetch that keeps what it is asked, and answers with an empty object. */
function recorder() {
  const sent: Sent[] = []
  const record = async (input: RequestInfo | URL, init?: RequestInit) => {
    const { method, url, headers, body } = new Request(input, init as never)
    const text = body === null ? '' : await new Response(body).text()
    const authorization = headers.get('authorization')
    sent.push({ method, url, authorization, body: text === '' ? null : JSON.parse(text) })
    return Response.json({})
  }
  return { sent, fetch: record as typeof fetch }
}

describe('A preset', () => {
  it.each(presets)('is a valid template: $name', ({ template }) => {
    if (template === null) return
    const reading = readTemplate(
      JSON.parse(JSON.stringify({ ...template, status: { ...template.status, outcomes: {} } })),
      serverOf('https://leads.example.com/'),
    )
    expect(reading).toMatchObject({ isValid: true })
  })

  it.each(presets)('names every variable and secret that its template takes: $name', (preset) => {
    const values = given[preset.name] ?? { variables: {}, secrets: {} }
    expect(findGivenProblem(usesOfPreset(preset), values)).toBeNull()
    const named = preset.variables.map(({ name }) => name)
    expect([...usesOfPreset(preset).variables].sort()).toEqual([...named].sort())
    for (const { name, isRequired } of preset.variables) {
      const { [name]: _, ...variables } = values.variables
      const problem = isRequired ? `variables.${name} is required` : null
      expect(findGivenProblem(usesOfPreset(preset), { ...values, variables })).toBe(problem)
    }
  })

  it('has a name of its own', () => {
    expect(presets.map(({ name }) => name)).toEqual(['vapi', 'retell', 'twilio', 'pretend'])
  })
})

describe("The requests of a preset are those of the provider's package", () => {
  it('Vapi', async () => {
    const { sent, fetch } = recorder()
    const client = new VapiClient({ token: 'sk-1', fetch })
    await client.calls.create({
      assistantId: 'a1',
      phoneNumberId: 'n1',
      customer: { number: lead.phoneNumber },
      assistantOverrides: { variableValues: metadata },
    })
    await client.calls.get({ id: 'p1' })
    await client.assistants.list({ limit: 1 })
    const { start, status, check } = vapi.template
    expect([start, status, check].map((request) => sentBy(vapi, request))).toEqual(sent)
  })

  it('Retell', async () => {
    const { sent, fetch } = recorder()
    const client = new Retell({ apiKey: 'sk-1', fetch })
    await client.call.createPhoneCall({
      from_number: '+14155550100',
      to_number: lead.phoneNumber,
      override_agent_id: 'g1',
      retell_llm_dynamic_variables: { name: 'Ada', age: '36' },
      metadata: { leadId: 'L1', callId: 'C1' },
    })
    await client.call.retrieve('p1')
    await client.call.stop('p1')
    await client.concurrency.retrieve()
    const { start, status, hangUp, check } = retell.template
    expect([start, status, hangUp, check].map((request) => sentBy(retell, request))).toEqual(sent)
  })

  it('Twilio', async () => {
    const sent: Sent[] = []
    const record = async (asked: Asked) => {
      const authorization = `Basic ${Buffer.from(`${asked.username}:${asked.password}`).toString('base64')}`
      const url = `${asked.uri}${asked.params ? `?${new URLSearchParams(asked.params as never)}` : ''}`
      sent.push({ method: asked.method.toUpperCase(), url, authorization, body: asked.data ?? null })
      return {
        statusCode: asked.method === 'post' && !url.includes('p1') ? 201 : 200,
        body: { calls: [] },
        headers: {},
      }
    }
    const httpClient = { request: record } as unknown as twilioClient.RequestClient
    const client = twilioClient('SK1', 'p1', { accountSid: 'AC1', httpClient })
    await client.calls.create({
      to: lead.phoneNumber,
      from: '+14155550100',
      url: 'https://voice.example.com/twiml?leadId=L1&callId=C1',
      timeout: 30,
      machineDetection: 'Enable',
      statusCallback: endUrl,
    })
    await client.calls('p1').fetch()
    await client.calls('p1').update({ status: 'completed' })
    await client.calls.page({ pageSize: 1 })
    const asForm = (one: Sent) => ({
      ...one,
      body:
        one.body &&
        Object.fromEntries(Object.entries(one.body).map(([name, value]) => [name, String(value)])),
    })
    const { start, status, hangUp, check } = twilio.template
    const ours = [start, status, hangUp, check].map((request) => sentBy(twilio, request))
    expect(ours.map(asForm)).toEqual(sent.map(asForm))
  })
})

const endOf = ({ template }: { readonly template: Template }, body: object): CallEnd => {
  const read = readStatus(template.status, { status: 200, body }, {})
  if (read === null || read === 'unreadable') throw new Error('it is not over')
  return read.end
}

const vapiEnd = (endedReason: Vapi.CallEndedReason, artifact: Vapi.Artifact = {}) =>
  endOf(vapi, { status: 'ended', endedReason, artifact } satisfies Partial<Vapi.Call>)

type RetellCall = Partial<Retell.PhoneCallResponse>
const retellEnd = (call: RetellCall) => endOf(retell, { call_status: 'ended', ...call })

const { vapi: ofVapi, retell: ofRetell, twilio: ofTwilio } = endReasons

describe('Every reason that a package lists has an outcome', () => {
  it('Vapi', () => {
    const reasons = ofVapi.reasons
    expect(reasons.length).toBeGreaterThan(500)
    expect(
      reasons.filter((reason) => vapiEnd(reason as Vapi.CallEndedReason).unmappedReason !== null),
    ).toEqual([])
  })

  it('Retell', () => {
    expect(ofRetell.reasons.length).toBeGreaterThan(30)
    expect([...ofRetell.reasons].sort()).toEqual(Object.keys(retell.template.status.outcomes).sort())
  })

  it('Twilio', () => {
    expect(ofTwilio.reasons).toHaveLength(8)
    const over = ofTwilio.reasons.filter(
      (status) => readStatus(twilio.template.status, { status: 200, body: { status } }, {}) !== null,
    )
    expect(over).toEqual(['completed', 'busy', 'failed', 'no-answer', 'canceled'])
    expect(over.filter((status) => endOf(twilio, { status }).unmappedReason !== null)).toEqual([])
  })

  it('No key of Vapi is without a reason, so that a misspelt one is seen', () => {
    const { reasons } = ofVapi
    const unused = Object.keys(vapi.template.status.outcomes).filter((key) =>
      key.endsWith('*')
        ? !reasons.some((reason) => reason.startsWith(key.slice(0, -1)))
        : !reasons.includes(key),
    )
    expect(unused).toEqual([])
  })
})

it.each<[reason: Vapi.CallEndedReason, outcome: string, notDialled: string | null]>([
  ['assistant-ended-call-after-message-spoken', 'answered', null],
  ['call.in-progress.twilio-completed-call', 'answered', null],
  ['customer-did-not-answer', 'no_answer', null],
  ['customer-busy', 'busy', null],
  ['voicemail', 'voicemail', null],
  ['call.start.error-subscription-concurrency-limit-reached', 'failed', 'busy'],
  ['call.start.error-vapi-number-outbound-daily-limit', 'failed', 'account'],
  ['call.start.error-vapi-number-international', 'failed', 'lead'],
  ['twilio-reported-customer-misdialed', 'failed', 'lead:invalid_number'],
  ['twilio-failed-to-connect-call', 'failed', null],
  ['call.in-progress.error-vapifault-worker-died', 'failed', null],
  ['call.in-progress.error-pipeline-no-available-llm-model', 'abandoned', null],
])(
  'A call of Vapi that ends with %s, without a word, is %s (not dialled: %s)',
  (reason, outcome, notDialled) => {
    expect(vapiEnd(reason)).toMatchObject({ outcome, notDialled })
  },
)

it.each<[reason: RetellCall['disconnection_reason'], outcome: string, notDialled: string | null]>([
  ['agent_hangup', 'answered', null],
  ['user_declined', 'no_answer', null],
  ['ivr_reached', 'voicemail', null],
  ['invalid_destination', 'failed', 'lead:invalid_number'],
  ['no_valid_payment', 'failed', 'account'],
  ['concurrency_limit_reached', 'failed', 'busy'],
  ['manual_stopped', 'failed', null],
  ['error_asr', 'abandoned', null],
])(
  'A call of Retell that ends with %s, without a word, is %s (not dialled: %s)',
  (reason, outcome, notDialled) => {
    expect(retellEnd({ disconnection_reason: reason as never })).toMatchObject({ outcome, notDialled })
  },
)

it.each([
  [{ status: 'completed', answered_by: null }, 'answered'],
  [{ status: 'completed', answered_by: 'human' }, 'answered'],
  [{ status: 'completed', answered_by: 'machine_end_beep' }, 'voicemail'],
  [{ status: 'completed', answered_by: 'machine_start' }, 'voicemail'],
  [{ status: 'completed', answered_by: 'fax' }, 'wrong_number'],
  [{ status: 'no-answer', answered_by: null }, 'no_answer'],
  [{ status: 'failed' }, 'failed'],
])('A call of Twilio that ends as %j is %s', (call, outcome) => {
  expect(endOf(twilio, call).outcome).toBe(outcome)
})

it('Nobody who has talked with Vapi or Retell is called again, whatever the reason', () => {
  const machines = ['voicemail', 'voicemail_reached', 'ivr_reached']
  const messages = [{ role: 'system' }, { role: 'user' }] as unknown as Vapi.Artifact['messages'] & {}
  for (const reason of ofVapi.reasons)
    expect(vapiEnd(reason as Vapi.CallEndedReason, { messages }).outcome, reason).toBe(
      machines.includes(reason) ? 'voicemail' : 'answered',
    )
  const transcript_object = [
    { role: 'user', content: 'Hello', words: [] },
  ] as RetellCall['transcript_object'] & {}
  for (const reason of ofRetell.reasons)
    expect(retellEnd({ disconnection_reason: reason as never, transcript_object }).outcome, reason).toBe(
      machines.includes(reason) ? 'voicemail' : 'answered',
    )
})

it('What is said of a call is read from where the types have it', () => {
  const said: Partial<Vapi.Call> = {
    status: 'ended',
    startedAt: '2026-01-05T12:00:00Z',
    endedAt: '2026-01-05T12:00:42Z',
    cost: 0.1,
    analysis: { summary: 'Well', structuredData: { outcome: 'not_interested' } },
    artifact: { recordingUrl: 'https://a.example/r', transcript: 'AI: Hi' },
  }
  expect(endOf(vapi, said)).toMatchObject({
    outcome: 'not_interested',
    durationSeconds: 42,
    details: { summary: 'Well', recordingUrl: 'https://a.example/r', cost: 0.1, transcript: 'AI: Hi' },
  })
  const call: RetellCall = {
    duration_ms: 4200,
    transcript: 'Agent: Hi',
    recording_url: 'https://a.example/r',
    call_cost: { combined_cost: 12 } as RetellCall['call_cost'] & {},
    call_analysis: {
      call_summary: 'Well',
      in_voicemail: false,
      custom_analysis_data: { outcome: 'callback_requested', callbackAt: '2026-01-06T09:00:00Z' },
    },
  }
  expect(retellEnd(call)).toMatchObject({
    outcome: 'callback_requested',
    callbackAtMs: Date.UTC(2026, 0, 6, 9),
    durationSeconds: 4,
    details: { summary: 'Well', inVoicemail: false, recordingUrl: 'https://a.example/r', costCents: 12 },
  })
  expect(
    endOf(twilio, { status: 'completed', duration: '5', price: '-0.01', price_unit: 'USD' }),
  ).toMatchObject({
    durationSeconds: 5,
    details: { price: '-0.01', priceUnit: 'USD' },
  })
})

it('An output of Vapi that a customer names wins over the analysis', () => {
  const body = {
    status: 'ended',
    analysis: { structuredData: { outcome: 'answered' } },
    artifact: { structuredOutputs: { o1: { result: { outcome: 'do_not_call' } } } },
  }
  const read = readStatus(vapi.template.status, { status: 200, body }, { outcomeOutputId: 'o1' })
  expect(read).toMatchObject({ end: { outcome: 'do_not_call' } })
})

it.each<[preset: { readonly template: Template }, status: number, body: object, because: string]>([
  [vapi, 401, {}, 'account'],
  [vapi, 402, {}, 'account'],
  [vapi, 429, {}, 'busy'],
  [vapi, 400, { message: 'Over Concurrency Limit' }, 'busy'],
  [vapi, 400, { message: ['property metadata should not exist'] }, 'account'],
  [vapi, 400, { message: ['customer.number must be a valid phone number'] }, 'lead'],
  [retell, 402, { message: 'Trial has ended' }, 'account'],
  [retell, 429, {}, 'busy'],
  [retell, 422, {}, 'lead'],
  [twilio, 401, { code: 20003 }, 'account'],
  [twilio, 429, { code: 20429 }, 'busy'],
  [twilio, 403, { code: 10004 }, 'busy'],
  [twilio, 400, { code: 21210 }, 'account'],
  [twilio, 400, { code: 21211 }, 'lead:invalid_number'],
  [twilio, 400, { code: 21215 }, 'lead'],
])('A refused start: %#', ({ template }, status, body, because) => {
  expect(judgeStart(template, { status, body, retryAfter: null }, 0)).toMatchObject({
    kind: 'not_dialled',
    because,
  })
})

it.each([
  [vapi, { id: 'p1', subscriptionLimits: { concurrencyBlocked: true } }],
  [retell, { call_id: 'p1' }],
  [twilio, { sid: 'p1' }],
] as const)(
  'A start that is accepted is known by its id, and a fault may have rung: %#',
  ({ template }, body) => {
    const judged = (status: number) => judgeStart(template, { status, body, retryAfter: null }, 0)
    expect(judged(201)).toEqual({ kind: 'started', providerId: 'p1' })
    expect(judged(500)).toEqual({ kind: 'may_have_rung' })
  },
)

it('Vapi is hung up at the URL of the call, without the key', () => {
  const { auth, hangUp } = vapi.template
  const monitor = { controlUrl: 'https://phone-call.us.vapi.ai/p1/control' }
  const rendering = renderHangUp(hangUp, auth, valuesOf(vapi), { apiKey: 'sk-1' }, { monitor })
  expect(rendering).toMatchObject({ isRendered: true, request: { url: monitor.controlUrl } })
  expect(JSON.stringify(rendering)).not.toContain('sk-1')
})

describe('A call that is pretended', () => {
  it.each([
    ['+491510000000', 'answered', 20],
    ['+491510000043', 'answered', 40],
    ['+491510000004', 'not_interested', 20],
    ['+491510000005', 'no_answer', 0],
    ['+491510000007', 'busy', 0],
    ['+491510000008', 'voicemail', 0],
    ['+491510000099', 'callback_requested', 65],
  ])('to %s ends as its last digits say: %s after %i s', (phoneNumber, outcome, durationSeconds) => {
    const end = endPretended(phoneNumber, {}, 1000)
    expect(end).toMatchObject({ outcome, durationSeconds })
    expect(end.endsAtMs).toBe(1000 + (durationSeconds || 10) * 1000)
    const callbackAtMs = outcome === 'callback_requested' ? end.endsAtMs + 3_600_000 : null
    expect(end.callbackAtMs).toBe(callbackAtMs)
  })

  it('ends sooner with speed, and lasts as long in its report', () => {
    expect(endPretended('+491510000000', { speed: '100' }, 0)).toMatchObject({
      endsAtMs: 200,
      durationSeconds: 20,
    })
    expect(pretend.template).toBeNull()
  })

  it.each(['0', '101', '-1', '1.5', 'fast', ''])('has no speed of %j', (speed) => {
    expect(findSpeedProblem({ speed })).toBe('variables.speed must be an integer between 1 and 100')
    expect([{}, { speed: '1' }, { speed: '100' }].map(findSpeedProblem)).toEqual([null, null, null])
  })
})
