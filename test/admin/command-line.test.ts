// The command line as such: as the processes that a script starts, as a person reads it, and what a mistake gets.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import packageJson from '../../package.json'
import { command } from './command.ts'

describe('For a person', () => {
  it('The help says what each noun is about, in other words than its name', async () => {
    const { stdout } = await command('--help')
    const [, listed = ''] = stdout.split('Commands:\n')
    const nouns = [...listed.matchAll(/^ {2}(\w+) +(\S.*)$/gm)].map(
      ([, noun = '', text = '']) => [noun, text] as const,
    )
    expect(nouns.length).toBeGreaterThan(9)
    expect(nouns.filter(([noun, text]) => text.split(' ').length < 2 || text.toLowerCase() === noun)).toEqual(
      [],
    )
  })

  it('The help marks what is required, and names the variable for the key', async () => {
    const { exitCode, stdout } = await command('lead import --help')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/--campaign <id> \(required\)/)
    expect(stdout).toMatch(/--key <key>[\s\S]*LEAD_INTAKE_KEY/)
    expect(stdout).toMatch(/--url <url>[\s\S]*LEAD_INTAKE_URL/)
    expect(stdout).not.toMatch(/--report <file> \(required\)/)
  })

  it('The README lists each noun, and of each noun the verbs that its help has', async () => {
    const namesIn = async (words: string) => {
      const [, listed = ''] = (await command(words)).stdout.split('Commands:\n')
      const names = [...listed.matchAll(/^ {2}([a-z][\w-]*) /gm)].map(([, name = '']) => name)
      return names.filter((name) => name !== 'help').sort()
    }
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
    const [, table = ''] = readme.split('| Noun | Verbs |\n| --- | --- |\n')
    const [rows = ''] = table.split('\n\n')
    const listed = new Map<string, string[]>()
    for (const row of rows.split('\n')) {
      const [, noun = '', verbs = ''] = row.split('|')
      const wordsOf = (text: string) =>
        [...(text.split(':')[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, word = '']) => word)
      listed.set(wordsOf(noun).join(), wordsOf(verbs).sort())
    }
    const nouns = await namesIn('--help')
    expect([...listed.keys()].sort()).toEqual(nouns)
    for (const noun of nouns) expect(listed.get(noun), noun).toEqual(await namesIn(`${noun} --help`))
  })

  it('--version prints the version', async () => {
    expect(await command('--version')).toEqual({
      exitCode: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })
})

describe('A mistake', () => {
  const ofUsage: Record<string, [words: string, stderr: RegExp]> = {
    'a duration that is none': ['key rotate key_none --grace 24x', /'24x' is invalid.* 30s, 24h/],
    'a missing option': ['company create --id a', /required option '--name <value>' not specified/],
    'an unknown command': ['key delete key_none', /unknown command 'delete'/],
    'a command that is nearly one': ['leads list', /unknown command 'leads' \(Did you mean lead\?\)/],
    'an option that is nearly one': [
      'company list --jason',
      /unknown option '--jason' \(Did you mean --json\?\)/,
    ],
    'an option that is nearly a required one': [
      'lead list --campain demo',
      /^error: unknown option '--campain' \(Did you mean --campaign\?\)/,
    ],
    'an option that is nearly a required one of an import': [
      'lead import a.csv --campain=demo',
      /^error: unknown option '--campain' \(Did you mean --campaign\?\)/,
    ],
    'a required option that is missing beside others': [
      'lead list --limit 5',
      /^error: required option '--campaign <value>' not specified/,
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
      /^error: The service is not running on http:\/\/localhost:9\. Start it with npm start, or name another .*--url$/m,
    ],
  }

  it.for(Object.entries(ofUsage))(
    'A mistake is one line on stderr and exit code 1: %s',
    async ([, [words, stderr]]) => {
      vi.stubEnv('LEAD_INTAKE_KEY', '')
      onTestFinished(() => {
        vi.unstubAllEnvs()
      })
      const finished = await command(words)
      expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
      expect(finished.stderr).toMatch(/^error: .+\n$/)
      expect(finished.stderr).toMatch(stderr)
    },
  )
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
      'deploy/search.ts',
      'local/install.js',
      'local/local-secrets.js',
      'local/seed-dev.js',
      'local/start.ts',
      'text/print.ts',
    ])
  })

  /** The command without npm between, its stdout as given. */
  function run(words: string, stdout: 'pipe' | number) {
    const node = ['--import', './src/admin/quick-start.ts', 'src/admin/main.ts']
    const child = spawn(process.execPath, [...node, ...words.split(' ')], {
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

  it('A closed pipe ends a command silently', async () => {
    const { child, finished } = run('--help', 'pipe')
    child.stdout?.destroy()
    expect(await finished).toEqual({ exitCode: 141, stderr: '' })
  })

  // Linux has a file that is always full.
  it.runIf(existsSync('/dev/full'))(
    'A command whose output cannot be written ends with one line',
    async () => {
      const full = openSync('/dev/full', 'w')
      onTestFinished(() => closeSync(full))
      expect(await run('--help', full).finished).toEqual({
        exitCode: 1,
        stderr: 'error: the output cannot be written (ENOSPC)\n',
      })
    },
  )
})
