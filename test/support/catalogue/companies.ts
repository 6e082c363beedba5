import { env } from 'cloudflare:workers'
import { randomBase62 } from '../../../src/base/base62.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { seedCompany, seedKey, seedOperatorKey } from '../world.ts'
import { type Endpoint, endpoint, type Flaw, type Scene, type Sent, withFields } from './endpoint.ts'
import { fillKeys, keyEndpoints } from './keys.ts'
import { createMember as addMember, fillMembers, removedSince } from './members.ts'
import {
  again,
  almostKnown,
  givenTwice,
  invalidBody,
  invalidQuery,
  notAnObject,
  notStorable,
  reused,
  unknownMembers,
  wrongIdempotencyKey,
} from './mistakes.ts'

export const path = '/api/v1/companies'
export const base = {
  scopes: [],
  isForOperator: true,
  actsOn: 'nothing',
} as const
export const maxBytes = 64 * 1024

/** Another path in place of the company's. */
export const unknownCompany: Flaw = {
  name: 'a company that is not there',
  said: [404, 'Company not found', 'company_not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/companies\/[^/]+/, 'companies/nobody') }),
}

const newId = () => `company-${randomBase62(10)}`
const companyBody = (fields: object = {}) => ({ path, body: { id: newId(), name: 'Acme', ...fields } })

/** A new company, as the operator creates it. */
export async function created(fields: object = {}): Promise<string> {
  const { key } = await seedOperatorKey()
  const { body } = companyBody(fields)
  dataOf(await api(key).request('POST', path, body), 201)
  return body.id
}

export const storeOf = (companyId: string) =>
  env.DB.prepare('select store from companies where id = ?1').bind(companyId).first<string>('store')

/** With a row of a move, as far as these columns say. */
export async function moving(columns: Readonly<Record<string, string | number | null>>): Promise<string> {
  const companyId = await created()
  const row = { company_id: companyId, requested_at_ms: 1, to_store: `:${companyId}:aaaaaaaa`, ...columns }
  const places = Object.keys(row).map((_, index) => `?${index + 1}`)
  await env.DB.prepare(`insert into company_moves (${Object.keys(row)}) values (${places})`)
    .bind(...Object.values(row))
    .run()
  return companyId
}
export const ended = { phase: 'done', frozen_at_ms: 2, switched_at_ms: 3, ended_at_ms: 4 }

const diagnose = endpoint({
  ...base,
  name: 'diagnose',
  method: 'GET',
  path: '/api/v1/diagnosis',
  request: () => ({ path: '/api/v1/diagnosis' }),
})

const listCompanies = endpoint({
  ...base,
  name: 'listCompanies',
  method: 'GET',
  path,
  request: () => ({ path }),
  alsoSucceeds: { 'of one, after another': () => ({ path, query: { limit: '1', cursor: 'a' } }) },
  invalid: [
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '0' }),
    invalidQuery('cursor is not valid', { cursor: '!' }),
    givenTwice('limit'),
    givenTwice('cursor'),
    almostKnown('Limit', 'limit'),
  ],
})

const wrongNames = [
  invalidBody('name is required', { name: '' }),
  invalidBody('name must be a string of at most 255 characters', { name: 'x'.repeat(256) }),
  invalidBody(notStorable('name'), { name: '\0' }),
]
export const wrongPlaces = [
  invalidBody('location must be one of weur, eeur, enam, wnam, apac, oc', { location: 'moon' }),
  invalidBody('jurisdiction must be one of eu', { jurisdiction: 'moon' }),
]
export const misplaced = (shared: object) => [
  invalidBody('location is for a store of its own', { ...shared, location: 'weur' }),
  invalidBody('jurisdiction is for a store of its own', { ...shared, jurisdiction: 'eu' }),
]
const idRule = 'id must be 1 to 128 of A-Z, a-z, 0-9, dot, underscore and hyphen, and neither . nor ..'

const createCompany = endpoint({
  ...base,
  name: 'createCompany',
  method: 'POST',
  path,
  maxBytes,
  success: 201,
  request: () => companyBody(),
  alsoSucceeds: {
    'with a store of its own': () => companyBody({ store: 'own', location: 'weur' }),
    'with its first manager': () => companyBody({ manager: 'Ada@example.com' }),
    'that is repeated': (_, key) => again(companyBody(), key),
  },
  invalid: [
    notAnObject,
    invalidBody('id is required', { id: '' }),
    invalidBody(idRule, { id: 'a b' }),
    ...wrongNames,
    invalidBody('store must be one of shared, own', { store: 'x' }),
    ...wrongPlaces,
    invalidBody('email must be an e-mail address of at most 254 characters', { manager: 'ada' }),
    ...unknownMembers,
    ...misplaced({}),
    wrongIdempotencyKey,
  ],
  conflicts: [
    {
      name: 'an id that is taken',
      said: [409, 'Company already exists', 'company_exists'],
      change: async () => companyBody({ id: await created() }),
    },
  ],
  alsoFails: [reused(() => companyBody())],
})

const getCompany = endpoint({
  ...base,
  name: 'getCompany',
  method: 'GET',
  path: `${path}/:companyId`,
  request: ({ companyId }) => ({ path: `${path}/${companyId}` }),
  conflicts: [unknownCompany],
})

