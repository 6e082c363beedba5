// The dialer of a campaign as its owner sees it: setting, reading, changing and removing it, its key, its preview and
// check. That no secret gets out is in secrets.test.ts, what the object does in ../../runtime/dialers.
import { expect, it } from 'vitest'
import { seedAgent } from '../../support/calling/agent.ts'
import { fakeTemplate } from '../../support/dialers/fake-provider.ts'
import { namesWhere } from '../../support/dialers/preset-cases.ts'
import { openHost } from '../../support/dialers/provider-host.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, seedCampaign, seedKey } from '../../support/world.ts'

type Dialer = {
  enabled: boolean
  maxLive: number
  preset: string
  template: object | null
  variables: Record<string, string>
  secrets: Record<string, { hint: string | null }>
  endUrl: string | null
  state: {
    status: string
    reason: string | null
    since: string
    live: number
    aside: number
    lastProblem: object | null
  }
}

const vapi = {
  preset: 'vapi',
  variables: { assistantId: 'a1', phoneNumberId: 'p1' },
  secrets: { apiKey: 'sk-0123456789abcdef1a2b' },
}

async function seed() {
  const world = await seedAgent()
  const path = `${world.campaignPath}/dialer`
  const ask = (method: string, body?: object, what = '', key = world.manageKey) =>
    api(key).request(method, path + what, body)
  const done = async (method: string, body?: object, what = '') =>
    dataOf(await ask(method, body, what), 200) as Dialer
  return { ...world, path, ask, done }
}

it('A dialer that was set answers as it is read, with its defaults, and no secret but its last four characters', async () => {
  const { done } = await seed()
  const set = await done('PUT', { ...vapi, enabled: false })
  expect(set).toMatchObject({
    ...{ enabled: false, maxLive: 5, preset: 'vapi', template: null, variables: vapi.variables },
    secrets: { apiKey: { hint: '…1a2b' } },
    endUrl: expect.stringMatching(/^http.{1,199}$/),
    state: {
      status: 'off',
      reason: null,
      since: expect.stringMatching(/Z$/),
      live: 0,
      aside: 0,
      lastProblem: null,
    },
  })
  const { state, ...read } = await done('GET')
  expect({ ...read, state: expect.anything() }).toEqual({ ...set, state: expect.anything() })
  expect(state.status).toBe('off')
})

it('A campaign without a dialer answers 404 to reading, changing, removing, preview and check', async () => {
  const { ask, done } = await seed()
  const none = async () => {
    for (const [method, body, what] of [
      ['GET'],
      ['PATCH', { maxLive: 3 }],
      ['DELETE'],
      ['POST', { leadId: 'x' }, '/preview'],
      ['POST', {}, '/check'],
    ] as [string, object?, string?][])
      expectFailure(await ask(method, body, what), 404, 'Campaign has no dialer', 'dialer_not_found')
  }
  await none()
  await done('PUT', { preset: 'pretend', enabled: false })
  dataOf(await ask('DELETE'), 200)
  await none()
})

it.each<[what: string, body: object, error: string]>([
  ['no preset', {}, 'preset is required'],
  [
    'an unknown preset',
    { preset: 'other' },
    'preset must be one of vapi, retell, twilio, telnyx, elevenlabs, bland, bolna, ultravox, pretend, custom',
  ],
  ['an unknown member', { ...vapi, speed: 1 }, 'speed is not a member'],
  [
    'a preset with a template',
    { ...vapi, template: fakeTemplate },
    'template must not be given with a preset',
  ],
  ['no variable', { ...vapi, variables: { assistantId: 'a1' } }, 'variables.phoneNumberId is required'],
  [
    'an unknown variable',
    { ...vapi, variables: { ...vapi.variables, x: 'y' } },
    'variables.x is not a variable of the template',
  ],
  ['no secret', { ...vapi, secrets: {} }, 'secrets.apiKey is required'],
  [
    'an unknown secret',
    { ...vapi, secrets: { ...vapi.secrets, x: 'y' } },
    'secrets.x is not a secret of the template',
  ],
  ['no seat', { ...vapi, maxLive: 0 }, 'maxLive must be an integer between 1 and 100'],
  ['too many seats', { ...vapi, maxLive: 101 }, 'maxLive must be an integer between 1 and 100'],
])('A dialer with %s is refused with what is wrong', async (_, body, error) => {
  const { ask } = await seed()
  expectFailure(await ask('PUT', body), 400, error, 'invalid_field')
})

