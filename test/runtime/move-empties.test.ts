// What a move has left is deleted beside other companies' requests.
import { expect, it } from 'vitest'
import { emptyRows } from '../../src/control/companies/move/empty-rows.ts'
import { addLeads, dump, fillTables, seedMoving, shared } from '../support/companies/moving.ts'
import { addNeighbours } from '../support/companies/neighbours.ts'
import { databaseThat } from '../support/database/database.ts'

it('What a move has left is deleted in slices, and after each one it pauses for as long as the slice took', async () => {
  const world = await seedMoving()
  // More than one slice of them.
  await addLeads(world, 600)
  await fillTables(world)
  const expectNeighboursSame = await addNeighbours(shared, world.companyId)
  let nowMs = 0
  let lastTookMs = 0
  let deletedLeads = 0
  const steps: (readonly ['worked' | 'paused', ms: number])[] = []
  const { DB } = databaseThat(async (run, trip) => {
    await run()
    const rows = trip.results[0]?.results.length ?? 0
    if (rows > 0) {
      lastTookMs += 7
      nowMs += lastTookMs
      steps.push(['worked', lastTookMs])
    }
    if (trip.statements[0]?.sql.startsWith('delete from leads ')) deletedLeads = Math.max(deletedLeads, rows)
    return trip.results
  }, shared)
  const wait = async (ms: number) => {
    nowMs += ms
    steps.push(['paused', ms])
  }
  expect(await emptyRows(DB, world.companyId, Number.POSITIVE_INFINITY, { nowMs: () => nowMs, wait })).toBe(
    true,
  )

  const slices = steps.filter(([what]) => what === 'worked')
  expect(slices.length).toBeGreaterThan(3)
  expect(steps).toEqual(
    slices.flatMap(([, ms]) => [
      ['worked', ms],
      ['paused', ms],
    ]),
  )
  expect(deletedLeads).toBeLessThan(600)
  const { companies, ...left } = await dump(null, world.companyId)
  expect(companies).toHaveLength(1)
  expect(Object.values(left).flat()).toEqual([])
  await expectNeighboursSame()
})
