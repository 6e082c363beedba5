// A move that cannot go on, or is held up: what it leaves of the company, and of others.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CompanyStore } from '../../src/control/companies/company-object.ts'
import { abortMove, freeze } from '../../src/control/companies/store/move-steps.ts'
import { movedTables } from '../../src/control/companies/store/moved-tables.ts'
import worker from '../../src/index.ts'
import {
  addLeads,
  driveUntil,
  dump,
  expectUntouched,
  fillTables,
  freezeOwn,
  moveAlong,
  moveOf,
  objectOf,
  runOnce,
  runUntilComparing,
  runWith,
  seedMoving,
  shared,
  skipPauses,
  tablesOf,
  wish,
} from '../support/companies/moving.ts'
import { addNeighbours } from '../support/companies/neighbours.ts'
import { insertCompanies, newPhone } from '../support/database/seed.ts'
import { dataOf } from '../support/http/expectations.ts'
import { useFutureClock } from '../support/webhooks/webhook.ts'

beforeEach(useFutureClock)
beforeEach(skipPauses)

/** D1, but statements whose text matches fail. */
const failingOn = (pattern: RegExp, reason: string) => {
  const texts = new WeakMap<object, string>()
  const prepare = (text: string) => {
    const remember = (one: D1PreparedStatement): D1PreparedStatement => {
      texts.set(one, text)
      const bind = one.bind.bind(one)
      one.bind = (...values) => remember(bind(...values))
      return one
    }
    return remember(shared.prepare(text))
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    if (statements.some((one) => pattern.test(texts.get(one) ?? ''))) throw new Error(`D1_ERROR: ${reason}`)
    return shared.batch(statements)
  }
  return { prepare, batch }
}

describe('A move that fails', () => {
  it('A move ends and unfreezes the company when D1 is full', async () => {
    const world = await seedMoving()
    const { companyId } = world
    await addLeads(world, 5)
    await fillTables(world)
    const expectNeighboursSame = await addNeighbours(shared, companyId)
    const home = await moveAlong(companyId, ['own'])
    const before = await dump(home, companyId)
    await wish(companyId, 'shared')
    await runWith(companyId, failingOn(/insert into leads /, 'database or disk is full: SQLITE_FULL'))
    const move = await driveUntil(companyId, 'aborted')
    expect(move.progress.problem).toContain('database or disk is full')
    await expectUntouched(world, home, before)
    await expectNeighboursSame()
  })

  it.each(['own', 'shared'] as const)(
    'A move that fails again and again for ten minutes ends: to %s',
    async (to) => {
      const world = await seedMoving()
      const { companyId } = world
      await addLeads(world, 5)
      await fillTables(world)
      const expectNeighboursSame = await addNeighbours(shared, companyId)
      if (to === 'shared') await moveAlong(companyId, ['own'])
      await wish(companyId, to)
      while ((await moveOf(companyId)).phase === 'requested') await runOnce(companyId, 20)
      // Whatever is copied or compared.
      const failing = failingOn(/^(?!.*company_moves)/s, 'overloaded')
      for (let minutes = 0; minutes < 10; minutes++) {
        await runWith(companyId, failing)
        const { phase, progress } = await moveOf(companyId)
        expect([phase, progress.problem]).toEqual(['copying', 'database overloaded'])
        vi.setSystemTime(Date.now() + 60_000)
      }
      vi.setSystemTime(Date.now() + 60_000)
      await runWith(companyId, failing)
      const move = await driveUntil(companyId, 'aborted')
      expect(move.progress.problem).toBe('it failed for ten minutes: database overloaded')
      await addLeads(world, 1)
      await expectNeighboursSame()
    },
  )

  it('A move that fails once, and again much later, does not end', async () => {
    const world = await seedMoving()
    const { companyId } = world
    await addLeads(world, 5)
    await wish(companyId, 'own')
    while ((await moveOf(companyId)).phase === 'requested') await runOnce(companyId, 20)
    const failing = failingOn(/^(?!.*company_moves)/s, 'overloaded')
    for (let times = 0; times < 2; times++) {
      await runWith(companyId, failing)
      expect((await moveOf(companyId)).phase).toBe('copying')
      vi.setSystemTime(Date.now() + 16 * 60_000)
    }
    await driveUntil(companyId, 'switched')
  })

  it('A move freezes nobody while it counts the rows, in ranges, and counts none twice', async () => {
    const world = await seedMoving()
    const { companyId } = world
    await addLeads(world, 30)
    await wish(companyId, 'own')
    let last = 0
    for (let runs = 0; (await moveOf(companyId)).phase === 'requested'; runs++) {
      await runOnce(companyId, 4 + (runs % 9))
      const { progress, frozenAtMs } = await moveOf(companyId)
      if (progress.stage === 'counting') {
        expect(frozenAtMs).toBeNull()
        await world.writer.createLead({ campaignId: world.campaignId, phoneNumber: newPhone() })
        expect(progress.table ?? 0).toBeGreaterThanOrEqual(last)
        last = progress.table ?? 0
      }
    }
    expect(last).toBeGreaterThan(0)
    await driveUntil(companyId, 'switched')
  })

  it('A killed move continues by its own alarm within seconds', async () => {
    const { companyId } = await seedMoving()
    await wish(companyId, 'own')
    const object = objectOf((await moveOf(companyId)).toStore ?? '')
    let alarmAtMs: number | null = null
    await runInDurableObject(object, async (store: CompanyStore, { storage }) => {
      const batch = async (statements: D1PreparedStatement[]) => {
        alarmAtMs ??= await storage.getAlarm()
        return shared.batch(statements)
      }
      const DB = { prepare: (text: string) => shared.prepare(text), batch }
      Object.assign(store, { env: { ...env, DB } })
      await store.move(companyId)
    })
    await runDurableObjectAlarm(object)
    expect(alarmAtMs).not.toBeNull()
    expect((alarmAtMs ?? 0) - Date.now()).toBeLessThanOrEqual(10_000)
  })

  it('A move to a store that does not answer holds up neither other moves nor the other jobs of the cron', async () => {
    const [silent, other] = [await seedMoving(), await seedMoving()]
    const names = await Promise.all([wish(silent.companyId, 'own'), wish(other.companyId, 'own')])
    const woken: string[] = []
    const getByName = (name: string) => {
      if (name === names[0]) return { move: () => new Promise(() => {}), tend: () => new Promise(() => {}) }
      return { move: async () => void woken.push(name), tend: async () => {} }
    }
    const jobs: string[] = []
    const DB = {
      prepare: (text: string) => shared.prepare(text),
      batch: (statements: D1PreparedStatement[]) => {
        jobs.push('batch')
        return shared.batch(statements)
      },
    }
    const context = { waitUntil: () => {} } as unknown as ExecutionContext
    const controller = {} as ScheduledController
    const bindings = { ...env, DB, COMPANY_STORES: { getByName } } as unknown as Env
    void worker.scheduled?.(controller, bindings, context)
    await vi.waitFor(() => expect(woken).toContain(names[1]), 60_000)
    await vi.waitFor(() => expect(jobs.length).toBeGreaterThan(5), 60_000)
    for (const { companyId } of [silent, other]) await abortMove(shared, companyId, null, Date.now())
  })
})

