// Keeps the tables in test/spec/README.md honest: every decision has its row, and every test that it names exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const specDir = join(import.meta.dirname, '../spec')
const readme = readFileSync(join(specDir, 'README.md'), 'utf8')
const sourceOf = (file: string) =>
  existsSync(join(specDir, file)) ? readFileSync(join(specDir, file), 'utf8') : undefined

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

/** What is decided after it belongs to areas that are not built yet. */
const lastDecision = 61

describe('The table in README.md', () => {
  it('has a row for every decision, with at least one test', () => {
    for (let number = 1; number <= lastDecision; number++)
      expect(readme).toMatch(new RegExp(`^\\| D${number} +\\|.+\\.test\\.ts\`: ".+\\|$`, 'm'))
  })

  it('names tests that exist', () => {
    expect(cited.length).toBeGreaterThan(100)
    const missing = cited.filter(({ file, test }) => sourceOf(file)?.includes(test) !== true)
    expect(missing).toEqual([])
  })

  it('names every test file of this folder', () => {
    const named = new Set(cited.map(({ file }) => file))
    const files = readdirSync(specDir).filter((file) => file.endsWith('.test.ts'))
    expect(files.filter((file) => !named.has(file))).toEqual([])
  })
})
