// The catalogue's entries of dialers: set, read, changed, removed, previewed and checked; and the presets.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { randomBase62 } from '../../../src/base/base62.ts'
import { sealSecrets } from '../../../src/channels/dialers/dialer-secrets.ts'
import { companyDb } from '../database/store.ts'
import { absentCampaign, newPhone, seedCampaign, seedLead } from '../world.ts'
import { callBeside } from './calls.ts'
import {
  type Endpoint,
  endpoint,
  type Flaw,
  type Method,
  type Scene,
  type Sent,
  scopesOf,
  type World,
  withFields,
} from './endpoint.ts'
import { invalidBody, notAnObject, unknownMembers } from './mistakes.ts'

const pathOf = ({ campaignId }: Scene) => `/api/v1/campaigns/${encodeURIComponent(campaignId)}/dialer`

/** A dialer in the place, as it lies in the database: it pretends, and is off. Returns its path. */
async function dialerIn(place: Scene): Promise<string> {
  const { companyId, campaign, campaignId } = place
  if (campaign.number !== absentCampaign.number) {
    const owner = { companyId, campaignId, preset: 'pretend', template: null }
    await companyDb
      .prepare(
        `insert into dialers (campaign_number, company_id, key_id, max_live, preset, variables, sealed_secrets, origin,
           version, changed_at_ms)
         values (?1, ?2, ?3, 5, 'pretend', '{}', ?4, 'https://lead-intake.test', 1, 1)
         on conflict do update set removed_at_ms = null`,
      )
      .bind(campaign.number, companyId, `key-${randomBase62(8)}`, sealSecrets(env.WEBHOOK_ROOT, owner, {}))
      .run()
  }
  return pathOf(place)
}

const none: Flaw = {
  name: 'a campaign without a dialer',
  said: [404, 'Campaign has no dialer', 'dialer_not_found'],
  async change({ path, ...sent }, { companyId, campaignId }) {
    const { id } = await seedCampaign(companyId)
    return { ...sent, path: path.replace(encodeURIComponent(campaignId), id) }
  },
}

const one = (name: string, method: Method, what = '', body?: (place: Scene) => Promise<object>) =>
  endpoint({
    name,
    method,
    path: `/api/v1/campaigns/:campaignId/dialer${what}`,
    scopes: scopesOf.manage,
    actsOn: 'campaign',
    ...(body && { maxBytes: 64 * 1024 }),
    request: async (place): Promise<Sent> => ({
      path: (await dialerIn(place)) + what,
      ...(body && { body: await body(place) }),
    }),
    conflicts: [none],
  })

const longest = '1 to 1024 bytes, without line breaks'
/** In the order in which they are checked. */
const wrongMembers: Endpoint['invalid'] = (
  [
    ['enabled must be true or false', { enabled: 'yes' }],
    ['maxLive must be an integer between 1 and 100', { maxLive: 101 }],
    [
      'preset must be one of vapi, retell, twilio, telnyx, elevenlabs, bland, bolna, ultravox, pretend, custom',
      { preset: 'other' },
    ],
    ['variables must be an object', { variables: [] }],
    [`variables.speed must be a string of ${longest}`, { variables: { speed: 10 } }],
    ['secrets must be an object', { secrets: 'sk-1' }],
    ['secrets.apiKey must be a string of 1 to 4096 printable ASCII characters', { secrets: { apiKey: 'é' } }],
  ] as const
).map(([message, fields]) => invalidBody(message, fields))

const pretend = async () => ({ preset: 'pretend', enabled: false })
const vapi = {
  preset: 'vapi',
  variables: { assistantId: 'a1', phoneNumberId: 'p1' },
  secrets: { apiKey: 'sk-1' },
}

const setDialer: Endpoint = {
  ...one('setDialer', 'PUT', '', pretend),
  alsoSucceeds: {
    'of a provider, off': (world: World) => ({ path: pathOf(world), body: { ...vapi, enabled: false } }),
    'in place of another': async (world: World) => ({
      path: await dialerIn(world),
      body: { preset: 'pretend', variables: { speed: '100' }, maxLive: 1, enabled: false },
    }),
  },
  invalid: [
    notAnObject,
    invalidBody('preset is required', { preset: undefined }),
    ...wrongMembers,
    ...unknownMembers,
    ...(
      [
        ['template must not be given with a preset', { template: {} }],
        ['variables.assistantId is required', { ...vapi, variables: {} }],
        ['secrets.apiKey is required', { ...vapi, secrets: {} }],
        ['variables.speed must be an integer between 1 and 100', { variables: { speed: '101' } }],
      ] as const
    ).map(([message, fields]) => invalidBody(message, fields)),
  ],
  conflicts: [],
}

