// Each planted fault changes one place of the source as it is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plantedFaults } from './planted/all.ts'

it('Each planted fault finds its place exactly once, and tells what it means', () => {
  expect(plantedFaults.length).toBeGreaterThanOrEqual(60)
  const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
  const lost = plantedFaults.filter(({ file, find }) => textOf(file).split(find).length !== 2)
  expect(lost.map(({ story }) => story)).toEqual([])
  expect(new Set(plantedFaults.map(({ story }) => story)).size).toBe(plantedFaults.length)
  expect(plantedFaults.filter(({ find, replace }) => find === replace)).toEqual([])
})
