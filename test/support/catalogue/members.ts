// The catalogue's entries of members: listed, added, read, changed, removed; and of what people and keys changed.
import { hashApiKey } from '../../../src/base/access/api-key.ts'
import { randomBase62 } from '../../../src/base/base62.ts'
import { companyDb } from '../database/store.ts'
import { absentCampaign, seedCompany } from '../world.ts'
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
} from './mistakes.ts'

const path = '/api/v1/members'
const maxBytes = 64 * 1024
const newEmail = () => `${randomBase62(12).toLowerCase()}@example.com`

type Wanted = { readonly email?: string; readonly isOfCompany?: boolean; readonly createdBy?: string }

/** A member in the place, of its campaign unless given; and his path. */
async function memberIn({ companyId, campaign }: Scene, wanted: Wanted = {}): Promise<string> {
  const { email = newEmail(), isOfCompany = false, createdBy = 'operator' } = wanted
  const id = `mem_${randomBase62(16)}`
  if (campaign.number !== absentCampaign.number)
    await companyDb
      .prepare(
        `insert into members (id, company_id, campaign_number, email, name, scope, created_at_ms, created_by,
          signed_in_at_ms)
         values (?1, ?2, ?3, ?4, 'Ada', 'manage', 0, ?5, 1)`,
      )
      .bind(id, companyId, isOfCompany ? null : campaign.number, email, createdBy)
      .run()
  return `${path}/${id}`
}