/** D1 is restored, and another company gets the number of one of its campaigns. */
async function giveNumberAway(number: number): Promise<void> {
  const companyId = `other-${newPhone().slice(1)}`
  await insertCompanies(shared, [companyId]).run()
  await shared
    .prepare('update campaign_numbers set last = ?1')
    .bind(number - 1)
    .run()
  await shared
    .prepare(
      `insert into campaigns (number, id, company_id, name, created_at_ms) values (?1, 'first', ?2, 'First', 0)`,
    )
    .bind(number, companyId)
    .run()
}

describe('A company whose number of a campaign another one got in a restored D1', () => {
  async function seedTaken() {
    const world = await seedMoving()
    await addLeads(world, 20)
    const home = (await moveAlong(world.companyId, ['own'])) as string
    await fillTables(world, tablesOf(home))
    const before = await dump(home, world.companyId)
    const [number] = JSON.parse(before.campaigns?.[0] ?? '[]') as [number]
    return { world, home, before, number }
  }
  /** Names of tables with rows of a campaign in D1. */
  async function tablesUnder(number: number): Promise<string[]> {
    const placeOf = (columns: readonly string[]) =>
      columns.includes('campaign_number')
        ? 'campaign_number'
        : ['seq >> 32', 'first_seq >> 32'].find((place) => columns.includes(place.split(' ')[0] as string))
    const found = movedTables.map(async ({ name, columns }) => {
      const place = placeOf(columns)
      if (place === undefined) return []
      const rows = shared.prepare(`select 1 from ${name} where ${place} = ?1 limit 1`).bind(number)
      return (await rows.first()) === null ? [] : [name]
    })
    return (await Promise.all(found)).flat()
  }

  it('A company whose campaign number is another’s in D1 does not move back and is never frozen, and the move says why', async () => {
    const { world, home, before, number } = await seedTaken()
    await giveNumberAway(number)
    await wish(world.companyId, 'shared')
    const move = await driveUntil(world.companyId, 'aborted', 'switched')
    expect(move).toMatchObject({
      phase: 'aborted',
      frozenAtMs: null,
      progress: { problem: `another company's campaign in D1 has number ${number} too` },
    })
    expect(await tablesUnder(number)).toEqual([])
    await expectUntouched(world, home, before)
  })

  it.each(['requested', 'copying'] as const)(
    'A company whose campaign number is another’s in D1 gets no lead under that campaign, nor after the abort: %s',
    async (phase) => {
      const { world, home, before, number } = await seedTaken()
      const { companyId } = world
      await wish(companyId, 'shared')
      const isThere = async () => {
        const { progress, ...move } = await moveOf(companyId)
        const isCopied = progress.stage === 'copying' && (progress.table ?? 0) > 1
        return phase === 'copying' ? move.phase === phase : isCopied
      }
      while (!(await isThere())) await runOnce(companyId, 6)
      expect((await moveOf(companyId)).phase).toBe(phase)
      // Meanwhile D1 is restored again.
      const all = { companyId, maxRows: 1_000_000 }
      await shared.batch([
        ...movedTables
          .filter(({ name }) => name !== 'companies')
          .toReversed()
          .map(({ remove, start }) => remove(shared, { ...all, after: start })),
        shared.prepare(`update company_moves set progress = '{}' where company_id = ?1`).bind(companyId),
      ])
      await giveNumberAway(number)
      for (let runs = 0; runs < 200 && (await moveOf(companyId)).endedAtMs === null; runs++) {
        await runOnce(companyId, 2 + runs)
        expect(await tablesUnder(number)).toEqual([])
      }
      expect((await moveOf(companyId)).progress.problem).toContain(`has number ${number} too`)
      await expectUntouched(world, home, before)
    },
  )

  it('A campaign number that is another’s in D1 has no row written under it by any statement of the copy', async () => {
    const { before, world, number } = await seedTaken()
    await giveNumberAway(number)
    for (const { name, write } of movedTables) {
      if (name === 'companies') continue
      const rows = `[${before[name]?.join()}]`
      await shared.batch([write(shared, { companyId: world.companyId, rows, frozen: 2 })]).catch(() => {})
    }
    expect(await tablesUnder(number)).toEqual([])
  })
})

