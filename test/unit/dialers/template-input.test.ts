// Which templates are valid, and the message that names the member which is not.
import { describe, expect, it } from 'vitest'
import type { Template } from '../../../src/channels/dialers/template/template.ts'
import { readTemplate } from '../../../src/channels/dialers/template/template-input.ts'
import { findGivenProblem, usesOf } from '../../../src/channels/dialers/template/template-uses.ts'
import { serverOf } from '../../../src/channels/webhooks/webhook-url.ts'

const deployed = serverOf('https://leads.example.com/')
const local = serverOf('http://localhost:8787/')

type Members = Record<string, unknown>
const valid = () => ({
  auth: { kind: 'bearer', secret: 'apiKey' } as Members | null,
  start: {
    method: 'POST',
    url: 'https://api.example.com/{{variables.account}}/calls?lead={{lead.leadId}}',
    headers: { 'X-Agent': '{{variables.agent}}' },
    body: { to: '{{lead.phoneNumber}}', from: '{{variables.from}}', more: ['{{call.callId}}', 1, null] },
  } as Members,
  started: { id: '/id' } as Members,
  notDialled: [{ status: [400], when: { at: '/code', equals: 1 }, because: 'lead' }] as Members[],
  status: {
    method: 'GET',
    url: 'https://api.example.com/calls/{{provider.id}}',
    over: { at: '/status', in: ['ended'] },
    reason: ['/reason'],
    outcomes: { ended: 'answered', 'start.*': 'not_dialled:lead:invalid_number' },
    outcome: '/outputs/{{variables.output}}/outcome',
    details: { summary: '/summary' },
  } as Members,
  hangUp: { method: 'POST', urlAt: '/control', within: 'example.com' } as Members | null,
  check: { method: 'GET', url: 'https://api.example.com/me' } as Members | null,
})

type Path = string
/** The valid template, with one member changed. `undefined` removes it. */
function changed(path: Path, value: unknown) {
  const template = valid() as Members
  const steps = path.split('/')
  const name = steps.pop() as string
  const holder = steps.reduce((one, step) => one[step] as Members, template)
  if (value === undefined) delete holder[name]
  else holder[name] = value
  return template
}
const judged = (template: unknown, server = deployed) => {
  const reading = readTemplate(template, server)
  return reading.isValid ? 'valid' : reading.message
}

it.each<[path: Path, value: unknown]>([
  ['auth', valid().auth],
  ['auth', null],
  ['auth', undefined],
  ['status/complete', null],
  ['status/talked', null],
  ['status/voicemail', null],
  ['status/voicemail', { at: '/machine', equals: true }],
  ['status/doNotCall', null],
  ['status/doNotCall', '/outputs/{{variables.output}}/doNotCall'],
  ['status/doNotCall', ['/a', '/b']],
  ['status/seconds', null],
  ['auth', { kind: 'basic', user: { variable: 'account' }, password: { secret: 'apiKey' } }],
  ['auth', { kind: 'header', name: 'X-Key', secret: 'apiKey', prefix: 'Token ' }],
  ['notDialled', undefined],
  ['hangUp', undefined],
  ['hangUp', null],
  ['check', undefined],
  ['status/reason', undefined],
  ['status/outcomes', undefined],
  [
    'status/over',
    [
      { at: '/a', notNull: true },
      { at: '/b', contains: 'x' },
    ],
  ],
  ['status/over', { at: '/a', some: { at: '/role', in: ['user'] } }],
  [
    'status/over',
    {
      all: [
        { at: '/a', equals: 1 },
        { at: '/b', some: { at: '/role', equals: 'user' } },
      ],
    },
  ],
  ['status/over', [{ all: [{ at: '/a', equals: 1 }] }, { at: '/b', notNull: true }]],
  ['status/ringing', { while: { at: '/a', equals: 'ringing' }, seconds: 30, outcome: 'no_answer' }],
  ['status/ringing', { while: [{ at: '/a', equals: 'ringing' }], seconds: 300 }],
  ['status/ringing', null],
  ['status/outcomeNames', { 'Not today': 'not_interested', Nope: 'do_not_call', dnc: 'do_not_call' }],
  // The service takes it for a no, and the owner knows better.
  ['status/outcomeNames', { Blocked: 'busy', 'Opt out': 'not_interested' }],
  ['status/talked', { at: '/seconds', above: 0 }],
  ['status/afterTalk', { 'stopped*': 'abandoned' }],
  ['status/outcome', '/extracted/*/outcome'],
  ['status/outcomeNames', null],
  ['status/outcomes', { '*busy*': 'busy', '*busy': 'busy', '*': 'failed' }],
  ['status/seconds', { at: '/d', unit: 'min' }],
  ['status/seconds', { from: '/a', to: '/b' }],
  ['started/unless', null],
  ['start/url', 'https://api.example.com/'],
])('A template is valid with %s %j', (path, value) => expect(judged(changed(path, value))).toBe('valid'))

