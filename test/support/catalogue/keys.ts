// The catalogue's entries of API keys: listed, read, created, rotated, revoked.
import { hashApiKey } from '../../../src/base/access/api-key.ts'
import { companyDb } from '../database/store.ts'
import { absentCampaign, type KeyKind, seedCompany, seedKey } from '../world.ts'
import { endpoint, type Flaw, type Scene, type Sent, scopesOf, type World, withFields } from './endpoint.ts'
import {
  again,
  almostKnown,
  campaignDenied,
  emptyCampaign,
  givenTwice,
  invalidBody,
  invalidQuery,
  notAnObject,
  notStorable,
  reused,
  tooLongCampaign,
  unknownMembers,
  wrongIdempotencyKey,
} from './mistakes.ts'

const listKeys = endpoint({
  name: 'listKeys',
  method: 'GET',
  path: '/api/v1/keys',
  scopes: scopesOf.manage,
  actsOn: 'nothing',
  request: () => ({ path: '/api/v1/keys' }),
})

const getOwnKey = endpoint({
  name: 'getOwnKey',
  method: 'GET',
  path: '/api/v1/keys/self',
  scopes: scopesOf.look,
  actsOn: 'nothing',
  request: () => ({ path: '/api/v1/keys/self' }),
})

const path = '/api/v1/keys'
const bodied = { maxBytes: 64 * 1024, success: 201 } as const

/** A key in the place, of its campaign; and its path. */
async function keyIn({ companyId, campaign }: Scene, kind: Partial<KeyKind> = {}): Promise<string> {
  if (campaign.number === absentCampaign.number) return `${path}/key-neverGiven`
  return `${path}/${(await seedKey({ companyId, campaign, scope: 'read', ...kind })).id}`
}

const ofKey =
  (what = '', body?: object, kind?: Partial<KeyKind>) =>
  async (place: Scene): Promise<Sent> => ({ path: (await keyIn(place, kind)) + what, ...(body && { body }) })

