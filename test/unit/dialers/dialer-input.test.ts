// What a dialer's PUT and PATCH take: a preset or a template, the variables and secrets that it needs, and nothing
// else.
import { expect, it } from 'vitest'
import {
  type DialerSettings,
  readDialer,
  readDialerChange,
} from '../../../src/channels/dialers/dialer-input.ts'
import { serverOf } from '../../../src/channels/webhooks/webhook-url.ts'

const server = serverOf('https://leads.example.com/')
const vapi = {
  preset: 'vapi',
  variables: { assistantId: 'a1', phoneNumberId: 'p1' },
  secrets: { apiKey: 'sk-0123456789' },
}
const template = (url = 'https://api.example.com/call') => ({
  auth: { kind: 'bearer', secret: 'apiKey' },
  start: { method: 'POST', url, body: { to: '{{lead.phoneNumber}}', from: '{{variables.from}}' } },
  started: { id: '/id' },
  status: {
    method: 'GET',
    url: 'https://api.example.com/{{provider.id}}',
    over: { at: '/over', equals: true },
  },
})
const variables = { from: '+1415' }
const own = { preset: 'custom', template: template(), variables, secrets: vapi.secrets }

const put = (body: unknown) => readDialer(JSON.stringify(body), server)
const messageOf = (reading: ReturnType<typeof put>) => (reading.isValid ? 'valid' : reading.message)
const settingsOf = (reading: ReturnType<typeof put>): DialerSettings => {
  if (!reading.isValid) throw new Error(reading.message)
  return reading.value
}
const before = settingsOf(put(vapi))
const patch = (change: unknown, of: DialerSettings = before) =>
  readDialerChange(JSON.stringify(change), of, server)

it('A dialer has defaults: enabled, five calls at once', () => {
  expect(before).toEqual({ isEnabled: true, maxLive: 5, template: null, ...vapi })
})

it.each([
  [vapi],
  [own],
  [{ preset: 'pretend' }],
  [{ preset: 'pretend', variables: { speed: '100' }, secrets: null, template: null }],
  [{ ...vapi, enabled: false, maxLive: 100 }],
  [{ ...vapi, variables: { ...vapi.variables, outcomeOutputId: 'o1', maxCallSeconds: '86400' } }],
])('%j is a dialer', (body) => expect(messageOf(put(body))).toBe('valid'))

it.each([
  [[], 'Request body must be a JSON object'],
  [{}, 'preset is required'],
  [
    { preset: 'acme' },
    'preset must be one of vapi, retell, twilio, telnyx, elevenlabs, bland, bolna, ultravox, pretend, custom',
  ],
  [{ ...vapi, state: {} }, 'state is not a member'],
  [{ ...vapi, enabled: 1 }, 'enabled must be true or false'],
  [{ ...vapi, maxLive: 0 }, 'maxLive must be an integer between 1 and 100'],
  [{ ...vapi, maxLive: 101 }, 'maxLive must be an integer between 1 and 100'],
  [{ ...vapi, template: template() }, 'template must not be given with a preset'],
  [{ ...own, template: null }, 'template must be an object'],
  [{ preset: 'custom' }, 'template is required'],
  [{ ...own, template: template('http://a.example') }, 'template.start.url must be an https:// URL'],
  [{ ...vapi, variables: { assistantId: 'a1' } }, 'variables.phoneNumberId is required'],
  [{ ...own, variables: {} }, 'variables.from is required'],
  [
    { ...vapi, variables: { ...vapi.variables, more: 'x' } },
    'variables.more is not a variable of the template',
  ],
  [{ ...vapi, variables: [] }, 'variables must be an object'],
  [
    { ...vapi, variables: { assistantId: 7 } },
    'variables.assistantId must be a string of 1 to 1024 bytes, without line breaks',
  ],
  [
    { ...vapi, variables: { assistantId: 'a\n' } },
    'variables.assistantId must be a string of 1 to 1024 bytes, without line breaks',
  ],
  [{ ...vapi, secrets: {} }, 'secrets.apiKey is required'],
  [{ ...vapi, secrets: 'sk' }, 'secrets must be an object'],
  [
    { ...vapi, secrets: { apiKey: 'sk\n' } },
    'secrets.apiKey must be a string of 1 to 4096 printable ASCII characters',
  ],
  [
    { ...vapi, secrets: { apiKey: { hint: '…1a2b' } } },
    'secrets.apiKey must be a string of 1 to 4096 printable ASCII characters',
  ],
  [
    { ...vapi, secrets: { apiKey: 'x'.repeat(4097) } },
    'secrets.apiKey must be a string of 1 to 4096 printable ASCII characters',
  ],
  [{ ...vapi, secrets: { ...vapi.secrets, key: 'x' } }, 'secrets.key is not a secret of the template'],
  [{ preset: 'pretend', secrets: { apiKey: 'x' } }, 'secrets.apiKey is not a secret of the template'],
  [
    { preset: 'pretend', variables: { speed: '101' } },
    'variables.speed must be an integer between 1 and 100',
  ],
  [
    { ...vapi, variables: { ...vapi.variables, maxCallSeconds: '0' } },
    'variables.maxCallSeconds must be an integer between 1 and 86400',
  ],
])('%j is no dialer', (body, message) => expect(messageOf(put(body))).toBe(message))

