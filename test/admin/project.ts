// The project as its operator has it: npm scripts started from a shell, or what they start without npm between, which
// takes as long as they do; a state directory of their own, a port that nobody uses. What they print is what they are
// judged by.
import { type ChildProcess, exec, type SpawnOptions, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'

export type Environment = Readonly<Record<string, string | undefined>>

export type Finished = { readonly exitCode: number; readonly stdout: string; readonly stderr: string }

const projectDir = join(import.meta.dirname, '../..')

/** Without what npm adds for its scripts, and without anybody's Cloudflare login. */
const shell: Environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|CLOUDFLARE_|CF_|VITEST|NODE_ENV$)/.test(name)),
  ),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => !dir.includes('node_modules'))
    .join(delimiter),
  NO_COLOR: '1',
  FORCE_COLOR: '0',
}

/** As in package.json. */
const quickly = ['--import', './src/admin/quick-start.ts']

/** As npm has it for its scripts. */
const scriptPath = [join(projectDir, 'node_modules/.bin'), shell.PATH].join(delimiter)

export const temporaryDir = () => mkdtempSync(join(tmpdir(), 'lead-intake-state-'))

/** One that ends with the test. */
export function dirOfTest(): string {
  const dir = temporaryDir()
  onTestFinished(() => removeDir(dir))
  return dir
}

export function removeDir(dir: string): void {
  rmSync(dir, { recursive: true, force: true })
}

/** `npm <args>`, to its end. */
export function npm(args: readonly string[], env: Environment = {}): Promise<Finished> {
  return endOf(start('npm', args, env))
}

const deployment = 'src/admin/deploy/deploy.ts'

/** What `npm run deploy` starts, to its end. */
export function deploy(env: Environment, ...options: string[]): Promise<Finished> {
  return endOf(start(process.execPath, [...quickly, deployment, ...options], { PATH: scriptPath, ...env }))
}

/** The same with a wrangler that is played, which takes a tenth of the time. */
export function playDeploy(env: Environment, ...options: string[]): Promise<Finished> {
  const played = ['--import', './test/admin/play-wrangler.ts']
  return endOf(start(process.execPath, [...quickly, ...played, deployment, ...options], env))
}

export type Run = {
  /** Of its output, so far. */
  readonly printed: () => string
  /** The same of stderr. */
  readonly errors: () => string
  readonly finished: Promise<Finished>
  readonly kill: (signal?: NodeJS.Signals) => void
}

/** The same while it runs, so that it can be killed. */
export const startAdmin = (words: readonly string[], env?: Environment, input?: string) =>
  startScript(['src/admin/main.ts', ...words], env, input)

/** What one of package.json's scripts starts. */
export function startScript(words: readonly string[], env: Environment = {}, input?: string): Run {
  const child = spawn(process.execPath, [...quickly, ...words], {
    cwd: projectDir,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  child.stdin.end(input)
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ exitCode: code ?? -1, stdout: stdout(), stderr: stderr() }))
  })
  return { printed: stdout, errors: stderr, finished, kill: (signal = 'SIGKILL') => child.kill(signal) }
}

export type Server = {
  /** All that it has printed so far. */
  readonly printed: string
  readonly base: string
  /** Ends npm as a terminal or a supervisor does, and waits for all that it started. */
  readonly stop: () => Promise<void>
}

/** `npm start` on the port, once it listens. Ended with the test at the latest, unless `atEnd` sees to it. */
export async function startServer(
  stateDir: string,
  port: number,
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
  more: readonly string[] = [],
): Promise<Server> {
  for (;;) {
    try {
      return await tryToStart(stateDir, port, atEnd, more)
    } catch (error) {
      // wrangler chooses a port for itself, and another process may take it before workerd does.
      if (!/Address already in use \(socket "direct/.test((error as Error).message)) throw error
    }
  }
}

async function tryToStart(
  stateDir: string,
  port: number,
  atEnd: (stop: () => Promise<void>) => void,
  more: readonly string[],
): Promise<Server> {
  const options = ['--port', String(port), '--persist-to', stateDir, ...more]
  const child = start('npm', ['start', '--', ...options], {})
  const printed = textOf(child.stdout)
  const complaints = textOf(child.stderr)
  // Not before every process that writes to its output has ended.
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  atEnd(stop)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => printed().includes('List the leads:') && resolve())
    child.on('close', () => reject(new Error(`npm start ended:\n${printed()}${complaints()}`)))
  })
  return {
    get printed() {
      return printed()
    },
    base: `http://localhost:${port}`,
    stop,
  }
}

const linesOf = ({ printed }: Server) => printed.match(/curl .+/g) ?? []
const send = async (line: string) => JSON.parse((await promisify(exec)(line)).stdout)

/** Sends the requests that it printed, until the dialer is on again: each is answered as it says. */
export async function askAsPrinted(server: Server): Promise<void> {
  const answers: unknown[] = []
  // The demo's dialer calls nobody before the form is sent.
  for (const line of linesOf(server)) if (!line.includes('/dialer')) answers.push(await send(line))
  const lead = expect.objectContaining({ priority: 0 })
  const attempting = expect.objectContaining({ status: 'attempting' })
  const call = expect.objectContaining({ attempt: 1, lead: attempting })
  const result = expect.objectContaining({ result: 'recorded', status: 'concluded' })
  expect(answers).toEqual([
    { success: true, data: { leadId: expect.any(String) }, error: null },
    { success: true, data: { leads: [lead], count: 1 }, error: null },
    { success: true, data: { lead }, error: null },
    { success: true, data: { calls: [call], reason: null, retryAfterSeconds: null }, error: null },
    { success: true, data: { results: [result] }, error: null },
  ])
}

/**
 * Sends the form that it wrote, for the first time: the demo's dialer, which was off, lets the pretended phone ring.
 */
export async function ringAsPrinted(server: Server): Promise<void> {
  const shown = server.printed.length
  const form = readFileSync(/^ *form +(\S.*)$/m.exec(server.printed)?.[1] ?? '', 'utf8')
  const filledIn = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(form)?.[1] ?? ''
  const url = /action="([^"]+)"/.exec(form)?.[1] ?? ''
  expect(url).toContain(`${server.base}/in/`)
  const body = new URLSearchParams({ name: filledIn('name'), phone: filledIn('phone') })
  const answer = await fetch(url, { method: 'POST', body, headers: { accept: 'text/html' } })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('We will call you.')])
  await expect
    .poll(() => server.printed.slice(shown), { timeout: 60_000 })
    .toMatch(/^The pretended phone rings$/m)
}

/** Below those that systems assign by themselves, so that no other test's server gets it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false))
    })
    if (!isFree) continue
    await new Promise((closed) => server.close(closed))
    return port
  }
}

function start(program: string, args: readonly string[], env: Environment): ChildProcess {
  const options: SpawnOptions = {
    cwd: projectDir,
    env: { ...shell, ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  }
  return spawn(program, args, options)
}

async function endOf(child: ChildProcess): Promise<Finished> {
  const stdout = textOf(child.stdout)
  const stderr = textOf(child.stderr)
  const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  return { exitCode, stdout: stdout(), stderr: stderr() }
}

function textOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
