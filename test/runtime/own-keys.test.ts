// Keys that are created, rotated and revoked over HTTP: nobody gains a right that they do not have, and a key is shown
// once and nowhere else. What is invalid is in the catalogue.
import { beforeEach, expect, it, vi } from 'vitest'
import { includesScope, keyScopes, type Scope } from '../../src/base/access/scope.ts'
import {
  ask,
  create,
  inMs,
  keysPath,
  type Made,
  madeBy,
  type Revoked,
  revoke,
  rotate,
  seedManaged,
  withCreated,
  works,
} from '../support/access/keys.ts'
import { databaseLosingAnswers } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { type Answer, api, type Options } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { sideBySide } from '../support/http/side-by-side.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { stopClock } from '../support/run/clock.ts'
import { catchLogs } from '../support/run/logs.ts'
import { everyOther } from '../support/run/thorough.ts'
import { type Key, type KeyKind, seedCampaign, seedKey, seedWorld, unknownKey } from '../support/world.ts'

beforeEach(stopClock)

const path = keysPath
const dayMs = 86_400_000

/** A right that a key has: of a campaign, or of the company. */
type Reach = { readonly scope: Scope; readonly campaign: 'company' | 'own' | 'sibling' }
const reaches: readonly Reach[] = keyScopes.flatMap((scope) =>
  (['company', 'own', 'sibling'] as const).map((campaign) => ({ scope, campaign })),
)
const ends = ['never', 'soon', 'late'] as const
type End = (typeof ends)[number]
const endMs = { never: null, soon: dayMs, late: 2 * dayMs } as const
const isAtMost = (one: End, other: End) => (endMs[one] ?? Infinity) <= (endMs[other] ?? Infinity)
const within = (asker: Reach, asked: Reach) =>
  includesScope(asker.scope, asked.scope) &&
  (asker.campaign === 'company' || asker.campaign === asked.campaign)

const pairs = reaches.flatMap((asker) =>
  ends.flatMap((askerEnd) =>
    reaches.flatMap((asked) => ends.map((askedEnd) => ({ asker, askerEnd, asked, askedEnd }))),
  ),
)

it('Nobody gains a right in any of all pairs of an asking key and a key asked for: scope, campaign and end', async () => {
  const world = await seedWorld()
  const { companyId } = world
  const campaigns = { company: undefined, own: world.campaign, sibling: await seedCampaign(companyId) }
  const kindOf = ({ scope, campaign }: Reach, end: End): KeyKind => ({
    companyId,
    scope,
    ...(campaigns[campaign] && { campaign: campaigns[campaign] }),
    ...(endMs[end] !== null && { expiresAtMs: Date.now() + endMs[end] }),
  })
  const oneOfEach = () => {
    const keys = new Map<string, Promise<Key>>()
    return (reach: Reach, end: End) => {
      const name = JSON.stringify([reach, end])
      const key = keys.get(name) ?? seedKey(kindOf(reach, end))
      keys.set(name, key)
      return key
    }
  }
  const [askerOf, unchangedOf] = [oneOfEach(), oneOfEach()]
  expect(pairs).toHaveLength(12 * 3 * 12 * 3)

  await sideBySide(everyOther(pairs, 0), async ({ asker, askerEnd, asked, askedEnd }) => {
    const cell = JSON.stringify({ asker, askerEnd, asked, askedEnd })
    const mayManage = asker.scope === 'manage'
    const { key } = await askerOf(asker, askerEnd)
    const campaign = campaigns[asked.campaign]
    const answer = await create(key, {
      scope: asked.scope,
      ...(campaign && { campaignId: campaign.id }),
      ...(endMs[askedEnd] !== null && { expiresAt: inMs(endMs[askedEnd]) }),
    })
    // Without an end of its own, a key ends with the one that asks.
    const end = askedEnd === 'never' ? askerEnd : askedEnd
    const may = mayManage && within(asker, asked) && isAtMost(end, askerEnd)
    expect([cell, answer.status]).toEqual([cell, may ? 201 : 403])
    const other = await (mayManage ? seedKey(kindOf(asked, askedEnd)) : unchangedOf(asked, askedEnd))
    const rotated = await rotate(key, other.id)
    const isSeen = asker.campaign === 'company' || asker.campaign === asked.campaign
    const statusOf = (done: number) => (mayManage ? (isSeen ? done : 404) : 403)
    expect([cell, rotated.status]).toEqual([cell, statusOf(201)])
    expect([cell, (await revoke(key, other.id)).status]).toEqual([cell, statusOf(200)])
    if (!mayManage) return

    const gained = [answer, rotated].filter(({ status }) => status === 201).map(madeBy)
    for (const made of gained) {
      const { key: self } = dataOf(await ask(made.key ?? '', 'GET', `${path}/self`), 200) as { key: Made }
      const expiresMs = self.expiresAt === null ? Infinity : Date.parse(self.expiresAt) - Date.now()
      expect([cell, self.scope, self.campaignId]).toEqual([cell, asked.scope, campaign?.id ?? null])
      expect([cell, expiresMs <= (endMs[askerEnd] ?? Infinity)]).toEqual([cell, true])
    }
    // A company has a thousand active keys at most, and makes sixty in an hour.
    await companyDb
      .prepare(
        'update api_keys set revoked_at_ms = 1, created_at_ms = 0 where id in (select value from json_each(?1))',
      )
      .bind(JSON.stringify([other.id, ...gained.map(({ keyId }) => keyId)]))
      .run()
  })
}, 300_000)

