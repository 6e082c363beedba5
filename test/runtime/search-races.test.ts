// An indexer stopped at each of its awaits while another indexer, an erasure, a change or a Worker that knows no words
// acts, and each of these stopped while the indexer acts. The index never has what no lead has, nor anything of an erased
// lead; and after one more minute it has all of every lead.
import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../src/leads/search-words.ts'
import { indexChunk } from '../../src/leads/store/search-index.ts'
import { api } from '../support/api.ts'
import { databaseThat } from '../support/database.ts'
import { createGate } from '../support/gate.ts'
import { companyDb } from '../support/store.ts'
import { newPhone, seedKey, seedWorld } from '../support/world.ts'

const stops = ['before its read', 'after its read', 'before its commit', 'after its commit'] as const
type Stop = (typeof stops)[number]
type Gate = ReturnType<typeof createGate>

type World = Awaited<ReturnType<typeof seedIndexed>>

/** Three leads of a Worker that knows no words, of which the first may be indexed. */
async function seedIndexed(isIndexed: boolean) {
  const world = await seedWorld()
  const { key: manageKey } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  const { number } = world.campaign
  const add = (place: number, name: string) =>
    companyDb
      .prepare(
        `insert into leads (seq, campaign_number, phone_number, external_id, metadata, created_at_ms, token, queue_rank,
         due_at_ms) values ((?1 << 32) + ?2, ?1, ?3, ?4, ?5, 0, 'seededlead0', 0, 0)`,
      )
      .bind(number, place, newPhone(), `CRM-${place}`, JSON.stringify({ name }))
      .run()
  await add(1, 'Ada One')
  if (isIndexed) await indexChunk(companyDb, number)
  await add(2, 'Grace Two')
  await add(3, 'Lin Three')
  const { results } = await companyDb
    .prepare(`select seq, phone_number as phone from leads where campaign_number = ?1 order by seq`)
    .bind(number)
    .all<{ seq: number; phone: string }>()
  return { ...world, number, manageKey, add, leads: results }
}

const isWrite = (sql: string) => /^\s*(insert|update|delete)/i.test(sql)

/** A database at whose round trips `gate` is passed: those that index, or else those that change leads. */
const gatedDatabase = (gate: Gate, isOwn: (sql: string) => boolean) =>
  databaseThat(async (run, { statements }) => {
    if (!statements.some(({ sql }) => isOwn(sql))) return run()
    const what = statements.some(({ sql }) => isWrite(sql)) ? 'commit' : 'read'
    await gate.pass(`before its ${what}`)
    const result = await run()
    await gate.pass(`after its ${what}`)
    return result
  }).DB

const index = (world: World, gate: Gate) =>
  indexChunk(
    gatedDatabase(gate, () => true),
    world.number,
  )

const byOldWorker =
  (sets: string) =>
  async ({ leads }: World, gate: Gate, place: number) => {
    await gate.pass('before its commit')
    await companyDb
      .prepare(`update leads set ${sets} where seq = ?1`)
      .bind(leads[place - 1]?.seq)
      .run()
    await gate.pass('after its commit')
  }

/** The id of a lead of Worker `seededlead0`, from the list. */
async function leadIdAt({ readKey, campaignId, leads }: World, place: number): Promise<string> {
  const listed = await api(readKey).listLeads({ campaignId })
  const lead = listed.body?.data?.leads.find(({ phoneNumber }) => phoneNumber === leads[place - 1]?.phone)
  return lead?._id ?? 'none'
}

const byApi =
  (method: string, path: (world: World, place: number) => Promise<[string, object?]>) =>
  async (world: World, gate: Gate, place: number) => {
    const [at, body] = await path(world, place)
    const DB = gatedDatabase(gate, (sql) => isWrite(sql) && /\bleads\b/.test(sql))
    const { status } = await api(world.manageKey, { bindings: { DB } }).request(method, at, body)
    expect([method, at.split('/')[3], status >= 200 && status < 300]).toEqual([
      method,
      at.split('/')[3],
      true,
    ])
  }

