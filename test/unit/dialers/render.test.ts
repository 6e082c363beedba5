// The requests that a template makes: what placeholders put in, and where secrets go.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillBody, type Values, valuesOfCall } from '../../../src/channels/dialers/template/placeholders.ts'
import { renderHangUp, renderRequest } from '../../../src/channels/dialers/template/render.ts'
import type { Auth, TemplateRequest } from '../../../src/channels/dialers/template/template.ts'

const dialled = {
  leadId: 'L1',
  phoneNumber: '+4930123456',
  externalId: null,
  attempt: 2,
  metadata: { name: 'Ada & Co', isNew: true, tags: ['a'], none: null, 'a.b': 1, trap: '{{variables.other}}' },
}
const ofCall = { callId: 'C1', endUrl: 'https://leads.example.com/dialer-events/t' }
const noonMs = Date.UTC(2026, 0, 5, 12)
const { lead, call } = valuesOfCall(dialled, ofCall, 'Asia/Kathmandu', noonMs)
const clock = { time_zone: 'Asia/Kathmandu', local_time: '2026-01-05T17:45:00+05:45' }
const values: Values = {
  lead,
  call,
  provider: { id: 'p/1' },
  variables: { sid: 'AC1', other: 'x' },
}

const sent = (
  request: Partial<TemplateRequest>,
  auth: Auth | null = null,
  secrets: Record<string, string> = {},
) => {
  const whole = { method: 'POST', url: 'https://api.example.com/call', ...request }
  const rendering = renderRequest(whole, auth, values, secrets)
  return rendering.isRendered ? rendering.request : rendering.problem
}

it.each<[name: string, body: unknown, filled: unknown]>([
  ['a number stays a number', '{{lead.attempt}}', 2],
  ['an object stays one', '{{lead.metadata}}', lead.metadata],
  [
    'metadata as texts',
    '{{lead.metadataTexts}}',
    {
      name: 'Ada & Co',
      isNew: 'true',
      tags: '["a"]',
      'a.b': '1',
      trap: '{{variables.other}}',
    },
  ],
  ['the zone by whose clock the person is called', '{{lead.timeZone}}', 'Asia/Kathmandu'],
  ['the time there when the call starts', '{{call.localTime}}', '2026-01-05T17:45:00+05:45'],
  ['metadata with zone and time', '{{lead.variables}}', { ...dialled.metadata, ...clock }],
  [
    'metadata with zone and time, as texts',
    '{{lead.variableTexts}}',
    { name: 'Ada & Co', isNew: 'true', tags: '["a"]', 'a.b': '1', trap: '{{variables.other}}', ...clock },
  ],
  ['one member of metadata', '{{lead.metadata.isNew}}', true],
  ['a member of metadata with a dot in its name', '{{lead.metadata.a.b}}', 1],
  ['a longer text', 'Nr. {{lead.attempt}} of {{lead.metadata.name}}', 'Nr. 2 of Ada & Co'],
  ['an object in a longer text', 'tags: {{lead.metadata.tags}}', 'tags: ["a"]'],
  ['digits', '{{lead.phoneNumberDigits}}', '4930123456'],
  ['what was put in is not expanded again', '{{lead.metadata.trap}}', '{{variables.other}}'],
  ['nor in a longer text', '-{{lead.metadata.trap}}', '-{{variables.other}}'],
  [
    'a missing value leaves its member out',
    { a: '{{lead.externalId}}', b: 1, c: 'x{{lead.metadata.no}}' },
    { b: 1 },
  ],
  ['a null in metadata is missing', ['{{lead.metadata.none}}', 'b'], ['b']],
  ['no prototype is reached', { a: '{{lead.metadata.constructor}}' }, {}],
  ['other values stay', { a: [null, 1, false] }, { a: [null, 1, false] }],
])('In a body: %s', (_, body, filled) => expect(fillBody(body, values)).toEqual(filled))

it.each([
  ['https://api.example.com/{{variables.sid}}/calls', 'https://api.example.com/AC1/calls'],
  ['https://api.example.com/{{provider.id}}', 'https://api.example.com/p%2F1'],
  ['https://api.example.com/?n={{lead.metadata.name}}', 'https://api.example.com/?n=Ada%20%26%20Co'],
  ['https://api.example.com/?a={{lead.externalId}}&b=1', 'https://api.example.com/?b=1'],
  ['https://api.example.com/?a={{lead.externalId}}', 'https://api.example.com/'],
])('The URL %s becomes %s', (url, filled) => expect(sent({ url })).toMatchObject({ url: filled }))