const updateCompany = endpoint({
  ...base,
  name: 'updateCompany',
  method: 'PATCH',
  path: `${path}/:companyId`,
  maxBytes,
  request: async () => ({ path: `${path}/${await created()}`, body: { maxCampaigns: 20 } }),
  alsoSucceeds: {
    'of one with a store of its own': async () => ({
      path: `${path}/${await created({ store: 'own' })}`,
      body: { name: 'Acme Ltd', maxCampaigns: null, consentYears: 0 },
    }),
  },
  invalid: [
    notAnObject,
    ...wrongNames,
    invalidBody('maxCampaigns must be an integer between 1 and 2097151', { maxCampaigns: 0 }),
    invalidBody('consentYears must be an integer between 0 and 10', { consentYears: 11 }),
    ...unknownMembers,
  ],
  conflicts: [unknownCompany],
})

/** The company has as many keys as may be active. */
const tooMany: Flaw = {
  name: 'as many keys as may be active',
  said: [409, 'Too many active keys', 'too_many_keys'],
  async change({ path: at, body }) {
    const companyId = await seedCompany()
    const { id } = await seedKey({ companyId, scope: 'read' })
    await fillKeys(companyId)
    const own = at.replace(/companies\/[^/]+/, `companies/${companyId}`).replace(/key-[0-9A-Za-z]+/, id)
    return { path: own, body }
  },
}

/** What a company's manager may do with keys, done by the operator under the company's path. */
const ofKeys = keyEndpoints
  .filter(({ name }) => name !== 'getOwnKey')
  .map((endpoint): Endpoint => {
    const under = (sent: Sent, { companyId }: Pick<Scene, 'companyId'>): Sent => ({
      ...sent,
      path: sent.path.replace('/api/v1/keys', `${path}/${companyId}/keys`),
    })
    const { alsoSucceeds, conflicts, alsoFails } = endpoint
    const isOwn = (what: string) => /its own|itself|repeated/.test(what)
    const isOfAsker = ({ name, hasOwnKey = false }: Flaw) =>
      isOwn(name) || hasOwnKey || name.includes('Idempotency')
    const flaws = (found: readonly Flaw[]) =>
      found
        .filter((flaw) => !isOfAsker(flaw))
        .map((flaw) => ({
          ...flaw,
          change: async (sent: Sent, place: Scene, key: string) =>
            under(await flaw.change(sent, place, key), place),
        }))
    const request = async (place: Scene) => under(await endpoint.request(place), place)
    const isMaking = endpoint.success === 201
    const another = async (place: Scene) => withFields({ name: 'another' })(await request(place))
    return {
      ...endpoint,
      ...{ scopes: base.scopes, isForOperator: true, actsOn: 'nothing' as const },
      name: endpoint.name.replace('Key', 'CompanyKey'),
      path: endpoint.path.replace('/api/v1/keys', `${path}/:companyId/keys`),
      request,
      alsoSucceeds: {
        ...Object.fromEntries(
          Object.entries(alsoSucceeds)
            .filter(([what]) => !isOwn(what))
            .map(([what, make]) => [what, async (world, key) => under(await make(world, key), world)]),
        ),
        ...(isMaking && { 'that is repeated': async (world, key) => again(await request(world), key) }),
      },
      conflicts: [unknownCompany, ...flaws(conflicts)],
      alsoFails: [
        ...flaws(alsoFails),
        ...(isMaking ? [reused(endpoint.name === 'createKey' ? another : request), tooMany] : []),
      ],
    } satisfies Endpoint
  })

const ofOperator =
  (flaw: Flaw): Flaw['change'] =>
  async (sent, place, key) => ({ ...(await flaw.change(sent, place, key)), path: sent.path })

const memberRequest = async (place: Scene): Promise<Sent> => ({
  ...(await addMember.request(place)),
  path: `${path}/${place.companyId}/members`,
})

const createCompanyMember: Endpoint = {
  ...addMember,
  ...{ scopes: base.scopes, isForOperator: true, actsOn: 'nothing' as const },
  name: 'createCompanyMember',
  path: `${path}/:companyId/members`,
  request: memberRequest,
  alsoSucceeds: {
    'that is repeated': async (world, key) => again(await memberRequest(world), key),
  },
  conflicts: [unknownCompany, ...addMember.conflicts],
  alsoFails: [
    reused(memberRequest),
    removedSince(memberRequest),
    ...addMember.alsoFails
      .filter(({ name, hasOwnKey = false }) => !hasOwnKey && !name.includes('Idempotency'))
      .map((flaw) => ({ ...flaw, change: ofOperator(flaw) })),
    {
      name: 'as many members as there may be',
      said: [409, 'Too many members', 'too_many_members'],
      async change({ body }) {
        const companyId = await seedCompany()
        await fillMembers(companyId)
        return { path: `${path}/${companyId}/members`, body }
      },
    },
  ],
}

export const companyEndpoints = [
  diagnose,
  listCompanies,
  createCompany,
  getCompany,
  updateCompany,
  ...ofKeys,
  createCompanyMember,
]
