// `admin doctor`: wrangler.toml, a service that it can ask and one that it cannot, and its exit code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diagnoseConfig } from '../../src/admin/deploy/diagnose-config.ts'
import { addOperatorKey, projectDir } from '../docs/server.ts'
import { at, command, serviceOfFile } from './command.ts'

const top = readFileSync(join(projectDir, 'wrangler.toml'), 'utf8')
/** As the page about deployments prints it. */
const staging = /^```toml\n(\[\[env\.staging\.[^`]+)^```/m.exec(
  readFileSync(join(projectDir, 'src/admin/operations/deploy.md'), 'utf8'),
)?.[1] as string

describe('The configuration', () => {
  it('Without an environment, or with the one of the page, has nothing to mend', () => {
    expect(diagnoseConfig(top)).toEqual([])
    expect(diagnoseConfig(`${top}\n${staging}`)).toEqual([
      { name: 'env.staging', status: 'ok', message: expect.any(String), fix: null },
    ])
  })

  it.each<[string, (block: string) => string, string, string]>([
    [
      'a binding',
      (text) => text.replace('"DIALERS"', '"OTHER"'),
      'broken',
      'durable_objects DIALERS of Dialer',
    ],
    ['a variable', (text) => text.replace('PUBLIC_URL = ""\n', ''), 'broken', 'vars PUBLIC_URL'],
    ['the strategy', (text) => text.replace(/code_update.+\n/, ''), 'broken', 'code_update_strategy'],
    ['a secret', (text) => text.replace(', "WEBHOOK_ROOT"', ''), 'broken', 'secrets WEBHOOK_ROOT'],
    [
      'the database of production',
      (text) => text.replace('lead-intake-staging', 'lead-intake'),
      'broken',
      'lead-intake',
    ],
  ])('Of an environment says what is wrong with it: %s', (_, change, status, message) => {
    const [check, ...others] = diagnoseConfig(`${top}\n${change(staging)}`)
    expect(others).toEqual([])
    expect(check).toMatchObject({ name: 'env.staging', status, message: expect.stringContaining(message) })
    expect(check?.fix).toMatch(/deploy\.md|\[env\.staging\]/)
  })

  it('Warns of an environment that would take the domain of production', () => {
    const withDomain = `routes = [{ pattern = "leads.example.com", custom_domain = true }]\n${top}`
    expect(diagnoseConfig(`${withDomain}\n${staging}`)).toMatchObject([{ status: 'warning' }])
    const own = `${withDomain}\n[env.staging]\nroutes = []\n${staging}`
    expect(diagnoseConfig(own)).toMatchObject([{ status: 'ok' }])
  })
})

describe('The command', () => {
  const service = serviceOfFile()

  it('Prints a line for each check, and fails when something is broken', async () => {
    const key = await addOperatorKey(service.db)
    // As wrangler would have recorded them, had it applied no more than this.
    await service.db.batch([
      service.db.prepare('create table if not exists d1_migrations (id integer primary key, name text)'),
      service.db.prepare("insert or ignore into d1_migrations values (1, '2000_init.sql')"),
    ])
    const { exitCode, stdout, stderr } = await command('doctor', ...at(service.base, key))
    const lines = stdout.split('\n').filter((line) => /^(ok|warning|broken) /.test(line))
    expect(lines.map((line) => line.split(/ {2,}/)[1])).toEqual([
      'service',
      'SUPPRESSION_PEPPER',
      'WEBHOOK_ROOT',
      'migrations',
      'cron',
      'objects',
      'sign-in',
      'security.txt',
      'PUBLIC_URL',
    ])
    expect(lines.filter((line) => line.startsWith('broken'))).toEqual([
      expect.stringMatching(/ migrations {2,}not applied: 2001_/),
    ])
    expect(stdout).toMatch(/ mend: npm run deploy\n/)
    expect([exitCode, stderr]).toEqual([1, 'error: 1 check of 9 found something broken\n'])
  })

  it('Prints a list with --json, also of a service that it cannot ask', async () => {
    const { exitCode, stdout } = await command('doctor', ...at('http://localhost:9', 'lk_op_none'), '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual([
      {
        name: 'service',
        status: 'broken',
        message: expect.stringContaining('http://localhost:9'),
        fix: expect.stringContaining('npm run admin -- doctor'),
      },
    ])
  })

  it('Names the right that a key of a company lacks', async () => {
    const { stdout } = await command(
      'doctor',
      '--local',
      '--persist-to',
      '/nowhere',
      '--url',
      'http://localhost:9',
    )
    expect(stdout).toMatch(/^broken {3}service {2}no API key: set LEAD_INTAKE_KEY/)
  })
})
