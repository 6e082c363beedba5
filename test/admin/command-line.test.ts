// The command line as such: as the processes that a script starts, as a person reads it, and what a mistake gets.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import packageJson from '../../package.json'
import { createCampaign } from '../../src/access/store/administration.ts'
import { CommandFailed } from '../../src/admin/command-failed.ts'
import { runCommand } from '../../src/admin/command-line.ts'
import { openDatabase, type Place } from '../../src/admin/database.ts'
import { command, commandJson, databaseOfFile } from './command.ts'
import { admin, adminJson, npm, removeDir, temporaryDir } from './project.ts'

const open = databaseOfFile()

type Key = { readonly id: string; readonly key: string }

function dirOfTest(): string {
  const dir = temporaryDir()
  onTestFinished(() => removeDir(dir))
  return dir
}

describe('A script', () => {
  it('makes a company, a campaign and keys by what it is printed', async () => {
    const script = dirOfTest()
    const run = <Value>(words: string, ...more: string[]) => adminJson<Value>(script, words, ...more)
    const npmRun = ['run', '--silent', 'admin', '--', 'company', 'create', '--id', 'acme', '--name', 'Acme']

    expect(await npm([...npmRun, '--persist-to', script, '--json'])).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    const { db, close } = await openDatabase({ remote: false, persistTo: script, mayCreate: false })
    onTestFinished(close)
    await createCampaign(db, { id: 'spring', companyId: 'acme', name: 'Spring', createdAtMs: 1 })
    const rights = '--company acme --scope write --name hubspot --campaign spring'
    const first = await run<Key>(`key create ${rights} --expires 2127-01-01T00:00:00Z`)
    expect(first).toEqual({ id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^lk_/) })
    expect(await commandJson(db, 'key list --company acme')).toMatchObject([
      { id: first.id, status: 'active' },
    ])
    const second = await commandJson<Key>(db, `key rotate ${first.id} --grace 24h`)
    expect(second).toMatchObject({ key: expect.stringMatching(/^lk_/), oldId: first.id })
    expect(await commandJson(db, `key revoke ${first.id}`)).toMatchObject({ id: first.id })

    expect(await admin(script, 'key revoke key_none', '--json')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: unknown key: key_none\n',
    })
    expect(await admin(script, 'key delete key_none')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: "error: unknown command 'delete'\n",
    })
  })
})

