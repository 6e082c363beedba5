// What the operator does over HTTP while a company moves: begins and aborts the move, and revokes a key that leaked,
// which works at no moment from then on, wherever the company arrives.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { driveMoves } from '../../src/control/companies/move/drive-moves.ts'
import { movedTables } from '../../src/control/companies/store/moved-tables.ts'
import {
  driveToEnd,
  driveUntil,
  dump,
  freezeOwn,
  moveAlong,
  moveOf,
  moveTo,
  objectOf,
  runUntilComparing,
  runWith,
  seedMoving,
  shared,
  tablesOf,
  wish,
} from '../support/companies/moving.ts'
import { asOperator, companiesPath } from '../support/companies/operator.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { stopClock } from '../support/run/clock.ts'

beforeEach(stopClock)

const pathOf = (companyId: string) => `${companiesPath}/${companyId}/move`

describe('A move that the operator requests', () => {
  it('A requested move has its object woken at once, and says how far it is and what a crash costs', async () => {
    const { companyId } = await seedMoving()
    const operator = await asOperator()
    const requested = dataOf(
      await operator.ask('POST', pathOf(companyId), { to: 'own', location: 'weur' }),
      202,
    )
    expect(requested).toMatchObject({
      phase: 'requested',
      from: 'shared',
      to: 'own',
      goesOnWithinSeconds: 60,
      frozenSeconds: null,
    })
    const { toStore } = await moveOf(companyId)
    expect(toStore).toMatch(/@weur$/)
    await vi.waitFor(async () => {
      const moving = await runInDurableObject(objectOf(toStore as string), (_, { storage }) =>
        storage.kv.get('moving'),
      )
      expect(moving).toBe(companyId)
    }, 60_000)
    expect((await driveUntil(companyId, 'switched', 'aborted')).phase).toBe('switched')
    expect(await operator.get(pathOf(companyId))).toMatchObject({ phase: 'switched', goesOnWithinSeconds: 5 })
    await driveToEnd(companyId)
    expect(await operator.get(pathOf(companyId))).toMatchObject({ phase: 'done', goesOnWithinSeconds: null })
    expect(await operator.get(`${companiesPath}/${companyId}`)).toMatchObject({
      store: 'own',
      location: 'weur',
    })
  })

  it('A move says how long writes have been refused, so far and in all, as the clock has measured it', async () => {
    const [{ companyId }, neighbour] = [await seedMoving(), await seedMoving()]
    const operator = await asOperator()
    const frozen = async (id = companyId) =>
      ((await operator.get(pathOf(id))) as { frozenSeconds: number | null }).frozenSeconds
    const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
    await wish(companyId, 'own')
    await wish(neighbour.companyId, 'own')
    await runUntilComparing(companyId)
    later(13_250)
    expect(await frozen()).toBe(13.3)
    later(26_000)
    expect([await frozen(), await frozen(neighbour.companyId)]).toEqual([39.3, null])
    await driveUntil(companyId, 'switched')
    const { frozenAtMs, switchedAtMs } = await moveOf(companyId)
    later(60_000)
    expect(await frozen()).toBe(Math.round(((switchedAtMs ?? 0) - (frozenAtMs ?? 0)) / 100) / 10)
    await driveUntil(neighbour.companyId, 'switched')
  })

  it('The same move requested twice is one, and its abort leaves the company where it is', async () => {
    const world = await seedMoving()
    const { companyId, keys } = world
    const operator = await asOperator()
    const request = () => operator.ask('POST', pathOf(companyId), { to: 'own' })
    const [first, again] = [dataOf(await request(), 202), dataOf(await request(), 202)]
    expect(again).toMatchObject({ requestedAt: (first as { requestedAt: string }).requestedAt })
    dataOf(await operator.ask('DELETE', pathOf(companyId)), 200)
    expect((await driveUntil(companyId, 'aborted')).phase).toBe('aborted')
    expect(await operator.get(`${companiesPath}/${companyId}`)).toMatchObject({ store: 'shared' })
    expect((await api(keys.read.key).request('GET', '/api/v1/keys/self')).status).toBe(200)
    expectFailure(await operator.ask('DELETE', pathOf(companyId)), 404, 'Move not found')
  })
})

const rowsOf = async (companyId: string) => {
  const count = (table: string, column = 'company_id') =>
    shared
      .prepare(`select count(*) as n from ${table} where ${column} = ?1`)
      .bind(companyId)
      .first<number>('n')
  return [await count('companies', 'id'), await count('company_moves'), await count('store_keys')]
}

