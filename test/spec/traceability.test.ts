// Keeps the table in README.md honest: every decision has its row, and every test that it names exists.
/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest'

const sources = import.meta.glob<string>(['./README.md', './*.test.ts', '../runtime/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const readme = sources['./README.md'] ?? ''
const sourceOf = (file: string) => sources[file.startsWith('.') ? file : `./${file}`]

/** The last cell of each row of a table: `file`: "test"; "test"; `file`: "test". */
const cited = readme
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => {
    let file = ''
    return [...line.matchAll(/`([^`]*\.test\.ts)`|"([^"]+)"/g)].flatMap(([, named, test]) => {
      file = named ?? file
      return test === undefined ? [] : [{ file, test }]
    })
  })

describe('The table in README.md', () => {
  it('has a row for every decision, with at least one test', () => {
    for (let number = 1; number <= 34; number++)
      expect(readme).toMatch(new RegExp(`^\\| D${number} +\\|.+\\.test\\.ts\`: ".+\\|$`, 'm'))
  })

  it('names tests that exist', () => {
    expect(cited.length).toBeGreaterThan(100)
    const missing = cited.filter(({ file, test }) => sourceOf(file)?.includes(test) !== true)
    expect(missing).toEqual([])
  })

  it('names every test file of this folder', () => {
    const files = Object.keys(sources).filter((file) => /^\.\/(?!traceability).*\.ts$/.test(file))
    const named = new Set(cited.map(({ file }) => `./${file}`))
    expect(files.filter((file) => !named.has(file))).toEqual([])
  })
})
