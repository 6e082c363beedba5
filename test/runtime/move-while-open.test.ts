// A move copies a company while it is open: what is written, changed, deleted and erased between the copy and the
// freeze.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listLagging } from '../../src/channels/webhooks/store/sending.ts'
import { workByTheMinute } from '../../src/control/companies/jobs.ts'
import { abortMove } from '../../src/control/companies/store/move-steps.ts'
import { movedTables } from '../../src/control/companies/store/moved-tables.ts'
import {
  addLeads,
  claim,
  driveUntil,
  dump,
  expectUntouched,
  fillTables,
  moveAlong,
  moveOf,
  report,
  runOnce,
  runWith,
  seedMoving,
  shared,
  skipPauses,
  storeEnv,
  tablesOf,
  wish,
} from '../support/companies/moving.ts'
import { addNeighbours } from '../support/companies/neighbours.ts'
import { rowsOfCompany } from '../support/companies/rows-of-company.ts'
import { newPhone } from '../support/database/seed.ts'
import { dataOf } from '../support/http/expectations.ts'
import { everyOther } from '../support/run/thorough.ts'
import { useFutureClock } from '../support/webhooks/webhook.ts'

beforeEach(useFutureClock)
beforeEach(skipPauses)

const targets = ['own', 'shared'] as const
type Target = (typeof targets)[number]
type Seen = (text: string, values: readonly unknown[]) => void

/** D1, which shows each statement before its batch runs; what this throws fails the batch. */
function watched(see: Seen) {
  const seen = new WeakMap<object, readonly [string, readonly unknown[]]>()
  const wrap = (one: D1PreparedStatement, text: string, values: readonly unknown[]): D1PreparedStatement => {
    seen.set(one, [text, values])
    const bind = one.bind.bind(one)
    one.bind = (...bound) => wrap(bind(...bound), text, bound)
    return one
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    for (const one of statements) see(...(seen.get(one) ?? ['', []]))
    return shared.batch(statements)
  }
  return { prepare: (text: string) => wrap(shared.prepare(text), text, []), batch }
}

async function seedHome(to: Target, leads = 20) {
  const world = await seedMoving()
  await addLeads(world, leads)
  const [callId = ''] = await claim(world, 3)
  dataOf(await report(world, callId, 'busy'), 200)
  await fillTables(world)
  const expectNeighboursSame = await addNeighbours(shared, world.companyId)
  const home = to === 'own' ? null : await moveAlong(world.companyId, ['own'])
  return { world, home, expectNeighboursSame }
}

/** Everything is copied, and the company is not frozen yet. Returns the target. */
async function copyAll(companyId: string, to: Target): Promise<string | null> {
  const target = await wish(companyId, to)
  const stopping = watched((_, values) => {
    if (values.some((value) => `${value}`.includes('"comparing"'))) throw new Error('D1_ERROR: overloaded')
  })
  await runWith(companyId, stopping)
  const { phase, progress } = await moveOf(companyId)
  expect([phase, progress.stage]).toEqual(['requested', 'copying'])
  return target
}

type Row = (string | number | null)[]
const isNeverDeleted = ['companies', 'campaigns', 'api_keys']

/** One more in a number that says nothing of other rows; null: the table has none. */
function changed(columns: readonly string[], key: readonly string[], row: Row): Row | null {
  const index = columns.findLastIndex(
    (column, at) =>
      typeof row[at] === 'number' && !key.includes(column) && !/seq$|number$|^is_|^has_/.test(column),
  )
  return index === -1 ? null : row.with(index, (row[index] as number) + 1)
}

