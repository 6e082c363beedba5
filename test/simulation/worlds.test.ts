// Short worlds in `npm test`, each run in processes of their own. What a broken one prints is enough to see it again.
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { exempt, operations } from './operations.ts'
import { allDeeds } from './people/everybody.ts'
import { setupOperations } from './world.ts'

/** A machine that does other things as well. */
const patienceMs = 600_000

const simulate = async (...options: string[]): Promise<string> => {
  const quickStart = join(import.meta.dirname, '../../src/admin/quick-start.ts')
  const args = [
    '--max-semi-space-size=64',
    '--import',
    quickStart,
    join(import.meta.dirname, 'simulate.ts'),
    ...options,
  ]
  const run = promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error)
  return stdout
}

it(
  'Worlds of fixed seeds keep every promise',
  async () => {
    const output = await simulate('--seed', '0x51000000', '--worlds', '60', '--watched', '3')
    expect(output).not.toContain('breaks')
    expect(output).toContain('\n60 worlds, ')
  },
  patienceMs,
)

it(
  'Worlds of new seeds keep every promise',
  async () => {
    const options = ['--seed', `0x${randomInt(2 ** 32).toString(16)}`, '--worlds', '20']
    writeSync(1, `npm run simulate -- ${options.join(' ')}\n`)
    const output = await simulate(...options, '--watched', '0')
    expect(output).not.toContain('breaks')
    expect(output).toContain('\n20 worlds, ')
  },
  patienceMs,
)

it(
  'The worlds of fixed seeds find five planted faults',
  async () => {
    const output = await simulate('--planted', 'test', '--seed', '0x51000000', '--worlds', '60')
    expect(output).not.toContain('not found')
    expect(output).toContain('\n5 of 5 planted faults found')
  },
  patienceMs,
)

it(
  'The same seeds give the same digest, in whatever order their worlds run',
  async () => {
    const digestOf = async (processes: string) =>
      (await simulate('--seed', '7', '--worlds', '3', '--watched', '0', '--processes', processes)).match(
        /^digest .*/m,
      )?.[0]
    const [one, other] = [await digestOf('1'), await digestOf('2')]
    expect(one).toMatch(/^digest [0-9a-f]{32}$/)
    expect(other).toBe(one)
  },
  patienceMs,
)

it('Every operation of the API is part of a deed, or exempt for a reason', () => {
  const used = new Set([...allDeeds.flatMap((deed) => deed.operations), ...setupOperations])
  const missing = [...operations.keys()].filter((name) => !used.has(name) && exempt[name] === undefined)
  expect(missing).toEqual([])
  expect([...used].filter((name) => !operations.has(name))).toEqual([])
  expect(Object.keys(exempt).filter((name) => used.has(name) || !operations.has(name))).toEqual([])
})