it("Nobody gains a right of another company's keys, nor learns that there are any", async () => {
  const { manage } = await seedManaged()
  const other = await seedManaged()
  for (const answer of [await rotate(manage.key, other.manage.id), await revoke(manage.key, other.manage.id)])
    expectFailure(answer, 404, 'Key not found', 'key_not_found')
  expect(await works(other.manage.key)).toBe(true)
})

it('Nobody gains a right by a key that its key was revoked before it, or expired', async () => {
  const { companyId, manage, count } = await seedManaged()
  const expiring = await seedKey({ companyId, scope: 'manage', expiresAtMs: Date.now() + 1000 })
  const second = await seedKey({ companyId, scope: 'manage' })
  for (const key of [expiring.key, second.key]) expect(await works(key)).toBe(true)
  dataOf(await revoke(manage.key, second.id), 200)
  vi.setSystemTime(Date.now() + 1000)
  const before = await count()
  for (const { id, key } of [expiring, second])
    for (const answer of [await create(key), await rotate(key, id), await revoke(key, manage.id)])
      expectFailure(answer, 401, 'Invalid or inactive API key')
  expect([await count(), await works(manage.key)]).toEqual([before, true])
})

it('A key that is created works, and is listed with the key that created it', async () => {
  const { manage, campaignId } = await seedManaged()
  const answer = await create(manage.key, { campaignId, expiresAt: inMs(dayMs) })
  const made = madeBy(answer)
  expect(made).toEqual({
    keyId: expect.stringMatching(/^key_[0-9A-Za-z]{16}$/),
    key: expect.stringMatching(/^lk_[0-9A-Za-z]{38}$/),
    name: 'crm',
    scope: 'write',
    campaignId,
    hint: `${made.key?.slice(0, 7)}…`,
    createdAt: inMs(0),
    expiresAt: inMs(dayMs),
  })
  expect(await works(made.key)).toBe(true)
  const { keys } = dataOf(await ask(manage.key, 'GET', path), 200) as { keys: object[] }
  expect(keys).toContainEqual(expect.objectContaining({ keyId: made.keyId, createdBy: manage.id }))
})

it('A key that is created ends with the key that asks when it is given no end', async () => {
  const { manage } = await seedManaged({ expiresAtMs: Date.now() + dayMs })
  expect(madeBy(await create(manage.key)).expiresAt).toBe(inMs(dayMs))
})