describe.each(targets)('A move that copies while the company is open: to %s', (to) => {
  it.each(['stored', 'deleted', 'changed'] as const)(
    'What is %s in any table between the copy and the freeze arrives',
    async (what) => {
      const { world, home, expectNeighboursSame } = await seedHome(to)
      const { companyId } = world
      const source = tablesOf(home)
      const rows = await rowsOfCompany(source, companyId)
      const deletable = movedTables.filter(({ name }) => !isNeverDeleted.includes(name))
      const values = (name: string) => ({ companyId, rows: `[${rows[name]?.join()}]`, frozen: 0 })
      const deleteAll = () =>
        source.batch(deletable.toReversed().map(({ name, erase }) => erase(source, values(name))))
      const storeAll = () => source.batch(deletable.map(({ name, write }) => write(source, values(name))))
      if (what === 'stored') await deleteAll()
      const target = await copyAll(companyId, to)
      if (what === 'stored') await storeAll()
      if (what === 'deleted') await deleteAll()
      if (what === 'changed') {
        const same: string[] = []
        for (const table of movedTables) {
          const all = (rows[table.name] ?? []).map((row) => JSON.parse(row) as Row)
          const others = all.map((row) => changed(table.columns, table.key, row) ?? row)
          if (JSON.stringify(others) === JSON.stringify(all)) same.push(table.name)
          const changes = { companyId, rows: JSON.stringify(others), frozen: 0 }
          await source.batch([
            ...(table.isParent ? [] : [table.erase(source, values(table.name))]),
            table.write(source, changes),
          ])
        }
        // They have no such number.
        expect(same).toEqual(['lost_calls', 'erased_runs', 'call_details', 'claims'])
      }
      const before = await dump(home, companyId)
      for (const { name } of deletable)
        expect([name, before[name]?.length]).toEqual([name, what === 'deleted' ? 0 : rows[name]?.length])
      await driveUntil(companyId, 'switched')
      const arrived = await dump(target, companyId)
      const left = await dump(home, companyId)
      // The switch enters the campaign among those that are recounted.
      if (what === 'deleted') for (const all of [arrived, left]) delete all.recounts
      expect(arrived).toEqual(left)
      if (what !== 'deleted')
        for (const [name, all] of Object.entries(arrived)) expect(all, name).not.toEqual([])
      await expectNeighboursSame()
    },
  )

  it('A person who is erased between the copy and the freeze is gone after the move, and another is not', async () => {
    const { world, home, expectNeighboursSame } = await seedHome(to)
    const { companyId, manager, reader } = world
    const [erased, left] = await addLeads(world, 2)
    const target = await copyAll(companyId, to)
    expect(JSON.stringify(await dump(target, companyId))).toContain(erased?.phoneNumber)
    dataOf(await manager.request('POST', '/api/v1/erasures', { phoneNumber: erased?.phoneNumber }), 200)
    await driveUntil(companyId, 'switched')
    const arrived = await dump(target, companyId)
    expect(JSON.stringify(arrived)).not.toContain(erased?.phoneNumber)
    expect(JSON.stringify(arrived)).toContain(left?.phoneNumber)
    expect(arrived).toEqual(await dump(home, companyId))
    expect((await reader.request('GET', `/api/v1/leads/${erased?.leadId}`)).status).not.toBe(200)
    expect((await reader.request('GET', `/api/v1/leads/${left?.leadId}`)).status).toBe(200)
    await expectNeighboursSame()
  })

  it('More rows than are compared at once that are deleted, or stored, between the copy and the freeze arrive', async () => {
    const { world, home, expectNeighboursSame } = await seedHome(to)
    const { companyId } = world
    const source = tablesOf(home)
    const run = (text: string) => source.batch([source.prepare(text).bind(companyId)])
    const many =
      `from (with recursive n (i) as (select 1 union all select i + 1 from n where i ` +
      `< 9000) select i from n)`
    await run(`insert into suppressed_hashes select ?1, printf('%064d', i), 1 ${many}`)
    const target = await copyAll(companyId, to)
    await run('delete from suppressed_hashes where company_id = ?1')
    await run(`insert into number_calls select ?1, printf('%064d', i), 9e12, null, null ${many}`)
    await driveUntil(companyId, 'switched')
    const arrived = await dump(target, companyId)
    expect([arrived.suppressed_hashes?.length, arrived.number_calls?.length]).toEqual([0, 9001])
    expect(arrived).toEqual(await dump(home, companyId))
    await expectNeighboursSame()
  })

  it('A number that another lead has by the time of the freeze arrives with that one', async () => {
    const { world, home } = await seedHome(to)
    const target = await copyAll(world.companyId, to)
    const own = `campaign_number in (select number from campaigns where company_id = ?1)`
    const source = tablesOf(home)
    const [found] = await source.batch<{ seq: number; phone: string }>([
      source
        .prepare(`select seq, phone_number as phone from leads where ${own} order by seq desc limit 1`)
        .bind(world.companyId),
    ])
    const last = found?.results[0]
    await source.batch([
      source.prepare('delete from leads where seq = ?1').bind(last?.seq),
      source
        .prepare(`update leads set phone_number = ?2 where seq = (select min(seq) from leads where ${own})`)
        .bind(world.companyId, last?.phone),
    ])
    await driveUntil(world.companyId, 'switched')
    expect(await dump(target, world.companyId)).toEqual(await dump(home, world.companyId))
    expect(
      (await dump(target, world.companyId)).leads?.filter((row) => row.includes(`${last?.phone}`)),
    ).toHaveLength(1)
  })

  it('A move that is aborted when everything is copied leaves the company open, and nothing in the target', async () => {
    const { world, home, expectNeighboursSame } = await seedHome(to)
    const { companyId } = world
    const before = await dump(home, companyId)
    const target = await copyAll(companyId, to)
    expect((await moveOf(companyId)).frozenAtMs).toBeNull()
    await addLeads(world, 1)
    const move = await abortMove(shared, companyId, null, Date.now())
    expect(move?.phase).toBe('aborting')
    await addLeads(world, 1)
    await driveUntil(companyId, 'aborted')
    const { companies: _, ...left } = await dump(target, companyId).catch(() => ({ companies: [] }))
    expect(Object.values(left).flat()).toEqual([])
    const after = await dump(home, companyId)
    expect(after.leads).toHaveLength((before.leads?.length ?? 0) + 2)
    await expectUntouched(world, home, after)
    await expectNeighboursSame()
  })
})