describe('For a person', () => {
  it('lists are tables, aligned', async () => {
    await command(open.db, 'company create --id acme --name Acme')
    const rights = '--company acme --scope read --name crm'
    const { id } = await commandJson<{ id: string }>(open.db, `key create ${rights}`)
    const { stdout } = await command(open.db, 'key list --company acme')
    const [heading, row, ...rest] = stdout.split('\n')
    expect(heading).toMatch(
      /^ID +NAME +SCOPE +COMPANY +CAMPAIGN +HINT +STATUS +CREATED +EXPIRES +REVOKED +LAST USED$/,
    )
    expect(row?.startsWith(`${id}  crm   read   acme     -         lk_`)).toBe(true)
    expect(heading?.indexOf('STATUS')).toBe(row?.indexOf('active'))
    expect(rest).toEqual([''])
  })

  it('The help marks what is required, and names the variable for the key', async () => {
    const { exitCode, stdout } = await command(null, 'lead import --help')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/--campaign <id> \(required\)/)
    expect(stdout).toMatch(/--key <key>[\s\S]*LEAD_INTAKE_KEY/)
    expect(stdout).toMatch(/--url <url>[\s\S]*LEAD_INTAKE_URL/)
    expect(stdout).not.toMatch(/--report <file> \(required\)/)
  })

  it('--version prints the version', async () => {
    expect(await command(null, '--version')).toEqual({
      exitCode: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })
})

describe('A mistake', () => {
  const ofUsage: Record<string, [words: string, stderr: RegExp]> = {
    'a scope that is none': [
      'key create --company a --scope admin --name A',
      /'admin' is invalid.* read, write/,
    ],
    'a duration that is none': ['key rotate key_none --grace 24x', /'24x' is invalid.* 30s, 24h/],
    'a time that is none': [
      'key create --company a --scope read --name A --expires soon',
      /'soon' is invalid/,
    ],
    'a missing option': ['company create --id a', /required option '--name <name>' not specified/],
    'an unknown command': ['key delete key_none', /unknown command 'delete'/],
    'a command that is nearly one': ['leads list', /unknown command 'leads' \(Did you mean lead\?\)/],
    'an option that is nearly one': [
      'company list --jason',
      /unknown option '--jason' \(Did you mean --json\?\)/,
    ],
    'a missing key': [
      'lead import a.csv --campaign c --url https://leads.example.com',
      /no API key: set LEAD_INTAKE_KEY, or give --key <key>$/m,
    ],
    'a missing key of the local service': [
      'campaign list --local --persist-to /nowhere',
      /no API key: .+; npm start writes one for the local service, but \/nowhere has none$/m,
    ],
    'a service that is not running': [
      'campaign list --url http://localhost:9 --key lk_1',
      /^error: The service is not running on http:\/\/localhost:9\. Start it with npm start$/m,
    ],
  }

  it.for(Object.entries(ofUsage))(
    'is one line on stderr and exit code 1, before the database is opened: %s',
    async ([, [words, stderr]]) => {
      vi.stubEnv('LEAD_INTAKE_KEY', '')
      onTestFinished(() => {
        vi.unstubAllEnvs()
      })
      const finished = await command(null, words)
      expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
      expect(finished.stderr).toMatch(/^error: .+\n$/)
      expect(finished.stderr).toMatch(stderr)
    },
  )

  it.each([
    ['key create --company nobody --scope read --name A', 'unknown company: nobody'],
    ['key list --company nobody', 'unknown company: nobody'],
    ['key rotate key_none', 'unknown key: key_none'],
    ['key revoke key_none', 'unknown key: key_none'],
  ])('is one line on stderr and exit code 1, by the database: %s', async (words, line) => {
    expect(await command(open.db, words)).toEqual({ exitCode: 1, stdout: '', stderr: `error: ${line}\n` })
  })
})

describe('--persist-to', () => {
  const openAt = (persistTo: string, mayCreate: boolean) =>
    openDatabase({ remote: false, persistTo, mayCreate }).then(({ close }) => close())

  it.each([true, false])('A file is no state directory (may make one: %s)', async (mayCreate) => {
    const file = join(dirOfTest(), 'file')
    writeFileSync(file, '')
    await expect(openAt(file, mayCreate)).rejects.toThrow(
      `the local state directory ${file} cannot be used: not a directory`,
    )
  })

  it('A directory without a database is an error, and stays empty', async () => {
    const dir = join(dirOfTest(), 'state')
    mkdirSync(dir)
    await expect(openAt(dir, false)).rejects.toThrow(`no local database in ${dir}: \`npm start\` or`)
    await expect(openAt(dir, false)).rejects.toThrow('no local database')
    await openAt(dir, true)
    await openAt(dir, false)
  })

  it.each([
    ['company create --id persist --name A', true],
    ['company list', false],
    ['key list', false],
    ['key revoke key_none', false],
    ['event restored --to 2026-01-01T00:00:00Z', false],
  ])('%s may make a database: %s', async (words, mayCreate) => {
    const places: Place[] = []
    await runCommand(words.split(' '), async (place) => {
      places.push(place)
      throw new CommandFailed('not now')
    })
    expect(places).toMatchObject([{ mayCreate }])
  })
})

describe('The output', () => {
  it('Only print.ts writes to the terminal, and what runs wrangler or before all else', () => {
    const dir = join(import.meta.dirname, '../../src/admin')
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.[jt]s$/.test(file),
    )
    const writers = files.filter((file) =>
      /process\.std(out|err)\.write|console\./.test(readFileSync(join(dir, file), 'utf8')),
    )
    expect(writers.sort()).toEqual([
      'deploy/deploy.ts',
      'local/install.js',
      'local/local-secrets.js',
      'local/start.ts',
      'text/print.ts',
    ])
  })

  /** The command without npm between, its stdout as given. */
  function run(stateDir: string, words: string, stdout: 'pipe' | number) {
    const node = ['--import', './src/admin/quick-start.ts', 'src/admin/main.ts']
    const child = spawn(process.execPath, [...node, ...words.split(' '), '--persist-to', stateDir], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', stdout, 'pipe'],
    })
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    return { child, finished: ended.then((exitCode) => ({ exitCode, stderr })) }
  }

  it('A command whose output nobody reads ends without a word', async () => {
    const stateDir = dirOfTest()
    const { child, finished } = run(stateDir, 'company create --id acme --name Acme', 'pipe')
    child.stdout?.destroy()
    expect(await finished).toEqual({ exitCode: 141, stderr: '' })
  })

  // Linux has a file that is always full.
  it.runIf(existsSync('/dev/full'))(
    'A command whose output cannot be written ends with one line',
    async () => {
      const stateDir = dirOfTest()
      const full = openSync('/dev/full', 'w')
      onTestFinished(() => closeSync(full))
      expect(await run(stateDir, 'company create --id acme --name Acme', full).finished).toEqual({
        exitCode: 1,
        stderr: 'error: the output cannot be written (ENOSPC)\n',
      })
    },
  )
})