const neverGiven: Flaw = {
  name: 'an id that was never given',
  said: [404, 'Key not found', 'key_not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/key-[0-9A-Za-z]+/, 'key-neverGiven') }),
}

const noId: Flaw = {
  name: 'an id that is none',
  said: [404, 'Not found', 'not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/key-[0-9A-Za-z]+/, 'lk_secret') }),
}

/** So that it has as many as may be active, or more. */
export const fillKeys = (companyId: string) =>
  companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
       insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
       select ?1 || i, ?1, 'read', 'many', ?1 || i, 'lk_', 0 from n`,
    )
    .bind(companyId)
    .run()

/** The key that asks becomes another company's, which has as many as there may be. */
const tooMany: Flaw = {
  name: 'as many keys as may be active',
  hasOwnKey: true,
  said: [409, 'Too many active keys', 'too_many_keys'],
  async change(sent, _, key) {
    const companyId = await seedCompany()
    await companyDb
      .prepare('update api_keys set company_id = ?1 where hash = ?2 or id = ?3')
      .bind(companyId, hashApiKey(key), /key-[0-9A-Za-z]+/.exec(sent.path)?.[0] ?? '')
      .run()
    await fillKeys(companyId)
    return sent
  },
}

/** The key that asks expires, and the new one would not. */
const outlives: Flaw = {
  name: 'a key that ends too early for it',
  hasOwnKey: true,
  said: [403, 'The new key would outlive your own', 'key_outlives_own'],
  async change(sent, _, key) {
    await companyDb
      .prepare('update api_keys set expires_at_ms = ?1 where hash = ?2')
      .bind(Date.now() + 3_600_000, hashApiKey(key))
      .run()
    return sent
  },
}

const idOf = async (key: string) =>
  (await companyDb
    .prepare('select id from api_keys where hash = ?1')
    .bind(hashApiKey(key))
    .first<string>('id')) ?? ''

const forever = '9999-01-01T00:00:00Z'
const create = (fields: object = {}) => ({ path, body: { name: 'hubspot', scope: 'write', ...fields } })
const longName = 'name must be a string of at most 255 characters'

const createKey = endpoint({
  scopes: scopesOf.manage,
  ...bodied,
  name: 'createKey',
  method: 'POST',
  path,
  actsOn: 'company',
  request: () => create(),
  alsoSucceeds: {
    'of one campaign, that ends': ({ campaignId }: World) => create({ campaignId, expiresAt: forever }),
    'that is repeated': (_: World, key: string) => again(create({ scope: 'manage' }), key),
  },
  invalid: [
    notAnObject,
    invalidBody('name is required', { name: '' }),
    invalidBody(longName, { name: 'x'.repeat(256) }),
    invalidBody(notStorable('name'), { name: '\0' }),
    invalidBody('scope must be one of read, write, agent, manage', { scope: 'owner' }),
    invalidBody(emptyCampaign, { campaignId: '' }),
    invalidBody(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    invalidBody('expiresAt must be an ISO 8601 timestamp with a UTC offset', { expiresAt: 'tomorrow' }),
    ...unknownMembers,
    invalidBody('expiresAt must be in the future', { expiresAt: '2020-01-01T00:00:00Z' }),
    wrongIdempotencyKey,
  ],
  conflicts: [campaignDenied],
  alsoFails: [
    reused(() => create({ name: 'another' })),
    {
      ...outlives,
      change: async (sent, place, key) =>
        withFields({ expiresAt: forever })(await outlives.change(sent, place, key)),
    },
    tooMany,
  ],
})

const wrongWithCreated = [
  invalidQuery('withCreated must be true or false', { withCreated: 'yes' }),
  givenTwice('withCreated'),
  almostKnown('withcreated', 'withCreated'),
]

const rotateKey = endpoint({
  scopes: scopesOf.manage,
  ...bodied,
  name: 'rotateKey',
  method: 'POST',
  path: `${path}/:keyId/rotate`,
  actsOn: 'key',
  request: ofKey('/rotate', {}),
  alsoSucceeds: {
    'without a body': ofKey('/rotate'),
    'that ends at once': ofKey('/rotate', { graceSeconds: 0 }),
    'with what it created': async (world: World) => ({
      ...(await ofKey('/rotate', {})(world)),
      query: { withCreated: 'true' },
    }),
    'that is repeated': async (world: World, key: string) => again(await ofKey('/rotate', {})(world), key),
    'that is its own': async (_: World, key: string) => ({
      path: `${path}/${await idOf(key)}/rotate`,
      body: { graceSeconds: 600_000 },
    }),
  },
  invalid: [
    notAnObject,
    invalidBody('graceSeconds must be an integer between 0 and 604800', { graceSeconds: 604_801 }),
    ...unknownMembers,
    ...wrongWithCreated,
    wrongIdempotencyKey,
  ],
  conflicts: [neverGiven],
  alsoFails: [
    noId,
    {
      name: 'a key that is revoked',
      said: [409, 'Key is revoked or expired', 'key_inactive'],
      change: (_, place) => ofKey('/rotate', {}, { revokedAtMs: 1 })(place),
    },
    {
      name: 'itself and too short a time',
      said: [409, 'A key that rotates itself needs a grace period of 60 seconds', 'grace_too_short'],
      change: async (_, __, key) => ({
        path: `${path}/${await idOf(key)}/rotate`,
        body: { graceSeconds: 59 },
      }),
    },
    reused(ofKey('/rotate', {})),
    {
      ...tooMany,
      async change(_, place, key) {
        const { id } = await seedKey({ companyId: place.companyId, scope: 'read' })
        return tooMany.change({ path: `${path}/${id}/rotate`, body: {} }, place, key)
      },
    },
  ],
})

const revokeKey = endpoint({
  scopes: scopesOf.manage,
  name: 'revokeKey',
  method: 'DELETE',
  path: `${path}/:keyId`,
  actsOn: 'key',
  request: ofKey(),
  alsoSucceeds: {
    'with what it has created': async (world: World) => {
      const at = await keyIn(world, { scope: 'manage' })
      const id = at.slice(path.length + 1)
      const made = await seedKey({ companyId: world.companyId, campaign: world.campaign, scope: 'read' })
      await companyDb.prepare('update api_keys set created_by = ?1 where id = ?2').bind(id, made.id).run()
      await companyDb
        .prepare(
          `insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms, created_by)
         values ('wh_' || ?1, ?2, 'https://receiver.test/', '["call.reported"]', '[]', 0, 0, ?1)`,
        )
        .bind(id, world.companyId)
        .run()
      return { path: at, query: { withCreated: 'true' } }
    },
  },
  invalid: wrongWithCreated,
  conflicts: [neverGiven],
  alsoFails: [
    noId,
    {
      name: 'itself',
      said: [409, 'A key cannot revoke itself', 'key_is_own'],
      change: async (_, __, key) => ({ path: `${path}/${await idOf(key)}` }),
    },
  ],
})

export const keyEndpoints = [listKeys, createKey, getOwnKey, rotateKey, revokeKey]
