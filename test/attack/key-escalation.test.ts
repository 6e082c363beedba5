// A manage key that leaked, and what its finder tries in order to get further with it, stay longer, or survive its end.
// All pairs of scope, campaign and end are in test/runtime/own-keys.test.ts.
import { beforeEach, expect, it, vi } from 'vitest'
import {
  ask,
  create,
  createWebhook,
  inMs,
  type Made,
  madeBy,
  readWebhook,
  revoke,
  revokeWithCreated,
  rotate,
  seedManaged,
  withCreated,
  works,
} from '../support/access/keys.ts'
import { dataOf } from '../support/http/expectations.ts'
import { sideBySide } from '../support/http/side-by-side.ts'
import { stopClock } from '../support/run/clock.ts'
import { type KeyKind, seedCampaign, seedKey } from '../support/world.ts'

beforeEach(stopClock)

const hourMs = 3_600_000
const hook = { url: 'https://attacker.test/', types: null }

/** The owner's key, and one that leaked: company-wide and without an end, unless given. */
async function seedLeak(
  kind: (world: Awaited<ReturnType<typeof seedManaged>>) => Partial<KeyKind> = () => ({}),
) {
  const world = await seedManaged()
  const leaked = await seedKey({ companyId: world.companyId, scope: 'manage', ...kind(world) })
  const sibling = await seedCampaign(world.companyId)
  return { ...world, owner: world.manage, leaked, sibling }
}
const ofCampaign = () => seedLeak(({ campaign }) => ({ campaign }))
const forAnHour = () => seedLeak(() => ({ expiresAtMs: Date.now() + hourMs }))

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const manage = { scope: 'manage' }
const changeAs = (key: string | null, id: string, change: object) =>
  ask(key, 'PATCH', `/api/v1/webhooks/${id}`, change)
const ended = async (keys: readonly (Made | { key: string })[]) =>
  (await Promise.all(keys.map(({ key }) => works(key)))).every((isActive) => !isActive)
const endAll = (owner: { key: string }, keyId: string) => revokeWithCreated(owner.key, keyId)

