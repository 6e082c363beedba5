// Members of a company with a store of its own: who signs in, what a move carries over, and what a restore must not
// bring back.
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addUses } from '../../../src/base/access/store/key-hours.ts'
import { addMember, newEmail, seedIdentity, sessionKeyOf } from '../../support/access/identity.ts'
import { driveToEnd, moveTo, seedMoving, tablesOf } from '../../support/companies/moving.ts'
import { seedCompanyIn } from '../../support/companies/own-company.ts'
import { objectOf, restore, saveStore } from '../../support/companies/restoring.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'

const minuteMs = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) }))
afterEach(() => vi.restoreAllMocks())

const path = '/api/v1/members'
const works = async (key: string) => (await api(key).request('GET', '/api/v1/keys/self')).status === 200

it('A store of its own keeps its members, and D1 only where they may be', async () => {
  const company = await seedCompanyIn('own')
  const identity = await seedIdentity()
  const { email, memberId } = await addMember(company.keyOf('manage').key, { scope: 'write' })
  const session = await identity.signIn(email)
  expect(dataOf(await api(session).request('GET', '/api/v1/keys/self'), 200)).toMatchObject({
    key: { scope: 'write' },
    company: { id: company.companyId },
    member: { memberId },
  })
  const inD1 = await env.DB.prepare('select count(*) as n from members where id = ?1')
    .bind(memberId)
    .first('n')
  expect(inD1).toBe(0)
  await company.ask('DELETE', `${path}/${memberId}`)
  expect(await works(session)).toBe(false)
  expect((await identity.arrive(email)).status).toBe(403)
})

it('A restore of D1 loses no member of a store of its own: the store enters them again', async () => {
  const company = await seedCompanyIn('own')
  const identity = await seedIdentity()
  const { email, memberId } = await addMember(company.keyOf('manage').key)
  await env.DB.prepare('delete from member_directory where member_id = ?1').bind(memberId).run()
  expect((await identity.arrive(email)).status).toBe(403)
  await objectOf(company.store).tend(company.companyId)
  sessionKeyOf(await identity.arrive(email))
})

it('A restore of D1 keeps nobody in the directory whom a store of its own has removed', async () => {
  const company = await seedCompanyIn('own')
  const key = company.keyOf('manage').key
  const [gone, stays] = [await addMember(key), await addMember(key)]
  const rows = async () =>
    (
      await env.DB.prepare('select * from member_directory where company_id = ?1 order by member_id')
        .bind(company.companyId)
        .all()
    ).results
  const before = await rows()
  await company.ask('DELETE', `${path}/${gone.memberId}?erase=true`)
  await expect.poll(async () => (await rows()).length).toBe(1)
  const row = before.find(({ member_id: id }) => id === gone.memberId) ?? {}
  await env.DB.prepare(`insert into member_directory (${Object.keys(row)}) values (?, ?, ?)`)
    .bind(...Object.values(row))
    .run()
  await objectOf(company.store).tend(company.companyId)
  expect((await rows()).map(({ member_id: id }) => id)).toEqual([stays.memberId])
})

