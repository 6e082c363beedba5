// The package of the MCP server as people install it: built, packed, and run by the Node of this machine, which may be
// the oldest one supported. Driven by the client of the official SDK.
import { execFile, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { projectDir } from '../docs/server.ts'

export const mcpDir = join(projectDir, 'src/mcp')

/** Without the project's own tools in front. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((dir) => !dir.includes('node_modules'))
  .join(delimiter)

export type Settings = {
  readonly url: string
  readonly key: string
  readonly args?: readonly string[]
  /** The protocol. The one with `initialize` when not set. */
  readonly protocol?: string
}

const environmentOf = ({ url, key }: Settings): Record<string, string> => ({
  PATH: path,
  LEAD_INTAKE_URL: url,
  LEAD_INTAKE_KEY: key,
})

const run = promisify(execFile)

/** What is packed. Not built in src: the servers of other tests watch it. */
async function build(dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true })
  for (const file of ['package.json', 'README.md', 'LICENSE'])
    copyFileSync(join(mcpDir, file), join(dir, file))
  await run(process.execPath, [join(mcpDir, 'build.ts'), join(dir, 'dist')], { cwd: projectDir })
}

/** The program alone, for tests of what it answers. */
export async function buildAlone() {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-mcp-'))
  await build(dir)
  const program = join(dir, 'dist/lead-intake-mcp.js')
  return {
    connect: ({ args = [], ...settings }: Settings) =>
      connect('node', { ...settings, args: [program, ...args] }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export async function install() {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-mcp-'))
  const packed = join(dir, 'packed')
  await build(packed)
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', dir], { cwd: packed })
  const [tarball = ''] = readdirSync(dir).filter((file) => file.endsWith('.tgz'))
  const quietly = ['--offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...quietly, '--prefix', dir, join(dir, tarball)], { cwd: dir })
  const command = join(dir, 'node_modules/.bin/lead-intake-mcp')
  return {
    dir: join(dir, 'node_modules/@lead-intake/mcp'),
    connect: (settings: Settings) => connect(command, settings),
    /** Sends these lines, ends the input, and waits for the program to end. */
    run: (settings: Settings, lines = '') => runToEnd(command, settings, lines),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export type Installed = Awaited<ReturnType<typeof install>>
export type Connected = Awaited<ReturnType<typeof connect>>

async function connect(command: string, settings: Settings) {
  const transport = new StdioClientTransport({
    command,
    args: [...(settings.args ?? [])],
    env: environmentOf(settings),
    stderr: 'pipe',
  })
  let logged = ''
  transport.stderr?.on('data', (chunk) => {
    logged += chunk
  })
  const { protocol } = settings
  const mode = protocol === undefined ? 'legacy' : { pin: protocol }
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return { client, logged: () => logged }
}

function runToEnd(command: string, settings: Settings, lines: string) {
  const child = spawn(command, settings.args ?? [], { env: environmentOf(settings) as NodeJS.ProcessEnv })
  let logged = ''
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    logged += chunk
  })
  // It may end before it reads.
  child.stdin.on('error', () => {})
  child.stdin.end(lines)
  return new Promise<{ exitCode: number | null; logged: string; printed: string }>((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, logged, printed }))
  })
}
