// A request that writes a lead, stopped before and after its commit, while another, or a move of the company, acts on
// the same lead. In each store the index then has exactly the words of the leads that are there, and so no word of an
// erased one.
import { afterEach, expect, it, vi } from 'vitest'
import { wordsOf } from '../../../src/queue/leads/search-words.ts'
import {
  addLeads,
  driveToEnd,
  fillTables,
  moveTo,
  seedMoving,
  shared,
  tablesOf,
} from '../../support/companies/moving.ts'
import { addNeighbours } from '../../support/companies/neighbours.ts'
import { databaseThat } from '../../support/database/database.ts'
import { createGate } from '../../support/database/gate.ts'
import { newPhone } from '../../support/database/seed.ts'
import { api } from '../../support/http/api.ts'
import { checkIndex, readIndex } from '../../support/leads/search-index.ts'
import { everyOther } from '../../support/run/thorough.ts'

afterEach(() => void vi.useRealTimers())

const stops = ['before its commit', 'after its commit'] as const
type Gate = ReturnType<typeof createGate>
type World = Awaited<ReturnType<typeof seedFilled>>

async function seedFilled() {
  const world = await seedMoving()
  const [lead] = await addLeads(world, 3)
  return { ...world, lead: lead as NonNullable<typeof lead> }
}

const isWrite = (sql: string) => /^\s*(insert|update|delete)/i.test(sql)

/** At whose commits of leads the gate is passed. */
const gatedDatabase = (gate: Gate) =>
  databaseThat(async (run, { statements }) => {
    if (!statements.some(({ sql }) => isWrite(sql) && /\bleads\b/.test(sql))) return run()
    await gate.pass('before its commit')
    const result = await run()
    await gate.pass('after its commit')
    return result
  }, shared).DB

const request =
  (method: string, path: (world: World) => string, body?: (world: World) => object) =>
  async (world: World, gate: Gate) => {
    const asked = api(world.keys.manage.key, { bindings: { DB: gatedDatabase(gate) } })
    const { status } = await asked.request(method, path(world), body?.(world))
    // 404: erased meanwhile; 409: it exists; 503: the company moves.
    expect([200, 201, 404, 409, 503]).toContain(status)
  }

const ofLead = ({ lead }: World) => `/api/v1/leads/${lead.leadId}`
const sameNumber = ({ campaignId, lead: { phoneNumber } }: World) => ({
  campaignId,
  phoneNumber,
  metadata: { name: 'Again' },
})

const actors: Readonly<Record<string, (world: World, gate: Gate) => Promise<unknown>>> = {
  'a create': request('POST', () => '/api/v1/leads', sameNumber),
  'a bulk': request(
    'POST',
    () => '/api/v1/leads/bulk',
    (world) => {
      const { campaignId, ...lead } = sameNumber(world)
      return { campaignId, leads: [lead, { ...lead, phoneNumber: newPhone(), externalId: 'new' }] }
    },
  ),
  'a change': request('PATCH', ofLead, () => ({ metadata: { name: 'Changed' }, externalId: 'changed' })),
  'a change to nothing': request('PATCH', ofLead, () => ({ metadata: null, externalId: null })),
  'the erasure of a lead': request('DELETE', ofLead),
  'the erasure of a person': request(
    'POST',
    () => '/api/v1/erasures',
    ({ lead: { phoneNumber } }) => ({ phoneNumber }),
  ),
}

type Row = { seq: number; phone: string; id: string | null; metadata: string | null }

async function expectRight(db: D1Database, { companyId }: World, which: object): Promise<Row[]> {
  const { results } = await db
    .prepare(
      `select seq, phone_number as phone, external_id as id, metadata from leads
       where campaign_number in (select number from campaigns where company_id = ?1) and erased_at_ms is null`,
    )
    .bind(companyId)
    .all<Row>()
  const wanted = results.flatMap(({ seq, phone, id, metadata }) => [
    `${seq} #${[...phone.slice(1)].reverse().join('')}`,
    ...(id === null ? [] : [`${seq} =${id.replace('é', 'e').replace(/\W/g, '_')}`]),
    ...(metadata === null ? [] : wordsOf(metadata)).map((word) => `${seq} ${word}`),
  ])
  expect({ ...which, index: await readIndex(db, companyId) }).toEqual({ ...which, index: wanted.sort() })
  // That of D1 grows with each company, and is looked at once.
  if (db !== shared) await checkIndex(db)
  return results
}

/** Both have begun, and stand at their stops; the one that goes on first ends before the other goes on. */
async function interleave(names: readonly [string, string], places: readonly [string, string], first: 0 | 1) {
  const world = await seedFilled()
  const gates = [createGate(places[0]), createGate(places[1])] as const
  const begin = async (which: 0 | 1) => {
    const act = actors[names[which]] as (typeof actors)[string]
    const acting = act(world, gates[which])
    await Promise.race([gates[which].reached, acting])
    return { acting }
  }
  const acts = [await begin(0), await begin(1)]
  for (const which of [first, 1 - first] as const) {
    gates[which as 0 | 1].goOn()
    await acts[which]?.acting
  }
  await expectRight(shared, world, { names, places, first })
}

const names = Object.keys(actors)
// Before their commits, who has begun first is of no matter: the pair of the other order has who goes on first.
const pairs = names.flatMap((name) => names.map((other) => [name, other] as const))
const cells = names.flatMap((name, place) => everyOther(stops, place).map((stop) => [name, stop] as const))

it.each(pairs)('The index has what the leads have when %s and %s act at once', async (name, other) => {
  await interleave([name, other], [stops[0], stops[0]], 0)
  await interleave([name, other], [stops[1], stops[0]], 1)
})

it.each(cells)(
  'The index has what the leads have in both stores when the company moves and moves back while %s stands %s',
  async (name, stop) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const world = await seedFilled()
    await fillTables(world)
    const expectNeighboursSame = await addNeighbours(shared, world.companyId)
    const gate = createGate(stop)
    const acting = (actors[name] as (typeof actors)[string])(world, gate)
    await Promise.race([gate.reached, acting])
    const store = await moveTo(world.companyId, 'own')
    gate.goOn()
    await acting
    const there = await expectRight(tablesOf(store), world, { name, stop, store })
    await expectRight(shared, world, { name, stop, left: true })
    await driveToEnd(world.companyId)
    expect(await readIndex(shared, world.companyId)).toEqual([])
    await moveTo(world.companyId, 'shared')
    expect(await expectRight(shared, world, { name, stop, back: true })).toEqual(there)
    await expectNeighboursSame()
  },
)

it('SQLite finds no fault in the index of D1 after all this', () => checkIndex(shared))