it('A restore brings back no member who was removed, no role that was taken, and no name that was forgotten', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId } = company
  const identity = await seedIdentity()
  const key = company.keyOf('manage').key
  const names = ['removed', 'erased', 'lowered', 'moved', 'raised', 'same'] as const
  const members = {} as Record<(typeof names)[number], Awaited<ReturnType<typeof addMember>>>
  for (const name of names)
    members[name] = await addMember(key, { name, scope: name === 'raised' ? 'read' : 'manage' })
  const session = await identity.signIn(members.removed.email)
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  vi.setSystemTime(Date.now() + 10 * minuteMs)
  const at = (name: (typeof names)[number]) => `${path}/${members[name].memberId}`
  await ask('DELETE', at('removed'))
  await ask('DELETE', `${at('erased')}?erase=true`)
  await ask('PATCH', at('lowered'), { scope: 'read' })
  await ask('PATCH', at('moved'), { campaignId })
  await ask('PATCH', at('raised'), { scope: 'write' })
  expect((await restore(company, saved, toMs)).kind).toBe('restored')

  expect(await works(session)).toBe(false)
  for (const name of ['removed', 'erased'] as const)
    expect((await identity.arrive(members[name].email)).status).toBe(403)
  const listed = (await ask('GET', path)) as {
    members: { name: string; scope: string; campaignId: string }[]
  }
  const shown = listed.members.map(({ name, scope, campaignId }) => [name, scope, campaignId])
  expect(shown.toSorted()).toEqual([
    ['lowered', 'read', null],
    ['moved', 'manage', campaignId],
    ['raised', 'write', null],
    ['same', 'manage', null],
  ])
  const { results } = await company.db
    .prepare('select email, name from members where id = ?1')
    .bind(members.erased.memberId)
    .all()
  expect(results).toEqual([{ email: null, name: null }])
  const { activity } = await ask('GET', '/api/v1/activity')
  expect(activity).toContainEqual(
    expect.objectContaining({
      type: 'company.restored',
      actor: 'operator',
      data: { campaignId: null, restoredTo: new Date(toMs).toISOString() },
    }),
  )
})

it('A move carries members and their sessions over, in both directions', async () => {
  const { companyId, keys } = await seedMoving()
  const identity = await seedIdentity()
  const { email, memberId } = await addMember(keys.manage.key)
  const before = await identity.signIn(email)
  for (const to of ['own', 'shared'] as const) {
    const store = await moveTo(companyId, to)
    expect(await works(before)).toBe(true)
    const session = await identity.signIn(email)
    const { results } = await tablesOf(store)
      .prepare('select count(*) as n from api_keys where member_id = ?1')
      .bind(memberId)
      .all<{ n: number }>()
    expect(results[0]?.n).toBe(to === 'own' ? 2 : 3)
    expect(await works(session)).toBe(true)
    await driveToEnd(companyId)
  }
})

it('A move carries over when a member was last seen, and what he changed, and nothing of a member of another company', async () => {
  const [world, neighbour] = [await seedMoving(), await seedMoving()]
  const identity = await seedIdentity()
  const email = newEmail()
  const seen: Record<string, [memberId: string, lastSeenAt: string]> = {}
  for (const [index, { companyId, keys, campaignId }] of [world, neighbour].entries()) {
    const { memberId } = await addMember(keys.manage.key, { email, name: 'Zoë' })
    const session = await identity.signIn(email, `?company=${companyId}`)
    const campaign = `/api/v1/campaigns/${campaignId}`
    dataOf(await api(session).request('PATCH', campaign, { name: `by ${index}` }), 200)
    const lastUsedAtMs = Date.now() + (index + 1) * minuteMs
    await addUses(env.DB, [{ keyId: memberId, code: '', requests: 3, lastUsedAtMs }], Date.now())
    seen[companyId] = [memberId, new Date(lastUsedAtMs).toISOString()]
  }
  const shown = async ({ companyId, keys }: typeof world) => {
    const [memberId] = seen[companyId] ?? []
    const ask = async (at: string) => dataOf(await api(keys.manage.key).request('GET', at), 200)
    const { lastSeenAt } = (await ask(`${path}/${memberId}`)) as { lastSeenAt: string }
    const { activity } = (await ask(`/api/v1/activity?actor=${memberId}`)) as { activity: object[] }
    return { seen: [memberId, lastSeenAt], activity }
  }
  const before = [await shown(world), await shown(neighbour)]
  expect(before.map((one) => one.seen)).toEqual([seen[world.companyId], seen[neighbour.companyId]])
  for (const [index, { activity }] of before.entries())
    expect(activity).toMatchObject(
      ['campaign.changed', 'member.signed_in'].map((type) => ({
        ...{ type, actor: before[index]?.seen[0], actorName: 'Zoë' },
      })),
    )
  for (const to of ['own', 'shared'] as const) {
    await moveTo(world.companyId, to)
    await driveToEnd(world.companyId)
    expect([await shown(world), await shown(neighbour)]).toEqual(before)
  }
})
