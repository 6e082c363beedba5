// The catalogue's entries of gates: set, read, changed, removed, tried, and let go on.
import { env } from 'cloudflare:workers'
import { sealGateSecrets } from '../../../src/channels/dialers/gate/gate-secrets.ts'
import { configure } from '../companies/administration.ts'
import { companyDb } from '../database/store.ts'
import { absentCampaign, seedCampaign } from '../world.ts'
import {
  type Endpoint,
  endpoint,
  type Flaw,
  type Method,
  type Scene,
  type Sent,
  scopesOf,
} from './endpoint.ts'
import { invalidBody, notAnObject, unknownMembers } from './mistakes.ts'

const pathOf = ({ campaignId }: Scene) => `/api/v1/campaigns/${encodeURIComponent(campaignId)}/gate`

const questions = {
  ask: { method: 'GET', url: 'https://gate.example.com/?phone={{lead.phoneNumber}}' },
  yes: { pointer: '/status', equals: 'clear' },
}

/** A gate in the place, as it lies in the database, which asks nobody. Returns its path. */
async function gateIn(place: Scene): Promise<string> {
  const { companyId, campaign, campaignId } = place
  if (campaign.number !== absentCampaign.number) {
    const stored = { ask: questions.ask, no: null, later: null, yes: questions.yes }
    const sealed = sealGateSecrets(env.WEBHOOK_ROOT, { companyId, campaignId }, stored, {})
    await companyDb
      .prepare(
        `insert into gates (campaign_number, company_id, questions, keep_hours, later_minutes, when_silent, suppress,
           sealed_secrets, version, revision, changed_at_ms, counts_since_ms, refusing_since_ms)
         values (?1, ?2, ?3, 24, 60, 'hold', 'none', ?4, 1, 1, 1, 1, 1)
         on conflict do nothing`,
      )
      .bind(campaign.number, companyId, JSON.stringify(stored), sealed)
      .run()
    await configure(companyDb, { companyId, campaignId }, {})
    await companyDb
      .prepare('update calling_settings set gate_version = 1 where campaign_number = ?1')
      .bind(campaign.number)
      .run()
  }
  return pathOf(place)
}

const none: Flaw = {
  name: 'a campaign without a gate',
  said: [404, 'Campaign has no gate', 'gate_not_found'],
  async change({ path, ...sent }, { companyId, campaignId }) {
    const { id } = await seedCampaign(companyId)
    return { ...sent, path: path.replace(encodeURIComponent(campaignId), id) }
  },
}

const one = (name: string, method: Method, what = '', body?: (place: Scene) => object) =>
  endpoint({
    name,
    method,
    path: `/api/v1/campaigns/:campaignId/gate${what}`,
    scopes: scopesOf.manage,
    actsOn: 'campaign',
    ...(body && { maxBytes: 64 * 1024 }),
    request: async (place): Promise<Sent> => ({
      path: (await gateIn(place)) + what,
      ...(body && { body: body(place) }),
    }),
    conflicts: [none],
  })

/** In the order in which they are checked. */
const wrongMembers: Endpoint['invalid'] = (
  [
    ['keepHours must be an integer between 1 and 8760', { keepHours: 0 }],
    ['laterMinutes must be an integer between 1 and 10080', { laterMinutes: 1.5 }],
    ['whenSilent must be one of hold, call', { whenSilent: 'wait' }],
    ['suppress must be one of none, campaign, company', { suppress: 'all' }],
    ['secrets must be an object', { secrets: 'sk-1' }],
  ] as const
).map(([message, fields]) => invalidBody(message, fields))

const setGate: Endpoint = {
  ...one('setGate', 'PUT', '', () => questions),
  alsoSucceeds: { 'in place of another': async (place) => ({ path: await gateIn(place), body: questions }) },
  invalid: [
    notAnObject,
    ...wrongMembers,
    ...unknownMembers,
    ...(
      [
        ['yes must be an object', { yes: 1 }],
        ['ask must be an object', { ask: 'https://gate.example.com' }],
        [
          'no.any[0].pointer must be a JSON Pointer, such as /call/id',
          { no: { any: [{ pointer: 'a', equals: 1 }] } },
        ],
        ['secrets.token is required', { ask: { ...questions.ask, headers: { x: '{{secrets.token}}' } } }],
        ['secrets.token is not named by a header of ask', { secrets: { token: 'sk-1' } }],
      ] as const
    ).map(([message, fields]) => invalidBody(message, fields)),
  ],
  conflicts: [],
}

const changeGate: Endpoint = {
  ...one('changeGate', 'PATCH', '', () => ({ keepHours: 3 })),
  invalid: [notAnObject, ...wrongMembers, ...unknownMembers],
}

const tryGate: Endpoint = {
  ...one('tryGate', 'POST', '/try', () => ({ phoneNumber: '+14155550188' })),
  invalid: [
    notAnObject,
    invalidBody('phoneNumber is required', { phoneNumber: undefined }),
    invalidBody('phoneNumber must be a string in E.164 format', { phoneNumber: 4 }),
    invalidBody('phoneNumber must be in E.164 format', { phoneNumber: '030' }),
    ...unknownMembers,
  ],
}

export const gateEndpoints = [
  one('getGate', 'GET'),
  setGate,
  changeGate,
  one('deleteGate', 'DELETE'),
  tryGate,
  one('letGateGoOn', 'POST', '/go-on'),
  one('readGateTrace', 'GET', '/trace'),
]