it('After a restore of D1 to before the freeze, what was compared already is compared again', async () => {
  const world = await seedMoving()
  const { companyId, manager } = world
  await addLeads(world, 20)
  await fillTables(world)
  const expectNeighboursSame = await addNeighbours(shared, companyId)
  const target = await wish(companyId, 'own')
  await runUntilComparing(companyId)
  while (((await moveOf(companyId)).progress.table ?? 0) < 20) await runOnce(companyId, 9)
  expect((await moveOf(companyId)).phase).toBe('copying')
  await shared.batch(
    [
      `update company_moves set phase = 'requested', frozen_at_ms = null,
        progress = json_set(progress, '$.stage', 'copying') where company_id = ?1`,
      'update companies set frozen_at_ms = null where id = ?1',
      'update api_keys set frozen = 0 where company_id = ?1',
    ].map((text) => shared.prepare(text).bind(companyId)),
  )
  const [erased] = await addLeads(world, 2)
  dataOf(await manager.request('POST', '/api/v1/erasures', { phoneNumber: erased?.phoneNumber }), 200)
  await driveUntil(companyId, 'switched')
  expect(await dump(target, companyId)).toEqual(await dump(null, companyId))
  await expectNeighboursSame()
})

it.each(['own', 'shared'] as const)(
  'A company that the version before has frozen before everything was copied arrives whole: to %s',
  async (to) => {
    const world = await seedMoving()
    const { companyId } = world
    await addLeads(world, 20)
    await fillTables(world)
    const expectNeighboursSame = await addNeighbours(shared, companyId)
    const home = to === 'own' ? null : await moveAlong(companyId, ['own'])
    const target = await wish(companyId, to)
    while ((await moveOf(companyId)).progress.stage !== 'copying') await runOnce(companyId, 4)
    await runOnce(companyId, 9)
    const { phase, progress } = await moveOf(companyId)
    expect([phase, progress.stage]).toEqual(['requested', 'copying'])
    expect((await dump(target, companyId)).companies).toHaveLength(1)
    expect((await dump(target, companyId)).events).toEqual([])
    if (home !== null) await freezeOwn(home, companyId)
    await freeze(shared, companyId, Date.now())
    await driveUntil(companyId, 'switched')
    expect(await dump(target, companyId)).toEqual(await dump(home, companyId))
    await expectNeighboursSame()
  },
)