describe('A store that cannot be made, or does not answer', () => {
  // workerd has no jurisdictions.
  it('A local service refuses a jurisdiction for a new company and for a move, before anything is written', async () => {
    const { companyId } = await seedMoving()
    const operator = await asOperator()
    const place = { location: 'weur', jurisdiction: 'eu' }
    const id = `nowhere-${companyId}`
    const refusal = [400, 'jurisdiction is not available in a local service', 'invalid_field'] as const
    expectFailure(
      await operator.ask('POST', companiesPath, { id, name: 'N', store: 'own', ...place }),
      ...refusal,
    )
    expect(await rowsOf(id)).toEqual([0, 0, 0])
    expectFailure(await operator.ask('POST', pathOf(companyId), { to: 'own', ...place }), ...refusal)
    expect(await rowsOf(companyId)).toEqual([1, 0, 0])
    // The same id is free.
    dataOf(await operator.ask('POST', companiesPath, { id, name: 'N', store: 'own' }), 201)
  })

  it('A creation that fails half-way is completed by the same request with the same key', async () => {
    const operator = await asOperator()
    const companyId = `half-${Date.now()}`
    const body = { id: companyId, name: 'Half', store: 'own' }
    const once = { 'idempotency-key': `of-${companyId}` }
    const away = { getByName: () => ({ batch: () => Promise.reject(new Error('away')) }) }
    const failing = api(operator.key, { bindings: { DB: env.DB, COMPANY_STORES: away } })
    expectFailure(
      await failing.request('POST', companiesPath, body, once),
      503,
      'Service temporarily unavailable',
    )
    expect(dataOf(await operator.ask('POST', companiesPath, body, once), 201)).toEqual({ companyId })
    const withManager = { ...body, id: `led-${companyId}`, manager: 'Ada@Example.com' }
    expect(dataOf(await operator.ask('POST', companiesPath, withManager), 201)).toEqual({
      companyId: withManager.id,
      manager: 'ada@example.com',
    })
    const { key } = await operator.createKey(companyId)
    dataOf(await api(key).request('POST', '/api/v1/campaigns', { id: 'first', name: 'First' }), 201)
  })

  it.each(['own', 'shared'] as const)(
    'A move whose store does not answer says so, ends after ten minutes, and leaves the company working: to %s',
    async (to) => {
      const { companyId, writer, campaignId } = await seedMoving()
      const operator = await asOperator()
      if (to === 'shared') {
        await moveTo(companyId, 'own')
        await driveToEnd(companyId)
      }
      const [wished, neighbour] = [await wish(companyId, to), await seedMoving()]
      await wish(neighbour.companyId, 'own')
      const name = wished ?? (await moveOf(companyId)).fromStore
      const silent = {
        getByName: (asked: string) =>
          asked === name
            ? { move: () => Promise.reject(new Error('away')) }
            : env.COMPANY_STORES.getByName(asked),
      }
      const drive = () => driveMoves({ ...env, COMPANY_STORES: silent } as unknown as Env)
      await drive()
      const problem = expect.stringContaining('its store does not answer')
      expect(await operator.get(pathOf(companyId))).toMatchObject({
        phase: 'requested',
        problem,
        endedAt: null,
      })
      vi.setSystemTime(Date.now() + 9 * 60_000)
      await drive()
      expect((await moveOf(companyId)).phase).toBe('requested')
      vi.setSystemTime(Date.now() + 60_000)
      await drive()
      expect(['aborted', 'aborting']).toContain((await moveOf(companyId)).phase)
      expect(await driveUntil(companyId, 'aborted')).toMatchObject({ progress: { problem } })
      dataOf(await writer.createLead({ campaignId, phoneNumber: '+14155550112' }), 201)
      expect((await driveUntil(neighbour.companyId, 'switched')).progress.problem).toBeUndefined()
    },
  )

  it('A move that continues after its store did not answer forgets that problem', async () => {
    const { companyId } = await seedMoving()
    await wish(companyId, 'own')
    const silent = { getByName: () => ({ move: () => Promise.reject(new Error('away')) }) }
    await driveMoves({ ...env, COMPANY_STORES: silent } as unknown as Env)
    expect((await moveOf(companyId)).progress.problem).toBeDefined()
    const { progress } = await driveUntil(companyId, 'switched')
    expect([progress.problem, progress.failsSinceMs]).toEqual([undefined, undefined])
  })
})

describe('A company that a move copies', () => {
  it('A company that is copied takes no key and no change from the operator', async () => {
    const world = await seedMoving()
    const { companyId } = world
    const operator = await asOperator()
    const name = (await moveTo(companyId, 'own')) as string
    await driveToEnd(companyId)
    await freezeOwn(name, companyId)
    const path = `${companiesPath}/${companyId}`
    for (const [method, at, body] of [
      ['POST', `${path}/keys`, { name: 'crm', scope: 'read' }],
      ['POST', `${path}/keys/${world.keys.read.id}/rotate`, {}],
      ['PATCH', path, { name: 'Other' }],
    ] as const) {
      const answer = await operator.ask(method, at, body)
      expectFailure(answer, 503, 'Service temporarily unavailable')
      expect(answer.headers.get('retry-after')).not.toBeNull()
    }
  })
})