it.each<[path: Path, value: unknown, message: string]>([
  ['more', 1, 'template.more is not a member'],
  ['start', undefined, 'template.start is required'],
  ['start/method', 'TRACE', 'template.start.method must be one of POST, PUT, PATCH, DELETE, GET'],
  ['start/retry', 1, 'template.start.retry is not a member'],
  ['start/url', undefined, 'template.start.url is required'],
  ['start/url', 'http://api.example.com/', 'template.start.url must be an https:// URL'],
  ['start/url', 'https://me@api.example.com/', 'template.start.url must not hold credentials'],
  ['start/url', 'https://10.0.0.1/', 'template.start.url must name a public host'],
  ['start/url', 'https://leads.example.com/', 'template.start.url must not be of this service'],
  ['start/url', 'http://localhost:9000/', 'template.start.url must be an https:// URL'],
  ['start/url', 'https://{{variables.host}}/', 'template.start.url must not hold placeholders in its host'],
  [
    'start/url',
    'https://a.{{lead.leadId}}.com/',
    'template.start.url must not hold placeholders in its host',
  ],
  ['status/voicemail', '/machine', 'template.status.voicemail[0] must be an object'],
  [
    'status/voicemail',
    { at: '/machine' },
    'template.status.voicemail[0] must have exactly one of in, equals, notNull, contains, above, some, all',
  ],
  ['status/doNotCall', 'doNotCall', 'template.status.doNotCall[0] must be a JSON Pointer, such as /call/id'],
  ['status/doNotCall', [], 'template.status.doNotCall must have 1 to 100 items'],
  ['start/url', 'https:///{{variables.a}}.example.org/', 'template.start.url must be an https:// URL'],
  ['start/url', 'https:////{{variables.a}}.example.org/', 'template.start.url must be an https:// URL'],
  ['start/url', 'https://\\{{variables.a}}.example.org/', 'template.start.url must be an https:// URL'],
  ['start/url', 'https:/{{variables.a}}.example.org/', 'template.start.url must be an https:// URL'],
  [
    'start/url',
    'https://a\\{{variables.a}}.example.org/',
    'template.start.url must not hold placeholders in its host',
  ],
  ['start/url', 'https://a.example/../b', 'template.start.url must not have . or .. as a step'],
  ['start/url', 'https://a.example/#x', 'template.start.url must not have a fragment'],
  ['start/url', 'https://a.example/{{lead.name}}', 'template.start.url must not hold {{lead.name}}'],
  [
    'start/url',
    'https://a.example/{{secrets.apiKey}}',
    'template.start.url must not hold {{secrets.apiKey}}',
  ],
  ['start/url', 'https://a.example/{{provider.id}}', 'template.start.url must not hold {{provider.id}}'],
  [
    'start/url',
    `https://a.example/${'x'.repeat(2048)}`,
    'template.start.url must have at most 2048 characters',
  ],
  ['start/body', { a: ['{{secrets.apiKey}}'] }, 'template.start.body must not hold {{secrets.apiKey}}'],
  ['start/body', { a: '{{ lead.leadId }}' }, 'template.start.body must not hold an unknown placeholder'],
  ['start/body', { a: '{{lead.leadId' }, 'template.start.body must not hold {{ or }} besides placeholders'],
  ['start/headers', { 'X-A': '{{lead.leadId}}' }, 'template.start.headers.X-A must not hold {{lead.leadId}}'],
  ['start/headers', { Host: 'a' }, 'template.start.headers.Host is not a header that a template may set'],
  ['start/headers', { 'a b': 'a' }, 'template.start.headers.… is not a header that a template may set'],
  [
    'start/headers',
    { 'X-A': 'a\r\nb' },
    'template.start.headers.X-A must be a string of 1 to 1024 characters, without line breaks',
  ],
  [
    'start/headers',
    { Authorization: 'a' },
    'template must not set authorization among its headers, because template.auth does',
  ],
  ['start/encoding', 'xml', 'template.start.encoding must be one of json, form'],
  ['auth', { kind: 'digest' }, 'template.auth.kind must be one of bearer, basic, header'],
  ['auth', { kind: 'bearer' }, 'template.auth.secret is required'],
  [
    'auth',
    { kind: 'basic', user: {}, password: { secret: 'p' } },
    'template.auth.user must have exactly one of variable, secret',
  ],
  ['started/id', 'id', 'template.started.id must be a JSON Pointer, such as /call/id'],
  ['started/id', '/{{variables.x}}', 'template.started.id must not hold placeholders'],
  [
    'notDialled/0/because',
    'no',
    'template.notDialled[0].because must be one of account, busy, lead, lead:invalid_number',
  ],
  ['notDialled/0/status', [], 'template.notDialled[0].status must have 1 to 100 items'],
  ['notDialled/0/status', [99], 'template.notDialled[0].status[0] must be an HTTP status, 200 to 599'],
  [
    'notDialled/0/when',
    { at: '/code' },
    'template.notDialled[0].when[0] must have exactly one of in, equals, notNull, contains, above, some, all',
  ],
  [
    'notDialled/0/when',
    { at: '/code', equals: {} },
    'template.notDialled[0].when[0].equals must be a text, a number or a boolean',
  ],
  ['status/method', 'POST', 'template.status.method must be one of GET'],
  ['status/over', undefined, 'template.status.over is required'],
  ['status/over', [], 'template.status.over must have 1 to 100 items'],
  [
    'status/outcomes/ended',
    'unknown',
    expect.stringContaining('template.status.outcomes.ended must be one of') as never,
  ],
  ['status/seconds', { at: '/d' }, 'template.status.seconds must have at and unit, or from and to'],
  ['status/seconds', { at: '/d', unit: 'h' }, 'template.status.seconds.unit must be one of s, ms, min'],
  [
    'status/cost',
    { at: '/c', currency: 'dollars' },
    'template.status.cost.currency must be three capital letters, such as USD, or a JSON Pointer',
  ],
  [
    'status/cost',
    { at: '/c', currency: 'USD', unit: 'dimes' },
    'template.status.cost.unit must be one of units, cents',
  ],
  ['status/details', { a: 'b' }, 'template.status.details.a[0] must be a JSON Pointer, such as /call/id'],
  ['status/over', { all: [] }, 'template.status.over[0].all must have 1 to 100 items'],
  [
    'status/over',
    { all: [{ at: '/a' }] },
    expect.stringMatching(/over\[0\]\.all\[0\] must have exactly one of/) as never,
  ],
  ['status/over', { equals: 1 }, 'template.status.over[0] must have at'],
  [
    'status/over',
    { at: '/a', all: [{ at: '/a', equals: 1 }] },
    'template.status.over[0] must not have at together with all',
  ],
  [
    'status/over',
    { all: [{ all: [{ at: '/a', equals: 1 }] }] },
    'template.status.over[0].all[0].at is required',
  ],
  ...[29, 301, 60.5, '60'].map((seconds): [Path, unknown, string] => [
    'status/ringing',
    { while: { at: '/a', equals: 'ringing' }, seconds },
    'template.status.ringing.seconds must be an integer between 30 and 300',
  ]),
  ['status/talked', { at: '/seconds', above: '0' }, 'template.status.talked[0].above must be a number'],
  [
    'status/afterTalk',
    { stopped: 'not_dialled:lead' },
    'template.status.afterTalk.stopped must be one of answered, not_interested, wrong_number, ' +
      'invalid_number, do_not_call, no_answer, busy, voicemail, failed, abandoned, callback_requested',
  ],
  ['status/ringing', { seconds: 60 }, 'template.status.ringing.while is required'],
  [
    'status/ringing',
    { while: { at: '/a', equals: 'ringing' }, seconds: 60, outcome: 'answered' },
    'template.status.ringing.outcome must be one of no_answer, busy, voicemail, failed',
  ],
  [
    'status/outcomeNames',
    { 'Stop calling!': 'answered' },
    'template.status.outcomeNames must not give a word of do_not_call another outcome',
  ],
  [
    'status/outcomeNames',
    { 'Do not call': 'not_interested' },
    'template.status.outcomeNames must not give a word of do_not_call another outcome',
  ],
  [
    'status/outcomeNames',
    { 'not today': 'busy', 'Not Today': 'no_answer' },
    'template.status.outcomeNames must not give one word two outcomes',
  ],
  [
    'status/outcomeNames',
    { '!': 'busy' },
    'template.status.outcomeNames must have names with letters or digits, of at most 200 characters',
  ],
  [
    'status/outcomeNames',
    { no: 'unknown' },
    expect.stringContaining('template.status.outcomeNames.no must be one of') as never,
  ],
  ['hangUp/within', 'com', 'template.hangUp.within must be a public host'],
  ['hangUp/within', '10.0.0.1', 'template.hangUp.within must be a public host'],
  ['hangUp/within', undefined, 'template.hangUp must have within together with urlAt'],
  ['hangUp/urlAt', undefined, 'template.hangUp must have either url or urlAt'],
  ['check/url', 'https://a.example/{{lead.leadId}}', 'template.check.url must not hold {{lead.leadId}}'],
])('A template with %s %j is refused', (path, value, message) => {
  expect(judged(changed(path, value))).toEqual(message)
})