const neverGiven: Flaw = {
  name: 'an id that was never given',
  said: [404, 'Member not found', 'member_not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/mem_[0-9A-Za-z]+/, 'mem_neverGiven') }),
}

const noId: Flaw = {
  name: 'an id that is none',
  said: [404, 'Not found', 'not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/mem_[0-9A-Za-z]+/, 'ada') }),
}

const listMembers = endpoint({
  name: 'listMembers',
  method: 'GET',
  path,
  scopes: scopesOf.manage,
  actsOn: 'nothing',
  request: () => ({ path }),
  alsoSucceeds: {
    'with members, of whom one has added another': async (world: World) => {
      const id = (await memberIn(world)).slice(path.length + 1)
      await memberIn(world, { isOfCompany: true, createdBy: id })
      return { path }
    },
  },
})

/** So that it has as many as it may have. */
export const fillMembers = (companyId: string) =>
  companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
       insert into members (id, company_id, email, scope, created_at_ms, created_by)
       select 'mem_' || ?1 || i, ?1, i || '@example.com', 'read', 0, 'operator' from n`,
    )
    .bind(companyId)
    .run()

const longName = 'name must be a string of at most 255 characters'
const invalidEmail = 'email must be an e-mail address of at most 254 characters'
const create = (fields: object = {}): Sent => ({
  path,
  body: { email: newEmail(), scope: 'read', ...fields },
})

export const removedSince = (request: (place: Scene) => Sent | Promise<Sent>): Flaw => ({
  name: 'an Idempotency-Key of a member who was removed since',
  said: [404, 'Member not found', 'member_not_found'],
  async change(_, place, key) {
    const repeated = await again(await request(place), key)
    const { email } = repeated.body as { email: string }
    await companyDb.prepare('update members set removed_at_ms = 1 where email = ?1').bind(email).run()
    return repeated
  },
})

export const createMember = endpoint({
  name: 'createMember',
  method: 'POST',
  path,
  scopes: scopesOf.manage,
  actsOn: 'company',
  maxBytes,
  success: 201,
  request: () => create(),
  alsoSucceeds: {
    'of one campaign, with a name': ({ campaignId }: World) => create({ campaignId, name: 'Ada' }),
    'that is repeated': (_: World, key: string) => again(create(), key),
  },
  invalid: [
    notAnObject,
    invalidBody('email is required', { email: '' }),
    invalidBody(invalidEmail, { email: 'ada' }),
    invalidBody(invalidEmail, { email: 'a da@example.com' }),
    invalidBody(invalidEmail, { email: `${'x'.repeat(250)}@e.example` }),
    invalidBody('scope must be one of read, write, manage', { scope: 'agent' }),
    invalidBody(emptyCampaign, { campaignId: '' }),
    invalidBody(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    invalidBody(longName, { name: 'x'.repeat(256) }),
    invalidBody(notStorable('name'), { name: '\0' }),
    ...unknownMembers,
  ],
  conflicts: [campaignDenied],
  alsoFails: [
    reused(() => create({ name: 'another' })),
    removedSince(() => create()),
    {
      name: 'an address that a member has',
      said: [409, 'Member already exists', 'member_exists'],
      async change(sent, place) {
        const email = newEmail()
        await memberIn(place, { email })
        return withFields({ email: email.toUpperCase() })(sent)
      },
    },
    {
      name: 'as many members as there may be',
      hasOwnKey: true,
      said: [409, 'Too many members', 'too_many_members'],
      async change(sent, _, key) {
        const companyId = await seedCompany()
        await companyDb
          .prepare('update api_keys set company_id = ?1 where hash = ?2')
          .bind(companyId, hashApiKey(key))
          .run()
        await fillMembers(companyId)
        return sent
      },
    },
  ],
})

const ofMember =
  (body?: object, wanted?: Wanted) =>
  async (place: Scene): Promise<Sent> => ({ path: await memberIn(place, wanted), ...(body && { body }) })

const at = `${path}/:memberId`

const getMember = endpoint({
  name: 'getMember',
  method: 'GET',
  path: at,
  scopes: scopesOf.manage,
  actsOn: 'member',
  request: ofMember(),
  conflicts: [neverGiven],
  alsoFails: [noId],
})

const wrongWithCreated = [
  invalidQuery('withCreated must be true or false', { withCreated: 'yes' }),
  givenTwice('withCreated'),
  almostKnown('withcreated', 'withCreated'),
]

/** What he made, of each kind. */
async function withMade(world: World, query: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const found = await memberIn(world)
  const id = found.slice(path.length + 1)
  await companyDb
    .prepare(
      `insert into api_keys (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms,
        created_by, is_dialer)
       values ('key-' || ?1, ?2, ?3, 'read', 'crm', ?1, 'lk_', 0, ?1, 0),
         ('key-d' || ?1, ?2, ?3, 'agent', 'dialer', 'd' || ?1, '', 0, ?1, 1)`,
    )
    .bind(id, world.companyId, world.campaign.number)
    .run()
  await companyDb
    .prepare(
      `insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms, created_by)
       values ('wh_' || ?1, ?2, 'https://receiver.test/', '["call.reported"]', '[]', 0, 0, ?1)`,
    )
    .bind(id, world.companyId)
    .run()
  return { path: found, query }
}

/** The session of a member asks, and no other manages the company. */
const lastManager: Flaw = {
  name: 'the last manager',
  hasOwnKey: true,
  said: [409, 'The company would have no manager left', 'last_manager'],
  async change(sent, place, key) {
    await companyDb
      .prepare(`update api_keys set member_id = 'mem_asking' where hash = ?1`)
      .bind(hashApiKey(key))
      .run()
    await companyDb
      .prepare('update members set removed_at_ms = 1 where company_id = ?1')
      .bind(place.companyId)
      .run()
    return { ...sent, path: await memberIn(place, { isOfCompany: true }) }
  },
}

const updateMember = endpoint({
  name: 'updateMember',
  method: 'PATCH',
  path: at,
  scopes: scopesOf.manage,
  actsOn: 'member',
  maxBytes,
  request: ofMember({ scope: 'write' }),
  alsoSucceeds: {
    'to the whole company, without a name': ofMember({ campaignId: null, name: null }),
    'with what he made': async (world: World) => ({
      ...(await withMade(world, { withCreated: 'true' })),
      body: { scope: 'read' },
    }),
  },
  invalid: [
    notAnObject,
    invalidBody('scope must be one of read, write, manage', { scope: 'agent' }),
    invalidBody(emptyCampaign, { campaignId: '' }),
    invalidBody(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    invalidBody(longName, { name: 'x'.repeat(256) }),
    invalidBody('email is not a member', { email: 'ada@example.com' }),
    ...unknownMembers,
    ...wrongWithCreated,
  ],
  conflicts: [neverGiven, campaignDenied],
  alsoFails: [noId, lastManager],
})

const removeMember = endpoint({
  name: 'removeMember',
  method: 'DELETE',
  path: at,
  scopes: scopesOf.manage,
  actsOn: 'member',
  request: ofMember(),
  alsoSucceeds: {
    'with what he made, forgotten': (world: World) => withMade(world, { withCreated: 'true', erase: 'true' }),
  },
  invalid: [
    ...wrongWithCreated,
    invalidQuery('erase must be true or false', { erase: 'yes' }),
    givenTwice('erase'),
  ],
  conflicts: [neverGiven],
  alsoFails: [noId, lastManager],
})

const activityPath = '/api/v1/activity'
const listActivity = endpoint({
  name: 'listActivity',
  method: 'GET',
  path: activityPath,
  scopes: scopesOf.manage,
  actsOn: 'nothing',
  request: () => ({ path: activityPath }),
  alsoSucceeds: {
    'of one, before a place': () => ({ path: activityPath, query: { actor: 'mem_1', cursor: '9' } }),
  },
  invalid: [
    ...['actor', 'cursor'].map(givenTwice),
    invalidQuery('actor is not valid', { actor: '!' }),
    invalidQuery('cursor is not valid', { cursor: 'x' }),
    almostKnown('Actor', 'actor'),
  ],
})

export const memberEndpoints = [
  listMembers,
  createMember,
  getMember,
  updateMember,
  removeMember,
  listActivity,
]