it('A dialer is not switched on by null', async () => {
  const { ask, done } = await seed()
  await done('PUT', { ...vapi, enabled: false })
  for (const [method, body] of [
    ['PATCH', {}],
    ['PUT', vapi],
  ] as const)
    expectFailure(
      await ask(method, { ...body, enabled: null }),
      400,
      'enabled must be true or false',
      'invalid_field',
    )
  expect((await done('GET')).enabled).toBe(false)
})

it('The key of a dialer has no end, whichever key sets it', async () => {
  const { ask, manageKey, campaignId } = await seed()
  const manager = api(manageKey)
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { name: 'for a day', scope: 'manage', expiresAt }
  const { key } = dataOf(await manager.request('POST', '/api/v1/keys', body), 201) as { key: string }
  dataOf(await ask('PUT', { ...vapi, enabled: false }, '', key), 200)
  const ends = async () => {
    const { keys } = dataOf(await manager.request('GET', '/api/v1/keys'), 200) as {
      keys: (ListedKey & { expiresAt: string | null })[]
    }
    return keys
      .filter((one) => one.campaignId === campaignId && one.name === 'dialer')
      .map((one) => one.expiresAt)
  }
  expect(await ends()).toEqual([null])
  dataOf(await ask('PATCH', { maxLive: 2 }, '', key), 200)
  expect(await ends()).toEqual([null])
})

it('The preview of a pretended call is its request, as of any other', async () => {
  const { done, add } = await seed()
  const { leadId, phoneNumber } = await add()
  await done('PUT', { preset: 'pretend', enabled: false, variables: { speed: '10' } })
  expect(await done('POST', { leadId }, '/preview')).toMatchObject({
    ...{ method: 'POST', url: 'https://pretend.invalid/calls' },
    body: { to: phoneNumber, speed: '10' },
  })
})

it('A template is shown as it was sent', async () => {
  const { done } = await seed()
  const template = {
    ...fakeTemplate,
    hangUp: null,
    status: { ...fakeTemplate.status, details: { a: '/a', b: ['/b'] } },
  }
  const secrets = { apiKey: 'first-secret-0001' }
  expect((await done('PUT', { preset: 'custom', enabled: false, template, secrets })).template).toEqual(
    template,
  )
  expect((await done('GET')).template).toEqual(template)
})

it('A change merges members, variables and secrets, and null removes one', async () => {
  const { done } = await seed()
  const custom = {
    ...{ preset: 'custom', enabled: false, template: fakeTemplate, secrets: { apiKey: 'first-secret-0001' } },
    variables: { maxCallSeconds: '600' },
  }
  await done('PUT', custom)
  expect(await done('PATCH', { maxLive: 9 })).toMatchObject({
    ...{ maxLive: 9, enabled: false, preset: 'custom', variables: { maxCallSeconds: '600' } },
    secrets: { apiKey: { hint: '…0001' } },
  })
  expect(await done('PATCH', { variables: { maxCallSeconds: null } })).toMatchObject({
    variables: {},
    maxLive: 9,
  })
  expect(await done('PATCH', { secrets: { apiKey: 'second-secret-0002' } })).toMatchObject({
    secrets: { apiKey: { hint: '…0002' } },
  })
})

it('Another preset or template drops the secrets, and needs its own in the same request', async () => {
  const { ask, done } = await seed()
  await done('PUT', { ...vapi, enabled: false })
  expectFailure(
    await ask('PATCH', {
      preset: 'retell',
      variables: { assistantId: null, phoneNumberId: null, fromNumber: '+1415' },
    }),
    400,
    'secrets.apiKey is required',
    'invalid_field',
  )
  expect(
    await done('PATCH', { preset: 'pretend', variables: { assistantId: null, phoneNumberId: null } }),
  ).toMatchObject({ preset: 'pretend', secrets: {} })
})

it('Only a manage key of the company, or of the campaign itself, sees and sets a dialer', async () => {
  const { ask, agentKey, campaign, companyId, writeKey, done } = await seed()
  await done('PUT', { preset: 'pretend', enabled: false })
  const own = await seedKey({ companyId, campaign, scope: 'manage' })
  dataOf(await ask('GET', undefined, '', own.key), 200)
  dataOf(await ask('PATCH', { maxLive: 2 }, '', own.key), 200)
  for (const key of [agentKey, writeKey])
    expectFailure(await ask('GET', undefined, '', key), 403, 'Insufficient permissions')
  const otherCampaign = await seedKey({ companyId, campaign: await seedCampaign(companyId), scope: 'manage' })
  const stranger = (await seedAgent()).manageKey
  for (const key of [otherCampaign.key, stranger])
    for (const [method, body] of [['GET'], ['PUT', { preset: 'pretend' }], ['DELETE']] as [string, object?][])
      expectFailure(
        await ask(method, body, '', key),
        403,
        'Campaign not found or access denied',
        'campaign_denied',
      )
})