const changeDialer: Endpoint = {
  ...one('changeDialer', 'PATCH', '', async () => ({ maxLive: 3 })),
  invalid: [notAnObject, ...wrongMembers, ...unknownMembers],
}

const previewDialer: Endpoint = {
  ...one('previewDialer', 'POST', '/preview', async ({ campaign }) => ({
    leadId: await seedLead(campaign),
  })),
  invalid: [
    notAnObject,
    invalidBody('leadId is required', { leadId: '' }),
    invalidBody('leadId must be a string', { leadId: 7 }),
    invalidBody('lead is not a member', { lead: 'x' }),
  ],
  conflicts: [
    none,
    {
      name: 'a lead that is not there',
      said: [404, 'Lead not found', 'lead_not_found'],
      change: withFields({ leadId: '42' }),
    },
  ],
}

/** What the object of the place's dialer knows of test calls. */
async function keepTests({ companyId, campaign }: Scene, add: readonly object[]): Promise<void> {
  const object = env.DIALERS.getByName(`${companyId}/${campaign.number}`)
  await runInDurableObject(object, (_, { storage: { kv } }) => {
    kv.put('tests', add.length === 0 ? [] : [...(kv.get<object[]>('tests') ?? []), ...add])
  })
}

const testOf = (state: 'starting' | 'ended') => ({
  ...{ testId: `test-${randomBase62(22)}`, state, startedAtMs: Date.now(), changedAtMs: Date.now() },
  ...{ outcome: null, reason: null, seconds: null, saidOutcome: null, callbackAtMs: null },
})

const testDialer: Endpoint = {
  ...one('testDialer', 'POST', '/test', async (place) => {
    await keepTests(place, [])
    return { phoneNumber: newPhone(), metadata: { name: 'Ada' } }
  }),
  success: 202,
  invalid: [
    notAnObject,
    invalidBody('phoneNumber is required', { phoneNumber: undefined }),
    invalidBody('phoneNumber must be a string in E.164 format', { phoneNumber: 4 }),
    invalidBody('phoneNumber must be in E.164 format', { phoneNumber: '0151 1' }),
    invalidBody('metadata must be an object', { metadata: 'x' }),
    invalidBody('number is not a member', { number: 'x' }),
  ],
  conflicts: [
    none,
    {
      name: 'a number that is suppressed',
      said: [403, 'Phone number is suppressed', 'number_suppressed'],
      change: async (sent, place) => {
        const { agent } = await callBeside(place)
        const phoneNumber = newPhone()
        await agent.suppress([phoneNumber])
        return withFields({ phoneNumber })(sent)
      },
    },
    {
      name: 'a number in a call',
      said: [409, 'Phone number is in a call', 'number_in_call'],
      change: async (sent, place) => {
        const { call } = await callBeside(place)
        return withFields({ phoneNumber: call.lead.phoneNumber })(sent)
      },
    },
  ],
  alsoFails: [
    {
      name: 'a second one at a time',
      said: [409, 'A test call is running', 'test_running'],
      async change({ path, ...sent }, { companyId, campaignId }) {
        const campaign = await seedCampaign(companyId)
        const other = { companyId, campaign, campaignId: campaign.id }
        await dialerIn(other)
        await keepTests(other, [testOf('starting')])
        return { ...sent, path: path.replace(encodeURIComponent(campaignId), campaign.id) }
      },
    },
  ],
}

const readDialerTest: Endpoint = {
  ...one('readDialerTest', 'GET', '/test/:testId'),
  request: async (place) => {
    const test = testOf('ended')
    await keepTests(place, [test])
    return { path: `${await dialerIn(place)}/test/${test.testId}` }
  },
  conflicts: [
    none,
    {
      name: 'a test call that is not there',
      said: [404, 'Test call not found', 'test_not_found'],
      change: async (_, place) => ({ path: `${await dialerIn(place)}/test/other` }),
    },
  ],
}

const listDialerPresets = endpoint({
  name: 'listDialerPresets',
  method: 'GET',
  path: '/api/v1/dialer-presets',
  scopes: scopesOf.look,
  actsOn: 'nothing',
  request: () => ({ path: '/api/v1/dialer-presets' }),
})

export const dialerEndpoints = [
  one('getDialer', 'GET'),
  setDialer,
  changeDialer,
  one('deleteDialer', 'DELETE'),
  previewDialer,
  one('checkDialer', 'POST', '/check'),
  one('readDialerTrace', 'GET', '/trace'),
  testDialer,
  readDialerTest,
  listDialerPresets,
]
