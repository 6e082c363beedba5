// Members that a key made, when it is revoked or rotated: they are named, and end with what they made when that is
// requested. So somebody who had a leaked key does not come back by the sign-in of the console.
import { afterEach, expect, it, vi } from 'vitest'
import { addMember, type MemberMade, newEmail, seedIdentity } from '../support/access/identity.ts'
import {
  create,
  createWebhook,
  inMs,
  type Made,
  madeBy,
  type Revoked,
  readWebhook,
  revoke,
  rotate,
  seedManaged,
  withCreated,
  works,
} from '../support/access/keys.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { stopClock } from '../support/run/clock.ts'
import { seedCampaign, seedKey } from '../support/world.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const createManage = async (key: string, fields: object = {}) =>
  madeBy(await create(key, { scope: 'manage', ...fields })) as Made & { key: string }
const revoked = async (key: string, keyId: string, query = '') =>
  dataOf(await revoke(key, keyId, query), 200) as Revoked
const namedIn = ({ created }: Pick<Revoked, 'created'>) =>
  created.members.map(({ memberId, removedAt }) => [memberId, removedAt])
const listed = async (key: string) => {
  const answer = await api(key).request('GET', '/api/v1/members')
  return (dataOf(answer, 200) as { members: MemberMade[] }).members.map(({ memberId }) => memberId)
}

/**
 * A key that has leaked: who found it made a member, who made a key, a webhook and another member. The neighbour has
 * the same.
 */
async function seedLeaked() {
  stopClock()
  const [world, neighbour] = [await seedManaged(), await seedManaged()]
  const identity = await seedIdentity()
  const [email, furtherEmail] = [newEmail(), newEmail()]
  const make = async ({ manage }: typeof world) => {
    const leaked = await createManage(manage.key)
    const member = await addMember(leaked.key, { email, name: 'Eve' })
    return { leaked, member }
  }
  const [own, theirs] = [await make(world), await make(neighbour)]
  vi.setSystemTime(Date.now() + 1000)
  const other = await addMember(world.manage.key)
  const sessionAt = (companyId: string) => identity.signIn(email, `?company=${companyId}`)
  const session = await sessionAt(world.companyId)
  const besides = await sessionAt(neighbour.companyId)
  const key = await createManage(session)
  vi.setSystemTime(Date.now() + 1000)
  const further = await addMember(session, { email: furtherEmail, scope: 'read' })
  const furtherSession = await identity.signIn(furtherEmail)
  const webhookId = await createWebhook(session)
  const path = `/api/v1/campaigns/${world.campaignId}`
  dataOf(await api(session).request('PUT', `${path}/dialer`, { preset: 'pretend' }), 200)
  const source = await api(session).request('POST', `${path}/sources`, { name: 'form', countries: ['DE'] })
  dataOf(source, 201)
  return {
    ...world,
    ...own,
    neighbour,
    theirs,
    identity,
    email,
    other,
    session,
    besides,
    key,
    further,
    furtherSession,
    webhookId,
  }
}

it('A key that is revoked names the members that it made, and those that they made, who stay', async () => {
  const world = await seedLeaked()
  const { manage, leaked, member, further, other } = world
  const answer = await revoked(manage.key, leaked.keyId)
  expect(answer.created.members).toEqual([
    {
      ...{ memberId: member.memberId, email: world.email, name: 'Eve', scope: 'manage' },
      ...{ campaignId: null, removedAt: null },
    },
    {
      ...{ memberId: further.memberId, email: further.email, name: null, scope: 'read' },
      ...{ campaignId: null, removedAt: null },
    },
  ])
  expect(answer.noManagerLeft).toBe(false)
  expect(await listed(manage.key)).toEqual([member.memberId, other.memberId, further.memberId])
  expect([await works(world.session), await works(world.key.key)]).toEqual([true, true])
})