/** What acts at the same time on a lead, by its place. */
const others: Readonly<Record<string, (world: World, gate: Gate, place: number) => Promise<unknown>>> = {
  'another indexer': index,
  'the erasure of a lead': byApi('DELETE', async (world, place) => [
    `/api/v1/leads/${await leadIdAt(world, place)}`,
  ]),
  'the erasure of a person': byApi('POST', async ({ leads }, place) => [
    '/api/v1/erasures',
    { phoneNumber: leads[place - 1]?.phone },
  ]),
  'a change': byApi('PATCH', async (world, place) => [
    `/api/v1/leads/${await leadIdAt(world, place)}`,
    { metadata: { name: 'Changed' }, externalId: 'changed' },
  ]),
  'a change to nothing': byApi('PATCH', async (world, place) => [
    `/api/v1/leads/${await leadIdAt(world, place)}`,
    { metadata: null, externalId: null },
  ]),
  'a create': byApi('POST', async ({ campaignId }) => [
    '/api/v1/leads',
    { campaignId, phoneNumber: newPhone(), metadata: { name: 'New' } },
  ]),
  'a change by an old Worker': byOldWorker(`metadata = '{"name":"Old"}', version = version + 1`),
  'an erasure by an old Worker': byOldWorker(
    `phone_number = 'erased:' || seq, external_id = null, metadata = null, erased_at_ms = 1, due_at_ms = null`,
  ),
  'a create by an old Worker': async ({ add }, gate) => {
    await gate.pass('before its commit')
    await add(4, 'Old New')
    await gate.pass('after its commit')
  },
}

/** What the index has of the company, and what it should have. */
async function readIndex({ companyId, number }: World) {
  const [words, leads] = await Promise.all([
    companyDb
      .prepare('select seq || word as row from lead_words where company_id = ?1')
      .bind(companyId)
      .all<{ row: string }>(),
    companyDb
      .prepare(
        `select seq, phone_number as phone, external_id as id, metadata from leads
       where campaign_number = ?1 and erased_at_ms is null`,
      )
      .bind(number)
      .all<{ seq: number; phone: string; id: string | null; metadata: string | null }>(),
  ])
  const wanted = leads.results.flatMap(({ seq, phone, id, metadata }) => [
    `${seq}#${[...phone.slice(1)].reverse().join('')}`,
    ...(id === null ? [] : [`${seq}=${id.toLowerCase()}`]),
    ...(metadata === null ? [] : wordsOf(metadata)).map((word) => `${seq}${word}`),
  ])
  return { found: words.results.map(({ row }) => row).sort(), wanted: wanted.sort() }
}

async function interleave(
  name: string,
  place: number,
  indexerStop: Stop,
  otherStop: Stop,
  first: 'indexer' | 'other',
  isIndexed: boolean,
): Promise<void> {
  const world = await seedIndexed(isIndexed)
  const [ofIndexer, ofOther] = [createGate(indexerStop), createGate(otherStop)]
  const indexing = index(world, ofIndexer)
  await Promise.race([ofIndexer.reached, indexing])
  const other = others[name] as (typeof others)[string]
  const acting = other(world, ofOther, place)
  await Promise.race([ofOther.reached, acting])
  const gates = [ofIndexer, ofOther] as const
  const ends = [indexing, acting] as const
  const order = first === 'indexer' ? ([0, 1] as const) : ([1, 0] as const)
  for (const which of order) {
    gates[which].goOn()
    await ends[which]
  }
  const which = { name, place, indexerStop, otherStop, first, isIndexed }
  const { found, wanted } = await readIndex(world)
  expect({ ...which, stale: found.filter((row) => !wanted.includes(row)) }).toEqual({ ...which, stale: [] })
  await indexChunk(companyDb, world.number)
  const after = await readIndex(world)
  expect({ ...which, ...after }).toEqual({ ...which, found: after.wanted, wanted: after.wanted })
}

/** Where the other is stopped: only an indexer reads what it writes. */
const stopsOf = (name: string) => (name === 'another indexer' ? stops : stops.slice(2))

const cases = Object.keys(others).flatMap((name) => stops.map((stop) => [name, stop] as const))

describe('The index is right', () => {
  it.each(cases)('when %s acts while an indexer stands %s', async (name, stop) => {
    for (const otherStop of stopsOf(name))
      for (const first of ['indexer', 'other'] as const)
        for (const [place, isIndexed] of [
          [1, true],
          [2, true],
          [1, false],
        ] as const)
          await interleave(name, place, stop, otherStop, first, isIndexed)
  })

  it('when two indexers are cut off after their reads, and another follows', async () => {
    const world = await seedIndexed(false)
    const gates = [createGate('after its read'), createGate('after its read')] as const
    for (const gate of gates) {
      void index(world, gate)
      await gate.reached
    }
    await indexChunk(companyDb, world.number)
    const { found, wanted } = await readIndex(world)
    expect(found).toEqual(wanted)
  })
})
