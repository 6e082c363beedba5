// Sessions of members: what one may do, what it leaves, and when it ends.
import { afterEach, expect, it, vi } from 'vitest'
import { hashApiKey } from '../../src/base/access/api-key.ts'
import { deleteOldSessions } from '../../src/base/access/store/sessions.ts'
import { addMember } from '../support/access/identity.ts'
import { ask, type Data, makeKey, refused, seedTeam, works } from '../support/access/team.ts'
import { recordD1 } from '../support/database/recorder.ts'
import { companyDb, isOfD1 } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { newPhone, seedCampaign, seedKey, seedWorld } from '../support/world.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('A session has the scope and the campaign of its member, and says whose it is', async () => {
  const { session, member, companyId, manageKey, identity, campaignId } = await seedTeam()
  const self = await ask(session, 'GET', '/api/v1/keys/self')
  expect(self).toMatchObject({
    key: { scope: 'manage', campaignId: null },
    company: { id: companyId },
    member: { memberId: member.memberId, email: member.email, name: 'Ada' },
  })
  const endsInMs = Date.parse((self.key as Data).expiresAt as string) - Date.now()
  expect(endsInMs).toBeGreaterThan(7.9 * 3_600_000)
  expect(endsInMs).toBeLessThanOrEqual(8 * 3_600_000)
  const { email } = await addMember(manageKey, { scope: 'write', campaignId })
  const own = await ask(await identity.signIn(email), 'GET', '/api/v1/keys/self')
  expect(own).toMatchObject({ key: { scope: 'write', campaignId }, member: { name: null } })
  expect((await ask(manageKey, 'GET', '/api/v1/keys/self')).member).toBeNull()
})