it("A key that is created needs a campaign when a campaign's key asks", async () => {
  const world = await seedWorld()
  const manage = await seedKey({ companyId: world.companyId, campaign: world.campaign, scope: 'manage' })
  expectFailure(await create(manage.key), 403, 'Insufficient permissions', 'company_key_required')
  expect(madeBy(await create(manage.key, { campaignId: world.campaignId })).campaignId).toBe(world.campaignId)
})

it('A key that is created is one of a thousand that are active; also with many at once, and a rotation needs room for both', async () => {
  const { companyId, manage, readKeyId, count } = await seedManaged()
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 995)
       insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
       select ?1 || i, ?1, 'read', 'many', ?1 || i, 'lk_', 0 from n`,
    )
    .bind(companyId)
    .run()
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(manage.key)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
  expect(await count()).toBe(1000)
  for (const refused of [await create(manage.key), await rotate(manage.key, readKeyId)])
    expectFailure(refused, 409, 'Too many active keys', 'too_many_keys')
  madeBy(await rotate(manage.key, readKeyId, { graceSeconds: 0 }))
  const made = madeBy(answers.find(({ status }) => status === 201) as Answer)
  dataOf(await revoke(manage.key, made.keyId), 200)
  madeBy(await create(manage.key))
})

it('A key that is rotated gets a successor with its rights, and ends after the grace period', async () => {
  const { companyId, campaign, manage } = await seedManaged()
  const old = await seedKey({ companyId, campaign, scope: 'agent', expiresAtMs: Date.now() + 2 * dayMs })
  const made = madeBy(await rotate(manage.key, old.id))
  expect(made).toMatchObject({
    name: old.id,
    scope: 'agent',
    campaignId: campaign.id,
    expiresAt: inMs(2 * dayMs),
    previousExpiresAt: inMs(dayMs),
  })
  expect([await works(old.key), await works(made.key)]).toEqual([true, true])
  vi.setSystemTime(Date.now() + dayMs)
  expect([await works(old.key), await works(made.key)]).toEqual([false, true])
  expectFailure(await rotate(manage.key, old.id), 409, 'Key is revoked or expired', 'key_inactive')
})

it('A key that is rotated rotates itself with at least a minute of grace', async () => {
  const { manage, count } = await seedManaged()
  const before = await count()
  for (const graceSeconds of [0, 59])
    expectFailure(
      await rotate(manage.key, manage.id, { graceSeconds }),
      409,
      'A key that rotates itself needs a grace period of 60 seconds',
      'grace_too_short',
    )
  expect(await count()).toBe(before)
  const made = madeBy(await rotate(manage.key, manage.id, { graceSeconds: 60 }))
  expect([await works(manage.key), await works(made.key)]).toEqual([true, true])
  vi.setSystemTime(Date.now() + 60_000)
  expect([await works(manage.key), await works(made.key)]).toEqual([false, true])
})

it('Races of a revocation and what its key creates and rotates leave no key that is not named', async () => {
  for (let round = 0; round < 5; round++) {
    const { companyId, manage, readKeyId } = await seedManaged()
    const leaked = await seedKey({ companyId, scope: 'manage' })
    const [revoked, ...answers] = await Promise.all([
      revoke(manage.key, leaked.id, withCreated),
      ...Array.from({ length: 4 }, () => create(leaked.key)),
      rotate(leaked.key, leaked.id, { graceSeconds: 60 }),
      rotate(leaked.key, readKeyId),
    ])
    const named = (dataOf(revoked, 200) as Revoked).created.keys.map(({ keyId }) => keyId)
    const made = answers.filter(({ status }) => status === 201).map(madeBy)
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer.status).toBe(401)
    expect(made.map(({ keyId }) => keyId).sort()).toEqual(named.sort())
    for (const { key } of made) expect(await works(key)).toBe(false)
  }
})

it('Races of two keys that revoke each other leave one', async () => {
  const { companyId, manage } = await seedManaged()
  const other = await seedKey({ companyId, scope: 'manage' })
  const answers = await Promise.all([revoke(manage.key, other.id), revoke(other.key, manage.id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  expect([await works(manage.key), await works(other.key)].sort()).toEqual([false, true])
})

it('Races of many requests with one Idempotency-Key create one key, which one of them is shown', async () => {
  const { manage, readKeyId, count } = await seedManaged()
  for (const [i, send] of [
    (headers: Options['headers']) => create(manage.key, {}, headers),
    (headers: Options['headers']) => rotate(manage.key, readKeyId, {}, headers),
  ].entries()) {
    const before = (await count()) ?? 0
    const headers = { 'idempotency-key': `order-${i}` }
    const made = (await Promise.all(Array.from({ length: 5 }, () => send(headers)))).map(madeBy)
    expect(new Set(made.map(({ keyId }) => keyId)).size).toBe(1)
    expect(made.filter(({ key }) => key !== null)).toHaveLength(1)
    expect(await count()).toBe(before + 1)
  }
})

it('A key itself is shown once: a repeated request gets the same id, without it', async () => {
  const { manage, readKeyId, count } = await seedManaged()
  const headers = { 'idempotency-key': 'order-1' }
  const first = madeBy(await create(manage.key, {}, headers))
  const again = await create(manage.key, {}, headers)
  expect(madeBy(again)).toEqual({ ...first, key: null, keyNote: 'shown once' })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const before = await count()
  for (const other of [
    await create(manage.key, { scope: 'read' }, headers),
    await rotate(manage.key, readKeyId, {}, headers),
  ])
    expectFailure(other, 409, 'Idempotency-Key was used for a different request', 'idempotency_key_reused')
  expect(await count()).toBe(before)
})

it('A key itself is shown also when the answer of the database was lost on the way', async () => {
  // The retry waits.
  vi.useRealTimers()
  const { manage, count } = await seedManaged()
  const before = (await count()) ?? 0
  const { DB } = databaseLosingAnswers(1)
  const made = madeBy(
    await api(manage.key, { bindings: { DB } }).request('POST', path, { name: 'crm', scope: 'read' }),
  )
  expect([await works(made.key), await count()]).toEqual([true, before + 1])
})

it('A key itself is in no log, event, error, list or second answer, and is not stored', async () => {
  const logs = catchLogs()
  const { manage, companyId } = await seedManaged()
  const headers = { 'idempotency-key': 'order-1' }
  const made = madeBy(await create(manage.key, { scope: 'manage' }, headers))
  const rotated = madeBy(await rotate(manage.key, made.keyId))
  const secrets = [manage.key, made.key, rotated.key] as string[]
  const seen = [
    await create(manage.key, { scope: 'manage' }, headers),
    await create(manage.key, { name: 'x'.repeat(256) }),
    await ask(manage.key, 'GET', path),
    await ask(manage.key, 'GET', '/api/v1/events'),
    await revoke(manage.key, made.key ?? ''),
    await rotate(manage.key, made.key ?? ''),
    await revoke(manage.key, made.keyId, withCreated),
    await create(unknownKey(), { name: made.key }),
  ].map(({ text, headers: sent }) => text + JSON.stringify([...sent]))
  const tables = await Promise.all(
    ['api_keys', 'events', 'key_hours'].map((table) => companyDb.prepare(`select * from ${table}`).all()),
  )
  const everything = [logs.text(), ...seen, JSON.stringify(tables.map(({ results }) => results))].join()
  for (const secret of secrets) expect(everything.includes(secret)).toBe(false)
  expect((await entriesOf(companyId)).map(({ type, actor, data }) => [type, actor, data])).toEqual([
    ['key.created', manage.id, { keyId: made.keyId, scope: 'manage' }],
    ['key.rotated', manage.id, { keyId: made.keyId, newKeyId: rotated.keyId }],
    ['key.revoked', manage.id, { keyId: made.keyId }],
  ])
})