it('`withCreated` ends the members that a key made with what they made, once, and nobody else', async () => {
  const world = await seedLeaked()
  const { manage, leaked, member, further, other, identity, neighbour, theirs, webhookId } = world
  await revoked(manage.key, leaked.keyId)
  const answer = await revoked(manage.key, leaked.keyId, withCreated)
  expect(namedIn(answer)).toEqual([
    [member.memberId, inMs(0)],
    [further.memberId, inMs(0)],
  ])
  // His key, his dialer's and his source's.
  expect(answer.created.keys.map(({ revokedAt }) => revokedAt)).toEqual([inMs(0), inMs(0), inMs(0)])
  expect(answer.created.webhooks).toMatchObject([{ webhookId, disabledAt: inMs(0) }])
  expect((await readWebhook(manage.key, webhookId)).disabledAt).toBe(inMs(0))
  for (const key of [world.session, world.furtherSession, world.key.key]) expect(await works(key)).toBe(false)
  expect((await identity.arrive(further.email)).status).toBe(403)
  expect(await listed(manage.key)).toEqual([other.memberId])
  vi.setSystemTime(Date.now() + 1000)
  expect((await revoked(manage.key, leaked.keyId, withCreated)).created.members).toEqual([])
  const logged = (await entriesOf(world.companyId)).filter(({ type }) => type === 'member.removed')
  expect(logged.map(({ actor, data }) => [actor, data.memberId]).toSorted()).toEqual(
    [member, further].map(({ memberId }) => [manage.id, memberId]).toSorted(),
  )
  // The same address in another company.
  expect(await works(world.besides)).toBe(true)
  expect(await listed(neighbour.manage.key)).toEqual([theirs.member.memberId])
  expect(await works(await identity.signIn(world.email))).toBe(true)
})

it('A key that is rotated names the members that it made, and ends them when that is requested', async () => {
  const world = await seedLeaked()
  const { manage, leaked, member, further } = world
  const rotated = async (query = '') =>
    madeBy(await rotate(manage.key, leaked.keyId, { graceSeconds: 60 }, {}, query)) as unknown as Revoked
  expect(namedIn(await rotated())).toEqual([
    [member.memberId, null],
    [further.memberId, null],
  ])
  expect(namedIn(await rotated(withCreated))).toEqual([
    [member.memberId, inMs(0)],
    [further.memberId, inMs(0)],
  ])
  expect([await works(world.session), await works(world.furtherSession), await works(world.besides)]).toEqual(
    [false, false, true],
  )
})

it.each([
  ['the key made every manager', { manager: null }, true],
  ['a manager is left', { manager: {} }, false],
  ['only a manager of one campaign is left', { manager: { ofCampaign: true } }, true],
  ['only a member is left who may write', { manager: { scope: 'write' } }, true],
] as const)(
  'Who ends the managers that a key made is told whether one is left: %s',
  async (_, { manager }, noManagerLeft) => {
    const { manage, campaignId } = await seedManaged()
    const neighbour = await seedManaged()
    await addMember(neighbour.manage.key)
    const leaked = await createManage(manage.key)
    await addMember(leaked.key)
    await addMember(leaked.key)
    const { ofCampaign = false, ...fields } = { ofCampaign: false, ...manager }
    if (manager !== null) await addMember(manage.key, { ...fields, ...(ofCampaign && { campaignId }) })
    expect((await revoked(manage.key, leaked.keyId)).noManagerLeft).toBe(false)
    expect((await revoked(manage.key, leaked.keyId, withCreated)).noManagerLeft).toBe(noManagerLeft)
  },
)

it('A key whose members never managed the company leaves no word about managers', async () => {
  const { manage } = await seedManaged()
  const leaked = await createManage(manage.key)
  await addMember(leaked.key, { scope: 'write' })
  expect((await revoked(manage.key, leaked.keyId, withCreated)).noManagerLeft).toBe(false)
})

it('Who revokes the key that made him ends neither himself nor what he made', async () => {
  const world = await seedLeaked()
  const { leaked, session, member, further, manage } = world
  const sibling = await addMember(leaked.key)
  const answer = await revoked(session, leaked.keyId, withCreated)
  expect(namedIn(answer)).toEqual([[sibling.memberId, inMs(0)]])
  expect(answer.noManagerLeft).toBe(false)
  expect([await works(session), await works(world.key.key), await works(world.furtherSession)]).toEqual([
    true,
    true,
    true,
  ])
  expect(await listed(manage.key)).toEqual(expect.arrayContaining([member.memberId, further.memberId]))
})

it('A key of one campaign sees and ends no members but those of its campaign', async () => {
  const { companyId, campaign, campaignId, manage } = await seedManaged()
  const sibling = await seedCampaign(companyId)
  const own = await seedKey({ companyId, campaign, scope: 'manage' })
  const leaked = await createManage(own.key, { campaignId })
  const [kept, moved, wide] = [
    await addMember(leaked.key, { campaignId }),
    await addMember(leaked.key, { campaignId }),
    await addMember(leaked.key, { campaignId }),
  ]
  const move = async ({ memberId }: MemberMade, to: string | null) =>
    dataOf(await api(manage.key).request('PATCH', `/api/v1/members/${memberId}`, { campaignId: to }), 200)
  await move(moved, sibling.id)
  await move(wide, null)
  expect(namedIn(await revoked(own.key, leaked.keyId, withCreated))).toEqual([
    [kept.memberId, expect.any(String)],
  ])
  expect((await listed(manage.key)).toSorted()).toEqual([moved.memberId, wide.memberId].toSorted())
})
