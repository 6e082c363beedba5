// The catalogue's entries of sources: created, listed, read, changed, removed, rotated, and tried.
import { randomBase62 } from '../../../src/base/base62.ts'
import { companyDb } from '../database/store.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { absentCampaign, seedCampaign } from '../world.ts'
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
import {
  again,
  invalidBody,
  notAnObject,
  notStorable,
  reused,
  unknownMembers,
  wrongIdempotencyKey,
} from './mistakes.ts'

const pathOf = ({ campaignId }: Scene) => `/api/v1/campaigns/${encodeURIComponent(campaignId)}/sources`

/** A source in the place, as it lies in the database. Returns its path. */
async function sourceIn(place: Scene): Promise<string> {
  const { companyId, campaign } = place
  const id = `src_${randomBase62(20)}`
  if (campaign.number !== absentCampaign.number)
    await companyDb.batch([
      companyDb
        .prepare(
          `insert into api_keys (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, source_id)
           values ('key_' || ?1, ?2, ?3, 'write', 'form', ?1, '', 0, ?1)`,
        )
        .bind(id, companyId, campaign.number),
      companyDb
        .prepare(
          `insert into sources (id, company_id, campaign_number, key_id, name, countries, fields, ignored, on_existing,
             is_enabled, version, created_at_ms, changed_at_ms, last_names, names_at_ms, last_problem, problem_at_ms)
           values (?1, ?2, ?3, 'key_' || ?1, 'form', '["DE"]', '{"timeZone":null}', '[]', 'keep', 1, 1, 0, 0,
             '["phone"]', 0, '{"code":"invalid_field","message":"phoneNumber is missing"}', 0)`,
        )
        .bind(id, companyId, campaign.number),
    ])
  return `${pathOf(place)}/${id}`
}