const attacks: Readonly<Record<string, () => Promise<void>>> = {
  'a scope that may not create keys': async () => {
    const { companyId, owner } = await seedLeak()
    for (const scope of ['read', 'write', 'agent'] as const) {
      const { key, id } = await seedKey({ companyId, scope })
      for (const act of [
        create(key, { scope }),
        rotate(key, id),
        rotate(key, owner.id),
        revoke(key, owner.id),
      ])
        expect(await statusOf(act)).toBe(403)
    }
  },
  'a scope that does not exist': async () => {
    const { leaked } = await seedLeak()
    for (const scope of ['operate', 'admin', 'Manage', '*', ['manage'], null])
      expect(await statusOf(create(leaked.key, { scope }))).toBe(400)
  },
  'members that only the service sets': async () => {
    const { leaked } = await seedLeak()
    for (const more of [{ createdBy: 'operator' }, { successorOf: 'x' }, { companyId: 'x' }, { keyId: 'x' }])
      expect(await statusOf(create(leaked.key, more))).toBe(400)
  },
  'a company-wide key by the key of a campaign': async () => {
    const { leaked } = await ofCampaign()
    for (const campaign of [{}, { campaignId: null }])
      expect(await statusOf(create(leaked.key, { ...manage, ...campaign }))).toBe(403)
  },
  'a key of a sibling campaign': async () => {
    const { leaked, sibling } = await ofCampaign()
    expect(await statusOf(create(leaked.key, { ...manage, campaignId: sibling.id }))).toBe(403)
  },
  'rotating keys beyond its campaign': async () => {
    const { companyId, leaked, owner, sibling } = await ofCampaign()
    const other = await seedKey({ companyId, campaign: sibling, scope: 'manage' })
    for (const { id } of [owner, other]) expect(await statusOf(rotate(leaked.key, id))).toBe(404)
  },
  'revoking keys beyond its campaign, with what they created': async () => {
    const { companyId, leaked, owner, sibling, campaignId } = await ofCampaign()
    const other = await seedKey({ companyId, campaign: sibling, scope: 'manage' })
    const child = madeBy(await create(owner.key, { campaignId }))
    for (const { id } of [owner, other]) expect(await statusOf(revoke(leaked.key, id, withCreated))).toBe(404)
    expect(await Promise.all([owner, other, child].map(({ key }) => works(key)))).toEqual([true, true, true])
  },
  'listing keys and webhooks beyond its campaign': async () => {
    const { leaked, owner, sibling } = await ofCampaign()
    await createWebhook(owner.key)
    await createWebhook(owner.key, { campaignId: sibling.id })
    const { keys } = dataOf(await ask(leaked.key, 'GET', '/api/v1/keys'), 200) as {
      keys: { keyId: string }[]
    }
    expect(keys.map(({ keyId }) => keyId)).toEqual([leaked.id])
    expect(dataOf(await ask(leaked.key, 'GET', '/api/v1/webhooks'), 200)).toEqual({ webhooks: [] })
  },
  'a key that lasts longer': async () => {
    const { leaked } = await forAnHour()
    expect(await statusOf(create(leaked.key, { expiresAt: inMs(hourMs + 1) }))).toBe(403)
    for (const open of [{}, { expiresAt: null }])
      expect(madeBy(await create(leaked.key, { ...manage, ...open })).expiresAt).toBe(inMs(hourMs))
  },
  'rotating a key that lasts longer': async () => {
    const { leaked, owner } = await forAnHour()
    expect(madeBy(await rotate(leaked.key, owner.id)).expiresAt).toBe(inMs(hourMs))
  },
  'a chain of own rotations': async () => {
    const { leaked } = await forAnHour()
    const end = inMs(hourMs)
    let last = { key: leaked.key as string | null, keyId: leaked.id }
    for (let i = 0; i < 5; i++) {
      const next = madeBy(await rotate(last.key, last.keyId, { graceSeconds: 604_800 }))
      expect([next.expiresAt, next.previousExpiresAt]).toEqual([end, end])
      last = next
    }
  },
  'creating in the grace period': async () => {
    const { leaked, owner } = await seedLeak()
    madeBy(await rotate(owner.key, leaked.id, { graceSeconds: 60 }))
    const child = madeBy(await create(leaked.key, manage))
    const webhook = await createWebhook(leaked.key)
    expect([child.expiresAt, (await readWebhook(owner.key, webhook)).expiresAt]).toEqual([
      inMs(60_000),
      inMs(60_000),
    ])
    vi.setSystemTime(Date.now() + 60_000)
    expect(await ended([leaked, child])).toBe(true)
  },
  'acting after its end': async () => {
    const { leaked, owner } = await forAnHour()
    expect(await works(leaked.key)).toBe(true)
    vi.setSystemTime(Date.now() + hourMs)
    for (const act of [create(leaked.key), rotate(leaked.key, leaked.id), revoke(leaked.key, owner.id)])
      expect(await statusOf(act)).toBe(401)
  },
  'hiding behind its own rotation': async () => {
    const { leaked, owner } = await seedLeak()
    const second = madeBy(await rotate(leaked.key, leaked.id))
    const child = madeBy(await create(second.key, manage))
    await endAll(owner, leaked.id)
    expect(await ended([leaked, second, child])).toBe(true)
  },
  'hiding before its own rotation': async () => {
    const { leaked, owner } = await seedLeak()
    const [child, webhook] = [madeBy(await create(leaked.key, manage)), await createWebhook(leaked.key)]
    const second = madeBy(await rotate(leaked.key, leaked.id))
    await endAll(owner, second.keyId)
    expect(await ended([leaked, second, child])).toBe(true)
    expect((await readWebhook(owner.key, webhook)).disabledAt).toBe(inMs(0))
  },
  "hiding behind the owner's rotation": async () => {
    const { leaked, owner } = await seedLeak()
    const child = madeBy(await create(leaked.key, manage))
    const second = madeBy(await rotate(owner.key, child.keyId, { graceSeconds: 0 }))
    const grandchild = madeBy(await create(second.key, manage))
    await endAll(owner, leaked.id)
    expect(await ended([child, second, grandchild])).toBe(true)
  },
  'hiding behind a rotation of a key that did nothing': async () => {
    const { leaked, owner, readKeyId } = await seedLeak()
    const accomplice = madeBy(await create(leaked.key, manage))
    const taken = madeBy(await rotate(accomplice.key, readKeyId))
    await endAll(owner, leaked.id)
    expect(await ended([accomplice, taken])).toBe(true)
  },
  'children that revoke their creators': async () => {
    const { leaked, owner } = await seedLeak()
    const child = madeBy(await create(leaked.key, manage))
    const grandchild = madeBy(await create(child.key, manage))
    expect(await statusOf(revoke(grandchild.key, child.keyId))).toBe(200)
    await endAll(owner, leaked.id)
    expect(await ended([leaked, child, grandchild])).toBe(true)
  },
  'staying by a rotation without grace': async () => {
    const { leaked, owner } = await seedLeak()
    const [child, webhook] = [madeBy(await create(leaked.key, manage)), await createWebhook(leaked.key)]
    const { created } = madeBy(await rotate(owner.key, leaked.id, { graceSeconds: 0 }, {}, withCreated))
    expect(await ended([leaked, child])).toBe(true)
    expect(created?.webhooks).toMatchObject([{ webhookId: webhook, disabledAt: inMs(0) }])
  },
  'a webhook beyond its campaign': async () => {
    const { leaked, sibling, campaignId } = await ofCampaign()
    for (const campaign of [{}, { campaignId: null }, { campaignId: sibling.id }])
      expect(await statusOf(ask(leaked.key, 'POST', '/api/v1/webhooks', { ...hook, ...campaign }))).toBe(403)
    const own = await createWebhook(leaked.key, { campaignId })
    for (const wider of [{ campaignId: null }, { campaignId: sibling.id }])
      expect(await statusOf(changeAs(leaked.key, own, wider))).toBe(403)
  },
  "changing the company's webhooks by the key of a campaign": async () => {
    const { leaked, owner } = await ofCampaign()
    const path = `/api/v1/webhooks/${await createWebhook(owner.key)}`
    for (const act of [
      ask(leaked.key, 'GET', path),
      ask(leaked.key, 'PATCH', path, hook),
      ask(leaked.key, 'DELETE', path),
      ask(leaked.key, 'POST', `${path}/rotate`, {}),
      ask(leaked.key, 'POST', `${path}/test`),
      ask(leaked.key, 'GET', `${path}/deliveries`),
      ask(leaked.key, 'POST', `${path}/replay`, { since: inMs(-hourMs) }),
    ])
      expect(await statusOf(act)).toBe(404)
  },
  'ending a webhook that was widened, by its creator': async () => {
    const { leaked, owner, campaignId } = await ofCampaign()
    const child = madeBy(await create(leaked.key, { ...manage, campaignId }))
    const webhook = await createWebhook(child.key, { campaignId })
    dataOf(await changeAs(owner.key, webhook, { campaignId: null }), 200)
    expect((await endAll(leaked, child.keyId)).webhooks).toEqual([])
    expect((await readWebhook(owner.key, webhook)).disabledAt).toBe(null)
  },
  'a webhook that lasts longer, also by a child': async () => {
    const { leaked, owner } = await forAnHour()
    const webhook = await createWebhook(leaked.key)
    const child = madeBy(await create(leaked.key, manage))
    for (const change of [{ types: ['call.reported'] }, { disabled: true }, { disabled: false }])
      for (const { key } of [leaked, child]) dataOf(await changeAs(key, webhook, change), 200)
    expect((await readWebhook(owner.key, webhook)).expiresAt).toBe(inMs(hourMs))
  },
  "taking over the owner's webhook": async () => {
    const { leaked, owner } = await forAnHour()
    const webhook = await createWebhook(owner.key, { url: 'https://owner.test/' })
    dataOf(await changeAs(leaked.key, webhook, { url: hook.url, disabled: true }), 200)
    dataOf(await changeAs(leaked.key, webhook, { disabled: false }), 200)
    vi.setSystemTime(Date.now() + hourMs)
    expect(await readWebhook(owner.key, webhook)).toMatchObject({ disabledReason: 'key_expired' })
  },
  "taking over the owner's webhook, to outlive a revocation": async () => {
    const { leaked, owner } = await seedLeak()
    const webhook = await createWebhook(owner.key, { url: 'https://owner.test/' })
    dataOf(await changeAs(leaked.key, webhook, { url: hook.url }), 200)
    expect((await endAll(owner, leaked.id)).webhooks).toMatchObject([{ webhookId: webhook }])
    expect((await readWebhook(owner.key, webhook)).disabledAt).toBe(inMs(0))
  },
  'enabling the webhook of a revoked key for ever': async () => {
    const { companyId, leaked, owner } = await seedLeak()
    const webhook = await createWebhook(leaked.key)
    await endAll(owner, leaked.id)
    const other = await seedKey({ companyId, scope: 'manage', expiresAtMs: Date.now() + hourMs })
    dataOf(await changeAs(other.key, webhook, { disabled: false }), 200)
    expect((await readWebhook(owner.key, webhook)).expiresAt).toBe(inMs(hourMs))
  },
  "an Idempotency-Key of another's request": async () => {
    const { leaked, owner } = await seedLeak()
    const headers = { 'idempotency-key': 'order-1' }
    const theirs = madeBy(await create(owner.key, manage, headers))
    const mine = madeBy(await create(leaked.key, manage, headers))
    expect([mine.keyId === theirs.keyId, mine.key === theirs.key]).toEqual([false, false])
    expect(madeBy(await create(owner.key, manage, headers)).key).toBe(null)
  },
  'an Idempotency-Key for another request': async () => {
    const { leaked, owner, readKeyId } = await seedLeak()
    const headers = { 'idempotency-key': 'order-2' }
    madeBy(await rotate(leaked.key, readKeyId, {}, headers))
    expect(await statusOf(rotate(leaked.key, readKeyId, {}, headers, withCreated))).toBe(409)
    expect(await statusOf(rotate(leaked.key, owner.id, {}, headers))).toBe(409)
    await endAll(owner, leaked.id)
    expect(await statusOf(rotate(leaked.key, readKeyId, {}, headers))).toBe(401)
  },
  'ending itself, so that nobody sees what it made': async () => {
    const { leaked } = await seedLeak()
    expect(await statusOf(revoke(leaked.key, leaked.id, withCreated))).toBe(409)
    expect(await statusOf(rotate(leaked.key, leaked.id, { graceSeconds: 0 }))).toBe(409)
  },
  "another company's keys, campaigns and webhooks": async () => {
    const { leaked } = await seedLeak()
    const other = await seedLeak()
    const [webhook, made] = [await createWebhook(other.owner.key), madeBy(await create(other.owner.key))]
    expect(await statusOf(create(leaked.key, { campaignId: other.campaignId }))).toBe(403)
    for (const keyId of [other.owner.id, made.keyId])
      for (const act of [
        rotate(leaked.key, keyId, {}, {}, withCreated),
        revoke(leaked.key, keyId, withCreated),
      ])
        expect(await statusOf(act)).toBe(404)
    expect(await statusOf(changeAs(leaked.key, webhook, hook))).toBe(404)
    expect(await Promise.all([other.owner, made].map(({ key }) => works(key)))).toEqual([true, true])
  },
  'ids that are none': async () => {
    const { leaked } = await seedLeak()
    for (const id of ["x' or '1'='1", '%', '*', 'null', 'operator', '..%2fself', leaked.key])
      for (const act of [
        rotate(leaked.key, encodeURIComponent(id)),
        revoke(leaked.key, encodeURIComponent(id)),
      ])
        expect(await statusOf(act)).toBe(404)
  },
  'many keys at once': async () => {
    const { leaked, owner } = await seedLeak()
    const answers = await sideBySide(Array.from({ length: 80 }), () => create(leaked.key, manage))
    const made = answers.filter(({ status }) => status === 201).map(madeBy)
    expect([made.length, new Set(answers.map(({ status }) => status))]).toEqual([60, new Set([201, 429])])
    expect((await endAll(owner, leaked.id)).keys).toHaveLength(60)
    expect(await ended(made)).toBe(true)
  },
}

it.each(Object.entries(attacks))('Somebody who finds a key gains nothing by %s', async (_, attack) => {
  await attack()
})