const losses = targets.flatMap((to, place) =>
  everyOther([false, true], place).map((isLost) => [to, isLost] as const),
)

it.each(losses)(
  'A move that crashes again and again while the company is used arrives whole: to %s, answers of D1 are lost: %s',
  async (to, isLost) => {
    const { world, home, expectNeighboursSame } = await seedHome(to)
    const { companyId, manager } = world
    const target = await wish(companyId, to)
    const gone: string[] = []
    for (let crashes = 0; (await moveOf(companyId)).phase !== 'switched'; crashes++) {
      await runOnce(companyId, 1 + (crashes % 9), isLost)
      // Another time the object is frozen before D1 says so.
      if ((await moveOf(companyId)).phase !== 'requested' || gone.length > 8) continue
      const [erased] = await addLeads(world, 2).catch(() => [])
      if (erased === undefined) continue
      const body = { phoneNumber: erased.phoneNumber }
      dataOf(await manager.request('POST', '/api/v1/erasures', body), 200)
      gone.push(erased.phoneNumber)
      vi.setSystemTime(Date.now() + 10_000)
    }
    expect(gone.length).toBeGreaterThan(4)
    const arrived = await dump(target, companyId)
    expect(arrived).toEqual(await dump(home, companyId))
    for (const phoneNumber of gone) expect(JSON.stringify(arrived)).not.toContain(phoneNumber)
    await expectNeighboursSame()
  },
)

it('A range that arrives in D1 only after the switch takes no no away, and brings none back that was lifted', async () => {
  const { world } = await seedHome('shared')
  const { companyId, manager, writer } = world
  const [again, lifted] = [newPhone(), newPhone()]
  const sayNo = async (phoneNumber: string) =>
    dataOf(await writer.request('POST', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] }), 200)
  const lift = async (phoneNumber: string) =>
    dataOf(await manager.request('DELETE', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] }), 200)
  await sayNo(again)
  await copyAll(companyId, 'shared')
  await lift(again)
  await sayNo(lifted)
  const late: D1PreparedStatement[][] = []
  const { prepare, batch } = watched((text) => {
    if (/(delete from|insert into) suppressions /.test(text)) throw new Error('D1_ERROR: overloaded')
  })
  const holding = async (statements: D1PreparedStatement[]) =>
    batch(statements).catch((error) => {
      late.push(statements)
      throw error
    })
  await runWith(companyId, { prepare, batch: holding })
  expect(late).not.toEqual([])
  await driveUntil(companyId, 'switched')
  await sayNo(again)
  await lift(lifted)
  const before = await dump(null, companyId)
  for (const statements of late) await shared.batch(statements)
  expect(await dump(null, companyId)).toEqual(before)
  expect(JSON.stringify(before.suppressions)).toContain(again)
  expect(JSON.stringify(before.suppressions)).not.toContain(lifted)
})