it('A session is neither listed nor counted among keys, and no key can rotate or revoke it', async () => {
  const { session, manageKey, companyId } = await seedTeam()
  const { keyId } = (await ask(session, 'GET', '/api/v1/keys/self')).key as Data
  const { keys } = await ask(manageKey, 'GET', '/api/v1/keys')
  expect((keys as Data[]).map((key) => key.keyId)).not.toContain(keyId)
  for (const [method, at] of [
    ['DELETE', `/api/v1/keys/${keyId}`],
    ['POST', `/api/v1/keys/${keyId}/rotate`],
  ] as const)
    expect(await refused(manageKey, method, at)).toEqual([404, 'key_not_found'])
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 996)
       insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
       select ?1 || i, ?1, 'read', 'many', ?1 || i, 'lk_', 0 from n`,
    )
    .bind(companyId)
    .run()
  await makeKey(session)
  expect(await refused(session, 'POST', '/api/v1/keys', { name: 'one more', scope: 'read' })).toEqual([
    409,
    'too_many_keys',
  ])
})

it('The sessions of a member share one window, and the oldest ends when there are more than ten', async () => {
  const { identity, member, session } = await seedTeam()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const more: string[] = []
  for (let i = 0; i < 10; i++) {
    vi.setSystemTime(Date.now() + 1)
    more.push(await identity.signIn(member.email))
  }
  expect(await works(session)).toBe(false)
  const remaining: number[] = []
  for (const key of more) {
    const { status, headers } = await api(key).request('GET', '/api/v1/keys/self')
    expect(status).toBe(200)
    remaining.push(Number(headers.get('x-ratelimit-remaining')))
  }
  const [first = 0] = remaining
  expect(remaining).toEqual(remaining.map((_, index) => first - index))
})

it('A session that is ended is refused with the next request, and no other ends with it', async () => {
  const { identity, member, session, manageKey } = await seedTeam()
  const other = await identity.signIn(member.email)
  const end = (key: string, bindings: object = identity.bindings) =>
    api(key, { bindings }).request('DELETE', '/console/session')
  expect((await end(session, {})).status).toBe(404)
  expect((await end(manageKey)).headers.get('x-error-code')).toBe('session_not_found')
  const ended = await end(session)
  expect([ended.status, ended.text]).toEqual([204, ''])
  expect((await end(session)).status).toBe(401)
  expect([await works(session), await works(other), await works(manageKey)]).toEqual([false, true, true])
})

it('What a session makes takes no end from it, and names the member', async () => {
  const { session, member, campaignId, manageKey } = await seedTeam()
  const key = await makeKey(session)
  expect(key.expiresAt).toBeNull()
  const hook = { url: 'https://receiver.test/', types: null }
  const webhook = await ask(session, 'POST', '/api/v1/webhooks', hook, 201)
  await ask(session, 'PUT', `/api/v1/campaigns/${campaignId}/dialer`, { preset: 'pretend' })
  const keys = (await ask(manageKey, 'GET', '/api/v1/keys')).keys as Data[]
  const made = keys.filter(({ createdBy }) => createdBy === member.memberId)
  expect(made.map(({ expiresAt, actorName, isDialer }) => ({ expiresAt, actorName, isDialer }))).toEqual(
    expect.arrayContaining([
      { expiresAt: null, actorName: 'Ada', isDialer: false },
      { expiresAt: null, actorName: 'Ada', isDialer: true },
    ]),
  )
  const shown = await ask(manageKey, 'GET', `/api/v1/webhooks/${webhook.webhookId}`)
  expect(shown).toMatchObject({ createdBy: member.memberId, actorName: 'Ada', expiresAt: null })
  const rotated = await ask(session, 'POST', `/api/v1/keys/${key.keyId}/rotate`, undefined, 201)
  expect(rotated.expiresAt).toBeNull()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 3_600_000 })
  expect([await works(session), await works(rotated.key as string)]).toEqual([false, true])
})

it('A session makes no key of more scope, of another campaign, or of the company when it is of one campaign', async () => {
  const { manageKey, identity, campaignId, companyId } = await seedTeam()
  const other = await seedCampaign(companyId)
  const sessionOf = async (fields: object) => identity.signIn((await addMember(manageKey, fields)).email)
  const ofCampaign = await sessionOf({ campaignId })
  const [writer, reader] = [await sessionOf({ scope: 'write' }), await sessionOf({ scope: 'read' })]
  const key = { name: 'crm', scope: 'read' }
  for (const session of [writer, reader])
    expect(await refused(session, 'POST', '/api/v1/keys', key)).toEqual([403, 'insufficient_permissions'])
  expect(await refused(ofCampaign, 'POST', '/api/v1/keys', key)).toEqual([403, 'company_key_required'])
  expect(await refused(ofCampaign, 'POST', '/api/v1/keys', { ...key, campaignId: other.id })).toEqual([
    403,
    'campaign_denied',
  ])
  await makeKey(ofCampaign, { campaignId })
})

it('A session is deleted a day after its end, and no key is', async () => {
  const { session, manageKey, at, identity } = await seedTeam()
  const beside = await addMember(manageKey)
  const live = await identity.signIn(beside.email)
  const ended = (await seedKey({ companyId: (await seedWorld()).companyId, expiresAtMs: 1 })).key
  await ask(manageKey, 'DELETE', at)
  const isThere = async (key: string) =>
    (await companyDb.prepare('select 1 from api_keys where hash = ?1').bind(hashApiKey(key)).first()) !== null
  const dayMs = 86_400_000
  await deleteOldSessions(companyDb, Date.now() + dayMs - 5_000)
  expect(await isThere(session)).toBe(true)
  await deleteOldSessions(companyDb, Date.now() + dayMs + 5_000)
  expect([await isThere(session), await isThere(live), await isThere(ended)]).toEqual([false, true, true])
})

it.skipIf(isOfD1('lookUps'))(
  'A request with a session asks the database as often as one with a key, and reads as much',
  async () => {
    const { session, manageKey, campaignId } = await seedTeam()
    const read = () => ({ campaignId, phoneNumber: newPhone() })
    const costOf = async (key: string) => {
      await ask(key, 'GET', '/api/v1/keys/self')
      const { recorded, stop } = recordD1()
      await ask(key, 'POST', '/api/v1/leads', read(), 201)
      stop()
      const ofRequest = recorded.filter(({ statements }) =>
        statements.some(([text]) => text.includes('leads')),
      )
      return ofRequest.map(({ statements, results }) => [
        statements.length,
        results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
        results.reduce((sum, { meta }) => sum + meta.rows_written, 0),
      ])
    }
    await costOf(manageKey)
    const [ofKey, ofSession] = [await costOf(manageKey), await costOf(session)]
    expect(ofKey.length).toBe(1)
    expect(ofSession).toEqual(ofKey)
  },
)
