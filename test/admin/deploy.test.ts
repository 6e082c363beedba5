// `npm run deploy`, and --remote, against an account on this machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { backupAdvice, newSecrets } from '../../src/admin/deployed-secrets.ts'
import { cloudflareAccount } from './cloudflare-api.ts'
import { adminWith, deploy, type Environment, npm, removeDir, temporaryDir } from './project.ts'

const random = expect.stringMatching(/^[\w-]{43}$/)

/** Where no login of wrangler's is kept. */
function loggedOut(): Environment {
  const home = temporaryDir()
  onTestFinished(() => removeDir(home))
  return { HOME: home, XDG_CONFIG_HOME: home }
}

/** As this process has it, until the test is over. */
function useEnv(env: Environment): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

describe('npm run deploy', () => {
  it('creates and migrates the database, then uploads the Worker with secrets; next time it makes neither', async () => {
    const config = join(import.meta.dirname, '../../wrangler.toml')
    const configBefore = readFileSync(config, 'utf8')
    const account = await cloudflareAccount()
    const first = await npm(['run', '--silent', 'deploy'], {
      ...account.env,
      SUPPRESSION_PEPPER: 'kept $HOME',
    })
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Deployed lead-intake') })
    const uploads = ['upload assets', 'upload worker', 'set schedules']
    expect(account.changes).toEqual(['create database', 'query database', ...uploads])
    expect(account.assets).toEqual(expect.arrayContaining(['/docs.html', '/openapi.json']))
    expect(account.tables()).toEqual(expect.arrayContaining(['companies', 'campaigns', 'api_keys', 'leads']))
    const binding = { type: 'd1', name: 'DB', id: account.databaseId }
    expect(account.bindings).toContainEqual(binding)
    // What the environment has is taken as it is, and told to nobody; what was made is told once.
    expect(Object.fromEntries(account.secrets)).toEqual({
      SUPPRESSION_PEPPER: 'kept $HOME',
      WEBHOOK_ROOT: random,
    })
    const secrets = [...account.secrets.values()]
    expect(first.stdout).toMatch(/^ +WEBHOOK_ROOT=/m)
    expect(first.stdout.split(account.secrets.get('WEBHOOK_ROOT') ?? '')).toHaveLength(2)
    expect(first.stdout).not.toMatch(/kept|PEPPER=/)

    account.changes.length = 0
    const second = await deploy({ ...account.env, SUPPRESSION_PEPPER: 'another' })
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('No migrations to apply') })
    expect([...account.secrets.values()]).toEqual(secrets)
    for (const value of [...secrets, 'another', 'Back '])
      expect(second.stdout + second.stderr).not.toContain(value)
    expect(account.changes).toEqual(['query database', ...uploads])
    expect(account.bindings).toContainEqual(binding)
    expect(readFileSync(config, 'utf8')).toBe(configBefore)
  })

  it('makes what the Worker lacks, but no pepper where the database has hashes of another', async () => {
    const account = await cloudflareAccount({ hasWorker: true, hasDatabase: true })
    useEnv({ ...account.env, SUPPRESSION_PEPPER: undefined, WEBHOOK_ROOT: undefined })
    account.run('create table suppressed_hashes (number_hash text)')
    const made = await newSecrets()
    expect(made).toEqual({
      values: { SUPPRESSION_PEPPER: random, WEBHOOK_ROOT: random },
      made: ['SUPPRESSION_PEPPER', 'WEBHOOK_ROOT'],
    })
    for (const value of Object.values(made.values)) expect(backupAdvice(made).split(value)).toHaveLength(2)

    account.secrets.set('WEBHOOK_ROOT', 'of before')
    account.run(`insert into suppressed_hashes values ('hash')`)
    account.changes.length = 0
    await expect(newSecrets()).rejects.toThrow(/ the Worker no pepper: .+$/)
    expect(account.changes).toEqual(['query database'])
  })

  it('says in one line that there is no login', async () => {
    const finished = await deploy(loggedOut())
    expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^error: not logged in to Cloudflare: .+\n$/)
  })
})

describe('--remote', () => {
  it('says in one line that there is no login', async () => {
    const finished = await adminWith(loggedOut(), 'company list --remote')
    expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^error: not logged in to Cloudflare: .+\n$/)
  })

  it('says in one line that nothing is deployed yet', async () => {
    const account = await cloudflareAccount()
    const finished = await adminWith(account.env, 'company list --remote')
    expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^error: no database named lead-intake in the account: .+\n$/)
  })
})
