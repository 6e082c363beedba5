// `npm run deploy` against an account on this machine.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/base/access/api-key.ts'
import { cloudflareAccount } from './cloudflare-api.ts'
import { deploy, dirOfTest, type Environment, npm, playDeploy } from './project.ts'

const random = expect.stringMatching(/^[\w-]{43}$/)

/** Where no login of wrangler's is kept. */
function loggedOut(): Environment {
  const home = dirOfTest()
  return { HOME: home, XDG_CONFIG_HOME: home }
}

// A deployment takes as long as the machine takes to build and upload it.
const patience = { timeout: 600_000 }

describe('Deploying', patience, () => {
  it('The first deployment makes database, secrets and the wanted operator key; the next keeps the secrets', async () => {
    const config = join(import.meta.dirname, '../../wrangler.toml')
    const configBefore = readFileSync(config, 'utf8')
    const file = join(dirOfTest(), 'key')
    const account = await cloudflareAccount()
    const keyOptions = ['--revoke-operator-keys', '--operator-key', file]
    const first = await npm(['run', '--silent', 'deploy', '--', ...keyOptions], account.env)
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Deployed lead-intake') })
    const uploads = ['upload assets', 'upload worker', 'set schedules']
    expect(account.changes).toEqual(['create database', 'query database', ...uploads, 'query database'])
    expect(account.assets).toEqual(expect.arrayContaining(['/docs.html', '/openapi.json']))
    expect(account.tables()).toEqual(expect.arrayContaining(['companies', 'campaigns', 'api_keys', 'leads']))
    const binding = { type: 'd1', name: 'DB', id: account.databaseId }
    expect(account.bindings).toContainEqual(binding)
    expect(Object.fromEntries(account.secrets)).toEqual({ SUPPRESSION_PEPPER: random, WEBHOOK_ROOT: random })
    const made = [...account.secrets.values()]
    for (const value of made) expect(first.stdout.split(value)).toHaveLength(2)

    expect(first.stdout).toContain(`is in ${file}`)
    expect(first.stdout).toMatch(
      /Is the set-up right\? LEAD_INTAKE_URL=https?:\S+ .+ npm run admin -- doctor\n$/,
    )
    const key = readFileSync(file, 'utf8').trim()
    expect(key).toMatch(/^lk_op_\w{38}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(first.stdout + first.stderr).not.toContain(key)
    const stored = account.select('select * from operator_keys')
    expect(stored).toEqual([expect.objectContaining({ hash: hashApiKey(key), revoked_at_ms: null })])
    expect(Number(stored[0]?.expires_at_ms) - Number(stored[0]?.created_at_ms)).toBe(365 * 86_400_000)

    account.changes.length = 0
    const second = await deploy({ ...account.env, SUPPRESSION_PEPPER: 'another' }, '--revoke-operator-keys')
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('No migrations to apply') })
    expect([...account.secrets.values()]).toEqual(made)
    for (const value of [...made, 'another', 'Back '])
      expect(second.stdout + second.stderr).not.toContain(value)
    expect(account.changes).toEqual(['query database', ...uploads])
    expect(account.bindings).toContainEqual(binding)
    expect(readFileSync(config, 'utf8')).toBe(configBefore)
    expect(second.stdout).toContain('Operator keys revoked: 1\n')
    expect(account.select('select * from operator_keys where revoked_at_ms is null')).toEqual([])
  })

  it('A deployment takes secrets from the environment, and makes none that the database has used, but on request', async () => {
    // A database that was created, and nothing was applied to.
    const account = await cloudflareAccount({ hasWorker: true, sql: '' })
    const first = await playDeploy({ ...account.env, SUPPRESSION_PEPPER: 'kept $HOME' })
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ +WEBHOOK_ROOT=/m) })
    expect(first.stdout).not.toMatch(/kept|PEPPER=/)
    const withKept = { SUPPRESSION_PEPPER: 'kept $HOME', WEBHOOK_ROOT: random }
    expect(Object.fromEntries(account.secrets)).toEqual(withKept)
    expect(account.select('select * from operator_keys')).toEqual([])

    account.secrets.clear()
    account.run(`insert into companies (id, name, created_at_ms) values ('acme', 'Acme', 1);
      insert into suppressed_hashes (company_id, number_hash, created_at_ms) values ('acme', 'hash', 1);
      insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms)
      values ('wh_1', 'acme', 'https://receiver.test/', '["call.reported"]', '[]', 0, 1)`)
    account.changes.length = 0
    const refused = await playDeploy({ ...account.env, WEBHOOK_ROOT: 'kept' })
    const reason = expect.stringMatching(/^error: .+ the Worker has no pepper: .+\n$/)
    expect(refused).toMatchObject({ exitCode: 1, stderr: reason })
    expect(account.changes).toEqual(['query database'])
    account.secrets.set('SUPPRESSION_PEPPER', 'there')
    const withoutRoot = await playDeploy(account.env)
    const hasWebhooks = expect.stringMatching(/^error: the database has webhooks.+ --new-webhook-root\n$/)
    expect(withoutRoot).toMatchObject({ exitCode: 1, stderr: hasWebhooks })
    expect(await playDeploy({ ...account.env, WEBHOOK_ROOT: 'kept' })).toMatchObject({ exitCode: 0 })
    const bothThere = { SUPPRESSION_PEPPER: 'there', WEBHOOK_ROOT: 'kept' }
    expect(Object.fromEntries(account.secrets)).toEqual(bothThere)

    account.secrets.delete('WEBHOOK_ROOT')
    const forced = await playDeploy(account.env, '--new-webhook-root')
    expect(forced).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ +WEBHOOK_ROOT=/m) })
    expect(Object.fromEntries(account.secrets)).toEqual({ SUPPRESSION_PEPPER: 'there', WEBHOOK_ROOT: random })
  })

  it('An operator key that is made with the revocation of all others remains', async () => {
    const account = await cloudflareAccount({ hasWorker: true, sql: '' })
    const keyOf = async (name: string) => {
      const file = join(dirOfTest(), name)
      const { stdout } = await playDeploy(account.env, '--revoke-operator-keys', '--operator-key', file)
      return [/^Operator keys revoked: \d$/m.exec(stdout)?.[0], hashApiKey(readFileSync(file, 'utf8').trim())]
    }
    // Where there is no table of operator keys yet, nothing is to be ended.
    const [none] = await keyOf('first')
    const [one, hash] = await keyOf('second')
    expect([none, one]).toEqual(['Operator keys revoked: 0', 'Operator keys revoked: 1'])
    expect(account.select('select hash from operator_keys where revoked_at_ms is null')).toEqual([{ hash }])
  })

  // start.test.ts has one of another name.
  it('A database of a version before 2.0 is left as it is', async () => {
    const recorded = `create table d1_migrations (id integer primary key, name text, applied_at text);
      insert into d1_migrations (name) values ('0000_init.sql')`
    const account = await cloudflareAccount({ sql: recorded })
    const before = account.tables()
    const finished = await playDeploy(account.env)
    expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
    expect(finished.stderr).toMatch(
      /^error: the database lead-intake is of a version before 2\.0, .+ a new one\n$/,
    )
    expect(account.changes).toEqual(['query database'])
    expect(account.tables()).toEqual(before)
  })

  it('An operator key is neither printed where nobody reads nor written over a file', async () => {
    const account = await cloudflareAccount()
    const file = join(import.meta.dirname, 'deploy.test.ts')
    for (const [options, reason] of [
      [
        ['--operator-key'],
        /^error: --operator-key prints a key: run it in a terminal, or name a new file\n$/,
      ],
      [['--operator-key', file], /^error: .+ cannot be created: EEXIST\n$/],
    ] as const) {
      const refused = await playDeploy(account.env, ...options)
      expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(reason) })
    }
    expect(account.changes).toEqual([])
  })

  it('A missing login is said in one line', async () => {
    const finished = await deploy(loggedOut())
    expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^error: not logged in to Cloudflare: .+\n$/)
  })
})