it('A form is flat, and a GET has no body', () => {
  const form = { ...valid().start, encoding: 'form' }
  expect(judged(changed('start', { ...form, body: { a: '{{lead.metadata}}', b: ['x', 'y'] } }))).toBe('valid')
  expect(judged(changed('start', { ...form, body: { a: { b: 1 } } }))).toBe(
    'template.start must have a flat body, because its encoding is form',
  )
  expect(judged(changed('start/method', 'GET'))).toBe('template.start must not have a body with GET')
})

it('A call that cannot be hung up may ring for 180 seconds at least', () => {
  const ringing = (seconds: number) => ({ while: { at: '/a', equals: 'ringing' }, seconds })
  const without = (seconds: number) =>
    judged({ ...changed('status/ringing', ringing(seconds)), hangUp: null })
  expect(without(180)).toBe('valid')
  expect(without(179)).toBe(
    'template.status.ringing.seconds must be at least 180, because the template has no hangUp',
  )
  expect(judged(changed('status/ringing', ringing(30)))).toBe('valid')
})

it('On a local server a template may name the machine itself', () => {
  expect(judged(changed('start/url', 'http://localhost:9000/{{lead.leadId}}'), local)).toBe('valid')
  expect(judged(changed('hangUp/within', 'localhost'), local)).toBe('valid')
  expect(judged(changed('hangUp/within', 'localhost'))).toBe('template.hangUp.within must be a public host')
})

