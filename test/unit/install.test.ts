// What installs the project: `npm ci`, once, from a lock file that is whole for every platform.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secretNames } from '../../src/admin/deploy/deployed-secrets.ts'

const projectDir = join(import.meta.dirname, '../..')
const installer = join(projectDir, 'src/admin/local/install.js')

describe('The installer', () => {
  let dir: string
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'lead-intake-install-'))
    writeFileSync(join(dir, 'package-lock.json'), '{}')
    // Notes its arguments, and leaves behind what npm writes last.
    const npm = `const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n')
mkdirSync('node_modules', { recursive: true })
writeFileSync('node_modules/.package-lock.json', '{}')`
    writeFileSync(join(dir, 'npm.cjs'), npm)
    writeFileSync(
      join(dir, 'npm'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(dir, 'npm.cjs')}" "$@"\n`,
      {
        mode: 0o755,
      },
    )
    writeFileSync(join(dir, 'npm.cmd'), `@"${process.execPath}" "${join(dir, 'npm.cjs')}" %*\r\n`)
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('The installer runs npm ci where nothing is installed, and nothing where all is, and makes the local secrets', () => {
    const env = { ...process.env, PATH: dir + delimiter + process.env.PATH }
    const said = [0, 1].map(() =>
      spawnSync(process.execPath, [installer], { cwd: dir, env, encoding: 'utf8' }),
    )
    expect(said.map(({ status, stdout }) => [status, stdout])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(said.map(({ stderr }) => stderr)).toEqual([expect.stringContaining('one to four minutes'), ''])
    expect(readFileSync(join(dir, 'asked'), 'utf8')).toMatch(/^ci .*\n$/)
    expect(readFileSync(join(dir, '.dev.vars'), 'utf8')).toMatch(/^SUPPRESSION_PEPPER=.+\nWEBHOOK_ROOT=.+\n$/)
  })
})

it('The example of local secrets names each that a deployment makes', () => {
  const example = readFileSync(join(projectDir, '.dev.vars.example'), 'utf8')
  expect([...example.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name)).toEqual([...secretNames])
})

type Locked = { readonly packages: Readonly<Record<string, { optionalDependencies?: object }>> }

it('The lock file has the packages of every platform, without which npm ci fails on one', () => {
  const { packages } = JSON.parse(readFileSync(join(projectDir, 'package-lock.json'), 'utf8')) as Locked
  const named = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name })),
  )
  expect(named.filter(({ name }) => name.includes('win32')).length).toBeGreaterThan(2)
  const missing = named.filter(
    ({ path, name }) => !(`${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages),
  )
  expect(missing).toEqual([])
})
