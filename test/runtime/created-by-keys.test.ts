// What a key created, when it is revoked or rotated: it is named, ends too when that is requested, and cannot be hidden
// by rotations. Nobody ends or sees what their key does not reach.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ask,
  type Created,
  create,
  createWebhook,
  inMs,
  type Made,
  madeBy,
  type Revoked,
  readWebhook,
  revoke,
  revokeWithCreated,
  rotate,
  seedManaged,
  withCreated,
  works,
} from '../support/access/keys.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { stopClock } from '../support/run/clock.ts'
import { seedCampaign, seedKey } from '../support/world.ts'

beforeEach(stopClock)

const createManage = async (key: string | null, fields: object = {}) =>
  madeBy(await create(key, { scope: 'manage', ...fields }))
const rotated = async (key: string | null, keyId: string, graceSeconds: number, query = '') => {
  const made = madeBy(await rotate(key, keyId, { graceSeconds }, {}, query))
  return made as Made & { created: Created }
}
const endedIn = ({ keys }: Created) =>
  keys.flatMap(({ keyId, revokedAt }) => (revokedAt === null ? [] : [keyId])).sort()

describe('A key that is revoked', () => {
  const seedCreator = async () => {
    const world = await seedManaged()
    const creator = madeBy(await create(world.manage.key, { scope: 'manage' }))
    const child = madeBy(await create(creator.key, { scope: 'manage' }))
    const grandchild = madeBy(await create(child.key))
    const webhookId = await createWebhook(creator.key)
    return { ...world, creator, child, grandchild, webhookId }
  }

  it('A key that is revoked is refused from then on, and names the active keys and webhooks that it created, which work on', async () => {
    const { manage, creator, child, grandchild, webhookId } = await seedCreator()
    const { revokedAt, created } = dataOf(await revoke(manage.key, creator.keyId), 200) as Revoked
    expect(revokedAt).toBe(inMs(0))
    expect(created.keys.map(({ keyId, revokedAt }) => [keyId, revokedAt]).sort()).toEqual(
      [
        [child.keyId, null],
        [grandchild.keyId, null],
      ].sort(),
    )
    expect(created.webhooks).toMatchObject([{ webhookId, disabledAt: null }])
    expect([await works(creator.key), await works(child.key), await works(grandchild.key)]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('`withCreated` also revokes what the key created, even after the key itself was revoked, and logs each once', async () => {
    const { manage, creator, child, grandchild, webhookId, companyId } = await seedCreator()
    dataOf(await revoke(manage.key, creator.keyId), 200)
    vi.setSystemTime(Date.now() + 1000)
    const { revokedAt, created } = dataOf(
      await revoke(manage.key, creator.keyId, withCreated),
      200,
    ) as Revoked
    expect(revokedAt).toBe(inMs(-1000))
    expect(created.keys.map(({ revokedAt }) => revokedAt)).toEqual([inMs(0), inMs(0)])
    expect(created.webhooks).toMatchObject([{ webhookId, disabledAt: inMs(0) }])
    expect([await works(child.key), await works(grandchild.key), await works(manage.key)]).toEqual([
      false,
      false,
      true,
    ])
    const logged = (await entriesOf(companyId)).filter(({ type }) => type === 'key.revoked')
    expect(logged.map(({ actor, data }) => [actor, data.keyId]).sort()).toEqual(
      [creator, child, grandchild].map(({ keyId }) => [manage.id, keyId]).sort(),
    )
  })

  it('A key that is revoked is never the key that asks, nor with what created it, nor what the asking key created', async () => {
    const { manage, creator, child, grandchild } = await seedCreator()
    expectFailure(await revoke(manage.key, manage.id), 409, 'A key cannot revoke itself', 'key_is_own')
    const created = await revokeWithCreated(child.key, creator.keyId)
    expect(created.keys).toMatchObject([{ keyId: child.keyId, revokedAt: null }])
    expect([await works(creator.key), await works(child.key), await works(grandchild.key)]).toEqual([
      false,
      true,
      true,
    ])
  })
})

it('A key that is rotated names what it created, which works on', async () => {
  const { manage } = await seedManaged()
  const leaked = await createManage(manage.key)
  const child = madeBy(await create(leaked.key))
  const webhookId = await createWebhook(leaked.key)
  const { created } = await rotated(manage.key, leaked.keyId, 60)
  expect(created.keys).toMatchObject([{ keyId: child.keyId, revokedAt: null }])
  expect(created.webhooks).toMatchObject([{ webhookId, disabledAt: null }])
  expect(await works(child.key)).toBe(true)
})

it('A key that is rotated without grace ends with its webhooks, those of the keys that it replaced too, and with no other', async () => {
  const { manage } = await seedManaged()
  const first = await createManage(manage.key)
  const old = await createWebhook(first.key)
  const second = await rotated(manage.key, first.keyId, 60)
  const child = await createManage(second.key)
  const [own, ofChild] = [await createWebhook(second.key), await createWebhook(child.key)]
  const { created } = await rotated(manage.key, second.keyId, 0)
  expect(Object.fromEntries(created.webhooks.map((one) => [one.webhookId, one.disabledAt]))).toEqual({
    [old]: inMs(0),
    [own]: inMs(0),
    [ofChild]: null,
  })
  expect((await readWebhook(manage.key, own)).disabledAt).toBe(inMs(0))
  expect(await works(child.key)).toBe(true)
})

it('A key that is rotated takes what it created with it when that is requested, but never its successor, and says so again', async () => {
  const { manage, companyId } = await seedManaged()
  const leaked = await createManage(manage.key)
  const child = await createManage(leaked.key)
  const grandchild = madeBy(await create(child.key))
  const webhookId = await createWebhook(child.key)
  const headers = { 'idempotency-key': 'leak-1' }
  const made = madeBy(await rotate(manage.key, leaked.keyId, { graceSeconds: 0 }, headers, withCreated))
  expect(endedIn(made.created as Created)).toEqual([child.keyId, grandchild.keyId].sort())
  expect(made.created?.webhooks).toMatchObject([{ webhookId, disabledAt: inMs(0) }])
  expect(await Promise.all([leaked, child, grandchild, made].map(({ key }) => works(key)))).toEqual([
    false,
    false,
    false,
    true,
  ])
  vi.setSystemTime(Date.now() + 1000)
  const kept = madeBy(await create(made.key))
  const again = madeBy(await rotate(manage.key, leaked.keyId, { graceSeconds: 0 }, headers, withCreated))
  expect(again.created).toEqual(made.created)
  expect(await works(kept.key)).toBe(true)
  const logged = (await entriesOf(companyId)).filter(({ type }) => type === 'key.revoked')
  expect(logged.map(({ data }) => data.keyId).sort()).toEqual(endedIn(made.created as Created))
})

it('A key that is rotated by itself ends what it created when that is requested, and not its successor', async () => {
  const { manage } = await seedManaged()
  const [child, webhookId] = [madeBy(await create(manage.key)), await createWebhook(manage.key)]
  const successor = await rotated(manage.key, manage.id, 60, withCreated)
  expect(endedIn(successor.created)).toEqual([child.keyId])
  expect((await readWebhook(manage.key, webhookId)).disabledAt).toBe(inMs(0))
  expect([await works(successor.key), await works(manage.key)]).toEqual([true, true])
})

it('What a rotated key created also belongs to the key that replaced it, and ends with it', async () => {
  const { manage } = await seedManaged()
  const first = await createManage(manage.key)
  const [child, webhookId] = [madeBy(await create(first.key)), await createWebhook(first.key)]
  const second = await rotated(first.key, first.keyId, 600)
  const third = await rotated(manage.key, second.keyId, 600)
  const created = await revokeWithCreated(manage.key, third.keyId)
  expect(endedIn(created)).toEqual([first.keyId, second.keyId, child.keyId].sort())
  expect(created.webhooks).toMatchObject([{ webhookId, disabledAt: inMs(0) }])
  expect(await works(manage.key)).toBe(true)
})

it('What a key created is what others made of it by rotation too', async () => {
  const { manage } = await seedManaged()
  const leaked = await createManage(manage.key)
  const child = await createManage(leaked.key)
  const successor = await rotated(manage.key, child.keyId, 0)
  const grandchild = madeBy(await create(successor.key))
  expect(endedIn(await revokeWithCreated(manage.key, leaked.keyId))).toEqual(
    [successor.keyId, grandchild.keyId].sort(),
  )
})

it('What a key created is not the key that another one made to replace it', async () => {
  const { manage } = await seedManaged()
  const leaked = await createManage(manage.key)
  const replaced = await rotated(manage.key, leaked.keyId, 600)
  expect(await revokeWithCreated(manage.key, leaked.keyId)).toEqual({ keys: [], webhooks: [], members: [] })
  expect(await works(replaced.key)).toBe(true)
})

it("What a key created is out of reach of a campaign's key once it is the company's, or of another campaign", async () => {
  const { companyId, campaignId, campaign, manage } = await seedManaged()
  const sibling = await seedCampaign(companyId)
  const own = await seedKey({ companyId, campaign, scope: 'manage' })
  for (const end of [
    (keyId: string) => revokeWithCreated(own.key, keyId),
    async (keyId: string) => (await rotated(own.key, keyId, 0, withCreated)).created,
    async (keyId: string) => (await rotated(own.key, keyId, 0)).created,
  ]) {
    const other = await createManage(own.key, { campaignId })
    const hooks = [0, 1, 2].map(() => createWebhook(other.key, { campaignId }))
    const [wide, moved, kept] = (await Promise.all(hooks)) as [string, string, string]
    const move = async (id: string, to: string | null) =>
      dataOf(await ask(manage.key, 'PATCH', `/api/v1/webhooks/${id}`, { campaignId: to }), 200)
    await move(wide, null)
    await move(moved, sibling.id)
    expect((await end(other.keyId)).webhooks).toMatchObject([{ webhookId: kept }])
    const now = await Promise.all([wide, moved, kept].map((id) => readWebhook(manage.key, id)))
    expect(now.map(({ disabledAt }) => disabledAt)).toEqual([null, null, inMs(0)])
  }
})