it('Rows that arrive in D1 are left alone by its cron, while the company is used in its own store', async () => {
  const { world, expectNeighboursSame } = await seedHome('shared')
  const { companyId } = world
  await copyAll(companyId, 'shared')
  const ofCompany = '(select number from campaigns where company_id = ?1)'
  await shared.batch(
    [
      `update leads set lease_expires_at_ms = 1
        where campaign_number in ${ofCompany} and lease_expires_at_ms is not null`,
      `update claims set claimed_at_ms = 1 where campaign_number in ${ofCompany}`,
      'update number_calls set called_at_ms = 1 where company_id = ?1',
      'update lost_calls set claimed_at_ms = 1 where company_id = ?1',
      `insert into consents (company_id, phone_number, purpose, given_at_ms, id, stored_at_ms)
        values (?1, '+15550002', 'offers', 1, 'con_00000000001' || ?1, 1)`,
      `update leads set held_due_at_ms = 1, due_at_ms = null where seq in (
        select max(seq) from leads where campaign_number in ${ofCompany} and due_at_ms is not null)`,
      `update calling_settings set returns_held_after = 0 where campaign_number in ${ofCompany}`,
      `insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms, expires_at_ms, member_id)
        values ('session-' || ?1, ?1, 'read', 'session', 'hash-' || ?1, '', 1, 2, 'mem_' || ?1)`,
    ].map((text) => shared.prepare(text).bind(companyId)),
  )
  const arrived = await dump(null, companyId)
  const later: Promise<void>[] = []
  await workByTheMinute(storeEnv(null), (work) => later.push(work))
  await Promise.all(later)
  expect(await dump(null, companyId)).toEqual(arrived)
  await addLeads(world, 1)
  expect(await claim(world, 1)).toHaveLength(1)
  await expectNeighboursSame()
})

it('Under the freeze a move writes as many rows as have changed since the copy, however large the company is', async () => {
  const written: number[] = []
  for (const leads of [5, 400]) {
    const { world } = await seedHome('shared', leads)
    await copyAll(world.companyId, 'shared')
    await addLeads(world, 3)
    let [isFrozen, rows] = [false, 0]
    const counting = watched((text, values) => {
      if (text.includes("set phase = 'copying'")) isFrozen = true
      const list =
        /^\s*(insert into|delete from) /.test(text) && values.find((value) => `${value}`.startsWith('[['))
      if (isFrozen && list) rows += (JSON.parse(list as string) as unknown[]).length
    })
    await runWith(world.companyId, counting)
    expect((await moveOf(world.companyId)).phase).toBe('switched')
    written.push(rows)
  }
  expect(written[0]).toBeGreaterThanOrEqual(3)
  expect(written[1]).toBe(written[0])
})

it('The cron of D1 wakes no sender of a company that is still in a store of its own while rows of it arrive', async () => {
  const { world, home } = await seedHome('shared')
  await copyAll(world.companyId, 'shared')
  const isListed = async (db: D1Database) => {
    const found = await listLagging(db, { maxWebhooks: 900, isAtOnce: true }, 0)
    return found.some(({ webhookId }) => webhookId === world.webhookId)
  }
  expect((await rowsOfCompany(shared, world.companyId)).webhooks).not.toEqual([])
  expect(await isListed(shared)).toBe(false)
  expect(await isListed(tablesOf(home))).toBe(true)
})

it('A row whose key another company has in the target stops the move, which says so, and stays as it is', async () => {
  const { world, home } = await seedHome('shared')
  const { companyId, webhookId } = world
  const before = await dump(home, companyId)
  await wish(companyId, 'shared')
  const db = shared
  const otherId = `other-${newPhone().slice(1)}`
  await db.batch([
    db.prepare('insert into companies (id, name, created_at_ms) values (?1, ?1, 0)').bind(otherId),
    db
      .prepare(
        `insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms, disabled_at_ms)
         values (?1, ?2, 'https://other.example', '[]', '[]', 0, 0, 1)`,
      )
      .bind(webhookId, otherId),
  ])
  const others = () => rowsOfCompany(db, otherId)
  const theirs = await others()
  expect(theirs.webhooks).toHaveLength(1)
  let seen = theirs
  const looking = watched(() => {})
  while ((await moveOf(companyId)).phase !== 'aborting') {
    await runWith(companyId, looking).catch(() => {})
    if ((await moveOf(companyId)).endedAtMs !== null) break
    seen = await others()
  }
  expect(seen).toEqual(theirs)
  const { progress } = await driveUntil(companyId, 'aborted')
  expect(progress.problem).toBe('webhooks differs from its copy')
  await expectUntouched(world, home, before)
  expect(await others()).toEqual(theirs)
})
