// `npm run deploy` against an account on this machine.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hashApiKey } from '../../src/access/api-key.ts'
import { cloudflareAccount } from './cloudflare-api.ts'
import { deploy, type Environment, npm, removeDir, temporaryDir } from './project.ts'

const random = expect.stringMatching(/^[\w-]{43}$/)

/** Where no login of wrangler's is kept. */
function loggedOut(): Environment {
  const home = temporaryDir()
  onTestFinished(() => removeDir(home))
  return { HOME: home, XDG_CONFIG_HOME: home }
}

// A deployment takes as long as the machine takes to build and upload it.
const patience = { timeout: 600_000 }

describe('npm run deploy', patience, () => {
  it('creates and migrates the database, then uploads the Worker with secrets; next time it makes neither', async () => {
    const config = join(import.meta.dirname, '../../wrangler.toml')
    const configBefore = readFileSync(config, 'utf8')
    const account = await cloudflareAccount()
    const first = await npm(['run', '--silent', 'deploy'], account.env)
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Deployed lead-intake') })
    const uploads = ['upload assets', 'upload worker', 'set schedules']
    expect(account.changes).toEqual(['create database', 'query database', ...uploads])
    expect(account.assets).toEqual(expect.arrayContaining(['/docs.html', '/openapi.json']))
    expect(account.tables()).toEqual(expect.arrayContaining(['companies', 'campaigns', 'api_keys', 'leads']))
    const binding = { type: 'd1', name: 'DB', id: account.databaseId }
    expect(account.bindings).toContainEqual(binding)
    expect(Object.fromEntries(account.secrets)).toEqual({ SUPPRESSION_PEPPER: random, WEBHOOK_ROOT: random })
    const made = [...account.secrets.values()]
    for (const value of made) expect(first.stdout.split(value)).toHaveLength(2)

    account.changes.length = 0
    const second = await deploy({ ...account.env, SUPPRESSION_PEPPER: 'another' })
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('No migrations to apply') })
    expect([...account.secrets.values()]).toEqual(made)
    for (const value of [...made, 'another', 'Back '])
      expect(second.stdout + second.stderr).not.toContain(value)
    expect(account.changes).toEqual(['query database', ...uploads])
    expect(account.bindings).toContainEqual(binding)
    expect(readFileSync(config, 'utf8')).toBe(configBefore)
  })

  it('takes a pepper from the environment, and makes none where the database has hashes of another', async () => {
    const account = await cloudflareAccount({ hasWorker: true })
    const first = await deploy({ ...account.env, SUPPRESSION_PEPPER: 'kept $HOME' })
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ +WEBHOOK_ROOT=/m) })
    expect(first.stdout).not.toMatch(/kept|PEPPER=/)
    expect(Object.fromEntries(account.secrets)).toEqual({
      SUPPRESSION_PEPPER: 'kept $HOME',
      WEBHOOK_ROOT: random,
    })

    account.secrets.delete('SUPPRESSION_PEPPER')
    account.run(`insert into companies (id, name, created_at_ms) values ('acme', 'Acme', 1);
      insert into suppressed_hashes (company_id, number_hash, created_at_ms) values ('acme', 'hash', 1)`)
    account.changes.length = 0
    const refused = await deploy(account.env)
    const reason = expect.stringMatching(/^error: .+ the Worker has no pepper: .+\n$/)
    expect(refused).toMatchObject({ exitCode: 1, stderr: reason })
    expect(account.changes).toEqual(['query database'])
  })

  it('makes no root where the database has webhooks, unless an option says so', async () => {
    const account = await cloudflareAccount({ hasWorker: true })
    expect(await deploy({ ...account.env, WEBHOOK_ROOT: 'kept' })).toMatchObject({ exitCode: 0 })
    account.secrets.delete('WEBHOOK_ROOT')
    account.run(`insert into companies (id, name, created_at_ms) values ('acme', 'Acme', 1);
      insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms)
      values ('wh_1', 'acme', 'https://receiver.test/', '["call.reported"]', '[]', 0, 1)`)
    account.changes.length = 0
    const refused = await deploy(account.env)
    const reason = expect.stringMatching(/^error: the database has webhooks.+ --new-webhook-root\n$/)
    expect(refused).toMatchObject({ exitCode: 1, stderr: reason })
    expect(account.changes).toEqual(['query database'])
    expect([...account.secrets.keys()]).toEqual(['SUPPRESSION_PEPPER'])

    const forced = await deploy(account.env, '--new-webhook-root')
    expect(forced).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ +WEBHOOK_ROOT=/m) })
    expect(account.secrets.get('WEBHOOK_ROOT')).toEqual(random)

    account.secrets.delete('WEBHOOK_ROOT')
    expect(await deploy({ ...account.env, WEBHOOK_ROOT: 'kept' })).toMatchObject({ exitCode: 0 })
    expect(account.secrets.get('WEBHOOK_ROOT')).toBe('kept')
  })

  it.each(['0000_init.sql', '0019_key_ends.sql'])(
    'leaves a database as it is that has applied %s',
    async (name) => {
      const recorded = `create table d1_migrations (id integer primary key, name text, applied_at text);
      insert into d1_migrations (name) values ('${name}')`
      const account = await cloudflareAccount({ sql: recorded })
      const before = account.tables()
      const finished = await deploy(account.env)
      expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
      expect(finished.stderr).toMatch(
        /^error: the database lead-intake is of a version before 2\.0, .+ a new one\n$/,
      )
      expect(account.changes).toEqual(['query database'])
      expect(account.tables()).toEqual(before)
    },
  )

  it('migrates a database that was created, and nothing was applied to', async () => {
    const account = await cloudflareAccount({ sql: '' })
    expect(await deploy(account.env)).toMatchObject({ exitCode: 0 })
    expect(account.tables()).toContain('leads')
  })

  it('makes an operator key on request alone, into a file of its own, and ends all that there are', async () => {
    const dir = temporaryDir()
    onTestFinished(() => removeDir(dir))
    const account = await cloudflareAccount()
    const [first, second] = [join(dir, 'first'), join(dir, 'second')]
    // Where there is no table of them yet, nothing is to be ended.
    const made = await deploy(account.env, '--revoke-operator-keys', '--operator-key', first)
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`is in ${first}`) })
    const key = readFileSync(first, 'utf8').trim()
    expect(key).toMatch(/^lk_op_\w{38}$/)
    expect(statSync(first).mode & 0o777).toBe(0o600)
    expect(made.stdout + made.stderr).not.toContain(key)
    const [stored, ...others] = account.select('select * from operator_keys')
    expect([stored, others]).toEqual([
      expect.objectContaining({ hash: hashApiKey(key), revoked_at_ms: null }),
      [],
    ])
    expect(Number(stored?.expires_at_ms) - Number(stored?.created_at_ms)).toBe(365 * 86_400_000)

    const again = await deploy(account.env, '--revoke-operator-keys', '--operator-key', second)
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Operator keys revoked: 1\n'),
    })
    const active = account.select('select hash from operator_keys where revoked_at_ms is null')
    expect(active).toEqual([{ hash: hashApiKey(readFileSync(second, 'utf8').trim()) }])
  })

  it('prints no operator key where nobody reads, and writes none over a file', async () => {
    const account = await cloudflareAccount()
    const file = join(import.meta.dirname, 'deploy.test.ts')
    for (const [options, reason] of [
      [
        ['--operator-key'],
        /^error: --operator-key prints a key: run it in a terminal, or name a new file\n$/,
      ],
      [['--operator-key', file], /^error: .+ cannot be created: EEXIST\n$/],
    ] as const) {
      const refused = await deploy(account.env, ...options)
      expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(reason) })
    }
    expect(account.changes).toEqual([])
  })

  it('says in one line that there is no login', async () => {
    const finished = await deploy(loggedOut())
    expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^error: not logged in to Cloudflare: .+\n$/)
  })
})
