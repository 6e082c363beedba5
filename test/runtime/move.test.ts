// A move of a company between D1 and a store of its own, both ways: what arrives, what goes on working, what an abort and
// a crash leave. Real workerd processes that are killed are in test/hard.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { movedTables, notCopied } from '../../src/companies/store/moved-tables.ts'
import { dataOf } from '../support/expectations.ts'
import {
  addLeads,
  claim,
  driveToEnd,
  dump,
  fillTables,
  moveTo,
  report,
  seedMoving,
} from '../support/moving.ts'

describe('What a move copies', () => {
  it('is every table of the schema, but those that are named with a reason', async () => {
    const { results } = await env.DB.prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf\\_%' escape '\\'`,
    ).run<{ name: string }>()
    const known = [...movedTables.map(({ name }) => name), ...notCopied]
    expect(results.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  })

  it('arrives as it was, in both directions, and leaves nothing behind', async () => {
    const world = await seedMoving()
    const { companyId } = world
    await addLeads(world, 50)
    const [callId = ''] = await claim(world, 3)
    dataOf(await report(world, callId, 'busy'), 200)
    await fillTables(world)
    const before = await dump(null, companyId)
    for (const [name, rows] of Object.entries(before)) expect(rows.length, name).toBeGreaterThan(0)
    const name = await moveTo(companyId, 'own')
    expect(await dump(name, companyId)).toEqual(before)
    await driveToEnd(companyId)
    const { companies: _, ...left } = await dump(null, companyId)
    expect(Object.values(left).flat()).toEqual([])

    const there = await dump(name, companyId)
    await moveTo(companyId, 'shared')
    expect(await dump(null, companyId)).toEqual(there)
    await driveToEnd(companyId)
    const { companies: __, ...gone } = await dump(name, companyId)
    expect(Object.values(gone).flat()).toEqual([])
    const again = await moveTo(companyId, 'own')
    expect(await dump(again, companyId)).toEqual(there)
  })
})