type ListedKey = {
  keyId: string
  name: string
  scope: string
  campaignId: string
  createdBy: string
  revokedAt: string | null
  isDialer: boolean
}

it('The key of a dialer is listed, cannot be rotated, and stops the dialer when it is revoked', async () => {
  const { done, manageKey, campaignId } = await seed()
  const manager = api(manageKey)
  await done('PUT', { preset: 'pretend' })
  const listed = async () =>
    (dataOf(await manager.request('GET', '/api/v1/keys'), 200) as { keys: ListedKey[] }).keys.filter(
      ({ name }) => name === 'dialer',
    )
  const [key] = await listed()
  expect(key).toMatchObject({ scope: 'agent', campaignId, revokedAt: null, isDialer: true })
  const { keys } = dataOf(await manager.request('GET', '/api/v1/keys'), 200) as { keys: ListedKey[] }
  expect(keys.filter(({ isDialer }) => isDialer)).toHaveLength(1)
  expectFailure(
    await manager.request('POST', `/api/v1/keys/${key?.keyId}/rotate`),
    409,
    'The key of a dialer is not rotated',
    'key_of_dialer',
  )
  dataOf(await manager.request('DELETE', `/api/v1/keys/${key?.keyId}`), 200)
  await expect
    .poll(async () => {
      await done('PATCH', {}).catch(() => null)
      return (await listed()).length
    })
    .toBeGreaterThan(1)
  expect(await done('GET')).toMatchObject({ enabled: true })
})

it('A preview is the start as it would be sent, with its secrets hidden, and sends nothing', async () => {
  const { done, add, another } = await seed()
  const { leadId } = await add({ phoneNumber: newPhone(), metadata: { name: 'Ada' } })
  await done('PUT', { ...vapi, enabled: false })
  const preview = (await done('POST', { leadId }, '/preview')) as unknown as Record<string, unknown>
  expect(preview).toMatchObject({
    ...{ method: 'POST', url: 'https://api.vapi.ai/call' },
    headers: { authorization: 'Bearer …' },
    body: { assistantId: 'a1', assistantOverrides: { variableValues: { name: 'Ada' } } },
  })
  expect(Object.keys(preview).sort()).toEqual(['body', 'headers', 'method', 'url'])
  const other = await (await another()).add()
  const { ask } = { ask: async (id: string) => done('POST', { leadId: id }, '/preview') }
  await expect(ask(other.leadId)).rejects.toThrow()
})

it('A check says whether the credentials are valid, and what the provider says otherwise', async () => {
  const { done } = await seed()
  let isValid = true
  const { url, sent } = openHost(() =>
    isValid ? new Response('{}') : new Response('{"message":"no key 1234"}', { status: 401 }),
  )
  const template = { ...fakeTemplate, check: { method: 'GET', url: `${url}/me` } }
  const secrets = { apiKey: 'secret-of-the-check' }
  await done('PUT', { preset: 'custom', enabled: false, template, secrets })
  expect(await done('POST', {}, '/check')).toEqual({ ok: true, problem: null })
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret-of-the-check')
  isValid = false
  expect(await done('POST', {}, '/check')).toEqual({
    ok: false,
    problem: { at: expect.any(String), status: 401, code: null, message: 'no key ####' },
  })
})

it('The presets name what must be entered, and hold their whole template', async () => {
  const { agentKey } = await seed()
  const { presets } = dataOf(await api(agentKey).request('GET', '/api/v1/dialer-presets'), 200) as {
    presets: Record<string, unknown>[]
  }
  const isProven = (name: string) => presets.find((preset) => preset.name === name)?.isProven
  const unproven = namesWhere(({ answers }) => answers !== 'itself')
  expect(unproven.map(isProven)).toEqual(unproven.map(() => false))
  expect(isProven('pretend')).toBe(true)
  const deaf = presets.filter(({ hearsNo }) => hearsNo === false).map(({ name }) => name)
  expect(deaf).toEqual(namesWhere(({ hearsNo }) => !hearsNo))
  for (const preset of presets)
    expect(Object.keys(preset).sort()).toEqual([
      'hearsNo',
      'isProven',
      'name',
      'secrets',
      'template',
      'title',
      'variables',
    ])
  expect(presets[0]).toMatchObject({
    secrets: [{ name: 'apiKey', title: expect.any(String), isRequired: true, help: expect.any(String) }],
  })
})
