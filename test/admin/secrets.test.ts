// The secrets of the local server. Deployed ones: deploy.test.ts.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { secretNames } from '../../src/admin/deploy/deployed-secrets.ts'
import { dirOfTest } from './project.ts'

const projectDir = join(import.meta.dirname, '../..')
const program = join(projectDir, 'src/admin/local/local-secrets.js')
const random = expect.stringMatching(/^[\w-]{43}$/)

/** `.dev.vars` of a folder after the program has run there, `before` being what was in it. */
function localSecretsAfter(before: string | null): { text: string; values: object; again: () => string } {
  const dir = dirOfTest()
  const file = join(dir, '.dev.vars')
  if (before !== null) writeFileSync(file, before, { mode: 0o644 })
  const made = () => {
    execFileSync(process.execPath, [program], { cwd: dir })
    return readFileSync(file, 'utf8')
  }
  const text = made()
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  return { text, values: parseEnv(text), again: made }
}

describe('Local secrets', () => {
  it('Local secrets are what wrangler.toml requires, made once and kept', () => {
    const { values, text, again } = localSecretsAfter(null)
    expect(values).toEqual({ SUPPRESSION_PEPPER: random, WEBHOOK_ROOT: random })
    expect(again()).toBe(text)
    expect(new Set(Object.values(values)).size).toBe(2)

    const toml = parse(readFileSync(join(projectDir, 'wrangler.toml'), 'utf8'))
    expect(toml.secrets).toEqual({ required: Object.keys(values) })
    expect([...secretNames]).toEqual(Object.keys(values))
  })

  it.each([
    'SUPPRESSION_PEPPER="mine"',
    "export SUPPRESSION_PEPPER = 'mine'",
    'A=1\nSUPPRESSION_PEPPER=mine\n',
  ])('Local secrets are added beside what is there: %j', (before) => {
    const { values, text, again } = localSecretsAfter(before)
    expect(values).toMatchObject({ SUPPRESSION_PEPPER: 'mine', WEBHOOK_ROOT: random })
    expect(text.startsWith(before)).toBe(true)
    expect(again()).toBe(text)
  })

  it.each([
    'SUPPRESSION_PEPPER=',
    'SUPPRESSION_PEPPER=""\n',
    '# SUPPRESSION_PEPPER=old',
    'OLD_SUPPRESSION_PEPPER=old',
  ])('Local secrets are made where there is no value yet: %j', (before) => {
    const { values } = localSecretsAfter(`WEBHOOK_ROOT=mine\n${before}`)
    expect(values).toMatchObject({ SUPPRESSION_PEPPER: random, WEBHOOK_ROOT: 'mine' })
  })
})
