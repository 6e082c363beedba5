// The presets against the providers' own packages: their clients send the same requests, and what a provider answers to
// a start means what its documentation says.
import { VapiClient } from '@vapi-ai/server-sdk'
import Retell from 'retell-sdk'
import twilioClient from 'twilio'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { elevenlabs } from '../../../src/channels/dialers/presets/elevenlabs.ts'
import { presets, usesOfPreset } from '../../../src/channels/dialers/presets/presets.ts'
import { pretend } from '../../../src/channels/dialers/presets/pretend.ts'
import { retell } from '../../../src/channels/dialers/presets/retell.ts'
import { twilio } from '../../../src/channels/dialers/presets/twilio.ts'
import { vapi } from '../../../src/channels/dialers/presets/vapi.ts'
import { providerOf } from '../../../src/channels/dialers/provider.ts'
import { valuesOfCall } from '../../../src/channels/dialers/template/placeholders.ts'
import { judgeStart } from '../../../src/channels/dialers/template/read-start.ts'
import { renderHangUp, renderRequest } from '../../../src/channels/dialers/template/render.ts'
import type { Template, TemplateRequest } from '../../../src/channels/dialers/template/template.ts'
import { readTemplate } from '../../../src/channels/dialers/template/template-input.ts'
import { findGivenProblem } from '../../../src/channels/dialers/template/template-uses.ts'
import { serverOf } from '../../../src/channels/webhooks/webhook-url.ts'
import { caseOf, presetCases } from '../../support/dialers/preset-cases.ts'

const metadata = { name: 'Ada', age: 36 }
const clock = { time_zone: 'Europe/Berlin', local_time: '2026-01-05T13:00:00+01:00' }
const lead = { leadId: 'L1', phoneNumber: '+14155550123', externalId: null, attempt: 1, metadata }
const endUrl = 'https://leads.example.com/dialer-events/token'

const valuesOf = (preset: NamedPreset) => ({
  ...valuesOfCall(lead, { callId: 'C1', endUrl }, 'Europe/Berlin', Date.UTC(2026, 0, 5, 12)),
  provider: { id: 'p1' },
  variables: caseOf(preset.name).given.variables,
})

type NamedPreset = (typeof presets)[number]

type Asked = Parameters<twilioClient.RequestClient['request']>[0]

type Sent = {
  readonly method: string
  readonly url: string
  readonly authorization: string | null
  readonly body: unknown
}

