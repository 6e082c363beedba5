// What a run says of its worlds, and that src/docs/tested.md says of promises and faults what there is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countedNames, faultNames, faults } from './faults.ts'
import { addTo, type Counted, digestOf, linesOf, neverHappened, noFigures, withFigures } from './figures.ts'
import { promises } from './promises/all.ts'

const tested = readFileSync(join(import.meta.dirname, '../../src/docs/tested.md'), 'utf8')
const run = {
  ...{ first: 0x2a, isLong: false, day: '2026-11-29', minutes: 4.96, processes: 2, commit: 'abcd1234' },
}
const done: Counted = {
  ...{ seed: 0x2a, digest: 'aa', actions: 1_000, requests: 2_000, cpuMs: 500, broken: null },
  faults: countedNames.map((name) => [name, 1]),
}

function figuresOf(...all: readonly Counted[]) {
  const figures = noFigures()
  for (const one of all) addTo(figures, one)
  return figures
}

it('The page has each promise by its name, and no other', () => {
  const [, table = ''] = /^## What must be\n(.+?)^## /ms.exec(tested) ?? []
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name = '']) => name).slice(2)
  expect(named.map((name) => name.toLowerCase())).toEqual(promises.map(({ name }) => name))
})

it('The figures of a run take the place of those of the run before, and nothing else changes', () => {
  const page = 'Before\n<!-- figures -->\nold\n<!-- end of figures -->\nAfter\n'
  const told = withFigures(page, figuresOf(done, { ...done, seed: 0x2b }), run)
  expect(told).toMatch(
    /^Before\n<!-- figures -->\n\nThe last run, of 2026-11-29, at commit `abcd1234`: 2 short /,
  )
  expect(told).toMatch(/\n\n<!-- end of figures -->\nAfter\n$/)
  expect(told).toContain(
    '2,000 actions, 4,000 requests, in 5 minutes in 2 processes. No world broke a promise.',
  )
  expect(told).toContain('`npm run simulate -- --seed 0x0000002a --worlds 2`')
  expect(told).toContain('\n| database lost after | the answer of the database is lost | 2 |\n')
  for (const name of countedNames) expect(told).toContain(`\n| ${name} | ${faults[name].says} | 2 |\n`)
  expect(told).not.toContain('old')
  expect(withFigures(told, figuresOf(done, { ...done, seed: 0x2b }), run)).toBe(told)
})

it('The page tells of worlds that broke a promise', () => {
  const broken = { promise: 'once', says: 'a call was started twice', action: 3 }
  const page = '<!-- figures -->\n<!-- end of figures -->\n'
  const told = withFigures(page, figuresOf({ ...done, broken }), run)
  expect(told).toContain('`0x0000002a` broke “once”.')
  expect(told).not.toContain('No world broke')
})

it('A page without a place for figures is left as it is', () => {
  for (const page of ['', '<!-- figures -->\n', '<!-- end of figures -->\n<!-- figures -->\n'])
    expect(() => withFigures(page, figuresOf(done), run)).toThrow('The page has not one place')
})

it('A run ends with its digest, what its worlds did, and a line for each fault', () => {
  const [digest, sum, ...lines] = linesOf(figuresOf(done))
  expect(digest).toMatch(/^digest [0-9a-f]{32}$/)
  expect(sum).toBe('1 worlds, 1000 actions, 2000 requests in 0.5 s of processor time')
  expect(lines).toEqual(countedNames.map((name) => `${name} 1`))
})

it('The digest is of the worlds, in whatever order they were run', () => {
  const other = { ...done, seed: 0x2b, digest: 'bb' }
  expect(digestOf(figuresOf(done, other))).toBe(digestOf(figuresOf(other, done)))
  expect(digestOf(figuresOf(done, other))).not.toBe(digestOf(figuresOf(done)))
})

it('A fault that 2,000 worlds do not meet is named, unless they could not have it', () => {
  const missed = ['alarms late', 'gate slow', 'restore undone']
  const without = { ...done, faults: done.faults.filter(([name]) => !missed.includes(name)) }
  const figures = figuresOf(...Array.from({ length: 1_999 }, (_, seed) => ({ ...without, seed })))
  expect(neverHappened(figures, [])).toEqual([])
  addTo(figures, without)
  expect(neverHappened(figures, [])).toEqual(missed)
  expect(neverHappened(figures, ['claim', 'alarms late', 'answer lost'])).toEqual(['alarms late'])
  expect(neverHappened(figures, ['claim', 'answer lost'])).toEqual([])
})

it('A story plans only what it can plan', () => {
  const places = ['d1', 'rpc', 'fetch', 'object', 'client', 'time']
  for (const name of faultNames) expect(places).toContain(faults[name].place)
  for (const name of countedNames.slice(faultNames.length)) expect(places).not.toContain(faults[name].place)
})