it('A change merges variables and secrets, and null removes one', () => {
  const added = settingsOf(patch({ variables: { outcomeOutputId: 'o1' }, maxLive: 9 }))
  expect(added).toMatchObject({ maxLive: 9, variables: { ...vapi.variables, outcomeOutputId: 'o1' } })
  expect(settingsOf(patch({ variables: { outcomeOutputId: null } }, added)).variables).toEqual(vapi.variables)
  expect(settingsOf(patch({ maxLive: null }, added)).maxLive).toBe(5)
  expect(messageOf(patch({ variables: { assistantId: null } }))).toBe('variables.assistantId is required')
  expect(messageOf(patch({ preset: null }))).toBe('preset is required')
  expect(messageOf(patch({ variables: null }))).toBe('variables.assistantId is required')
  expect(messageOf(patch({ enabled: 'no' }))).toBe('enabled must be true or false')
  expect(messageOf(patch([]))).toBe('Request body must be a JSON object')
})

it('A change keeps secrets while the template is the same', () => {
  expect(settingsOf(patch({ enabled: false }))).toEqual({ ...before, isEnabled: false })
  expect(settingsOf(patch({ preset: 'vapi' })).secrets).toEqual(vapi.secrets)
  expect(settingsOf(patch({ secrets: { apiKey: 'new' } })).secrets).toEqual({ apiKey: 'new' })
  const custom = settingsOf(put(own))
  expect(settingsOf(patch({ template: template() }, custom)).secrets).toEqual(vapi.secrets)
  expect(settingsOf(patch({ template: custom.template }, custom)).secrets).toEqual(vapi.secrets)
})

it.each([
  ['removes them', vapi, { secrets: { apiKey: null } }],
  ['removes all of them', vapi, { secrets: null }],
  [
    'names another preset',
    vapi,
    { preset: 'retell', variables: { assistantId: null, phoneNumberId: null, fromNumber: '+1' } },
  ],
  [
    'brings a template',
    vapi,
    {
      preset: 'custom',
      template: template(),
      variables: { assistantId: null, phoneNumberId: null, ...variables },
    },
  ],
  ['sends them elsewhere', own, { template: template('https://evil.example/') }],
  [
    'adds a header',
    own,
    { template: { ...template(), check: { method: 'GET', url: 'https://api.example.com/' } } },
  ],
])('A change needs new secrets when it %s', (_, first, change) => {
  const of = settingsOf(put(first))
  expect(messageOf(patch(change, of))).toBe('secrets.apiKey is required')
  if (!('secrets' in change))
    expect(settingsOf(patch({ ...change, secrets: { apiKey: 'new' } }, of)).secrets).toEqual({
      apiKey: 'new',
    })
})

it('A change to a preset leaves the template behind', () => {
  const change = { ...vapi, variables: { ...vapi.variables, from: null } }
  expect(settingsOf(patch(change, settingsOf(put(own))))).toEqual(before)
})

it('A template that names a variable needs it, but one that was taken without it can still be changed', () => {
  const taken = { ...settingsOf(put(own)), variables: {} }
  expect(settingsOf(patch({ enabled: false }, taken)).isEnabled).toBe(false)
  expect(settingsOf(patch({ variables }, taken)).variables).toEqual(variables)
  const another = template('https://api.example.com/other')
  expect(messageOf(patch({ template: another, secrets: vapi.secrets }, taken))).toBe(
    'variables.from is required',
  )
  expect(messageOf(patch({ variables: { from: null } }, settingsOf(put(own))))).toBe(
    'variables.from is required',
  )
})