const neverGiven: Flaw = {
  name: 'an id that was never given',
  said: [404, 'Source not found', 'source_not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/src_[0-9A-Za-z]+/, 'src_00000000000000000000') }),
}

const one = (name: string, method: Method, what = '', body?: object) =>
  endpoint({
    name,
    method,
    path: `/api/v1/campaigns/:campaignId/sources/:sourceId${what}`,
    scopes: scopesOf.manage,
    actsOn: 'campaign',
    ...(body && { maxBytes: what === '/try' ? 256 * 1024 : 64 * 1024 }),
    request: async (place): Promise<Sent> => ({
      path: (await sourceIn(place)) + what,
      ...(body && { body }),
    }),
    conflicts: [neverGiven],
  })

const consent = { purpose: 'offers', text: 'Yes.' }
const form = { name: 'Contact form', countries: ['DE', 'AT'] }
const everything = {
  ...form,
  ...{ fields: { phoneNumber: 'your-phone', timeZone: null }, ignored: ['note'], onExisting: 'requeue' },
  consent: { ...consent, field: 'call-me', expiresAfterDays: 365 },
  ...{ redirectUrl: 'https://example.com/thanks', turnstileSecret: '0x4AAAA', enabled: false },
}

const wrongCountries = 'countries must be an array of 1 to 250 codes of countries, such as DE'
const wrongRedirect =
  'redirectUrl must be an https URL of at most 2048 characters, without a user name or password'
/** In the order in which they are checked. */
const wrongMembers: Endpoint['invalid'] = (
  [
    ['name must be a string of 1 to 100 characters', { name: 'x'.repeat(101) }],
    [notStorable('name'), { name: 'a\0' }],
    ['name is required', { name: '' }],
    [wrongCountries, { countries: [] }],
    [wrongCountries, { countries: 'DE' }],
    ['countries[1] must be the code of a country, such as DE', { countries: ['DE', 'EU'] }],
    ['countries[0] must be the code of a country, such as DE', { countries: ['de'] }],
    ['countries[0] must be the code of a country, such as DE', { countries: ['UK'] }],
    ['countries must not repeat a value', { countries: ['DE', 'DE'] }],
    ['fields must be an object', { fields: [] }],
    ['fields.priority must be a string of 1 to 255 characters', { fields: { priority: 7 } }],
    [
      'fields.phone is not a member: phoneNumber, externalId, scheduledFor, priority, timeZone',
      { fields: { phone: 'x' } },
    ],
    ['ignored must be an array of at most 300 names of 1 to 255 characters', { ignored: 'x' }],
    ['ignored must be a string of 1 to 255 characters', { ignored: [''] }],
    ['consent must be an object', { consent: true }],
    ['consent.text must be a string of at most 4000 characters', { consent: { purpose: 'offers' } }],
    ['consent.text must not be empty', { consent: { ...consent, text: '' } }],
    [
      'consent.purpose must be 1 to 64 of letters, digits, dot, underscore and hyphen',
      { consent: { ...consent, purpose: 'a b' } },
    ],
    [
      'consent.expiresAfterDays must be an integer between 1 and 3650',
      { consent: { ...consent, expiresAfterDays: 0 } },
    ],
    ['onExisting must be one of keep, requeue', { onExisting: 'replace' }],
    [wrongRedirect, { redirectUrl: 'http://example.com' }],
    [wrongRedirect, { redirectUrl: 'javascript:alert(1)' }],
    ['turnstileSecret must be a string of 1 to 255 printable ASCII characters', { turnstileSecret: 'a b' }],
    ['enabled must be true or false', { enabled: 'yes' }],
    ['url is not a member', { url: 'https://example.com' }],
  ] as const
).map(([message, fields]) => invalidBody(message, fields))

/** In a campaign of its own: its sources are not to be in the way of the other cases'. */
const tooMany: Flaw = {
  name: 'as many sources as there may be',
  said: [409, 'Too many sources', 'too_many_sources'],
  async change(sent, { companyId, campaignId }) {
    const full = await seedCampaign(companyId)
    for (let i = 0; i < 20; i++) await sourceIn({ companyId, campaignId: full.id, campaign: full })
    return { ...sent, path: sent.path.replace(encodeURIComponent(campaignId), full.id) }
  },
}

const sourcesOf = (name: string, method: Method) =>
  endpoint({
    name,
    method,
    path: '/api/v1/campaigns/:campaignId/sources',
    scopes: scopesOf.manage,
    actsOn: 'campaign',
    request: (place): Sent => ({ path: pathOf(place) }),
  })

const createRequest = (place: Scene): Sent => ({ path: pathOf(place), body: form })

const removedSince: Flaw = {
  name: 'the Idempotency-Key of a source that was removed since',
  said: [404, 'Source not found', 'source_not_found'],
  async change(_, place, key) {
    const repeated = await again(createRequest(place), key)
    const { sources } = dataOf(await api(key).request('GET', repeated.path), 200) as {
      sources: { sourceId: string }[]
    }
    for (const { sourceId } of sources) await api(key).request('DELETE', `${repeated.path}/${sourceId}`)
    return repeated
  },
}

const unanswered: Flaw = {
  name: 'a country whose clock nobody has chosen',
  said: [
    400,
    'timeZones must say by whose clock numbers of US are called: a time zone of each, or campaign',
    'invalid_field',
  ],
  async change(sent, { companyId, campaignId }, key) {
    const { id } = await seedCampaign(companyId)
    await api(key).request('PATCH', `/api/v1/campaigns/${id}`, { timeZone: 'Europe/Berlin' })
    const path = sent.path.replace(encodeURIComponent(campaignId), id)
    return withFields({ countries: ['DE', 'US'] })({ ...sent, path })
  },
}

const createSource: Endpoint = {
  ...sourcesOf('createSource', 'POST'),
  maxBytes: 64 * 1024,
  success: 201,
  request: createRequest,
  alsoSucceeds: {
    'with all members': (world: World) => ({ path: pathOf(world), body: everything }),
    'that is repeated': (world: World, key: string) => again(createRequest(world), key),
  },
  invalid: [
    notAnObject,
    invalidBody('countries is required', { countries: undefined }),
    ...wrongMembers,
    ...unknownMembers,
    wrongIdempotencyKey,
  ],
  conflicts: [tooMany],
  alsoFails: [
    reused((place) => ({ ...createRequest(place), body: { ...form, name: 'Another' } })),
    removedSince,
    unanswered,
  ],
}

const listSources: Endpoint = {
  ...sourcesOf('listSources', 'GET'),
  alsoSucceeds: {
    'that has one': async (world: World) => {
      await sourceIn(world)
      return { path: pathOf(world) }
    },
  },
}

const changeSource: Endpoint = {
  ...one('changeSource', 'PATCH', '', { name: 'Another form' }),
  alsoSucceeds: {
    'of all members': async (world: World) => ({ path: await sourceIn(world), body: everything }),
  },
  invalid: [notAnObject, ...wrongMembers, ...unknownMembers],
}

const post = { contentType: 'application/json', body: '{"phone":"0171 1234567","priority":"9"}' }

const trySource: Endpoint = {
  ...one('trySource', 'POST', '/try', post),
  alsoSucceeds: {
    'of a type that is not read': async (world: World) => ({
      path: `${await sourceIn(world)}/try`,
      body: { ...post, contentType: 'text/csv' },
    }),
  },
  invalid: [
    notAnObject,
    invalidBody('contentType must be a string', { contentType: null }),
    invalidBody('body must be a string', { body: {} }),
    ...unknownMembers,
  ],
}

export const sourceEndpoints = [
  createSource,
  listSources,
  one('getSource', 'GET'),
  changeSource,
  one('deleteSource', 'DELETE'),
  one('rotateSource', 'POST', '/rotate'),
  trySource,
]