it.each([
  ['https://api.example.com/{{lead.externalId}}', 'a value of its URL is missing'],
  ['https://api.example.com/a/../b', 'a step of its URL must not be . or ..'],
  ['https://localhost.internal/', 'url must name a public host'],
])('A request to %s is not made', (url, problem) => expect(sent({ url })).toBe(problem))

it('Whatever a value holds, the URL keeps its host and its steps', async () => {
  await fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('..', '.', '%2e%2e')), (id) => {
      const url = 'https://api.example.com/call/{{provider.id}}/end'
      const rendering = renderRequest({ method: 'GET', url }, null, { ...values, provider: { id } }, {})
      if (!rendering.isRendered) return ['.', '..'].includes(id)
      const { host, pathname, search } = new URL(rendering.request.url)
      const steps = pathname.split('/')
      return host === 'api.example.com' && search === '' && steps.length === 4 && steps[3] === 'end'
    }),
  )
})

describe('Credentials', () => {
  const secrets = { key: 'sk-1' }
  it.each<[auth: Auth, headers: object]>([
    [{ kind: 'bearer', secret: 'key' }, { authorization: 'Bearer sk-1' }],
    [
      { kind: 'basic', user: { variable: 'sid' }, password: { secret: 'key' } },
      { authorization: 'Basic QUMxOnNrLTE=' },
    ],
    [{ kind: 'header', name: 'X-Key', secret: 'key', prefix: 'Token ' }, { 'x-key': 'Token sk-1' }],
  ])('%j stands in one header, and is hidden in a preview', (auth, headers) => {
    expect(sent({}, auth, secrets)).toMatchObject({ headers })
    const shown = renderRequest({ method: 'GET', url: 'https://a.example/' }, auth, values, null)
    expect(JSON.stringify(shown)).not.toMatch(/sk-1|QUMx/)
    expect(JSON.stringify(shown)).toContain('…')
  })
})

it('A body is JSON, or a form in which a list repeats its name', () => {
  const body = { To: '{{lead.phoneNumber}}', Event: ['start', 'end'], No: '{{lead.externalId}}' }
  expect(sent({ body })).toMatchObject({
    headers: { 'content-type': 'application/json' },
    body: '{"To":"+4930123456","Event":["start","end"]}',
  })
  expect(sent({ body, encoding: 'form' })).toMatchObject({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'To=%2B4930123456&Event=start&Event=end',
    members: { To: '+4930123456', Event: ['start', 'end'] },
  })
  expect(sent({})).toMatchObject({ headers: {}, body: null })
})

it('Headers take variables, and one whose variable is missing is left out', () => {
  const headers = { 'X-Account': '{{variables.sid}}', 'X-No': '{{variables.no}}' }
  expect(sent({ headers })).toMatchObject({ headers: { 'x-account': 'AC1' } })
  expect(sent({ headers })).not.toHaveProperty('headers.x-no')
})

describe('A hang up whose URL the provider names', () => {
  const hangUp = { method: 'POST', urlAt: '/monitor/url', within: 'vapi.ai', body: { type: 'end-call' } }
  const auth: Auth = { kind: 'bearer', secret: 'key' }
  const hangUpTo = (url: unknown) => renderHangUp(hangUp, auth, values, { key: 'sk-1' }, { monitor: { url } })

  it.each(['https://vapi.ai/x', 'https://a.b.vapi.ai/x'])(
    'A hang up whose URL the provider names is sent to %s, without credentials',
    (url) => {
      const rendering = hangUpTo(url)
      expect(rendering).toMatchObject({ isRendered: true, request: { url, body: '{"type":"end-call"}' } })
      expect(JSON.stringify(rendering)).not.toContain('sk-1')
    },
  )

  it.each([
    'http://vapi.ai/x',
    'https://vapi.ai.example.com/x',
    'https://evilvapi.ai/x',
    'https://vapi.ai@example.com/x',
    'https://vapi.ai:8443/x',
    'wss://vapi.ai/x',
    7,
    undefined,
  ])('A hang up whose URL the provider names is not sent to %s', (url) =>
    expect(hangUpTo(url)).toMatchObject({ isRendered: false }),
  )
})

it('Zone and time are added to the metadata only where it lacks them', () => {
  const own = { time_zone: 'own', local_time: null }
  const { lead: filled } = valuesOfCall({ ...dialled, metadata: own }, ofCall, 'Asia/Kathmandu', noonMs)
  expect(filled).toMatchObject({ variables: own, variableTexts: { time_zone: 'own' } })
  const bare = valuesOfCall({ ...dialled, metadata: null }, ofCall, 'Asia/Kathmandu', noonMs)
  expect(bare.lead).toMatchObject({ metadata: null, variables: clock, variableTexts: clock })
})