const revokedAt = movedTables.find(({ name }) => name === 'api_keys')?.columns.indexOf('revoked_at_ms') ?? -1

describe('A key that the operator revokes while its company moves', () => {
  /** On the way back to D1, its store frozen. */
  async function seedFrozen() {
    const world = await seedMoving()
    const { companyId, keys } = world
    const store = (await moveTo(companyId, 'own')) as string
    await driveToEnd(companyId)
    const operator = await asOperator()
    const read = async (client = world.reader) => (await client.request('GET', '/api/v1/keys/self')).status
    expect([await read(), await read(world.manager)]).toEqual([200, 200])
    const revoke = (query = '') => operator.revoke(companyId, keys.read.id, query)
    const revokedIn = (name: string | null) =>
      tablesOf(name).batch<{ revoked: number | null }>([
        tablesOf(name).prepare(`select revoked_at_ms as revoked from api_keys where id = '${keys.read.id}'`),
      ])
    return { ...world, store, read, revoke, revokedIn }
  }

  it('A revoked key is refused at once in the store that is frozen, where nothing changes', async () => {
    const { companyId, store, read, revoke, manager } = await seedFrozen()
    await freezeOwn(store, companyId)
    const before = await dump(store, companyId)
    expect(dataOf(await revoke(), 200)).toMatchObject({ revokedAt: expect.any(String) })
    expect([await read(), await read(manager)]).toEqual([401, 200])
    dataOf(await revoke(), 200)
    expect(await dump(store, companyId)).toEqual(before)
  })

  it('A key revoked during a move is revoked in its store when the move is aborted', async () => {
    const { companyId, store, read, revoke, revokedIn, manager, writer, campaignId } = await seedFrozen()
    await wish(companyId, 'shared')
    await runUntilComparing(companyId)
    dataOf(await revoke(), 200)
    const operator = await asOperator()
    dataOf(await operator.ask('DELETE', pathOf(companyId)), 200)
    await driveUntil(companyId, 'aborted')
    expect([await read(), await read(manager)]).toEqual([401, 200])
    expect((await revokedIn(store))[0]?.results).toEqual([{ revoked: expect.any(Number) }])
    dataOf(await writer.createLead({ campaignId, phoneNumber: '+14155550111' }), 201)
  })

  it('A key revoked during a move is revoked in D1 when the company arrives there', async () => {
    const { companyId, read, revoke, revokedIn, manager } = await seedFrozen()
    await wish(companyId, 'shared')
    await runUntilComparing(companyId)
    dataOf(await revoke('?withCreated=true'), 200)
    await driveUntil(companyId, 'switched')
    expect([await read(), await read(manager)]).toEqual([401, 200])
    await driveToEnd(companyId)
    expect((await revokedIn(null))[0]?.results).toEqual([{ revoked: expect.any(Number) }])
  })

  it.each(['own', 'shared'] as const)(
    'It arrives revoked when it was copied before, and the company is not frozen yet: to %s',
    async (to) => {
      const { companyId, keys, reader, manager } = await seedMoving()
      if (to === 'shared') await moveAlong(companyId, ['own'])
      const operator = await asOperator()
      const target = await wish(companyId, to)
      const keysOf = async () => (await dump(target, companyId).catch(() => null))?.api_keys ?? []
      // It dies with the next batch after its keys have arrived.
      const batch = async (statements: D1PreparedStatement[]) => {
        if ((await keysOf()).length > 0) throw new Error('D1_ERROR: overloaded')
        return shared.batch(statements)
      }
      const prepare = (text: string) => shared.prepare(text)
      while ((await keysOf()).length === 0) await runWith(companyId, { prepare, batch })
      expect((await moveOf(companyId)).phase).toBe('requested')
      dataOf(await operator.revoke(companyId, keys.read.id), 200)
      expect((await driveUntil(companyId, 'aborted', 'switched')).phase).toBe('switched')
      const revoked = (await keysOf()).map((row) => JSON.parse(row)[revokedAt]).filter((at) => at !== null)
      expect(revoked).toEqual([expect.any(Number)])
      const read = async (client: typeof reader) => (await client.request('GET', '/api/v1/keys/self')).status
      expect([await read(reader), await read(manager)]).toEqual([401, 200])
    },
  )

  it('A key revoked in D1 on the way to a store of its own stops the move', async () => {
    const { companyId, keys, reader } = await seedMoving()
    const operator = await asOperator()
    await wish(companyId, 'own')
    await runUntilComparing(companyId)
    dataOf(await operator.revoke(companyId, keys.read.id), 200)
    expect((await reader.request('GET', '/api/v1/keys/self')).status).toBe(401)
    expect((await driveUntil(companyId, 'aborted', 'switched')).phase).toBe('aborted')
    expect((await reader.request('GET', '/api/v1/keys/self')).status).toBe(401)
    expect(shared).toBe(tablesOf(null))
  })
})
