// What a member, or who was one, may not reach: what others made before he was of their campaign, a session that a move
// brings back, a place in the directory after he was removed, and a rename that nobody sees.
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { makeKey } from '../../src/base/access/api-key.ts'
import { hashEmail } from '../../src/control/members/email.ts'
import { addMember, newEmail, seedIdentity } from '../support/access/identity.ts'
import { asOperator, companiesPath } from '../support/companies/operator.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { seedCampaign, seedKey, seedWorld } from '../support/world.ts'

afterEach(() => void vi.restoreAllMocks())

const path = '/api/v1/members'
type Data = Record<string, unknown>
type Named = Record<'keys' | 'webhooks' | 'dialers' | 'sources', readonly Data[]>
const ask = async (key: string, method: string, at: string, body?: object, status = 200) =>
  dataOf(await api(key).request(method, at, body), status) as Data
const works = async (key: string) => (await api(key).request('GET', '/api/v1/keys/self')).status === 200

async function seedTeam() {
  const world = await seedWorld()
  const manageKey = (await seedKey({ companyId: world.companyId, scope: 'manage' })).key
  const identity = await seedIdentity()
  const member = await addMember(manageKey, { name: 'Ada' })
  return { ...world, manageKey, identity, member, at: `${path}/${member.memberId}` }
}

it('Who manages one campaign neither sees nor ends what a member of it made for the company or for others', async () => {
  const { manageKey, identity, member, at, campaignId, companyId } = await seedTeam()
  const other = await seedCampaign(companyId)
  const session = await identity.signIn(member.email)
  const make = (fields: object) =>
    ask(session, 'POST', '/api/v1/keys', { name: 'crm', scope: 'manage', ...fields }, 201)
  const [ofCompany, ofOther, ofCampaign] = [
    await make({}),
    await make({ campaignId: other.id }),
    await make({ campaignId }),
  ]
  const byCompany = await ask(
    ofCompany.key as string,
    'POST',
    '/api/v1/keys',
    { name: 'crm', scope: 'read', campaignId },
    201,
  )
  await ask(session, 'PUT', `/api/v1/campaigns/${other.id}/dialer`, { preset: 'pretend' })
  await ask(manageKey, 'PATCH', at, { campaignId })
  const manager = await identity.signIn((await addMember(manageKey, { campaignId })).email)
  for (const [method, body] of [['PATCH', { scope: 'read' }], ['DELETE']] as const) {
    const created = (await ask(manager, method, `${at}?withCreated=true`, body)).created as Named
    expect(created.dialers).toEqual([])
    const ids = created.keys.map(({ keyId }) => keyId)
    expect(ids.toSorted()).toEqual((method === 'PATCH' ? [ofCampaign.keyId, byCompany.keyId] : []).toSorted())
  }
  for (const kept of [ofCompany, ofOther]) expect(await works(kept.key as string)).toBe(true)
  for (const ended of [ofCampaign, byCompany]) expect(await works(ended.key as string)).toBe(false)
  const rest = (await ask(manageKey, 'DELETE', `${at}?withCreated=true`)).created as Named
  expect(rest.keys.map(({ keyId }) => keyId).toSorted()).toEqual([ofCompany.keyId, ofOther.keyId].toSorted())
  expect(rest.dialers.map(({ campaignId: id }) => id)).toEqual([other.id])
  expect(await works(ofOther.key as string)).toBe(false)
})

it('A session is not ended where a move would bring it back: it is asked again later', async () => {
  const { identity, member, companyId } = await seedTeam()
  const session = await identity.signIn(member.email)
  const freeze = (frozen: 0 | 1) =>
    companyDb.prepare('update api_keys set frozen = ?2 where company_id = ?1').bind(companyId, frozen).run()
  const end = async () =>
    (await api(session, { bindings: identity.bindings }).request('DELETE', '/console/session')).status
  await freeze(1)
  expect([await end(), await works(session)]).toEqual([503, true])
  await freeze(0)
  expect([await end(), await works(session)]).toEqual([204, false])
})

it('A hundred who sign in at once make the service fetch certificates once, also where that fails', async () => {
  const { identity, member } = await seedTeam()
  const { state, token, visit, foreignKey } = identity
  const forged = await token({ email: member.email }, { key: foreignKey, kid: 'other' })
  const visits = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await visit(forged)).status))
  state.delayMs = 200
  state.isAway = true
  expect(new Set(await visits(50))).toEqual(new Set([503]))
  expect(state.fetched).toBe(1)
  state.isAway = false
  expect(new Set(await visits(50))).toEqual(new Set([401]))
  expect(state.fetched).toBe(2)
  await identity.signIn(member.email)
  expect(state.fetched).toBe(2)
})

it('A manager who was removed does not come back with a repeated request to create the company', async () => {
  const operator = await asOperator()
  const identity = await seedIdentity()
  const [manager, second] = [newEmail(), newEmail()]
  const body = { id: `company-${newEmail().split('@')[0]}`, name: 'Acme', manager }
  const create = async () =>
    dataOf(await operator.ask('POST', companiesPath, body, { 'idempotency-key': body.id }), 201)
  await create()
  await create()
  const session = await identity.signIn(manager)
  const { members } = (await ask(session, 'GET', path)) as { members: Data[] }
  expect(members.map(({ email }) => email)).toEqual([manager])
  const added = await operator.ask('POST', `${companiesPath}/${body.id}/members`, {
    email: second,
    scope: 'manage',
  })
  dataOf(added, 201)
  await ask(await identity.signIn(second), 'DELETE', `${path}/${members[0]?.memberId}`)
  await create()
  expect((await identity.arrive(manager)).status).toBe(403)
})

it('Who renames a member is named for it, and no name or address is logged', async () => {
  const { manageKey, at, member } = await seedTeam()
  const changes = async () =>
    ((await ask(manageKey, 'GET', '/api/v1/activity')).activity as Data[]).filter(
      ({ type }) => type === 'member.changed',
    )
  await ask(manageKey, 'PATCH', at, { name: 'Grace' })
  await ask(manageKey, 'PATCH', at, { name: 'Grace' })
  const [renamed, ...more] = await changes()
  expect([renamed?.data, more]).toEqual([
    { campaignId: null, memberId: member.memberId, scope: 'manage', from: 'manage' },
    [],
  ])
})

it('Of more companies than a page names, each can be chosen', async () => {
  const { identity, member, companyId } = await seedTeam()
  const ids = JSON.stringify(Array.from({ length: 120 }, () => makeKey().material.id))
  await env.DB.batch([
    env.DB.prepare(
      `insert into companies (id, name, created_at_ms) select value, ' first', 0 from json_each(?1)`,
    ).bind(ids),
    env.DB.prepare(
      `insert into member_directory (email_hash, member_id, company_id)
       select ?2, 'mem_' || value, value from json_each(?1)`,
    ).bind(ids, hashEmail(env.SUPPRESSION_PEPPER, member.email)),
  ])
  const page = await identity.arrive(member.email)
  expect(page.text.match(/<li>/g)).toHaveLength(100)
  expect(page.text).not.toContain(companyId)
  const session = await identity.signIn(member.email, `?company=${companyId}`)
  expect(await ask(session, 'GET', '/api/v1/keys/self')).toMatchObject({ company: { id: companyId } })
})