it('The limits of a template are 16 KiB', () => {
  expect(judged(changed('start/body', { a: 'x'.repeat(15_000) }))).toBe('valid')
  expect(judged(changed('start/body', { a: 'x'.repeat(16_384) }))).toBe(
    'template must be at most 16384 bytes',
  )
})

it('The limits of a template are 20 variables, those of pointers and headers included', () => {
  const named = (count: number) => Array.from({ length: count }, (_, at) => `{{variables.v${at}}}`)
  // account, agent and output are the other three.
  expect(judged(changed('start/body', named(17)))).toBe('valid')
  expect(judged(changed('start/body', named(18)))).toBe('template must name at most 20 variables')
})

it('The limits of a template are 30 headers, of all requests together', () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-${at}`, 'a']))
  const template = (count: number) => ({
    ...changed('start/headers', headers(15)),
    check: {
      ...valid().check,
      headers: headers(count),
    },
  })
  expect(judged(template(15))).toBe('valid')
  expect(judged(template(16))).toBe('template must have at most 30 headers')
})

it('The limits of a template are 32 levels of a body', () => {
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)
  expect(judged(changed('start/body', nested(32)))).toBe('valid')
  expect(judged(changed('start/body', nested(33)))).toBe(
    'template.start.body must be nested at most 32 levels deep',
  )
})

describe('The variables and secrets of a template', () => {
  const uses = usesOf(valid() as unknown as Template)
  const given = (variables: object = {}, secrets: object = {}) =>
    findGivenProblem(uses, {
      variables: { account: 'a', ...variables },
      secrets: { apiKey: 's', ...secrets },
    })

  it('The variables and secrets of a template are those that it names; one in a path is required', () => {
    expect([...uses.variables].sort()).toEqual(['account', 'agent', 'from', 'output'])
    expect([...uses.requiredVariables]).toEqual(['account'])
    expect([...uses.secrets]).toEqual(['apiKey'])
  })

  it('Every variable and secret that is unknown or missing is named', () => {
    expect(given()).toBeNull()
    expect(given({ from: 'x', maxCallSeconds: '60' })).toBeNull()
    expect(given({ form: 'x' })).toBe('variables.form is not a variable of the template')
    expect(given({ agent: 'ä' })).toBe('variables.agent must be printable ASCII, because a header holds it')
    expect(given({ 'a b': 'x' })).toBe('variables.… is not a variable of the template')
    expect(given({}, { key: 'x' })).toBe('secrets.key is not a secret of the template')
    expect(findGivenProblem(uses, { variables: {}, secrets: { apiKey: 's' } })).toBe(
      'variables.account is required',
    )
    expect(findGivenProblem(uses, { variables: { account: 'a' }, secrets: {} })).toBe(
      'secrets.apiKey is required',
    )
  })
})