function sentBy(preset: NamedPreset, request: TemplateRequest | undefined): Sent {
  if (request === undefined) throw new Error('the preset has no such request')
  const auth = preset.template?.auth ?? null
  const rendering = renderRequest(request, auth, valuesOf(preset), caseOf(preset.name).given.secrets)
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

it.each(presets)('A preset is a valid template: $name', ({ template }) => {
  const reading = readTemplate(
    JSON.parse(JSON.stringify({ ...template, status: { ...template.status, outcomes: {} } })),
    serverOf('https://leads.example.com/'),
  )
  expect(reading).toMatchObject({ isValid: true })
})

it.each(presets)('A preset names every variable and secret that its template takes: $name', (preset) => {
  const { given: values } = caseOf(preset.name)
  expect(findGivenProblem(usesOfPreset(preset), values)).toBeNull()
  const named = preset.variables.map(({ name }) => name)
  expect([...usesOfPreset(preset).variables].sort()).toEqual([...named].sort())
  for (const { name, isRequired } of preset.variables) {
    const { [name]: _, ...variables } = values.variables
    const problem = isRequired ? `variables.${name} is required` : null
    expect(findGivenProblem(usesOfPreset(preset), { ...values, variables })).toBe(problem)
  }
})

it('A preset has a name of its own', () => {
  expect(presets.map(({ name }) => name)).toEqual(Object.keys(presetCases))
})

it('A preset with which nobody has called for real says so', () => {
  expect(presets.filter(({ isProven }) => isProven).map(({ name }) => name)).toEqual(['pretend'])
})

it('A variable that has few values takes no other', () => {
  const channelled = (channel: string) => elevenlabs.findProblem({ channel })
  expect(['twilio', 'sip-trunk', 'exotel'].map(channelled)).toEqual([null, null, null])
  expect(channelled('../agents')).toBe('variables.channel must be one of twilio, sip-trunk, exotel')
})

describe("The requests of a preset are those of the provider's package", () => {
  it('Vapi', async () => {
    const { sent, fetch } = recorder()
    const client = new VapiClient({ token: 'sk-1', fetch })
    await client.calls.create({
      assistantId: 'a1',
      phoneNumberId: 'n1',
      customer: { number: lead.phoneNumber },
      assistantOverrides: { variableValues: { ...clock, ...metadata } },
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
      retell_llm_dynamic_variables: { ...clock, name: 'Ada', age: '36' },
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
  [twilio, 400, { code: 22005 }, 'busy'],
  [twilio, 400, { code: 86008 }, 'busy'],
  [twilio, 400, { code: 21210 }, 'account'],
  [twilio, 400, { code: 21219 }, 'account'],
  [twilio, 400, { code: 573002 }, 'account'],
  [twilio, 400, { code: 573005 }, 'account'],
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

const pretending = (speed: string) =>
  providerOf({ preset: 'pretend', template: null, variables: { speed } }, {}, async () => {
    throw new Error('A pretended call was sent to somebody')
  })

/** The outcome, the seconds of the report, and those after which the call ends. */
async function pretendedEnd(phoneNumber: string, speed = '1', attempt = 1) {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const provider = pretending(speed)
  const values = valuesOfCall({ ...lead, phoneNumber, attempt }, { callId: 'C1', endUrl }, 'UTC', Date.now())
  const ofCall = { timeZone: 'UTC', overAtMs: 1_000_000 }
  const { verdict, endsAtMs } = await provider.start(values, Date.now())
  if (verdict.kind !== 'started' || endsAtMs === null) throw new Error('nothing was started')
  vi.setSystemTime(endsAtMs - 1)
  expect((await provider.ask(verdict.providerId, Date.now(), ofCall)).standing).toBeNull()
  vi.setSystemTime(endsAtMs)
  const { standing } = await provider.ask(verdict.providerId, Date.now(), ofCall)
  if (standing === null || standing === 'unreadable') throw new Error('the call is not over')
  const { outcome, durationSeconds, callbackAtMs } = standing.end
  expect(callbackAtMs).toBe(outcome === 'callback_requested' ? endsAtMs + 3_600_000 : null)
  return [outcome, durationSeconds, (endsAtMs - 1_000_000) / 1000]
}

it.each([
  ['+491510000000', 'answered', 20],
  ['+491510000043', 'answered', 40],
  ['+491510000004', 'not_interested', 20],
  ['+491510000005', 'no_answer', 0],
  ['+491510000007', 'busy', 0],
  ['+491510000008', 'voicemail', 0],
  ['+491510000099', 'callback_requested', 65],
])(
  'A call that is pretended to %s ends as its last digits say: %s after %i s',
  async (phoneNumber, outcome, durationSeconds) => {
    expect(await pretendedEnd(phoneNumber)).toEqual([outcome, durationSeconds, durationSeconds || 10])
  },
)

it('Who is called again by a pretended dialer answers, says no or stays away by the last digit', async () => {
  const outcomesOf = (digit: number) =>
    Promise.all(
      [1, 2, 3, 4].map(async (attempt) => (await pretendedEnd(`+49151000000${digit}`, '1', attempt))[0]),
    )
  expect(await outcomesOf(5)).toEqual(['no_answer', 'answered', 'answered', 'answered'])
  expect(await outcomesOf(6)).toEqual(['no_answer', 'no_answer', 'no_answer', 'no_answer'])
  expect(await outcomesOf(7)).toEqual(['busy', 'no_answer', 'answered', 'answered'])
  expect(await outcomesOf(8)).toEqual(['voicemail', 'do_not_call', 'do_not_call', 'do_not_call'])
  expect(await outcomesOf(9)).toEqual(['callback_requested', 'answered', 'answered', 'answered'])
})

it('A call that is pretended ends sooner with speed, and lasts as long in its report', async () => {
  expect(await pretendedEnd('+491510000000', '100')).toEqual(['answered', 20, 0.2])
})

it('What is pretended is sent to no provider, and an id of another one is no call', async () => {
  const { standing } = await pretending('1').ask('p-of-another-provider', 0, { timeZone: 'UTC', overAtMs: 0 })
  expect(standing).toBe('unreadable')
})

it.each(['0', '101', '-1', '1.5', 'fast', ''])('A call that is pretended has no speed of %j', (speed) => {
  expect(pretend.findProblem({ speed })).toBe('variables.speed must be an integer between 1 and 100')
  expect([{}, { speed: '1' }, { speed: '100' }].map(pretend.findProblem)).toEqual([null, null, null])
})
